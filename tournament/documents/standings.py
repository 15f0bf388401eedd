"""The standings on paper."""

from __future__ import annotations

import threading

from django.core.cache import cache
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.documents.render import pdf
from tournament.models import Event
from tournament.queries.standings import Board, board_for

_KEEP = 600  # seconds: the moment printed is never older
_LOCK = threading.Lock()


def standings_pdf(event: Event) -> bytes:
    """The standings as they are now, with public names, on A4 portrait.

    Everybody may ask for it, and two thousand rows take seconds: it is made once per version
    and language, and while one is being made the others get the one before.
    """
    board = board_for(event)
    version = f"{board.version}:{event.status}"
    key = f"standings-pdf:{event.pk}:{get_language()}"
    kept = cache.get(key)
    if kept is not None and kept[0] == version:
        return bytes(kept[1])
    if not _LOCK.acquire(blocking=kept is None):
        return bytes(kept[1])
    try:
        kept = cache.get(key)
        if kept is None or kept[0] != version:
            kept = (version, _made(event, board))
            cache.set(key, kept, _KEEP)
    finally:
        _LOCK.release()
    return bytes(kept[1])


def _made(event: Event, board: Board) -> bytes:
    now = date_format(event.local(timezone.now()), _("j F Y, H:i"))
    return pdf("print/standings.html", {"event": event, "board": board, "printed": now})
