"""Health, theme and language: what is not about an event."""

from __future__ import annotations

import logging
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import signatures
from tournament.access import user_of
from tournament.forms.fields import parse_int, refused_unread
from tournament.forms.packet import MOST_UPLOADED, TOO_LARGE, PacketForm
from tournament.limits import TooOften
from tournament.models import Event
from tournament.policies import duty_of
from tournament.web.context_processors import THEMES
from tournament.web.limits import spend_by_network
from tournament.web.responses import INTERRUPTED, KEPT_FOR, too_often

log = logging.getLogger(__name__)


@login_not_required
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """For load balancers: 200 when the database answers and takes what is written, else 503."""
    try:
        # On PostgreSQL the statement is refused, on SQLite the beginning of the transaction.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE counts SET value = value WHERE 1 = 0")
    except DatabaseError:
        log.exception("The database takes nothing")
        return JsonResponse({"status": "the database takes nothing"}, status=503)
    return JsonResponse({"status": "ok"})


@csrf_exempt  # it changes nothing, and what is too large is not read for a token
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def key(request: HttpRequest) -> HttpResponse:
    """By what everybody can tell that a packet comes from here as it was made."""
    if request.method != "POST":
        return _key_page(request, PacketForm(), 200)
    if parse_int(request.META.get("CONTENT_LENGTH")) > MOST_UPLOADED:
        return _key_page(request, refused_unread(PacketForm({}), "file", TOO_LARGE), 413)
    try:
        spend_by_network(request, "check")
    except TooOften as refused:
        page = _key_page(request, refused_unread(PacketForm({}), "file", refused.message), 429)
        return too_often(page, refused)
    form = PacketForm(request.POST, request.FILES)
    return _key_page(request, form, 200 if form.is_valid() else 422)


def _key_page(request: HttpRequest, form: PacketForm, status: int) -> HttpResponse:
    first, *earlier = signatures.known_keys()
    told = {"form": form, "key": first, "earlier": earlier}
    return render(request, "key.html", told, status=status)


@login_not_required
@require_safe
def key_file(request: HttpRequest) -> HttpResponse:
    """The key as other programs read it."""
    return HttpResponse(signatures.pem(), content_type="application/x-pem-file")


@never_cache
@require_safe
def resume(request: HttpRequest) -> HttpResponse:
    """After signing in: what was sent while the session was over, to be sent now. A reload loses
    nothing; after two hours, or for whoever has no duty at its event, it is gone."""
    kept = request.session.get(INTERRUPTED)
    if kept is None:
        return redirect("desk")
    event = _event_of(kept["address"])
    late = timezone.now().timestamp() - kept["at"] > KEPT_FOR.total_seconds()
    if late or (event is not None and duty_of(user_of(request), event) is None):
        del request.session[INTERRUPTED]
        return redirect("desk")
    return render(request, "resume.html", {"kept": kept, "event": event})


def _event_of(address: str) -> Event | None:
    """The event of a page of the staff; None where it makes a new one, or is gone."""
    try:
        slug = resolve(urlsplit(address).path).kwargs.get("slug")
    except Resolver404:
        return None
    return Event.objects.filter(slug=slug).first()


@csrf_exempt
@login_not_required
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Remember light or dark in a cookie; anything else forgets it, and the device decides."""
    target = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        target = "/"
    response = HttpResponseRedirect(target)
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie(
            "theme", chosen, max_age=365 * 24 * 3600, samesite="Lax", secure=settings.HTTPS
        )
    else:
        response.delete_cookie("theme")
    return response
