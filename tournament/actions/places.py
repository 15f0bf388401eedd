"""Places at a later event: promised, offered down the order, answered, passed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Manager, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament import mail
from tournament.actions.attendance import withdraw
from tournament.actions.cuts import log_lot, record_lot
from tournament.actions.players import (
    PlayerEntry,
    add_entry,
    next_number,
    promote_waiting,
    refuse_draft,
)
from tournament.models import (
    Event,
    LogEntry,
    Place,
    PlacePromise,
    PlaceSkip,
    Player,
    StaffMember,
    Submission,
)
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.people import Duty
from tournament.models.places import DirectWhy, PlaceEnd, PlaceState
from tournament.models.players import PlayerStatus, Source
from tournament.queries.names import called
from tournament.queries.place_courses import OFFER, Candidate, course_of, due_for, why_not
from tournament.queries.places import (
    BEFORE_PLAY,
    entry_at,
    has_begun,
    held_at,
    held_with,
    marks_held,
    marks_of,
    marks_of_places,
    person_known_by,
    same_target,
)
from tournament.queries.players import known_people, number_of
from tournament.refusals import Conflict, Refused
from tournament.states import PLAYER_STEPS

# Whoever comes by the link of a place that was given directly: no player, no user.
INVITED = Actor(ref="invited")


@dataclass(frozen=True, slots=True)
class PromiseEntry:
    """What is said of places: either `number` or `bands`, either `due_days` or `due_at`. Without
    `target` the name says where."""

    target: Event | None = None
    target_name: str = ""
    number: int | None = None
    bands: list[list[int]] = field(default_factory=list)
    due_days: int | None = None
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DirectEntry:
    """Somebody who gets a place without having played for it, and why."""

    name: str
    why: str
    email: str = ""
    why_words: str = ""
    due_days: int = 14


# --- locks -----------------------------------------------------------------------------------


def _lock(*wanted: int | None, words: Q | None = None) -> dict[int, Event]:
    """These events, and who else promises places at these targets in words, in one order: nobody
    holds two places of one target because two events offered at the same instant."""
    keys = {one for one in wanted if one is not None}
    if words is not None:
        promising = PlacePromise.objects.in_force().filter(words)
        keys |= set(promising.values_list("event_id", flat=True))
    return {one.pk: one for one in Event.objects.filter(pk__in=keys).locked()}


def _lock_of(promise: PlacePromise, *more: int | None) -> dict[int, Event]:
    words = same_target(promise) if promise.target_id is None else None
    return _lock(promise.event_id, promise.target_id, *more, words=words)


def _lock_promise(promise: PlacePromise, *more: int | None) -> PlacePromise:
    """With its event and its target, as they are now; `more`: events that are locked with them."""
    promise = PlacePromise.objects.get(pk=promise.pk)
    events = _lock_of(promise, *more)
    promise = PlacePromise.objects.get(pk=promise.pk)
    if promise.withdrawn_at is not None:
        raise Refused(_("These places are not promised any more."))
    if promise.target_id is not None and promise.target_id not in events:
        raise Conflict(_("Somebody else has changed this promise: look again."))
    return _joined(promise, events)


def _joined(promise: PlacePromise, events: dict[int, Event]) -> PlacePromise:
    promise.event = events[promise.event_id]
    if promise.target_id is not None:
        promise.target = events[promise.target_id]
    return promise


def _lock_place(place: Place) -> Place:
    """With its promise, its event and its target."""
    if place.promise_id is None:
        events = _lock(place.event_id)
    else:
        events = _lock_of(PlacePromise.objects.get(pk=place.promise_id))
    found = Place.objects.select_related("promise", "player__contact", "entry")
    place = found.get(pk=place.pk)
    place.event = events[place.event_id]
    if place.promise is not None:
        _joined(place.promise, events)
    if place.player is not None:
        place.player.event = place.event
    return place


# --- promised --------------------------------------------------------------------------------


def _told(entry: PromiseEntry) -> dict[str, Any]:
    due = entry.due_at.isoformat() if entry.due_at is not None else None
    return asdict(entry) | {"target": None, "target_name": _name_of(entry), "due_at": due}


def _name_of(entry: PromiseEntry) -> str:
    return entry.target.name if entry.target is not None else entry.target_name


def _check_promise(event: Event, entry: PromiseEntry, *, but: PlacePromise | None = None) -> None:
    now = timezone.now()
    if (entry.number is None) == (not entry.bands):
        raise Refused(_("Say how many places: a number, or by how many play."))
    if (entry.due_days is None) == (entry.due_at is None):
        raise Refused(_("Say until when people answer: days, or a date."))
    if entry.due_at is not None and entry.due_at <= now:
        raise Refused(_("The date by which people answer is past."))
    if not _name_of(entry):
        raise Refused(_("Say where the places are."))
    if entry.target is not None:
        _check_target(event, entry, now)
    others = event.places_promised.in_force().filter(target_name__iexact=_name_of(entry))
    if any(one != but for one in others):
        raise Refused(_("Places there are promised already: change that promise."))


def _check_target(event: Event, entry: PromiseEntry, now: datetime) -> None:
    target = entry.target
    assert target is not None  # noqa: S101 - only asked of one
    if target == event:
        raise Refused(_("An event gives no places at itself."))
    if has_begun(target, now):
        raise Refused(_("%(event)s has begun already.") % {"event": target.name})
    if entry.due_at is not None and entry.due_at > target.starts_at:
        raise Refused(_("People have to answer before %(event)s begins.") % {"event": target.name})


def _agreed(promise: PlacePromise, by: Actor) -> None:
    """Whoever organises both has agreed by promising."""
    promise.agreed_at = promise.agreed_by = None
    if promise.target is None or by.user is None:
        return
    duties = StaffMember.objects.filter(event=promise.target, duty=Duty.ORGANISER)
    if duties.filter(user=by.user).exists():
        promise.agreed_at, promise.agreed_by = timezone.now(), by.user


@transaction.atomic
def promise_places(*, event: Event, entry: PromiseEntry, by: Actor, key: str = "") -> PlacePromise:
    """Say which places the event gives; it stands on its page from now on."""
    event = _lock(event.pk, entry.target.pk if entry.target else None)[event.pk]
    if done := Submission.objects.outcome(event, key):
        return PlacePromise.objects.get(pk=done)
    _check_promise(event, entry)
    promise = PlacePromise(event=event)
    _write(promise, entry, by)
    Submission.objects.remember(event, key, promise)
    LogEntry.objects.record("place.promised", event=event, by=by, about=promise, after=_told(entry))
    return promise


def _write(promise: PlacePromise, entry: PromiseEntry, by: Actor) -> None:
    for name, value in asdict(entry).items():
        if name not in ("target", "target_name"):
            setattr(promise, name, value)
    if promise.pk is None or promise.target != entry.target:
        promise.target = entry.target
        _agreed(promise, by)
    promise.target_name = _name_of(entry)
    promise.save()


@transaction.atomic
def change_promise(*, promise: PlacePromise, entry: PromiseEntry, by: Actor) -> PlacePromise:
    """Until places are offered all of it; then only until when people answer from now on."""
    promise = _lock_promise(promise, entry.target.pk if entry.target else None)
    before = PromiseEntry(
        target=promise.target,
        target_name=promise.target_name,
        number=promise.number,
        bands=promise.bands,
        due_days=promise.due_days,
        due_at=promise.due_at,
    )
    if _told(before) == _told(entry) and promise.target == entry.target:
        return promise
    _check_promise(promise.event, entry, but=promise)
    fixed = (_name_of(before), before.number, before.bands)
    if promise.places.exists() and fixed != (_name_of(entry), entry.number, entry.bands):
        raise Refused(_("Places are offered already: where to and how many stays as it is."))
    _write(promise, entry, by)
    LogEntry.objects.record(
        "place.promise_changed",
        event=promise.event,
        by=by,
        about=promise,
        before=_told(before),
        after=_told(entry),
    )
    return promise


@transaction.atomic
def withdraw_promise(*, promise: PlacePromise, by: Actor) -> PlacePromise:
    """Off the list, as long as nobody holds one of its places."""
    promise = _lock_promise(promise)
    now = timezone.now()
    if any(one.holds_at(now) for one in promise.places.select_related("entry")):
        raise Refused(_("Somebody holds one of these places: take it back first."))
    promise.withdrawn_at = now
    promise.save(update_fields=["withdrawn_at"])
    LogEntry.objects.record("place.promise_withdrawn", event=promise.event, by=by, about=promise)
    return promise


@transaction.atomic
def agree_to_promise(*, promise: PlacePromise, by: Actor) -> PlacePromise:
    """The target's organiser lets these places in: whoever accepted one is registered now."""
    promise = _lock_promise(promise)
    target = promise.target
    if target is None or has_begun(target, timezone.now()):
        raise Refused(_("The event has begun: nobody is let in by a place any more."))
    if promise.agreed_at is not None:
        return promise
    promise.agreed_at, promise.agreed_by = timezone.now(), by.user
    promise.save(update_fields=["agreed_at", "agreed_by"])
    LogEntry.objects.record(
        "place.agreed", event=target, by=by, after={"event": promise.event.name}
    )
    for place in promise.places.unended().exclude(accepted_at=None).order_by("pk"):
        _enter(_with(place, promise), None, by)
    return promise


