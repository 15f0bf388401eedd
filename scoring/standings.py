"""Who stands where: the rows of each stage, the lines between them, the order of everybody."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from scoring.cut import CUT, SEMI_CUT, CutLine, Orders, cut_by_tables, cut_line, lot_among
from scoring.eventfile import EventFile, PlayedRound, PlayedStage, SemiFinal
from scoring.penalties import Step
from scoring.refusal import Refusal
from scoring.tallies import PlayerDeal, Tally, player_deals, tally

__all__ = [
    "FinalRow",
    "OrderRow",
    "PlayerDeal",
    "SemiFinalRow",
    "StandingRow",
    "Standings",
    "Tally",
    "player_deals",
    "ranked",
    "standings",
    "tally",
]

LOT = "lot"

type Keys = Mapping[str, tuple[int, ...]]  # what each player is ordered by, lowest first
type Sums = dict[str, dict[str, int]]  # what each player has, by names such as "final_order" has


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
class SemiFinalRow:
    """A semi-finalist's place among all of them, and the table (from 1)."""

    player: str
    rank: int
    points: int
    stars: int
    table: int


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A finalist's place, before any lot. `decided_by` says what parts the row from its
    neighbours.

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
class OrderRow:
    """A player's place in the end; `stage` is the last one they sat in."""

    player: str
    rank: int
    stage: PlayedStage


@dataclass(frozen=True, slots=True)
class Standings:
    """What an event's facts come to. The disqualified and the unranked are in no row.

    `semi_cut`: the line into the semi-final; None without one. `cut`: the line into the final;
    None while the semi-final that decides it is not drawn. `semi_final` and `final` are empty
    until their round is in the file. `order`: everybody's place in the end.
    """

    preliminary: tuple[StandingRow, ...]
    semi_cut: CutLine | None
    cut: CutLine | None
    disqualified: tuple[str, ...]
    semi_final: tuple[SemiFinalRow, ...]
    final: tuple[FinalRow, ...]
    order: tuple[OrderRow, ...]
    unranked: tuple[str, ...] = ()


def standings(event: EventFile) -> Standings:
    """The standings of an event.

    Refuses what `score_deal` refuses, with its `place`; with a semi-final also `stage_order`,
    `semi_seats` and `not_qualified`.
    """
    if event.semi_final or _rounds(event, PlayedStage.SEMI_FINAL):
        _check_stages(event)
    return _Event(event).standings()


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


