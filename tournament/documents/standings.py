"""The standings on paper."""

from __future__ import annotations

from django.utils import timezone
from django.utils.formats import date_format

from tournament.documents.render import pdf
from tournament.models import Event
from tournament.queries.standings import board_for


def standings_pdf(event: Event) -> bytes:
    """The standings as they are now, with public names, on A4 portrait."""
    context = {
        "event": event,
        "board": board_for(event),
        "printed": date_format(event.local(timezone.now()), "DATETIME_FORMAT"),
    }
    return pdf("print/standings.html", context)
