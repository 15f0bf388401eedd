"""One event by HTTP alone, as its people live it: from registration to the champion."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.lots import lot_order
from tests.factories import make_judge, make_user
from tests.pages import read_and_write
from tournament.models import Event, Lot, Player, Round, Scoresheet, Table
from tournament.queries.standings import standings_for
from tournament.queries.versions import version_of

pytestmark = pytest.mark.django_db(transaction=True)


class Day:
    """The people of the event, each with a browser of their own."""

    def __init__(self) -> None:
        self.organiser = Client()
        self.organiser.force_login(make_user("Olga"))
        self.anybody = Client()
        self.slug = ""

    @property
    def event(self) -> Event:
        return Event.objects.get(slug=self.slug)

    def desk(self, name: str, *args: Any, **data: Any) -> HttpResponse:
        """The organiser presses a button; it must work and lead on."""
        answer = self.organiser.post(reverse(name, args=[self.slug, *args]), data)
        assert answer.status_code == 302, answer.content.decode()[:3000]
        return answer

    def page(self, name: str, *args: Any) -> str:
        answer = self.organiser.get(reverse(name, args=[self.slug, *args]))
        assert answer.status_code == 200
        return answer.content.decode()

    def player(self, number: int) -> Player:
        return self.event.players.get(number=number)

    def tables(self) -> list[Table]:
        round_ = self.event.rounds.filter(status="published").latest("pk")
        return list(Table.objects.filter(round=round_).order_by("number"))

    def enter_deal(
        self, table: Table, number: int, starred: list[int], **more: Any
    ) -> HttpResponse:
        """Nobody reached the gold: the seats named are the saboteurs. Filled as a page fills it."""
        address = reverse("table_link:deal", args=[table.token, number])
        form = hidden_fields(self.anybody.get(address).content.decode())
        count = table.seats.count()
        roles = roles_for(count, starred)
        data = form | {f"role-{seat}": role for seat, role in roles.items()}
        return self.anybody.post(address, data | {"connector": "none"} | more)

    def play_table(self, table: Table, deals: int = 3) -> None:
        """Each deal another pair (or one) of seats are the saboteurs; seat 2 confirms."""
        count = table.seats.count()
        needed = 1 if count == 5 else 2
        for number in range(1, deals + 1):
            first = (number - 1) * needed
            starred = [(first + step) % count + 1 for step in range(needed)]
            assert self.enter_deal(table, number, starred).status_code == 302
        assert (
            self.anybody.post(reverse("table_link:submit", args=[table.token])).status_code == 302
        )
        self.confirm(table)

    def confirm(self, table: Table, person: int = 2) -> None:
        sheet = Scoresheet.objects.get(table=table)
        answer = self.anybody.post(
            reverse("table_link:confirm", args=[table.token]),
            {"person": person, "version": sheet.version},
        )
        assert answer.status_code == 302

    def draw_and_publish(self) -> Round:
        self.desk("round_draw")
        round_ = self.event.rounds.get(status="drawn")
        self.desk("round_publish", round_.pk)
        return round_


def hidden_fields(page: str) -> dict[str, str]:
    pairs = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)
    return {name: value for name, value in pairs if name != "csrfmiddlewaretoken"}


def roles_for(count: int, starred: list[int]) -> dict[int, str]:
    rest = [seat for seat in range(1, count + 1) if seat not in starred]
    selfish = {5: 1, 6: 1, 7: 2, 8: 2, 9: 2, 10: 2}[count]
    roles = dict.fromkeys(starred, "saboteur") | dict.fromkeys(rest[:selfish], "selfish")
    return roles | dict.fromkeys(rest[selfish:], "miner")


def new_event(day: Day) -> None:
    start = (timezone.now() + timedelta(days=10)).strftime("%Y-%m-%dT10:00")
    closes = (timezone.now() + timedelta(days=9)).strftime("%Y-%m-%dT20:00")
    answer = day.organiser.post(
        reverse("new_event") + "?preset=shop",
        {
            "name": "Copa de la Mina",
            "venue": "La Mina",
            "time_zone": "Europe/Madrid",
            "starts_at": start,
            "registration_closes_at": closes,
            "ruleset": "es-2026",
            "level": "1",
            "rounds_planned": "3",
            "deals_per_round": "3",
            "cut_size": "6",
            "final_deals": "4",
            "at_zero": "finish",
            "break_minutes": "10",
            "final_seats": "lot",
            "seating": "fewest",
            "standings_from": "2",
            "standings_shown": "live",
            "hidden_from_round": "1",
            "fairness_public": "on",
            "second_person": "on",
            "minimum_age": "18",
            "capacity": "24",
        },
    )
    assert answer.status_code == 302, answer.content.decode()[:4000]
    day.slug = Event.objects.get().slug


def register(day: Day, name: str, number: int) -> HttpResponse:
    return day.anybody.post(
        reverse("register", args=[day.slug]),
        {
            "name": name,
            "email": f"p{number}@example.org",
            "name_style": "full",
            "age_confirmed": "on",
        },
    )


def test_from_registration_to_champion() -> None:
    day = Day()
    new_event(day)
    assert day.anybody.get(reverse("event", args=[day.slug])).status_code == 404
    day.desk("publish")
    for number in range(1, 26):
        assert register(day, f"Jugadora Número{number}", number).status_code == 302
    assert day.player(24).status == "registered"
    assert day.player(25).status == "waiting"
    assert len(mail.outbox) == 25
    assert day.player(3).token in mail.outbox[2].body

    # Number 24 gives the place back by the ticket; number 25 moves up and is told.
    day.anybody.post(reverse("ticket_withdraw", args=[day.player(24).token]))
    assert day.player(24).status == "withdrawn"
    assert day.player(25).status == "registered"
    assert "25" not in mail.outbox[-1].subject
    assert mail.outbox[-1].to == ["p25@example.org"]

    # The door: 23 come, number 25 is late.
    for number in range(1, 24):
        day.desk("player_move", number, "check-in", **{"from": "door"})
    round_ = day.draw_and_publish()
    assert sorted(table.seats.count() for table in day.tables()) == [5, 6, 6, 6]

    # A player finds the seat by three letters; the sheet can be printed.
    found = day.anybody.get(reverse("seats", args=[day.slug]), {"q": "Número7"}).content.decode()
    assert "answer-place" in found
    assert (
        day.organiser.get(reverse("round_pdf", args=[day.slug, round_.pk])).getvalue()[:4]
        == b"%PDF"
    )

    # An illegal deal is refused with its seats; nothing is stored.
    first = day.tables()[0]
    refused = day.enter_deal(first, 1, [1, 2, 3])
    assert refused.status_code == 422
    assert "you marked 3" in refused.content.decode()
    assert first.sheet.deals.count() == 0

    for table in day.tables():
        day.play_table(table)

    # Number 25 arrives late and joins round 2; number 5 drops out and keeps the points.
    day.desk("round_close", round_.pk)
    day.desk("player_move", 25, "check-in", **{"from": "door"})
    day.desk("player_move", 5, "drop")

    # A wrong sheet of the closed round is reopened, corrected, submitted and confirmed again.
    reason = "deal 2 was written in the wrong row"
    reopen = reverse("staff_table:reopen", args=[day.slug, first.pk])
    shown = day.organiser.post(reopen, {"reason": reason})
    assert read_and_write(day.organiser, reopen, shown).status_code == 302
    assert "A sheet of a closed round is open" in day.page("event_desk")
    needed = 1 if first.seats.count() == 5 else 2
    shown = day.enter_deal(first, 2, [5, 4][:needed])
    corrected = reverse("table_link:deal", args=[first.token, 2])
    assert read_and_write(day.anybody, corrected, shown).status_code == 302
    day.anybody.post(reverse("table_link:submit", args=[first.token]))
    day.confirm(first, person=3)
    assert "A sheet of a closed round is open" not in day.page("event_desk")

    round_ = day.draw_and_publish()
    seated = set(round_.seats.values_list("player__number", flat=True))
    assert 25 in seated
    assert 5 not in seated

    # A judge gives a deal loss for the running deal; the player's points of it are zero.
    victim = day.tables()[0].seats.get(position=1).player
    judge = Client()
    judge.force_login(make_judge(day.event))
    book = judge.get(reverse("penalty", args=[day.slug, victim.number])).content.decode()
    assert 'value="preliminary:2:1" selected' in book
    answer = judge.post(
        reverse("penalty", args=[day.slug, victim.number]),
        {
            "infraction": "2.2",
            "step": "3",
            "deal": "preliminary:2:1",
            "reason": "Seven minutes late",
        },
    )
    assert answer.status_code == 302
    for table in day.tables():
        day.play_table(table)
    ticket = day.anybody.get(reverse("ticket", args=[victim.token])).content.decode()
    assert "Seven minutes late" in ticket
    assert "deal loss" in ticket
    public = day.anybody.get(reverse("standings", args=[day.slug]))
    assert "Seven minutes late" not in public.content.decode(errors="replace")
    day.desk("round_close", round_.pk)

    round_ = day.draw_and_publish()
    for table in day.tables():
        day.play_table(table)
    day.desk("round_close", round_.pk)

    # The cut: many are level on the line, a lot settles it, and anybody can check it.
    day.desk("cut_make")
    assert "Level on the line" in day.page("cut")
    day.desk("cut_lot")
    lot = Lot.objects.get()
    assert tuple(lot.order) == lot_order(lot.secret, "cut", lot.players)
    rules = day.anybody.get(reverse("rules", args=[day.slug])).content.decode()
    assert lot.secret in rules
    assert "0005" not in lot.order, "somebody who dropped out cannot reach the cut"

    # One declines, the next moves up; the final is seated and played.
    cut = day.event.cuts.get()
    day.desk("seat_decline", cut.qualifiers.get(place=2).pk, reason="has to leave")
    finalists = list(cut.qualifiers.filter(status="in").select_related("player"))
    assert len(finalists) == 6
    day.desk("final_draw")
    final = day.event.rounds.get(stage="final")
    day.desk("round_publish", final.pk)
    day.play_table(day.tables()[0], deals=4)
    day.desk("round_close", final.pk)
    day.desk("finish", version=version_of(day.event))

    board = standings_for(day.event)
    assert len(board.final) == 6
    assert {row.number for row in board.final} == {one.player.number for one in finalists}
    assert day.event.status == "finished"
    page = day.anybody.get(reverse("event", args=[day.slug])).content.decode()
    assert "Final standings" in page
