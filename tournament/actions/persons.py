"""Persons: results kept together because somebody asked for it, and let go again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament import mail
from tournament.actions.erasing import forget_copies, forget_person, take_out, tell_erased
from tournament.models import (
    Event,
    EventVersion,
    LogEntry,
    Person,
    PersonClaim,
    PersonContact,
    PersonLink,
    Player,
)
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.versions import Part
from tournament.queries.persons import (
    events_linked,
    person_by_email,
    person_of,
    stands_for,
)
from tournament.refusals import Refused

BETWEEN_MAILS = timedelta(minutes=5)
GOOD_FOR = timedelta(days=14)  # a mailed link


def _address_of(player: Player) -> str:
    if not player.email:
        raise Refused(_("There is no e-mail with this entry, so nobody can say that it is yours."))
    return player.email.lower()


@transaction.atomic
def ask_to_keep(*, player: Player, name: str, by: Actor) -> PersonClaim:
    """Mail a link to the address of the entry; opened, it says yes. The ticket alone does not: it
    may be in anybody's hand."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.select_related("contact").get(pk=player.pk)
    email = _address_of(player)
    asked = timezone.now() - BETWEEN_MAILS
    if player.claims.filter(email=email, created_at__gt=asked).exists():
        raise Refused(_("A mail is on its way already. Look for it, or try again in five minutes."))
    claim = PersonClaim.objects.create(
        player=player, email=email, name=name, language=get_language() or ""
    )
    LogEntry.objects.record("person.asked", event=event, by=by, about=player)
    mail.send_claim(claim)
    return claim


def confirm_claim(*, claim: PersonClaim, by: Actor) -> Person:
    """The entry is the person's who has this address; a new person where there is none. Whoever was
    first has it: raises Refused where it is somebody else's by now."""
    for _attempt in range(5):
        try:
            return _confirm(claim, by)
        except IntegrityError:  # the same address, or the same entry, at the same instant
            continue
    return _confirm(claim, by)


@transaction.atomic
def _confirm(claim: PersonClaim, by: Actor) -> Person:
    person = person_by_email(claim.email)
    if person is not None:
        person = Person.objects.lock(stands_for(person).pk)
        person = person if person.left_at is None else None
    event = Event.objects.lock(claim.player.event_id)
    claim = PersonClaim.objects.select_related("player__contact").lock(claim.pk)
    player = claim.player
    has = person_of(player)
    # By now it may be the same person's, by this very link on another phone.
    if has is not None and (has == person or has.email == claim.email):
        return _used(claim, has)
    if claim.used_at is not None or claim.created_at < timezone.now() - GOOD_FOR:
        raise Refused(_("This link was used, or is too old. Ask for a new one on your ticket."))
    if has is not None:
        raise Refused(_("Somebody else keeps this result already. Ask the organiser."))
    if _address_of(player) != claim.email:
        raise Refused(_("The entry has another e-mail by now: ask again on the ticket."))
    if person is None:
        person = Person.objects.create(name=claim.name, language=claim.language)
        PersonContact.objects.create(person=person, email=claim.email)
        mail.send_person_link(person)
    elif events_linked(person).filter(pk=event.pk).exists():
        raise Refused(_("You have another entry in this event: one person plays once."))
    PersonLink.objects.create(person=person, player=player)
    LogEntry.objects.record("person.joined", event=event, by=by, about=player)
    return _used(claim, person)


def _used(claim: PersonClaim, person: Person) -> Person:
    if claim.used_at is None:
        claim.used_at = timezone.now()
        claim.save(update_fields=["used_at"])
    return person


def touch(events: Iterable[int]) -> None:
    """What seasons show of these events has changed, though nothing happened in them."""
    for pk in sorted(set(events)):
        EventVersion.objects.raise_for(Event(pk=pk), {Part.RESULTS})


def _lock_person(person: Person) -> Person:
    person = Person.objects.lock(person.pk)
    if person.left_at is not None:
        raise Refused(_("You have left: your results stand apart again."))
    return person


@transaction.atomic
def change_person(*, person: Person, name: str, public: bool, shows_roles: bool) -> Person:
    person = _lock_person(person)
    person.name, person.public, person.shows_roles = name, public, shows_roles
    person.save(update_fields=["name", "public", "shows_roles"])
    touch(events_linked(person).values_list("pk", flat=True))
    return person


def _end(links: Iterable[PersonLink]) -> None:
    """These entries stand alone again: their events are told, in the order of their keys."""
    for link in sorted(links, key=lambda one: one.player.event_id):
        link.withdrawn_at = timezone.now()
        link.save(update_fields=["withdrawn_at"])
        LogEntry.objects.record(
            "person.unlinked",
            event=link.player.event,
            by=Actor.of_player(link.player),
            about=link.player,
        )


@transaction.atomic
def let_go(*, link: PersonLink) -> Person:
    """One entry is no longer the person's. It can be claimed again."""
    person = _lock_person(link.person)
    link = PersonLink.objects.select_related("player__event").get(pk=link.pk)
    if link.withdrawn_at is None:
        _end([link])
    return person


def _lock_going(person: Person) -> Person:
    """Whose entries are with another since a merge takes that apart before going, or they would
    stay there."""
    person = _lock_person(person)
    if stands_for(person) != person:
        raise Refused(_("Your results stand with those of another entry: take them apart first."))
    return person


@transaction.atomic
def leave(*, person: Person) -> Person:
    """All entries stand alone again, and the address is forgotten."""
    person = _lock_going(person)
    _end(person.links.in_force().select_related("player__event"))
    _forget_address(person)
    person.left_at = timezone.now()
    person.public = person.shows_roles = False
    person.save(update_fields=["left_at", "public", "shows_roles"])
    return person


def _forget_address(person: Person) -> None:
    PersonClaim.objects.filter(email=person.email).delete()
    PersonContact.objects.filter(person=person).delete()


@transaction.atomic
def erase(*, person: Person) -> Person:
    """As `leave`, and the name is gone from the entries as well: their results stay, as those of
    “Erased player 7”. Refused while an event of theirs is not over, where they are needed by
    name."""
    person = _lock_going(person)
    links = list(person.links.in_force().select_related("player__event"))
    events = {link.player.event_id for link in links}
    for event in Event.objects.filter(pk__in=events).locked():
        if event.status != EventStatus.FINISHED:
            raise Refused(
                _("%(event)s is not over. Give your place back there first, or wait until it is.")
                % {"event": event}
            )
    _end(links)
    for link in sorted(links, key=lambda one: one.player.event_id):
        player, event = link.player, link.player.event
        take_out(player)
        tell_erased(player, Actor.of_player(player))
        forget_copies(event)
    forget_person(person)
    return person
