"""Everything is recomputed and compared: right as it was played, and each tampering is named."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from tests.factories import (
    PHOTO,
    enter,
    make_event,
    make_judge,
    make_player,
    make_players,
    make_round,
    make_user,
    organiser,
    organiser_of,
    play,
    play_round,
)
from tests.pages import flat
from tests.tournament.test_cut import deal, level_event, level_round
from tournament.actions import (
    absences,
    attendance,
    cuts,
    drafts,
    events,
    finals,
    rounds,
    scoresheets,
)
from tournament.actions.penalties import DealRef, InquiryNote, give_penalty, withdraw_penalty
from tournament.actions.photos import attach_photo
from tournament.actions.seats import note_printed
from tournament.demonstration import demonstration
from tournament.management.base import counted_words
from tournament.models import (
    Cut,
    Deal,
    Event,
    EventVersion,
    LogEntry,
    Lot,
    Penalty,
    Player,
    Qualifier,
    Round,
    Scoresheet,
    Seat,
    SheetPhoto,
    Table,
)
from tournament.models.actors import Actor
from tournament.queries.check_event import check_event, first_difference, last_check
from tournament.queries.cuts import line_of
from tournament.simulation import SimulationPlan, at, simulate, tables_of

pytestmark = pytest.mark.django_db
INQUIRY = InquiryNote(heard="both", finding="cheated", decided_by="the judge")


def cut_event() -> Event:
    """Twelve who were level, a lot on the line, a caution, a seat declined, the final running."""
    event = level_event()
    by = organiser(event)
    one = event.players.get(number=1)
    give_penalty(player=one, infraction="1.1", step=1, reason="", by=by)
    cut = cuts.make_cut(event=event, by=by)
    cuts.settle_line(cut=cut, by=by)
    cuts.decline_seat(qualifier=cut.qualifiers.get(place=2), reason="tired", by=by)
    final = finals.draw_final(cut=cut, by=by)
    rounds.publish_round(round_=final, by=by)
    (table,) = tables_of(final)
    enter(table, 1, deal(6, [1, 2]))
    event.refresh_from_db()
    return event


def running_event() -> Event:
    """A round closed, another running: one table confirmed, the other with a deal."""
    event = make_event()
    make_players(event, 12)
    play_round(event)
    one, other = tables_of(make_round(event, 2))
    play(one)
    enter(other, 1)
    event.refresh_from_db()
    return event


# --- as it was played ------------------------------------------------------------------------


def test_an_event_is_all_right_at_every_stage() -> None:
    event = make_event()
    by = organiser(event)
    assert first_difference(event) is None
    make_players(event, 18)
    make_player(event, here=False)
    assert first_difference(event) is None
    for seed in (1, 2):
        round_ = make_round(event, seed, published=False)
        assert first_difference(event) is None
        rounds.publish_round(round_=round_, by=by)
        for table in tables_of(round_):
            enter(table, 1)
            assert first_difference(event) is None
            scoresheets.void_deal(
                sheet=table.sheet, number=1, replay=True, reason="cards fell", version=1, by=by
            )
            table.sheet.refresh_from_db()
            play(table, seed=seed)
        rounds.close_round(round_=round_, by=by)
        assert first_difference(event) is None
    attendance.drop(player=event.players.get(number=3), by=by)
    assert first_difference(event) is None
    give_penalty(
        player=event.players.get(number=4),
        infraction="3.0",
        step=4,
        reason="cheated",
        by=by,
        deal=DealRef("preliminary", 2, 1),
        inquiry=INQUIRY,
    )
    assert first_difference(event) is None
    play_round(event, 3)
    event.refresh_from_db()
    cut = cuts.make_cut(event=event, by=by)
    assert first_difference(event) is None
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    assert first_difference(event) is None
    second = cut.qualifiers.get(place=2)
    cuts.decline_seat(qualifier=second, reason="has to leave", by=by)
    assert first_difference(event) is None
    cuts.take_seat_back(qualifier=second, by=by)
    assert first_difference(event) is None
    final = finals.draw_final(cut=cut, by=by)
    rounds.publish_round(round_=final, by=by)
    (table,) = tables_of(final)
    play(table)
    rounds.close_round(round_=final, by=by)
    assert first_difference(event) is None
    events.finish_event(event=event, by=by)
    event.refresh_from_db()
    result = check_event(event)
    assert (result.difference, result.rounds, result.penalties) == (None, 4, 1)


def test_what_came_after_the_cut_changes_nothing_in_its_record() -> None:
    event = cut_event()
    by = organiser(event)
    inside = set(Qualifier.objects.values_list("player_id", flat=True))
    one, other = event.players.exclude(pk__in=inside)[:2]
    attendance.drop(player=other, by=by)
    given = give_penalty(
        player=one,
        infraction="3.0",
        step=4,
        reason="hit somebody",
        by=by,
        deal=DealRef("preliminary", 1, 1),
        inquiry=INQUIRY,
    )
    assert first_difference(event) is None
    withdraw_penalty(penalty=given, reason="it was another", by=by)
    make_player(event)
    assert first_difference(event) is None


def test_a_reopened_sheet_of_a_closed_round_and_a_cancelled_round_are_right() -> None:
    event = make_event()
    make_players(event, 12)
    table = tables_of(play_round(event))[0]
    by = organiser(event)
    scoresheets.reopen_sheet(sheet=table.sheet, reason="wrong row", by=by)
    assert first_difference(event) is None
    scoresheets.submit_sheet(sheet=table.sheet, by=at(table, 1))
    assert first_difference(event) is None
    rounds.cancel_round(round_=make_round(event, 2), reason="fire alarm", by=by)
    assert first_difference(event) is None


def test_the_demonstration_and_a_simulation_are_all_right() -> None:
    assert first_difference(demonstration(make_user())) is None
    assert first_difference(simulate(SimulationPlan(players=18, rounds=2))) is None


def test_a_check_costs_the_same_queries_whatever_the_size(
    django_assert_max_num_queries: Callable[[int], object],
) -> None:
    event = running_event()
    with django_assert_max_num_queries(16):  # type: ignore[attr-defined]
        check_event(event)


# --- tampered with ---------------------------------------------------------------------------


def final_table() -> Table:
    return Table.objects.get(round__stage="final")


def first_sheet() -> Scoresheet:
    return Scoresheet.objects.get(
        table__number=1, table__round__stage="preliminary", table__round__number=1
    )


def outsider() -> Player:
    return Player.objects.exclude(qualified__isnull=False).order_by("number")[0]


def stranger() -> Player:
    return make_player(make_event())


def move_a_seat_to_the_final() -> None:
    seat = Seat.objects.get(player=outsider())
    Seat.objects.filter(pk=seat.pk).update(round=Round.objects.get(stage="final"))


def open_a_sheet() -> None:
    Scoresheet.objects.filter(pk=first_sheet().pk).update(
        status="open", submitted_by="", submitted_at=None, confirmed_by="", confirmed_at=None
    )


def confirm_alone() -> None:
    sheet = first_sheet()
    Scoresheet.objects.filter(pk=sheet.pk).update(confirmed_by=sheet.submitted_by)


def change_the_record() -> None:
    cut = Cut.objects.get()
    cut.standings[0]["points"] = 9
    cut.save()


def shuffle_a_deal() -> None:
    one = Deal.objects.get(sheet=first_sheet(), number=1)
    Deal.objects.filter(pk=one.pk).update(roles="".join(reversed(one.roles)))


def swap_the_final() -> None:
    seat = Seat.objects.filter(table=final_table()).order_by("position")[0]
    Seat.objects.filter(pk=seat.pk).update(player=outsider())


def swap_the_lot() -> None:
    lot = Lot.objects.get()
    Lot.objects.update(order=list(reversed(lot.order)))


def short_lot() -> None:
    lot = Lot.objects.get()
    Lot.objects.update(secret="", paper_note="drawn", order=lot.order[:-1])


def log_gone(verb: str) -> Callable[[], object]:
    return lambda: LogEntry.objects.filter(verb=verb).delete()


CUT_TAMPERINGS: dict[str, tuple[Callable[[], object], str]] = {
    "no sheet": (
        lambda: Scoresheet.objects.filter(table=final_table()).delete(),
        "Final, Table 1 has no score sheet.",
    ),
    "no tables": (
        lambda: Table.objects.filter(round__stage="final").delete(),
        "Final has no tables.",
    ),
    "a seat of another round": (move_a_seat_to_the_final, "is of another round."),
    "a stranger": (
        lambda: Seat.objects.filter(table=final_table(), position=1).update(player=stranger()),
        "is nobody of this event.",
    ),
    "a seat less": (
        lambda: Seat.objects.filter(table=final_table(), position=1).delete(),
        "Final, Table 1: the seats are not numbered from 1 to 5.",
    ),
    "two seats less": (
        lambda: Seat.objects.filter(table=final_table(), position__gt=4).delete(),
        "Final, Table 1 has 4 seats: the rules know no such table.",
    ),
    "never closed": (
        lambda: Round.objects.filter(stage="preliminary").update(closed_at=None),
        "Tournament round 1: when it was published and closed does not fit its state.",
    ),
    "other roles": (
        lambda: Deal.objects.filter(sheet=first_sheet(), number=2).update(roles="smmmmm"),
        "Tournament round 1, Table 1, deal 2: This table deals",
    ),
    "no roles": (
        lambda: Deal.objects.filter(sheet=first_sheet(), number=2).update(roles="qmmmmm"),
        "Tournament round 1, Table 1, deal 2: what is stored is no deal.",
    ),
    "a role less": (
        lambda: Deal.objects.filter(sheet=first_sheet(), number=2).update(
            roles="smmmx", connector=None
        ),
        "Tournament round 1, Table 1, deal 2 is of a table of another size.",
    ),
    "a deal less": (
        lambda: Deal.objects.filter(sheet=first_sheet(), number=2).delete(),
        "Tournament round 1, Table 1 was handed in, but a deal is missing.",
    ),
    "a deal more": (
        lambda: Deal.objects.create(sheet=first_sheet(), number=4, roles="smsmmx"),
        "Tournament round 1, Table 1 has more deals than its round.",
    ),
    "confirmed by nobody": (
        lambda: Scoresheet.objects.filter(pk=first_sheet().pk).update(confirmed_by=""),
        "Table 1: who handed the sheet in and confirmed it does not fit its state.",
    ),
    "confirmed alone": (confirm_alone, "Table 1 was confirmed by whoever handed it in."),
    "open under the cut": (open_a_sheet, "Table 1 is not confirmed, but the cut is made."),
    "a loss of no deal": (
        lambda: Penalty.objects.update(step=3, stage="preliminary", round_number=7, deal_number=1),
        "costs a deal that there is not.",
    ),
    "disqualified by nobody": (
        lambda: Player.objects.filter(pk=outsider().pk).update(status="disqualified"),
        "is disqualified, but no penalty says so.",
    ),
    "a penalty of a stranger": (
        lambda: Penalty.objects.update(player=stranger()),
        "who is nobody of this event.",
    ),
    "another record": (
        change_the_record,
        "on rank 1 with 9 points, 1 stars, where the sheets come to",
    ),
    "a shorter record": (
        lambda: Cut.objects.update(standings=Cut.objects.get().standings[:-1]),
        "The record of the cut has 11 players, and the sheets 12.",
    ),
    "a deal turned round": (shuffle_a_deal, "The record of the cut says"),
    "passed over": (
        lambda: Qualifier.objects.filter(place=1).delete(),
        "was passed over in the seats: Final.",
    ),
    "too many seats": (
        lambda: Qualifier.objects.update(status="in"),
        "7 hold one of 6 seats: Final.",
    ),
    "a seat without a place": (
        lambda: Qualifier.objects.filter(place=1).update(player=stranger()),
        "has a seat without a place in the cut: Final.",
    ),
    "another in the final": (swap_the_final, ": Final."),
    "another secret": (
        lambda: Lot.objects.update(secret="ab" * 32),
        "The secret of lot 1 (cut) is not the one that was promised.",
    ),
    "another order": (swap_the_lot, "The order of lot 1 (cut) does not follow from its secret."),
    "a shorter lot": (short_lot, "does not name everybody who was level, each once."),
    "a sheet the log does not know": (
        log_gone("sheet.confirmed"),
        "Tournament round 1, Table 1 is “Confirmed”, which the log does not tell.",
    ),
    "a deal the log does not know": (
        log_gone("deal.entered"),
        "Tournament round 1, Table 1, deal 1 is not as the log tells it.",
    ),
    "a deal that is gone": (
        lambda: Deal.objects.filter(sheet__table=final_table()).delete(),
        "Final, Table 1, deal 1 is gone, but the log tells of it.",
    ),
    "a round the log does not know": (
        log_gone("round.closed"),
        "Tournament round 1 is “Closed”, which the log does not tell.",
    ),
    "another penalty": (lambda: Penalty.objects.update(infraction="1.2"), "A penalty of 1 Player"),
    "a penalty that is gone": (
        lambda: Penalty.objects.all().delete(),
        "A penalty is gone, but the log tells of it.",
    ),
    "a cut the log does not know": (log_gone("cut.made"), "The cut is not as the log tells it."),
    "a seat declined without the log": (
        log_gone("seat.declined"),
        "declined the seat is not as the log tells it.",
    ),
    "a lot the log does not know": (
        log_gone("lot.drawn"),
        "A lot (cut) is not as the log tells it.",
    ),
    "finished without the log": (
        lambda: Event.objects.update(status="finished"),
        "Final, Table 1 is not confirmed, but the event is finished.",
    ),
    "dropped without the log": (
        lambda: Player.objects.filter(pk=outsider().pk).update(status="dropped"),
        "has dropped out, which the log does not tell.",
    ),
}


@pytest.mark.parametrize("name", CUT_TAMPERINGS)
def test_tampering_below_the_actions_is_named(name: str) -> None:
    event = cut_event()
    assert first_difference(event) is None
    tamper, words = CUT_TAMPERINGS[name]
    tamper()
    found = first_difference(Event.objects.get(pk=event.pk))
    assert found is not None
    assert words in found


def test_the_order_of_a_lot_for_a_place_follows_from_its_secret() -> None:
    event = make_event(rounds_planned=1, cut_size=0)
    make_players(event, 6)
    level_round(event)
    event.refresh_from_db()
    cuts.settle_place(event=event, rank=1, by=organiser(event))
    assert first_difference(event) is None
    swap_the_lot()
    found = first_difference(event)
    assert found == "The order of lot 1 (place:1) does not follow from its secret."


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (
            lambda: Scoresheet.objects.filter(pk=first_sheet().pk).update(
                status="submitted", confirmed_by="", confirmed_at=None
            ),
            "Tournament round 1, Table 1 is not confirmed, but its round is closed.",
        ),
        (
            lambda: Round.objects.filter(number=2).update(status="drawn", published_at=None),
            "Tournament round 2, Table 1 has deals, but its round is a draft.",
        ),
        (
            lambda: Deal.objects.filter(sheet__table__round__number=2, number=1).update(
                void=True, reason="x"
            ),
            "Tournament round 2, Table 1, deal 1 is not as the log tells it.",
        ),
        (
            lambda: Event.objects.update(second_person=True, cut_size=5),
            None,
        ),
    ],
)
def test_tampering_with_a_running_event_is_named(
    tamper: Callable[[], object], words: str | None
) -> None:
    event = running_event()
    assert first_difference(event) is None
    tamper()
    assert first_difference(Event.objects.get(pk=event.pk)) == words


def test_a_disqualification_needs_its_inquiry_and_its_effect() -> None:
    event = running_event()
    player = event.players.get(number=2)
    give_penalty(
        player=player,
        infraction="3.0",
        step=4,
        reason="cheated",
        by=organiser(event),
        deal=DealRef("preliminary", 1, 1),
        inquiry=INQUIRY,
    )
    assert first_difference(event) is None
    Player.objects.filter(pk=player.pk).update(status="checked_in")
    assert "was disqualified, but is in the event." in str(first_difference(event))
    Penalty.objects.get().inquiry.delete()
    assert "has no inquiry." in str(first_difference(event))


def test_seats_that_were_changed_by_hand_are_those_of_the_log_and_their_old_paper_is_known() -> (
    None
):
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event, published=False)
    note_printed(round_, ())
    Table.objects.update(printed_at=timezone.now() - timedelta(minutes=1))
    one, other = (table.seats.get(position=1).player for table in tables_of(round_))
    drafts.swap_seats(round_=round_, first=one, second=other, by=organiser(event))
    assert first_difference(event) is None
    changed = Table.objects.get(number=1)
    Table.objects.update(changed_at=None)
    assert first_difference(event) == (
        "Tournament round 1, Table 1 got other people after its sheet was printed, and is not "
        "marked."
    )
    Table.objects.filter(pk=changed.pk).update(changed_at=changed.changed_at)
    Table.objects.filter(number=2).update(changed_at=changed.changed_at)
    absences.sheets_replaced(round_=round_, tables=[1, 2], by=organiser(event))
    assert first_difference(event) is None
    seats = list(Seat.objects.filter(table=changed).order_by("position")[:2])
    first, second = (seat.player_id for seat in seats)
    Seat.objects.filter(pk=seats[0].pk).delete()
    Seat.objects.filter(pk=seats[1].pk).update(player=first)
    Seat.objects.create(table=changed, round=round_, position=1, player_id=second)
    found = first_difference(event)
    assert found == "Tournament round 1, Table 1 seats others than the log tells."


@pytest.mark.parametrize("harm", ["gone", "cut off", "empty"])
def test_a_photo_that_is_not_whole_is_named(harm: str) -> None:
    event = running_event()
    attach_photo(sheet=first_sheet(), photo=PHOTO, by=organiser(event))
    assert first_difference(event) is None
    photo = SheetPhoto.objects.get()
    path = photo.image.path
    if harm == "gone":
        Path(path).unlink()
    else:
        Path(path).write_bytes(b"" if harm == "empty" else Path(path).read_bytes()[:-9])
    found = first_difference(event)
    assert found == "Tournament round 1, Table 1: the file of a photo is missing or damaged."


# --- where it is said ------------------------------------------------------------------------


def test_the_command_counts_what_it_saw_or_names_the_difference() -> None:
    event = running_event()
    out = io.StringIO()
    call_command("check_event", event.slug, stdout=out)
    assert (
        f"{event.slug}: all right: 2 rounds, 4 tables, 10 deals, 0 penalties, 0 lots"
        in out.getvalue()
    )
    Round.objects.filter(number=1).update(closed_at=None)
    with pytest.raises(CommandError):
        call_command("check_event", stdout=out)
    assert f"{event.slug}: Tournament round 1: when it was published" in out.getvalue()
    with pytest.raises(CommandError, match="no event nothing"):
        call_command("check_event", "nothing", stdout=out)


def test_a_difference_is_told_in_the_language_of_whoever_reads() -> None:
    event = running_event()
    Round.objects.filter(number=1).update(closed_at=None)
    said = set()
    for language in ("en", "es"):
        with translation.override(language):
            said.add(last_check(event, now=True).difference)
    assert len(said) == 2


def test_who_acts_by_a_command_and_who_judges_leave_all_right() -> None:
    event = running_event()
    judge = Actor.of_user(make_judge(event))
    table = tables_of(event.rounds.get(number=2))[1]
    sheet = Scoresheet.objects.get(table=table)
    scoresheets.submit_sheet(sheet=sheet, by=judge, short_reason="time is over")
    assert first_difference(event) is None


def test_desk_cut_and_end_say_what_does_not_fit_and_stop_nothing() -> None:
    event = level_event()
    client = Client()
    client.force_login(organiser_of(event))
    desk, finish = (reverse(name, args=[event.slug]) for name in ("event_desk", "finish"))
    page = flat(client.get(desk))
    assert ": all right." in page
    assert "does not fit together" not in page
    Round.objects.update(closed_at=None)
    EventVersion.objects.update(version=999)
    words = "when it was published and closed does not fit its state."
    page = flat(client.get(desk))
    assert page.count(words) == 2, "above everything, and where the cut is made"
    assert ": a difference, see above." in page
    assert words in flat(client.get(finish))
    answer = client.post(reverse("cut_make", args=[event.slug]))
    assert answer.status_code == 302


def test_one_of_a_kind_is_said_as_one() -> None:
    assert counted_words(1, "penalty", "penalties") == "1 penalty"
    assert [counted_words(count, "row") for count in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]
