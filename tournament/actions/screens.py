"""The screens in the hall: added, steered, turned, written on, switched off."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Event, LogEntry, Screen, Submission
from tournament.models.actors import Actor
from tournament.models.screens import View
from tournament.queries.screens import page_now, pages_of, view_of
from tournament.refusals import Conflict, Refused

MOST_SCREENS = 12


@transaction.atomic
def add_screen(*, event: Event, name: str, by: Actor, key: str = "") -> Screen:
    """It follows the event until it is told otherwise."""
    event = Event.objects.lock(event.pk)
    if done := Submission.objects.outcome(event, key):
        return Screen.objects.get(pk=done)
    if event.screens.in_use().count() >= MOST_SCREENS:
        raise Refused(
            _("An event has at most %(count)d screens. Switch one off first.")
            % {"count": MOST_SCREENS}
        )
    screen = Screen.objects.create(event=event, name=name)
    Submission.objects.remember(event, key, screen)
    LogEntry.objects.record("screen.added", event=event, by=by, about=screen)
    return screen


@transaction.atomic
def note_opened(*, screen: Screen, by: Actor) -> None:
    """A browser is at its address, for the first time."""
    event = Event.objects.lock(screen.event_id)
    found = Screen.objects.filter(pk=screen.pk, opened_at__isnull=True)
    if found.update(opened_at=timezone.now()):
        LogEntry.objects.record("screen.opened", event=event, by=by, about=screen)


def _lock(screen: Screen) -> Screen:
    """The screen as it is now; the event's lock covers its screens."""
    event = Event.objects.lock(screen.event_id)
    screen = Screen.objects.get(pk=screen.pk)
    screen.event = event
    if screen.revoked_at is not None:
        raise Refused(_("This screen is switched off."))
    return screen


def _check_version(screen: Screen, version: int) -> None:
    if screen.version == version:
        return
    words = (
        _("Somebody else steered “%(screen)s” meanwhile. It stands still now, and shows: %(view)s.")
        if screen.paused
        else _("Somebody else steered “%(screen)s” meanwhile. It shows now: %(view)s.")
    )
    raise Conflict(words % {"screen": screen.name, "view": view_of(screen).label}, code="conflict")


def _change(screen: Screen, verb: str, by: Actor, **values: Any) -> Screen:
    """Write what was steered, with one log entry."""
    before = {name: getattr(screen, name) for name in values}
    for name, value in values.items():
        setattr(screen, name, value)
    screen.version += 1
    screen.save(update_fields=[*values, "version"])
    LogEntry.objects.record(
        verb, event=screen.event, by=by, about=screen, before=before, after=values
    )
    return screen


@transaction.atomic
def steer_screen(
    *, screen: Screen, shows: str, through: int | None, version: int, by: Actor
) -> Screen:
    """`shows`: a `View`, from its first page on. `through`: the round at whose end the standings
    stand, None: as everybody may see them. Two who want the same do not disturb each other."""
    screen = _lock(screen)
    through = through if shows == View.STANDINGS else None
    if (screen.shows, screen.through, screen.paused) == (shows, through, False):
        return screen
    _check_version(screen, version)
    return _change(screen, "screen.steered", by, shows=shows, through=through, held="", page=0)


@transaction.atomic
def pause_screen(*, screen: Screen, version: int, by: Actor) -> Screen:
    """It stays on the page that it shows, whatever happens at the event."""
    screen = _lock(screen)
    if screen.paused:
        return screen
    _check_version(screen, version)
    return _change(screen, "screen.paused", by, held=view_of(screen), page=page_now(screen))


@transaction.atomic
def resume_screen(*, screen: Screen, version: int, by: Actor) -> Screen:
    """Its pages turn by themselves again, and it follows the event again if it did."""
    screen = _lock(screen)
    if not screen.paused:
        return screen
    _check_version(screen, version)
    return _change(screen, "screen.resumed", by, held="", page=0)


@transaction.atomic
def turn_screen(*, screen: Screen, by_pages: int, version: int, by: Actor) -> Screen:
    """To the next page or back, where it stays."""
    screen = _lock(screen)
    _check_version(screen, version)
    page = (page_now(screen) + by_pages) % pages_of(screen)
    return _change(screen, "screen.turned", by, held=view_of(screen), page=page)


@transaction.atomic
def say_on_screens(
    *, event: Event, only: Screen | None, text: str, until: datetime | None, by: Actor
) -> list[Screen]:
    """A message over everything, on all screens or on one. `until`: it counts down, and goes."""
    if until is not None and until <= timezone.now():
        raise Refused(_("The message has to end later than now."))
    return _write_message(event, only, "screen.message", text, until, by)


@transaction.atomic
def unsay_on_screens(*, event: Event, only: Screen | None, by: Actor) -> list[Screen]:
    """Away with the message, on all screens or on one."""
    return _write_message(event, only, "screen.message_ended", "", None, by)


def _write_message(
    event: Event, only: Screen | None, verb: str, text: str, until: datetime | None, by: Actor
) -> list[Screen]:
    event = Event.objects.lock(event.pk)
    found = event.screens.in_use()
    screens = list(found.filter(pk=only.pk) if only is not None else found)
    if not screens:
        raise Refused(_("There is no screen to write on."))
    changed = [one for one in screens if (one.message, one.message_until) != (text, until)]
    for screen in changed:
        screen.message, screen.message_until = text, until
        screen.save(update_fields=["message", "message_until"])
    if changed:
        # One press, one entry; its text may name people, so it is no part of the log.
        about = changed[0] if len(changed) == 1 else None
        after = {"screens": len(changed), "until": until.isoformat() if until else None}
        LogEntry.objects.record(verb, event=event, by=by, about=about, after=after)
    return changed


@transaction.atomic
def change_screen(*, screen: Screen, name: str, share: int, shares: int, by: Actor) -> Screen:
    """Its name, and which part of the names it shows."""
    screen = _lock(screen)
    if (screen.name, screen.share, screen.shares) == (name, share, shares):
        return screen
    return _change(screen, "screen.changed", by, name=name, share=share, shares=shares)


@transaction.atomic
def revoke_screen(*, screen: Screen, by: Actor) -> Screen:
    """For good: the television says so and stops."""
    screen = _lock(screen)
    screen.revoked_at = timezone.now()
    screen.save(update_fields=["revoked_at"])
    LogEntry.objects.record("screen.revoked", event=screen.event, by=by, about=screen)
    return screen
