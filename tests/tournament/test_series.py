"""A season: whose events count, by which rules, and what everybody sees of it."""

from __future__ import annotations

import pickle
from datetime import UTC, date, datetime, timedelta
from typing import Any
from unittest import mock

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from tests.factories import make_event, make_judge, make_user, organiser, organiser_of
from tests.pages import flat
from tests.tournament.seasons import (
    FIRST,
    LAST,
    by_of,
    joined,
    make_series,
    make_table,
    number,
    played,
    put_in,
    user_of,
)
from tests.watch import Watch
from tournament.actions import places
from tournament.actions import series as actions
from tournament.actions.events import finish_event, reopen_event, unpublish_event
from tournament.actions.penalties import DealRef, give_penalty
from tournament.actions.players import PlayerEntry, edit_player
from tournament.actions.reveals import reveal_ranks
from tournament.actions.series import SeriesFacts, TableFacts
from tournament.models import (
    Contact,
    Event,
    Freeze,
    LogEntry,
    Merge,
    MergeSide,
    Place,
    Series,
    SeriesEvent,
    SeriesLogEntry,
    SeriesMember,
    SeriesTable,
)
from tournament.models.actors import Actor
from tournament.models.series import MOST_DEEP, Side
from tournament.queries.log import log_of, log_rows
from tournament.queries.seasons import (
    Board,
    SeasonFacts,
    amount,
    compute_board,
    facts_for,
    rows_in_words,
    rule_words,
    season_board,
)
from tournament.queries.series import events_of, penalties_over, public_tree, season_version
from tournament.queries.series_log import series_log, series_log_rows
from tournament.refusals import Refused
from tournament.web.live import pages

pytestmark = pytest.mark.django_db


def board_of(series: Series, table: SeriesTable) -> Board:
    series.refresh_from_db()
    return season_board(series, table, facts_for(series, table, public_tree()))


def page_of(series: Series) -> str:
    return flat(Client().get(reverse("series", args=[series.slug])))


# --- the tree --------------------------------------------------------------------------------


def test_whoever_makes_a_series_organises_it() -> None:
    user = make_user()
    series = make_series(user, name="Liga 2026")
    assert (series.slug, user_of(series)) == ("liga-2026", user)
    assert make_series(name="Liga 2026").slug == "liga-2026-2"
    assert make_series(name="New").slug == "new-2"


def test_nothing_is_part_of_itself() -> None:
    user = make_user()
    season = make_series(user, name="Season")
    country = make_series(user, name="Country", parent=season)
    town = make_series(user, name="Town", parent=country)
    for parent in (season, town):
        with pytest.raises(Refused, match="part of itself"):
            actions.change_series(
                series=season,
                facts=SeriesFacts("Season", FIRST, LAST, "", True, parent),
                by=by_of(season),
            )
    assert [one.name for one in public_tree().above(town)] == ["Season", "Country"]
    assert {one.name for one in public_tree().below(season)} == {"Country", "Town"}


def test_a_series_hangs_only_under_one_that_one_organises() -> None:
    season = make_series()
    with pytest.raises(Refused, match="do not organise"):
        make_series(parent=season)


def test_the_tree_has_a_depth() -> None:
    user, parent = make_user(), None
    for _level in range(MOST_DEEP):
        parent = make_series(user, parent=parent)
    with pytest.raises(Refused, match=f"At most {MOST_DEEP}"):
        make_series(user, parent=parent)
    top = public_tree().above(parent)[0]  # type: ignore[arg-type]
    other = make_series(user)
    with pytest.raises(Refused, match=f"At most {MOST_DEEP}"):
        actions.change_series(
            series=top, facts=SeriesFacts("Top", FIRST, LAST, "", True, other), by=by_of(top)
        )


def test_a_series_that_is_not_shown_is_its_staffs_alone() -> None:
    series = make_series(public=False, name="Secret league")
    assert Client().get(reverse("series", args=[series.slug])).status_code == 404
    assert "Secret league" not in flat(Client().get(reverse("series_list")))
    client = Client()
    client.force_login(user_of(series))
    assert "Only the staff" in flat(client.get(reverse("series", args=[series.slug])))


