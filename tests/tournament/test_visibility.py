"""What everybody sees of the standings, and when: one setting, obeyed wherever they are shown."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from scoring.tallies import player_deals
from tests.factories import (
    make_event,
    make_judge,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play,
    play_round,
    type_in,
)
from tests.pages import flat
from tests.tournament.test_cut import level_event
from tests.tournament.test_tickets import told
from tournament import rulebook
from tournament.actions import cuts, events, finals, penalties, reveals, rounds, scoresheets
from tournament.documents.kinds.standings import PaperStandings
from tournament.documents.request import DocumentRequest
from tournament.models import Event, LogEntry, Player, Reveal, Round
from tournament.models.actors import Actor
from tournament.queries import kept
from tournament.queries.cuts import current_cut, line_of
from tournament.queries.fairness import fairness_of
from tournament.queries.log import log_of, log_rows
from tournament.queries.rules import displayed_rules, rules_in_force, visibility_words
from tournament.queries.standings import Row, StandingsTable, standings_for
from tournament.queries.visibility import (
    PublicStandings,
    Withheld,
    public_standings,
    reveal_page,
    shown_through,
    wholly_shown,
)
from tournament.refusals import Refused
from tournament.simulation import tables_of
from tournament.web.live import pages

pytestmark = pytest.mark.django_db

type Line = tuple[int, int, int]  # start number, rank, points


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Any) -> None:
    settings.PRINTS_DIR = tmp_path


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def put(event: Event, shown: str, hidden_from: int = 1) -> Event:
    """Set it without an action, as if it had always been so."""
    Event.objects.filter(pk=event.pk).update(standings_shown=shown, hidden_from_round=hidden_from)
    forget()
    return fresh(event)


def forget() -> None:
    for one in caches.all():
        one.clear()
    kept.forget()
    pages.forget()


def lines(rows: tuple[Row, ...]) -> list[Line]:
    return [(row.number, row.rank, row.points) for row in rows]


def order(board: StandingsTable) -> list[Line]:
    return lines((*board.final, *board.rows))


# --- What a browser gets ---------------------------------------------------------------------

ROW = re.compile(
    r'id="(?:player|final)-(\d+)"[^>]*>.*?class="rank">(\d+)<.*?<strong>(\d+)</strong>', re.DOTALL
)


def on_page(event: Event, client: Client | None = None) -> list[Line]:
    page = (client or Client()).get(reverse("standings", args=[event.slug])).content.decode()
    return [(int(number), int(rank), int(points)) for number, rank, points in ROW.findall(page)]


def on_print(event: Event) -> list[Line]:
    whole = public_standings(event).all_shown
    request = DocumentRequest(event, "standings", languages=("en",), public=not whole)
    return order(PaperStandings().facts(request).boards[0])


def on_ticket(player: Player) -> Line | None:
    """The figures above the player's own deals."""
    page = Client().get(reverse("ticket", args=[player.token])).content.decode()
    figures = page.partition('class="figures"')[2].partition("</section>")[0]
    numbers = re.findall(r"<b>(\d+)</b>", figures)
    return (player.number, int(numbers[0]), int(numbers[1])) if numbers else None


def champion_on_event_page(event: Event) -> bool:
    return 'class="podium"' in Client().get(reverse("event", args=[event.slug])).content.decode()


def surfaces(event: Event, holders: set[int]) -> dict[str, list[Line]]:
    """Every place where a rank can stand, but for the podium; the tickets of these people."""
    tickets = [on_ticket(one) for one in event.players.filter(number__in=holders)]
    return {
        "page": sorted(on_page(event)),
        "print": sorted(on_print(event)),
        "ticket": sorted(line for line in tickets if line),
    }


# --- A day -----------------------------------------------------------------------------------