def _with(place: Place, promise: PlacePromise) -> Place:
    place.promise, place.event = promise, promise.event
    return place


# --- offered down the order --------------------------------------------------------------------


@transaction.atomic
def skip_player(*, promise: PlacePromise, player: Player, why: str, by: Actor) -> PlaceSkip:
    """They are gone, or do not want it: the place goes to the next."""
    promise = _lock_promise(promise)
    if promise.skips.in_force().filter(player=player).exists():
        raise Conflict(_("%(name)s is passed over already.") % {"name": called(player)})
    if promise.places.filter(player=player).exists():
        raise Refused(
            _("%(name)s was offered a place: note there that they decline it.")
            % {"name": called(player)}
        )
    skip = PlaceSkip.objects.create(promise=promise, player=player, why=why, created_by=by.user)
    LogEntry.objects.record(
        "place.passed_over", event=promise.event, by=by, about=skip, after={"why": why}
    )
    return skip


@transaction.atomic
def undo_skip(*, skip: PlaceSkip, by: Actor) -> PlaceSkip:
    promise = _lock_promise(skip.promise)
    skip = promise.skips.select_related("player").get(pk=skip.pk)
    if skip.withdrawn_at is not None:
        raise Conflict(_("This was undone already."))
    skip.withdrawn_at, skip.withdrawn_by = timezone.now(), by.user
    skip.save(update_fields=["withdrawn_at", "withdrawn_by"])
    LogEntry.objects.record("place.pass_undone", event=promise.event, by=by, about=skip)
    return skip