class _Event:
    """The sums of an event's stages, and what follows from them."""

    def __init__(self, event: EventFile) -> None:
        self.event = event
        self.semi = event.semi_final
        self.gone = {mark.player for mark in event.penalties if mark.step == Step.DISQUALIFICATION}
        self.without_rank = self.gone | set(event.unranked)
        self.tallies = {stage: tally(event, stage) for stage in PlayedStage}
        self.seated = {stage: _seated(event, stage) for stage in PlayedStage}
        self.preliminary = self._of_preliminary()
        self.semi_final = self._of_semi_final()
        self.final = self._of_final()

    def standings(self) -> Standings:
        return Standings(
            preliminary=self._preliminary_rows(),
            semi_cut=self._semi_cut(self.semi) if self.semi else None,
            cut=self._cut(),
            disqualified=tuple(sorted(self.gone)),
            semi_final=self._semi_final_rows(),
            final=self._final_rows(),
            order=tuple(self._order()),
            unranked=tuple(sorted(set(self.event.unranked) - self.gone)),
        )

    # --- Sums and orders ------------------------------------------------------------------

    @property
    def _preliminary_names(self) -> list[str]:
        return list(self.event.ruleset.preliminary_order)

    @property
    def _semi_final_names(self) -> list[str]:
        names = self._preliminary_names
        return [*names, *(f"preliminary_{name}" for name in names)]

    @property
    def _final_names(self) -> list[str]:
        """The ruleset's steps but for the lot; a semi-final's come before the preliminaries'."""
        names = [name for name in self.event.ruleset.final_order if name != LOT]
        if self.semi:
            own = [name for name in names if not name.startswith("preliminary_")]
            names[len(own) : len(own)] = [f"semi_final_{name}" for name in own]
        return names

    def _of_preliminary(self) -> Sums:
        return {
            player: {"points": own.points, "stars": own.stars, "deals": own.deals}
            for player, own in self.tallies[PlayedStage.PRELIMINARY].items()
        }

    def _of_semi_final(self) -> Sums:
        """Counted from zero, or with the preliminaries carried on."""
        carried = self.preliminary if self.semi and self.semi.carry else {}
        return {
            player: self._counted(PlayedStage.SEMI_FINAL, player, carried)
            | _named("preliminary", self.preliminary[player])
            for player in self.seated[PlayedStage.SEMI_FINAL]
        }

    def _of_final(self) -> Sums:
        carried = self.semi_final if self.semi and self.semi.carry else {}
        return {
            player: self._counted(PlayedStage.FINAL, player, carried)
            | _named("preliminary", self.preliminary[player])
            | _named("semi_final", self.semi_final.get(player, {}))
            for player in self.seated[PlayedStage.FINAL]
        }

    def _counted(self, stage: PlayedStage, player: str, carried: Sums) -> dict[str, int]:
        own, before = self.tallies[stage][player], carried.get(player, {})
        return {
            "points": own.points + before.get("points", 0),
            "stars": own.stars + before.get("stars", 0),
        }

    # --- Rows -----------------------------------------------------------------------------

    def _preliminary_rows(self) -> tuple[StandingRow, ...]:
        # Before places are given: whoever stood behind a disqualified player moves up.
        keys = self._staying(_keys(self.preliminary, self._preliminary_names))
        return tuple(StandingRow(who, rank, **self.preliminary[who]) for who, rank in _places(keys))

    def _semi_final_rows(self) -> tuple[SemiFinalRow, ...]:
        keys = self._staying(_keys(self.semi_final, self._semi_final_names))
        tables = self.seated[PlayedStage.SEMI_FINAL]
        return tuple(
            SemiFinalRow(who, rank, own["points"], own["stars"], tables[who])
            for who, rank in _places(keys)
            for own in [self.semi_final[who]]
        )

    def _final_rows(self) -> tuple[FinalRow, ...]:
        names = self._final_names
        keys = self._staying(_keys(self.final, names))
        decided = _decided_by(keys, names)
        return tuple(
            FinalRow(
                who,
                rank,
                own["points"],
                own["stars"],
                own["preliminary_points"],
                own["preliminary_stars"],
                decided[who],
            )
            for who, rank in _places(keys)
            for own in [self.final[who]]
        )

    def _staying(self, keys: Keys) -> dict[str, tuple[int, ...]]:
        return {who: key for who, key in keys.items() if who not in self.without_rank}

    def _order(self) -> Iterator[OrderRow]:
        """Finalists before everybody, then the semi-final's others, then the preliminaries'."""
        placed: set[str] = set()
        for stage, keys in (
            (PlayedStage.FINAL, _keys(self.final, self._final_names)),
            (PlayedStage.SEMI_FINAL, _keys(self.semi_final, self._semi_final_names)),
            (PlayedStage.PRELIMINARY, _keys(self.preliminary, self._preliminary_names)),
        ):
            here = {who: key for who, key in self._staying(keys).items() if who not in placed}
            # A rank counts on from all who are placed already, so nobody behind the final shares
            # one of its.
            ahead = len(placed)
            for rank, level in groupby(_places(here), key=lambda place: place[1]):
                players = [who for who, _rank in level]
                yield from self._level_rows(stage, ahead + rank, players)
            placed |= here.keys()

    def _level_rows(self, stage: PlayedStage, rank: int, players: list[str]) -> Iterator[OrderRow]:
        """Those who share a rank, or one after the other where a lot was drawn for it."""
        # A lot stands for good: it counts as long as it names all who are level at this place now.
        order = lot_among(players, self._lots(f"place:{rank}")) if len(players) > 1 else ()
        for place, who in enumerate(order or players):
            yield OrderRow(who, rank + place if order else rank, stage)

    # --- Lines ----------------------------------------------------------------------------

    def _semi_cut(self, semi: SemiFinal) -> CutLine:
        rows = _all_rows(_keys(self.preliminary, self._preliminary_names))
        out = self._out(PlayedStage.SEMI_FINAL)
        return cut_line(rows, semi.seats, out, self._lots(SEMI_CUT), SEMI_CUT)

    def _cut(self) -> CutLine | None:
        out = self._out(PlayedStage.FINAL)
        if not self.semi:
            rows = _all_rows(_keys(self.preliminary, self._preliminary_names))
            return cut_line(rows, self.event.cut, out, self._lots(CUT))
        played = _rounds(self.event, PlayedStage.SEMI_FINAL)
        if not played:
            return None
        rows = _all_rows(_keys(self.semi_final, self._semi_final_names))
        # A semi-final is one round, as `_check_stages` makes sure.
        tables = [table.seats for table in played[0].tables] if self.semi.per_table else []
        return cut_by_tables(rows, tables, self.semi.per_table, self.event.cut, out, self._lots)

    def _out(self, stage: PlayedStage) -> set[str]:
        """Who takes no seat in a stage. Once its first deal is in the file, whoever sits in it
        has taken theirs."""
        out = self.without_rank | {mark.player for mark in self.event.dropped}
        out |= {mark.player for mark in self.event.declined if mark.stage is stage}
        begun = any(table.deals for r in _rounds(self.event, stage) for table in r.tables)
        return (out - self.seated[stage].keys() if begun else out) | set(self.event.unranked)

    def _lots(self, line: str) -> Orders:
        return [lot.order for lot in self.event.lots if lot.line == line]


