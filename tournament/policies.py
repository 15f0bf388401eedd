"""Yes or no: may this person do that."""

from __future__ import annotations

from django.conf import settings

from tournament.models import Event, Scoresheet, Seat, Series, SeriesMember, StaffMember, User
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.people import Duty
from tournament.models.rounds import RoundStatus
from tournament.models.scoresheets import SheetStatus


def duty_of(user: User, event: Event) -> str | None:
    """The user's duty at the event, or None."""
    if not user.is_authenticated:
        return None
    return StaffMember.objects.filter(event=event, user=user).values_list("duty", flat=True).first()


def can_organise(user: User, event: Event) -> bool:
    return duty_of(user, event) == Duty.ORGANISER


def can_judge(user: User, event: Event) -> bool:
    """Judges and organisers: at most events they are the same person."""
    return duty_of(user, event) in (Duty.JUDGE, Duty.ORGANISER)


def series_duty_of(user: User, series: Series) -> str | None:
    """The user's duty at the series, or None."""
    if not user.is_authenticated:
        return None
    found = SeriesMember.objects.filter(series=series, user=user)
    return found.values_list("duty", flat=True).first()


def can_organise_series(user: User, series: Series) -> bool:
    return series_duty_of(user, series) == Duty.ORGANISER


def may_create_events(user: User) -> bool:
    """Events and series, by the host's wish: everybody, whoever was given a duty somewhere, or the
    host's own people (`manage.py createsuperuser`)."""
    if settings.EVENTS_BY == "everybody" or user.is_staff:
        return True
    if settings.EVENTS_BY == "host":
        return False
    duties = StaffMember.objects.filter(user=user), SeriesMember.objects.filter(user=user)
    return any(found.exists() for found in duties)


def sits_at(actor: Actor, sheet: Scoresheet) -> bool:
    return (
        actor.player is not None
        and Seat.objects.filter(table=sheet.table_id, player=actor.player).exists()
    )


def is_staff(actor: Actor, event: Event) -> bool:
    if actor.ref.startswith("command:"):
        return True
    return actor.user is not None and can_judge(actor.user, event)


def holds_link(actor: Actor, sheet: Scoresheet) -> bool:
    """Whoever came by the link of the sheet's own table."""
    return actor.table is not None and actor.table.pk == sheet.table_id


def can_enter(actor: Actor, sheet: Scoresheet, event: Event) -> bool:
    """Whoever came by the table's link, or the staff, while the sheet is open."""
    if sheet.status != SheetStatus.OPEN:
        return False
    return holds_link(actor, sheet) or is_staff(actor, event)


def can_attach_photo(actor: Actor, sheet: Scoresheet, event: Event) -> bool:
    """By the table's link as long as its round is played."""
    played = sheet.table.round.status == RoundStatus.PUBLISHED
    return (played and holds_link(actor, sheet)) or is_staff(actor, event)


def can_confirm(actor: Actor, sheet: Scoresheet, event: Event) -> bool:
    """A second person: another player of the table, a judge or an organiser."""
    if sheet.status != SheetStatus.SUBMITTED or actor.ref == sheet.submitted_by:
        return False
    return sits_at(actor, sheet) or is_staff(actor, event)


def links_live(event: Event) -> bool:
    """Links of tables and tickets die with the event."""
    return event.status != EventStatus.FINISHED
