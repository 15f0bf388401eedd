"""What the pictures of an event show: ranks over the rounds, points by table size, roles drawn."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from scoring.eventfile import EventFile, PlayedRound, PlayedStage
from scoring.penalties import Step
from scoring.roles import Role
from scoring.rulesets import Ruleset
from scoring.standings import standings
from scoring.tallies import tally
from tournament import rulebook
from tournament.models import Event
from tournament.models.rounds import RoundStatus, Stage
from tournament.models.versions import Part
from tournament.queries.fairness import SizeAverage, paid_by_size
from tournament.queries.kept import kept
from tournament.queries.versions import version_of
from tournament.queries.visibility import shown_through

ROLES = tuple(Role)
RARE = 0.1  # players


@dataclass(frozen=True, slots=True)
class RankedRound:
    """A round after which ranks are shown."""

    stage: str
    number: int
    ranks: Mapping[int, int]  # start number -> rank


@dataclass(frozen=True, slots=True)
class Times:
    """How many players drew a role so often, and how many would by chance alone."""

    times: int
    players: int
    expected: float


# Tuples, of which each worker reads thousands after a change (see `standings.Row`).
class DrawnRole(NamedTuple):
    """How often one player drew a role, and how often chance gives it with these tables."""

    role: Role
    drawn: int
    expected: float


class PlayerRoles(NamedTuple):
    deals: int
    roles: tuple[DrawnRole, ...]


@dataclass(frozen=True, slots=True)
class Pictures:
    """`paid`: by size; `times`: by role, from never to the most; `deals` of the event's `counted`
    ones tell the roles: sheets that were typed as points do not."""

    rounds: tuple[RankedRound, ...]
    paid: tuple[SizeAverage, ...]
    counted: int
    deals: int
    times: Mapping[Role, tuple[Times, ...]]
    players: Mapping[int, PlayerRoles]

    def ranks_of(self, number: int) -> tuple[int | None, ...]:
        """After each round; None: not ranked then."""
        return tuple(one.ranks.get(number) for one in self.rounds)


def pictures_of(event: Event) -> Pictures:
    """Of the rounds that everybody may know of. Computed once per version, in a fixed number of
    queries. No name and no word is in it."""
    version, through = version_of(event, Part.STANDINGS), shown_through(event)
    name = f"pictures:{event.pk}:{through}"
    return kept(name, version, lambda: compute_pictures(event, through)).value


def compute_pictures(event: Event, through: int | None = None) -> Pictures:
    file = rulebook.event_file(event, through=through)
    # In the order of the file, which ends with what may be known.
    rounds = event.rounds.played().in_order_of_play().values_list("stage", "number", "status")
    rounds = rounds[: len(file.rounds)]
    roles = _Roles(file)
    return Pictures(
        rounds=tuple(_ranked_rounds(file, list(rounds))),
        paid=paid_by_size(file),
        counted=sum(not deal.void for one in file.rounds for t in one.tables for deal in t.deals),
        deals=roles.deals,
        times={role: roles.times(role) for role in ROLES} if roles.deals else {},
        players=roles.players(),
    )


# --- Ranks ---------------------------------------------------------------------------------------


def _ranked_rounds(
    file: EventFile, rounds: Sequence[tuple[str, int, str]]
) -> Iterator[RankedRound]:
    """After each closed round: while some of its tables still play, ranks tell little."""
    gone = {mark.player for mark in file.penalties if mark.step == Step.DISQUALIFICATION}
    for place, (stage, number, status) in enumerate(rounds, 1):
        if status != RoundStatus.CLOSED:
            continue
        until = replace(file, rounds=file.rounds[:place])
        if stage == Stage.PRELIMINARY:
            ranks = _ranks(until, gone)
        else:
            ranks = {row.player: row.rank for row in standings(until).order}
        yield RankedRound(stage, number, _by_number(ranks))


def _ranks(file: EventFile, gone: set[str]) -> dict[str, int]:
    """Of whoever has played by then."""
    order = file.ruleset.preliminary_order
    sums = {
        player: tuple(getattr(own, name) for name in order)
        for player, own in tally(file, PlayedStage.PRELIMINARY).items()
        if own.deals and player not in gone
    }
    found: dict[str, int] = {}
    rank: dict[tuple[int, ...], int] = {}
    for place, player in enumerate(sorted(sums, key=lambda one: sums[one], reverse=True), 1):
        found[player] = rank.setdefault(sums[player], place)
    return found


def _by_number(ranks: Mapping[str, int]) -> dict[int, int]:
    return {int(player): rank for player, rank in ranks.items()}


# --- Roles ---------------------------------------------------------------------------------------


class _Roles:
    """Who drew what in the deals that tell it, and with which chance."""

    def __init__(self, file: EventFile) -> None:
        self.deals = 0
        self.drawn: dict[str, Counter[str]] = defaultdict(Counter)
        # By table size and cards, as many deals have the same: what a seat could draw.
        self.could: dict[str, Counter[tuple[int, ...]]] = defaultdict(Counter)
        # The roles of a club's edition are others, and cards are left over unseen.
        for one in file.rounds if isinstance(file.ruleset, Ruleset) else ():
            self._count(one)

    def _count(self, played: PlayedRound) -> None:
        for table in played.tables:
            for deal in table.deals:
                if deal.roles is None or deal.void:
                    continue
                self.deals += 1
                cards = tuple(deal.roles.count(role) for role in ROLES)
                for player, role in zip(table.seats, deal.roles, strict=True):
                    self.drawn[player][role] += 1
                    self.could[player][cards] += 1

    def players(self) -> dict[int, PlayerRoles]:
        return {int(player): self._player(player) for player in self.drawn}

    def _player(self, player: str) -> PlayerRoles:
        drawn = self.drawn[player]
        return PlayerRoles(
            drawn.total(),
            tuple(DrawnRole(role, drawn[role], sum(self._chances(player, role))) for role in ROLES),
        )

    def _chances(self, player: str, role: Role) -> list[float]:
        """Of this role in each of the player's deals."""
        place = ROLES.index(role)
        return [
            cards[place] / sum(cards)
            for cards, times in sorted(self.could[player].items())
            for _ in range(times)
        ]

    def times(self, role: Role) -> tuple[Times, ...]:
        found = Counter(drawn[role] for drawn in self.drawn.values())
        expected: Counter[int] = Counter()
        # Whoever sat at the same tables has the same chances: computed once.
        alike = Counter(tuple(self._chances(player, role)) for player in self.drawn)
        for chances, players in alike.items():
            for times, probability in enumerate(_spread(chances)):
                expected[times] += players * probability  # type: ignore[assignment]
        # The long tail of what chance hardly ever gives is left out.
        most = max((times for times in expected if expected[times] >= RARE), default=0)
        return tuple(
            Times(times, found[times], float(expected[times]))
            for times in range(max(most, *found) + 1)
        )


def _spread(chances: Sequence[float]) -> list[float]:
    """The probability of each number of successes, from none on."""
    found = [1.0]
    for chance in chances:
        longer = [one * (1 - chance) for one in found] + [0.0]
        for times, one in enumerate(found, 1):
            longer[times] += one * chance
        found = longer
    return found
