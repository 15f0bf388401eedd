"""What an event knows of a person: what an erasing takes away, and what stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import (
    CharField,
    EmailField,
    Field,
    JSONField,
    Model,
    Q,
    QuerySet,
    TextField,
)

from tournament.labels import ERASED
from tournament.models import (
    Contact,
    Event,
    Inquiry,
    Job,
    LogEntry,
    Mail,
    Penalty,
    Place,
    Player,
    SheetPhoto,
)
from tournament.models.base import PersonNameField
from tournament.models.events import EventStatus
from tournament.models.mails import MailKind, MailQuerySet
from tournament.models.people import Invitation
from tournament.models.players import PlayerStatus
from tournament.names import abbreviated
from tournament.queries.event_file.kinds import SIGNED, all_kinds
from tournament.redaction import Redaction
from tournament.spelling import folded

# Whose names and addresses are their own, not words about somebody.
_NOT_WORDS = (Player, Contact, Invitation)


@dataclass(frozen=True, slots=True)
class Going:
    """How much of each kind: `texts` are words of others that name the person."""

    contact: int = 0
    guardian: int = 0
    note: int = 0
    mails_waiting: int = 0
    mails_sent: int = 0
    texts: int = 0
    photos: int = 0

    def as_facts(self) -> dict[str, int]:
        return {name: count for name, count in asdict(self).items() if count}


def own_names(player: Player) -> tuple[str, ...]:
    """What somebody is called in this event."""
    before, _space, after = player.name.rpartition(" ")
    turned = f"{after} {before}" if before else ""
    found = (player.name, turned, abbreviated(player.name), player.alias)
    return tuple(dict.fromkeys(filter(None, found)))


def own_addresses(player: Player) -> tuple[str, ...]:
    """E-mails, also earlier ones that something was sent to, and the phone."""
    contact = Contact.objects.filter(player=player).first()
    known = [contact.email, contact.phone] if contact is not None else []
    asked = player.claims.values_list("email", flat=True)
    placed = player.entered_by_place.direct().values_list("email", flat=True)
    sent = player.mails.values_list("to", flat=True)
    return tuple(dict.fromkeys(filter(None, [*known, *asked, *placed, *sent])))


def guardian_of(player: Player) -> tuple[str, str]:
    """Name and contact of who answers for somebody under 18; empty where nobody does."""
    contact = Contact.objects.filter(player=player).first()
    return (contact.guardian, contact.guardian_contact) if contact is not None else ("", "")


def emails_among(addresses: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in addresses if "@" in one)


def redaction_of(player: Player, *, about: bool = False) -> Redaction:
    """What takes the person out of words. Of what is said `about` them also each word of the name;
    elsewhere nothing that is somebody else's as well."""
    redaction, instead = Redaction(), f"#{player.number}"
    names = own_names(player)
    others = set() if about else _others_names(player)
    redaction.add_all((name for name in names if folded(name) not in others), instead)
    if about:
        redaction.add_all(_telling_words(names), instead)
    redaction.add_all(own_addresses(player), "…")
    guardian, contact = guardian_of(player)
    redaction.add(contact, "…")
    if folded(guardian) not in others:
        redaction.add(guardian, "…")
    if about:
        redaction.add_all(_telling_words((guardian,)), "…")
    return redaction


def _others_names(player: Player) -> set[str]:
    others = Player.objects.filter(event=player.event_id).exclude(pk=player.pk)
    return {folded(name) for one in others for name in own_names(one)}


def redaction_of_all(players: Sequence[Player]) -> Redaction:
    """Of several at once, and of what somebody else is called as well: their time has come too."""
    redaction = Redaction()
    for player in players:
        redaction.add_all(own_names(player), f"#{player.number}")
    return redaction


def redaction_of_guardians(event: Event, contacts: QuerySet[Contact]) -> Redaction | None:
    """Of the parents and guardians among these, whose names go with them; but for a name that a
    player has as well. None where there are none."""
    found = list(
        contacts.exclude(guardian="", guardian_contact="").values_list(
            "guardian", "guardian_contact"
        )
    )
    if not found:
        return None
    redaction = Redaction()
    players = {folded(name) for one in event.players.all() for name in own_names(one)}
    for guardian, contact in found:
        redaction.add(contact, "…")
        if folded(guardian) not in players:
            redaction.add(guardian, "…")
    return redaction


def _telling_words(names: tuple[str, ...]) -> list[str]:
    """Without "de" and "van der"."""
    return [word for name in names for word in re.findall(r"\w+", name) if not word[0].islower()]


# They are to somebody's login.
_OF_THE_STAFF = (MailKind.INVITATION, MailKind.TEST, MailKind.SERIES_QUESTION)


def mails_of(player: Player) -> MailQuerySet:
    """About the entry, or from this event to an address of theirs that is not another entry's."""
    emails = emails_among(own_addresses(player))
    here = Q(player=None, event=player.event) & ~Q(kind__in=_OF_THE_STAFF)
    return Mail.objects.of_person(player, *emails).filter(Q(player=player) | here)


