"""Three evenings of a club by their pages: the base game, Saboteur 2, the Duel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.journeys.test_road import Staff, anybody, filled, told_wrong
from tests.journeys.test_whole_day import hidden_fields
from tests.tournament.test_editions import FOREIGN, words_of_page
from tournament.models import Event, Player, Round, Table
from tournament.queries.check_event import first_difference
from tournament.queries.standings import standings_for
from tournament.queries.versions import version_of
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db(transaction=True)


class Evening:
    """A club's evening: its organiser, and a phone on each table."""

    def __init__(self, preset: str, people: int, **settings: str) -> None:
        self.club, self.phone = Staff("Olga"), Client()
        day = timezone.now() + timedelta(days=3)
        name = f"Evening {preset}"
        self.slug = self.club.new_event(name, day, preset, **settings).slug
        for _number in range(people):
            self.come()

    @property
    def event(self) -> Event:
        return Event.objects.get(slug=self.slug)

    def come(self) -> None:
        """Somebody walks in."""
        number = self.event.players.count() + 1
        form = self.club.client.get(reverse("player_add", args=[self.slug])).context["form"]
        data = filled(form) | {"name": f"Dwarf Number{number}", "walk_in": "1", "then": "here"}
        self.club.press("player_add", self.slug, **data)
        player = self.event.players.get(number=number)
        if player.status != "checked_in":
            self.club.press("player_move", self.slug, number, "check-in")

    def draw(self, **choices: str) -> list[Table]:
        self.club.press("round_draw", self.slug, **choices)
        round_ = self.event.rounds.get(status="drawn")
        self.club.press("round_publish", self.slug, round_.pk)
        return tables_of(self.event.rounds.get(pk=round_.pk))

    def enter(self, table: Table, number: int, **taps: Any) -> None:
        """As the dealer's thumb fills the page."""
        address = reverse("table_link:deal", args=[table.token, number])
        page = self.phone.get(address)
        assert page.status_code == 200
        answer = self.phone.post(address, hidden_fields(page.content.decode()) | taps)
        assert answer.status_code == 302, told_wrong(answer)

    def hand_in(self, table: Table) -> None:
        answer = self.phone.post(reverse("table_link:submit", args=[table.token]))
        assert answer.status_code == 302

    def close(self) -> None:
        round_ = self.event.rounds.get(status="published")
        self.club.press("round_close", self.slug, round_.pk)

    def finish(self) -> None:
        self.club.press("finish", self.slug, version=version_of(self.event))
        assert first_difference(self.event) is None

    def standings(self) -> list[tuple[int, int, int]]:
        """Rank, points and stars of everybody, as they stand."""
        return [(row.rank, row.points, row.stars) for row in standings_for(self.event).ranked]

    def shows_no_other_game(self, ruleset: str) -> None:
        for name in ("event", "rules", "standings", "seats", "questions"):
            page = self.phone.get(reverse(name, args=[self.slug])).content.decode()
            words = words_of_page(page).replace("start", "").replace("lodestar", "")
            assert not [word for word in FOREIGN[ruleset] if word in words], name


def roles(names: Sequence[str]) -> dict[str, str]:
    return {f"role-{seat}": name for seat, name in enumerate(names, 1)}


def base(saboteurs: Sequence[int], seats: int, gold: Mapping[int, str] = {}) -> dict[str, str]:
    dealt = ["saboteur" if seat in saboteurs else "miner" for seat in range(1, seats + 1)]
    return roles(dealt) | {f"gold-{seat}": cards for seat, cards in gold.items()}


def test_an_evening_of_the_base_game() -> None:
    evening = Evening("base", 11)
    six, five = evening.draw()
    assert (six.seats.count(), five.seats.count()) == (6, 5)
    # Seat 1 reached it: six cards go 1, 6, 5, 2, 1, 6.
    evening.enter(six, 1, connector="1", **base((3, 4), 6, {1: "12", 2: "1", 5: "3", 6: "1 1"}))
    evening.enter(six, 2, connector="none", **base((3, 4), 6))  # two saboteurs: 3 each
    evening.enter(six, 3, connector="none", **base((5,), 6))  # one of them was left over: 4
    # Seat 5 reached it: five cards go 5, 4, 3, 5, 4.
    evening.enter(five, 1, connector="5", **base((1, 2), 5, {3: "2", 4: "11", 5: "33"}))
    evening.enter(five, 2, connector="none", **base((1,), 5))
    evening.enter(five, 3, connector="none", **base((1, 2), 5))
    assert "7 " in words_of_page(
        evening.phone.get(reverse("table_link:sheet", args=[six.token])).content.decode()
    )
    for table in (six, five):
        evening.hand_in(table)
    evening.close()
    # Six: 3, 1, 3, 3, 7, 2. Five: 7, 3, 2, 2, 6. Level at the top: the win is shared.
    assert evening.standings() == [
        (1, 7, 0),
        (1, 7, 0),
        (3, 6, 0),
        *[(4, 3, 0)] * 4,
        *[(8, 2, 0)] * 3,
        (11, 1, 0),
    ]
    evening.finish()
    assert "Most nuggets first" in anybody("rules", evening.slug)
    evening.shows_no_other_game("base-classic")


