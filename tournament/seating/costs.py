"""What a seating costs: who meets again, who sits at an odd table or deals again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournament.seating.bounds import least_repeats
from tournament.seating.past import Past, Tables, past_of
from tournament.seating.sizes import PREFERRED


@dataclass(frozen=True, slots=True)
class Report:
    """The quality of one round's seating, given the rounds before it.

    `repeats` counts the pairs who meet again (`pairs`), `most_meetings` the meetings of the
    pair that meets most often. `off_size` counts those who sit at a table smaller or bigger
    than six and now have done so at least twice more often than somebody else who was
    always there; `dealer_again` likewise for dealing. `bound`: no seating of these sizes
    has fewer repeats (where nobody meets a third time: none that keeps to that).
    """

    sizes: tuple[int, ...]
    repeats: int
    most_meetings: int
    off_size: int
    dealer_again: int
    bound: int
    pairs: tuple[tuple[int, int], ...] = ()
    off_size_players: tuple[int, ...] = ()
    dealers: tuple[int, ...] = ()
    seconds: float = 0.0
    seed: int = 0

    def as_dict(self) -> dict[str, object]:
        """The report as JSON."""
        return {
            "sizes": list(self.sizes),
            "repeats": self.repeats,
            "most_meetings": self.most_meetings,
            "off_size": self.off_size,
            "dealer_again": self.dealer_again,
            "bound": self.bound,
            "pairs": [list(pair) for pair in self.pairs],
            "off_size_players": list(self.off_size_players),
            "dealers": list(self.dealers),
            "seconds": round(self.seconds, 3),
            "seed": self.seed,
        }


def cost_of(
    tables: Tables, history: Sequence[Tables], seconds: float = 0.0, seed: int = 0
) -> Report:
    """What these tables cost, each in seat order with the dealer first, after these rounds."""
    players = sorted(player for table in tables for player in table)
    index = {player: number for number, player in enumerate(players)}
    past = past_of(players, history)
    here = [[index[player] for player in table] for table in tables]
    met = {pair: past.meetings(*pair) for table in here for pair in combinations(table, 2)}
    most = 1 + max(met.values(), default=-1)
    sizes = tuple(len(table) for table in tables)
    again = [tuple(sorted((players[a], players[b]))) for (a, b), times in met.items() if times]
    off_size = _off_size_again(past, here)
    dealers = _more_than_others(past, past.dealt, {table[0]: 1 for table in here if table})
    return Report(
        sizes=sizes,
        repeats=len(again),
        most_meetings=most,
        off_size=len(off_size),
        dealer_again=len(dealers),
        bound=least_repeats(sizes, players, history, at_most_twice=most <= 2),
        pairs=tuple((a, b) for a, b in sorted(again)),
        off_size_players=tuple(players[p] for p in off_size),
        dealers=tuple(players[p] for p in dealers),
        seconds=seconds,
        seed=seed,
    )


def _off_size_again(past: Past, tables: Tables) -> list[int]:
    """Who sits at a small or a big table too often; the two are counted apart."""
    size = {p: len(table) for table in tables for p in table}
    under = {p: PREFERRED - k for p, k in size.items() if k < PREFERRED}
    over = {p: k - PREFERRED for p, k in size.items() if k > PREFERRED}
    found = (_more_than_others(past, past.under, under), _more_than_others(past, past.over, over))
    return sorted({p for part in found for p in part})


def _more_than_others(past: Past, before: Sequence[int], now: Mapping[int, int]) -> list[int]:
    """Who had some before, gets more now, and then has two more than the least of the others."""
    if not before:
        return []
    least = min(before[p] + now.get(p, 0) for p in past.constant())
    return [p for p, more in sorted(now.items()) if before[p] and before[p] + more - least > 1]
