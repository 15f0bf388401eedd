"""Who sits where in some rounds, and how often everybody meets because of it."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from seating.problem import SeatingProblem
from seating.weights import DEALER, FORBIDDEN, from_six, meeting, one_meeting_more


class Layout:
    """A seating of all rounds of a problem, to be changed by swaps.

    `where[r][p]`: the table of p in round r; `masks[r][t]`: who sits there; `met[k][p]`:
    whom p meets more than k times, these rounds included; `odd[p]`: how far from six p sits in
    these rounds, summed up.
    """

    __slots__ = ("cost", "far", "levels", "masks", "met", "odd", "problem", "where")

    def __init__(self, problem: SeatingProblem, where: Iterable[Sequence[int]]) -> None:
        self.problem = problem
        self.where = [[*row] for row in where]
        self.masks = [[0] * len(problem.sizes) for _ in self.where]
        self.met = [[*level] for level in problem.met]
        # Everybody can meet once more in each round; one level is left over, so that each has a
        # next one.
        self.met += [[0] * problem.players for _ in range(problem.rounds + 1)]
        self.levels = [*pairwise(self.met)]
        self.far = [*map(from_six, problem.sizes)]
        self.odd = [0] * problem.players
        self._sit_down()
        self.cost = self._cost()

    def tables(self) -> list[list[list[int]]]:
        """The players of each table, round by round."""
        found: list[list[list[int]]] = []
        for row in self.where:
            tables: list[list[int]] = [[] for _ in self.problem.sizes]
            for player, table in enumerate(row):
                tables[table].append(player)
            found.append(tables)
        return found

    def uneasy(self) -> list[int]:
        """Whom something costs at their table, as round · players + player. A swap can only be
        better for the sake of one of them."""
        players, again, apart = self.problem.players, self.met[1], self.problem.apart
        displaced = self.problem.displaced
        found = []
        for number, (row, masks) in enumerate(zip(self.where, self.masks, strict=True)):
            lacking = [self.problem.lacking(mask) for mask in masks]
            found += [
                number * players + p
                for p, t in enumerate(row)
                if again[p] & masks[t]
                or lacking[t]
                or apart[p] & masks[t]
                or (displaced and displaced[p][t])
                or (self.far[t] and self._odd_for(p, t))
            ]
        return found

    def _odd_for(self, p: int, t: int) -> int:
        """What it costs p to sit so far from six at this table."""
        price, odd = self.problem.price[p], self.odd[p]
        return price[odd] - price[odd - self.far[t]]

    def forbidden(self) -> list[int]:
        """Those who sit with somebody they must not meet, in the same form."""
        players, apart = self.problem.players, self.problem.apart
        return [
            number * players + p
            for number, (row, masks) in enumerate(zip(self.where, self.masks, strict=True))
            for p, t in enumerate(row)
            if apart[p] & masks[t]
        ]

    def change(self, r: int, p: int, q: int) -> int:
        """What it costs more if p and q, at different tables in round r, change places."""
        problem, masks, row = self.problem, self.masks[r], self.where[r]
        a, b = row[p], row[q]
        bit_p, bit_q = 1 << p, 1 << q
        at_a, at_b = masks[a] ^ bit_p, masks[b] ^ bit_q
        more = 0
        for level, (met, again) in enumerate(self.levels):
            then = (met[p] & at_b).bit_count() + (met[q] & at_a).bit_count()
            now = (again[p] & at_a).bit_count() + (again[q] & at_b).bit_count()
            # Each level holds only people of the one below: nothing here means nothing further up.
            if not then and not now:
                break
            more += one_meeting_more(level) * (then - now)
        if problem.apart[p] or problem.apart[q]:
            then = (problem.apart[p] & at_b).bit_count() + (problem.apart[q] & at_a).bit_count()
            now = (problem.apart[p] & at_a).bit_count() + (problem.apart[q] & at_b).bit_count()
            more += FORBIDDEN * (then - now)
        # Equal tables cost both the same, and most swaps are between equal tables.
        if self.far[a] != self.far[b]:
            more += self._moved(p, a, b) + self._moved(q, b, a)
        if problem.displaced:
            costs_p, costs_q = problem.displaced[p], problem.displaced[q]
            more += costs_p[b] - costs_p[a] + costs_q[a] - costs_q[b]
        for seldom in problem.may_deal:
            # If both have dealt so seldom, neither table lacks somebody because of the swap.
            if not seldom & bit_p or not seldom & bit_q:
                lacking = (not seldom & (at_a | bit_q)) + (not seldom & (at_b | bit_p))
                more += DEALER * (lacking - (not seldom & masks[a]) - (not seldom & masks[b]))
        return more

    def swap(self, r: int, p: int, q: int, more: int) -> None:
        """Change their places; `more`: what that costs."""
        row, masks, far = self.where[r], self.masks[r], self.far
        a, b = row[p], row[q]
        both = 1 << p | 1 << q
        at_a, at_b = masks[a] & ~both, masks[b] & ~both
        self._part(p, at_a)
        self._part(q, at_b)
        self._meet(p, at_b)
        self._meet(q, at_a)
        row[p], row[q] = b, a
        masks[a] ^= both
        masks[b] ^= both
        self.odd[p] += far[b] - far[a]
        self.odd[q] += far[a] - far[b]
        self.cost += more

    def _moved(self, p: int, a: int, b: int) -> int:
        """What the size of table b costs p more than the size of table a."""
        odd, price = self.odd[p], self.problem.price[p]
        return price[odd + self.far[b] - self.far[a]] - price[odd]

    def _sit_down(self) -> None:
        for row, masks in zip(self.where, self.masks, strict=True):
            for player, table in enumerate(row):
                self._meet(player, masks[table])
                masks[table] |= 1 << player
                self.odd[player] += self.far[table]

    def _meet(self, player: int, others: int) -> None:
        """One meeting more with each of the others: one level up."""
        bit = 1 << player
        for level in self.met:
            up = others & ~level[player]
            level[player] |= up
            others ^= up
            while up:
                low = up & -up
                level[low.bit_length() - 1] |= bit
                up ^= low
            if not others:
                return

    def _part(self, player: int, others: int) -> None:
        """One meeting less with each of the others: one level down."""
        bit = 1 << player
        for level in reversed(self.met):
            down = others & level[player]
            level[player] ^= down
            others ^= down
            while down:
                low = down & -down
                level[low.bit_length() - 1] ^= bit
                down ^= low
            if not others:
                return

    def _cost(self) -> int:
        """What the pairs at the tables, the odd tables, the order and the dealers cost."""
        problem, cost = self.problem, 0
        earlier = [*problem.met, *([0] * problem.players for _ in range(problem.rounds + 1))]
        for level, (before, now) in enumerate(zip(earlier[1:], self.met[1:], strict=False)):
            meetings = sum((now[p] & ~before[p]).bit_count() for p in range(problem.players))
            cost += meeting(level + 1) * meetings // 2
        cost += sum(price[odd] for price, odd in zip(problem.price, self.odd, strict=True))
        for row, masks in zip(self.where, self.masks, strict=True):
            together = sum((problem.apart[p] & masks[t]).bit_count() for p, t in enumerate(row))
            cost += FORBIDDEN * together // 2
            cost += DEALER * sum(problem.lacking(mask) for mask in masks)
            if problem.displaced:
                cost += sum(problem.displaced[p][t] for p, t in enumerate(row))
        return cost
