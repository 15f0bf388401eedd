"""All that is stored of a player: for themselves, to read or to take along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tournament.labels import infraction_name
from tournament.models import Player
from tournament.models.photos import SheetPhoto
from tournament.models.players import PlayerStatus
from tournament.queries.log import log_of, log_rows
from tournament.queries.persons import person_of
from tournament.queries.tickets import ticket_for

# Before they sit anywhere, nobody else's result is theirs too.
_NOT_PLAYING = (PlayerStatus.WAITING, PlayerStatus.REGISTERED, PlayerStatus.WITHDRAWN)


def may_erase_at_once(player: Player) -> bool:
    """Whether nothing was played, so that nobody has to be asked."""
    return player.status in _NOT_PLAYING and not player.seats.exists()


def own_data(player: Player) -> dict[str, Any]:
    """As JSON has it: moments in ISO 8601, words in the language of whoever reads."""
    person = person_of(player)
    return {
        "event": player.event.name,
        "entry": {
            "number": player.number,
            "name": str(player.name),
            "shown_as": player.public_name,
            "other_name": player.alias,
            "state": str(player.status_label),
            **_age(player),
            "under_18": player.minor,
            "does_not_mind_dealing": player.willing_to_deal,
            "without_a_rank": player.unranked,
            "name_stays": player.keeps_name,
            "note": player.note,
            "language": player.language,
            "entered_by": player.get_source_display(),
            "entered_at": player.created_at.isoformat(),
        },
        "contact": {"email": player.email, "phone": player.phone},
        "guardian": _guardian(player),
        "seats": list(_seats(player)),
        "deals": list(_deals(player)),
        "penalties": list(_penalties(player)),
        "late": [
            {"round": one.round.label, "at": one.reported_at.isoformat()}
            for one in player.late_arrivals.in_force().select_related("round")
        ],
        "prizes": [one.prize.name for one in player.prizes.in_force().select_related("prize")],
        "places": [
            {"to": one.target_name, "offered_at": one.created_at.isoformat()}
            for one in player.places.select_related("promise", "event")
        ],
        "photos_of_sheets": SheetPhoto.objects.filter(sheet__table__seats__player=player).count(),
        "mails": [
            {
                "to": one.to,
                "subject": one.subject,
                "sent_at": one.sent_at and one.sent_at.isoformat(),
            }
            for one in player.mails.order_by("pk")
        ],
        "results_kept_together_as": person.name if person is not None else "",
        "what_happened": [
            {
                "at": row.created_at.isoformat(),
                "what": row.what,
                "details": row.details,
                "reason": row.reason,
            }
            for row in log_rows(log_of(player.event, about=player))
        ],
    }


def _age(player: Player) -> dict[str, Any]:
    """Only where the event asks: a list that was imported may tell it all the same."""
    asked = player.event.minimum_age
    return {"minimum_age_confirmed": player.age_confirmed} if asked else {}


def _guardian(player: Player) -> dict[str, Any] | None:
    """Who answers for somebody under 18."""
    if not player.minor:
        return None
    agreed = player.guardian_agreed_at
    return {
        "name": player.guardian,
        "contact": player.guardian_contact,
        "agreed_at": agreed and agreed.isoformat(),
    }


def _seats(player: Player) -> Iterator[dict[str, Any]]:
    seats = player.seats.select_related("round", "table").order_by("pk")
    for seat in seats:
        yield {"round": seat.round.label, "table": seat.table.number, "seat": seat.position}


def _deals(player: Player) -> Iterator[dict[str, Any]]:
    for one in ticket_for(player).deals:
        yield {
            "round": one.label,
            "deal": one.deal,
            "role": one.role,
            "points": one.points,
            "star": one.star,
        }


def _penalties(player: Player) -> Iterator[dict[str, Any]]:
    for one in player.penalties.order_by("pk"):
        yield {
            "at": one.created_at.isoformat(),
            "what": infraction_name(one.infraction),
            "step": str(one.get_step_display()),
            "what_happened": one.reason,
            "withdrawn": one.withdrawn_at is not None,
        }
