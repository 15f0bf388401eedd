"""What is promised and given, whose turn it is, and who is in the raffle."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from scoring.roles import Role
from scoring.tallies import all_deals
from tournament import rulebook
from tournament.models import Event, Player, Prize, PrizeGift, PrizePass
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.prizes import PrizeKind
from tournament.queries.cuts import all_is_played
from tournament.queries.standings import standings_for

RAFFLE = "raffle:"  # how the line of a raffle's lot begins, before its number


@dataclass(frozen=True, slots=True)
class ListedPrize:
    """A prize with what was given of it, in the order given."""

    prize: Prize
    gifts: tuple[PrizeGift, ...]

    @property
    def left(self) -> int:
        return self.prize.stock - len(self.gifts)


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is: one person, or each of those who share the rank. `due`: what the rank
    brings; `position`: the place that it brings it for, which differs from `rank` where others who
    share it had their turn."""

    player: Player
    rank: int
    position: int
    due: tuple[Prize, ...]
    may_choose: bool


@dataclass(frozen=True, slots=True)
class Podium:
    """`certain`: nothing is to be played any more; `turns`: more than one where a rank is shared;
    `things`: what is left to choose; `done` is the latest first."""

    certain: bool
    turns: tuple[Turn, ...]
    things: tuple[ListedPrize, ...]
    done: tuple[PrizeGift | PrizePass, ...]

    @property
    def shared(self) -> bool:
        return len(self.turns) > 1

    def turn_of(self, player: Player) -> Turn | None:
        return next((one for one in self.turns if one.player == player), None)


def prizes_of(event: Event) -> tuple[ListedPrize, ...]:
    """Those promised, in their order."""
    given: dict[int, list[PrizeGift]] = defaultdict(list)
    for gift in gifts_of(event):
        given[gift.prize_id].append(gift)
    promised = Prize.objects.in_force().filter(event=event)
    return tuple(ListedPrize(one, tuple(given[one.pk])) for one in promised)


def gifts_of(event: Event) -> list[PrizeGift]:
    """Those that hold, in the order given."""
    return list(
        PrizeGift.objects.in_force()
        .filter(prize__event=event)
        .select_related("prize", "player", "lot")
    )


def may_give(event: Event) -> bool:
    """Prizes are given on the day, or once it is over."""
    return event.status in (EventStatus.RUNNING, EventStatus.FINISHED)


def ranks_certain(event: Event) -> bool:
    return event.status == EventStatus.FINISHED or (may_give(event) and all_is_played(event))


def podium_of(event: Event) -> Podium:
    listed, passes = prizes_of(event), _passes(event)
    things = tuple(one for one in listed if one.prize.kind == PrizeKind.CHOICE and one.left > 0)
    certain = ranks_certain(event)
    on_podium = (PrizeKind.RANK, PrizeKind.CHOICE)
    gifts = [gift for one in listed if one.prize.kind in on_podium for gift in one.gifts]
    done: list[PrizeGift | PrizePass] = [*gifts, *passes]
    done.sort(key=_moment, reverse=True)
    turns = _turns(event, listed, passes, things) if certain else ()
    return Podium(certain, turns, things, tuple(done))


def _moment(one: PrizeGift | PrizePass) -> tuple[datetime, int]:
    return (one.given_at if isinstance(one, PrizeGift) else one.created_at), one.pk


def _passes(event: Event) -> list[PrizePass]:
    return list(PrizePass.objects.in_force().filter(event=event).select_related("player"))


def _turns(
    event: Event,
    listed: Sequence[ListedPrize],
    passes: Sequence[PrizePass],
    things: Sequence[ListedPrize],
) -> tuple[Turn, ...]:
    """Of the best rank at which somebody has something to get."""
    people = {one.number: one for one in event.players.all()}
    passed = {one.player_id for one in passes}
    had: dict[int, list[Prize]] = defaultdict(list)
    for one in listed:
        for gift in one.gifts:
            had[gift.player_id].append(one.prize)
    ranked = standings_for(event).ranked
    for rank, rows in groupby(ranked, key=lambda row: row.rank):
        level = [people[row.number] for row in rows if row.number in people]
        if turns := _turns_at(rank, level, listed, passed, had, may_choose=bool(things)):
            return turns
    return ()


def _turns_at(
    rank: int,
    level: Sequence[Player],
    listed: Sequence[ListedPrize],
    passed: set[int],
    had: Mapping[int, Sequence[Prize]],
    *,
    may_choose: bool,
) -> tuple[Turn, ...]:
    """Those of a rank whose turn it is. Who share it take the places from it on, one after the
    other, in the order of their turns."""
    ranked = (PrizeKind.RANK, PrizeKind.CHOICE)
    kinds = {one.pk: {prize.kind for prize in had.get(one.pk, ())} for one in level}
    served = [one for one in level if one.pk in passed or kinds[one.pk] & set(ranked)]
    found = []
    for one in level:
        if one.pk in passed:
            continue
        place = rank + sum(other != one for other in served)
        due = tuple(
            row.prize
            for row in listed
            if row.prize.kind == PrizeKind.RANK
            and row.prize.first_rank <= place <= row.prize.last_rank  # type: ignore[operator]
            and row.left > 0
            and row.prize not in had.get(one.pk, ())
        )
        chooses = may_choose and PrizeKind.CHOICE not in kinds[one.pk]
        # Their rank brought its prize already where others had their turn after them.
        due = () if PrizeKind.RANK in kinds[one.pk] and len(level) > 1 else due
        if due or chooses:
            found.append(Turn(one, rank, place, due, chooses))
    return tuple(found)


def raffle_people(event: Event) -> list[Player]:
    """Who is still here, plays for prizes, and has none of a raffle yet."""
    won = PrizeGift.objects.in_force().filter(prize__event=event, prize__kind=PrizeKind.RAFFLE)
    here = event.players.filter(status=PlayerStatus.CHECKED_IN, unranked=False)
    return list(here.exclude(pk__in=won.values("player_id")).order_by("number"))


def raffle_units(event: Event) -> list[Prize]:
    """Each thing that is left to be raffled, in the order of the list."""
    return [
        one.prize
        for one in prizes_of(event)
        if one.prize.kind == PrizeKind.RAFFLE
        for _thing in range(one.left)
    ]


@dataclass(frozen=True, slots=True)
class Saboteur:
    player: Player
    stars: int
    points: int


def best_saboteurs(event: Event) -> tuple[Saboteur, ...]:
    """Most stars as a saboteur in deals that count, then most points as one; those level on both
    share it. Nobody where no saboteur has a star."""
    file = rulebook.event_file(event)
    people = rulebook.players_by_id(event)
    stars: Counter[str] = Counter()
    points: Counter[str] = Counter()
    out = {
        one
        for one, who in people.items()
        if who.unranked or who.status == PlayerStatus.DISQUALIFIED
    }
    for player, deal in all_deals(file):
        if deal.role is Role.SABOTEUR and player not in out:
            stars[player] += deal.star
            points[player] += deal.points
    best = max(((stars[one], points[one]) for one in stars), default=(0, 0))
    if not best[0]:
        return ()
    return tuple(
        Saboteur(people[one], *best) for one in sorted(stars) if (stars[one], points[one]) == best
    )
