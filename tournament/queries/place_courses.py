"""Places down the order: who gets one, who was passed over and why, who is next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.cut import lot_among
from tournament import rulebook
from tournament.models import Event, Place, PlacePromise, PlaceSkip
from tournament.models.events import EventStatus
from tournament.models.places import PlaceEnd, PlaceState, SkipWhy
from tournament.models.players import PlayerStatus
from tournament.queries.persons import became, key_of_person
from tournament.queries.places import (
    has_begun,
    held_with,
    is_at_target_of,
    marks_of,
    marks_of_places,
)
from tournament.queries.standings import Row, StandingsTable, standings_for
from tournament.queries.visibility import public_standings

OFFER = "offer:"  # how the line of a lot for places begins, before its number
# Whoever gets a place late has so long at least, whatever date was set.
GRACE = timedelta(days=2)

HAS_ONE = gettext_lazy("Has a place there already")
ERASED = gettext_lazy("Their contact was erased")
LEFT = gettext_lazy("Dropped out")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody in the order of all, as far as offering a place needs it. `person`: who keeps their
    results, or is known by their address; `by_lot`: a lot put them before others of their rank."""

    pk: int
    number: int
    rank: int
    name: str
    public_name: str
    status: str
    email: str
    erased: bool
    person: int | None = None
    by_lot: bool = False

    @property
    def marks(self) -> frozenset[str]:
        return marks_of(self.pk, self.email, self.person)

    @property
    def player_id(self) -> str:
        return rulebook.player_id(self.number)


@dataclass(frozen=True, slots=True)
class Step:
    """One person down the order: with the place they were offered, or why they were passed over;
    neither is said of who is next. `skip`: the key of what passed them over by hand; `passed_from`:
    who had the place before."""

    who: Candidate
    place: Place | None = None
    state: PlaceState | None = None
    why: str = ""
    skip: int | None = None
    passed_from: str = ""

    @property
    def is_next(self) -> bool:
        return self.place is None and not self.why

    @property
    def has_it(self) -> bool:
        return self.state in (PlaceState.OFFERED, PlaceState.ACCEPTED)

    @property
    def lapsed(self) -> bool:
        """The place is lost by the clock or at the target, and has not passed on yet."""
        return self.place is not None and self.place.ended_at is None and not self.has_it


@dataclass(frozen=True, slots=True)
class Course:
    """Where the places of a promise are. `entrants`: players with a rank who played; `entitled`:
    how many places that makes; `free`: of them nobody holds; `next`: who gets these; `tie`: who is
    level where they would not do for all, so that a lot comes first."""

    promise: PlacePromise
    entrants: int
    entitled: int
    free_slots: tuple[int, ...]
    steps: tuple[Step, ...]
    next: tuple[Candidate, ...]
    tie: tuple[str, ...]
    begun: bool

    @property
    def held(self) -> int:
        return sum(step.has_it for step in self.steps)

    @property
    def lapsed(self) -> tuple[Place, ...]:
        return tuple(step.place for step in self.steps if step.lapsed and step.place is not None)

    @property
    def left_over(self) -> int:
        """Places that nobody is left for."""
        return 0 if self.tie else len(self.free_slots) - len(self.next)


def number_words(promise: PlacePromise) -> list[str]:
    """How many places are promised, a line each."""
    if promise.number is not None:
        return [_places(promise.number)]
    found = []
    bands = [(int(low), int(places)) for low, places in promise.bands]
    for at, (low, places) in enumerate(bands):
        told = {"low": low, "places": _places(places)}
        if at + 1 == len(bands):
            found.append(_("%(low)d players and more: %(places)s") % told)
            continue
        high = bands[at + 1][0] - 1
        words = _("%(low)d to %(high)d players: %(places)s")
        found.append(words % (told | {"high": high}))
    return found


def _places(count: int) -> str:
    return ngettext("%(count)d place", "%(count)d places", count) % {"count": count}


def number_for(promise: PlacePromise, entrants: int) -> int:
    if promise.number is not None:
        return promise.number
    fitting = [int(places) for least, places in promise.bands if entrants >= least]
    return fitting[-1] if fitting else 0


def due_for(promise: PlacePromise, now: datetime) -> datetime:
    """Until when somebody answers who is offered a place now."""
    if promise.due_days is not None:
        due = now + timedelta(days=promise.due_days)
    else:
        assert promise.due_at is not None  # noqa: S101 - one of the two is set
        due = max(promise.due_at, now + GRACE)
    return min(due, promise.target.starts_at) if promise.target is not None else due


def why_not(promise: PlacePromise, now: datetime) -> str:
    """Why nothing can be offered now, in words; empty if it can."""
    if promise.event.status != EventStatus.FINISHED:
        return _("Places are offered once the event is finished: ranks may change until then.")
    if promise.target is not None and has_begun(promise.target, now):
        return _("%(event)s has begun: its places go to nobody any more.") % {
            "event": promise.target.name
        }
    return ""


