"""The boxes of an event: what a table's page and sheet say of its cards, and what was counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from scoring.editions.saboteur_2 import DWARFS
from tournament.games import words_for
from tournament.models import Box, BoxCheck, BoxTable, Event
from tournament.models.boxes import CheckMoment, promo_fits


@dataclass(frozen=True, slots=True)
class BoxNotes:
    """What is said of the cards at a table. `name`: of its box; empty where it has none, and the
    event's own settings hold."""

    name: str
    edition: str
    promo_cards: str
    dwarf_note: str

    @property
    def box(self) -> str:
        """ "3 · 2025"."""
        return " · ".join(filter(None, (self.name, self.edition)))


def notes_of_event(event: Event) -> BoxNotes:
    return BoxNotes("", event.edition, event.promo_cards, event.dwarf_note)


def notes_by_table(event: Event) -> Mapping[int, BoxNotes]:
    """Of the tables that have a box, by number."""
    rows = BoxTable.objects.filter(event=event).select_related("box")
    return {row.number: _notes(row.box) for row in rows}


def notes_at(event: Event, number: int) -> BoxNotes:
    """At the table of this number, in whatever round."""
    row = BoxTable.objects.filter(event=event, number=number).select_related("box").first()
    return _notes(row.box) if row is not None else notes_of_event(event)


def _notes(box: Box) -> BoxNotes:
    return BoxNotes(box.name, box.edition, box.promo_cards, box.dwarf_note)


@dataclass(frozen=True, slots=True)
class CheckedMoment:
    """`last`: the latest check; None where nobody has counted yet."""

    moment: CheckMoment
    last: BoxCheck | None


@dataclass(frozen=True, slots=True)
class BoxRow:
    """`tables`: "1–4, 7"."""

    box: Box
    tables: str
    checks: tuple[CheckedMoment, ...]


def box_rows(event: Event) -> list[BoxRow]:
    """Those that are in the event, as they were added."""
    boxes = event.boxes.in_force().prefetch_related("tables", "checks__created_by")
    return [_row(box) for box in boxes]


def _row(box: Box) -> BoxRow:
    last = {check.moment: check for check in box.checks.all()}
    return BoxRow(
        box=box,
        tables=ranges(table.number for table in box.tables.all()),
        checks=tuple(CheckedMoment(moment, last.get(moment)) for moment in CheckMoment),
    )


def ranges(numbers: Iterable[int]) -> str:
    """ "1–4, 7"."""
    ordered = enumerate(sorted(numbers))
    runs = [[n for _place, n in run] for _step, run in groupby(ordered, lambda at: at[1] - at[0])]
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def misfits(event: Event) -> list[str]:
    """Where a promo card lies in a box with other backs, in words. Warnings, never refusals."""
    told = _(
        "%(what)s: “%(promo)s” has the backs of 2025, and can be told among the cards of "
        "%(edition)s."
    )
    found = []
    if not promo_fits(event.edition, event.promo_cards):
        found.append((_("The event"), event.promo_cards, event.edition))
    found += [
        (_("Box %(name)s") % {"name": box.name}, box.promo_cards, box.edition)
        for box in event.boxes.in_force()
        if not box.fits
    ]
    return [
        told % {"what": what, "promo": promo, "edition": edition} for what, promo, edition in found
    ]


def components(notes: BoxNotes, ruleset: str) -> list[tuple[str, str]]:
    """What has to be in a box: how many, of what; nothing where it says nothing of its cards."""
    if ruleset == "duel":
        return []
    counted = _dwarfs() if ruleset == "saboteur-2" else _base_game()
    if not words_for(ruleset).edition:
        selfish = _("selfish dwarfs, among the dwarfs or apart, as the edition has them")
        if notes.dwarf_note:
            selfish = _("selfish dwarfs: %(note)s") % {"note": notes.dwarf_note}
        counted.append(("", selfish))
    if notes.promo_cards:
        counted.append(("", _("promo cards: %(cards)s") % {"cards": notes.promo_cards}))
    return counted


def _base_game() -> list[tuple[str, str]]:
    return [
        ("44", _("path cards")),
        ("27", _("action cards")),
        ("28", _("gold cards")),
        ("7", _("miners among the dwarf cards")),
        ("4", _("saboteurs among the dwarf cards")),
    ]


def _dwarfs() -> list[tuple[str, str]]:
    """The printings differ in all but the dwarfs: what else there is has a line to count it."""
    roles = words_for("saboteur-2").roles
    return [
        ("", _("path cards")),
        ("", _("action cards")),
        ("", _("gold, as cards or as chips")),
        *(
            (str(count), str(roles[key].name if count == 1 else roles[key].names))
            for key, count in DWARFS.items()
        ),
    ]
