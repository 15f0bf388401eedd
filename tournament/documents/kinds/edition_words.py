"""Every word on the scoresheet of an edition but the names, in the active language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext, ngettext

from scoring.editions.base import MOST_CARDS, PAID, SABOTEURS, BaseGame
from scoring.editions.edition import SetUp
from scoring.editions.saboteur_2 import LESS, Saboteur2
from tournament.documents.kinds.scoresheet_words import box_notes, common_words
from tournament.games import GameWords, words_of
from tournament.queries.boxes import notes_of_event
from tournament.queries.edition_rules import set_up_lines
from tournament.queries.printed_sheets import EditionSheet


def edition_words(sheet: EditionSheet, seats: int) -> dict[str, str]:
    """The words by what they are for."""
    game = words_of(sheet.event)
    return {
        **common_words(sheet, seats),
        "scan how": gettext(
            "Scan this, and the sums are made for you. No phone? This sheet is enough."
        ),
        "how": _how(sheet),
        "how letter": gettext(
            "After each deal: write the letter of what each was at its end, and the nuggets."
        ),
        "points": str(game.points),
        "sum": gettext("Sum"),
        "won": gettext("Has won"),
        "penalties how": gettext("seat, deal, code, step (a deal loss: %(nothing)s)")
        % {"nothing": game.points_of(0)},
        "set up": " ".join(set_up_lines(game.edition, seats)),
        "left over": gettext("left over, unseen"),
        **_roles(game, sheet.row),
        **_facts(),
        **_paid(sheet, seats),
        "notes": " · ".join(_notes(sheet, seats)),
        "spare": _spare(game, sheet),
    }


def _how(sheet: EditionSheet) -> str:
    match sheet.edition:
        case BaseGame():
            return gettext("After each deal: mark the role, write the nuggets.")
        case Saboteur2():
            return gettext("After each deal: mark what each was at its end, write the nuggets.")
        case _:
            return gettext("After each deal: write the gold of each.")


def _roles(game: GameWords, row: SetUp) -> dict[str, str]:
    found = {}
    for key, role in game.roles.items():
        found[key] = str(role.name if row.cards[key] == 1 else role.names)
        found[f"letter {key}"] = str(role.letter)
    return found


def _facts() -> dict[str, str]:
    return {
        "doors": gettext("Doors on the path, crystals"),
        "doors how": gettext("Tick the doors; write how many crystals show."),
        "jail": gettext("In jail, thieves"),
        "jail how": gettext("Write the seats; 2 who stole from 5 is 2-5, in the order laid."),
        "jail hint": gettext("jail"),
        "thieves hint": gettext("thieves"),
    }


def _paid(sheet: EditionSheet, seats: int) -> dict[str, str]:
    words = {
        "check": gettext("What is paid"),
        "check how": gettext("to whom, in each deal"),
    }
    match sheet.edition:
        case BaseGame() as edition:
            return words | _base(edition, seats)
        case Saboteur2():
            return words | dwarf_rules(words_of(sheet.event))
        case _:
            return words | {
                "check": gettext("Who wins"),
                "check how": gettext("once all deals are played"),
                "ahead": gettext("Who has more gold over all of them has won the duel."),
            }


def _base(edition: BaseGame, seats: int) -> dict[str, str]:
    drawn = min(seats, MOST_CARDS)
    return {
        "reached": gettext("The gold is reached"),
        "drawn": gettext("a gold card for each miner, counter-clockwise")
        if edition.card_each_miner
        else gettext("%(n)d gold cards to the miners, one by one, counter-clockwise")
        % {"n": drawn},
        "box": gettext("in the box"),
        "missed": gettext("It is not reached"),
        **{
            f"saboteurs {n}": gettext("%(paid)d each") % {"paid": PAID[n]}
            if n
            else gettext("none in play: nobody gets anything")
            for n in in_play(seats)
        },
    }


def in_play(seats: int) -> tuple[int, ...]:
    """How many saboteurs there can be: the card left over may be one."""
    return SABOTEURS[seats] - 1, SABOTEURS[seats]


def dwarf_rules(game: GameWords) -> dict[str, str]:
    """Who wins and what they get, in short, with letters for the dwarfs."""
    letter = {key: str(role.letter) for key, role in game.roles.items()}
    return {
        "winners": gettext("Nuggets of each winner, by how many win"),
        "less": gettext(
            "%(boss)s gets %(boss_less)d less, %(profiteer)s %(profiteer_less)d less, never below "
            "0. %(geologist)s gets one for each crystal; two share them, rounded down."
        )
        % {
            "boss": letter["boss"],
            "boss_less": LESS["boss"],
            "profiteer": letter["profiteer"],
            "profiteer_less": LESS["profiteer"],
            "geologist": letter["geologist"],
        },
        "thieves": gettext(
            "Then each thief takes one, the last laid first, then clockwise. In jail: neither wins "
            "nor steals."
        ),
        "who": gettext("Who wins"),
        "reached own": " ".join(_teams(letter)),
        "reached other": gettext(
            "Another reaches the gold: each team that no door of the other colour blocks, with "
            "%(boss)s and %(profiteer)s."
        )
        % letter,
        "missed": gettext("Nobody reaches it: %(saboteur)s and %(profiteer)s.") % letter,
    }


def _teams(letter: Mapping[str, str]) -> Iterator[str]:
    yield (
        gettext(
            "%(blue)s reaches the gold without a green door, or %(green)s without a blue one: that "
            "team, with %(boss)s and %(profiteer)s. Blocked so, the other team wins, unless "
            "a door blocks it as well."
        )
        % letter
    )


def _notes(sheet: EditionSheet, seats: int) -> list[str]:
    # Where no roles are dealt it stands in the strip above.
    told = set_up_lines(sheet.edition.key, seats) if sheet.row.cards else ()
    return [*told, *box_notes(sheet.notes or notes_of_event(sheet.event))]


def _spare(game: GameWords, sheet: EditionSheet) -> str:
    """What is shuffled and dealt once somebody sits down in the row kept free."""
    row = sheet.spare
    if row is None:
        return ""
    if row.cards == sheet.row.cards:
        return ngettext(
            "late player: %(n)d is left over", "late player: %(n)d are left over", row.spare
        ) % {"n": row.spare}
    cards = " + ".join(f"{row.cards[key]} {role.letter}" for key, role in game.roles.items())
    return gettext("late player: %(cards)s, %(hand)s hand cards") % {
        "cards": cards,
        "hand": row.hand_cards,
    }
