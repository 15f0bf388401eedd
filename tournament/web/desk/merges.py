"""Two entries of one person: proposed by the organisers of a series."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access import actor_of, organised_series
from tournament.actions import merges as actions
from tournament.forms.fields import parse_int
from tournament.models import Merge, Player, Series
from tournament.queries.persons import entries_named, merges_of
from tournament.refusals import Refused
from tournament.web.limits import spend_by_account
from tournament.web.responses import carry_out, posted_text, refusal, search_query


@require_http_methods(["GET", "HEAD", "POST"])
def merges(request: HttpRequest, slug: str) -> HttpResponse:
    """Look for entries, tick two, ask; below, what was asked and what came of it."""
    series = organised_series(request, slug)
    if request.method != "POST":
        return _page(request, series)
    chosen = [parse_int(one) for one in request.POST.getlist("player")]
    players = list(Player.objects.filter(pk__in=chosen).order_by("pk"))
    if len(players) != 2:
        refused = Refused(_("Tick two entries."))
        return refusal(request, refused, lambda: _page(request, series))
    first, second = players

    def change() -> Merge:
        spend_by_account(request, "mail", amount=2)
        return actions.propose_merge(
            series=series,
            first=first,
            second=second,
            reason=posted_text(request, "reason"),
            by=actor_of(request),
        )

    return carry_out(
        request,
        change,
        then=reverse("series_merges", args=[slug]),
        page=lambda: _page(request, series),
        said=_("Both are asked by mail. Nothing changes before both say yes."),
    )


def _page(request: HttpRequest, series: Series) -> HttpResponse:
    query = search_query(request)
    return render(
        request,
        "tournament/desk/series/merges.html",
        {
            "series": series,
            "query": query,
            "found": entries_named(series, query) if query else [],
            "rows": merges_of(series),
        },
    )


def _merge(series: Series, pk: int) -> Merge:
    found = Merge.objects.select_related("series", "into", "joined")
    return get_object_or_404(found, series=series, pk=pk)


@require_POST
def withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    series = organised_series(request, slug)
    change = partial(actions.withdraw_merge, merge=_merge(series, pk), by=actor_of(request))
    return carry_out(
        request,
        change,
        then=reverse("series_merges", args=[slug]),
        page=lambda: _page(request, series),
    )


@require_POST
def take_apart(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    series = organised_series(request, slug)
    change = partial(
        actions.take_apart,
        merge=_merge(series, pk),
        reason=posted_text(request, "reason"),
        by=actor_of(request),
    )
    return carry_out(
        request,
        change,
        then=reverse("series_merges", args=[slug]),
        page=lambda: _page(request, series),
    )