@dataclass(frozen=True, slots=True)
class Offered:
    """`left_over`: places for which nobody is left."""

    places: tuple[Place, ...]
    left_over: int


@transaction.atomic
def offer_places(*, event: Event, by: Actor, key: str = "") -> Offered:
    """All free places of the event to the best in order who can have one; by a lot where a shared
    rank would not do."""
    promised = event.places_promised.in_force()
    words = Q(pk__in=[])
    for promise in promised.filter(target=None):
        words |= same_target(promise)
    events = _lock(event.pk, *promised.values_list("target_id", flat=True), words=words)
    event = events[event.pk]
    if Submission.objects.processed(event, key):
        return Offered((), 0)
    promises = [
        _joined(one, events)
        for one in promised.order_by("pk")
        if one.target_id is None or one.target_id in events
    ]
    if not promises:
        raise Refused(_("No places are promised."))
    Submission.objects.remember(event, key)
    return _offer_all(promises, by)


def _offer_all(promises: Sequence[PlacePromise], by: Actor) -> Offered:
    now, problems, found, left_over = timezone.now(), [], [], 0
    for promise in promises:
        problem = why_not(promise, now) or _late(promise, now)
        if problem:
            problems.append(problem)
            continue
        found += _fill(promise, by, now)
        left_over += course_of(promise, now).left_over
    if problems and len(problems) == len(promises):
        raise Refused(problems[0])
    return Offered(tuple(found), left_over)


def _late(promise: PlacePromise, now: datetime) -> str:
    if promise.due_at is None or promise.due_at > now or promise.places.exists():
        return ""
    return _("The date by which people answer is past: change it first.")