def entrants_of(board: StandingsTable) -> list[Row]:
    """Everybody with a rank who played, in the order of all."""
    stages = {row.number for row in (*board.final, *board.semi_final)}
    return [row for row in board.ranked if row.deals or row.number in stages]


@dataclass(frozen=True, slots=True)
class _Facts:
    """All that the courses of an event rest on, asked for once. `people`: start number -> key,
    status, e-mail, whether the contact is erased, the person's key; `held`: what holds at any of
    the targets, each with the marks of who holds it."""

    event: Event
    entrants: Sequence[Row]
    people: Mapping[int, tuple[int, str, str, bool, int | None]]
    places: Mapping[int, Sequence[Place]]
    skips: Mapping[int, Mapping[int, tuple[int, str]]]
    held: Sequence[tuple[Place, frozenset[str]]]
    lots: Sequence[Sequence[str]]


def course_of(promise: PlacePromise, now: datetime) -> Course:
    """In a fixed number of queries. Changes nothing: who is next is told, not offered."""
    return _course(promise, _facts_of(promise.event, [promise], now), now)


def courses_of(event: Event, now: datetime) -> list[Course]:
    """Of each promise of the event that is in force, in as many queries as for one."""
    promises = list(event.places_promised.in_force().select_related("target"))
    if not promises:
        return []
    for promise in promises:
        promise.event = event
    facts = _facts_of(event, promises, now)
    return [_course(promise, facts, now) for promise in promises]


def _facts_of(event: Event, promises: Sequence[PlacePromise], now: datetime) -> _Facts:
    places: dict[int, list[Place]] = defaultdict(list)
    found = Place.objects.filter(promise__in=promises).order_by("pk")
    for place in found.select_related("player__contact", "entry", "promise"):
        places[place.promise_id or 0].append(place)
    skips: dict[int, dict[int, tuple[int, str]]] = defaultdict(dict)
    rows = PlaceSkip.objects.in_force().filter(promise__in=promises)
    for promise, player, key, why in rows.values_list("promise_id", "player_id", "pk", "why"):
        skips[promise][player] = key, why
    lots = event.lots.filter(line__startswith=OFFER).order_by("pk")
    held = held_with(promises, now)
    marks = marks_of_places(held)
    return _Facts(
        event=event,
        entrants=entrants_of(standings_for(event)),
        people=_people_of(event),
        places=places,
        skips=skips,
        held=[(one, marks[one.pk]) for one in held],
        lots=list(lots.values_list("order", flat=True)),
    )


def _people_of(event: Event) -> dict[int, tuple[int, str, str, bool, int | None]]:
    key = key_of_person(entries=("pk",), emails=("contact__email",))
    rows = event.players.annotate(known=key).values_list(
        "pk", "number", "status", "contact__email", "contact__player_id", "known"
    )
    now = became()
    return {
        number: (pk, status, email or "", contact is None, now.get(person, person))
        for pk, number, status, email, contact, person in rows
    }


def _course(promise: PlacePromise, facts: _Facts, now: datetime) -> Course:
    places = facts.places.get(promise.pk, ())
    entitled = number_for(promise, len(facts.entrants))
    held = {one.slot for one in places if one.holds_at(now)}
    free = tuple(slot for slot in range(1, entitled + 1) if slot not in held)
    free = free[: max(0, entitled - len(held))]
    finished = facts.event.status == EventStatus.FINISHED
    walk = _Walk(promise, facts, now, len(free) if finished else 0)
    steps = tuple(walk.down(_candidates(facts)))
    return Course(
        promise=promise,
        entrants=len(facts.entrants),
        entitled=entitled,
        free_slots=free,
        steps=steps,
        next=tuple(walk.next),
        tie=walk.tie,
        begun=bool(places),
    )


def _candidates(facts: _Facts) -> Iterator[Candidate]:
    """Made as they are asked for: of thousands mostly the best are."""
    people = facts.people
    for row in facts.entrants:
        if row.number in people:
            pk, status, email, erased, person = people[row.number]
            yield Candidate(
                pk=pk,
                number=row.number,
                rank=row.rank,
                name=row.name,
                public_name=row.public_name,
                status=status,
                email=email,
                erased=erased,
                person=person,
            )


