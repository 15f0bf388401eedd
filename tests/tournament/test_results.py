"""What a finished event came to is frozen, and never overwritten."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command

from tests.browser.world import level, over, tied
from tests.factories import make_event, make_players, make_user, organiser, play_round
from tests.tournament.seasons import joined, make_series, number, played, put_in
from tests.tournament.test_check_event import INQUIRY
from tests.tournament.test_event_file import taken_in, unpacked, wipe
from tournament.actions.attendance import drop
from tournament.actions.events import finish_event, reopen_event
from tournament.actions.penalties import DealRef, give_penalty
from tournament.actions.players import PlayerEntry, edit_player
from tournament.documents.event_archive import event_archive
from tournament.models import Event, Freeze, LogEntry, PersonLink, Result
from tournament.queries.check_event import first_difference
from tournament.queries.results import name_then
from tournament.queries.standings import standings_for

pytestmark = pytest.mark.django_db


def frozen(event: Event) -> list[tuple[int, int, bool, int, int]]:
    rows = Result.objects.filter(freeze__in=event.freezes.in_force())
    return list(rows.values_list("number", "rank", "shared", "points", "stars"))


def test_finishing_freezes_the_order_of_everybody() -> None:
    event = played(12)
    board = standings_for(event)
    assert frozen(event) == [
        (row.number, row.rank, row.shared, row.points, row.stars) for row in board.ranked
    ]
    freeze = event.freezes.get()
    assert (freeze.version, freeze.field, freeze.replaced_at) == (1, 12, None)
    winners = {row.number for row in board.ranked if row.rank == 1}
    assert {one.number for one in freeze.results.filter(won=True)} == winners


def test_finalists_stand_before_all_others_and_are_told_apart() -> None:
    event = tied(make_user())
    finish_event(event=event, by=organiser(event))
    reached = list(Result.objects.values_list("reached", flat=True))
    assert reached == ["final"] * 6 + ["preliminary"] * 6
    assert Result.objects.filter(won=True).first().reached == "final"


def test_roles_are_counted_where_they_are_known() -> None:
    event = level(make_user(), "Roles", cut_size=0)  # three deals each, entered by roles
    finish_event(event=event, by=organiser(event))
    for one in Result.objects.all():
        assert one.miner_deals + one.saboteur_deals + one.selfish_deals == 3
    assert sum(Result.objects.values_list("saboteur_deals", flat=True)) == 2 * 2 * 3


def test_who_plays_without_a_rank_or_is_disqualified_has_no_result() -> None:
    event = make_event(cut_size=0, rounds_planned=1)
    players = make_players(event, 12)
    by = organiser(event)
    edit_player(player=players[0], entry=PlayerEntry(name="Stand In", unranked=True), by=by)
    play_round(event)
    give_penalty(
        player=players[1],
        infraction="3.0",
        step=4,
        reason="hit",
        by=by,
        deal=DealRef("preliminary", 1, 1),
        inquiry=INQUIRY,
    )
    drop(player=event.players.get(number=3), by=by, reason="tired")
    finish_event(event=event, by=by)
    assert {number for number, *_rest in frozen(event)} == set(range(3, 13))
    assert event.freezes.get().field == 10


def test_an_event_that_was_not_played_has_no_results() -> None:
    event = make_event()
    make_players(event, 6)
    finish_event(event=event, by=organiser(event), reason="snow")
    assert (event.freezes.get().field, frozen(event)) == (0, [])


def test_finished_again_there_is_a_later_version_and_the_earlier_stays() -> None:
    event = played()
    by, before = organiser(event), frozen(event)
    reopen_event(event=event, reason="a wrong penalty", by=by)
    give_penalty(
        player=event.players.get(number=before[0][0]),
        infraction="2.2",
        step=3,
        reason="late",
        by=by,
        deal=DealRef("preliminary", 1, 1),
    )
    finish_event(event=event, by=by)
    first, second = event.freezes.order_by("version")
    assert (first.version, first.replaced_at is None) == (1, False)
    assert (second.version, second.replaced_at) == (2, None)
    kept = first.results.values_list("number", "rank", "shared", "points", "stars")
    assert list(kept) == before
    assert first_difference(event) is None


def test_a_rank_taken_away_after_the_end_freezes_anew() -> None:
    event = played()
    player = event.players.get(number=1)
    edit_player(
        player=player, entry=PlayerEntry(name=player.name, unranked=True), by=organiser(event)
    )
    assert event.freezes.in_force().get().version == 2
    assert 1 not in {number for number, *_rest in frozen(event)}


def test_a_name_is_frozen_as_everybody_saw_it() -> None:
    event = make_event(cut_size=0, rounds_planned=1)
    one, other, *_rest = make_players(event, 6)
    by = organiser(event)
    edit_player(player=one, entry=PlayerEntry(name="Ana Ruiz", name_style="initial"), by=by)
    edit_player(player=other, entry=PlayerEntry(name="Bo", name_style="number"), by=by)
    play_round(event)
    finish_event(event=event, by=by)
    edit_player(player=one, entry=PlayerEntry(name="Ana María Ruiz"), by=by)
    assert Result.objects.get(player=one).name == "Ana R."
    assert name_then(Result.objects.get(player=other)) == "Player 2"


def test_results_of_earlier_events_are_frozen_by_the_command_once() -> None:
    event, running = over(make_user()), make_event()
    Freeze.objects.all().delete()
    out = io.StringIO()
    call_command("freeze_results", stdout=out)
    call_command("freeze_results", event.slug, stdout=out)
    assert out.getvalue().splitlines() == [
        f"{event.slug}: 16 results",
        f"{event.slug}: is frozen already",
    ]
    assert LogEntry.objects.filter(verb="results.frozen").count() == 1
    with pytest.raises(CommandError, match="not finished"):
        call_command("freeze_results", running.slug)
    with pytest.raises(CommandError, match="no event nowhere"):
        call_command("freeze_results", "nowhere")


def test_a_frozen_result_that_was_tampered_with_is_found() -> None:
    event = played()
    assert first_difference(event) is None
    Result.objects.filter(number=1).update(points=99)
    assert "player 1" in (first_difference(event) or "")
    Result.objects.filter(number=1).delete()
    assert "5 players" in (first_difference(event) or "")


def test_frozen_results_go_with_the_file_and_persons_stay_here() -> None:
    event = played()
    reopen_event(event=event, reason="once more", by=organiser(event))
    finish_event(event=event, by=organiser(event))
    put_in(make_series(name="Liga secreta"), event)
    person = joined(number(event, 1), "ana@example.org", "Ana Own Name")
    before = frozen(event)
    content = event_archive(event)
    private = unpacked(content)["private.json"]
    assert [len(one["results"]) for one in private["event"]["freezes"]] == [6, 6]
    text = json.dumps(private, ensure_ascii=False)
    assert [one for one in (person.token, "Ana Own Name", "Liga secreta") if one in text] == []
    PersonLink.objects.all().delete()
    wipe(event)
    back = taken_in(content)
    assert event_archive(back) == content
    assert [one.version for one in back.freezes.order_by("pk")] == [1, 2]
    assert frozen(back) == before
