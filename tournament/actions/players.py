"""Registration, the door, and people who come and go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament import mail
from tournament.actor import Actor
from tournament.models import Contact, Event, LogEntry, Player
from tournament.models.base import new_token
from tournament.models.events import EventStatus
from tournament.models.players import HOLDS_A_PLACE, NameStyle, PlayerStatus, Source
from tournament.queries.players import without_ticket
from tournament.queries.registration import registration_open
from tournament.queries.seats import folded
from tournament.refused import Refused

LOGGED_OF_ENTRY = ("name", "name_style", "alias", "deals")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a person, an organiser or a spreadsheet row says about one player."""

    name: str
    email: str = ""
    phone: str = ""
    name_style: str = NameStyle.FULL
    alias: str = ""
    age_confirmed: bool = False
    note: str = ""
    deals: bool = True


def places_left(event: Event) -> int | None:
    """Free places; None where there is no limit. Never below 0."""
    if event.capacity is None:
        return None
    return max(0, event.capacity - event.players.filter(status__in=HOLDS_A_PLACE).count())


def next_number(event: Event) -> int:
    """The next start number; only under the event's lock."""
    return (event.players.aggregate(last=Max("number"))["last"] or 0) + 1


def _add(event: Event, entry: Entry, *, number: int, status: str, source: str) -> Player:
    player = Player.objects.create(
        event=event,
        number=number,
        name=entry.name,
        name_style=entry.name_style,
        alias=entry.alias,
        age_confirmed=entry.age_confirmed,
        note=entry.note,
        deals=entry.deals,
        language=get_language() or "",
        status=status,
        source=source,
    )
    Contact.objects.create(player=player, email=entry.email, phone=entry.phone)
    return player


type Known = dict[str, dict[str, int]]


def known_people(event: Event) -> Known:
    """Folded name -> e-mail -> start number, of everybody who has not withdrawn."""
    found: Known = {}
    for name, email, number in event.players.exclude(status=PlayerStatus.WITHDRAWN).values_list(
        "name", "contact__email", "number"
    ):
        found.setdefault(folded(name), {})[email or ""] = number
    return found


def number_of(known: Known, entry: Entry) -> int | None:
    """The start number of the same person: this name with this e-mail; without an e-mail the name
    alone decides, since two people of one name need something to tell them apart."""
    same_name = known.get(folded(entry.name), {})
    if not entry.email:
        return next(iter(same_name.values()), None)
    return same_name.get(entry.email)


@transaction.atomic
def register(*, event: Event, entry: Entry, by: Actor, key: str = "") -> Player:
    """A person registers on the public page: a place, or the waiting list when none is left.

    The event's row is locked, so two who ask for the last place at once cannot both get it.
    The same submission sent twice gives the same entry.
    """
    event = Event.objects.lock(event.pk)
    if done := LogEntry.objects.about(event, key):
        return Player.objects.get(pk=done)
    if not registration_open(event):
        raise Refused(_("Registration is closed. The organiser may still have a place for you."))
    if number_of(known_people(event), entry):
        raise Refused(
            _("%(name)s is registered with this e-mail already. Look for the mail with the ticket.")
            % {"name": entry.name}
        )
    status = PlayerStatus.WAITING if places_left(event) == 0 else PlayerStatus.REGISTERED
    player = _add(event, entry, number=next_number(event), status=status, source=Source.WEB)
    LogEntry.objects.record(
        "player.registered", event=event, by=by, about=player, after=status, key=key
    )
    _mail_ticket(player)
    return player


def _mail_ticket(player: Player, send: Callable[[Player], None] = mail.send_ticket) -> None:
    """Nothing without an e-mail; else the fact is stored and the mail goes out at the end."""
    if player.email:
        player.ticket_sent_at = timezone.now()
        player.save(update_fields=["ticket_sent_at"])
        transaction.on_commit(partial(send, player), robust=True)