def test_the_list_shows_the_tree() -> None:
    user = make_user()
    season = make_series(user, name="Season")
    make_series(user, name="Country", parent=season)
    page = flat(Client().get(reverse("series_list")))
    assert page.index("Season") < page.index("Country")
    assert "Country" in page_of(season)


# --- staff -----------------------------------------------------------------------------------


def test_an_invitation_gives_a_duty_once(django_capture_on_commit_callbacks: Any) -> None:
    series, judge = make_series(), make_user()
    with django_capture_on_commit_callbacks(execute=True):
        invitation = actions.invite(
            series=series, email="New@Example.org", duty="judge", by=by_of(series)
        )
    assert reverse("series_invitation", args=[invitation.token]) in mail.outbox[0].body
    actions.accept_invitation(invitation=invitation, user=judge, by=Actor.of_user(judge))
    assert series.staff.get(user=judge).duty == "judge"
    with pytest.raises(Refused, match="used or taken back"):
        actions.accept_invitation(invitation=invitation, user=judge, by=Actor.of_user(judge))


def test_a_series_keeps_an_organiser() -> None:
    series = make_series()
    with pytest.raises(Refused, match="at least one organiser"):
        actions.remove_member(member=series.staff.get(), by=by_of(series))
    by, first = by_of(series), series.staff.get()
    SeriesMember.objects.create(series=series, user=make_user(), duty="organiser")
    actions.remove_member(member=first, by=by)
    assert series.staff.count() == 1


# --- events ----------------------------------------------------------------------------------


def test_who_organises_both_puts_an_event_in_at_once() -> None:
    user = make_user()
    series, event = make_series(user), make_event(organiser=user)
    entry = actions.enter_event(
        series=series, event=event, side=Side.SERIES, weight=150, by=Actor.of_user(user)
    )
    assert (entry.accepted_at is not None, entry.weight) == (True, 150)


@pytest.mark.parametrize(("asks", "answers"), [("series", "event"), ("event", "series")])
def test_else_the_other_side_has_to_say_yes(asks: str, answers: str) -> None:
    series, event = make_series(), make_event()
    by = {"series": by_of(series), "event": organiser(event)}
    entry = actions.enter_event(
        series=series, event=event, side=Side(asks), weight=100, by=by[asks]
    )
    assert events_of(series) == ()
    with pytest.raises(Refused, match="other side"):
        actions.accept_event(entry=entry, side=Side(asks), by=by[asks])
    with pytest.raises(Refused, match="asked for already"):
        actions.enter_event(series=series, event=event, side=Side(asks), weight=100, by=by[asks])
    actions.accept_event(entry=entry, side=Side(answers), by=by[answers])
    assert [one.event for one in events_of(series)] == [event]
    with pytest.raises(Refused, match="in this series already"):
        actions.enter_event(series=series, event=event, side=Side(asks), weight=100, by=by[asks])


@pytest.mark.parametrize("asks", ["series", "event"])
def test_the_side_that_has_to_answer_is_told_by_mail(
    asks: str, django_capture_on_commit_callbacks: Any
) -> None:
    series, event = make_series(name="Liga"), make_event(name="Cup")
    by = by_of(series) if asks == "series" else organiser(event)
    with django_capture_on_commit_callbacks(execute=True):
        actions.enter_event(series=series, event=event, side=Side(asks), weight=100, by=by)
    (sent,) = mail.outbox
    told = organiser_of(event) if asks == "series" else user_of(series)
    assert (sent.to, sent.subject) == ([told.email], "Cup in Liga?")
    page = ("event_series", event) if asks == "series" else ("series_desk", series)
    assert reverse(page[0], args=[page[1].slug]) in sent.body