def a_day() -> Iterator[tuple[str, Event]]:
    """Two rounds and a final of twelve people, at every moment that matters."""
    event = make_event(rounds_planned=2)
    make_players(event, 12)
    by = organiser(event)
    yield "before", event
    for number in (1, 2):
        round_ = make_round(event, number)
        first, last = tables_of(round_)
        type_in(first, seed=number * 10)
        yield f"round {number} is played", event
        type_in(last, seed=number * 10 + 1)
        rounds.close_round(round_=round_, by=by)
        yield f"round {number} is closed", event
    cut = cuts.make_cut(event=fresh(event), by=by)
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    yield "cut", event
    final = finals.draw_final(cut=current_cut(event), by=by, seed=1)
    rounds.publish_round(round_=final, by=by)
    play(tables_of(final)[0])
    yield "the final is played", event
    rounds.close_round(round_=final, by=by)
    yield "the final is closed", event
    events.finish_event(event=fresh(event), by=by)
    yield "finished", event


NOTHING, ROUND, REST = Withheld.NOTHING, Withheld.ROUND, Withheld.REST
# The setting -> what is withheld at each moment, and through which round everybody sees.
EXPECTED: dict[tuple[str, int], list[tuple[Withheld, int | None]]] = {
    ("live", 1): [(NOTHING, None)] * 8,
    ("round", 1): [
        (NOTHING, None),
        (ROUND, 0),
        (NOTHING, None),
        (ROUND, 1),
        (NOTHING, None),
        (NOTHING, None),
        (ROUND, 2),
        (NOTHING, None),
        (NOTHING, None),
    ],
    ("hidden", 1): [(NOTHING, None), *[(REST, 0)] * 8],
    ("hidden", 2): [*[(NOTHING, None)] * 3, *[(REST, 1)] * 6],
    ("hidden", 3): [*[(NOTHING, None)] * 6, *[(REST, 2)] * 3],
}


@pytest.mark.once
def test_a_rank_that_is_hidden_stands_nowhere() -> None:
    """Every setting at every moment: page, print, tickets and the podium show what was public at
    the end of the last round that may be seen, and nothing else. Tickets: of those at the edges,
    the best and the last, and on both sides of the line of the final."""
    closed: dict[int, list[Line]] = {0: []}
    for place, (moment, event) in enumerate(a_day()):
        put(event, "live")
        whole = [number for number, _rank, _points in order(standings_for(fresh(event)))]
        holders = {whole[0], whole[5], whole[6], whole[-1]} if whole else {1, 12}
        if moment.endswith("closed") and "round" in moment:
            closed[len(closed)] = order(standings_for(fresh(event)))
        for (shown, hidden_from), moments in EXPECTED.items():
            now = put(event, shown, hidden_from)
            public = public_standings(now)
            expected = (*moments, moments[-1])[place]
            assert (public.withheld, public.through) == expected, (moment, shown, hidden_from)
            board = public.board
            if public.through is not None:
                assert sorted(order(board)) == sorted(closed[public.through]), (moment, shown)
            found = surfaces(now, holders)
            everybody = sorted(order(board))
            where = (moment, shown, hidden_from)
            if board.begun:
                rows = (*board.final, *board.rows)
                played = {row.number for row in rows if row.deals}
                assert found["page"] == found["print"] == everybody, where
                tickets = [line for line in everybody if line[0] in played & holders]
                assert found["ticket"] == tickets, where
            else:
                assert found["ticket"] == found["page"] == [], where
            over = moment == "finished" and public.all_shown
            assert champion_on_event_page(now) == over, (moment, shown)
            assert bool(fairness_of(now).paid) == board.begun, (moment, shown)


def test_the_finalists_are_named_while_their_final_is_withheld() -> None:
    day = a_day()
    event = next(event for moment, event in day if moment == "the final is played")
    whole = standings_for(fresh(event))
    public = public_standings(put(event, "round"))
    assert {row.number for row in public.board.final} == {row.number for row in whole.final}
    assert not public.board.final_begun
    assert all(row.points == row.preliminary_points for row in public.board.final)
    assert public.told == "As of the end of the preliminaries. The final is shown once it is over."
    page = flat(Client().get(reverse("standings", args=[event.slug])))
    assert public.told in page
    assert "Nothing is played in it yet" not in page


# --- As of the end of a round ------------------------------------------------------------------


def rows_of(board: StandingsTable) -> list[tuple[Any, ...]]:
    return [
        (row.rank, row.number, row.points, row.stars, row.deals, row.state) for row in board.rows
    ]


