"""The clock of the round, breaks, and tables that have a time of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.access import actor_of, staffed_event
from tournament.actions import clocks as actions
from tournament.clocks import ClockState, Reading
from tournament.forms.clocks import AddTimeForm, BreakForm, StartForm, TableTimeForm
from tournament.forms.fields import parse_int
from tournament.models import Event, Round, Table, TableTime
from tournament.models.scoresheets import SheetStatus
from tournament.models.versions import Part
from tournament.policies import can_organise
from tournament.queries.clocks import clock_of
from tournament.queries.seats import round_in_play
from tournament.refusals import Refused
from tournament.web.live.parts import follows
from tournament.web.responses import (
    carry_out,
    new_submission_key,
    page_or_partial,
    posted_text,
    submission_key,
    unprocessable,
)


@require_safe
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """The time of the round that is played: started, stopped, lengthened; breaks; tables whose time
    is over."""
    return _page(request, staffed_event(request, slug))


def _page(request: HttpRequest, event: Event, **forms: forms.Form) -> HttpResponse:
    # First: what changes while the page is made is asked for by it.
    seen = follows(event, Part.CLOCK, Part.SHEETS, Part.SEATS)
    found, now, round_ = clock_of(event), timezone.now(), round_in_play(event)
    open_tables = _tables(round_, SheetStatus.OPEN) if round_ else []
    playing = {*open_tables, *(_tables(round_, SheetStatus.SUBMITTED) if round_ else ())}
    reading = found.read(now)
    over = [n for n in open_tables if found.read(now, n).state == ClockState.OVER]
    context: dict[str, Any] = {
        "event": event,
        "organiser": can_organise(request.user, event),  # type: ignore[arg-type]
        "clock": found,
        "reading": reading,
        "round": round_,
        "has_time": bool(round_ and (found.clock.length or event.seconds_of(round_.stage))),
        "begun": _begun(reading),
        "press": _next_press(event, None if found.pause else reading.state)
        if round_ or found.pause
        else None,
        "seen": actions.start_seen(found.clock.starts_at),
        "over": over,
        "unplayed": _unplayed(round_, over) if round_ and over else [],
        "others": _own_times(round_, playing) if round_ else [],
        "key": new_submission_key(),
        "follows": seen,
        "start_form": StartForm(event=event, begun=_begun(reading)),
        "add_form": AddTimeForm(),
        "table_form": TableTimeForm(round_=round_),
        "break_form": BreakForm(event=event, runs=reading.state == ClockState.RUNNING),
    }
    return render(
        request, page_or_partial(request, "tournament/desk/clock.html", "clock"), context | forms
    )


@dataclass(frozen=True, slots=True)
class Press:
    """The one button that is next."""

    url: str
    words: str
    tone: str = ""


def _own_times(round_: Round, playing: set[int]) -> list[TableTime]:
    """Of tables that play; one that is done needs no time."""
    times = TableTime.objects.filter(table__round=round_, table__number__in=playing)
    return list(times.select_related("table").order_by("table__number"))


def _next_press(event: Event, state: ClockState | None) -> Press | None:
    """`state`: None in a break."""

    def press(name: str, words: str, tone: str = "") -> Press:
        return Press(reverse(name, args=[event.slug]), words, tone)

    match state:
        case None:
            return press("break_end", _("End the break now"), "primary")
        case ClockState.NONE:
            return press("clock_start", _("Start the clock now"), "primary")
        case ClockState.ANNOUNCED:
            return press("clock_start", _("Start now"), "primary")
        case ClockState.PAUSED:
            return press("clock_resume", _("Go on"), "primary")
        case ClockState.RUNNING:
            return press("clock_pause", _("Pause for everybody"))
    return None


def _begun(reading: Reading) -> bool:
    return reading.state not in (ClockState.NONE, ClockState.ANNOUNCED)


def _unplayed(round_: Round, tables: list[int]) -> list[str]:
    """What handing in as they are would leave out: "Table 3: 1 of 3 deals"."""
    found = round_.tables.filter(number__in=tables).annotate(deals=Count("sheet__deals"))
    words = _("Table %(table)d: %(played)d of %(all)d deals entered")
    return [
        words % {"table": number, "played": played, "all": round_.deals}
        for number, played in found.order_by("number").values_list("number", "deals")
        if played < round_.deals
    ]


def _tables(round_: Round, status: SheetStatus) -> list[int]:
    tables = round_.tables.filter(sheet__status=status)
    return list(tables.order_by("number").values_list("number", flat=True))


def _press(
    request: HttpRequest,
    slug: str,
    change: Callable[[Event], Any],
    *,
    said: str | Callable[[Any], str] = "",
    undo: str | Callable[[Any], str] = "",
) -> HttpResponse:
    event = staffed_event(request, slug)
    return carry_out(
        request,
        lambda: change(event),
        then=_back(request, slug),
        page=lambda: _page(request, event),
        said=said,
        undo=reverse(undo, args=[slug]) if isinstance(undo, str) and undo else undo,
    )


def _back(request: HttpRequest, slug: str) -> str:
    """To where the button stood."""
    pages = {"desk": "event_desk", "notebook": "notebook"}
    return reverse(pages.get(posted_text(request, "from"), "clock"), args=[slug])


def _round(event: Event) -> Round:
    round_ = round_in_play(event)
    if round_ is None:
        raise Refused(_("No round is being played."))
    return round_


def _table(event: Event, number: int) -> Table:
    tables = _round(event).tables.select_related("round__event", "sheet")
    return get_object_or_404(tables, number=number)


@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Now, or at a time that is announced."""
    event = staffed_event(request, slug)
    form = StartForm(request.POST, event=event, begun=_begun(clock_of(event).read(timezone.now())))
    if not form.is_valid():
        return unprocessable(_page(request, event, start_form=form))
    at, by, key = form.cleaned_data["at"], actor_of(request), submission_key(request)
    return _press(
        request,
        slug,
        lambda event: actions.start_clock(
            round_=_round(event), at=at, by=by, seen=posted_text(request, "seen"), key=key
        ),
        said=_("The start is announced.") if at else _("The clock runs."),
    )