def test_who_asks_again_and_again_fills_no_mailbox(
    django_capture_on_commit_callbacks: Any, watch: Watch
) -> None:
    series, event = make_series(), make_event()
    by = by_of(series)
    told = []
    for hours in (0, 1, 30):
        watch.now += timedelta(hours=hours)
        with django_capture_on_commit_callbacks(execute=True):
            entry = actions.enter_event(
                series=series, event=event, side=Side.SERIES, weight=100, by=by
            )
            actions.take_out(entry=entry, side=Side.SERIES, reason="", by=by)
        told.append(len(mail.outbox))
    assert told == [1, 1, 2]


def test_both_asking_each_other_is_a_yes() -> None:
    series, event = make_series(), make_event()
    for side, by in ((Side.SERIES, by_of(series)), (Side.EVENT, organiser(event))):
        actions.enter_event(series=series, event=event, side=side, weight=200, by=by)
    entry = SeriesEvent.objects.get()
    assert (entry.accepted_at is not None, entry.weight) == (True, 200)


@pytest.mark.parametrize(("side", "weight"), [(Side.SERIES, 250), (Side.EVENT, 150)])
def test_the_weight_is_what_the_series_said_whoever_asked_first(side: Side, weight: int) -> None:
    series, event = make_series(), played()
    of_series = {"side": Side.SERIES, "weight": weight, "by": by_of(series)}
    of_event = {"side": Side.EVENT, "weight": 100, "by": organiser(event)}
    asks, answers = (of_event, of_series) if side == Side.SERIES else (of_series, of_event)
    actions.enter_event(series=series, event=event, **asks)  # type: ignore[arg-type]
    actions.enter_event(series=series, event=event, **answers)  # type: ignore[arg-type]
    assert series.entries.entered().get().weight == weight


def test_an_event_finished_before_is_frozen_when_it_comes_in() -> None:
    series, event = make_series(), played()
    Freeze.objects.all().delete()
    put_in(series, event)
    assert event.freezes.in_force().get().field == 6


def test_a_draft_is_listed_nowhere() -> None:
    series, event = make_series(), make_event(name="Not yet told")
    put_in(series, event)
    assert "Not yet told" in page_of(series)
    unpublish_event(event=event, by=organiser(event))
    assert "Not yet told" not in page_of(series)
    assert events_of(series) == ()


def test_events_to_come_lead_to_registration_and_past_ones_name_the_winner() -> None:
    series = make_series()
    coming, over = make_event(name="Spring cup"), played(name="Winter cup")
    put_in(series, coming, 150)
    put_in(series, over)
    page = page_of(series)
    assert page.index("To come") < page.index("Spring cup") < page.index("Played")
    assert "counts 1.5 times" in page
    assert "Register" in page
    winner = over.freezes.get().results.filter(won=True).first()
    assert winner is not None
    assert winner.name in page[page.index("Winter cup") :]


def test_of_many_that_were_played_the_latest_stand_first(monkeypatch) -> None:
    monkeypatch.setattr("tournament.web.public.series.LATEST", 2)
    series = make_series()
    names = ("Spring cup", "Summer cup", "Winter cup")
    for name in names:
        put_in(series, played(name=name))
    page = page_of(series)
    assert "All 3 events that were played" in page
    assert sum(f"<b>{name}</b>" in page for name in names) == 2
    whole = flat(Client().get(reverse("series", args=[series.slug]), {"all": "1"}))
    assert all(f"<b>{name}</b>" in whole for name in names)
    assert "All 3 events" not in whole


def test_the_events_of_a_series_below_are_listed_too_and_count_if_the_table_says_so() -> None:
    user = make_user()
    season = make_series(user, name="Season")
    country = make_series(user, name="Country", parent=season)
    put_in(season, played(), 200)
    below = played(name="Qualifier")
    put_in(country, below)
    own, all_ = make_table(season, name="Own"), make_table(season, name="All", with_below=True)
    assert "Qualifier" in page_of(season)
    assert (len(board_of(season, own).events), len(board_of(season, all_).events)) == (1, 2)
    # In both, it counts once, with the weight that the series itself gives it.
    put_in(season, below, 300)
    assert sorted(one.weight for one in board_of(season, all_).events) == [200, 300]
    actions.change_series(
        series=country,
        facts=SeriesFacts("Country", FIRST, LAST, "", False, season),
        by=by_of(country),
    )
    assert [one.event.name for one in events_of(season, public_tree().below(season))].count(
        "Qualifier"
    ) == 1


