"""What holds for every answer: caches keep parts and pages apart and no contacts, and nobody loses
their way."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.db import DatabaseError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.cache import patch_vary_headers

from tournament.limits import TooOften
from tournament.web.live.lane import TIME, time_now
from tournament.web.responses import forget_sent, sent_with, to_login, too_often


def vary_by_htmx(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """One address answers with a page, or htmx with a part of it. Without this header the browser's
    Back shows the bare part, which is what it fetched last."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["HX-Request"])
        return response

    return middleware


# Lists of people with how to reach them or what they did, and files of them: no browser keeps a
# copy. Forms and drafts are not among them, so that Back finds what was typed; whether they are
# shown then is asked by the page itself (docs/decisions/no-traces.md).
_NEVER_STORED = frozenset(
    {
        "account",
        "account_data",
        "account_email",
        "document",
        "event_archive",
        "packet",
        "door",
        "door_everybody",
        "log",
        "notebook",
        "player",
        "player_erase",
        "players",
        "players_file",
        "round_pdf",
        "series_log",
        "series_merges",
        "series_penalties",
        "series_staff",
        "staff",
        "staff_table:photo",
        "standings_file",
        "table_pdf",
    }
)
# The preview of an import; before it the page holds what was pasted, and nobody else.
_NEVER_STORED_ANSWERS = frozenset({"player_import"})


def leave_no_traces(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """After signing out, the browser's Back shows nobody's name or e-mail."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        page = request.resolver_match.view_name if request.resolver_match else ""
        reads = request.method in ("GET", "HEAD")
        if page in (_NEVER_STORED if reads else _NEVER_STORED_ANSWERS):
            response["Cache-Control"] = "private, no-store"
        return response

    return middleware


# All else names people, or is somebody's own. The event's page says for itself what its organiser
# wants.
_FOR_SEARCH_ENGINES = frozenset({"home", "event", "series_list", "key"})


def keep_out_of_search(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Years later nobody finds a name by searching for it; files are kept out as well."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        page = request.resolver_match.view_name if request.resolver_match else ""
        if page not in _FOR_SEARCH_ENGINES:
            response["X-Robots-Tag"] = "noindex"
        return response

    return middleware


log = logging.getLogger(__name__)

WAIT_AT_MOST = 600  # seconds: the longest span of the limits on logging in (config/settings.py)


def tell_time(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Every answer says what time it is here: phones go by it, not by their own clock."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response[TIME] = time_now()
        return response

    return middleware


def lead_back_to_the_form(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Opened by itself, say by going on after another language was chosen, an address that only a
    form sends to would be an empty page. The form stands on a page above it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code != 405 or request.method != "GET":
            return response
        page = render(request, "405.html", {"above": _above(request.path)}, status=405)
        page["Allow"] = response["Allow"]
        return page

    return middleware


def _above(path: str) -> str:
    while (path := path.rstrip("/").rpartition("/")[0] + "/") != "/":
        with suppress(Resolver404):
            resolve(path)
            return path
    return path


class TooOftenMiddleware:
    """What was done too often, and where no page of its own says so: a page from which it can be
    sent again. Passwords and files are not kept on it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if response.status_code == 429:  # of allauth's own limits
            response.headers.setdefault("Retry-After", str(WAIT_AT_MOST))
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, TooOften):
            return None
        sent = sent_with(request)
        again = bool(sent) and not request.FILES
        context = {"message": error.message, "sent": sent, "again": again}
        return too_often(render(request, "429.html", context), error)


class NoRoomMiddleware:
    """A database that takes nothing, for want of room or by its own rules: what cannot be saved
    says so, and can be sent again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not takes_nothing(error):
            return None
        log.error("The database takes nothing: %s", error)
        sent = sent_with(request) if request.method == "POST" and not request.FILES else []
        context = {"sent": sent, "again": bool(sent)}
        return render(request, "507.html", context, status=507)


def takes_nothing(error: Exception) -> bool:
    """Whether the disk is full, or nothing may be written, in SQLite's or PostgreSQL's words."""
    state = getattr(error.__cause__, "sqlstate", None)
    if isinstance(error, DatabaseError) and state in ("53100", "25006"):
        return True
    return isinstance(error, OperationalError) and any(
        words in str(error) for words in ("disk is full", "readonly database", "disk I/O error")
    )


class SignInMiddleware(LoginRequiredMiddleware):
    """Every page asks for a login that is not marked otherwise."""

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseRedirect | None:
        if request.method == "POST" and request.user.is_authenticated:
            forget_sent(request)
        return super().process_view(request, view_func, view_args, view_kwargs)  # type: ignore[return-value]

    def handle_no_permission(
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseRedirect:
        return to_login(request)
