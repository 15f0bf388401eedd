"""Changes of an event as a whole."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from tournament.actions.accounts import lock_account
from tournament.actions.players import promote_waiting
from tournament.actions.results import freeze
from tournament.actions.reveals import hide_anew, reveal_ranks
from tournament.models import Event, EventVersion, LogEntry, Scoresheet, StaffMember, Table
from tournament.models.actors import Actor
from tournament.models.events import (
    AMENDABLE_FIELDS,
    FROZEN_FIELDS,
    RESERVED_SLUGS,
    VISIBILITY_FIELDS,
    EventStatus,
)
from tournament.models.people import Duty
from tournament.models.rounds import RoundStatus
from tournament.queries.retention import longer_than_told
from tournament.queries.versions import version_of
from tournament.refusals import Conflict, Refused
from tournament.states import EVENT_STEPS


def free_slug(name: str) -> str:
    """A short address made of the name that no other event has."""
    base = slugify(name)[:50] or "event"
    taken = {
        *RESERVED_SLUGS,
        *Event.objects.filter(slug__startswith=base).values_list("slug", flat=True),
    }
    if base not in taken:
        return base
    return next(slug for n in range(2, 10_000) if (slug := f"{base}-{n}") not in taken)


def create_event(*, settings: dict[str, Any], by: Actor) -> Event:
    """A draft that only its organiser sees. `settings` are model fields, already cleaned."""
    for _attempt in range(5):
        try:
            return _create(settings, by)
        except IntegrityError:  # somebody took the same address at the same instant
            continue
    return _create(settings, by)


@transaction.atomic
def _create(settings: dict[str, Any], by: Actor) -> Event:
    if by.user is not None:
        lock_account(by.user)
    event = Event.objects.create(slug=free_slug(settings["name"]), **settings)
    EventVersion.objects.create(event=event)
    if by.user is not None:
        StaffMember.objects.create(event=event, user=by.user, duty=Duty.ORGANISER)
    LogEntry.objects.record("event.created", event=event, by=by, about=event)
    return event


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | bool | dict | type(None)) else str(value)


def _amend_rules(
    event: Event, before: dict[str, Any], changed: dict[str, Any], reason: str
) -> None:
    """The rules on their page say what holds now, and what held before."""
    rules = event.frozen_rules or {}
    announced = {name: changed[name] for name in changed if name in rules}
    if not announced:
        return
    amended = sorted(AMENDABLE_FIELDS & changed.keys())
    if amended and not reason:
        raise Refused(_("The first round is drawn: say why this changes."))
    now = timezone.now().isoformat()
    notes = [
        {"what": one, "before": before[one], "after": changed[one], "reason": reason, "at": now}
        for one in amended
    ]
    event.frozen_rules = rules | announced
    if notes:
        event.frozen_rules["amendments"] = [*rules.get("amendments", []), *notes]


@transaction.atomic
def change_settings(
    *, event: Event, settings: dict[str, Any], by: Actor, reason: str = ""
) -> Event:
    """Only what differs is written and logged. Once the first round is drawn, frozen settings are
    refused, and others that were announced need a reason, which stands beside the rules. Once
    somebody has an entry, what is known of people is kept no longer than they were told."""
    event = Event.objects.lock(event.pk)
    changed = {name: value for name, value in settings.items() if getattr(event, name) != value}
    if not changed:
        return event
    if event.frozen_rules is not None and (fixed := FROZEN_FIELDS & changed.keys()):
        names = ", ".join(
            str(event._meta.get_field(field).verbose_name)  # type: ignore[union-attr]
            for field in sorted(fixed)
        )
        raise Refused(
            _("The first round is drawn: these settings can't change any more: %(names)s.")
            % {"names": names}
        )
    if longer := longer_than_told(event, changed):
        raise Refused(" ".join(longer.values()))
    before = {name: _plain(getattr(event, name)) for name in changed}
    for name, value in changed.items():
        setattr(event, name, value)
    _amend_rules(event, before, changed, reason)
    event.save(update_fields=[*changed, "frozen_rules"])
    if VISIBILITY_FIELDS & changed.keys():
        hide_anew(event)
    before_play = event.status in (EventStatus.DRAFT, EventStatus.REGISTRATION)
    promoted = promote_waiting(event) if before_play else []
    LogEntry.objects.record(
        "event.changed",
        event=event,
        by=by,
        about=event,
        before=before,
        reason=reason,
        after={name: _plain(value) for name, value in changed.items()}
        | ({"promoted": [player.number for player in promoted]} if promoted else {}),
    )
    return event


def _step(
    step: str, event: Event, by: Actor, *, target: str | None = None, reason: str = ""
) -> Event:
    """One step (`EVENT_STEPS`) of the event, whose row is locked; `target`: other than its own."""
    before, to = event.status, target or EVENT_STEPS[step].target
    if before not in EVENT_STEPS[step].sources:
        raise Refused(
            _("The event is in the state “%(state)s”: this is not possible now.")
            % {"state": EventStatus(before).label}
        )
    event.status = to
    event.finished_at = timezone.now() if to == EventStatus.FINISHED else None
    event.save(update_fields=["status", "finished_at"])
    LogEntry.objects.record(
        EVENT_STEPS[step].verb,
        event=event,
        by=by,
        about=event,
        before=before,
        after=to,
        reason=reason,
    )
    return event


@transaction.atomic
def publish_event(*, event: Event, by: Actor) -> Event:
    """Everybody can see it, and registration is open until its closing time."""
    event = Event.objects.lock(event.pk)
    return _step("publish", event, by)


@transaction.atomic
def unpublish_event(*, event: Event, by: Actor) -> Event:
    """Back to a draft; everybody who registered stays registered."""
    event = Event.objects.lock(event.pk)
    return _step("unpublish", event, by)


@transaction.atomic
def finish_event(
    *,
    event: Event,
    by: Actor,
    reason: str = "",
    version: int | None = None,
    reveal: bool = False,
) -> Event:
    """The standings are final, and frozen; the links of tables stop working. An event that was not
    played to its end, or not at all, is ended with a reason. Standings that are hidden stay so,
    unless they are revealed with it. Raises Conflict if anything changed since `version` of the
    event was read."""
    event = Event.objects.lock(event.pk)
    if version is not None and version != version_of(event):
        raise Conflict(_("Something has changed meanwhile: look again, then finish."))
    rounds = list(event.rounds.in_force())
    if any(round_.status != RoundStatus.CLOSED for round_ in rounds):
        raise Refused(_("Close every round first; the event can be finished after that."))
    waiting = Scoresheet.objects.filter(table__round__in=rounds).unconfirmed()
    if table := Table.objects.filter(sheet__in=waiting).select_related("round").first():
        raise Refused(
            _("A sheet is still open: %(round)s, %(table)s. It has to be confirmed first.")
            % {"round": table.round.label, "table": table}
        )
    if not rounds and not reason:
        raise Refused(_("No round was played. Say why the event ends all the same."))
    if event.has_final and not any(round_.is_final for round_ in rounds) and not reason:
        raise Refused(_("The final has not been played. Say why the event ends without it."))
    if reveal:
        reveal_ranks(event=event, down_to=1, by=by)
    # Nobody plays any more who could wait for a judge.
    event.calls.open().update(withdrawn_at=timezone.now())
    freeze(event)
    return _step("finish", event, by, reason=reason)


@transaction.atomic
def reopen_event(*, event: Event, reason: str, by: Actor) -> Event:
    event = Event.objects.lock(event.pk)
    if not reason:
        raise Refused(_("Say why the event is opened again."))
    # One that ended before its first draw takes registrations again.
    target = None if event.frozen_rules is not None else EventStatus.REGISTRATION
    return _step("reopen", event, by, target=target, reason=reason)