@transaction.atomic
def add_player(
    *, event: Event, entry: Entry, by: Actor, walk_in: bool = False, key: str = ""
) -> Player:
    """The organiser adds somebody, beyond the closing time and the places if need be. A walk-in
    stands at the door and is checked in at once."""
    event = Event.objects.lock(event.pk)
    if done := LogEntry.objects.about(event, key):
        return Player.objects.get(pk=done)
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    if number := number_of(known_people(event), entry):
        raise Refused(
            _("%(name)s is in the list already, with number %(number)d.")
            % {"name": entry.name, "number": number}
        )
    player = _add(
        event,
        entry,
        number=next_number(event),
        status=PlayerStatus.CHECKED_IN if walk_in else PlayerStatus.REGISTERED,
        source=Source.WALK_IN if walk_in else Source.STAFF,
    )
    LogEntry.objects.record(
        "player.walked_in" if walk_in else "player.added",
        event=event,
        by=by,
        about=player,
        after=player.status,
        key=key,
    )
    _mail_ticket(player)
    return player


@transaction.atomic
def import_players(*, event: Event, entries: Sequence[Entry], by: Actor, key: str = "") -> int:
    """All of them or none; the last ones go to the waiting list when places run out."""
    event = Event.objects.lock(event.pk)
    if LogEntry.objects.done(event, key):
        return 0
    known = known_people(event)
    for entry in entries:
        if number_of(known, entry):
            raise Refused(_("%(name)s is in the list already.") % {"name": entry.name})
    first = next_number(event)
    free = places_left(event)
    for place, entry in enumerate(entries):
        full = free is not None and place >= free
        _add(
            event,
            entry,
            number=first + place,
            status=PlayerStatus.WAITING if full else PlayerStatus.REGISTERED,
            source=Source.IMPORT,
        )
    LogEntry.objects.record(
        "players.imported",
        event=event,
        by=by,
        label=str(len(entries)),
        key=key,
        after=[first, first + len(entries) - 1],
    )
    return len(entries)


@transaction.atomic
def edit_player(*, player: Player, entry: Entry, by: Actor) -> Player:
    event = Event.objects.lock(player.event_id)
    player = Player.objects.select_related("contact").get(pk=player.pk)
    before = {name: getattr(player, name) for name in LOGGED_OF_ENTRY}
    player.name, player.name_style, player.alias = entry.name, entry.name_style, entry.alias
    player.age_confirmed, player.note, player.deals = entry.age_confirmed, entry.note, entry.deals
    if player.email != entry.email:
        player.ticket_sent_at = None
    player.save(update_fields=[*LOGGED_OF_ENTRY, "age_confirmed", "note", "ticket_sent_at"])
    Contact.objects.update_or_create(
        player=player, defaults={"email": entry.email, "phone": entry.phone}
    )
    after = {name: getattr(player, name) for name in LOGGED_OF_ENTRY}
    LogEntry.objects.record(
        "player.edited", event=event, by=by, about=player, before=before, after=after
    )
    return player


def promote_waiting(event: Event) -> list[Player]:
    """Fill free places from the waiting list in its order; only under the event's lock."""
    waiting = event.players.filter(status=PlayerStatus.WAITING).order_by("made_at", "pk")
    waiting = waiting.select_related("event", "contact")
    free = places_left(event)
    promoted = list(waiting if free is None else waiting[:free])
    for player in promoted:
        player.status = PlayerStatus.REGISTERED
        player.save(update_fields=["status"])
        _mail_ticket(player, mail.send_promotion)
    return promoted


@transaction.atomic
def new_ticket(*, player: Player, by: Actor) -> Player:
    """A new link; the old one stops working."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.get(pk=player.pk)
    player.token = new_token()
    player.save(update_fields=["token"])
    LogEntry.objects.record("player.new_ticket", event=event, by=by, about=player)
    _mail_ticket(player)
    return player


@transaction.atomic
def mail_ticket(*, player: Player, by: Actor) -> Player:
    """Once more, with the same link: the mail was lost, or the e-mail is new."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.select_related("event", "contact").get(pk=player.pk)
    if not player.email:
        raise Refused(_("There is no e-mail to send the ticket to."))
    LogEntry.objects.record("tickets.mailed", event=event, by=by, about=player)
    _mail_ticket(player)
    return player


@transaction.atomic
def mail_tickets(*, event: Event, by: Actor, key: str = "") -> int:
    """The ticket to everybody with an e-mail who was never sent one; how many those were."""
    event = Event.objects.lock(event.pk)
    if LogEntry.objects.done(event, key):
        return 0
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    players = list(without_ticket(event).select_related("event", "contact"))
    for player in players:
        _mail_ticket(player)
    if players:
        LogEntry.objects.record(
            "tickets.mailed",
            event=event,
            by=by,
            label=str(len(players)),
            after=[player.number for player in players],
            key=key,
        )
    return len(players)