def test_an_evening_of_saboteur_2() -> None:
    evening = Evening("saboteur-2", 12, rounds_planned="2", max_tables="2")
    (table,) = evening.draw(sizes="12", games="1")
    assert table.seats.count() == 12
    dwarfs = roles(
        ["blue"] * 3
        + ["green"] * 3
        + ["boss", "profiteer", "geologist", "geologist", "saboteur", "saboteur"]
    )
    # Five win and get one each, the boss and the profiteer less; each geologist one of three
    # crystals; the fourth takes the one of the first.
    evening.enter(
        table, 1, connector="1", crystals="3", **dwarfs, **{"thief-1": "4", "victim-1": "1"}
    )
    # A saboteur and the profiteer win; the other saboteur is in jail.
    evening.enter(table, 2, connector="none", jailed=["12"], **dwarfs)
    evening.enter(table, 3, connector="none", **dwarfs)
    evening.hand_in(table)
    evening.close()
    # 0 1 1 1 0 0 | boss 0, profiteer 2 + 1, geologists 1 1 | saboteurs 4 + 3, 3
    assert [points for _rank, points, _stars in evening.standings()] == [
        *(7, 3, 3),
        *(1, 1, 1, 1, 1),
        *(0, 0, 0, 0),
    ]

    for _number in range(2):
        evening.come()
    tables = evening.draw(sizes="7-7", games="2")
    assert [one.seats.count() for one in tables] == [7, 7]
    seven = roles(["blue", "blue", "green", "boss", "geologist", "saboteur", "green"])
    for one in tables:
        for number in (1, 2, 3):  # the saboteur alone wins: 5 each time
            evening.enter(one, number, connector="none", **seven)
        evening.hand_in(one)
    evening.close()
    played = evening.standings()
    assert sum(points for _rank, points, _stars in played) == 18 + 30
    evening.finish()
    evening.shows_no_other_game("saboteur-2")


def duel(first: int, second: int) -> dict[str, str]:
    return {"gold-1": str(first), "gold-2": str(second)}


def test_an_evening_of_duels() -> None:
    evening = Evening("duel", 9, rounds_planned="3")
    byes: list[Player] = []
    met: set[frozenset[int]] = set()
    for _round in range(3):
        *pairs, alone = evening.draw()
        assert [table.seats.count() for table in pairs] == [2, 2, 2, 2]
        byes.append(alone.seats.get().player)
        assert "without an opponent" in anybody("table_link:sheet", alone.token)
        assert "you have no opponent" in anybody("ticket", byes[-1].token)
        for table in pairs:
            pair = frozenset(table.seats.values_list("player__number", flat=True))
            assert pair not in met, "new faces as long as there are some"
            met.add(pair)
            # The lower number wins by 5 to 4 each time.
            low = table.seats.get(position=1).player.number == min(pair)
            for number, (more, less) in enumerate(((3, 1), (0, 2), (2, 1)), 1):
                evening.enter(table, number, **duel(*((more, less) if low else (less, more))))
            evening.hand_in(table)
        evening.close()
    assert len({player.pk for player in byes}) == 3, "nobody is without an opponent twice"
    wins = {row.number: row.stars for row in standings_for(evening.event).rows}
    assert sum(wins.values()) == 3 * 5, "four duels and a bye in each round"

    evening.club.press("cut_make", evening.slug)
    if "Level on the line" in evening.club.page("cut", evening.slug):
        evening.club.press("cut_lot", evening.slug)
    evening.club.press("final_draw", evening.slug)
    final = Round.objects.get(stage="final")
    evening.club.press("round_publish", evening.slug, final.pk)
    (table,) = tables_of(final)
    for number in (1, 2, 3):
        evening.enter(table, number, **duel(1, 4))
    evening.hand_in(table)
    evening.club.press("round_close", evening.slug, final.pk)
    evening.finish()
    winner = standings_for(evening.event).final[0]
    assert winner.number == table.seats.get(position=2).player.number
    assert (winner.points, winner.stars) == (12, 1)
    evening.shows_no_other_game("duel")