def _fill(promise: PlacePromise, by: Actor, now: datetime) -> list[Place]:
    """Offer what is free to the next in order; only under the locks."""
    course = course_of(promise, now)
    for place in course.lapsed:
        _end(_with(place, promise), PlaceEnd(place.state_at(now)), by)
    if course.tie:
        _draw_lot(promise.event, course.tie, by)
        course = course_of(promise, now)
    return [
        _offer(promise, slot, who, by, now)
        for slot, who in zip(course.free_slots, course.next, strict=False)
    ]


def _draw_lot(event: Event, tied: Sequence[str], by: Actor) -> None:
    number = event.lots.filter(line__startswith=OFFER).count() + 1
    line = f"{OFFER}{number}"
    lot = record_lot(event, line=line, players=tied, paper_order=None, paper_note="")
    log_lot(lot, by, "")


def _offer(promise: PlacePromise, slot: int, who: Candidate, by: Actor, now: datetime) -> Place:
    place = Place.objects.create(
        event=promise.event,
        promise=promise,
        slot=slot,
        player_id=who.pk,
        rank=who.rank,
        by_lot=who.by_lot,
        offered_by=by.signature,
        due_at=due_for(promise, now),
    )
    LogEntry.objects.record(
        "place.offered",
        event=promise.event,
        by=by,
        about=place,
        after={"to": promise.target_name, "number": who.number},
    )
    mail.send_place(place)
    return place


# --- answered --------------------------------------------------------------------------------


def _refuse_ended(state: PlaceState) -> None:
    words = {
        PlaceState.DECLINED: _("This place was declined, and passes on."),
        PlaceState.EXPIRED: _("The time to answer is over: the place passes on."),
        PlaceState.WITHDRAWN: _("This place was taken back."),
    }
    if state in words:
        raise Refused(words[state], code=str(state))


@transaction.atomic
def accept_place(
    *, place: Place, by: Actor, entry: PlayerEntry | None = None, may_write: bool = False
) -> Place:
    """They take it, and are registered where it is, if that is an event of this site whose
    organiser lets these places in. `entry`: what they say of themselves there; `may_write`: that
    who runs it elsewhere gets their contact with the packet. Accepting twice changes nothing."""
    place, now = _lock_place(place), timezone.now()
    state = place.state_at(now)
    if state == PlaceState.ACCEPTED:
        return place
    _refuse_ended(state)
    if place.target is not None and has_begun(place.target, now):
        raise Refused(_("%(event)s has begun already.") % {"event": place.target.name})
    _check_only_one(place, now)
    place.accepted_at, place.accepted_by, place.may_write = now, by.signature, may_write
    place.save(update_fields=["accepted_at", "accepted_by", "may_write"])
    LogEntry.objects.record(
        "place.accepted",
        event=place.event,
        by=by,
        about=place,
        after={"to": place.target_name},
    )
    _enter(place, entry, by)
    return place


def _check_only_one(place: Place, now: datetime) -> None:
    """An e-mail may have changed since it was offered."""
    promise = place.promise
    held = held_at(place.event, now) if promise is None else held_with([promise], now)
    others = [one for one in held if one.pk != place.pk and one.accepted_at is not None]
    if marks_held(others) & marks_of_places([place])[place.pk]:
        raise Refused(
            _("%(name)s holds a place there already: nobody has two.") % {"name": place.person_name}
        )


def _enter(place: Place, said: PlayerEntry | None, by: Actor) -> Player | None:
    """Into the registration of the target, beyond its places if need be; only under its lock.
    Whoever is in it already keeps that entry."""
    target = place.target
    if target is None or not place.is_let_in or target.status not in BEFORE_PLAY:
        return None
    entry = said or entry_of(place)
    known = _known_there(target, place, entry)
    if known is not None and said is not None and known != entry_at(target, place):
        _refuse_anothers(known, place)
    player = known or _new_entry(target, place, entry, own=said is not None)
    player.event = target
    waited = player.status == PlayerStatus.WAITING
    if waited:
        player.status = PlayerStatus.REGISTERED
        player.save(update_fields=["status"])
    place.entry = player
    place.save(update_fields=["entry"])
    LogEntry.objects.record(
        "player.invited",
        event=target,
        by=_there(by),
        about=player,
        after=player.status,
    )
    if known is None or waited:
        mail.send_ticket(player)
    return player


