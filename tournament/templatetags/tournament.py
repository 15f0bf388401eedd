"""Small words for templates."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import template
from django.contrib.messages import get_messages
from django.http import HttpRequest
from django.utils import timezone

from tournament import rulebook
from tournament.games import GameWords, outcome_words, words_of
from tournament.labels import (
    AT_ZERO,
    BADGE_TONES,
    MIDDLE_CARDS,
    RULESET_NAMES,
    infraction_name,
)
from tournament.models import Event, Table
from tournament.policies import can_organise, duty_of
from tournament.queries.calls import last_done, may_call, open_call
from tournament.queries.clocks import EventClock, clock_of
from tournament.queries.edition_rules import set_up_lines
from tournament.queries.scoresheets import DealView
from tournament.queries.watch import watch_of

register = template.Library()
MOST_UNFOLDED = 6  # people who are missing, before they push the rest of the page away


@register.simple_tag(takes_context=True)
def duty_here(context: dict[str, Any]) -> str:
    """The duty that whoever looks has at the event of the page; "" for everybody else."""
    return duty_of(context["user"], context["event"]) or ""


@register.filter
def ruleset_name(key: str) -> str:
    return str(RULESET_NAMES.get(key, key))


@register.filter
def middle_card(ruleset: str) -> str:
    """When the middle card is turned up, by the key of the ruleset."""
    return str(MIDDLE_CARDS[ruleset])


@register.simple_tag
def game(event: Event) -> GameWords:
    """How the event's game is spoken of."""
    return words_of(event)


@register.inclusion_tag("includes/sums_head.html")
def sums_head(event: Event) -> dict[str, Any]:
    """The heads of the columns with what a player has, in the order in which they rank."""
    return {"game": words_of(event)}


@register.inclusion_tag("includes/sums_cells.html")
def sums_cells(event: Event, points: int, stars: int) -> dict[str, Any]:
    """The cells below them."""
    return {"points": points, **_stars(event, stars)}


@register.inclusion_tag("includes/stars.html")
def stars(event: Event, count: int, row: bool = False) -> dict[str, Any]:
    """How many stars, as a number or all in a row; nothing where the game has none."""
    return {"row": row, **_stars(event, count)}


def _stars(event: Event, stars: int | None) -> dict[str, Any]:
    words, count = words_of(event), int(stars or 0)  # of one deal it is a yes or no
    return {"game": words, "stars": count, "count": count, "words": words.stars_of(count)}


@register.inclusion_tag("includes/role.html")
def role(event: Event, key: str, short: bool = False) -> dict[str, Any]:
    """A role card by its letter, drawing and, if not `short`, its name."""
    return {"key": str(key), "role": words_of(event).roles[str(key)], "short": short}


@register.simple_tag
def set_up(event: Event, seats: int) -> dict[str, Any]:
    """What a table of an edition deals: each role with its key and words, and how many; and the
    rest in sentences."""
    roles, row = words_of(event).roles, rulebook.ruleset_of(event).row(seats)
    cards = getattr(row, "cards", {})
    return {
        "cards": [({"key": key, "words": words}, cards[key]) for key, words in roles.items()],
        "lines": set_up_lines(event.ruleset, seats),
    }


@register.simple_tag
def points_of(event: Event, number: int) -> str:
    """ "5 points"."""
    return words_of(event).points_of(number)


@register.simple_tag
def sums_short(event: Event, points: int | None, stars: int | None) -> str:
    """ "12 / 3", in the order in which they rank."""
    return words_of(event).sums_short(points or 0, stars or 0)


@register.simple_tag
def points_word(event: Event, number: int) -> str:
    """ "points", below a number that stands by itself."""
    return str(words_of(event).points_label % {"n": number})


@register.simple_tag
def stars_word(event: Event, number: int) -> str:
    """ "stars", likewise."""
    return str(words_of(event).stars_label % {"n": number})


@register.simple_tag
def sums(event: Event, points: int, stars: int) -> str:
    """ "12 points, 3 stars"."""
    return words_of(event).sums(points, stars)


