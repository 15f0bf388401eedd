"""Finding people among an event's players."""

from __future__ import annotations

from django.db.models import QuerySet

from tournament.models import Event, Player
from tournament.models.players import PlayerStatus
from tournament.names import shown_name
from tournament.spelling import NameSearch, folded


def search_players(event: Event, query: str) -> QuerySet[Player]:
    """Players whose name, shown name, e-mail or number matches, however it is spelled."""
    players = event.players.select_related("contact").order_by("number")
    if not query:
        return players
    search, address = NameSearch.of(query), query.strip().lower() if "@" in query else ""
    known = event.players.values_list(
        "pk", "number", "name", "name_style", "alias", "contact__email"
    )
    # Compared here: SQLite folds no accents, and PostgreSQL only with an extension.
    hits = [
        pk
        for pk, number, name, style, alias, email in known
        if (
            address in (email or "").lower()
            if address
            else search.finds(number, name, shown_name(name, style, alias, number), email or "")
        )
    ]
    return players.filter(pk__in=hits[:500])


def by_alphabet(name: str, number: int) -> tuple[str, int]:
    """Where somebody stands in a list by name. The databases order accents each in its way."""
    return folded(name), number


def by_name(players: QuerySet[Player]) -> list[int]:
    """Their keys in the order of their names, as a list at the door is read."""
    named = players.values_list("name", "number", "pk")
    return [pk for _name, _number, pk in sorted(named, key=lambda one: by_alphabet(*one[:2]))]


def without_ticket(event: Event) -> QuerySet[Player]:
    """Those who may still play, have an e-mail and never got their ticket, nor are about to."""
    expected = (PlayerStatus.WAITING, PlayerStatus.REGISTERED, PlayerStatus.CHECKED_IN)
    found = event.players.filter(status__in=expected, ticket_sent_at=None)
    # Leaves out an empty address and a contact that was erased.
    found = found.filter(contact__email__gt="")
    return found.exclude(pk__in=event.mails.waiting().of_tickets().values("player"))


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


def numbers_named(event: Event, name: str, *, but: Player | None = None) -> list[int]:
    """Start numbers of everybody with this name who has not withdrawn."""
    people = event.players.exclude(status=PlayerStatus.WITHDRAWN)
    if but is not None:
        people = people.exclude(pk=but.pk)
    same = folded(name)
    known = people.order_by("number").values_list("number", "name")
    return [number for number, one in known if folded(one) == same]


def namesake_of(known: Known, name: str, email: str) -> int | None:
    """The start number of somebody of this name who may be the same person: only two e-mails that
    differ tell people apart for certain."""
    same_name = known.get(folded(name), {})
    if not email:
        return next(iter(same_name.values()), None)
    return same_name.get(email) or same_name.get("")


def number_of(known: Known, name: str, email: str) -> int | None:
    """The start number of the same person: this name with this e-mail; without an e-mail the name
    alone decides, since two people of one name need something to tell them apart."""
    same_name = known.get(folded(name), {})
    if not email:
        return next(iter(same_name.values()), None)
    return same_name.get(email)
