"""What was printed, and what was photographed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext as _

from tournament.models import SheetPhoto, Table
from tournament.queries.checks.facts import Facts

JPEG_BEGINS, JPEG_ENDS = b"\xff\xd8", b"\xff\xd9"


def prints_known_as_old(facts: Facts) -> Iterator[str]:
    """A table that got other people after its sheet was printed is marked, until it is printed
    again or the staff says that its paper is right."""
    for round_, table in facts.tables_of(facts.in_force):
        told = facts.told.seats.get((round_.pk, table.number))
        if told is not None and _is_old(facts, table, told[1]):
            yield _(
                "%(table)s got other people after its sheet was printed, and is not marked."
            ) % {"table": facts.place(table)}


def _is_old(facts: Facts, table: Table, changed: datetime) -> bool:
    if table.printed_at is None or table.changed_at is not None or table.printed_at >= changed:
        return False
    right = facts.told.printed_again.get((table.round_id, table.number))
    return right is None or right < changed


def photos_whole(facts: Facts) -> Iterator[str]:
    """The file of each photo is there, from its first byte to its last."""
    for photo in facts.photos:
        table = facts.table_of_sheet.get(photo.sheet_id)
        if table is not None and not _is_whole(photo):
            yield _("%(table)s: the file of a photo is missing or damaged.") % {
                "table": facts.place(table)
            }


def _is_whole(photo: SheetPhoto) -> bool:
    try:
        with photo.image.storage.open(photo.image.name or "") as file:
            begins = file.read(2)
            file.seek(-2, 2)
            return (begins, file.read(2)) == (JPEG_BEGINS, JPEG_ENDS)
    except (OSError, ValueError):
        return False
