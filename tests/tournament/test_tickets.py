"""A player's own page, and the desk, tell what is true now."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play,
    play_round,
)
from tests.pages import flat
from tests.tournament.test_cut import level_round
from tournament.actions import (
    attendance,
    cuts,
    drafts,
    events,
    finals,
    penalties,
    rounds,
    scoresheets,
)
from tournament.actions.players import PlayerEntry, import_players
from tournament.models import Event, Player
from tournament.queries.cuts import current_cut, line_of
from tournament.queries.desk import DeskStep, StationKind, desk_for
from tournament.queries.standings import shared_places, standings_for
from tournament.queries.ticket_notices import NoticeKind, ordinal
from tournament.queries.tickets import ticket_for
from tournament.simulation import at, tables_of

pytestmark = pytest.mark.django_db


def told(player: Player) -> str:
    """What the ticket says; its page says exactly one such thing."""
    ticket = ticket_for(Player.objects.select_related("event").get(pk=player.pk))
    page = Client().get(reverse("ticket", args=[player.token])).content.decode()
    live = page.partition('id="live"')[2].partition('class="ticket"')[0]
    shown = re.findall(r'class="(notice [^"]*|answer|card lit)"', live)
    assert len(shown) == 1, (ticket.notice.kind, shown)
    assert escape(ticket.notice.title) in live
    return ticket.notice.kind


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def test_a_cut_made_early_leads_on_to_the_final_and_the_end() -> None:
    """Three rounds planned, one played: time ran out."""
    event = make_event(rounds_planned=3)
    make_players(event, 12)
    level_round(event)
    by = organiser(event)
    steps = [desk_for(fresh(event)).step]
    cut = cuts.make_cut(event=fresh(event), by=by)
    steps.append(desk_for(fresh(event)).step)
    cuts.settle_line(cut=cut, by=by)
    steps.append(desk_for(fresh(event)).step)
    final = finals.draw_final(cut=current_cut(event), by=by)
    steps.append(desk_for(fresh(event)).step)
    rounds.publish_round(round_=final, by=by)
    steps.append(desk_for(fresh(event)).step)
    play(tables_of(final)[0])
    steps.append(desk_for(fresh(event)).step)
    rounds.close_round(round_=final, by=by)
    view = desk_for(fresh(event))
    steps.append(view.step)
    assert steps == [
        DeskStep.DRAW,
        DeskStep.LOT,
        DeskStep.DRAW_FINAL,
        DeskStep.PUBLISH_ROUND,
        DeskStep.PLAY,
        DeskStep.CLOSE,
        DeskStep.FINISH,
    ]
    assert StationKind.ROUND_PLANNED not in {station.kind for station in view.stations}
    assert not view.may_end_early
    assert {told(player) for player in event.players.all()} == {"all_played"}
    events.finish_event(event=fresh(event), by=by)


def test_a_seat_is_shown_while_it_is_played_and_not_after() -> None:
    event = make_event()
    players = make_players(event, 6)
    assert told(players[0]) == "checked_in"
    round_ = make_round(event)
    assert told(players[0]) == "seated"
    by = organiser(event)
    rounds.unpublish_round(round_=round_, by=by)
    assert told(players[0]) == "drawing"
    rounds.publish_round(round_=round_, by=by)
    play(tables_of(round_)[0])
    rounds.close_round(round_=round_, by=by)
    assert told(players[0]) == "between"


def test_everybody_learns_whether_they_are_in_the_final() -> None:
    event = make_event(rounds_planned=1)
    players = make_players(event, 12)
    level_round(event)
    by = organiser(event)
    cut = cuts.make_cut(event=fresh(event), by=by)
    assert {told(player) for player in players} == {"level"}
    cuts.settle_line(cut=cut, by=by)
    assert Counter(map(told, players)) == {"in_final": 6, "not_in_final": 6}
    notes = {row.note for row in standings_for(fresh(event)).rows}
    assert notes == {"lot", "lost_lot"}
    gone = cut.qualifiers.get(place=1)
    cuts.decline_seat(qualifier=gone, reason="", by=by)
    row = next(row for row in standings_for(fresh(event)).rows if row.number == gone.player.number)
    assert row.note == "declined"


def test_a_disqualified_player_sees_no_seat() -> None:
    event = make_event()
    player = make_players(event, 6)[0]
    make_round(event)
    penalties.give_penalty(
        player=player,
        infraction="3.0",
        step=4,
        reason="cheated",
        deal=penalties.DealRef("preliminary", 1, 1),
        inquiry=penalties.InquiryNote("both", "marked cards", "Julio"),
        by=organiser(event),
    )
    assert told(player) == "disqualified"


def test_the_dealer_is_changed_by_swapping_within_the_table() -> None:
    event = make_event()
    make_players(event, 6)
    round_ = make_round(event, published=False)
    table = tables_of(round_)[0]
    dealer, other = (table.seats.get(position=place).player for place in (1, 4))
    drafts.swap_seats(round_=round_, first=dealer, second=other, by=organiser(event))
    assert table.seats.get(position=1).player == other


def test_a_late_arrival_waits_for_the_next_round() -> None:
    event = make_event()
    make_players(event, 6)
    round_ = play_round(event)
    late = make_player(event, "Late Laura")
    assert told(late) == "between"
    assert round_.status == "closed"


def test_in_every_state_the_ticket_says_exactly_one_thing() -> None:
    """A day of 13 players, one of whom goes through the states that exclude each other."""
    event = make_event(rounds_planned=1, capacity=13)
    by = organiser(event)
    seen: set[str] = set()

    def sees(player: Player, kind: str) -> None:
        assert told(player) == kind
        seen.add(kind)

    players = make_players(event, 12)
    guest = make_player(event, "Gloria", here=False)
    last = import_one(event, "Lola")
    sees(last, "waiting")
    sees(guest, "registered")
    attendance.withdraw(player=last, by=by)
    sees(last, "withdrawn")
    attendance.mark_no_show(player=guest, by=by)
    sees(guest, "registered")
    sees(players[0], "checked_in")
    round_ = make_round(event, published=False)
    sees(players[0], "drawing")
    rounds.publish_round(round_=round_, by=by)
    attendance.check_in(player=guest, by=by)
    sees(guest, "no_seat")
    one, other = tables_of(round_)
    dealer, second = (one.seats.get(position=place).player for place in (1, 2))
    sees(dealer, "seated")
    play(one, confirm=False)
    sees(dealer, "handed_in")
    sees(second, "confirm")
    one.sheet.refresh_from_db()
    scoresheets.confirm_sheet(sheet=one.sheet, version=one.sheet.version, by=at(one, 2))
    sees(second, "table_done")
    play(other)
    sees(second, "table_done")
    rounds.close_round(round_=round_, by=by)
    sees(second, "between")
    attendance.drop(player=guest, by=by)
    sees(guest, "withdrawn")
    leaver = other.seats.get(position=3).player
    attendance.drop(player=leaver, by=by)
    sees(leaver, "dropped")
    cut = cuts.make_cut(event=fresh(event), by=by)
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    first, declining = cut.qualifiers.select_related("player").order_by("place")[:2]
    sees(first.player, "in_final")
    cuts.decline_seat(qualifier=declining, reason="", by=by)
    sees(declining.player, "declined")
    finalists = set(cut.qualifiers.values_list("player_id", flat=True))
    out = next(one for one in players if one.pk not in finalists and one != leaver)
    sees(out, "not_in_final")
    final = finals.draw_final(cut=current_cut(event), by=by)
    rounds.publish_round(round_=final, by=by)
    sees(out, "not_in_final")
    sees(first.player, "seated")
    play(tables_of(final)[0])
    rounds.close_round(round_=final, by=by)
    sees(first.player, "all_played")
    events.finish_event(event=fresh(event), by=by)
    for player in (out, first.player, leaver, guest, last):
        sees(player, "finished")
    # Shown by tests of their own: a line that is tied, a disqualification, hidden standings.
    assert seen | {"level", "disqualified", "cut_hidden"} == set(NoticeKind)


def import_one(event: Event, name: str) -> Player:
    import_players(event=event, entries=[PlayerEntry(name=name)], by=organiser(event))
    return event.players.get(name=name)


@pytest.mark.parametrize("cut_size", [0, 6])
def test_the_end_of_the_desk_leads_to_the_diplomas(client: Client, cut_size: int) -> None:
    """Of the first three where there is no final, or it was not played."""
    event = make_event(rounds_planned=1, cut_size=cut_size)
    make_players(event, 12)
    play_round(event)
    client.force_login(organiser_of(event))
    address = reverse("event_desk", args=[event.slug])
    here = f'href="{reverse("document", args=[event.slug, "diplomas"])}"'
    assert here not in client.get(address).text
    events.finish_event(event=fresh(event), by=organiser(event), reason="late")
    assert here in client.get(address).text


def test_the_end_is_worth_keeping() -> None:
    event = make_event(rounds_planned=1, cut_size=0)
    make_players(event, 12)
    play_round(event)
    if shared_places(event).get(1):
        cuts.settle_place(event=event, rank=1, by=organiser(event))
    events.finish_event(event=fresh(event), by=organiser(event))
    board = standings_for(fresh(event))
    titles = {
        row.rank: ticket_for(event.players.select_related("event").get(number=row.number)).notice
        for row in board.rows
    }
    assert titles[1].title == "You are the champion. Congratulations!"
    assert titles[1].text == "First of 12."
    lowest = max(titles)
    assert titles[lowest].title == f"You came {lowest}th of 12."


@pytest.mark.parametrize(
    ("rank", "words"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (102, "102nd"),
        (111, "111th"),
    ],
)
def test_ranks_in_words(rank: int, words: str) -> None:
    assert ordinal(rank) == words


def test_the_calendar_has_the_event_as_rfc_5545_writes_it() -> None:
    event = make_event(
        name="Copa; «Ñandú», grande",
        venue="La Mina\r\nATTACH:x\rde Papel",
        address="Calle del Pico 7, Madrid \\ " + "ñ" * 60,
        starts_at=datetime(2026, 7, 19, 8, tzinfo=UTC),
        registration_closes_at=datetime(2026, 7, 18, 8, tzinfo=UTC),
        ends_at=None,
    )
    player = make_player(event, here=False)
    answer = Client().get(reverse("ticket_calendar", args=[player.token]))
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    lines = answer.content.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    text = answer.content.decode().replace("\r\n ", "")
    assert "DTSTART:20260719T080000Z\r\n" in text
    assert "DTEND:20260719T120000Z\r\n" in text
    assert "SUMMARY:Copa\\; «Ñandú»\\, grande\r\n" in text
    assert "LOCATION:La Mina\\nATTACH:x\\nde Papel\\, Calle" in text
    assert "Madrid \\\\ ñ" in text
    assert f"URL:http://testserver/p/{player.token}/\r\n" in text
    assert text.startswith("BEGIN:VCALENDAR\r\n")
    assert text.endswith("END:VCALENDAR\r\n")
    page = flat(Client().get(reverse("ticket", args=[player.token])))
    assert reverse("ticket_calendar", args=[player.token]) in page
