"""The seating as a command: `python -m tournament.seating COMMAND`, in the manner of `scoring`."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from scoring import command
from scoring.reading import MISSING, fields, integer, integers, items, join, malformed
from scoring.refusal import Refusal
from tournament.seating.draw import Drawn, DrawRequest, next_round
from tournament.seating.sizes import possible_splits, table_sizes

type Json = dict[str, Any]
type Id = str | int
type Rounds = tuple[tuple[tuple[int, ...], ...], ...]

MAX_PLAYERS = 10_000
MAX_SECONDS = 60


def sizes(asked: object) -> Json:
    """The default split of so many players, and what else there is."""
    given = fields(asked, "", required=("players",), optional=("max_tables",))
    players = integer(given["players"], "players", most=MAX_PLAYERS)
    tables = _max_tables(given)
    splits = possible_splits(players, tables)
    return {"sizes": table_sizes(players, tables), "splits": splits}


def next_tables(asked: object) -> Json:
    """The tables of the next round and what they cost."""
    optional = ("history", "sizes", "max_tables", "forbidden", "seed", "seconds")
    given = fields(asked, "", required=("players",), optional=optional)
    numbers = _Numbers()
    players = numbers.each(given["players"], "players")
    if len(players) > MAX_PLAYERS:
        raise malformed("players", "too_many")
    split, seed = given["sizes"], given["seed"]
    request = DrawRequest(
        players=players,
        history=numbers.history(given["history"]),
        sizes=None if split is MISSING else integers(split, "sizes"),
        max_tables=_max_tables(given),
        forbidden=numbers.pairs(given["forbidden"]),
        seed=0 if seed is MISSING else integer(seed, "seed", 0),
        seconds=_seconds(given["seconds"]),
    )
    return _answer(next_round(request), numbers.ids)


def _answer(drawn: Drawn, ids: Mapping[int, Id]) -> Json:
    report = drawn.report

    def named(players: Iterable[int]) -> list[Id]:
        return [ids[player] for player in players]

    return {
        "tables": [named(table) for table in drawn.tables],
        "report": report.as_dict()
        | {
            "pairs": [named(pair) for pair in report.pairs],
            "off_size_players": named(report.off_size_players),
            "dealers": named(report.dealers),
        },
    }


class _Numbers:
    """Numbers for ids, which are strings or integers, in the order they are first read."""

    def __init__(self) -> None:
        self._numbers: dict[Id, int] = {}

    @property
    def ids(self) -> dict[int, Id]:
        """The id of each number."""
        return {number: name for name, number in self._numbers.items()}

    def one(self, value: object, place: str) -> int:
        """The number of one id."""
        if type(value) is str or type(value) is int:
            return self._numbers.setdefault(value, len(self._numbers))
        raise malformed(place, "not_an_id")

    def each(self, value: object, place: str) -> tuple[int, ...]:
        """The numbers of a list of different ids."""
        parts = enumerate(items(value, place))
        found = tuple(self.one(part, join(place, i)) for i, part in parts)
        if len(set(found)) != len(found):
            raise malformed(place, "twice")
        return found

    def history(self, value: object) -> Rounds:
        """Rounds of tables of ids; nobody sits twice in a round."""
        rounds = [] if value is MISSING else items(value, "history")
        return tuple(self._round(part, join("history", i)) for i, part in enumerate(rounds))

    def _round(self, value: object, place: str) -> tuple[tuple[int, ...], ...]:
        tables = enumerate(items(value, place))
        found = tuple(self.each(table, join(place, i)) for i, table in tables)
        seated = [player for table in found for player in table]
        if len(set(seated)) != len(seated):
            raise malformed(place, "twice")
        return found

    def pairs(self, value: object) -> frozenset[frozenset[int]]:
        """Pairs of different ids."""
        found = set()
        for i, part in enumerate([] if value is MISSING else items(value, "forbidden")):
            place = join("forbidden", i)
            pair = self.each(part, place)
            if len(pair) != 2:
                raise malformed(place, "not_a_pair")
            found.add(frozenset(pair))
        return frozenset(found)


def _max_tables(given: Mapping[str, Any]) -> int | None:
    value = given["max_tables"]
    return None if value in (MISSING, None) else integer(value, "max_tables")


def _seconds(value: object) -> float:
    if value is MISSING:
        return 1.0
    if type(value) not in (int, float) or not 0 < value <= MAX_SECONDS:  # type: ignore[operator]
        raise malformed("seconds", "out_of_range")
    return float(value)  # type: ignore[arg-type]


COMMANDS = {"sizes": sizes, "next": next_tables}

_MESSAGES = {
    "malformed": "{place}: {problem}",
    "too_few_players": "{players} players are fewer than the {least} of one table",
    "too_few_tables": "{players} players need {least} tables, there are {tables}",
    "sizes_wrong": "tables of {sizes} do not seat {players} players, five to ten at each",
    "forbidden_pairs": "no seating found that keeps the forbidden pairs apart",
}


def words(refusal: Refusal) -> str:
    """A short message in English: the code's sentence with the values in it."""
    shown = {name: str(value) for name, value in refusal.values.items()}
    shown |= {"problem": shown.get("problem", "").replace("_", " ")}
    return _MESSAGES[refusal.code].format(**shown)


if __name__ == "__main__":
    sys.exit(command.run(sys.argv[1:], COMMANDS, words))