def _known_there(target: Event, place: Place, entry: PlayerEntry) -> Player | None:
    """Their entry at the target, if they registered by themselves; another's place has another."""
    number = number_of(known_people(target), entry.name, entry.email)
    if number is not None:
        player = target.players.select_related("contact").get(number=number)
    elif (kept := entry_at(target, place)) is not None:
        player = kept
    else:
        return None
    others = Place.objects.unended().filter(entry=player).exclude(pk=place.pk)
    return None if others.exists() else player


def _refuse_anothers(known: Player, place: Place) -> None:
    """Whoever came by the link typed a name and an e-mail: only the address that the place was sent
    to is theirs for certain. Who types another's would get that entry, with its ticket."""
    if known.email.lower() != place.person_email.lower():
        raise Refused(
            _(
                "%(name)s is registered there with this e-mail already, and the place was sent to "
                "another one. Ask the organiser."
            )
            % {"name": known.name}
        )


def _new_entry(target: Event, place: Place, entry: PlayerEntry, *, own: bool) -> Player:
    """`own`: they have said it themselves, in the language of the page."""
    player = add_entry(
        target,
        entry,
        number=next_number(target),
        status=PlayerStatus.REGISTERED,
        source=Source.WEB if own else Source.STAFF,
    )
    if not own and place.player is not None and place.player.language:
        player.language = place.player.language
        player.save(update_fields=["language"])
    return player


def entry_of(place: Place) -> PlayerEntry:
    """What is known of them where they won it; their age is theirs to confirm, and their guardian's
    to agree."""
    player = place.player
    if player is None:
        return PlayerEntry(name=place.name, email=place.email)
    return PlayerEntry(
        name=player.name,
        email=player.email,
        phone=player.contact.phone if player.email else "",
        name_style=player.name_style,
        alias=player.alias,
        willing_to_deal=player.willing_to_deal,
        minor=player.minor,
    )


@transaction.atomic
def enter_accepted(*, place: Place, by: Actor) -> Place:
    """Somebody who has accepted and is not registered yet, by the target's organiser."""
    place = _lock_place(place)
    if place.state_at(timezone.now()) != PlaceState.ACCEPTED:
        raise Conflict(_("This place is not accepted any more."))
    if place.entry is None and _enter(place, None, by) is None:
        raise Refused(_("The event has begun: add them at the door."))
    return place


@transaction.atomic
def decline_place(*, place: Place, by: Actor, reason: str = "") -> Place:
    """They do not take it, or give it back before the target begins: it passes on."""
    place, now = _lock_place(place), timezone.now()
    state = place.state_at(now)
    _refuse_ended(state)
    _refuse_begun(place, state, now)
    return _give_up(place, PlaceEnd.DECLINED, by, now, reason)


@transaction.atomic
def withdraw_place(*, place: Place, reason: str, by: Actor) -> Place:
    """Whoever gave it takes it back, with a reason: it passes on."""
    place, now = _lock_place(place), timezone.now()
    state = place.state_at(now)
    _refuse_ended(state)
    _refuse_begun(place, state, now)
    if not reason:
        raise Refused(_("Say why it is taken back."))
    place = _give_up(place, PlaceEnd.WITHDRAWN, by, now, reason)
    mail.send_place_withdrawn(place)
    return place


def _refuse_begun(place: Place, state: PlaceState, now: datetime) -> None:
    target = place.target
    if state == PlaceState.ACCEPTED and target is not None and has_begun(target, now):
        raise Refused(
            _("%(event)s has begun: its list of players tells who is there.")
            % {"event": target.name}
        )


def _give_up(place: Place, how: PlaceEnd, by: Actor, now: datetime, reason: str) -> Place:
    """End it, offer it to the next, and only then free what it took at the target: the next one
    comes before whoever waits there."""
    _end(place, how, by, reason)
    promise = place.promise
    if promise is not None and promise.withdrawn_at is None and not why_not(promise, now):
        _fill(promise, by, now)
    _free_at_target(place, by)
    return place


def _end(place: Place, how: PlaceEnd, by: Actor, reason: str = "") -> None:
    place.ended_as, place.ended_at = how, timezone.now()
    place.ended_by, place.ended_reason = by.signature, reason[:200]
    place.save(update_fields=["ended_as", "ended_at", "ended_by", "ended_reason"])
    LogEntry.objects.record(
        f"place.{how}",
        event=place.event,
        by=by,
        about=place,
        after={"to": place.target_name},
        reason=reason,
    )


