"""An event as a file, format `saboteur-event/1`: the facts, nothing that is computed."""

import re
from collections.abc import Collection
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from scoring.reading import (
    MISSING,
    boolean,
    distinct,
    fields,
    integer,
    items,
    join,
    malformed,
    text,
    texts,
)
from scoring.refusal import Refusal
from scoring.rules import AnyDeal, Rules, deal_fields, get_rules, read_deal, write_deal

FORMAT = "saboteur-event/1"
DEFAULT_CUT = 6
LISTS = ("penalties", "dropped", "lots", "declined", "unranked")
# What an event is beside its facts, and what others have added: no standing rests on it.
PASSED_OVER = ("event", "x")
LINE = re.compile(r"semi_final|cut|(table|place):[1-9]\d{0,4}")


class PlayedStage(StrEnum):
    """A part of an event; they follow each other in this order."""

    PRELIMINARY = "preliminary"
    SEMI_FINAL = "semi_final"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """The players in seat order, and their deals in the order played."""

    seats: tuple[str, ...]
    deals: tuple[AnyDeal, ...]


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round of a stage."""

    stage: PlayedStage
    tables: tuple[PlayedTable, ...]


@dataclass(frozen=True, slots=True)
class PenaltyMark:
    """A penalty that stands; steps 3 and 4 zero this deal of this round (from 1)."""

    player: str
    step: int
    round: int
    deal: int


@dataclass(frozen=True, slots=True)
class Dropped:
    """A player who left after this round (from 1; 0: before the first)."""

    player: str
    after_round: int


@dataclass(frozen=True, slots=True)
class SemiFinal:
    """How many come into it, how many best of each of its tables go to the final, and whether
    points and stars run on into it and into the final."""

    seats: int
    per_table: int = 0
    carry: bool = False


@dataclass(frozen=True, slots=True)
class Declined:
    """Who takes no seat in a stage, so that the next in order moves up."""

    player: str
    stage: PlayedStage


@dataclass(frozen=True, slots=True)
class LotMark:
    """A lot that was drawn: the players level on the line, in the order it gave.

    `line`: "semi_final", "cut", "table:N" (the semi-final's table N) or "place:N".
    """

    line: str
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EventFile:
    """Everything that standings are computed from. Rounds hold confirmed sheets only. `unranked`:
    who stands in at a table, is scored there, and has no place in any standing."""

    ruleset: Rules
    players: tuple[str, ...]
    cut: int = DEFAULT_CUT
    rounds: tuple[PlayedRound, ...] = ()
    penalties: tuple[PenaltyMark, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    lots: tuple[LotMark, ...] = ()
    declined: tuple[Declined, ...] = ()
    semi_final: SemiFinal | None = None
    unranked: tuple[str, ...] = ()


def read(obj: object) -> EventFile:
    """The event of a parsed file.

    Refuses `malformed` with the `place`, such as "rounds[0].tables[1].deals[2].connector",
    `role_unknown` likewise, `ruleset_unknown` and `ruleset_change`. Whether the deals
    can be scored shows in the standings.
    """
    given = fields(
        obj,
        "",
        required=("format", "ruleset", "players", "rounds"),
        optional=("changes", "cut", "semi_final", *LISTS, *PASSED_OVER),
    )
    # Before anything else is read: another format may mean other things by the same names.
    if given["format"] != FORMAT:
        raise malformed("format", "not_known")
    players = distinct(texts(given["players"], "players"), "players")
    known = frozenset(players)
    semi_final = _semi_final(given["semi_final"])
    rules = _rules(given["ruleset"], given["changes"])
    return EventFile(
        ruleset=rules,
        players=players,
        cut=DEFAULT_CUT if given["cut"] is MISSING else integer(given["cut"], "cut", 0),
        rounds=_rounds(given["rounds"], rules, known, semi_final is not None),
        penalties=tuple(_penalty(v, p, known) for v, p in _parts(given["penalties"], "penalties")),
        dropped=_dropped(given["dropped"], known),
        lots=tuple(_lot(v, p, known) for v, p in _parts(given["lots"], "lots")),
        declined=tuple(_declined(v, p, known) for v, p in _parts(given["declined"], "declined")),
        semi_final=semi_final,
        unranked=()
        if given["unranked"] is MISSING
        else _players(given["unranked"], "unranked", known),
    )


def _parts(value: object, place: str) -> list[tuple[Any, str]]:
    """The items of a list, each with its place; none where the list was left out."""
    found = [] if value is MISSING else items(value, place)
    return [(part, join(place, i)) for i, part in enumerate(found)]


def _rules(key: object, changes: Any) -> Rules:
    base = get_rules(text(key, "ruleset"))
    return base if changes is MISSING else base.changed(changes)


def _player(value: object, place: str, known: Collection[str]) -> str:
    player = text(value, place)
    if player not in known:
        raise malformed(place, "player_unknown")
    return player


def _players(value: object, place: str, known: Collection[str]) -> tuple[str, ...]:
    found = tuple(_player(v, p, known) for v, p in _parts(value, place))
    return distinct(found, place)


def _choice[E: StrEnum](kind: type[E], value: object, place: str) -> E:
    name = text(value, place)
    if name not in kind:
        raise malformed(place, "not_known")
    return kind(name)


def _rounds(
    value: object, rules: Rules, known: Collection[str], semi_final: bool
) -> tuple[PlayedRound, ...]:
    """In playing order; with a semi-final `standings` refuses any other, as `stage_order`."""
    rounds: list[PlayedRound] = []
    order = list(PlayedStage)
    for part, place in _parts(value, "rounds"):
        found = _round(part, place, rules, known)
        rounds.append(found)
    # With a semi-final the refusal is one of the standings, with a code of its own.
    if not semi_final and PlayedStage.SEMI_FINAL not in {one.stage for one in rounds}:
        for number, (before, after) in enumerate(pairwise(rounds), 1):
            if order.index(after.stage) < order.index(before.stage):
                raise malformed(f"rounds[{number}].stage", "out_of_order")
    return tuple(rounds)


def _round(value: object, place: str, rules: Rules, known: Collection[str]) -> PlayedRound:
    given = fields(value, place, required=("stage", "tables"))
    stage = _choice(PlayedStage, given["stage"], join(place, "stage"))
    # Of the whole round: nobody sits at two of its tables.
    free = set(known)
    tables = []
    for part, at in _parts(given["tables"], join(place, "tables")):
        table = _table(part, at, rules, known)
        for seat, player in enumerate(table.seats):
            if player not in free:
                raise malformed(join(join(at, "seats"), seat), "twice")
            free.remove(player)
        tables.append(table)
    return PlayedRound(stage, tuple(tables))


def _table(value: object, place: str, rules: Rules, known: Collection[str]) -> PlayedTable:
    given = fields(value, place, required=("seats", "deals"))
    seats = _players(given["seats"], join(place, "seats"), known)
    parts = _parts(given["deals"], join(place, "deals"))
    return PlayedTable(seats, tuple(_deal(part, at, rules, len(seats)) for part, at in parts))


def _deal(value: object, place: str, rules: Rules, size: int) -> AnyDeal:
    names = deal_fields(rules)
    given = fields(value, place, optional=names)
    try:
        deal = read_deal(rules, given)
    except Refusal as refusal:
        raise refusal.at(join(place, str(refusal.values.get("place", "roles")))) from None
    if deal.seats not in (None, size):
        told = names[0] if deal.points is None else "points"
        raise malformed(join(place, told), "wrong_number")
    return deal


def _penalty(value: object, place: str, known: Collection[str]) -> PenaltyMark:
    given = fields(value, place, required=("player", "step", "round", "deal"))
    return PenaltyMark(
        player=_player(given["player"], join(place, "player"), known),
        step=integer(given["step"], join(place, "step"), 1, 4),
        round=integer(given["round"], join(place, "round"), 1),
        deal=integer(given["deal"], join(place, "deal"), 1),
    )


def _dropped(value: object, known: Collection[str]) -> tuple[Dropped, ...]:
    found: dict[str, Dropped] = {}
    for part, place in _parts(value, "dropped"):
        given = fields(part, place, required=("player", "after_round"))
        player = _player(given["player"], join(place, "player"), known)
        if player in found:
            raise malformed(join(place, "player"), "twice")
        after = integer(given["after_round"], join(place, "after_round"), 0)
        found[player] = Dropped(player, after)
    return tuple(found.values())


def _lot(value: object, place: str, known: Collection[str]) -> LotMark:
    given = fields(value, place, required=("line", "order"))
    line = text(given["line"], join(place, "line"))
    if not LINE.fullmatch(line):
        raise malformed(join(place, "line"), "not_known")
    return LotMark(line, _players(given["order"], join(place, "order"), known))


def _declined(value: object, place: str, known: Collection[str]) -> Declined:
    given = fields(value, place, required=("player", "stage"))
    stage = _choice(PlayedStage, given["stage"], join(place, "stage"))
    # No cut leads into the preliminaries, so nobody can decline a seat there.
    if stage is PlayedStage.PRELIMINARY:
        raise malformed(join(place, "stage"), "not_known")
    return Declined(_player(given["player"], join(place, "player"), known), stage)


def _semi_final(value: object) -> SemiFinal | None:
    if value is MISSING or value is None:
        return None
    given = fields(value, "semi_final", required=("seats",), optional=("per_table", "carry"))
    per_table = given["per_table"]
    return SemiFinal(
        seats=integer(given["seats"], "semi_final.seats", 1),
        per_table=0 if per_table is MISSING else integer(per_table, "semi_final.per_table", 0),
        carry=False if given["carry"] is MISSING else boolean(given["carry"], "semi_final.carry"),
    )


def write(event: EventFile) -> dict[str, Any]:
    """The event as JSON that `read` takes back to the same event."""
    changes = event.ruleset.changes()
    return {
        "format": FORMAT,
        "ruleset": event.ruleset.key,
        # What is not needed is left out: a file of an event without it reads as it always has.
        **({"changes": changes} if changes else {}),
        "players": list(event.players),
        "cut": event.cut,
        "rounds": [_round_json(event.ruleset, played) for played in event.rounds],
        "penalties": [
            {"player": mark.player, "step": int(mark.step), "round": mark.round, "deal": mark.deal}
            for mark in event.penalties
        ],
        "dropped": [
            {"player": mark.player, "after_round": mark.after_round} for mark in event.dropped
        ],
        "lots": [{"line": mark.line, "order": list(mark.order)} for mark in event.lots],
        **(
            {"declined": [_declined_json(mark) for mark in event.declined]}
            if event.declined
            else {}
        ),
        **({"semi_final": asdict(event.semi_final)} if event.semi_final else {}),
        **({"unranked": list(event.unranked)} if event.unranked else {}),
    }


def _round_json(rules: Rules, played: PlayedRound) -> dict[str, Any]:
    tables = [
        {"seats": list(table.seats), "deals": [write_deal(rules, deal) for deal in table.deals]}
        for table in played.tables
    ]
    return {"stage": str(played.stage), "tables": tables}


def _declined_json(mark: Declined) -> dict[str, str]:
    return {"player": mark.player, "stage": str(mark.stage)}
