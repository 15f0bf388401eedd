"""A person's name and contact taken out of an event. What was played stays, as that of “Erased
player 7”."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.actions.attendance import withdraw
from tournament.models import (
    Contact,
    Event,
    KeptPenalty,
    LogEntry,
    Mail,
    Merge,
    MergeSide,
    Person,
    PersonClaim,
    PersonContact,
    Place,
    Player,
    Result,
    Series,
    SeriesLogEntry,
    SheetPhoto,
)
from tournament.models.actors import Actor
from tournament.models.base import new_token
from tournament.models.events import EventStatus
from tournament.models.mails import MailKind
from tournament.models.photos import private_storage
from tournament.models.players import PlayerStatus
from tournament.models.versions import ALL
from tournament.names import ErasedName, NameStyle
from tournament.queries import kept
from tournament.queries.erasing import (
    Words,
    emails_among,
    guardian_of,
    mails_of,
    own_addresses,
    own_names,
    photos_of,
    redacted,
    redaction_of,
    what_goes,
    why_not,
    words_about,
    words_of,
)
from tournament.queries.own_data import may_erase_at_once
from tournament.queries.persons import stands_for
from tournament.redaction import Redaction
from tournament.refusals import Refused

VERB = "person.erased"


def refuse_erasing(player: Player) -> None:
    """In words, where somebody cannot be erased now."""
    match why_not(player):
        case "erased":
            raise Refused(_("This name is erased already."))
        case "plays":
            raise Refused(
                _(
                    "Whoever plays is needed by name. Let them drop out first, or undo the "
                    "check-in; or wait until the event is finished."
                )
            )
        case "busy":
            raise Refused(
                _("Something is being made of this event, with its names. Try again in a minute.")
            )


@transaction.atomic
def erase_player(
    *, player: Player, reason: str, by: Actor, photos: bool = False, unplayed: bool = False
) -> Player:
    """Erase somebody at their wish; `photos`: of the sheets that they signed, too; `unplayed`:
    refused where something was played. Before they play it is a withdrawal as well."""
    people = _lock_persons(player)
    event = Event.objects.lock(player.event_id)
    player = Player.objects.select_related("event").get(pk=player.pk)
    refuse_erasing(player)
    if unplayed and not may_erase_at_once(player):
        raise Refused(_("You have played meanwhile: ask the organiser."))
    if not reason:
        raise Refused(_("Say why the name is erased: at whose wish, or by which rule."))
    going = what_goes(player)
    if event.status != EventStatus.FINISHED and player.status in (
        PlayerStatus.WAITING,
        PlayerStatus.REGISTERED,
    ):
        player = withdraw(player=player, by=by)
    told = going.as_facts() if photos else going.as_facts() | {"photos": 0}
    if photos:
        erase_photos(photos_of(player))
    reason = redaction_of(player, about=True).of(reason)
    take_out(player)
    for person in people:
        _forget_person(person, event)
    after = {name: count for name, count in told.items() if count}
    tell_erased(player, by, reason=reason, after=after)
    forget_copies(event)
    return player


def tell_erased(player: Player, by: Actor, *, reason: str = "", after: Any = None) -> None:
    LogEntry.objects.record(
        VERB, event=player.event, by=by, about=player, after=after, reason=reason, parts=ALL
    )


def erase_own_entry(*, player: Player, by: Actor) -> Player:
    """By the person, where nothing was played and nobody has to be asked."""
    return erase_player(player=player, reason=_("by the own ticket"), by=by, unplayed=True)


@transaction.atomic
def ask_to_be_erased(*, player: Player, asks: bool, by: Actor) -> Player:
    """The organiser sees it on the desk; or the person has changed their mind."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.get(pk=player.pk)
    if player.erased_at is not None or asks == (player.erasure_asked_at is not None):
        return player
    player.erasure_asked_at = timezone.now() if asks else None
    player.save(update_fields=["erasure_asked_at"])
    verb = "person.erasure_asked" if asks else "person.erasure_taken_back"
    LogEntry.objects.record(verb, event=event, by=by, about=player)
    return player


# --- the entry -------------------------------------------------------------------------------


_TAKEN_OUT = (
    "name",
    "name_style",
    "alias",
    "minor",
    "guardian_agreed_at",
    "note",
    "token",
    "erased_at",
    "erasure_asked_at",
)


def take_out(player: Player, *, words: bool = True) -> None:
    """Name, contact and words of an entry, wherever the database has them; under the event's lock.
    `words`: also out of what others wrote, and of sessions."""
    names, addresses = own_names(player), own_addresses(player)
    if words:
        redact(words_of(player.event), redaction_of(player))
        redact(words_about(player), redaction_of(player, about=True))
        redact(_words_of_series(player), redaction_of(player))
        guardian = filter(None, guardian_of(player))
        _forget_in_sessions([*names, *guardian, *emails_among(addresses)], [player.token])
    mails_of(player).erase()
    name = ErasedName(player.number)
    player.name, player.name_style, player.alias, player.note = name, NameStyle.FULL, "", ""
    player.minor, player.guardian_agreed_at = False, None
    player.token, player.erased_at = new_token(), timezone.now()
    player.erasure_asked_at = None
    player.save(update_fields=_TAKEN_OUT)
    erase_contact(player)
    Result.objects.filter(player=player).update(name=name)
    # One that was given directly names them by itself.
    Place.objects.filter(entry=player, promise=None).update(name=name, email="")
    for place in Place.objects.filter(player=player):
        place.token = new_token()
        place.save(update_fields=["token"])


