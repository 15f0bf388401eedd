"""The organiser's list: entries added, imported, edited, and their tickets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament import mail
from tournament.actions.results import freeze
from tournament.models import Contact, Event, LogEntry, Player, Submission
from tournament.models.actors import Actor
from tournament.models.base import new_token
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus, Source
from tournament.names import NameStyle
from tournament.queries.players import known_people, namesake_of, without_ticket
from tournament.queries.registration import places_left
from tournament.refusals import Refused

# Of the rest the log tells only that it changed: it holds nobody's name.
LOGGED_VALUES = ("name_style", "willing_to_deal", "unranked", "keeps_name")
EDITED = (
    "name",
    "name_style",
    "alias",
    "age_confirmed",
    "minor",
    "note",
    "willing_to_deal",
    "unranked",
    "keeps_name",
)


# How to reach a person, as both the entry and the contact have it.
REACHED = ("email", "phone", "guardian", "guardian_contact")


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """What a person, an organiser or a spreadsheet row says about one player. `namesake`: somebody
    said that this is another person than the one who has the name already. Of who is no `minor`
    nothing of a guardian is kept; who is one is never shown by the full name."""

    name: str
    email: str = ""
    phone: str = ""
    name_style: str = NameStyle.FULL
    alias: str = ""
    age_confirmed: bool = False
    note: str = ""
    willing_to_deal: bool = True
    namesake: bool = False
    unranked: bool = False
    keeps_name: bool = False
    minor: bool = False
    guardian: str = ""
    guardian_contact: str = ""
    guardian_agrees: bool = False

    def __post_init__(self) -> None:
        if not self.minor:
            self._set(guardian="", guardian_contact="", guardian_agrees=False)
        elif self.name_style == NameStyle.FULL:
            self._set(name_style=NameStyle.INITIAL)

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def contact(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in REACHED}


def next_number(event: Event) -> int:
    """The next start number; only under the event's lock."""
    return (event.players.aggregate(last=Max("number"))["last"] or 0) + 1


def add_entry(event: Event, entry: PlayerEntry, *, number: int, status: str, source: str) -> Player:
    """Write one entry with its contact; only under the event's lock."""
    player = Player.objects.create(
        event=event,
        number=number,
        name=entry.name,
        name_style=entry.name_style,
        alias=entry.alias,
        age_confirmed=entry.age_confirmed,
        minor=entry.minor,
        guardian_agreed_at=timezone.now() if entry.guardian_agrees else None,
        note=entry.note,
        willing_to_deal=entry.willing_to_deal,
        unranked=entry.unranked,
        keeps_name=entry.keeps_name,
        # Whoever registers reads that language; of the others only the event's is known.
        language=get_language() or "" if source == Source.WEB else event.language,
        status=status,
        source=source,
    )
    Contact.objects.create(player=player, **entry.contact())
    return player


def refuse_draft(event: Event) -> None:
    """Nobody gets mail about an event that only its staff can see."""
    if event.status == EventStatus.DRAFT:
        raise Refused(_("The event is a draft: publish it first, then mail to its players."))


def refuse_erased(player: Player) -> None:
    """Nobody gets a name back, or a ticket, by a slip."""
    if player.erased_at is not None:
        raise Refused(_("This name is erased: the entry stays as it is. Add the person anew."))


@transaction.atomic
def add_player(
    *, event: Event, entry: PlayerEntry, by: Actor, walk_in: bool = False, key: str = ""
) -> Player:
    """The organiser adds somebody, beyond the closing time and the places if need be. A walk-in
    stands at the door and is checked in at once. A second person of one name has to be told to be
    one."""
    event = Event.objects.lock(event.pk)
    if done := Submission.objects.outcome(event, key):
        return Player.objects.get(pk=done)
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    number = namesake_of(known_people(event), entry.name, entry.email)
    if number is not None and not entry.namesake:
        raise Refused(
            _(
                "%(name)s is in the list already, with number %(number)d. If this is another "
                "person of the same name, tick that below and press again."
            )
            % {"name": entry.name, "number": number},
            code="namesake",
        )
    player = add_entry(
        event,
        entry,
        number=next_number(event),
        status=PlayerStatus.CHECKED_IN if walk_in else PlayerStatus.REGISTERED,
        source=Source.WALK_IN if walk_in else Source.STAFF,
    )
    Submission.objects.remember(event, key, player)
    LogEntry.objects.record(
        "player.walked_in" if walk_in else "player.added",
        event=event,
        by=by,
        about=player,
        after=player.status,
    )
    mail.send_ticket(player)
    return player