def test_an_event_taken_out_counts_no_more_and_the_page_says_why() -> None:
    series = make_series()
    one, other = played(name="One"), played(name="Other")
    put_in(series, one)
    entry = put_in(series, other)
    table = make_table(series)
    assert len(board_of(series, table).rows) == 12
    with pytest.raises(Refused, match="Say why"):
        actions.take_out(entry=entry, side=Side.SERIES, reason="", by=by_of(series))
    actions.take_out(
        entry=entry, side=Side.EVENT, reason="played by other rules", by=organiser(other)
    )
    assert len(board_of(series, table).rows) == 6
    page = page_of(series)
    assert "played by other rules" in page[page.index("Taken out") :]
    with pytest.raises(Refused, match="taken out or answered"):
        actions.change_weight(entry=entry, weight=200, by=by_of(series))
    put_in(series, other)
    assert "Taken out" not in page_of(series)


# --- standings -------------------------------------------------------------------------------


def test_each_row_says_what_it_is_made_of() -> None:
    series, event = make_series(), played()
    put_in(series, event, 150)
    bands = {"bands": [[1, 1, 25], [2, 6, 10]]}
    table = make_table(series, "places", parameters=bands)
    board = board_of(series, table)
    first = rows_in_words(table, board, board.rows)[0]
    (line,) = first.lines
    assert (first.total, line.sum) == ("37.5", "25 × 1.5 = 37.5")
    assert line.place.startswith("rank 1 of 6")
    assert rule_words(table)[0] == "rank 1: 25, ranks 2 to 6: 10."
    page = flat(Client().get(reverse("series_standings", args=[series.slug, table.pk])))
    assert "25 × 1.5 = 37.5" in page


@pytest.mark.parametrize(
    ("rule", "parameters", "said"),
    [
        ("sum", {}, "points of the game"),
        ("count-wins", {}, "One for each event won"),
        ("mers", {}, "1000 × (players"),
        ("best-n", {"best": 2, "of": "mers"}, "The best 2 results count"),
        ("best-n", {"best": 1, "of": "sum"}, "The best result counts"),
    ],
)
def test_every_rule_is_told_in_words(rule: str, parameters: dict[str, Any], said: str) -> None:
    series = make_series()
    put_in(series, played())
    table = make_table(series, rule, parameters=parameters)
    page = flat(Client().get(reverse("series_standings", args=[series.slug, table.pk])))
    assert said in page


def test_numbers_are_written_as_the_reader_does() -> None:
    assert [amount(one) for one in (4000, 82609, 150, 0, 100000)] == [
        "40",
        "826.09",
        "1.5",
        "0",
        "1000",
    ]
    with override("es"):
        assert amount(82609) == "826,09"


def test_results_of_one_person_stand_together_and_all_others_apart() -> None:
    series = make_series()
    events = [played(name="First"), played(name="Second")]
    for event in events:
        put_in(series, event)
        for place in (1, 2):
            edit_player(
                player=number(event, place),
                entry=PlayerEntry(name=("Ana Ruiz", "Bo Diaz")[place - 1]),
                by=organiser(event),
            )
    table = make_table(series)
    for event in events:
        person = joined(number(event, 1), "ana@example.org", "Ana")
    rows = board_of(series, table).rows
    assert len(rows) == 11
    (ana,) = (row for row in rows if row.name == "Ana")
    assert (len(ana.results), ana.beside, ana.person) == (2, "", 0)
    assert sorted(row.beside for row in rows if row.name == "Bo Diaz") == ["First", "Second"]
    assert "only put together for people who asked" in flat(
        Client().get(reverse("series_standings", args=[series.slug, table.pk]))
    )
    assert person.links.count() == 2


