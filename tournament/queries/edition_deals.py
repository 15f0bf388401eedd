"""What the page of an edition's deal takes along: its numbers, and what was before."""

from __future__ import annotations

from typing import Any

from scoring.editions.base import MOST_CARDS, NUGGETS, PAID, SABOTEURS, BaseGame
from scoring.editions.edition import Edition, EditionDeal
from scoring.editions.saboteur_2 import DWARFS, LESS, Saboteur2
from scoring.editions.saboteur_2 import PAID as PAID_TO_WINNERS
from tournament.queries.scoresheets import DealView, SheetView

MOST_GOLD = 99  # of a deal of the Duel


def edition_numbers(edition: Edition, seats: int) -> dict[str, Any]:
    """For `static/js/editions.js`: which game it is, the roles by their letters, what is paid."""
    roles = {letter: role for role, letter in edition.letters.items()}
    if isinstance(edition, BaseGame):
        return {
            "game": "base",
            "roles": roles,
            "paid": PAID,
            "each": edition.card_each_miner,
            "most": MOST_CARDS,
            "dealt": SABOTEURS[seats],
        }
    if isinstance(edition, Saboteur2):
        return {
            "game": "dwarfs",
            "roles": roles,
            "paid": PAID_TO_WINNERS,
            "many": edition.paid_to_many,
            "less": LESS,
            "cards": DWARFS,
        }
    return {"game": "duel", "roles": {}}


def payable_range(edition: Edition) -> range:
    """What can stand in a box of a paper sheet; what a table can have in all, its rules check."""
    if isinstance(edition, Saboteur2):
        return range(-max(edition.sizes), NUGGETS + 1)  # who is robbed of older nuggets loses
    return range(NUGGETS + 1) if isinstance(edition, BaseGame) else range(MOST_GOLD + 1)


def deal_before(view: SheetView, number: int | None) -> list[int]:
    """What each seat had before this deal; nothing where it is not said which."""
    deals = view.deals[: number - 1] if number else ()
    return [
        sum(deal.lines[seat.position - 1].points for deal in deals if deal.lines)
        for seat in view.seats
    ]


def stored_facts(edition: Edition, deal: DealView | None) -> EditionDeal | None:
    """Of a deal that was entered with its facts."""
    if deal is None or not deal.entered or deal.typed or deal.void:
        return None
    return EditionDeal(edition.read_text(deal.text))