def test_the_standings_as_of_a_round_are_those_that_stood_then() -> None:
    event = make_event(rounds_planned=3)
    make_players(event, 18)
    stood = []
    for number in (1, 2, 3):
        play_round(event, number)
        stood.append(standings_for(fresh(event)))
    for number, before in enumerate(stood, 1):
        again = standings_for(fresh(event), through=number)
        assert rows_of(again) == rows_of(before)
        facts = ("level", "free", "rounds_counted", "sheets_waiting", "most_deals", "cut_made")
        assert [getattr(again, name) for name in facts] == [getattr(before, name) for name in facts]
    assert not standings_for(fresh(event), through=0).begun


def test_a_cut_and_its_lot_belong_to_the_end_of_the_preliminaries() -> None:
    event = make_event(rounds_planned=2)
    make_players(event, 12)
    play_round(event, 1)
    play_round(event, 2)
    cut = cuts.make_cut(event=fresh(event), by=organiser(event))
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=organiser(event))
    made = [standings_for(fresh(event), through=number).cut_made for number in (1, 2)]
    assert made == [False, True]


def test_a_correction_of_a_round_that_is_shown_shows_at_once() -> None:
    event = put(make_event(rounds_planned=2), "round")
    make_players(event, 12)
    first = play_round(event, 1)
    table = tables_of(make_round(event, 2))[0]
    type_in(table)
    best = public_standings(fresh(event)).board.rows[0]
    sheet = tables_of(first)[0].sheet
    scoresheets.reopen_sheet(sheet=sheet, reason="A typing error", by=organiser(event))
    public = public_standings(fresh(event))
    assert (public.through, public.board.sheets_waiting) == (1, 1)
    scoresheets.submit_sheet(sheet=sheet, by=organiser(event))
    sheet.refresh_from_db()
    by = Actor.of_user(make_judge(event))
    scoresheets.confirm_sheet(sheet=sheet, version=sheet.version, by=by)
    player = event.players.get(number=best.number)
    deal = next(number for number in (1, 2, 3) if _points(event, first, player, number))
    lost = _points(event, first, player, deal)
    penalties.give_penalty(
        player=player,
        infraction="2.2",
        step=3,
        reason="late",
        by=organiser(event),
        deal=penalties.DealRef("preliminary", first.number, deal),
    )
    after = public_standings(fresh(event))
    assert after.through == 1
    row = after.row_of(best.number)
    assert row is not None
    assert row.points == best.points - lost


def _points(event: Event, round_: Round, player: Player, deal: int) -> int:
    found = player_deals(
        rulebook.deals_file(event, [player], list(event.rounds.in_order_of_play())),
        rulebook.player_id(player.number),
    )
    return next(one.points for one in found if one.round == round_.number and one.deal == deal)


# --- Revealing -------------------------------------------------------------------------------


def hidden_event(players: int = 12) -> Event:
    """A club night of two rounds, both closed, the second one hidden."""
    event = make_event(rounds_planned=2, cut_size=0)
    make_players(event, players)
    for number in (1, 2):
        play_round(event, number)
    return put(event, "hidden", 2)


def all_lines(event: Event) -> list[Line]:
    return order(standings_for(event))


def test_ranks_are_revealed_from_the_last_one_up() -> None:
    event = hidden_event()
    by, whole = organiser(event), all_lines(event)
    seen = []
    while not public_standings(fresh(event)).all_shown:
        page = reveal_page(fresh(event))
        reveals.reveal_ranks(event=event, down_to=page.next_rank, by=by)
        public = public_standings(fresh(event))
        expected = [line for line in whole if line[1] >= page.next_rank]
        assert order(public.board) == expected
        # Whose rank was just revealed, whose comes next, the best and the last one.
        turn = {number for number, rank, _ in whole if page.next_rank - 2 <= rank <= page.next_rank}
        holders = turn | {whole[0][0], whole[-1][0]}
        assert surfaces(fresh(event), holders) == {
            "page": sorted(expected),
            "print": sorted(expected),
            "ticket": sorted(line for line in expected if line[0] in holders),
        }
        assert public.hidden_ranks in (0, page.next_rank - 1)
        seen.append(page.next_rank)
    assert seen == sorted({rank for _number, rank, _points in whole}, reverse=True)
    assert order(public_standings(fresh(event)).board) == whole


