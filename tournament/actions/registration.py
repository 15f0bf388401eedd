"""What a person does with their own entry: registers, puts it right, asks for the ticket again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament import limits, mail
from tournament.actions.players import (
    EDITED,
    REACHED,
    PlayerEntry,
    add_entry,
    edit_player,
    next_number,
    refuse_erased,
)
from tournament.models import Contact, Event, LogEntry, Player, Submission
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus, Source
from tournament.queries.players import known_people, number_of
from tournament.queries.registration import places_left, registration_open
from tournament.refusals import Refused

# Whoever presses again, or somebody who would fill another's mailbox, waits so long.
BETWEEN_MAILS = timedelta(minutes=5)


@transaction.atomic
def register(*, event: Event, entry: PlayerEntry, by: Actor, key: str = "") -> Player:
    """A person registers on the public page: a place, or the waiting list when none is left.

    The event's row is locked, so two who ask for the last place at once cannot both get it.
    The same submission sent twice gives the same entry.
    """
    event = Event.objects.lock(event.pk)
    if done := Submission.objects.outcome(event, key):
        return Player.objects.get(pk=done)
    if not registration_open(event):
        raise Refused(_("Registration is closed. The organiser may still have a place for you."))
    if event.by_invitation:
        raise Refused(_("This event is by invitation: whoever has a place comes by its link."))
    if number_of(known_people(event), entry.name, entry.email):
        raise Refused(
            _(
                "%(name)s is registered with this e-mail already. Look for the mail with the "
                "ticket, or have it sent again below."
            )
            % {"name": entry.name}
        )
    status = PlayerStatus.WAITING if places_left(event) == 0 else PlayerStatus.REGISTERED
    player = add_entry(event, entry, number=next_number(event), status=status, source=Source.WEB)
    Submission.objects.remember(event, key, player)
    LogEntry.objects.record("player.registered", event=event, by=by, about=player, after=status)
    mail.send_ticket(player)
    return player


@transaction.atomic
def correct_entry(*, player: Player, entry: PlayerEntry, by: Actor) -> Player:
    """A person puts the own entry right, until the door; a new e-mail gets the ticket. Nothing is
    logged where nothing differs."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.select_related("contact", "event").get(pk=player.pk)
    if event.status == EventStatus.FINISHED or player.status not in (
        PlayerStatus.WAITING,
        PlayerStatus.REGISTERED,
    ):
        raise Refused(_("The entry can't be changed any more: tell the organiser."))
    if player.minor and not event.admits_minors:  # the form asks nothing of it
        entry = replace(
            entry,
            minor=True,
            guardian=player.guardian,
            guardian_contact=player.guardian_contact,
            guardian_agrees=player.guardian_agreed_at is not None,
        )
    same = all(getattr(player, field) == getattr(entry, field) for field in (*EDITED, *REACHED))
    if same and entry.guardian_agrees == (player.guardian_agreed_at is not None):
        return player
    moved = player.email != entry.email
    if moved:
        _may_move_to(event, player, entry.name, entry.email)
    player = edit_player(player=player, entry=entry, by=by)
    if moved:
        mail.send_ticket(Player.objects.select_related("contact", "event").get(pk=player.pk))
    return player


def _may_move_to(event: Event, player: Player, name: str, email: str) -> None:
    """Refuse another's address, and whoever would fill mailboxes by changing it again and again."""
    taken = number_of(known_people(event), name, email)
    if taken and taken != player.number:
        raise Refused(_("Another entry of this name has this address: ask the organiser."))
    limits.spend("new address", ticket=player.pk, mailbox=email.lower())


@transaction.atomic
def correct_email(*, player: Player, email: str, by: Actor) -> Player:
    """The ticket goes to another address from now on, and is sent there."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.select_related("contact", "event").get(pk=player.pk)
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    refuse_erased(player)
    if player.email == email:
        return player
    _may_move_to(event, player, player.name, email)
    player.contact, _new = Contact.objects.update_or_create(
        player=player, defaults={"email": email}
    )
    LogEntry.objects.record("player.email_changed", event=event, by=by, about=player)
    mail.send_ticket(player)
    return player


@transaction.atomic
def name_guardian(
    *, player: Player, guardian: str, contact: str, agrees: bool | None, by: Actor
) -> Player:
    """Who answers for somebody under 18, said on the ticket; `agrees`: and has just agreed, or
    does so no more; None: nothing is said of it."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.select_related("contact").get(pk=player.pk)
    refuse_erased(player)
    if not player.minor:
        raise Refused(_("This is only asked of people under 18."))
    if event.status == EventStatus.FINISHED:
        raise Refused(_("The event is finished."))
    agreed = player.guardian_agreed_at is not None
    changed = agrees is not None and agrees != agreed
    if not changed and (player.guardian, player.guardian_contact) == (guardian, contact):
        return player
    player.contact, _new = Contact.objects.update_or_create(
        player=player, defaults={"guardian": guardian, "guardian_contact": contact}
    )
    verb = "guardian.changed"
    if changed:
        player.guardian_agreed_at = timezone.now() if agrees else None
        player.save(update_fields=["guardian_agreed_at"])
        verb = "guardian.agreed" if agrees else "guardian.taken_back"
    LogEntry.objects.record(verb, event=event, by=by, about=player)
    return player


@transaction.atomic
def keep_name(*, player: Player, keeps: bool, by: Actor) -> Player:
    """Whether the name stays in the results when others go; also once the event is over."""
    event = Event.objects.lock(player.event_id)
    player = Player.objects.get(pk=player.pk)
    refuse_erased(player)
    if player.keeps_name == keeps:
        return player
    player.keeps_name = keeps
    player.save(update_fields=["keeps_name"])
    LogEntry.objects.record(
        "player.edited", event=event, by=by, about=player, after={"changed": ["keeps_name"]}
    )
    return player


@transaction.atomic
def resend_tickets(*, event: Event, email: str) -> int:
    """The ticket once more to everybody registered with this address, at most once in
    `BETWEEN_MAILS`; how many those were, which nobody who asks is told."""
    event = Event.objects.lock(event.pk)
    found = event.players.filter(contact__email__iexact=email).exclude(
        status=PlayerStatus.WITHDRAWN
    )
    asked = timezone.now() - BETWEEN_MAILS
    sent = 0
    for player in found.select_related("event", "contact").order_by("number"):
        if player.mails.of_tickets().filter(created_at__gt=asked).exists():
            continue
        LogEntry.objects.record("tickets.mailed", event=event, by=Actor.visitor(), about=player)
        mail.send_ticket(player)
        sent += 1
    return sent
