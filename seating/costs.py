"""What a seating costs: who meets again, who sits at an odd table or deals again."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from seating.bounds import (
    least_odd_again,
    least_repeats,
    least_repeats_of_plan,
    least_repeats_of_rounds,
)
from seating.history import PlayerHistory, Tables, player_history
from seating.weights import from_six

type Pair = tuple[int, int]
type Pairs = frozenset[frozenset[int]]


@dataclass(frozen=True, slots=True)
class RoundReport:
    """The quality of one round's seating, given the rounds before it.

    `repeats` counts the pairs who meet again (`pairs`), `most_meetings` the meetings of the
    pair that meets most often. `off_size` counts those who sit at a table smaller or bigger
    than six again although somebody else who was always there has done so less, `off_bound`
    how many of them there are at least; `dealer_again` is the same for dealing. `under`,
    `over`, `dealer_spread`, `same_seat` as in `PlanReport`. `bound`: no seating of these
    sizes has fewer repeats (where nobody meets a third time: none that keeps to that);
    `optimal`: nor has this one more. `forbidden`: pairs who sit together though they must
    not. `seconds`: how long it took; `cut_short`: that there was more to be tried when the
    time was over. `planned`: how many rounds the plan has that this round is from, or 0.
    """

    sizes: tuple[int, ...]
    repeats: int
    most_meetings: int
    off_size: int
    off_bound: int
    dealer_again: int
    bound: int
    optimal: bool
    under: int
    over: int
    dealer_spread: int
    same_seat: int
    pairs: tuple[Pair, ...] = ()
    off_size_players: tuple[int, ...] = ()
    dealers: tuple[int, ...] = ()
    forbidden: tuple[Pair, ...] = ()
    seconds: float = 0.0
    seed: int = 0
    cut_short: bool = False
    planned: int = 0

    def as_dict(self) -> dict[str, object]:
        """The report as JSON."""
        return {
            "sizes": list(self.sizes),
            "repeats": self.repeats,
            "most_meetings": self.most_meetings,
            "off_size": self.off_size,
            "off_bound": self.off_bound,
            "dealer_again": self.dealer_again,
            "bound": self.bound,
            "optimal": self.optimal,
            "exposure": {"under": self.under, "over": self.over},
            "dealer_spread": self.dealer_spread,
            "same_seat": self.same_seat,
            "pairs": [list(pair) for pair in self.pairs],
            "off_size_players": list(self.off_size_players),
            "dealers": list(self.dealers),
            "forbidden": [list(pair) for pair in self.forbidden],
            "seconds": round(self.seconds, 3),
            "seed": self.seed,
            "cut_short": self.cut_short,
            "planned": self.planned,
        }


@dataclass(frozen=True, slots=True)
class PlanReport:
    """The quality of some rounds together.

    `repeats`: for each pair the meetings after the first, added up; `bound`: fewer are
    impossible with these people and table sizes (where no pair meets a third time: as long
    as none does), `optimal`: so no better seating exists. `off_size`: who sat at a table
    smaller or bigger than six again, and did so more than somebody who was always there;
    `off_level`: everybody was always there, and these are as few as can be. `under`, `over`:
    how much oftener somebody sat at a table smaller, bigger than six than somebody else;
    `dealer_spread` likewise for dealing; these three among those who were always there.
    `same_seat`: the times somebody sat in a seat again. `source`: "atlas", "algebra" or
    "search".
    """

    sizes: tuple[int, ...]
    rounds: int
    repeats: int
    bound: int
    optimal: bool
    most_meetings: int
    off_size: int
    off_level: bool
    under: int
    over: int
    dealer_spread: int
    same_seat: int
    forbidden: tuple[Pair, ...] = ()
    source: str = ""
    seconds: float = 0.0
    seed: int = 0
    cut_short: bool = False

    def as_dict(self) -> dict[str, object]:
        """The report as JSON."""
        spreads = {"exposure": {"under": self.under, "over": self.over}}
        facts = {key: value for key, value in asdict(self).items() if key not in ("under", "over")}
        return {**facts, **spreads, "seconds": round(self.seconds, 3)}


def cost_of(
    tables: Tables, history: Sequence[Tables], forbidden: Pairs = frozenset()
) -> RoundReport:
    """What these tables cost, each in seat order with the dealer first, after these rounds."""
    players = sorted(player for table in tables for player in table)
    index = {player: number for number, player in enumerate(players)}
    past = player_history(players, history)
    here = [[index[player] for player in table] for table in tables]
    met = {pair: past.meetings(*pair) for table in here for pair in combinations(table, 2)}
    # Where nobody shares a table this is 0, not 1.
    most = 1 + max(met.values(), default=-1)
    sizes = tuple(len(table) for table in tables)
    again = sorted(_pair(players[a], players[b]) for (a, b), times in met.items() if times)
    odd, dealt = past.odd_before_turn(), past.dealt_before_turn()
    off_size = sorted(p for table in here if from_six(len(table)) for p in table if odd[p])
    dealers = sorted(table[0] for table in here if table and dealt[table[0]])
    # The stronger bound holds only where nobody meets a third time, so it is taken where that is
    # so.
    bound = least_repeats(sizes, players, history, at_most_twice=most <= 2)
    # The spreads are those after this round; who sits off-size or deals again is asked of those
    # before.
    after = player_history(players, [*history, tables])
    return RoundReport(
        sizes=sizes,
        repeats=len(again),
        most_meetings=most,
        off_size=len(off_size),
        off_bound=least_odd_again(past, sizes),
        dealer_again=len(dealers),
        bound=bound,
        optimal=len(again) <= bound,
        under=_spread(after, after.smaller),
        over=_spread(after, after.bigger),
        dealer_spread=_spread(after, after.dealt),
        same_seat=_same_seat(after),
        pairs=tuple(again),
        off_size_players=tuple(players[p] for p in off_size),
        dealers=tuple(players[p] for p in dealers),
        forbidden=met_though_forbidden([tables], forbidden),
    )


def report_of(rounds: Sequence[Tables], forbidden: Pairs = frozenset()) -> PlanReport:
    """What these rounds are like together; people may have come and gone between them."""
    players = sorted({player for tables in rounds for table in tables for player in table})
    past = player_history(players, rounds)
    met: Counter[Pair] = Counter(
        _pair(*two) for tables in rounds for table in tables for two in combinations(table, 2)
    )
    most, repeats = max(met.values(), default=0), sum(times - 1 for times in met.values())
    odd = past.odd_times()
    bound = _bound_of(rounds, at_most_twice=most <= 2, level=max(odd, default=0) < 2)
    return PlanReport(
        sizes=tuple(sorted((len(table) for table in rounds[-1]), reverse=True)) if rounds else (),
        rounds=len(rounds),
        repeats=repeats,
        bound=bound,
        optimal=repeats <= bound,
        most_meetings=most,
        off_size=sum(
            times > 1 and ahead > 0
            for times, ahead in zip(odd, past.odd_before_turn(), strict=True)
        ),
        off_level=min(past.played, default=0) == past.rounds and _spread(past, odd) < 2,
        under=_spread(past, past.smaller),
        over=_spread(past, past.bigger),
        dealer_spread=_spread(past, past.dealt),
        same_seat=_same_seat(past),
        forbidden=met_though_forbidden(rounds, forbidden),
    )


def met_though_forbidden(rounds: Iterable[Tables], forbidden: Pairs) -> tuple[Pair, ...]:
    """The forbidden pairs who sit together in one of these rounds."""
    if not forbidden:
        return ()
    groups = [frozenset(table) for tables in rounds for table in tables]
    together = {pair for pair in forbidden for group in groups if pair <= group}
    return tuple(sorted(_pair(*pair) for pair in together))


def _bound_of(rounds: Sequence[Tables], *, at_most_twice: bool, level: bool) -> int:
    """The stronger bound where everybody was always there and the sizes stayed the same."""
    same = {tuple(sorted(map(len, tables))) for tables in rounds}
    people = {frozenset(p for table in tables for p in table) for tables in rounds}
    general = least_repeats_of_rounds(rounds, at_most_twice=at_most_twice)
    # `least_repeats_of_plan` counts on the same people at the same tables in every round.
    if len(same) != 1 or len(people) != 1:
        return general
    (sizes,) = same
    once = least_repeats_of_plan(sizes, len(rounds), at_most_twice=at_most_twice, level=level)
    return max(general, once)


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def _spread(past: PlayerHistory, counts: Sequence[int]) -> int:
    """By how much they differ among those who were always there."""
    values = [counts[p] for p in past.constant()]
    return max(values, default=0) - min(values, default=0)


def _same_seat(past: PlayerHistory) -> int:
    return sum(times - 1 for counts in past.seats for times in counts if times > 1)
