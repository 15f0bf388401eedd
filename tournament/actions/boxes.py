"""Boxes of the game: which there are, which table plays with which, and whether they are whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Box, BoxCheck, BoxTable, Event, LogEntry, Submission
from tournament.models.actors import Actor
from tournament.refusals import Refused

MOST = 400


@transaction.atomic
def add_box(
    *, event: Event, facts: Mapping[str, str], tables: Sequence[int], by: Actor, key: str = ""
) -> Box:
    """`facts`: name, edition, promo cards and note of the dwarfs; `tables`: their numbers."""
    event = Event.objects.lock(event.pk)
    if done := Submission.objects.outcome(event, key):
        return Box.objects.get(pk=done)
    if event.boxes.in_force().count() >= MOST:
        raise Refused(_("There are %(count)d boxes already.") % {"count": MOST})
    _check_name(event, facts["name"])
    box = Box.objects.create(event=event, **facts)
    _give(box, tables)
    Submission.objects.remember(event, key, box)
    LogEntry.objects.record(
        "box.added", event=event, by=by, about=box, after=dict(facts) | {"tables": [*tables]}
    )
    return box


@transaction.atomic
def change_box(*, box: Box, facts: Mapping[str, str], tables: Sequence[int], by: Actor) -> Box:
    """Only what differs is written and logged."""
    event, box = _locked(box)
    before: dict[str, Any] = {name: getattr(box, name) for name in facts}
    before["tables"] = [*box.tables.values_list("number", flat=True)]
    after = dict(facts) | {"tables": [*tables]}
    changed = [name for name in after if after[name] != before[name]]
    if not changed:
        return box
    if "name" in changed:
        _check_name(event, facts["name"])
    for name, value in facts.items():
        setattr(box, name, value)
    box.save(update_fields=[*facts])
    _give(box, tables)
    LogEntry.objects.record(
        "box.changed",
        event=event,
        by=by,
        about=box,
        before={name: before[name] for name in changed},
        after={name: after[name] for name in changed},
    )
    return box


@transaction.atomic
def remove_box(*, box: Box, by: Actor) -> Box:
    """Out of the event, with its checks on record; its tables go by the event's own note again."""
    event, box = _locked(box)
    box.withdrawn_at = timezone.now()
    box.save(update_fields=["withdrawn_at"])
    tables = [*box.tables.values_list("number", flat=True)]
    box.tables.all().delete()
    LogEntry.objects.record("box.removed", event=event, by=by, about=box, before={"tables": tables})
    return box


@transaction.atomic
def check_box(*, box: Box, moment: str, missing: str, by: Actor) -> BoxCheck:
    """`moment`: a `CheckMoment`; `missing`: in words, empty where it is complete."""
    event, box = _locked(box)
    check = BoxCheck.objects.create(box=box, moment=moment, missing=missing, created_by=by.user)
    LogEntry.objects.record(
        "box.checked", event=event, by=by, about=box, after={"moment": moment}, reason=missing
    )
    return check


def _locked(box: Box) -> tuple[Event, Box]:
    event = Event.objects.lock(box.event_id)
    box = Box.objects.get(pk=box.pk)
    if box.withdrawn_at is not None:
        raise Refused(_("This box is not in the event any more."))
    return event, box


def _check_name(event: Event, name: str) -> None:
    if event.boxes.in_force().filter(name=name).exists():
        raise Refused(_("There is a box “%(name)s” already.") % {"name": name})


def _give(box: Box, tables: Sequence[int]) -> None:
    """These tables play with it, and no other."""
    taken = BoxTable.objects.filter(event=box.event_id, number__in=tables).exclude(box=box)
    if other := taken.select_related("box").first():
        raise Refused(
            _("Table %(number)d plays with box “%(box)s” already: take it out there first.")
            % {"number": other.number, "box": other.box.name}
        )
    box.tables.exclude(number__in=tables).delete()
    known = set(box.tables.values_list("number", flat=True))
    BoxTable.objects.bulk_create(
        BoxTable(event_id=box.event_id, box=box, number=number)
        for number in tables
        if number not in known
    )
