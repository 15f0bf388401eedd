"""The way through the paper sheets of a round that wait to be typed in."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.access import round_of, staffed_event
from tournament.forms.fields import parse_int
from tournament.models import Round
from tournament.models.rounds import RoundStatus
from tournament.queries.entry_queue import entry_queue


@never_cache
@require_safe
def enter_sheets(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """On to the first sheet that is not typed in yet, or to that of `?table=`."""
    round_ = round_of(staffed_event(request, slug), pk)
    if round_.status not in (RoundStatus.PUBLISHED, RoundStatus.CLOSED):
        return redirect("round", slug, pk)
    asked = parse_int(request.GET.get("table"))
    if not asked:
        return next_in_queue(request, round_, after=0)
    if (table := entry_queue(round_).tables.get(asked)) is not None:
        return redirect("staff_table:points", slug, table)
    messages.warning(request, _("This round has no table %(number)d.") % {"number": asked})
    return next_in_queue(request, round_, after=0)


def next_in_queue(request: HttpRequest, round_: Round, *, after: int) -> HttpResponse:
    """On to the next table that is not in yet, or back to the round."""
    slug, queue = round_.event.slug, entry_queue(round_)
    if (table := queue.after(after)) is not None:
        return redirect("staff_table:points", slug, table)
    if not queue.missing:
        message = ngettext(
            "The sheet of this round is in.",
            "All %(count)d sheets of this round are in.",
            queue.total,
        )
        messages.info(request, message % {"count": queue.total})
    return redirect("round", slug, round_.pk)
