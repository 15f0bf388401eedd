"""What views share: carrying out an action and answering, and keys against double sending."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.forms.fields import parse_int, printable
from tournament.limits import TooOften
from tournament.models import Event, Player
from tournament.queries.players import numbers_named
from tournament.refusals import Refused

type Page = Callable[..., HttpResponse]


MARK = re.compile(r"[\w-]{8,40}", re.ASCII)


def new_submission_key() -> str:
    """Marks one submission: sent twice, it counts once."""
    return secrets.token_urlsafe(12)


# The token is of the session; what was read first (`web/foresight.py`) is no part of what is sent.
NOT_SENT_ON = ("csrfmiddlewaretoken", "seen")


def submission_key(request: HttpRequest) -> str:
    """The submission's mark together with what it says: a form that was sent, gone back to and
    filled in with something else is another submission. Empty where the form carries no mark."""
    if not request.POST.get("key"):
        return ""
    said = sorted(
        (name, values) for name, values in request.POST.lists() if name not in NOT_SENT_ON
    )
    return hashlib.sha256(repr((request.path, said)).encode()).hexdigest()[:40]


def saved(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Tell the browser that what its form carries this mark for has arrived: it need not keep it
    any longer (static/js/unsaved.js)."""
    if (mark := request.POST.get("key", "")) and MARK.fullmatch(mark):
        response.set_cookie("saved", mark, max_age=3600, samesite="Lax")
    return response


def posted_text(request: HttpRequest, name: str, limit: int = 200) -> str:
    """A sentence that was sent beside a button."""
    return printable(request.POST.get(name, ""))[:limit]


def search_query(request: HttpRequest) -> str:
    """What was typed into a search field."""
    return printable(request.GET.get("q", ""))[:60]


def asks_for_part(request: HttpRequest) -> bool:
    """Whether htmx asks, which puts the answer into the page that is open."""
    return bool(request.htmx)  # type: ignore[attr-defined]


def page_or_partial(request: HttpRequest, template: str, part: str) -> str:
    """The whole page, or for htmx the part of it that changes."""
    return f"{template}#{part}" if asks_for_part(request) else template


INTERRUPTED = "interrupted"  # in the session: what was sent while nobody was signed in
MOST_KEPT = 100_000  # characters: a sheet, an inquiry, a description; no pasted list of thousands
MOST_READ = 6 * MOST_KEPT  # bytes: as a browser writes them, three or more for a letter
KEPT_FOR = timedelta(hours=2)
STAFF_PAGES = ("/desk/", "/judge/")  # what is sent elsewhere may be a password


def to_login(request: HttpRequest) -> HttpResponseRedirect:
    """Sign in first, then come back: to this page, or after a press to what was sent with it, which
    is kept to be sent again."""
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    # What a stranger sends that is longer than what would be kept is not even read.
    long = parse_int(request.META.get("CONTENT_LENGTH")) > MOST_READ
    sent = [] if long else sent_with(request)
    long = long or sum(len(name) + len(value) for name, value in sent) > MOST_KEPT
    if long or not request.path.startswith(STAFF_PAGES):
        messages.warning(request, _("You were signed out, and nothing was changed. Press again."))
        return redirect_to_login(_page_before(request))
    request.session[INTERRUPTED] = {
        "address": request.get_full_path(),
        "sent": sent,
        "page": _page_before(request),
        "files": bool(request.FILES),
        "at": timezone.now().timestamp(),
    }
    return redirect_to_login(reverse("resume"))


def sent_with(request: HttpRequest) -> list[tuple[str, str]]:
    """All that was typed into the form, for a form that sends it again."""
    return [
        (name, value)
        for name, values in request.POST.lists()
        if name != "csrfmiddlewaretoken"
        for value in values
    ]


def forget_sent(request: HttpRequest) -> None:
    """What was kept is sent now: it is offered no more."""
    kept = request.session.get(INTERRUPTED)
    if kept is not None and kept["address"] == request.get_full_path():
        del request.session[INTERRUPTED]


def _page_before(request: HttpRequest) -> str:
    """Where the press came from, on this site; else the desk."""
    try:
        before = urlsplit(request.headers.get("Referer", ""))
    except ValueError:  # no address at all
        return reverse("desk")
    if before.netloc != request.get_host() or before.path.startswith("//"):
        return reverse("desk")
    return f"{before.path}?{before.query}" if before.query else before.path


def carry_out(
    request: HttpRequest,
    change: Callable[[], Any],
    *,
    then: str,
    page: Callable[[], HttpResponse],
    said: str | Callable[[Any], str] = "",
    undo: str | Callable[[Any], str] = "",
) -> HttpResponse:
    """Carry out a change, then go on; a refusal is shown on the page it came from (409).

    `said`: what has happened then, or what makes it of the change's outcome. `undo`: the address
    where one press takes the change back, or what makes it of the outcome; what is said offers it.
    """
    try:
        done = change()
    except Refused as refused:
        return refusal(request, refused, page)
    tell(request, done, said, undo)
    return redirect(then)


def tell(
    request: HttpRequest,
    done: Any,
    said: str | Callable[[Any], str],
    undo: str | Callable[[Any], str] = "",
) -> None:
    """What has happened, for the page that is shown next, as `carry_out` takes it."""
    if words := said(done) if callable(said) else said:
        # The message's tag holds no style here: its template makes a button of it.
        messages.success(request, words, extra_tags=undo(done) if callable(undo) else undo)


def refusal(
    request: HttpRequest, refused: Refused, page: Callable[[], HttpResponse]
) -> HttpResponse:
    """The page with the refusal on it: status 409, or 429 where something was done too often."""
    request.refusal = refused  # type: ignore[attr-defined]
    response = page()
    response.status_code = 409
    return too_often(response, refused) if isinstance(refused, TooOften) else response


def too_often(response: HttpResponse, refused: TooOften) -> HttpResponse:
    response.status_code = 429
    response["Retry-After"] = str(refused.seconds)
    return response


def was_refused(request: HttpRequest, code: str) -> bool:
    """Whether the page that is made now tells of a refusal for this reason."""
    refused = getattr(request, "refusal", None)
    return refused is not None and refused.code == code


def with_namesakes(said: str, event: Event, name: str, *, but: Player | None = None) -> str:
    """What is said of somebody, and who else has this name."""
    numbers = numbers_named(event, name, but=but)
    if not numbers:
        return said
    words = ngettext(
        "No. %(numbers)s has the same name: the start number stands beside both.",
        "No. %(numbers)s have the same name: the start number stands beside all of them.",
        len(numbers),
    )
    return f"{said} {words % {'numbers': ', '.join(map(str, numbers))}}"


def unprocessable(response: HttpResponse) -> HttpResponse:
    """A form with errors."""
    response.status_code = 422
    return response