def _there(by: Actor) -> Actor:
    """Who acts, as the target's log tells it: players of other events are strangers there."""
    return INVITED if by.player is not None else by


def _free_at_target(place: Place, by: Actor) -> None:
    target, entry = place.target, place.entry
    if target is None or target.status not in BEFORE_PLAY:
        return
    if entry is not None and entry.status in PLAYER_STEPS["withdraw"].sources:
        withdraw(player=entry, by=_there(by), reason=place.ended_reason)
    else:
        _promote(target, by)


def _promote(target: Event, by: Actor) -> None:
    """A place that waited for somebody is free: the first who waits has it."""
    if promoted := promote_waiting(target):
        numbers = [one.number for one in promoted]
        LogEntry.objects.record("players.promoted", event=target, by=_there(by), after=numbers)


def pass_on(*, event: Event, by: Actor) -> list[Place]:
    """Note what has expired, or was given back at its target, and offer it to the next; what was
    given directly is free there again. Who is offered a place now."""
    now = timezone.now()
    lapsed = _lapsed(event.places, now)
    found: list[Place] = []
    # A transaction each: their targets are locked one after the other.
    for pk in sorted({one.promise_id for one in lapsed if one.promise_id is not None}):
        found += _pass_on_promise(pk, by)
    for place in lapsed:
        if place.is_direct:
            _expire_direct(place, by)
    return found


@transaction.atomic
def _pass_on_promise(pk: int, by: Actor) -> list[Place]:
    promise, now = _lock_promise(PlacePromise.objects.get(pk=pk)), timezone.now()
    target, found = promise.target, []
    if why_not(promise, now):
        for place in _lapsed(promise.places, now):
            _end(_with(place, promise), PlaceEnd(place.state_at(now)), by)
    else:
        found = _fill(promise, by, now)
    if target is not None and target.status in BEFORE_PLAY:
        _promote(target, by)
    return found


@transaction.atomic
def _expire_direct(place: Place, by: Actor) -> None:
    place, now = _lock_place(place), timezone.now()
    if place.ended_at is None and not place.holds_at(now):
        _end(place, PlaceEnd(place.state_at(now)), by)
        _free_at_target(place, by)


def _lapsed(places: Manager[Place], now: datetime) -> list[Place]:
    """Those that hold no more by the clock, or since somebody withdrew at their target."""
    unended = places.filter(ended_at__isnull=True)
    found = unended.select_related("promise", "player__contact", "entry").order_by("pk")
    return [one for one in found if not one.holds_at(now)]


# --- given directly ----------------------------------------------------------------------------


@transaction.atomic
def give_directly(*, event: Event, entry: DirectEntry, by: Actor, key: str = "") -> Place:
    """A place at this event for a reason, by its organiser."""
    event = _lock(event.pk)[event.pk]
    if done := Submission.objects.outcome(event, key):
        return Place.objects.get(pk=done)
    now = timezone.now()
    if has_begun(event, now):
        raise Refused(_("The event has begun: add them at the door."))
    refuse_draft(event)
    if entry.why == DirectWhy.OTHER and not entry.why_words:
        raise Refused(_("Say the reason."))
    marks = marks_of(None, entry.email, person_known_by(entry.email))
    if marks & marks_held(held_at(event, now)):
        raise Refused(
            _("%(email)s has a place here already: nobody has two.") % {"email": entry.email}
        )
    place = Place.objects.create(
        event=event,
        name=entry.name,
        email=entry.email.lower(),
        why=entry.why,
        why_words=entry.why_words,
        offered_by=by.signature,
        due_at=min(now + timedelta(days=entry.due_days), event.starts_at),
    )
    Submission.objects.remember(event, key, place)
    LogEntry.objects.record(
        "place.given", event=event, by=by, about=place, after={"why": entry.why}
    )
    mail.send_place(place)
    return place


def events_with_lapsed() -> list[Event]:
    """Those where something has to be passed on now."""
    now = timezone.now()
    unended = Place.objects.unended().select_related("entry")
    lapsed = {one.event_id for one in unended if not one.holds_at(now)}
    still = Event.objects.exclude(status=EventStatus.DRAFT)
    return list(still.filter(pk__in=lapsed).order_by("pk"))
