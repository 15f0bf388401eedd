"""Every word on a scoresheet but the names, in the active language."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext, pgettext

from scoring.rulesets import RoleRow
from tournament.queries.boxes import BoxNotes, notes_of_event
from tournament.queries.printed_sheets import PrintedSheet, TournamentSheet


def common_words(sheet: PrintedSheet, seats: int) -> dict[str, str]:
    """Those of every game, by what they are for."""
    return {
        **_head(sheet, seats),
        "before": gettext("Before each deal"),
        "shuffle": gettext("shuffle these role cards"),
        "hand": gettext("hand cards for each player"),
        "seat": gettext("Seat"),
        "number": pgettext("start number", "No."),
        "dealer": gettext("Dealer"),
        **{f"deal {n}": gettext("Deal %(number)s") % {"number": n} for n in range(1, 7)},
        "role": gettext("Role"),
        "seat hint": gettext("seat"),
        "nobody": gettext("nobody"),
        "gold": gettext("Who reached the gold?"),
        "gold how": gettext("Write the seat, or tick nobody."),
        "penalties": gettext("Penalties"),
        "second": gettext("Second person at the table"),
        "signature": gettext("signature"),
    }


def sheet_words(sheet: TournamentSheet, seats: int) -> dict[str, str]:
    """The words by what they are for."""
    row = sheet.row
    return {
        **common_words(sheet, seats),
        "scan how": gettext(
            "Scan this, and the points are counted for you. No phone? This sheet is enough."
        ),
        **_roles(row),
        "how": gettext("After each deal: mark the role, write the points, fill in the star."),
        "points": gettext("Points"),
        "total": gettext("Total"),
        "sum": gettext("Sum of the points"),
        "sum how": gettext("It must be one of the sums beside the box."),
        "check": gettext("Check each deal"),
        "check how": gettext("its points, and their sum"),
        **_outcomes(),
        "penalties how": gettext("seat, deal, code, step (a deal loss: 0 points, no star)"),
        "notes": " · ".join(_notes(sheet.notes or notes_of_event(sheet.event), row)),
        "spare": _spare(sheet.spare),
    }


def _head(sheet: PrintedSheet, seats: int) -> dict[str, str]:
    players = ngettext("%(seats)s player", "%(seats)s players", seats) % {"seats": seats}
    deals = ngettext("%(deals)s deal", "%(deals)s deals", sheet.deals) % {"deals": sheet.deals}
    return {
        "table": gettext("Table"),
        "round": sheet.round.label,
        "size": f"{players} · {deals}",
        "scan": gettext("Keep score on a phone"),
        "rules": gettext("rules %(ruleset)s") % {"ruleset": sheet.event.ruleset}
        + (f" {gettext('with changes')}" if sheet.event.ruleset_changes else ""),
    }


def _roles(row: RoleRow) -> dict[str, str]:
    return {
        "saboteur": ngettext("saboteur", "saboteurs", row.saboteur),
        "miner": ngettext("miner", "miners", row.miner),
        "selfish": ngettext("selfish dwarf", "selfish dwarfs", row.selfish),
        "letter saboteur": pgettext("letter for saboteur", "S"),
        "letter miner": pgettext("letter for miner", "M"),
        "letter selfish": pgettext("letter for selfish dwarf", "D"),
    }


def _outcomes() -> dict[str, str]:
    return {
        "outcome miners": gettext("A miner reached the gold"),
        "outcome saboteurs": gettext("Nobody reached the gold"),
        "outcome saboteur_connects": gettext("A saboteur reached it"),
        "outcome selfish": gettext("A selfish dwarf reached it"),
    }


def _notes(box: BoxNotes, row: RoleRow) -> list[str]:
    """How a deal starts, and what is special about the cards of this box."""
    notes = [gettext("Whoever draws the 3-nugget card starts, with a path card in the gap.")]
    if box.dwarf_note and row.selfish:
        notes.append(gettext("Selfish dwarf: %(note)s") % {"note": box.dwarf_note})
    return [*notes, *box_notes(box)]


def box_notes(box: BoxNotes) -> list[str]:
    """Which box it is, and what else lies in it."""
    notes = []
    if box.edition:
        notes.append(gettext("Box: %(edition)s") % {"edition": box.edition})
    if box.promo_cards:
        notes.append(gettext("Promo cards: %(cards)s") % {"cards": box.promo_cards})
    return notes


def _spare(row: RoleRow | None) -> str:
    """What is shuffled and dealt once somebody sits down in the row kept free."""
    if row is None:
        return ""
    counts = [
        (row.saboteur, pgettext("letter for saboteur", "S")),
        (row.miner, pgettext("letter for miner", "M")),
        (row.selfish, pgettext("letter for selfish dwarf", "D")),
    ]
    cards = " + ".join(f"{count} {letter}" for count, letter in counts if count)
    return gettext("late player: %(cards)s, %(hand)s hand cards") % {
        "cards": cards,
        "hand": row.hand_cards,
    }