def test_those_who_share_a_rank_are_revealed_together() -> None:
    event = put(level_event(), "hidden")
    page = reveal_page(event)
    assert (page.next_rank, len(page.next)) == (1, 12)
    assert reveals.reveal_ranks(event=event, down_to=1, by=organiser(event)) == 12


def test_several_ranks_or_all_can_be_revealed_and_each_press_taken_back() -> None:
    event = hidden_event(18)
    by = organiser(event)
    behind = [line for line in all_lines(event) if line[1] >= 10]
    assert reveals.reveal_ranks(event=event, down_to=10, by=by) == len(behind)
    assert reveals.reveal_ranks(event=event, down_to=10, by=by) == 0, "pressed twice, counts once"
    reveals.reveal_ranks(event=event, down_to=1, by=by)
    seen = [public_standings(fresh(event)).withheld]
    for _press in range(2):
        reveals.take_reveal_back(event=event, by=by)
        seen.append(public_standings(fresh(event)).withheld)
    assert seen == [Withheld.NOTHING, Withheld.RANKS, Withheld.REST]
    with pytest.raises(Refused, match="Nothing is revealed"):
        reveals.take_reveal_back(event=event, by=by)
    assert Reveal.objects.filter(event=event, withdrawn_at__isnull=False).count() == 2


def test_what_cannot_be_revealed_is_refused() -> None:
    event = hidden_event()
    by = organiser(event)
    with pytest.raises(Refused, match="Nobody has rank 40"):
        reveals.reveal_ranks(event=event, down_to=40, by=by)
    reveals.reveal_ranks(event=event, down_to=5, by=by)
    with pytest.raises(Refused, match="revealed already"):
        reveals.reveal_ranks(event=event, down_to=9, by=by)
    reveals.reveal_ranks(event=event, down_to=1, by=by)
    with pytest.raises(Refused, match="Nothing is hidden"):
        reveals.reveal_ranks(event=event, down_to=2, by=by)
    for shown in ("live", "round"):
        with pytest.raises(Refused, match="Nothing is hidden"):
            reveals.reveal_ranks(event=put(event, shown), down_to=2, by=by)


def test_a_correction_moves_people_over_the_line_of_what_is_revealed() -> None:
    """The ranks are what is revealed, and they are shown as they stand now."""
    event = hidden_event()
    by = organiser(event)
    reveals.reveal_ranks(event=event, down_to=7, by=by)
    best = standings_for(fresh(event)).rows[0]
    assert public_standings(fresh(event)).row_of(best.number) is None
    note = penalties.InquiryNote(heard="Everybody", finding="So it was", decided_by="Eva")
    penalties.give_penalty(
        player=event.players.get(number=best.number),
        infraction="3.0",
        step=4,
        reason="cheating",
        by=by,
        inquiry=note,
        deal=penalties.DealRef("preliminary", 2, 3),
    )
    public, whole = public_standings(fresh(event)), standings_for(fresh(event))
    assert order(public.board) == [line for line in order(whole) if line[1] >= 7]
    assert best.number in {row.number for row in public.board.out}


def test_another_setting_hides_what_was_revealed() -> None:
    event = hidden_event()
    by = organiser(event)
    reveals.reveal_ranks(event=event, down_to=1, by=by)
    events.change_settings(event=event, settings={"hidden_from_round": 1}, by=by)
    assert public_standings(fresh(event)).nothing_shown
    assert on_page(fresh(event)) == []


def test_the_log_says_what_was_revealed() -> None:
    event = hidden_event()
    by = organiser(event)
    reveals.reveal_ranks(event=event, down_to=7, by=by)
    reveals.reveal_ranks(event=event, down_to=1, by=by)
    reveals.take_reveal_back(event=event, by=by)
    rows = log_rows(log_of(event, "final"))
    assert [(row.what, row.details) for row in rows] == [
        ("Ranks hidden again", ["All ranks"]),
        ("Ranks revealed", ["All ranks"]),
        ("Ranks revealed", ["Rank 7 and all behind it"]),
    ]