def test_two_of_one_name_in_one_event_are_told_apart() -> None:
    series, event = make_series(), played()
    put_in(series, event)
    for place in (1, 2):
        edit_player(
            player=number(event, place),
            entry=PlayerEntry(name="Ana Ruiz", namesake=True),
            by=organiser(event),
        )
    board = board_of(series, make_table(series))
    assert {"Ana Ruiz #1", "Ana Ruiz #2"} <= {row.name for row in board.rows}
    assert not board.same_names, "in one event they are two people"
    assert pickle.loads(pickle.dumps(board)) == board


def test_a_result_that_is_hidden_is_in_no_season() -> None:
    series = make_series()
    event = played(standings_shown="hidden", name="Kept secret")
    put_in(series, event)
    table = make_table(series)
    winner = event.freezes.get().results.filter(won=True).first()
    assert winner is not None
    assert board_of(series, table).rows == ()
    assert winner.name not in page_of(series)
    reveal_ranks(event=event, down_to=2, by=organiser(event))
    assert board_of(series, table).rows == ()
    reveal_ranks(event=event, down_to=1, by=organiser(event))
    assert len(board_of(series, table).rows) == 6
    assert winner.name in page_of(series)


def test_an_event_that_goes_on_again_counts_when_it_is_finished_again() -> None:
    series, event = make_series(), played()
    put_in(series, event)
    table = make_table(series)
    reopen_event(event=event, reason="a mistake", by=organiser(event))
    assert board_of(series, table).rows == ()
    finish_event(event=event, by=organiser(event))
    assert len(board_of(series, table).rows) == 6


def test_a_corrected_name_shows_at_once() -> None:
    series, event = make_series(), played()
    put_in(series, event)
    table = make_table(series)
    page = reverse("series_standings", args=[series.slug, table.pk])
    assert "Núñez" not in flat(Client().get(page))
    edit_player(player=number(event, 1), entry=PlayerEntry(name="Ana Núñez"), by=organiser(event))
    assert "Ana Núñez" in flat(Client().get(page))
    edit_player(
        player=number(event, 1),
        entry=PlayerEntry(name="Ana Núñez", name_style="number"),
        by=organiser(event),
    )
    assert "Núñez" not in flat(Client().get(page)), "also the wish not to be named"


def test_one_season_is_shown_by_several_rules() -> None:
    series = make_series()
    put_in(series, played())
    make_table(series, "mers", name="Masters")
    wins = make_table(series, "count-wins", name="Wins")
    page = page_of(series)
    assert page.index("Masters") < page.index("Wins")
    with pytest.raises(Refused, match="of this name already"):
        make_table(series, "sum", name="wins")
    actions.change_table(table=wins, facts=TableFacts("Points", "sum", {}), by=by_of(series))
    assert "Points" in page_of(series)
    actions.remove_table(table=wins, by=by_of(series))
    assert "Points" not in page_of(series)
    assert Client().get(reverse("series_standings", args=[series.slug, wins.pk])).status_code == 404


def test_a_rule_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(Refused, match="cannot be read"):
        make_table(make_series(), "places")


def test_the_page_is_computed_once_a_version() -> None:
    series = make_series()
    put_in(series, played())
    table = make_table(series)
    address = reverse("series_standings", args=[series.slug, table.pk])
    first = Client().get(address)
    with (
        mock.patch("tournament.web.public.series.season_board") as asked,
        CaptureQueriesContext(
            connection,
        ) as queries,
    ):
        again = Client().get(address, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content, asked.called) == (304, b"", False)
    assert len(queries) <= 6
    actions.change_table(table=table, facts=TableFacts("New name", "mers", {}), by=by_of(series))
    changed = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert (changed.status_code, changed["ETag"] == first["ETag"]) == (200, False)


def test_a_season_takes_the_same_queries_for_one_event_as_for_three() -> None:
    series = make_series()
    table = make_table(series)
    counts = []
    for _event in range(3):
        put_in(series, played(standings_shown="hidden"))
        put_in(series, played())
        make_table(series, name=f"Table {_event}")
        series.refresh_from_db()
        with CaptureQueriesContext(connection) as queries:
            compute_board(table, SeasonFacts(series))
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts


