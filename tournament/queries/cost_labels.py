"""What a change of the tables costs, and what was changed, in words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from seating.cost_deltas import Cost
from tournament.models import SeatingChange
from tournament.models.seating_changes import ChangeKind


def cost_tone(cost: Cost) -> str:
    """For the eye: better or worse as a whole, the same, or some of each that weighs the same."""
    if cost.weight:
        return "worse" if cost.weight > 0 else "better"
    return "mixed" if any(cost) else "same"


def cost_label(cost: Cost) -> str:
    """The difference in one line: "2 more pairs meet again · 1 fewer deals again"."""
    parts = (
        _pairs(cost.repeats),
        _thrice(cost.thrice),
        _off_size(cost.off_size),
        _dealers(cost.dealer_again),
    )
    return " · ".join(part for part in parts if part) or _no_figure(cost)


def _no_figure(cost: Cost) -> str:
    """Where no figure changes, the same people may still be better or worse off: who meets a fourth
    time, say, instead of the third."""
    if cost.weight:
        return _("a little worse") if cost.weight > 0 else _("a little better")
    return _("as good as before")


def _pairs(count: int) -> str:
    if count > 0:
        return ngettext(
            "%(count)d more pair meets again", "%(count)d more pairs meet again", count
        ) % {"count": count}
    if count < 0:
        return ngettext(
            "%(count)d pair fewer meets again", "%(count)d pairs fewer meet again", -count
        ) % {"count": -count}
    return ""


def _thrice(count: int) -> str:
    if count > 0:
        return ngettext(
            "%(count)d more pair for the third time",
            "%(count)d more pairs for the third time",
            count,
        ) % {"count": count}
    if count < 0:
        return ngettext(
            "%(count)d pair fewer for the third time",
            "%(count)d pairs fewer for the third time",
            -count,
        ) % {"count": -count}
    return ""


def _off_size(count: int) -> str:
    if count > 0:
        return ngettext(
            "%(count)d more at a smaller or larger table again",
            "%(count)d more at smaller or larger tables again",
            count,
        ) % {"count": count}
    if count < 0:
        return ngettext(
            "%(count)d fewer at a smaller or larger table again",
            "%(count)d fewer at smaller or larger tables again",
            -count,
        ) % {"count": -count}
    return ""


def _dealers(count: int) -> str:
    if count > 0:
        return ngettext("%(count)d more deals again", "%(count)d more deal again", count) % {
            "count": count
        }
    if count < 0:
        return ngettext("%(count)d fewer deals again", "%(count)d fewer deal again", -count) % {
            "count": -count
        }
    return ""


def listed(words: list[str]) -> str:
    """ "Ana, Luis and Marta"."""
    if len(words) < 2:
        return "".join(words)
    return _("%(first)s and %(last)s") % {"first": ", ".join(words[:-1]), "last": words[-1]}


def change_cost(change: SeatingChange) -> Cost:
    """By how much a change changed the cost."""
    return Cost(**change.after["cost"]).minus(Cost(**change.before["cost"]))


def change_label(change: SeatingChange, names: Mapping[int, str]) -> str:
    """What was done, in one line; `names` by start number."""
    who = [names.get(number, str(number)) for number in change.players]
    if change.kind == ChangeKind.SEATS_SWAPPED:
        return f"{who[0]} ⇄ {who[1]}"
    if change.kind == ChangeKind.PLAYER_MOVED and change.table:
        return _("%(name)s → table %(table)d") % {"name": who[0], "table": change.table}
    if change.kind == ChangeKind.PLAYER_MOVED:
        return _("%(name)s: no seat in this round") % {"name": who[0]}
    tables = _tables(sorted(change.tables_after))
    if change.kind == ChangeKind.REST_IMPROVED:
        return _("Solved anew: %(tables)s") % {"tables": tables}
    missing = [names.get(number, str(number)) for number in change.missing]
    if missing:
        return _("Without %(names)s: %(tables)s changed") % {
            "names": listed(missing),
            "tables": tables,
        }
    if _fewer_sit(change):
        return _("Seats left empty: %(tables)s changed") % {"tables": tables}
    return _("Seats for late arrivals: %(tables)s changed") % {"tables": tables}


def _fewer_sit(change: SeatingChange) -> bool:
    before, after = (
        sum(map(len, tables.values())) for tables in (change.tables_before, change.tables_after)
    )
    return after < before


def _tables(numbers: list[int]) -> str:
    return ngettext("table %(tables)s", "tables %(tables)s", len(numbers)) % {
        "tables": listed([str(number) for number in numbers])
    }
