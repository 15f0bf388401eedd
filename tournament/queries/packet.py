"""What the packet of an event tells besides its standings (`tournament.documents.packet`)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.models import Event
from tournament.queries.exports import Cell, Listing
from tournament.queries.prizes import ListedPrize, prizes_of
from tournament.queries.rules import public_lots
from tournament.queries.rulings import rulings_of


def prizes_listing(event: Event) -> Listing:
    """A line for each prize that was given, and one for what is left of it."""
    heading = (
        _("Prize"),
        _("Who gets it"),
        pgettext("start number", "No."),
        _("Name"),
        _("Handed out"),
        _("Left over"),
    )
    rows = tuple(row for one in prizes_of(event) for row in _prize_rows(one))
    return Listing("prizes", heading, rows)


def _prize_rows(listed: ListedPrize) -> Iterator[tuple[Cell, ...]]:
    of = (listed.prize.name, listed.prize.who_gets_it)
    for gift in listed.gifts:
        handed = _("yes") if gift.handed_at else _("no")
        yield (*of, gift.player.number, gift.player.name, handed, "")
    if listed.left > 0:
        yield (*of, "", "", "", listed.left)


def rulings_listing(event: Event) -> Listing:
    """In the order of their numbers, those that were withdrawn too."""
    heading = (
        pgettext("of a ruling", "No."),
        _("Question"),
        _("Decision"),
        _("When"),
        _("By"),
        _("Withdrawn because"),
    )
    rows = tuple(
        (
            one.number,
            one.question,
            one.decision,
            timezone.localtime(one.created_at, event.zone).strftime("%Y-%m-%d %H:%M"),
            one.created_by.name if one.created_by else "",
            one.withdrawal_reason,
        )
        for one in rulings_of(event).order_by("number")
    )
    return Listing("rulings", heading, rows)


def proofs_of_lots(event: Event) -> list[dict[str, object]]:
    """Each lot and raffle: the fingerprint that was public before, what `python -m scoring lot` is
    asked, and the order; or who drew it on paper."""
    return [
        {
            "line": lot.line,
            "title": lot.title,
            "fingerprint": lot.fingerprint,
            "request": json.loads(lot.request) if lot.secret else None,
            "order": [number for number, _name in lot.order],
            "on_paper": lot.paper_note,
        }
        for lot in public_lots(event)
    ]