# --- Tickets ---------------------------------------------------------------------------------


def test_a_ticket_says_nothing_of_a_final_that_is_not_announced() -> None:
    event = make_event(rounds_planned=1)
    make_players(event, 12)
    play_round(event)
    event = put(event, "hidden")
    by = organiser(event)
    cut = cuts.make_cut(event=event, by=by)
    if line_of(cut).level:
        assert {told(player) for player in event.players.all()} == {"cut_hidden"}
        cuts.settle_line(cut=cut, by=by)
    assert {told(player) for player in event.players.all()} == {"cut_hidden"}
    # Rank by rank each learns it; whoever is asked and declines knows it before.
    reveals.reveal_ranks(event=event, down_to=7, by=by)
    shown = {row.number for row in public_standings(fresh(event)).board.rows}
    found = {one.number: told(one) for one in event.players.all()}
    assert {number for number, kind in found.items() if kind == "not_in_final"} <= shown
    assert all(kind == "cut_hidden" for number, kind in found.items() if number not in shown)
    declining = cut.qualifiers.select_related("player").order_by("place")[0]
    cuts.decline_seat(qualifier=declining, reason="", by=by)
    assert told(declining.player) == "declined"
    final = finals.draw_final(cut=current_cut(event), by=by)
    rounds.publish_round(round_=final, by=by)
    seated = set(tables_of(final)[0].seats.values_list("player__number", flat=True))
    for player in event.players.all():
        expected = "seated" if player.number in seated else "not_in_final"
        assert told(player) in (expected, "declined"), "the seats of the final are public"


def test_the_ticket_of_a_finished_event_waits_for_its_rank() -> None:
    event = hidden_event()
    by = organiser(event)
    events.finish_event(event=event, by=by)
    first = event.players.get(number=standings_for(fresh(event)).rows[0].number)
    last = event.players.get(number=standings_for(fresh(event)).rows[-1].number)

    def text(player: Player) -> str:
        assert told(player) == "finished"
        return flat(Client().get(reverse("ticket", args=[player.token])))

    for player in (first, last):
        assert "The ranks are not announced yet" in text(player)
        assert "As of the end of round 1." in text(player)
    reveals.reveal_ranks(event=event, down_to=reveal_page(fresh(event)).next_rank, by=by)
    assert "of 12." in text(last), "counted among all, not among those revealed"
    assert "The ranks are not announced yet" in text(first)
    reveals.reveal_ranks(event=event, down_to=1, by=by)
    assert "The ranks are not announced yet" not in text(first)


def test_own_deals_and_the_own_table_stay_visible() -> None:
    event = make_event(rounds_planned=1)
    make_players(event, 6)
    table = tables_of(make_round(event))[0]
    play(table)
    put(event, "hidden")
    ticket = flat(Client().get(reverse("ticket", args=[event.players.get(number=1).token])))
    assert "My deals" in ticket
    sheet = flat(Client().get(reverse("table_link:sheet", args=[table.token])))
    assert "This sheet is confirmed." in sheet


# --- Who may see everything ------------------------------------------------------------------


def signed_in(event: Event, *, judge: bool = False) -> Client:
    client = Client()
    client.force_login(make_judge(event) if judge else organiser_of(event))
    return client


def test_the_staff_see_everything_on_a_page_of_their_own() -> None:
    event = hidden_event()
    whole = all_lines(event)
    for client in (signed_in(event), signed_in(event, judge=True)):
        public = client.get(reverse("standings", args=[event.slug]))
        assert "You see what everybody sees." in flat(public)
        assert on_page(event, client) == order(public_standings(event).board)
        page = client.get(reverse("desk_standings", args=[event.slug])).content.decode()
        found = [tuple(map(int, line)) for line in ROW.findall(page)]
        assert found == whole
        assert "Only the staff sees this page" in page
    assert "You see what everybody sees." not in flat(
        Client().get(reverse("standings", args=[event.slug]))
    )


