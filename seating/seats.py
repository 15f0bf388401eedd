"""Who deals and who sits where at each table, once it is known who sits at it."""

from collections.abc import Collection, Sequence
from random import Random

from seating.history import PlayerHistory

DEALER = 0
DUTY = 1000  # dealing once more weighs more than any seat again
UNWILLING = 100 * DUTY
SWAPS = 30  # tried for each seat of a plan, to even the seats out

type Seats = list[list[int]]  # how often each player had each seat


def in_seat_order(
    past: PlayerHistory, table: Sequence[int], random: Random, unwilling: Collection[int] = ()
) -> list[int]:
    """The players of a table with the dealer first.

    Whoever dealt least deals, and nobody who would rather not if another can; for the
    others it is a seat they had least often.
    """
    players = list(table)
    # Among seats that cost the same, the first one found stays: this makes it chance.
    random.shuffle(players)
    size = len(players)
    costs = [[_cost(past, player, seat, unwilling) for seat in range(size)] for player in players]
    return [players[i] for i in _cheapest(costs)]


def _cost(past: PlayerHistory, player: int, seat: int, unwilling: Collection[int]) -> int:
    """How little this seat suits this player; a newcomer is not the first to deal."""
    had = past.seats[player][seat]
    if seat == DEALER:
        # Who has played more rounds without dealing is due before a newcomer.
        return DUTY * had - past.played[player] + UNWILLING * (player in unwilling)
    # Squared: two people in a seat twice are better than one in it three times.
    return had * had


def _cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """Which row takes each column so that the sum is least (rows and columns alike in number).

    Seats are filled one after the other; for every set of players that can fill the first
    ones, only the cheapest way is kept.
    """
    # Ten people at most, so at most 1,024 sets.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(len(costs)):
        longer: dict[int, tuple[int, tuple[int, ...]]] = {}
        for seated, (cost, order) in best.items():
            for row, row_costs in enumerate(costs):
                key = seated | 1 << row
                if key == seated:
                    continue
                total = cost + row_costs[seat]
                if key not in longer or total < longer[key][0]:
                    longer[key] = (total, (*order, row))
        best = longer
    ((_, order),) = best.values()
    return list(order)


def even_out(
    past: PlayerHistory,
    rounds: Sequence[Sequence[Sequence[int]]],
    random: Random,
    unwilling: Collection[int] = (),
) -> list[list[list[int]]]:
    """The same rounds with the players of each table in such an order that over all rounds
    everybody deals equally often, and nobody has a seat twice where that can be.

    Two people at a table change seats as long as somebody deals or sits too often.
    """
    plan = [[[*table] for table in tables] for tables in rounds]
    had = [[*counts] for counts in past.seats]
    for tables in plan:
        for table in tables:
            for seat, player in enumerate(table):
                had[player][seat] += 1
    tables_of = _tables_of(plan, len(had))
    weigh = _Weight(had, past, plan, unwilling)
    todo = [p for p in range(len(had)) if weigh.bad_seat(p) is not None]
    for _ in range(SWAPS * sum(map(len, tables_of))):
        if not todo:
            break
        _mend_seat(weigh, tables_of, todo, random)
    return plan


class _Weight:
    """What seats cost, with the counts they are judged by."""

    def __init__(
        self,
        had: Seats,
        past: PlayerHistory,
        plan: Sequence[Sequence[Sequence[int]]],
        unwilling: Collection[int],
    ) -> None:
        self.had, self.unwilling = had, unwilling
        # All of them unwilling: somebody deals all the same.
        willing = max(1, len(had) - len(unwilling))
        deals = sum(counts[DEALER] for counts in had)
        self.fewest, self.most = deals // willing, -(-deals // willing)
        seats = max((len(table) for tables in plan for table in tables), default=1)
        played = max(past.played, default=0) + len(plan)
        # So often even the fairest order puts somebody into the same seat.
        self.usual = -(-played // seats)

    def bad_seat(self, player: int) -> int | None:
        """A seat this player has too often, or the dealer's if too seldom; None when fine."""
        counts, deals = self.had[player], self.had[player][DEALER]
        if player in self.unwilling:
            if deals:
                return DEALER
        elif not self.fewest <= deals <= self.most:
            return DEALER
        often = [s for s in range(1, len(counts)) if counts[s] > self.usual]
        return often[0] if often else None

    def change(self, player: int, old: int, new: int) -> int:
        """What it costs this player to have one seat instead of the other."""
        return self._more(player, new, 0) - self._more(player, old, -1)

    def _more(self, player: int, seat: int, add: int) -> int:
        times = self.had[player][seat] + add
        # The squares are weighed: from t times to t + 1 they grow by 2t + 1.
        cost = 2 * times + 1
        if seat == DEALER:
            cost *= 4
            if player in self.unwilling:
                cost += DUTY
        return cost


def _tables_of(plan: list[list[list[int]]], players: int) -> list[list[list[int]]]:
    found: list[list[list[int]]] = [[] for _ in range(players)]
    for tables in plan:
        for table in tables:
            for player in table:
                found[player].append(table)
    return found


def _mend_seat(
    weigh: _Weight, tables_of: list[list[list[int]]], todo: list[int], random: Random
) -> None:
    """Swap one who sits or deals too often with whom at that table it costs least."""
    at = int(random.random() * len(todo))
    # At the end of the list one can be dropped without moving the others.
    todo[at], todo[-1] = todo[-1], todo[at]
    player = todo[-1]
    bad = weigh.bad_seat(player)
    tables = [] if bad is None else _tables_to_mend(weigh, tables_of[player], player, bad)
    if not tables:
        todo.pop()
        return
    table = tables[int(random.random() * len(tables))]
    seat = table.index(player)
    too_seldom = bad == DEALER and seat != DEALER
    others = [DEALER] if too_seldom else [s for s in range(len(table)) if s != seat]
    costs = [
        (
            weigh.change(player, seat, other) + weigh.change(table[other], other, seat),
            # Of equally good ones any.
            random.random(),
            other,
        )
        for other in others
    ]
    more, _, other = min(costs)
    # One swap in ten may make it worse: that leads out of dead ends.
    if more > 0 and random.random() < 0.9:
        return
    _swap_seats(weigh.had, table, seat, other)
    # Whoever had to take the seat may have it too often now.
    todo.append(table[seat])


def _tables_to_mend(
    weigh: _Weight, tables: list[list[int]], player: int, bad: int
) -> list[list[int]]:
    """The tables where the player has that seat; those where they don't deal, if they should."""
    too_seldom = (
        bad == DEALER and player not in weigh.unwilling and weigh.had[player][DEALER] < weigh.fewest
    )
    return [table for table in tables if (table.index(player) == bad) != too_seldom]


def _swap_seats(had: Seats, table: list[int], seat: int, other: int) -> None:
    one, two = table[seat], table[other]
    had[one][seat] -= 1
    had[one][other] += 1
    had[two][other] -= 1
    had[two][seat] += 1
    table[seat], table[other] = two, one
