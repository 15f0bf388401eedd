"""What an event knew of people is erased when its time has come (`tournament.upkeep`)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from tournament.actions.erasing import (
    erase_photos,
    forget_copies,
    forget_person,
    persons_without_entries,
    redact,
    take_out,
)
from tournament.models import (
    Event,
    EventVersion,
    LogEntry,
    Mail,
    MergeSide,
    PersonClaim,
    PersonLink,
    Place,
    SheetPhoto,
)
from tournament.models.actors import Actor
from tournament.models.versions import ALL
from tournament.queries.erasing import redaction_of_all, redaction_of_guardians, words_of
from tournament.queries.retention import (
    CONTACTS,
    NAMES,
    contacts_to_erase,
    names_to_erase,
    retention_of,
)

AT_ONCE = 200  # people in one transaction: others may write in between


@transaction.atomic
def erase_contacts(*, event: Event, by: Actor) -> int:
    """How to reach anybody of this event; of how many people. Refuses nothing: before its time
    nobody's goes."""
    event, now = Event.objects.lock(event.pk), timezone.now()
    if event.contacts_erased_at is not None or retention_of(event).contacts_at > now:
        return 0
    contacts = contacts_to_erase(event, now)
    players = list(contacts.values_list("player", flat=True))
    if (redaction := redaction_of_guardians(event, contacts)) is not None:
        redact(words_of(event), redaction)
    for first in range(0, len(players), AT_ONCE):
        some = players[first : first + AT_ONCE]
        Mail.objects.filter(player__in=some).erase()
        MergeSide.objects.filter(player__in=some).update(email="")
        PersonClaim.objects.filter(player__in=some).delete()
        Place.objects.filter(entry__in=some, promise=None).update(email="")
        event.players.filter(pk__in=some).update(note="")
    contacts.delete()
    if not event.players.filter(contact__isnull=False).exists():
        event.contacts_erased_at = now
        event.save(update_fields=["contacts_erased_at"])
    if players:
        LogEntry.objects.record(CONTACTS, event=event, by=by, after={"people": len(players)})
    return len(players)


def erase_names(*, event: Event, by: Actor) -> int:
    """Names of whoever does not keep theirs, some at a time; how many those were."""
    erased = 0
    while count := _erase_some_names(event, by):
        erased += count
    return erased


@transaction.atomic
def _erase_some_names(event: Event, by: Actor) -> int:
    event = Event.objects.lock(event.pk)
    due = retention_of(event).names_at <= timezone.now()
    if event.names_erased_at is not None or not due or event.jobs.open().exists():
        return 0
    players = list(names_to_erase(event).select_related("event").order_by("number")[:AT_ONCE])
    redaction = redaction_of_all(players)
    redact(words_of(event), redaction)
    for player in players:
        take_out(player, words=False)
    links = PersonLink.objects.in_force().filter(player__in=players)
    persons = list(links.values_list("person", flat=True).distinct())
    links.update(withdrawn_at=timezone.now())
    for person in persons_without_entries(persons):
        forget_person(person)
    erase_photos(SheetPhoto.objects.filter(sheet__table__round__event=event))
    EventVersion.objects.raise_for(event, ALL)
    if not names_to_erase(event).exists():
        event.names_erased_at = timezone.now()
        event.save(update_fields=["names_erased_at"])
        gone = event.players.filter(erased_at__isnull=False).count()
        if gone:
            LogEntry.objects.record(NAMES, event=event, by=by, after={"people": gone}, parts=ALL)
    forget_copies(event)
    return len(players)