def test_no_copy_kept_for_the_staff_reaches_anybody_else() -> None:
    event = hidden_event()
    address, staff = reverse("standings", args=[event.slug]), signed_in(event)
    own, part = (
        reverse("desk_standings", args=[event.slug]),
        reverse("live_part", args=[event.slug, "standings", "en"]),
    )
    for first, second in ((staff, Client()), (Client(), staff)):
        forget()
        first.get(own), first.get(address), first.get(part)
        for client in (first, second):
            rows = order(public_standings(event).board)
            assert on_page(event, client) == rows
            shown = gzip.decompress(client.get(part).content).decode()
            assert [tuple(map(int, line)) for line in ROW.findall(shown)] == rows
            assert own not in shown
    board = staff.get(own, headers={"HX-Request": "true"}).content.decode()
    assert f'hx-get="{own}?page=1"' in board, "the staff's table asks for itself again"


def test_a_page_that_follows_hears_of_every_change() -> None:
    """The setting, a reveal and taking it back are changes of the event like any other."""
    event = hidden_event()
    by = organiser(event)
    part = reverse("live_part", args=[event.slug, "standings", "en"])
    beat = reverse("pulse", args=[event.slug])
    Client().get(part)
    seen = [Client().get(beat).json()["parts"]["standings"]["en"]]

    def look() -> None:
        seen.append(Client().get(beat).json()["parts"]["standings"]["en"])

    reveals.reveal_ranks(event=event, down_to=7, by=by)
    look()
    reveals.take_reveal_back(event=event, by=by)
    look()
    events.change_settings(event=fresh(event), settings={"standings_shown": "live"}, by=by)
    look()
    assert len(set(seen)) == 4
    pages.forget()
    assert on_page(fresh(event)) == all_lines(fresh(event))


def test_the_desk_reveals_and_offers_to_take_it_back() -> None:
    event = hidden_event()
    client, own = signed_in(event), reverse("desk_standings", args=[event.slug])
    page = flat(client.get(own))
    last = reveal_page(event).next
    assert f"Reveal rank {last[0].rank}" in page
    assert all(row.name in page for row in last)
    done = client.post(
        reverse("reveal", args=[event.slug]), {"down_to": str(last[0].rank)}, follow=True
    )
    assert f'action="{reverse("hide_again", args=[event.slug])}?seen=' in flat(done)
    assert "is revealed" in flat(done) or "are revealed" in flat(done)
    refused = client.post(reverse("reveal", args=[event.slug]), {"down_to": "99"})
    assert refused.status_code == 409
    for nonsense in ("", "x", "0", "-1", "9" * 30):
        assert (
            client.post(reverse("reveal", args=[event.slug]), {"down_to": nonsense}).status_code
            == 409
        )
    client.post(reverse("hide_again", args=[event.slug]))
    assert public_standings(fresh(event)).withheld == Withheld.REST
    judge = flat(signed_in(event, judge=True).get(own))
    assert "Reveal rank" not in judge
    assert "Everybody sees:" in flat(client.get(reverse("event_desk", args=[event.slug])))


def test_finishing_asks_whether_hidden_standings_are_revealed() -> None:
    answers = {}
    for answer in ("", "later", "now"):
        event = hidden_event(6)
        client, address = signed_in(event), reverse("finish", args=[event.slug])
        page = flat(client.get(address))
        version = re.findall(r'name="version" value="(\d+)"', page)[0]
        assert "The standings are hidden from everybody" in page
        sent = client.post(address, {"version": version, "reveal": answer})
        now = fresh(event)
        answers[answer] = (sent.status_code, now.status, public_standings(now).all_shown)
    assert answers == {
        "": (409, "running", False),
        "later": (302, "finished", False),
        "now": (302, "finished", True),
    }


def test_nobody_is_asked_where_nothing_is_hidden() -> None:
    event = put(hidden_event(6), "live")
    page = flat(signed_in(event).get(reverse("finish", args=[event.slug])))
    assert "hidden from everybody" not in page


# --- Prints, lots, rules ---------------------------------------------------------------------


