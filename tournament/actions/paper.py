"""A paper sheet typed in as points alone."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from scoring.sheets import read_points
from tournament import rulebook
from tournament.actions.opened import Opened, bump, gap, log, may_enter, open_sheet, plain
from tournament.actor import Actor
from tournament.models import Deal, LogEntry, Scoresheet
from tournament.refused import Refused, refused


@transaction.atomic
def save_points(
    *,
    sheet: Scoresheet,
    columns: Sequence[Sequence[int] | None],
    version: int,
    by: Actor,
    key: str = "",
) -> Scoresheet:
    """Type a paper sheet: per deal the points of each seat in sitting order, None where the
    deal was not played. Deals known by their roles stay so when the points agree with them."""
    opened = open_sheet(sheet)
    if LogEntry.objects.done(opened.event, key):
        return opened.sheet
    may_enter(opened, by, version)
    stored = {deal.number: deal for deal in opened.sheet.deals.all()}
    losses = rulebook.losses_at(opened.event, opened.round, opened.seats)
    before, after = [], []
    for number, column in enumerate(columns, 1):
        known = stored.get(number)
        if column is None:
            if known is not None:
                raise Refused(
                    _("Deal %(number)d was entered already; it can't be left empty.")
                    % {"number": number}
                )
            continue
        if known is not None and _agrees(opened, known, column, losses.get(number, frozenset())):
            continue
        deal = _typed(opened, number, column, losses.get(number, frozenset()))
        deal.pk = known.pk if known is not None else None
        deal.save()
        before.append(plain(known))
        after.append(plain(deal))
    if missing := gap(opened):
        raise Refused(_("Deal %(number)d is empty, but a later one is not.") % {"number": missing})
    bump(opened.sheet)
    log(opened, "sheet.typed", by, before=before, after=after, key=key)
    return opened.sheet


def _agrees(opened: Opened, deal: Deal, column: Sequence[int], losses: frozenset[int]) -> bool:
    result = rulebook.result_of(opened.event, deal, losses, len(opened.seats))
    return tuple(column) == result.points


def _typed(opened: Opened, number: int, column: Sequence[int], losses: frozenset[int]) -> Deal:
    try:
        read_points(rulebook.ruleset_of(opened.event), tuple(column), losses)
    except Refusal as refusal:
        words = refused(refusal, opened.names)
        raise Refused(
            _("Deal %(number)d: %(why)s") % {"number": number, "why": words.message},
            code=f"deal-{number}",
            seats=words.seats,
        ) from refusal
    return Deal(sheet=opened.sheet, number=number, points="".join(str(one) for one in column))
