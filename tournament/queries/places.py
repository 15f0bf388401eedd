"""Places at a later event, as that event sees them: who holds one, who is expected by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from tournament.models import Event, PersonContact, PersonLink, Place, PlacePromise, Player
from tournament.models.events import EventStatus
from tournament.models.places import PlaceState
from tournament.models.players import PlayerStatus
from tournament.queries.persons import became, key_of_person

MOST_TARGETS = 300  # in the list to choose from
BEFORE_PLAY = (EventStatus.DRAFT, EventStatus.REGISTRATION)


def marks_of(player_id: int | None, email: str, person: int | None = None) -> frozenset[str]:
    """By what a person is known again in any event: two are the same person if they share a mark.
    This is the one place that decides it. `person`: who keeps the entry's results, or is known by
    the address."""
    marks = {f"player:{player_id}"} if player_id is not None else set()
    if email:
        marks.add(f"mail:{email.lower()}")
    if person is not None:
        marks.add(f"person:{person}")
    return frozenset(marks)


def person_known_by(email: str) -> int | None:
    found = PersonContact.objects.filter(email=email.lower()).values_list("person", flat=True)
    key = found.first()
    return became().get(key, key) if key is not None else None


def marks_of_places(places: Iterable[Place]) -> Mapping[int, frozenset[str]]:
    """Place -> the marks of its holder, in two queries however many there are."""
    places = list(places)
    if not places:
        return {}
    key = key_of_person(
        entries=("player", "entry"),
        emails=("player__contact__email", "entry__contact__email", "email"),
    )
    found = Place.objects.filter(pk__in=[one.pk for one in places])
    persons = dict(found.annotate(known=key).values_list("pk", "known"))
    now = became() if any(persons.values()) else {}
    return {
        one.pk: marks_of(one.player_id, one.person_email, now.get(persons[one.pk], persons[one.pk]))
        for one in places
    }


def has_begun(target: Event, now: datetime) -> bool:
    """Nobody is let in by a place any more, and nobody gives one back."""
    return target.status not in BEFORE_PLAY or target.starts_at <= now


def possible_targets(event: Event, now: datetime) -> list[Event]:
    """Events of this site that are announced and still to come, the next first."""
    coming = Event.objects.filter(status=EventStatus.REGISTRATION, starts_at__gt=now)
    return list(coming.exclude(pk=event.pk).order_by("starts_at", "pk")[:MOST_TARGETS])


def same_target(promise: PlacePromise) -> Q:
    """The promises of all events that lead where this one does. A target in words is the same
    where the words are."""
    if promise.target_id is not None:
        return Q(target=promise.target_id)
    return Q(target__isnull=True, target_name__iexact=promise.target_name)


def holding(places: Iterable[Place], now: datetime) -> list[Place]:
    return [one for one in places if one.holds_at(now)]


def _unended(condition: Q) -> list[Place]:
    found = Place.objects.unended().filter(condition)
    return list(found.select_related("promise", "player__contact", "entry").order_by("pk"))


def held_with(promises: Iterable[PlacePromise], now: datetime) -> list[Place]:
    """The places that hold now where any of these promises lead, whoever gave them."""
    leading, targets = Q(pk__in=[]), set()
    for one in promises:
        leading |= same_target(one)
        targets.add(one.target_id)
    given = Q(promise__in=PlacePromise.objects.filter(leading))
    direct = Q(event__in=targets - {None}, promise__isnull=True)
    return holding(_unended(given | direct), now)


def is_at_target_of(place: Place, promise: PlacePromise) -> bool:
    """Whether a place is where the promise leads: as `same_target`, of what is at hand."""
    if promise.target_id is not None:
        return promise.target_id == (place.promise.target_id if place.promise else place.event_id)
    if place.promise is None or place.promise.target_id is not None:
        return False
    return place.promise.target_name.casefold() == promise.target_name.casefold()


def held_at(target: Event, now: datetime) -> list[Place]:
    """As `held_with`, of an event of this site."""
    direct = Q(event=target, promise__isnull=True)
    return holding(_unended(direct | Q(promise__target=target)), now)


def entry_at(target: Event, place: Place) -> Player | None:
    """The entry at the target that the holder of the place keeps with their others, whatever it
    says of name and address."""
    persons = (one.removeprefix("person:") for one in marks_of_places([place])[place.pk])
    keys = [int(one) for one in persons if one.isdecimal()]
    links = PersonLink.objects.in_force().filter(person__in=keys, player__event=target)
    kept = target.players.filter(pk__in=links.values("player"))
    return kept.exclude(status=PlayerStatus.WITHDRAWN).select_related("contact").first()


def marks_held(places: Iterable[Place]) -> frozenset[str]:
    return frozenset().union(*marks_of_places(places).values())


def reserved_places(event: Event, now: datetime | None = None) -> int:
    """How many places of the event wait for people who were invited and are not registered yet."""
    expected = [one for one in _let_in(event, now or timezone.now()) if not _is_registered(one)]
    if not expected:
        return 0
    # Who registered by themselves and has not answered yet has one place, not two.
    emails = {one.person_email.lower() for one in expected} - {""}
    here = event.players.holding_a_place().filter(contact__email__in=emails)
    known = set(here.values_list("contact__email", flat=True))
    return sum(one.person_email.lower() not in known for one in expected)


def _let_in(event: Event, now: datetime) -> list[Place]:
    counts = Q(promise__target=event, promise__agreed_at__isnull=False)
    return holding(_unended(counts | Q(event=event, promise__isnull=True)), now)


def _is_registered(place: Place) -> bool:
    return place.entry is not None and place.entry.status != PlayerStatus.WITHDRAWN


@dataclass(frozen=True, slots=True)
class PublicPlace:
    """A place that holds now, as everybody may read it: `rank` in the event that gave it."""

    name: str
    rank: int
    event: Event
    accepted: bool


@dataclass(frozen=True, slots=True)
class PublicTarget:
    """`event`: its page, where everybody may open it."""

    name: str
    event: Event | None
    places: tuple[PublicPlace, ...]


def held_from(events: Iterable[Event], now: datetime) -> tuple[PublicTarget, ...]:
    """Who holds the places that these events gave down their orders, by where to; everybody may
    see the standings of each. In one query. Who has a place directly did not win it here."""
    by_key = {one.pk: one for one in events}
    found = Place.objects.unended().filter(promise__event__in=by_key, player__isnull=False)
    targets: dict[int | str, PublicTarget] = {}
    for place in holding(found.select_related("promise__target", "player", "entry"), now):
        promise, player = place.promise, place.player
        assert promise is not None and player is not None  # noqa: S101, PT018 - by the filter
        key = promise.target_id or promise.target_name.casefold()
        shown = PublicPlace(
            player.public_name,
            place.rank or 0,
            by_key[place.event_id],
            place.accepted_at is not None,
        )
        before = targets.get(key) or _public_target(promise)
        targets[key] = replace(before, places=(*before.places, shown))
    ordered = sorted(targets.values(), key=lambda one: one.name.casefold())
    return tuple(replace(one, places=_in_order(one.places)) for one in ordered)


def _public_target(promise: PlacePromise) -> PublicTarget:
    target = promise.target
    opens = target is not None and target.status != EventStatus.DRAFT
    return PublicTarget(promise.target_name, target if opens else None, ())


def _in_order(places: Iterable[PublicPlace]) -> tuple[PublicPlace, ...]:
    """By the events as they were played, then by rank."""
    return tuple(
        sorted(places, key=lambda one: (one.event.starts_at, one.event.pk, one.rank, one.name))
    )


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody whom a place leads here. `missing`: has accepted, and is not registered yet."""

    place: Place
    state: PlaceState
    missing: bool

    @property
    def answers(self) -> bool:
        """Whether this event notes what they answer: it gave the place itself."""
        return self.place.is_direct and self.state in (PlaceState.OFFERED, PlaceState.ACCEPTED)