@require_POST
def pause(request: HttpRequest, slug: str) -> HttpResponse:
    by = actor_of(request)
    return _press(
        request,
        slug,
        lambda event: actions.pause_clock(round_=_round(event), by=by),
        said=_("The clock stands still for everybody."),
        undo="clock_resume",
    )


@require_POST
def resume(request: HttpRequest, slug: str) -> HttpResponse:
    by = actor_of(request)
    return _press(
        request,
        slug,
        lambda event: actions.resume_clock(round_=_round(event), by=by),
        said=_("The clock goes on."),
        undo="clock_pause",
    )


@require_POST
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """More time for everybody, or less."""
    event = staffed_event(request, slug)
    form = AddTimeForm(request.POST)
    if not form.is_valid():
        return unprocessable(_page(request, event, add_form=form))
    minutes, by, key = form.cleaned_data["minutes"], actor_of(request), submission_key(request)
    return _press(
        request,
        slug,
        lambda event: actions.add_time(round_=_round(event), seconds=60 * minutes, by=by, key=key),
        said=ngettext("%(n)+d minute for everybody.", "%(n)+d minutes for everybody.", abs(minutes))
        % {"n": minutes},
    )


@require_POST
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """Extra time for one table, or its clock stands still."""
    event = staffed_event(request, slug)
    form = TableTimeForm(request.POST, round_=round_in_play(event))
    if not form.is_valid():
        return unprocessable(_page(request, event, table_form=form))
    data, by = form.cleaned_data, actor_of(request)
    if data["stop"]:
        return _press(
            request,
            slug,
            lambda _event: actions.stop_table(table=data["table"], reason=data["reason"], by=by),
            said=_("The clock of table %(n)d stands still.") % {"n": data["table"].number},
        )
    return _press(
        request,
        slug,
        lambda _event: actions.give_table_time(
            table=data["table"],
            seconds=60 * data["minutes"],
            reason=data["reason"],
            by=by,
            key=submission_key(request),
        ),
        said=_("Table %(table)d: %(minutes)+d minutes.")
        % {"table": data["table"].number, "minutes": data["minutes"]},
        undo=lambda time: _back_address(slug, data["table"].number, time),
    )


def _back_address(slug: str, number: int, time: TableTime) -> str:
    """Where these minutes are taken back, once."""
    address = reverse("clock_table_back", args=[slug, number])
    return f"{address}?seen={time.extra_seconds}"


@require_POST
def take_table_time_back(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The minutes that the table was given last."""
    by, seen = actor_of(request), request.GET.get("seen", "")

    def take_back(event: Event) -> None:
        actions.take_table_time_back(table=_table(event, number), seen=seen, by=by)

    said = _("Taken back: what table %(n)d was given last.") % {"n": number}
    return _press(request, slug, take_back, said=said)


@require_POST
def resume_table(request: HttpRequest, slug: str) -> HttpResponse:
    number, by = parse_int(request.POST.get("table")), actor_of(request)

    def go_on(event: Event) -> None:
        actions.resume_table(table=_table(event, number), by=by)

    return _press(request, slug, go_on, said=_("The clock of table %(n)d goes on.") % {"n": number})


@require_POST
def hand_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Every table whose time is over, as it is."""
    by, key = actor_of(request), submission_key(request)
    reason = posted_text(request, "reason") or _("The time was over.")

    def said(numbers: list[int]) -> str:
        words = ngettext(
            "Table %(numbers)s is handed in: somebody of it confirms.",
            "Tables %(numbers)s are handed in: somebody of each confirms.",
            len(numbers),
        )
        return words % {"numbers": ", ".join(map(str, numbers))}

    return _press(
        request,
        slug,
        lambda event: actions.hand_in_for_time(round_=_round(event), reason=reason, by=by, key=key),
        said=said,
    )


@require_POST
def pause_event(request: HttpRequest, slug: str) -> HttpResponse:
    """A break until then."""
    event = staffed_event(request, slug)
    runs = clock_of(event).read(timezone.now()).state == ClockState.RUNNING
    form = BreakForm(request.POST, event=event, runs=runs)
    if not form.is_valid():
        return unprocessable(_page(request, event, break_form=form))
    data, by, key = form.cleaned_data, actor_of(request), submission_key(request)
    return _press(
        request,
        slug,
        lambda event: actions.announce_break(
            event=event,
            ends_at=data["until"],
            text=data["text"],
            stop=bool(data.get("stop")),
            by=by,
            key=key,
        ),
        said=_("The break is announced, and the clock of the round stands still.")
        if data.get("stop")
        else _("The break is announced."),
        undo="break_end",
    )


@require_POST
def end_break(request: HttpRequest, slug: str) -> HttpResponse:
    by = actor_of(request)
    return _press(
        request,
        slug,
        lambda event: actions.end_break(event=event, by=by),
        said=_("The break is over."),
    )