def content_of(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def test_a_print_for_everybody_is_never_the_whole_nor_an_older_one(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    event = hidden_event(6)
    address = reverse("standings_pdf", args=[event.slug])
    staff = signed_in(event)
    whole = staff.get(reverse("document", args=[event.slug, "standings"]), follow=True)
    before = content_of(Client().get(address))
    assert before != content_of(whole)
    assert content_of(Client().get(address)) == before, "kept"
    reveals.reveal_ranks(event=event, down_to=1, by=organiser(event))
    revealed = content_of(Client().get(address))
    assert revealed == content_of(
        staff.get(reverse("document", args=[event.slug, "standings"]), follow=True)
    )
    reveals.take_reveal_back(event=event, by=organiser(event))
    assert content_of(Client().get(address)) == before
    # Nothing is at hand that may be shown, and nothing older is given instead.
    reveals.reveal_ranks(event=event, down_to=5, by=organiser(event))
    settings.JOBS_INLINE = False
    monkeypatch.setattr("tournament.jobs._spawn", lambda pk: None)
    assert Client().get(address).headers["Content-Type"].startswith("text/html")


def test_the_public_print_says_as_of_when_it_is() -> None:
    event = hidden_event()
    facts = PaperStandings().facts(
        DocumentRequest(event, "standings", languages=("en", "es"), public=True)
    )
    assert facts.told[0] == public_standings(event).told
    assert facts.told[1] != facts.told[0]
    staff = PaperStandings().facts(DocumentRequest(event, "standings", languages=("en",)))
    assert (staff.told, order(staff.boards[0])) == (("",), all_lines(event))


def test_a_print_of_the_staff_is_not_called_older_than_what_everybody_sees() -> None:
    event = hidden_event()
    link = PaperStandings().facts(DocumentRequest(event, "standings", languages=("en",))).link
    page = Client().get(link.partition("://")[2].partition("/")[2].join(("/", "")))
    assert page.status_code == 200
    assert "The printed standings are older" not in flat(page)


def test_a_lot_is_shown_with_the_ranks_that_it_decides() -> None:
    event = put(level_event(), "hidden")
    by = organiser(event)
    cut = cuts.make_cut(event=event, by=by)
    cuts.settle_line(cut=cut, by=by)

    def shown() -> bool:
        return "data-player" in Client().get(reverse("rules", args=[event.slug])).content.decode()

    assert not shown()
    put(event, "live")
    assert shown()
    put(event, "round")
    assert shown(), "everything is closed"
    put(event, "hidden")
    reveals.reveal_ranks(event=event, down_to=1, by=by)
    assert shown()


def test_a_lot_waits_until_all_whom_it_names_are_revealed() -> None:
    event = hidden_event()
    reveals.reveal_ranks(event=event, down_to=7, by=organiser(event))
    public, whole = public_standings(fresh(event)), standings_for(fresh(event))
    told, hidden = (f"{row.number:04d}" for row in (whole.rows[-1], whole.rows[0]))
    assert public.shows_lot([told], 12)
    assert not public.shows_lot([told, hidden], None)


def test_the_page_of_fairness_tells_nothing_of_a_hidden_round() -> None:
    event = hidden_event()
    assert shown_through(event) == 1
    assert {one.deals for one in fairness_of(event).paid} == {6}
    assert {one.deals for one in fairness_of(put(event, "live")).paid} == {12}


@pytest.mark.parametrize(
    ("shown", "hidden_from", "words"),
    [
        ("live", 1, "everybody sees them as they are, sheet by sheet"),
        ("round", 1, "shown after each round, and after the final"),
        ("hidden", 1, "hidden until they are revealed"),
        ("hidden", 3, "from round 3 on hidden until they are revealed"),
        ("hidden", 4, "from the final on hidden until they are revealed"),
    ],
)
def test_the_rules_announce_it(shown: str, hidden_from: int, words: str) -> None:
    event = make_event(rounds_planned=3, standings_shown=shown, hidden_from_round=hidden_from)
    assert words in flat(Client().get(reverse("rules", args=[event.slug])))


def test_it_can_change_during_the_day_and_the_rules_follow() -> None:
    event = make_event()
    make_players(event, 6)
    make_round(event)
    by = organiser(event)
    events.change_settings(event=event, settings={"standings_shown": "round"}, by=by)
    assert visibility_words(displayed_rules(fresh(event))) == visibility_words(
        rules_in_force(fresh(event))
    )
    entry = LogEntry.objects.filter(event=event, verb="event.changed").latest("pk")
    assert (entry.before, entry.after) == (
        {"standings_shown": "live"},
        {"standings_shown": "round"},
    )
    older = {
        name: value for name, value in fresh(event).frozen_rules.items() if "shown" not in name
    }
    assert visibility_words(older) == "", "rules frozen before there was a choice"


def test_the_shape_that_others_ask_for() -> None:
    """Explanations, pictures and screens rest on these names."""
    event = hidden_event()
    public = public_standings(event)
    assert isinstance(public, PublicStandings)
    assert (public.through, public.hidden_ranks, public.places) == (1, 0, 12)
    reveals.reveal_ranks(event=event, down_to=7, by=organiser(event))
    public = public_standings(fresh(event))
    assert (public.through, public.places) == (None, 12)
    assert public.hidden_ranks == 6
    assert replace(public, withheld=Withheld.NOTHING).all_shown


def test_why_and_the_pictures_tell_no_rank_that_is_hidden() -> None:
    event = put(hidden_event(), "hidden", 1)
    best = standings_for(event).rows[0]
    player = event.players.get(number=best.number)
    pages_of = {
        "standing": reverse("standing", args=[event.slug, best.number]),
        "pictures": reverse("pictures", args=[event.slug]) + f"?number={best.number}",
        "ticket": reverse("ticket", args=[player.token]),
    }
    for name, address in pages_of.items():
        page = flat(Client().get(address))
        assert not re.search(r"\b[Rr]ank 1\b|Why am I|1st", page), name
        assert 'class="rank"' not in page, name
    assert "hidden" in flat(Client().get(pages_of["standing"]))
    nobody = reverse("standing", args=[event.slug, 999])
    assert Client().get(nobody).status_code == 404
    reveals.reveal_ranks(event=event, down_to=1, by=organiser(event))
    pages.forget()
    assert "Rank 1 of" in flat(Client().get(pages_of["standing"]))


def test_hide_again_pressed_twice_hides_one_press() -> None:
    event = hidden_event(18)
    by, client = organiser(event), signed_in(event)
    reveals.reveal_ranks(event=event, down_to=10, by=by)
    first = Reveal.objects.of(event).get()
    done = client.post(reverse("reveal", args=[event.slug]), {"down_to": "8"}, follow=True)
    second = Reveal.objects.of(event).last_told()
    address = reverse("hide_again", args=[event.slug])
    assert flat(done).count(f'action="{address}?seen={second.pk}"') == 2
    refused = client.post(f"{address}?seen={first.pk}")
    assert refused.status_code == 409
    assert "More is revealed by now" in flat(refused)
    for _press in range(2):
        assert "hidden again" in flat(client.post(f"{address}?seen={second.pk}", follow=True))
    assert Reveal.objects.of(event).get() == first


def test_of_many_events_at_once_it_is_as_of_each_alone() -> None:
    """Seasons ask of all their events which are wholly shown."""
    found = []
    for setting in ("live", "round", "hidden"):
        for closed in (True, False):
            event = make_event(cut_size=0, rounds_planned=2, standings_shown=setting)
            make_players(event, 6)
            play_round(event) if closed else make_round(event)
            found.append(event)
    later = make_event(standings_shown="hidden", hidden_from_round=2)
    make_players(later, 6)
    play_round(later)
    found.append(later)
    for down_to in (1, 2):
        event = make_event(cut_size=0, rounds_planned=1, standings_shown="hidden")
        make_players(event, 12)
        play_round(event)
        reveals.reveal_ranks(event=event, down_to=down_to, by=organiser(event))
        found.append(event)
    alone = {one.pk for one in found if public_standings(one).all_shown}
    assert wholly_shown(found) == alone
    assert 0 < len(alone) < len(found)