def invited_to(target: Event, now: datetime) -> list[Invited]:
    """Everybody who was offered a place that counts here: first who holds one, by when it was
    offered."""
    counts = Q(promise__target=target, promise__agreed_at__isnull=False)
    direct = Q(event=target, promise__isnull=True)
    places = Place.objects.filter(counts | direct).order_by("pk")
    found = []
    for place in places.select_related("promise", "event", "player__contact", "entry"):
        state = place.state_at(now)
        missing = state == PlaceState.ACCEPTED and not _is_registered(place)
        found.append(Invited(place, state, missing))
    return sorted(found, key=lambda one: not one.place.holds_at(now))


def promises_to(target: Event, *, agreed: bool | None = None) -> list[PlacePromise]:
    """What other events promise here; drafts keep it to themselves."""
    found = PlacePromise.objects.in_force().filter(target=target)
    found = found.exclude(event__status=EventStatus.DRAFT)
    if agreed is not None:
        found = found.filter(agreed_at__isnull=not agreed)
    return list(found.select_related("event").order_by("event__starts_at", "pk"))


def own_place(player: Player, now: datetime) -> Place | None:
    """A place that waits for the player's answer, or is theirs."""
    found = player.places.unended().select_related("promise__target", "entry").order_by("-pk")
    return next((one for one in found if one.holds_at(now)), None)
