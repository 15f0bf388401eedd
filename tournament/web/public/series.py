"""Series for everybody: the list, one with its events, its standings; and persons' pages."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.access import public_person, user_of, visible_series
from tournament.forms.fields import parse_int
from tournament.models import Series, SeriesTable
from tournament.policies import series_duty_of
from tournament.queries.persons import person_page, public_name_of
from tournament.queries.places import held_from
from tournament.queries.seasons import (
    LINES_ON_A_PAGE,
    Best,
    amount,
    best_of,
    facts_for,
    rows_in_words,
    rule_name,
    rule_words,
    season_board,
)
from tournament.queries.series import (
    ListedEvent,
    Tree,
    events_of,
    public_tree,
    season_version,
    tables_of_series,
    taken_out,
)
from tournament.web.live.pages import kept_page

LATEST = 30  # events that are over, before somebody asks for all


@login_not_required
@require_safe
def all_series(request: HttpRequest) -> HttpResponse:
    branches = public_tree().branches()
    return render(request, "tournament/public/series_list.html", {"branches": branches})


@login_not_required
@require_safe
def series(request: HttpRequest, slug: str) -> HttpResponse:
    """Its events by date and place, the tree around it, the best of each standings. `?all=1`: with
    all events that are over."""
    shown, tree = visible_series(request, slug), public_tree()
    most = None if request.GET.get("all") else LATEST
    name = "series" if most else "series:all"
    return _kept(request, shown, tree, name, lambda: _series(request, shown, tree, most))


def _kept(request: HttpRequest, shown: Series, tree: Tree, name: str, make: Any) -> HttpResponse:
    """Made once for everybody of one duty, until something in the season changes."""
    version = season_version(shown, tree.below(shown))
    duty = series_duty_of(user_of(request), shown) or ""
    return kept_page(request, f"{name}:{shown.pk}:{duty}", version, make)


def _series(request: HttpRequest, shown: Series, tree: Tree, most: int | None) -> HttpResponse:
    found = events_of(shown, tree.below(shown))
    listed = [_listed(one) for one in found]
    over = [one for one in reversed(listed) if one["over"]]
    return render(
        request,
        "tournament/public/series.html",
        {
            "series": shown,
            "duty": series_duty_of(user_of(request), shown),
            "above": [one for one in tree.above(shown) if one != shown],
            "branches": tree.branches(shown),
            "coming": [one for one in listed if not one["over"]],
            "over": over[:most],
            "all_over": len(over),
            "taken_out": taken_out(shown),
            "tables": [_best(one) for one in best_of(shown, tables_of_series(shown), tree)],
            # One that expires by the clock goes with the next making of the page.
            "places": held_from([one.event for one in found if one.counts], timezone.now()),
        },
    )


def _listed(one: ListedEvent) -> dict[str, Any]:
    return {
        "event": one.event,
        "within": one.within,
        "over": one.over,
        "playing": one.playing,
        "registers": not one.over and not one.playing,
        "winners": one.winners if one.counts else (),
        "weight": amount(one.entry.weight) if one.twofold else "",
    }


def _best(one: Best) -> dict[str, Any]:
    return {
        "table": one.table,
        "rule": rule_name(one.table),
        "rows": rows_in_words(one.table, one.board, one.board.rows),
        "all": one.rows,
        "more": one.more,
    }


@login_not_required
@require_safe
def standings(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The whole standings by one rule, in pages, each row with what it is made of."""
    shown, tree = visible_series(request, slug), public_tree()
    table = get_object_or_404(shown.tables.in_force(), pk=pk)
    table.series = shown
    number = parse_int(request.GET.get("page"), 1)
    return _kept(
        request,
        shown,
        tree,
        f"season:{pk}:{min(number, 10_000)}",
        lambda: _standings(request, shown, table, tree, number),
    )


def _standings(
    request: HttpRequest, shown: Series, table: SeriesTable, tree: Tree, number: int
) -> HttpResponse:
    board = season_board(shown, table, facts_for(shown, table, tree))
    page = Paginator(board.rows, LINES_ON_A_PAGE).get_page(number)
    return render(
        request,
        "tournament/public/series_standings.html",
        {
            "series": shown,
            "duty": series_duty_of(user_of(request), shown),
            "table": table,
            "rule": rule_name(table),
            "words": rule_words(table),
            "page": page,
            "rows": rows_in_words(table, board, list(page.object_list)),
            "events": len(board.events),
            "same_names": board.same_names,
        },
    )


@login_not_required
@require_safe
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """The page of somebody who lets everybody open it."""
    found = public_person(pk)
    context = {"person": found, "name": public_name_of(found), "page": person_page(found)}
    return render(request, "tournament/public/person.html", context)
