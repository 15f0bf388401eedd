"""Who stands where: the preliminary order, the cut, and the order of the final."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from scoring.cut import CutLine, cut_line
from scoring.eventfile import EventFile, LotLine, PlayedStage
from scoring.penalties import Step
from scoring.tallies import PlayerDeal, Tally, player_deals, tally

__all__ = [
    "FinalRow",
    "PlayerDeal",
    "StandingRow",
    "Standings",
    "Tally",
    "overall",
    "player_deals",
    "ranked",
    "standings",
    "tally",
]

LOT = "lot"

type Keys = Mapping[str, tuple[int, ...]]  # what each player is ordered by, lowest first


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player's place after the preliminaries; level players share a rank (1, 2, 2, 4).

    `deals` counts those played, void ones too: a deal not played counts 0.
    """

    player: str
    rank: int
    points: int
    stars: int
    deals: int


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A finalist's place. `decided_by` says what parts the row from its neighbours.

    It names the last step of the ruleset's final order that was needed ("points": no
    tie-break), and is None where the rank stays shared.
    """

    player: str
    rank: int
    points: int
    stars: int
    preliminary_points: int
    preliminary_stars: int
    decided_by: str | None = None


@dataclass(frozen=True, slots=True)
class Standings:
    """The record of the cut, and what the final made of it.

    Whoever drops or is disqualified after the cut stays in its record. `final` is empty
    until a deal of the final was played.
    """

    preliminary: tuple[StandingRow, ...]
    cut: CutLine
    disqualified: tuple[str, ...]
    final: tuple[FinalRow, ...]


def standings(event: EventFile) -> Standings:
    """The standings of an event; refuses what `score_deal` refuses, with its `place`."""
    tallies = tally(event, PlayedStage.PRELIMINARY)
    gone = _disqualified(event, before=_cut_round(event))
    rows = ranked(
        {player: found for player, found in tallies.items() if player not in gone},
        event.ruleset.preliminary_order,
    )
    disqualified = _disqualified(event)
    return Standings(
        preliminary=rows,
        cut=_cut(event, rows),
        disqualified=tuple(sorted(disqualified)),
        final=_final(event, tallies, disqualified),
    )


def ranked(
    tallies: Mapping[str, Tally], order: Sequence[str] = ("points", "stars")
) -> tuple[StandingRow, ...]:
    """The players by these sums, highest first; level players by id."""
    keys = {who: tuple(-getattr(own, name) for name in order) for who, own in tallies.items()}
    rows = []
    for who, rank in _places(keys):
        own = tallies[who]
        rows.append(StandingRow(who, rank, own.points, own.stars, own.deals))
    return tuple(rows)


def overall(found: Standings) -> tuple[tuple[str, int], ...]:
    """Everybody with a rank: the finalists first, the others behind by the preliminaries."""
    ranks = {row.player: row.rank for row in found.final}
    out = ranks.keys() | set(found.disqualified)
    others = {row.player: (row.rank,) for row in found.preliminary if row.player not in out}
    ahead = len(ranks)
    return (*ranks.items(), *((player, ahead + rank) for player, rank in _places(others)))


def _cut_round(event: EventFile) -> float:
    """The number of the first round after the cut; no round has it yet: infinity."""
    after = (n for n, r in enumerate(event.rounds, 1) if r.stage is not PlayedStage.PRELIMINARY)
    return next(after, math.inf)


def _disqualified(event: EventFile, before: float = math.inf) -> frozenset[str]:
    """Who was disqualified for something before this round."""
    return frozenset(
        mark.player
        for mark in event.penalties
        if mark.step == Step.DISQUALIFICATION and mark.round < before
    )


def _cut(event: EventFile, rows: Sequence[StandingRow]) -> CutLine:
    """The cut, by the last lot that was drawn among all who are level on the line."""
    first = _cut_round(event)
    dropped = frozenset(mark.player for mark in event.dropped if mark.after_round < first)
    out = dropped.union(event.declined)
    line = cut_line(rows, event.cut, out)
    lot_order = _lot_for(event, LotLine.CUT, line.level)
    return cut_line(rows, event.cut, out, lot_order) if lot_order else line


def _lot_for(event: EventFile, line: LotLine, level: Sequence[str]) -> tuple[str, ...]:
    """The last lot on this line among all of these players; empty: none was drawn."""
    for lot in reversed(event.lots):
        if lot.line is line and set(level) <= set(lot.order):
            return tuple(player for player in lot.order if player in level)
    return ()


def _final(
    event: EventFile, preliminary: Mapping[str, Tally], disqualified: Collection[str]
) -> tuple[FinalRow, ...]:
    """The finalists in order, once a deal of the final was played."""
    sums = {
        player: {
            "points": own.points,
            "stars": own.stars,
            "preliminary_points": preliminary[player].points,
            "preliminary_stars": preliminary[player].stars,
        }
        for player, own in tally(event, PlayedStage.FINAL).items()
        if own.deals and player not in disqualified
    }
    order = [name for name in event.ruleset.final_order if name != LOT]
    keys = {player: tuple(-own[name] for name in order) for player, own in sums.items()}
    keys = _with_lots(event, keys)
    decided = _decided_by(keys, (*order, LOT))
    return tuple(
        FinalRow(player, rank, **sums[player], decided_by=decided[player])
        for player, rank in _places(keys)
    )


def _with_lots(event: EventFile, keys: Keys) -> dict[str, tuple[int, ...]]:
    """The keys, each with the place a lot gave among those who are level, or 0."""
    found: dict[str, tuple[int, ...]] = {}
    for key, group in groupby(sorted(keys, key=keys.__getitem__), key=keys.__getitem__):
        level = tuple(group)
        lot_order = _lot_for(event, LotLine.FINAL, level)
        found |= {who: (*key, lot_order.index(who) if lot_order else 0) for who in level}
    return found


def _decided_by(keys: Keys, names: Sequence[str]) -> dict[str, str | None]:
    """The last of these names needed to part each player from both neighbours."""
    needed = dict.fromkeys(keys, 0)
    for above, below in pairwise(sorted(keys, key=keys.__getitem__)):
        pairs = zip(keys[above], keys[below], strict=True)
        step = next((i for i, (a, b) in enumerate(pairs) if a != b), len(names))
        needed[above], needed[below] = max(needed[above], step), max(needed[below], step)
    return {who: names[step] if step < len(names) else None for who, step in needed.items()}


def _places(keys: Keys) -> Iterator[tuple[str, int]]:
    """Everybody with their rank, lowest key first, those who share a key by id."""
    rank, last = 0, None
    for place, who in enumerate(sorted(keys, key=lambda who: (keys[who], who)), 1):
        if keys[who] != last:
            rank, last = place, keys[who]
        yield who, rank
