"""An event in pictures, drawn here as SVG, each with its numbers in a table below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from scoring.roles import Role
from tournament.access import public_event
from tournament.forms.fields import parse_int
from tournament.games import words_of
from tournament.models import Event
from tournament.models.rounds import Stage
from tournament.queries.fairness import SizeAverage
from tournament.queries.pictures import Pictures, PlayerRoles, RankedRound, Times, pictures_of
from tournament.queries.visibility import public_standings
from tournament.web.charts import (
    BarChart,
    RankChart,
    Ranked,
    bar_chart,
    best_of,
    post_chart,
    rank_chart,
)

SHOWN = 10  # players with a line of their own
ENOUGH = 2  # rounds, before which there is no line to draw


@login_not_required
@require_safe
def pictures(request: HttpRequest, slug: str) -> HttpResponse:
    """Ranks over the rounds, what a seat was worth, and who drew what; `number` lights a player."""
    event = public_event(slug)
    found = pictures_of(event)
    board = public_standings(event).board
    names = {row.number: row.public_name for row in board.ranked}
    number = parse_int(request.GET.get("number", ""))
    lit = number if number in names else None
    return render(
        request,
        "tournament/public/pictures.html",
        {
            "event": event,
            "begun": board.begun,
            "pictures": found,
            "asked": number,
            "name": names.get(lit) if lit is not None else None,
            "number": lit,
            "ranks": _ranks(found, names, lit),
            "worth": _worth(found.paid),
            "roles": [_role(role, times) for role, times in found.times.items()],
            "own": _own(event, found.players.get(lit) if lit is not None else None),
        },
    )


def round_words(rounds: Sequence[RankedRound]) -> list[str]:
    """Short, for the foot of a chart and the heads of its table."""
    return [
        _("R%(number)d") % {"number": one.number}
        if one.stage == Stage.PRELIMINARY
        else _("Semi")
        if one.stage == Stage.SEMI_FINAL
        else _("Final")
        for one in rounds
    ]


def own_ranks(event: Event, number: int) -> dict[str, Any] | None:
    """A small chart of one player's ranks for their ticket; None before there is a line."""
    found = pictures_of(event)
    ranks = found.ranks_of(number)
    if sum(rank is not None for rank in ranks) < ENOUGH:
        return None
    words = round_words(found.rounds)
    chart = rank_chart(words, [Ranked("", ranks, lit=True)], height=130, names=False)
    return {"chart": chart, "rows": list(zip(words, ranks, strict=True))}


def _ranks(found: Pictures, names: dict[int, str], lit: int | None) -> dict[str, Any] | None:
    if len(found.rounds) < ENOUGH:
        return None
    words = round_words(found.rounds)
    # Whoever was disqualified since has no name in the standings, and no line.
    ranked = [{n: r for n, r in one.ranks.items() if n in names} for one in found.rounds]
    drawn = [
        Ranked(names[number], found.ranks_of(number), lit=number == lit)
        for number in best_of(ranked, SHOWN, also=lit)
    ]
    chart: RankChart = rank_chart(words, drawn, height=320)
    return {"chart": chart, "words": words, "players": drawn}


def _worth(paid: Sequence[SizeAverage]) -> BarChart:
    return bar_chart(
        [
            (
                _("Table of %(size)d") % {"size": one.size},
                one.average,
                ngettext("%(points)s (%(n)d deal)", "%(points)s (%(n)d deals)", one.deals)
                % {"points": number_format(one.average, 2), "n": one.deals},
                None,
                "",
            )
            for one in paid
        ]
    )


def _role(role: Role, times: Sequence[Times]) -> dict[str, Any]:
    return {
        "role": role,
        "chart": post_chart([(one.times, one.players, one.expected) for one in times]),
        "times": times,
    }


def _own(event: Event, own: PlayerRoles | None) -> dict[str, Any] | None:
    if own is None:
        return None
    roles = words_of(event).roles
    chart = bar_chart(
        [
            (str(roles[one.role].name), one.drawn, str(one.drawn), one.expected, one.role.value)
            for one in own.roles
        ]
    )
    return {"chart": chart, "deals": own.deals, "roles": own.roles}