def photos_of(player: Player) -> QuerySet[SheetPhoto]:
    """Of sheets of the tables at which they sat."""
    return SheetPhoto.objects.filter(sheet__table__seats__player=player)


# --- words -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Words:
    """Rows of the event that hold words, and in which fields."""

    rows: QuerySet[Any]
    fields: tuple[str, ...]


def _is_words(one: Field[Any, Any]) -> bool:
    if isinstance(one, (EmailField, PersonNameField)) or (one.model, one.name) in SIGNED:
        return False
    if not isinstance(one, (CharField, TextField, JSONField)):
        return False
    return not (one.choices or one.unique or one.primary_key)


def _words_in(model: type[Model]) -> tuple[str, ...]:
    return tuple(one.name for one in model._meta.concrete_fields if _is_words(one))


def words_of(event: Event) -> Iterator[Words]:
    """All that people typed in this event, the log with it."""
    for kind, lookup in all_kinds():
        if kind.model not in _NOT_WORDS and (fields := _words_in(kind.model)):
            yield Words(kind.model._default_manager.filter(**{lookup: event}), fields)
    yield Words(Job.objects.filter(event=event), ("payload", "result", "message"))
    yield Words(Mail.objects.filter(event=event), ("subject", "body"))


def words_about(player: Player) -> Iterator[Words]:
    """What the staff wrote about this person."""
    penalties = player.penalties.values_list("pk", flat=True)
    yield Words(Penalty.objects.filter(player=player), ("reason", "withdrawal_reason"))
    yield Words(Inquiry.objects.filter(penalty__player=player), ("heard", "finding", "decided_by"))
    yield Words(Place.objects.filter(player=player), ("ended_reason",))
    yield Words(Place.objects.filter(entry=player), ("ended_reason", "why_words"))
    log = LogEntry.objects.filter(event=player.event_id).filter(
        Q(object_type="player", object_id=player.pk)
        | Q(object_type="penalty", object_id__in=list(penalties))
    )
    yield Words(log, ("reason",))


def redacted(words: Words, redaction: Redaction) -> Iterator[Model]:
    """Rows that change by it, changed and not saved."""
    for row in words.rows.only("pk", *words.fields).iterator(chunk_size=500):
        changed = False
        for name in words.fields:
            value = getattr(row, name)
            if value and (new := redaction.of_value(value)) != value:
                setattr(row, name, new)
                changed = True
        if changed:
            yield row


# --- what is told ----------------------------------------------------------------------------


def what_goes(player: Player) -> Going:
    mails = mails_of(player)
    found = [
        (row._meta.label, row.pk)
        for every, about in ((words_of(player.event), False), (words_about(player), True))
        for words in every
        if words.rows.model is not Mail
        for row in redacted(words, redaction_of(player, about=about))
    ]
    return Going(
        contact=Contact.objects.filter(player=player).exclude(email="", phone="").count(),
        guardian=int(any(guardian_of(player))),
        note=int(bool(player.note)),
        mails_waiting=mails.waiting().count(),
        mails_sent=mails.exclude(pk__in=mails.waiting()).count(),
        texts=len(set(found)),
        photos=photos_of(player).count(),
    )


def erased_lines(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """What goes, in words, and how much of it."""
    return [(str(words), counts[name]) for name, words in ERASED.items() if counts.get(name)]


def receipt_of(player: Player) -> LogEntry | None:
    """The entry of the log that tells of the erasing."""
    found = LogEntry.objects.about(player).filter(event=player.event_id, verb="person.erased")
    return found.order_by("-pk").first()


@dataclass(frozen=True, slots=True)
class Staying:
    """What is others' as well, or needed to know who won. `elsewhere`: other events that know one
    of the addresses, each of which erases for itself; `settings`: the event's own texts name
    them."""

    rounds: int
    penalties: int
    prizes: int
    places: int
    elsewhere: tuple[Event, ...]
    settings: bool


def what_stays(player: Player) -> Staying:
    emails = emails_among(own_addresses(player))
    by_email = Q()
    for email in emails:
        by_email |= Q(players__contact__email__iexact=email)
    found = Event.objects.filter(by_email) if emails else Event.objects.none()
    events = found.exclude(pk=player.event_id).distinct().order_by("starts_at")
    return Staying(
        rounds=player.seats.in_force().values("round").distinct().count(),
        penalties=player.penalties.in_force().count(),
        prizes=player.prizes.in_force().count(),
        places=player.places.count(),
        elsewhere=tuple(events),
        settings=_named_by(player.event, redaction_of(player)),
    )


def _named_by(event: Event, redaction: Redaction) -> bool:
    texts = (event.description, event.prizes, event.organisers, event.contact)
    return any(redaction.of(text) != text for text in texts)


def why_not(player: Player) -> str:
    """The reason for which somebody cannot be erased yet, as a word; empty where they can."""
    event = player.event
    if player.erased_at is not None:
        return "erased"
    if event.status != EventStatus.FINISHED and player.status in (
        PlayerStatus.CHECKED_IN,
        PlayerStatus.NO_SHOW,
    ):
        return "plays"
    return "busy" if any(not one.stalled for one in event.jobs.open()) else ""
