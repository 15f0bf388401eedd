"""The desk of a series: its settings, events, standings, staff, penalties, log."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.seasons import HUNDRED
from tournament.access import (
    actor_of,
    organised_event,
    organised_series,
    series_invitation_by_link,
    staffed_series,
    user_of,
)
from tournament.actions import series as actions
from tournament.forms.series import (
    AddEventForm,
    AskSeriesForm,
    KeepPenaltyForm,
    SeriesForm,
    SeriesInviteForm,
    TableForm,
    WeightForm,
)
from tournament.links import absolute
from tournament.models import Event, Series, SeriesMember
from tournament.models.series import Side
from tournament.policies import can_organise_series, may_create_events
from tournament.queries.mails import undelivered
from tournament.queries.seasons import amount, rule_name, rule_words
from tournament.queries.series import (
    desk_entries,
    penalties_over,
    series_of_event,
    tables_of_series,
)
from tournament.queries.series_log import series_log, series_log_rows
from tournament.refusals import Refused
from tournament.web.limits import makes_events, spend_by_account
from tournament.web.responses import carry_out, posted_text, refusal, unprocessable


@require_safe
def my_series(request: HttpRequest) -> HttpResponse:
    duties = (
        SeriesMember.objects.filter(user=user_of(request))
        .select_related("series")
        .order_by("-series__starts_on", "series__name")
    )
    context = {"duties": duties, "may_create": may_create_events(user_of(request))}
    return render(request, "tournament/desk/series/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@makes_events
def new_series(request: HttpRequest) -> HttpResponse:
    form = SeriesForm(request.POST or None, user=user_of(request))
    return _settings_page(request, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    series = organised_series(request, slug)
    form = SeriesForm(request.POST or None, user=user_of(request), series=series)
    return _settings_page(request, form, series)


def _settings_page(request: HttpRequest, form: SeriesForm, series: Series | None) -> HttpResponse:
    def page() -> HttpResponse:
        context = {"series": series, "form": form}
        return render(request, "tournament/desk/series/settings.html", context)

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    facts, by = form.facts(), actor_of(request)
    try:
        if series is None:
            done = actions.create_series(facts=facts, by=by)
        else:
            done = actions.change_series(series=series, facts=facts, by=by)
    except Refused as refused:
        return refusal(request, refused, page)
    return redirect("series_desk", done.slug)


# --- events ----------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """The events of the series, and those that are asked for; one more is added. Judges look."""
    if request.method != "POST":
        return _desk(request, staffed_series(request, slug))
    series = organised_series(request, slug)
    form = AddEventForm(request.POST)
    if not form.is_valid():
        return unprocessable(_desk(request, series, form))
    event, weight = form.cleaned_data["event"], form.cleaned_data["weight"]
    return carry_out(
        request,
        lambda: actions.enter_event(
            series=series, event=event, side=Side.SERIES, weight=weight, by=actor_of(request)
        ),
        then=reverse("series_desk", args=[slug]),
        page=lambda: _desk(request, series, form),
        said=lambda entry: _entered(entry.accepted_at is not None, str(event)),
    )


def _entered(done: bool, name: str) -> str:
    if done:
        return _("%(name)s is in.") % {"name": name}
    return _("Asked. It is in as soon as the other side says yes.")


def _desk(request: HttpRequest, series: Series, form: AddEventForm | None = None) -> HttpResponse:
    organises = can_organise_series(user_of(request), series)
    rows: list[dict[str, Any]] = [
        {
            "entry": one.entry,
            "may_answer": one.may_answer and organises,
            "weight": amount(one.entry.weight),
            "twofold": one.entry.weight != HUNDRED,
            "form": WeightForm(
                initial={"weight": one.entry.weight}, auto_id=f"weight-{one.entry.pk}-%s"
            ),
        }
        for one in desk_entries(series)
    ]
    return render(
        request,
        "tournament/desk/series/desk.html",
        {
            "series": series,
            "organises": organises,
            "asked": [one for one in rows if one["entry"].accepted_at is None],
            "rows": [one for one in rows if one["entry"].accepted_at is not None],
            "tables": tables_of_series(series),
            "undelivered": undelivered(series) if organises else (),
            "form": form or AddEventForm(initial={"weight": HUNDRED}),
        },
    )


def _on_desk(
    request: HttpRequest, series: Series, change: Callable[[], Any], said: str = ""
) -> HttpResponse:
    return carry_out(
        request,
        change,
        then=reverse("series_desk", args=[series.slug]),
        page=lambda: _desk(request, series),
        said=said,
    )


@require_POST
def accept(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    series = organised_series(request, slug)
    entry = get_object_or_404(series.entries.select_related("event", "series"), pk=pk)
    change = partial(actions.accept_event, entry=entry, side=Side.SERIES, by=actor_of(request))
    return _on_desk(request, series, change, _entered(True, str(entry.event)))


@require_POST
def weight(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    series = organised_series(request, slug)
    entry = get_object_or_404(series.entries.select_related("event", "series"), pk=pk)
    form = WeightForm(request.POST)
    if not form.is_valid():
        refused = Refused(" ".join(map(str, form["weight"].errors)))
        return unprocessable(refusal(request, refused, lambda: _desk(request, series)))
    change = partial(
        actions.change_weight,
        entry=entry,
        weight=form.cleaned_data["weight"],
        by=actor_of(request),
    )
    return _on_desk(request, series, change)


@require_POST
def take_out(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    series = organised_series(request, slug)
    entry = get_object_or_404(series.entries.select_related("event", "series"), pk=pk)
    change = partial(
        actions.take_out,
        entry=entry,
        side=Side.SERIES,
        reason=posted_text(request, "reason"),
        by=actor_of(request),
    )
    return _on_desk(request, series, change)


# --- the same, seen from the event -----------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def of_event(request: HttpRequest, slug: str) -> HttpResponse:
    """The series that the event is in; one more is asked."""
    event = organised_event(request, slug)
    form = AskSeriesForm(request.POST or None, user=user_of(request))
    if request.method != "POST":
        return _of_event(request, event, form)
    if not form.is_valid():
        return unprocessable(_of_event(request, event, form))
    series = form.cleaned_data["series"]
    return carry_out(
        request,
        lambda: actions.enter_event(
            series=series, event=event, side=Side.EVENT, weight=HUNDRED, by=actor_of(request)
        ),
        then=reverse("event_series", args=[slug]),
        page=lambda: _of_event(request, event, form),
        said=lambda entry: _entered(entry.accepted_at is not None, str(series)),
    )


def _of_event(
    request: HttpRequest, event: Event, form: AskSeriesForm | None = None
) -> HttpResponse:
    return render(
        request,
        "tournament/desk/series/of_event.html",
        {
            "event": event,
            "rows": [
                {
                    "entry": one.entry,
                    "may_answer": one.may_answer,
                    "weight": amount(one.entry.weight),
                    "twofold": one.entry.weight != HUNDRED,
                }
                for one in series_of_event(event)
            ],
            "form": form or AskSeriesForm(user=user_of(request)),
        },
    )


def _change_of_event(
    request: HttpRequest, slug: str, pk: int, change: Callable[..., Any], **more: Any
) -> HttpResponse:
    event = organised_event(request, slug)
    entry = get_object_or_404(event.series_entries.select_related("event", "series"), pk=pk)
    return carry_out(
        request,
        lambda: change(entry=entry, side=Side.EVENT, by=actor_of(request), **more),
        then=reverse("event_series", args=[slug]),
        page=lambda: _of_event(request, event),
    )


@require_POST
def event_accepts(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return _change_of_event(request, slug, pk, actions.accept_event)


@require_POST
def event_leaves(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    reason = posted_text(request, "reason")
    return _change_of_event(request, slug, pk, actions.take_out, reason=reason)


# --- standings -------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings that the series shows, each by a rule; one more is added."""
    series = organised_series(request, slug)
    form = TableForm(request.POST or None)

    def page() -> HttpResponse:
        return render(
            request,
            "tournament/desk/series/tables.html",
            {
                "series": series,
                "form": form,
                "rows": [
                    {"table": one, "rule": rule_name(one), "words": rule_words(one)}
                    for one in tables_of_series(series)
                ],
            },
        )

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.add_table(series=series, facts=form.facts(), by=actor_of(request)),
        then=reverse("series_tables", args=[slug]),
        page=page,
        said=_("The standings are on the page of the series."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    series = organised_series(request, slug)
    found = get_object_or_404(series.tables.in_force().select_related("series"), pk=pk)
    form = TableForm(request.POST or None, table=found)

    def page() -> HttpResponse:
        context = {"series": series, "table": found, "form": form}
        return render(request, "tournament/desk/series/table.html", context)

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.change_table(table=found, facts=form.facts(), by=actor_of(request)),
        then=reverse("series_tables", args=[slug]),
        page=page,
        said=_("Saved."),
    )