def erase_contact(player: Player) -> None:
    """How to reach somebody, wherever it stands."""
    Contact.objects.filter(player=player).delete()
    MergeSide.objects.filter(player=player).update(email="")
    PersonClaim.objects.filter(player=player).delete()


def erase_photos(photos: Iterable[SheetPhoto]) -> None:
    """Rows with the transaction, files once it stands."""
    for photo in list(photos):
        name = photo.image.name or ""
        photo.delete()
        transaction.on_commit(partial(private_storage().delete, name), robust=True)


def redact(every: Iterable[Words], redaction: Redaction) -> None:
    for words in every:
        for row in redacted(words, redaction):
            row.save(update_fields=words.fields)


def _words_of_series(player: Player) -> Iterable[Words]:
    """Of the series that the event is in, and of mails about merges."""
    series = Series.objects.filter(entries__event=player.event_id)
    merges = Merge.objects.filter(sides__player=player)
    pks = list(series.values_list("pk", flat=True))
    yield Words(SeriesLogEntry.objects.filter(series__in=pks), ("before", "after", "reason"))
    yield Words(KeptPenalty.objects.filter(penalty__player=player), ("reason",))
    yield Words(merges.distinct(), ("reason", "undone_reason"))
    yield Words(Mail.objects.filter(series__in=pks), ("subject", "body"))


# --- the person ------------------------------------------------------------------------------


def _persons_of(player: Player) -> set[int]:
    """Whoever has, or had, the entry, with whom they became."""
    found = Person.objects.filter(links__player=player).distinct()
    return {one.pk for person in found for one in (person, stands_for(person))}


def _lock_persons(player: Player) -> list[Person]:
    return list(Person.objects.filter(pk__in=_persons_of(player)).locked())


def _forget_person(person: Person, event: Event) -> None:
    """The entry is theirs no more; who has no other is forgotten with it."""
    now = timezone.now()
    person.links.in_force().filter(player__event=event, player__erased_at__isnull=False).update(
        withdrawn_at=now
    )
    for one in persons_without_entries([person.pk]):
        forget_person(one)


def persons_without_entries(keys: Collection[int]) -> list[Person]:
    """Of these persons, and whoever was joined into them, those who have no entry any more."""
    joined = Merge.objects.filter(into__in=keys, joined__isnull=False).values_list("joined")
    found = Person.objects.filter(Q(pk__in=keys) | Q(pk__in=joined), erased_at=None)
    return [
        one
        for one in found
        if not any(who.links.in_force().exists() for who in (one, stands_for(one)))
    ]


def forget_person(person: Person) -> None:
    """Name, address and page of somebody who has no entry any more."""
    contact = PersonContact.objects.filter(person=person).first()
    if contact is not None:
        PersonClaim.objects.filter(email=contact.email).delete()
        Mail.objects.filter(kind=MailKind.PERSON, to__iexact=contact.email).erase()
        contact.delete()
    now = timezone.now()
    person.name, person.token = "", new_token()
    person.left_at, person.erased_at = person.left_at or now, person.erased_at or now
    person.public = person.shows_roles = False
    person.save()


# --- copies ----------------------------------------------------------------------------------


def forget_copies(event: Event) -> None:
    """Prints and what is kept for many, once the change stands: they are made anew."""
    transaction.on_commit(partial(_forget_prints, event.pk), robust=True)
    transaction.on_commit(_forget_kept, robust=True)


def _forget_prints(event_pk: int) -> None:
    prints = storages["prints"]
    try:
        _folders, files = prints.listdir(str(event_pk))
    except FileNotFoundError:  # nothing was printed
        return
    for name in files:
        prints.delete(f"{event_pk}/{name}")


def _forget_kept() -> None:
    caches["shared"].clear()
    caches["local"].clear()
    kept.forget()


# What the site puts into a session for a while: what was typed, what was said, whose entry it is.
_IN_SESSIONS = ("interrupted", "_messages", "registered")


def _forget_in_sessions(names: Collection[str], tokens: Collection[str]) -> None:
    # A session says only inside what it holds.
    for session in Session.objects.iterator():
        held = session.get_decoded()
        text = str(held)
        if any(one in text for one in (*names, *tokens)):
            left = {name: value for name, value in held.items() if name not in _IN_SESSIONS}
            session.session_data = Session.objects.encode(left)
            session.save(update_fields=["session_data"])