@register.simple_tag
def outcome(event: Event, deal: DealView) -> str:
    """ "The miners win." and so on; nothing for a void deal."""
    names = [line.name for line in deal.lines]
    return outcome_words(words_of(event), deal.winner, deal.winners, names)


@register.filter
def infraction_words(code: str) -> str:
    """ "1.1 Play error, minor"."""
    return infraction_name(code)


@register.filter
def badge_tone(status: str) -> str:
    """The class of a badge that names the status of an event, round, sheet, player or finalist."""
    return BADGE_TONES.get(status, "quiet")


@register.filter
def get(mapping: dict[object, object], key: object) -> object:
    """A value of a mapping by a key that is itself a variable."""
    return mapping.get(key, "")


@register.filter
def age(passed: timedelta) -> str:
    """ "12:05", as `static/js/calls.js` lets it go on."""
    seconds = max(0, int(passed.total_seconds()))
    return f"{seconds // 60}:{seconds % 60:02}"


@register.filter
def since(moment: datetime) -> timedelta:
    """How long ago."""
    return timezone.now() - moment


@register.filter
def instant(moment: datetime) -> int:
    """In ms, for scripts."""
    return round(moment.timestamp() * 1000)


@register.inclusion_tag("tournament/judge/watch.html", takes_context=True)
def judges_watch(context: dict[str, Any], event: Event, *, quiet: bool = False) -> dict[str, Any]:
    """The calls of judges and who is not at the table, followed by the pages of the staff.
    `quiet`: only calls are of interest there."""
    request = context["request"]
    watch = watch_of(event, timezone.now())
    # As a part it does not know on which page it stands, so the page says so.
    back = _told(request, "from") or _page_name(request)
    told = str(context.get("arrived") or request.GET.get("arrived"))
    arrived = next((row.pk for row in watch.arrived if str(row.pk) == told), None)
    return {
        "event": event,
        "watch": watch,
        "back": back,
        "quiet": quiet or bool(_told(request, "quiet")),
        # On other pages something else is being done.
        "unfolded": back in ("calls", "notebook") and len(watch.missing) < MOST_UNFOLDED,
        "may_mend": bool(watch.missing) and watch.may_mend and can_organise(request.user, event),
        "part": bool(request.htmx),
        # Who has just come stands unfolded and first, until the page is made anew.
        "arrived": arrived,
        "came_late": sorted(watch.arrived, key=lambda row: row.pk != arrived),
        "pressed": request.method == "POST",
        "messages": get_messages(request) if request.htmx and request.method == "POST" else (),
        "request": request if request.htmx else None,  # a page shows its refusal itself
    }


@register.inclusion_tag("tournament/scoresheet/call.html", takes_context=True)
def table_call(context: dict[str, Any], table: Table) -> dict[str, Any]:
    """The table's call of a judge: a button, or what became of it."""
    request = context["request"]
    return {
        "event": table.round.event,
        "table": table,
        "call": open_call(table),
        "done": last_done(table, timezone.now()),
        "may_call": may_call(table),
        "key": context["call_key"] if "call_key" in context else context.get("key", ""),
        "back": _told(request, "from") or _page_name(request),
        "deal": _told(request, "deal") or str(context.get("number") or ""),
        "request": request if request.htmx else None,
    }


def _told(request: HttpRequest, name: str) -> str:
    """What a part that is asked for says of the page it stands on."""
    return request.POST.get(name) or request.GET.get(name) or ""


def _page_name(request: HttpRequest) -> str:
    return (request.resolver_match and request.resolver_match.url_name) or ""


@register.inclusion_tag("includes/clock.html")
def clock(
    event: Event, table: int | None = None, found: EventClock | None = None
) -> dict[str, Any]:
    """The event's clock, at this table; a script makes it run. `found`: where the page has it."""
    now = timezone.now()
    found = found or clock_of(event, now)
    return {
        "event": event,
        "table": table,
        "clock": found,
        "reading": found.read(now, table),
        "ends_at": found.ends_at(table),
        "at_zero": AT_ZERO[event.at_zero],
    }
