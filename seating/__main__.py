"""The seating as a command: `python -m seating COMMAND`, in the manner of `scoring`."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring import command
from scoring.reading import MISSING, boolean, fields, integer, integers, items, join, malformed
from scoring.refusal import Refusal
from seating.draw import DrawRequest, PlanReport, RoundReport, Tables, next_round, plan
from seating.sizes import MAX_SIZE, possible_splits, table_sizes

type Json = dict[str, Any]
type Id = str | int

MAX_PLAYERS, MAX_ROUNDS = 10_000, 20
_OPTIONAL = ("history", "sizes", "max_tables", "forbidden", "unwilling", "seed", "seconds")
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
    drawing = ("ranking", "at_random")
    given = fields(asked, "", required=("players",), optional=(*_OPTIONAL, *drawing))
    names = _Names()
    random, ranking = given["at_random"], given["ranking"]
    request = replace(
        _request(given, names),
        ranking=() if ranking is MISSING else names.known(ranking, "ranking"),
        at_random=random is not MISSING and boolean(random, "at_random"),
    )
    drawn = names.refusing_by_id(lambda: next_round(request))
    return {"rounds": [_named(drawn.tables, names)], "report": _report(drawn.report, names)}


def plan_rounds(asked: object) -> Json:
    """The tables of all rounds of a stage and what they cost."""
    given = fields(asked, "", required=("players", "rounds"), optional=_OPTIONAL)
    names = _Names()
    rounds = integer(given["rounds"], "rounds", 1, MAX_ROUNDS)
    request = _request(given, names)
    planned = names.refusing_by_id(lambda: plan(request, rounds))
    named = [_named(tables, names) for tables in planned.rounds]
    return {"rounds": named, "report": _report(planned.report, names)}


def _request(given: Mapping[str, Any], names: "_Names") -> DrawRequest:
    """What both commands are asked; the players are read before those who may be gone."""
    players = names.present(given["players"])
    history = names.history(given["history"])
    split, seed = given["sizes"], given["seed"]
    return DrawRequest(
        players=players,
        history=history,
        sizes=None if split is MISSING else integers(split, "sizes"),
        max_tables=_max_tables(given),
        forbidden=names.pairs(given["forbidden"]),
        unwilling=frozenset(
            () if given["unwilling"] is MISSING else names.known(given["unwilling"], "unwilling")
        ),
        seed=0 if seed is MISSING else integer(seed, "seed", 0),
        seconds=_seconds(given["seconds"]),
    )


def _named(tables: Tables, names: "_Names") -> list[list[Id]]:
    return [[names.ids[player] for player in table] for table in tables]


def _report(report: RoundReport | PlanReport, names: "_Names") -> Json:
    """The report, with players' ids in place of their numbers."""
    found = report.as_dict()
    for key in ("pairs", "forbidden"):
        if key in found:
            pairs: Iterable[Iterable[int]] = found[key]  # type: ignore[assignment]
            found[key] = [[names.ids[player] for player in pair] for pair in pairs]
    for key in ("off_size_players", "dealers"):
        if key in found:
            players: Iterable[int] = found[key]  # type: ignore[assignment]
            found[key] = [names.ids[player] for player in players]
    return found