@require_POST
def remove_table(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    series = organised_series(request, slug)
    found = get_object_or_404(series.tables.select_related("series"), pk=pk)
    return carry_out(
        request,
        lambda: actions.remove_table(table=found, by=actor_of(request)),
        then=reverse("series_tables", args=[slug]),
        page=lambda: _desk(request, series),
    )


# --- staff -----------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def staff(request: HttpRequest, slug: str) -> HttpResponse:
    series = organised_series(request, slug)
    form = SeriesInviteForm(request.POST or None)
    if request.method != "POST":
        return _staff(request, series, form)
    if not form.is_valid():
        return unprocessable(_staff(request, series, form))

    def invite() -> None:
        spend_by_account(request, "invitation", mailbox=form.cleaned_data["email"])
        actions.invite(series=series, by=actor_of(request), **form.cleaned_data)

    return _change_staff(
        request,
        series,
        invite,
        _("The invitation is on its way."),
    )


def _staff(request: HttpRequest, series: Series, form: SeriesInviteForm) -> HttpResponse:
    return render(
        request,
        "tournament/desk/series/staff.html",
        {
            "series": series,
            "form": form,
            "members": series.staff.select_related("user").order_by("created_at"),
            "invitations": series.invitations.open(),
            "site": absolute(""),
        },
    )


def _change_staff(
    request: HttpRequest, series: Series, change: Callable[[], Any], said: str = ""
) -> HttpResponse:
    return carry_out(
        request,
        change,
        then=reverse("series_staff", args=[series.slug]),
        page=lambda: _staff(request, series, SeriesInviteForm()),
        said=said,
    )


@require_POST
def remove_member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    series = organised_series(request, slug)
    member = get_object_or_404(series.staff.select_related("user", "series"), pk=pk)
    change = partial(actions.remove_member, member=member, by=actor_of(request))
    return _change_staff(request, series, change)


@require_POST
def revoke_invitation(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    series = organised_series(request, slug)
    found = get_object_or_404(series.invitations.select_related("series"), pk=pk)
    change = partial(actions.revoke_invitation, invitation=found, by=actor_of(request))
    return _change_staff(request, series, change)


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever opens the link, logged in, may take the duty."""
    found = series_invitation_by_link(token)

    def page() -> HttpResponse:
        context = {"invitation": found, "series": found.series}
        return render(request, "tournament/desk/series/invitation.html", context)

    if request.method != "POST":
        return page()
    try:
        actions.accept_invitation(invitation=found, user=user_of(request), by=actor_of(request))
    except Refused as refused:
        return refusal(request, refused, page)
    return redirect("series_desk", found.series.slug)


# --- penalties and the log -------------------------------------------------------------------


def _penalties(
    request: HttpRequest, series: Series, form: KeepPenaltyForm | None = None, of: int = 0
) -> HttpResponse:
    today = timezone.localdate()
    organises = can_organise_series(user_of(request), series)
    return render(
        request,
        "tournament/desk/series/penalties.html",
        {
            "series": series,
            "organises": organises,
            "over": today > series.ends_on,
            "rows": [
                {
                    "penalty": one.penalty,
                    "kept": one.kept,
                    "disqualified": one.penalty.step == 4,
                    "form": form
                    if form is not None and one.penalty.pk == of
                    else KeepPenaltyForm(auto_id=f"keep-{one.penalty.pk}-%s"),
                    "open": one.penalty.pk == of,
                }
                for one in penalties_over(series, today)
            ],
        },
    )


@require_safe
def penalties(request: HttpRequest, slug: str) -> HttpResponse:
    """Deal losses and disqualifications of the season, for its staff while it lasts."""
    return _penalties(request, staffed_series(request, slug))


@require_POST
def keep_penalty(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    series = organised_series(request, slug)
    seen = {one.penalty.pk: one.penalty for one in penalties_over(series, timezone.localdate())}
    if pk not in seen:
        return redirect("series_penalties", slug)
    form = KeepPenaltyForm(request.POST, auto_id=f"keep-{pk}-%s")
    if not form.is_valid():
        return unprocessable(_penalties(request, series, form, pk))
    return carry_out(
        request,
        lambda: actions.keep_penalty(
            series=series, penalty=seen[pk], by=actor_of(request), **form.cleaned_data
        ),
        then=reverse("series_penalties", args=[slug]),
        page=lambda: _penalties(request, series, form, pk),
    )


@require_POST
def let_penalty_go(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    series = organised_series(request, slug)
    kept = get_object_or_404(series.kept_penalties.select_related("series"), pk=pk)
    return carry_out(
        request,
        lambda: actions.let_penalty_go(kept=kept, by=actor_of(request)),
        then=reverse("series_penalties", args=[slug]),
        page=lambda: _penalties(request, series),
    )


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    series = organised_series(request, slug)
    page = Paginator(series_log(series), 40).get_page(request.GET.get("page"))
    rows = series_log_rows(page.object_list)
    context = {"series": series, "rows": rows, "page": page}
    return render(request, "tournament/desk/series/log.html", context)
