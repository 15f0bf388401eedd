"""The standings on paper."""

from __future__ import annotations

import threading

from django.core.cache import cache
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language

from tournament.documents.render import pdf
from tournament.models import Event
from tournament.queries.standings import Board, board_for

_KEEP = 600  # seconds: the moment printed is never older
_LOCK = threading.Lock()


def standings_pdf(event: Event) -> bytes:
    """The standings as they are now, with public names, on A4 portrait.

    Made once per version of the event and language: everybody may ask for it, and two
    thousand rows take seconds.
    """
    board = board_for(event)
    key = f"standings-pdf:{event.pk}:{board.version}:{event.status}:{get_language()}"
    with _LOCK:
        found = cache.get(key)
        if found is None:
            found = _made(event, board)
            cache.set(key, found, _KEEP)
    return bytes(found)


def _made(event: Event, board: Board) -> bytes:
    now = date_format(event.local(timezone.now()), "DATETIME_FORMAT")
    return pdf("print/standings.html", {"event": event, "board": board, "printed": now})