def test_long_standings_come_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.web.public.series.LINES_ON_A_PAGE", 4)
    series = make_series()
    put_in(series, played())
    table = make_table(series)
    address = reverse("series_standings", args=[series.slug, table.pk])
    rows = board_of(series, table).rows
    first, second = flat(Client().get(address)), flat(Client().get(f"{address}?page=2"))
    assert all(row.name in first for row in rows[:4])
    assert all(row.name in second and row.name not in first for row in rows[4:])


# --- penalties -------------------------------------------------------------------------------


def penalised() -> tuple[Series, Event]:
    event = played(over=False)
    series = make_series()
    put_in(series, event)
    by = organiser(event)
    give_penalty(
        player=number(event, 1),
        infraction="2.2",
        step=3,
        reason="drew twice",
        by=by,
        deal=DealRef("preliminary", 1, 1),
    )
    give_penalty(player=number(event, 2), infraction="1.1", step=1, reason="a word", by=by)
    return series, event


def test_the_staff_sees_deal_losses_while_the_season_lasts() -> None:
    series, _event = penalised()
    (seen,) = penalties_over(series, LAST)
    assert seen.penalty.reason == "drew twice"
    assert penalties_over(series, LAST + timedelta(days=1)) == ()


def test_beyond_the_season_only_with_a_reason_and_until_a_day() -> None:
    series, _event = penalised()
    (seen,) = penalties_over(series, LAST)
    until = date(2027, 6, 30)
    keep = {"series": series, "penalty": seen.penalty, "by": by_of(series)}
    noon = datetime(2026, 11, 29, 12, tzinfo=UTC)
    with mock.patch("django.utils.timezone.now", return_value=noon):
        with pytest.raises(Refused, match="Say why"):
            actions.keep_penalty(**keep, reason="", until=until)
        with pytest.raises(Refused, match="later day"):
            actions.keep_penalty(**keep, reason="twice", until=LAST)
        kept = actions.keep_penalty(**keep, reason="the second time", until=until)
    assert [one.kept for one in penalties_over(series, until)] == [kept]
    assert penalties_over(series, until + timedelta(days=1)) == ()
    actions.let_penalty_go(kept=kept, by=by_of(series))
    assert penalties_over(series, until) == ()
    with (
        mock.patch("django.utils.timezone.now", return_value=noon + timedelta(days=90)),
        pytest.raises(Refused, match="not to be seen"),
    ):
        actions.keep_penalty(**keep, reason="too late", until=until)


# --- logs and pages --------------------------------------------------------------------------


def test_both_logs_tell_it_in_words() -> None:
    series, event = make_series(name="Liga"), make_event(name="Cup")
    entry = put_in(series, event)
    actions.change_weight(entry=entry, weight=150, by=by_of(series))
    table = make_table(series)
    actions.remove_table(table=table, by=by_of(series))
    rows = series_log_rows(series_log(series))
    assert all("." not in row.what and row.what for row in rows)
    assert ("Weight of an event changed", "Cup", "1 → 1.5") in {
        (row.what, row.about, row.detail) for row in rows
    }
    told = {(row.what, row.about) for row in log_rows(log_of(event, "event"))}
    assert ("In a series", "Liga") in told


def test_every_change_of_a_series_is_one_entry() -> None:
    series = make_series()
    make_table(series)
    verbs = list(SeriesLogEntry.objects.order_by("pk").values_list("verb", flat=True))
    assert verbs == ["series.created", "table.added"]
    event = make_event()
    put_in(series, event)
    assert LogEntry.objects.filter(event=event, verb="series.entered").count() == 1


def client_of(series: Series) -> Client:
    client = Client()
    client.force_login(user_of(series))
    return client


