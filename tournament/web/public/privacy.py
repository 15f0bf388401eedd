"""What an event knows of people: in general, for who is about to register."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.access import visible_event


@login_not_required
@require_safe
def privacy(request: HttpRequest, slug: str) -> HttpResponse:
    """By law and good manners: who, what for, who sees it, how long, and what one may ask for."""
    context = {"event": visible_event(request, slug), "host": settings.HOST}
    return render(request, "tournament/public/privacy.html", context)
