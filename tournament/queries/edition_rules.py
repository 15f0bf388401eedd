"""The rules of an edition in sentences: for the page of the rules, its notice, and set-up cards.

The numbers are those of `scoring.editions`; docs/rules.md names the sources, and what is chosen
where they disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.editions import EDITIONS
from scoring.editions.base import BOX, MOST_CARDS, PAID, BaseGame
from scoring.editions.duel import DEALS
from scoring.editions.saboteur_2 import LESS, Saboteur2
from scoring.editions.saboteur_2 import PAID as PAID_TO_WINNERS
from tournament.games import words_for


@dataclass(frozen=True, slots=True)
class SetUpRow:
    """What is dealt at a table of one size: `cards` in the order of the edition's roles."""

    seats: int
    cards: tuple[int, ...]
    hand_cards: int
    spare: int


@dataclass(frozen=True, slots=True)
class RuleSection:
    """A title with its sentences."""

    title: str
    lines: tuple[str, ...]


def set_up_rows(key: str) -> tuple[SetUpRow, ...]:
    """For each size of a table; none where no roles are dealt."""
    edition, roles = EDITIONS[key], words_for(key).roles
    rows = [(size, edition.row(size)) for size in edition.sizes]
    return tuple(
        SetUpRow(size, tuple(row.cards[role] for role in roles), row.hand_cards, row.spare)
        for size, row in rows
        if row.cards
    )


def rule_sections(key: str) -> tuple[RuleSection, ...]:
    """How a deal is set up and what it pays, in the active language."""
    return tuple(_SECTIONS[key]())


def set_up_lines(key: str, seats: int) -> tuple[str, ...]:
    """What a table of this size does before each deal, beside the cards that are shown to it."""
    return tuple(_SET_UPS[key](seats))


def order_lines(key: str, *, final: bool) -> list[str]:
    """What ranks people, a rule a line; `final`: whether there is one."""
    lot = _("A lot is drawn only where a seat or a prize depends on it.")
    if key == "duel":
        first = _("Duels won first, then gold. Equal on both share the rank.")
        last = _("Final: duels won, gold, then the duels won and the gold of the rounds before.")
    else:
        first = _("Most nuggets first. Who has as many shares the rank, and the win.")
        last = _("Final: nuggets, then those of the rounds before.")
    return [first, *([last] if final else []), lot]


# --- Base game -----------------------------------------------------------------------------------


def _base_set_up(_seats: int) -> Iterator[str]:
    yield _("Deal one to each. One is left over: lay it aside unseen.")


def _base_sections(edition: BaseGame) -> Iterator[RuleSection]:
    drawn = (
        _("Whoever reached the gold draws as many gold cards as there are miners.")
        if edition.card_each_miner
        else _(
            "Whoever reached the gold draws as many gold cards as there are players, %(most)d with "
            "ten."
        )
        % {"most": MOST_CARDS}
    )
    passed = (
        _("Each miner takes one: it goes on counter-clockwise, saboteurs are passed over.")
        if edition.card_each_miner
        else _(
            "That player keeps one and hands the others on counter-clockwise, saboteurs passed "
            "over, until none is left."
        )
    )
    paid = ", ".join(
        ngettext("%(n)d in play: %(paid)d", "%(n)d in play: %(paid)d", number)
        % {"n": number, "paid": nuggets}
        for number, nuggets in PAID.items()
    )
    yield RuleSection(
        _("The gold is reached"),
        (
            drawn,
            passed,
            _("The box has %(one)d cards of 1, %(two)d of 2 and %(three)d of 3 nuggets.")
            % {"one": BOX[1], "two": BOX[2], "three": BOX[3]},
        ),
    )
    yield RuleSection(
        _("It is not reached"),
        (
            _("Each saboteur who is in play gets nuggets: %(paid)s.") % {"paid": paid},
            _("Was none in play, nobody gets anything."),
        ),
    )


# --- Saboteur 2 ----------------------------------------------------------------------------------


def _dwarfs_set_up(seats: int) -> Iterator[str]:
    spare = EDITIONS["saboteur-2"].row(seats).spare
    yield ngettext(
        "Deal one to each; %(n)d is left over: lay it aside unseen.",
        "Deal one to each; %(n)d are left over: lay them aside unseen.",
        spare,
    ) % {"n": spare}


def _dwarfs_sections() -> Iterator[RuleSection]:
    edition = EDITIONS["saboteur-2"]
    most = edition.paid_to_many if isinstance(edition, Saboteur2) else 1
    paid = ", ".join(f"{number}: {nuggets}" for number, nuggets in PAID_TO_WINNERS.items())
    yield RuleSection(
        _("Who wins"),
        (
            _("A team wins if its dwarf reaches the gold and no door of the other colour blocks."),
            _(
                "Is it blocked so, the other team wins, if no door blocks that one as well. Does "
                "somebody without a colour reach it, each team wins that no door blocks."
            ),
            _("The boss wins if a team does. The profiteer always wins, with the saboteurs too."),
            _("Is the gold not reached, the saboteurs win."),
            _("Who is in jail at the end does not win and does not steal."),
        ),
    )
    yield RuleSection(
        _("What they get"),
        (
            _("Nuggets for each winner by how many win: %(paid)s, more: %(most)d.")
            % {"paid": paid, "most": most},
            _("The boss gets %(boss)d less, the profiteer %(profiteer)d less, never below 0.")
            % LESS,
            _(
                "A geologist gets a nugget for each crystal that shows; two share them, rounded "
                "down."
            ),
            _(
                "Thieves take one nugget each afterwards, first whoever laid the card last, then "
                "clockwise; who has nothing loses nothing."
            ),
        ),
    )


# --- Duel ----------------------------------------------------------------------------------------


def _duel_set_up(_seats: int) -> Iterator[str]:
    yield _("Set the game up as its booklet says.")


def _duel_sections() -> Iterator[RuleSection]:
    yield RuleSection(
        _("A duel"),
        (
            _("%(n)d deals; what each won in gold is written down after every deal.")
            % {"n": DEALS},
            _("Who has more gold over all of them has won the duel; level, nobody has."),
        ),
    )
    yield RuleSection(
        _("Without an opponent"),
        (
            _("With an odd number one has no opponent in a round: a duel won, without gold."),
            _("Nobody is without one twice."),
        ),
    )


_SECTIONS: Mapping[str, Callable[[], Iterator[RuleSection]]] = {
    "base-classic": lambda: _base_sections(BaseGame("base-classic")),
    "base-new": lambda: _base_sections(BaseGame("base-new", card_each_miner=True)),
    "saboteur-2": _dwarfs_sections,
    "duel": _duel_sections,
}
_SET_UPS: Mapping[str, Callable[[int], Iterator[str]]] = {
    "base-classic": _base_set_up,
    "base-new": _base_set_up,
    "saboteur-2": _dwarfs_set_up,
    "duel": _duel_set_up,
}