def test_a_series_is_made_and_filled_on_its_desk() -> None:
    user = make_user()
    event = make_event(organiser=user, name="Cup")
    client = Client()
    client.force_login(user)
    facts = {"name": "Liga", "starts_on": "2026-01-01", "ends_on": "2026-12-31", "public": "on"}
    wrong = client.post(reverse("new_series"), facts | {"ends_on": "2025-01-01"})
    assert wrong.status_code == 422
    made = client.post(reverse("new_series"), facts)
    series = Series.objects.get()
    assert made["Location"] == reverse("series_desk", args=["liga"])
    desk = reverse("series_desk", args=["liga"])
    assert client.post(desk, {"event": "nothing", "weight": "1"}).status_code == 422
    link = f"https://example.org/events/{event.slug}/"
    page = flat(client.post(desk, {"event": link, "weight": "1.5"}, follow=True))
    assert "Cup is in." in page
    assert "counts 1.5 times" in page
    tables = reverse("series_tables", args=["liga"])
    wrong = client.post(tables, {"name": "A", "of": "places", "bands": "1: 25, 1: 3"})
    assert (wrong.status_code, "with rising ranks" in flat(wrong)) == (422, True)
    client.post(tables, {"name": "A", "of": "places", "bands": "1: 25, 2-3: 10", "best": "4"})
    table = series.tables.get()
    assert (table.rule, table.parameters) == (
        "best-n",
        {"bands": [[1, 1, 25], [2, 3, 10]], "best": 4, "of": "places"},
    )
    form = flat(client.get(reverse("series_table", args=["liga", table.pk])))
    assert "1: 25, 2-3: 10" in form
    entry = series.entries.get()
    assert (
        client.post(reverse("series_weight", args=["liga", entry.pk]), {"weight": "0"}).status_code
        == 422
    )
    client.post(reverse("series_weight", args=["liga", entry.pk]), {"weight": "2"})
    entry.refresh_from_db()
    assert entry.weight == 200


def test_an_organiser_asks_a_series_from_the_desk_of_the_event() -> None:
    series, event = make_series(name="Liga"), make_event(name="Cup")
    client = Client()
    client.force_login(organiser_of(event))
    address = reverse("event_series", args=[event.slug])
    assert client.post(address, {"series": "none"}).status_code == 422
    page = flat(client.post(address, {"series": f"/series/{series.slug}/"}, follow=True))
    assert "Asked" in page
    other = client_of(series)
    entry = SeriesEvent.objects.get()
    assert "Its organiser wants it" in flat(other.get(reverse("series_desk", args=[series.slug])))
    other.post(reverse("series_accept", args=[series.slug, entry.pk]))
    entry.refresh_from_db()
    assert entry.accepted_at is not None
    assert "Liga" in flat(Client().get(reverse("event", args=[event.slug])))


def test_judges_of_a_series_see_its_penalties_and_change_nothing() -> None:
    series, event = penalised()
    judge = make_judge(event)
    SeriesMember.objects.create(series=series, user=judge, duty="judge")
    client = Client()
    client.force_login(judge)
    noon = datetime(2026, 11, 29, 12, tzinfo=UTC)
    with mock.patch("django.utils.timezone.now", return_value=noon):
        page = flat(client.get(reverse("series_penalties", args=[series.slug])))
    assert "drew twice" in page
    assert "Keep it" not in page
    assert client.get(reverse("series_tables", args=[series.slug])).status_code == 403
    assert client.post(reverse("series_desk", args=[series.slug])).status_code == 403


LISTS = (
    "series",
    "series_desk",
    "series_penalties",
    "series_tables",
    "series_log",
    "series_merges",
)


