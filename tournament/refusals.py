"""A change that the rules or the state of things do not allow, in words for the person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.refusal import Refusal
from tournament.games import EDITION_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


# Said by the page itself while points are typed, and by the server, which has the last word.
SEATS_WRONG = gettext_lazy(
    "No outcome of a deal gives these points. Look at these seats: %(seats)s."
)
SUM_WRONG = gettext_lazy(
    "No outcome of a deal gives these points: their sum is %(sum)s, and it can be %(sums)s."
)

SEATED_BY_CUT = gettext_lazy(
    "The seats of this stage are given by the cut: let somebody decline instead."
)


class Refused(Exception):
    """`message` says why and what to do; `seats` are the seats concerned, counted from 1."""

    def __init__(
        self, message: str | Promise, *, code: str = "refused", seats: Sequence[int] = ()
    ) -> None:
        super().__init__(message)
        self.message = str(message)
        self.code = code
        self.seats = tuple(seats)


class Conflict(Refused):
    """Somebody else changed the same thing in the meantime. Nothing was overwritten."""


def role_name(role: str, count: int) -> str:
    if role not in ("saboteur", "selfish", "miner"):
        dwarf = EDITION_WORDS["saboteur-2"].roles[role]
        return f"{count} {dwarf.name if count == 1 else dwarf.names}"
    if role == "saboteur":
        return ngettext("%(count)d saboteur", "%(count)d saboteurs", count) % {"count": count}
    if role == "selfish":
        return ngettext("%(count)d selfish dwarf", "%(count)d selfish dwarfs", count) % {
            "count": count
        }
    return ngettext("%(count)d miner", "%(count)d miners", count) % {"count": count}


def _role_counts(values: dict[str, Any], names: Sequence[str]) -> str:
    seats = seats_named(values.get("seats", ()), names)
    told = _("This table deals %(expected)s; you marked %(found)s.") % {
        "expected": role_name(str(values.get("role")), int(values.get("expected", 0))),
        "found": values.get("found"),
    }
    if int(values.get("found", 0)) > int(values.get("expected", 0)) and seats:
        return told + " " + _("Change one of these seats: %(seats)s.") % {"seats": seats}
    return told


def seats_named(seats: Sequence[int], names: Sequence[str]) -> str:
    """ "2 (Ana), 5 (Luis)"."""
    return ", ".join(
        f"{seat} ({names[seat - 1]})" if len(names) >= seat else str(seat) for seat in seats
    )


def _points_impossible(values: dict[str, Any], names: Sequence[str]) -> str:
    if seats := values.get("seats", ()):
        return str(SEATS_WRONG) % {"seats": seats_named(seats, names)}
    sums = sorted({sum(points) for points in values.get("expected", ())}, reverse=True)
    if not sums:
        return _("No outcome of a deal gives this.")
    possible = ", ".join(str(one) for one in sums)
    return str(SUM_WRONG) % {"sum": sum(values.get("found", ())), "sums": possible}


def _gold_cards(values: dict[str, Any], names: Sequence[str]) -> str:
    pairs = zip(values["found"], values["expected"], strict=True)
    wrong = [
        _("%(seat)s: %(found)d instead of %(expected)d")
        % {"seat": seats_named([seat], names), "found": found, "expected": expected}
        for seat, (found, expected) in enumerate(pairs, 1)
        if found != expected
    ]
    return _("The number of gold cards is not right at seat %(seats)s.") % {
        "seats": "; ".join(wrong)
    }


def _of_editions(values: dict[str, Any], names: Sequence[str]) -> dict[str, Callable[[], str]]:
    """What the rules of the editions that clubs play say, by code."""
    return {
        "malformed": lambda: _("This deal can't be read."),
        "role_unknown": lambda: _("Choose a role."),
        "gold_cards": lambda: _gold_cards(values, names),
        "gold_value": lambda: (
            _("Gold can't be below 0.")
            if values["value"] < 0
            else _("There is no gold card of %(value)d.") % values
        ),
        "gold_box": lambda: (
            _(
                "The box has %(expected)d gold cards of %(value)d, and with the other deals these "
                "are %(found)d, or too few are left to pay the saboteurs."
            )
            % values
        ),
        "gold_sum": lambda: (
            _("The box has %(expected)d nuggets, and with the other deals these are %(found)d.")
            % values
        ),
        "gold_without_connector": lambda: _("Gold was taken, although nobody reached it."),
        "door_unknown": lambda: _("A door is blue or green, each once."),
        "doors_without_gold": lambda: _("A door counts only where the gold was reached."),
        "crystals_negative": lambda: _("There can't be fewer than 0 crystals."),
        "jailed_not_at_table": lambda: _("Whoever is in jail must be a player at this table."),
        "thief_self": lambda: (
            _("Nobody robs themselves: seat %(seat)s.")
            % {"seat": seats_named([values["seat"]], names)}
        ),
        "thief_not_at_table": lambda: _("Thieves and the robbed must be players at this table."),
    }


def in_words(refusal: Refusal, names: Sequence[str] = ()) -> Refused:
    """`scoring`'s code and values in words. `names` are the players in sitting order."""
    values: dict[str, Any] = dict(refusal.values)
    named = values.get("seats", ())
    seats = tuple(named) if isinstance(named, tuple | list) else ()
    messages: dict[str, Callable[[], str]] = {
        **_of_editions(values, names),
        "role_counts": lambda: _role_counts(values, names),
        "connector_not_at_table": lambda: _(
            "Whoever reached the gold must be a player at this table, or nobody."
        ),
        "table_size": lambda: (
            _("The rules of this event have no table of %(seats)s players.")
            % {"seats": values.get("seats", "?")}
        ),
        "points_impossible": lambda: _points_impossible(values, names),
        "too_few_players": lambda: (
            ngettext(
                "A round needs at least %(least)d player who is checked in.",
                "A round needs at least %(least)d players who are checked in.",
                values["least"],
            )
            % values
        ),
        "too_few_tables": lambda: (
            _("There are too few games for that many players: %(most)d a table is the most.")
            % values
        ),
        "ruleset_unknown": lambda: _("This ruleset is not known."),
        "ruleset_change": lambda: (
            _("The change to the ruleset is not valid: %(field)s.")
            % {"field": values.get("field", "")}
        ),
    }
    words = messages.get(refusal.code, lambda: _("The rules do not allow this."))()
    return Refused(words, code=refusal.code, seats=seats)
