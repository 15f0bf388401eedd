"""Sponsors of an event: added, changed, removed."""

from __future__ import annotations

import base64
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournament.images import Photo
from tournament.models import Event, LogEntry, Sponsor, Submission
from tournament.models.actors import Actor
from tournament.refusals import Refused

MOST = 12


@transaction.atomic
def add_sponsor(
    *, event: Event, facts: dict[str, Any], logo: Photo | None, by: Actor, key: str = ""
) -> Sponsor:
    """`facts`: name, link and place in the row."""
    event = Event.objects.lock(event.pk)
    if done := Submission.objects.outcome(event, key):
        return Sponsor.objects.get(pk=done)
    if event.sponsors.count() >= MOST:
        raise Refused(_("There are %(count)d sponsors already.") % {"count": MOST})
    sponsor = Sponsor(event=event, **facts)
    _set_logo(sponsor, logo)
    sponsor.save()
    Submission.objects.remember(event, key, sponsor)
    LogEntry.objects.record("sponsor.added", event=event, by=by, about=sponsor, after=facts)
    return sponsor


@transaction.atomic
def change_sponsor(
    *, sponsor: Sponsor, facts: dict[str, Any], logo: Photo | None, drop_logo: bool, by: Actor
) -> Sponsor:
    """Without a new logo the old one stays, unless it is dropped."""
    event, sponsor = _locked(sponsor)
    before = {name: getattr(sponsor, name) for name in facts}
    old = sponsor.logo
    for name, value in facts.items():
        setattr(sponsor, name, value)
    if logo is not None or drop_logo:
        _set_logo(sponsor, logo)
    changed = [name for name in facts if facts[name] != before[name]]
    if not changed and sponsor.logo == old:
        return sponsor
    sponsor.save()
    LogEntry.objects.record(
        "sponsor.changed",
        event=event,
        by=by,
        about=sponsor,
        before={name: before[name] for name in changed},
        after={name: facts[name] for name in changed} | {"new_logo": sponsor.logo != old},
    )
    return sponsor


@transaction.atomic
def remove_sponsor(*, sponsor: Sponsor, by: Actor) -> None:
    event, sponsor = _locked(sponsor)
    LogEntry.objects.record(
        "sponsor.removed",
        event=event,
        by=by,
        about=sponsor,
        before={"name": sponsor.name, "link": sponsor.link},
    )
    sponsor.delete()


def _locked(sponsor: Sponsor) -> tuple[Event, Sponsor]:
    event = Event.objects.lock(sponsor.event_id)
    found = Sponsor.objects.filter(pk=sponsor.pk).first()
    if found is None:
        raise Refused(_("This sponsor was removed already."))
    return event, found


def _set_logo(sponsor: Sponsor, logo: Photo | None) -> None:
    sponsor.logo = base64.b64encode(logo.jpeg).decode() if logo else ""
    sponsor.logo_width, sponsor.logo_height = (logo.width, logo.height) if logo else (0, 0)