def test_each_page_takes_the_same_queries_for_one_row_as_for_three() -> None:
    user = make_user()
    series = make_series(user)
    client = Client()
    client.force_login(user)
    addresses = {name: reverse(name, args=[series.slug]) for name in LISTS}
    addresses["series_list"], addresses["my_series"] = reverse("series_list"), reverse("my_series")
    counts: dict[str, set[int]] = {name: set() for name in addresses}
    person = None
    for row in range(3):
        event = played(over=False, organiser=user, standings_shown="hidden")
        entry = actions.enter_event(
            series=series, event=event, side=Side.SERIES, weight=150, by=Actor.of_user(user)
        )
        assert entry.accepted_at is not None
        give_penalty(
            player=number(event, 1),
            infraction="2.2",
            step=3,
            reason="drew twice",
            by=Actor.of_user(user),
            deal=DealRef("preliminary", 1, 1),
        )
        finish_event(event=event, by=Actor.of_user(user), reveal=True)
        person = joined(number(event, 1), "ana@example.org")
        make_table(series, name=f"Table {row}")
        make_series(user, name=f"Part {row}", parent=series)
        merge = Merge.objects.create(series=series)
        for place in (2, 3):
            MergeSide.objects.create(merge=merge, player=number(event, place))
        addresses["me"] = reverse("me", args=[person.token])
        noon = datetime(2026, 11, 29, 12, tzinfo=UTC)
        for name, address in addresses.items():
            # What is asked once a process is out of the way, what is kept is not.
            with (
                mock.patch("django.utils.timezone.now", return_value=noon),
                CaptureQueriesContext(connection) as queries,
            ):
                assert client.get(address).status_code == 200
            counts.setdefault(name, set()).add(len(queries))
    assert {name: found for name, found in counts.items() if len(found) > 1} == {}


# --- who holds places ------------------------------------------------------------------------


def with_places(series: Series, **settings: Any) -> tuple[Event, list[Place]]:
    """An event of the series that is over, and its two places at the world final, offered."""
    event = played(6, **settings)
    put_in(series, event)
    entry = places.PromiseEntry(target_name="World final", number=2, due_days=7)
    places.promise_places(event=event, entry=entry, by=organiser(event))
    return event, list(places.offer_places(event=event, by=organiser(event)).places)


def test_everybody_sees_who_holds_places_of_the_season_and_nothing_private() -> None:
    series = make_series()
    event, (first, second) = with_places(series)
    Contact.objects.filter(player=first.player).update(email="ana@example.org")
    name = edit_player(
        player=second.player,
        entry=PlayerEntry(name="Berta Secreta", name_style="number"),
        by=organiser(event),
    )
    page = page_of(series)
    assert "Who holds places" in page
    assert "World final" in page
    assert f"<b>{first.player.public_name}</b> <small> was offered the place · rank 1" in page
    places.accept_place(place=first, by=organiser(event))
    assert f"<b>{first.player.public_name}</b> <small> has the place · rank 1" in page_of(series)
    places.decline_place(place=second, by=organiser(event), reason="a wedding")
    page = page_of(series)
    assert page.count("was offered the place") == 1
    assert "rank 2 of" not in page
    for private in ("ana@example.org", "Secreta", "wedding", first.token, name.token):
        assert private not in page


def test_places_of_hidden_standings_and_of_the_past_are_not_told(watch: Watch) -> None:
    series = make_series()
    event, (first, _second) = with_places(series)
    with_places(series, standings_shown="hidden", name="Hidden night")
    assert page_of(series).count("was offered the place") == 2
    places.accept_place(place=first, by=organiser(event))
    watch.goes(minutes=8 * 24 * 60)
    pages.forget()  # as after PAGE_SECONDS
    page = page_of(series)
    assert "has the place" in page
    assert "was offered the place" not in page
    reopen_event(event=Event.objects.get(pk=event.pk), reason="a sheet", by=organiser(event))
    assert "Who holds places" not in page_of(series)


def test_who_holds_places_costs_the_same_queries_for_one_event_as_for_three() -> None:
    series = make_series()
    counts = []
    for more in (1, 2):
        for _each in range(more):
            with_places(series)
        page_of(series)
        pages.forget()
        with CaptureQueriesContext(connection) as queries:
            page_of(series)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_page_follows_each_answer_about_a_place() -> None:
    series = make_series()
    event, (first, second) = with_places(series)
    versions = [season_version(series)]
    places.accept_place(place=first, by=organiser(event))
    versions.append(season_version(series))
    places.decline_place(place=second, by=organiser(event))
    versions.append(season_version(series))
    assert versions == sorted(set(versions))