class _Names:
    """Numbers for ids, which are strings or integers, in the order they are first read."""

    def __init__(self) -> None:
        self.ids: list[Id] = []
        self._numbers: dict[tuple[type, Id], int] = {}

    def one(self, value: object, place: str) -> int:
        """The number of one id."""
        # Not `isinstance`: true is an int to Python, and no id.
        if type(value) is not str and type(value) is not int:
            raise malformed(place, "not_an_id")
        # 7 and "7" are two people.
        number = self._numbers.setdefault((type(value), value), len(self.ids))
        if number == len(self.ids):
            self.ids.append(value)
        return number

    def each(self, value: object, place: str) -> tuple[int, ...]:
        """The numbers of a list of different ids."""
        parts = enumerate(items(value, place))
        found = tuple(self.one(part, join(place, i)) for i, part in parts)
        self._refuse_twice(found, place)
        return found

    def refusing_by_id[T](self, draw: Callable[[], T]) -> T:
        """Draw; pairs that can't be kept apart are refused by their ids."""
        try:
            return draw()
        except Refusal as refusal:
            pairs: Iterable[Iterable[int]] | None = refusal.values.get("pairs")  # type: ignore[assignment]
            if pairs is None:
                raise
            named = ", ".join(" and ".join(str(self.ids[p]) for p in pair) for pair in pairs)
            raise Refusal(refusal.code, pairs=named) from refusal

    def present(self, value: object) -> tuple[int, ...]:
        """The players to be seated: a list of ids, or how many, who are then 1, 2, 3 …"""
        if not isinstance(value, list):
            value = [*range(1, 1 + integer(value, "players", 0, MAX_PLAYERS))]
        if len(value) > MAX_PLAYERS:
            raise malformed("players", "too_many")
        return self.each(value, "players")

    def known(self, value: object, place: str) -> tuple[int, ...]:
        """Some of those who play or played."""
        parts = [*enumerate(items(value, place))]
        for i, part in parts:
            if not isinstance(part, str | int) or (type(part), part) not in self._numbers:
                raise self._unknown(part, join(place, i))
        return self.each(value, place)

    def _unknown(self, value: object, place: str) -> Refusal:
        if type(value) is str or type(value) is int:
            return Refusal("unknown_player", player=value, place=place)
        return malformed(place, "not_an_id")

    def history(self, value: object) -> tuple[Tables, ...]:
        """Rounds of tables of ids; nobody sits twice in a round."""
        rounds = [] if value is MISSING else items(value, "history")
        return tuple(self._round(part, join("history", i)) for i, part in enumerate(rounds))

    def _round(self, value: object, place: str) -> Tables:
        tables = enumerate(items(value, place))
        found = tuple(self.each(table, join(place, i)) for i, table in tables)
        for i, table in enumerate(found):
            if len(table) > MAX_SIZE:
                raise malformed(join(place, i), "too_many")
        self._refuse_twice([player for table in found for player in table], place)
        return found

    def _refuse_twice(self, players: Sequence[int], place: str) -> None:
        twice = [player for player, times in Counter(players).items() if times > 1]
        if twice:
            raise Refusal("duplicate_player", player=self.ids[twice[0]], place=place)

    def pairs(self, value: object) -> frozenset[frozenset[int]]:
        """Pairs of two who play or played."""
        found = set()
        for i, part in enumerate([] if value is MISSING else items(value, "forbidden")):
            place = join("forbidden", i)
            pair = self.known(part, place)
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
    # Written so that NaN fails as well.
    if type(value) not in (int, float) or not 0 <= value <= MAX_SECONDS:  # type: ignore[operator]
        raise malformed("seconds", "out_of_range")
    return float(value)  # type: ignore[arg-type]


COMMANDS = {"sizes": sizes, "next": next_tables, "plan": plan_rounds}

_MESSAGES = {
    "malformed": "{place}: {problem}",
    "too_few_players": "{players} players are fewer than the {least} of one table",
    "too_few_tables": "{players} players need {least} tables, there are {tables}",
    "sizes_wrong": "tables of {sizes} do not seat {players} players, five to ten at each",
    "duplicate_player": "{place}: {player} is there twice",
    "unknown_player": "{place}: {player} is not one of the players",
    "forbidden_impossible": "no seating was found that keeps apart {pairs}",
}


def words(refusal: Refusal) -> str:
    """A short message in English: the code's sentence with the values in it."""
    shown = {name: str(value) for name, value in refusal.values.items()}
    shown |= {"problem": shown.get("problem", "").replace("_", " ")}
    return _MESSAGES[refusal.code].format(**shown)


if __name__ == "__main__":
    sys.exit(command.run(sys.argv[1:], COMMANDS, words))
