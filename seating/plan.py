"""All rounds of a stage at once: from the atlas, by algebra, or by search."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from seating import atlas
from seating.algebra import without_repeats
from seating.bounds import least_repeats_of_plan
from seating.history import PlayerHistory
from seating.layout import Layout
from seating.problem import problem_of
from seating.search import Late, descend, polish, search
from seating.sizes import PREFERRED, TOURNAMENT, table_sizes
from seating.weights import ODD, REPEAT

RELABELS = 300  # people tried in the place of each who would meet whom they must not

type Tables = list[list[int]]


@dataclass(frozen=True, slots=True)
class Sought:
    """A plan to be made for players numbered from 0, as they are in `past` too."""

    past: PlayerHistory
    sizes: tuple[int, ...]
    rounds: int
    forbidden: tuple[tuple[int, int], ...] = ()

    @property
    def players(self) -> int:
        """How many there are."""
        return len(self.past.played)


@dataclass(frozen=True, slots=True)
class Found:
    """The players of each table in each round, and where that comes from."""

    rounds: list[Tables]
    source: str


def best_plan(sought: Sought, random: Random, trials: int, late: Late) -> Found:
    """The best plan that the atlas, algebra or about so many trials give."""
    known = _known(sought, random)
    if known is not None:
        known = _relabelled(known, sought, random)
        # Without a repeat there is nothing to be had for an odd table.
        if _is_fit(known, sought) and known.source == "algebra":
            return known
    problem = problem_of(
        sought.past,
        sought.sizes,
        rounds=sought.rounds,
        bound=_bound(sought),
        forbidden=sought.forbidden,
    )
    if known is not None:
        begin = [_where(tables, sought.players) for tables in known.rounds]
        if _is_fit(known, sought):
            # Long searches kept odd tables level at any price; in a few plans that is too high.
            weighed = Layout(problem, begin)
            level = weighed.cost
            better = descend(weighed, late, range(sought.players)).cost < level
            return Found(weighed.tables(), known.source) if better else known
        # Half of the work from the known plan, half from anew; `late` is told a share of the whole.
        best = polish(problem, random, trials // 2, lambda share: late(share / 2), begin)
        if best.cost <= problem.goal:
            return Found(best.tables(), known.source)
        other = search(problem, random, trials // 2, lambda share: late((1 + share) / 2))
        best = min(best, other, key=lambda layout: layout.cost)
        return Found(best.tables(), "search")
    return Found(search(problem, random, trials, late).tables(), "search")


def _bound(sought: Sought) -> int:
    """No plan costs less than so many repeats, besides what its odd tables cost at least."""
    level, any_plan = (
        least_repeats_of_plan(sought.sizes, sought.rounds, at_most_twice=True, level=level)
        for level in (True, False)
    )
    # A plan that is not level has somebody at an odd table once too often.
    return min(level, any_plan + ODD // REPEAT)


def _known(sought: Sought, random: Random) -> Found | None:
    """A plan that needs no search; the players are any numbers."""
    # What is stored or written down at once knows nothing of rounds played before.
    if sought.past.rounds:
        return None
    # The atlas has one split for each number of players.
    default = min(sought.sizes) in TOURNAMENT and sought.sizes == table_sizes(sought.players)
    stored = atlas.stored(sought.players, sought.rounds) if default else None
    if stored is not None:
        return Found([_tables(row, sought.sizes) for row in stored], "atlas")
    rounds = without_repeats(sought.sizes, sought.rounds, random)
    return None if rounds is None else Found(rounds, "algebra")


def _tables(row: Sequence[int], sizes: Sequence[int]) -> Tables:
    tables: Tables = [[] for _ in sizes]
    for player, table in enumerate(row):
        tables[table].append(player)
    return tables


def _where(tables: Tables, players: int) -> list[int]:
    where = [0] * players
    for number, table in enumerate(tables):
        for player in table:
            where[player] = number
    return where


def _is_fit(found: Found, sought: Sought) -> bool:
    """No forbidden pair meets, and nobody is more than once oftener at an odd table."""
    groups = [set(table) for tables in found.rounds for table in tables]
    if any(one in group and two in group for one, two in sought.forbidden for group in groups):
        return False
    often = [0] * sought.players
    for group in groups:
        if len(group) != PREFERRED:
            for player in group:
                often[player] += 1
    return max(often) - min(often) <= 1


def _relabelled(known: Found, sought: Sought, random: Random) -> Found:
    """The same plan with the players in other places, chosen so that no forbidden pair meets."""
    player_at = [*range(sought.players)]
    # A plan's places are given out by lot: as random as a first round by chance, and it costs
    # nothing.
    random.shuffle(player_at)
    if sought.forbidden:
        _part(player_at, known, sought, random)
    rounds = [[[player_at[at] for at in table] for table in tables] for tables in known.rounds]
    return Found(rounds, known.source)


def _part(player_at: list[int], known: Found, sought: Sought, random: Random) -> None:
    """Change places until nobody meets whom they must not, or it does not seem to be possible."""
    meets = [0] * sought.players
    for tables in known.rounds:
        for table in tables:
            group = sum(1 << at for at in table)
            for at in table:
                # Nobody is their own foe, so one's own bit does no harm.
                meets[at] |= group
    foes: dict[int, list[int]] = {}
    for one, other in sought.forbidden:
        foes.setdefault(one, []).append(other)
        foes.setdefault(other, []).append(one)
    place = [0] * sought.players
    for at, player in enumerate(player_at):
        place[player] = at

    def met(player: int, other: int) -> int:
        """How many foes meet the two, were they to change places; who is their own foe counts."""
        place[player], place[other] = place[other], place[player]
        found = sum(
            meets[place[one]] >> place[foe] & 1
            for one in (player, other)
            for foe in foes.get(one, ())
        )
        place[player], place[other] = place[other], place[player]
        return found

    # Again and again: parting one pair may bring others together. Sorted, so that a seed says it
    # all.
    for player in RELABELS // 10 * sorted(foes):
        # Changed with themselves, a player's foes are counted twice: hence the halves below.
        now = met(player, player)
        if not now:
            continue
        others = random.sample(range(sought.players), min(RELABELS, sought.players))
        gains = (
            (met(player, other) - now // 2 - met(other, other) // 2, other) for other in others
        )
        _, other = min(gains)
        place[player], place[other] = place[other], place[player]
    for player, at in enumerate(place):
        player_at[at] = player