class _Walk:
    """Down the order of all, until as many are found as places are free and everybody who was
    offered one is passed."""

    def __init__(self, promise: PlacePromise, facts: _Facts, now: datetime, free: int) -> None:
        places = facts.places.get(promise.pk, ())
        self.now, self.free, self.lots = now, free, facts.lots
        self.next: list[Candidate] = []
        self.tie: tuple[str, ...] = ()
        self.offered = {one.player_id: one for one in places}
        self.before = _passed_from(places)
        self.skips = facts.skips.get(promise.pk, {})
        there = (marks for one, marks in facts.held if is_at_target_of(one, promise))
        self.held = frozenset().union(*there)
        self.to_pass = len(self.offered)

    def down(self, candidates: Iterable[Candidate]) -> Iterator[Step]:
        for _rank, level in groupby(candidates, key=lambda one: one.rank):
            if not self.to_pass and not self._searches:
                return
            yield from self._group(list(level))

    @property
    def _searches(self) -> bool:
        return len(self.next) < self.free and not self.tie

    def _group(self, level: list[Candidate]) -> Iterator[Step]:
        """Those of one rank: who was offered a place, who is passed over, then who is next."""
        waiting = []
        for who in level:
            if step := self._told(who):
                yield step
            else:
                waiting.append(who)
        if not self._searches or not waiting:
            return
        room = self.free - len(self.next)
        if len(waiting) > room:
            waiting = self._by_lot(waiting)
        found: list[Candidate] = []
        for who in waiting:
            if len(found) == room:
                break
            # Two entries of one person may both be in the order.
            if self.held & who.marks:
                yield Step(who, why=str(HAS_ONE))
                continue
            self.held |= who.marks
            found.append(who)
            yield Step(who)
        self.next += found

    def _by_lot(self, level: list[Candidate]) -> list[Candidate]:
        order = lot_among([one.player_id for one in level], self.lots)
        if not order:
            self.tie = tuple(sorted(one.player_id for one in level))
            return []
        by_id = {one.player_id: one for one in level}
        return [replace(by_id[player], by_lot=True) for player in order]

    def _told(self, who: Candidate) -> Step | None:
        place = self.offered.get(who.pk)
        if place is not None:
            self.to_pass -= 1
            state = place.state_at(self.now)
            return Step(who, place, state, passed_from=self.before.get(place.pk, ""))
        if who.pk in self.skips:
            skip, why = self.skips[who.pk]
            return Step(who, why=str(SkipWhy(why).label), skip=skip)
        return Step(who, why=why) if (why := self._why(who)) else None

    def _why(self, who: Candidate) -> str:
        if who.erased:
            return str(ERASED)
        if who.status == PlayerStatus.DROPPED:
            return str(LEFT)
        if self.held & who.marks:
            return str(HAS_ONE)
        return ""


def _passed_from(places: Sequence[Place]) -> Mapping[int, str]:
    """Place -> the name of who had it before."""
    last: dict[int | None, str] = {}
    found = {}
    for one in places:
        if one.slot in last:
            found[one.pk] = last[one.slot]
        last[one.slot] = one.person_name
    return found


@dataclass(frozen=True, slots=True)
class PublicStep:
    """What everybody may know of a step: no reason tells of somebody's e-mail or plans."""

    rank: int
    name: str
    told: str
    has_it: bool


@dataclass(frozen=True, slots=True)
class PublicPromise:
    """`target`: its page, where everybody may open it. `steps`: none while ranks are withheld."""

    promise: PlacePromise
    target: Event | None
    numbers: tuple[str, ...]
    entrants: int
    entitled: int
    steps: tuple[PublicStep, ...]


def public_promises(event: Event, now: datetime) -> list[PublicPromise]:
    shown = event.status == EventStatus.FINISHED and public_standings(event).all_shown
    return [_public(course, shown=shown) for course in courses_of(event, now)]


def _public(course: Course, *, shown: bool) -> PublicPromise:
    promise = course.promise
    steps = course.steps if shown and course.begun else ()
    target = promise.target
    return PublicPromise(
        promise=promise,
        target=target if target is not None and target.status != EventStatus.DRAFT else None,
        numbers=tuple(number_words(promise)),
        entrants=course.entrants if shown else 0,
        entitled=course.entitled if shown else 0,
        steps=tuple(
            PublicStep(one.who.rank, one.who.public_name, _public_words(one), one.has_it)
            for one in steps
            if not one.is_next
        ),
    )


def _public_words(step: Step) -> str:
    if step.state == PlaceState.ACCEPTED:
        return _("has the place")
    if step.state == PlaceState.OFFERED:
        return _("was offered the place")
    if step.place is not None:
        return _("the place passes on")
    return pgettext("place", "passed over")


STATE_LABELS = {
    PlaceState.OFFERED: gettext_lazy("Offered"),
    PlaceState.ACCEPTED: gettext_lazy("Accepted"),
    PlaceState.DECLINED: PlaceEnd.DECLINED.label,
    PlaceState.EXPIRED: PlaceEnd.EXPIRED.label,
    PlaceState.WITHDRAWN: PlaceEnd.WITHDRAWN.label,
}
