"""What the packet of an event tells besides its standings (`tournament.documents.packet`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.models import Event, Place
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
        yield (*of, gift.player.number, gift.player.name_for_others, handed, "")
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


def places_listing(event: Event) -> Listing:
    """Everybody who holds a place that the event gave. Contacts of those alone who have agreed that
    whoever runs the other event gets them."""
    heading = (
        _("Where to"),
        _("Rank"),
        pgettext("start number", "No."),
        _("Name"),
        _("State"),
        _("Answer until"),
        _("E-mail"),
        _("Phone"),
    )
    now = timezone.now()
    given = Place.objects.unended().filter(promise__event=event)
    found = given.select_related("promise", "player__contact", "entry").order_by("promise", "slot")
    rows = tuple(_place_row(event, one, now) for one in found if one.holds_at(now))
    return Listing("places", heading, rows)


def _place_row(event: Event, place: Place, now: datetime) -> tuple[Cell, ...]:
    player, accepted = place.player, place.accepted_at is not None
    until = timezone.localtime(place.due_at, event.zone).strftime("%Y-%m-%d %H:%M")
    return (
        place.target_name,
        place.rank or "",
        player.number if player else "",
        player.name_for_others if player else place.person_name,
        _("accepted") if accepted else _("offered"),
        "" if accepted else until,
        *_contact(place),
    )


def _contact(place: Place) -> tuple[str, str]:
    contact = getattr(place.player, "contact", None) if place.may_write else None
    return (contact.email, contact.phone) if contact else ("", "")


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
