"""The logo of a sponsor, for everybody."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.access import sponsor_of, visible_event


@login_not_required
@require_safe
def logo(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Always a JPEG that we made; its address has a mark of its own, so it may be kept."""
    found = sponsor_of(visible_event(request, slug), pk)
    if not found.logo:
        raise Http404
    response = HttpResponse(found.jpeg, content_type="image/jpeg")
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, max-age=86400"
    return response