@transaction.atomic
def import_players(
    *, event: Event, entries: Sequence[PlayerEntry], by: Actor, key: str = ""
) -> int:
    """All of them or none; the last ones go to the waiting list when places run out."""
    event = Event.objects.lock(event.pk)
    if Submission.objects.processed(event, key):
        return 0
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    known = known_people(event)
    for entry in entries:
        if not entry.namesake and namesake_of(known, entry.name, entry.email):
            raise Refused(_("%(name)s is in the list already.") % {"name": entry.name})
    first = next_number(event)
    free = places_left(event)
    for place, entry in enumerate(entries):
        full = free is not None and place >= free
        add_entry(
            event,
            entry,
            number=first + place,
            status=PlayerStatus.WAITING if full else PlayerStatus.REGISTERED,
            source=Source.IMPORT,
        )
    Submission.objects.remember(event, key)
    LogEntry.objects.record(
        "players.imported",
        event=event,
        by=by,
        after=[first, first + len(entries) - 1],
    )
    return len(entries)


@transaction.atomic
def edit_player(*, player: Player, entry: PlayerEntry, by: Actor) -> Player:
    event = Event.objects.lock(player.event_id)
    player = Player.objects.select_related("contact").get(pk=player.pk)
    refuse_erased(player)
    if entry.unranked != player.unranked and event.cuts.in_force().exists():
        raise Refused(
            _("The cut is made: who plays without a rank stays as it is, or the cut is undone.")
        )
    before = {field: getattr(player, field) for field in EDITED}
    for field in EDITED:
        setattr(player, field, getattr(entry, field))
    if player.email != entry.email:
        mail.forget_tickets(player)
        player.ticket_sent_at = None
        player.save(update_fields=["ticket_sent_at"])
    changed = [field for field in EDITED if before[field] != getattr(player, field)]
    if entry.guardian_agrees != (player.guardian_agreed_at is not None):
        player.guardian_agreed_at = timezone.now() if entry.guardian_agrees else None
        changed.append("guardian_agreed_at")
    player.save(update_fields=(*EDITED, "guardian_agreed_at"))
    Contact.objects.update_or_create(player=player, defaults=entry.contact())
    if {"unranked", "minor"} & set(changed) and event.status == EventStatus.FINISHED:
        freeze(event)
    LogEntry.objects.record(
        "player.edited",
        event=event,
        by=by,
        about=player,
        before={field: before[field] for field in LOGGED_VALUES},
        after={field: getattr(player, field) for field in LOGGED_VALUES} | {"changed": changed},
    )
    return player


def note_guardian(*, player: Player, by: Actor) -> Player:
    """A parent or guardian has agreed, on paper or at the door."""
    return _set_agreed(player, by, agreed=True)


def take_back_guardian(*, player: Player, by: Actor) -> Player:
    """It was a slip, or they agree no more."""
    return _set_agreed(player, by, agreed=False)


@transaction.atomic
def _set_agreed(player: Player, by: Actor, *, agreed: bool) -> Player:
    event = Event.objects.lock(player.event_id)
    player = Player.objects.select_related("event").get(pk=player.pk)
    refuse_erased(player)
    if not player.minor:
        raise Refused(_("This is only asked of people under 18."))
    if agreed == (player.guardian_agreed_at is not None):
        return player
    player.guardian_agreed_at = timezone.now() if agreed else None
    player.save(update_fields=["guardian_agreed_at"])
    verb = "guardian.agreed" if agreed else "guardian.taken_back"
    LogEntry.objects.record(verb, event=event, by=by, about=player)
    return player


def promote_waiting(event: Event) -> list[Player]:
    """Fill free places from the waiting list in its order; only under the event's lock."""
    waiting = event.players.waiting().order_by("created_at", "pk")
    waiting = waiting.select_related("event", "contact")
    free = places_left(event)
    promoted = list(waiting if free is None else waiting[:free])
    for player in promoted:
        player.status = PlayerStatus.REGISTERED
        player.save(update_fields=["status"])
        mail.send_promotion(player)
    return promoted


@transaction.atomic
def new_ticket(*, player: Player, by: Actor) -> Player:
    """A new link; the old one stops working."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.get(pk=player.pk)
    refuse_erased(player)
    player.token = new_token()
    player.save(update_fields=["token"])
    LogEntry.objects.record("player.new_ticket", event=event, by=by, about=player)
    mail.send_ticket(player)
    return player


@transaction.atomic
def mail_ticket(*, player: Player, by: Actor) -> Player:
    """Once more, with the same link: the mail was lost, or the e-mail is new."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.select_related("event", "contact").get(pk=player.pk)
    if not player.email:
        raise Refused(_("There is no e-mail to send the ticket to."))
    refuse_draft(event)
    LogEntry.objects.record("tickets.mailed", event=event, by=by, about=player)
    mail.send_ticket(player)
    return player


@transaction.atomic
def mail_tickets(*, event: Event, by: Actor, key: str = "") -> int:
    """The ticket to everybody with an e-mail who was never sent one; how many those were."""
    event = Event.objects.lock(event.pk)
    if Submission.objects.processed(event, key):
        return 0
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    refuse_draft(event)
    players = list(without_ticket(event).select_related("event", "contact"))
    for player in players:
        mail.send_ticket(player)
    if players:
        Submission.objects.remember(event, key)
        LogEntry.objects.record(
            "tickets.mailed",
            event=event,
            by=by,
            after=[player.number for player in players],
        )
    return len(players)