def _check_stages(event: EventFile) -> None:
    """The stages one after the other, and as many people in each as fit into the next."""
    semi, final = (_rounds(event, stage) for stage in (PlayedStage.SEMI_FINAL, PlayedStage.FINAL))
    order = [list(PlayedStage).index(played.stage) for played in event.rounds]
    announced = event.semi_final
    if order != sorted(order) or len(semi) > 1 or len(final) > 1 or announced is None:
        raise Refusal("stage_order")
    if final and not semi:
        raise Refusal("stage_order")
    tables = semi[0].tables if semi else ()
    # More places by table than seats in the final could not all be given.
    if announced.seats < event.cut or announced.per_table * len(tables) > event.cut:
        raise Refusal("semi_seats", seats=announced.seats, cut=event.cut)
    in_semi = _seated(event, PlayedStage.SEMI_FINAL)
    for player in _seated(event, PlayedStage.FINAL):
        if player not in in_semi:
            raise Refusal("not_qualified", player=player)


def _rounds(event: EventFile, stage: PlayedStage) -> list[PlayedRound]:
    return [played for played in event.rounds if played.stage is stage]


def _seated(event: EventFile, stage: PlayedStage) -> dict[str, int]:
    """Whoever sits in a stage, and at which table (from 1)."""
    return {
        player: number
        for played in _rounds(event, stage)
        for number, table in enumerate(played.tables, 1)
        for player in table.seats
    }


def _named(stage: str, sums: Mapping[str, int]) -> dict[str, int]:
    return {f"{stage}_{name}": sums[name] for name in ("points", "stars") if name in sums}


def _keys(sums: Sums, names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    return {who: tuple(-own[name] for name in names) for who, own in sums.items()}


@dataclass(frozen=True, slots=True)
class _Place:
    player: str
    rank: int


def _all_rows(keys: Keys) -> list[_Place]:
    """Everybody in order, the disqualified too: a line says who of them is left out."""
    return [_Place(who, rank) for who, rank in _places(keys)]


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
