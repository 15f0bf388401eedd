"""Finding people among an event's players."""

from __future__ import annotations

from django.db.models import QuerySet

from tournament.models import Event, Player
from tournament.models.players import PlayerStatus
from tournament.queries.seats import folded


def search_players(event: Event, query: str) -> QuerySet[Player]:
    """Players whose name, e-mail or number matches; accents and case do not matter."""
    players = event.players.select_related("contact").order_by("number")
    if not query:
        return players
    if query.isdecimal():
        # More digits would not fit into the column, and PostgreSQL refuse to compare.
        return players.filter(number=int(query[:9]))
    words = folded(query).split()
    # Compared here: SQLite folds no accents, and PostgreSQL only with an extension.
    hits = [
        pk
        for pk, name, email in event.players.values_list("pk", "name", "contact__email")
        if all(word in folded(f"{name} {email or ''}") for word in words)
    ]
    return players.filter(pk__in=hits[:500])


def by_name(players: QuerySet[Player]) -> list[int]:
    """Their keys in the order of their names, as a list at the door is read."""
    # Sorted here: the two databases order accents and capitals differently.
    named = players.order_by("number").values_list("name", "pk")
    return [pk for _name, pk in sorted(named, key=lambda one: folded(one[0]))]


def without_ticket(event: Event) -> QuerySet[Player]:
    """Those who may still play, have an e-mail and were never sent their ticket."""
    expected = (PlayerStatus.WAITING, PlayerStatus.REGISTERED, PlayerStatus.CHECKED_IN)
    found = event.players.filter(status__in=expected, ticket_sent_at=None)
    # Leaves out an empty address and a contact that was erased.
    return found.filter(contact__email__gt="")


def same_name(one: str, other: str) -> bool:
    """Whether two names are one name to whoever reads them."""
    return folded(one) == folded(other)


type Known = dict[str, dict[str, int]]


def known_people(event: Event) -> Known:
    """Folded name -> e-mail -> start number, of everybody who has not withdrawn."""
    found: Known = {}
    for name, email, number in event.players.exclude(status=PlayerStatus.WITHDRAWN).values_list(
        "name", "contact__email", "number"
    ):
        found.setdefault(folded(name), {})[email or ""] = number
    return found


def number_of(known: Known, name: str, email: str) -> int | None:
    """The start number of the same person: this name with this e-mail; without an e-mail the name
    alone decides, since two people of one name need something to tell them apart."""
    same_name = known.get(folded(name), {})
    if not email:
        return next(iter(same_name.values()), None)
    return same_name.get(email)
