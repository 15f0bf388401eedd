"""A deal of an edition from taps: the base game, Saboteur 2, the Duel, a form for each.

Each reads what its page sends into the facts that `scoring` knows, and stores them as one short
text (docs/decisions/deal-facts.md). What was tapped stays, so that a refused save loses nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.editions.edition import Edition, EditionDeal
from scoring.editions.saboteur_2 import COLOURS
from tournament.actions.scoresheets import DealEntry
from tournament.forms.fields import VersionField
from tournament.forms.scoresheets import NOBODY, SeatAtTable
from tournament.queries.edition_deals import MOST_GOLD

MOST_CRYSTALS = 20
THIEVES = 6  # lines for them; the box has fewer cards


@dataclass(frozen=True, slots=True)
class EditionRow:
    """One seat on the page of a deal, as it was tapped. `gold`: card values, of the Duel a sum."""

    seat: SeatAtTable
    role: str
    gold: str
    jailed: bool
    error: str
    picked: bool
    lost: bool


class EditionDealForm(forms.Form):
    """What the forms of all editions share."""

    version = VersionField()
    roles: ClassVar[bool] = True

    def __init__(
        self, *args: Any, edition: Edition, seats: Sequence[SeatAtTable], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.edition, self.seats = edition, seats
        self.marked: dict[int, str] = {}
        if self.roles:
            self._add_roles()

    def _add_roles(self) -> None:
        positions = [str(seat.position) for seat in self.seats]
        self.fields["connector"] = forms.ChoiceField(
            choices=[(one, one) for one in (*positions, NOBODY)],
            error_messages={
                "required": gettext_lazy("Say who reached the gold, or that nobody did."),
                "invalid_choice": gettext_lazy(
                    "Whoever reached the gold must be a player at this table, or nobody."
                ),
            },
        )
        known = [(role, role) for role in self.edition.letters]
        for position in positions:
            self.fields[f"role-{position}"] = forms.ChoiceField(
                choices=known,
                error_messages={
                    "required": gettext_lazy("Choose a role."),
                    "invalid_choice": gettext_lazy("Choose a role."),
                },
            )

    # --- As the page shows it -----------------------------------------------------------------

    @staticmethod
    def initial_of(facts: Any) -> dict[str, object]:
        """A stored deal as the form opens with it."""
        return {
            "connector": str(facts.connector or NOBODY),
            **{f"role-{seat}": role for seat, role in enumerate(facts.roles, 1)},
        }

    @property
    def problem(self) -> str:
        """What is wrong, in one sentence: the gold first, then the seats, then the rules."""
        if not self.is_bound or self.is_valid():
            return ""
        for name in ("connector", "__all__", "crystals", "doors", "jailed"):
            if name in self.errors:
                return str(self.errors[name][0])
        return _("Something is missing at the seats that are marked.")

    def mark_seats(self, seats: Collection[int]) -> None:
        """Point at the seats that a refusal is about."""
        self.marked |= dict.fromkeys(seats, _("Look at this seat."))

    def rows(self, *, lost: Collection[int]) -> list[EditionRow]:
        """The seats as the page shows them; `lost`: where a penalty takes the deal."""
        connector, jailed = self._typed("connector"), self._jailed()
        return [
            EditionRow(
                seat,
                role=self._typed(f"role-{seat.position}"),
                gold=self._typed(f"gold-{seat.position}"),
                jailed=str(seat.position) in jailed,
                error=self._error(seat.position),
                picked=connector == str(seat.position),
                lost=seat.position in lost,
            )
            for seat in self.seats
        ]

    @property
    def nobody(self) -> bool:
        return self._typed("connector") == NOBODY

    def _typed(self, name: str) -> str:
        value = self[name].value() if name in self.fields else ""
        return "" if value is None else str(value)

    def _jailed(self) -> Collection[str]:
        return [*map(str, self["jailed"].value() or ())] if "jailed" in self.fields else ()

    def _error(self, position: int) -> str:
        for name in (f"role-{position}", f"gold-{position}"):
            if self.is_bound and name in self.fields and self[name].errors:
                return str(self[name].errors[0])
        return self.marked.get(position, "")

    # --- As it is saved -----------------------------------------------------------------------

    def entry(self) -> DealEntry:
        given = self.given()
        facts = self.edition.read(given, self.edition.read_size(given))
        return DealEntry(facts=self.edition.write_text(facts))

    def given(self) -> dict[str, Any]:
        """The deal as `scoring` reads it."""
        connector = self.cleaned_data["connector"]
        return {
            "roles": [self.cleaned_data[f"role-{seat.position}"] for seat in self.seats],
            "connector": None if connector == NOBODY else int(connector),
        }


class BaseDealForm(EditionDealForm):
    """Who reached the gold, who was a saboteur, and the gold cards of each miner as digits."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for seat in self.seats:
            # The cards that are left are miners': nobody has to mark them.
            self.fields[f"role-{seat.position}"].initial = "miner"
            self.fields[f"gold-{seat.position}"] = forms.RegexField(
                r"\A[\d\s,+]{0,30}\Z",
                required=False,
                error_messages={
                    "invalid": gettext_lazy(
                        "Write the cards one after the other: 1 3 for a 1 and a 3."
                    )
                },
            )

    @staticmethod
    def initial_of(facts: Any) -> dict[str, object]:
        cards = {
            f"gold-{seat}": "".join(map(str, taken)) for seat, taken in enumerate(facts.gold, 1)
        }
        return EditionDealForm.initial_of(facts) | cards

    def given(self) -> dict[str, Any]:
        found = super().given()
        if found["connector"] is None:
            return found  # what was tapped before nobody had reached it
        gold = [self.cleaned_data[f"gold-{seat.position}"] for seat in self.seats]
        return found | {"gold": [[int(one) for one in text if one.isdecimal()] for text in gold]}


class DwarfDealForm(EditionDealForm):
    """Who reached the gold, the dwarf of each seat, and what else can matter at the end."""

    doors = forms.MultipleChoiceField(choices=[(one, one) for one in COLOURS], required=False)
    crystals = forms.IntegerField(
        min_value=0,
        max_value=MOST_CRYSTALS,
        required=False,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"),
            gettext_lazy("Crystals are a whole number from 0 to 20."),
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = [(str(seat.position), str(seat.position)) for seat in self.seats]
        self.fields["jailed"] = forms.MultipleChoiceField(choices=seats, required=False)
        for line in range(1, THIEVES + 1):
            for name in ("thief", "victim"):
                self.fields[f"{name}-{line}"] = forms.ChoiceField(
                    choices=[("", "–"), *seats], required=False
                )

    @staticmethod
    def initial_of(facts: Any) -> dict[str, object]:
        found = EditionDealForm.initial_of(facts) | {
            "doors": [*facts.doors],
            "crystals": facts.crystals or "",
            "jailed": [*map(str, facts.jailed)],
        }
        for line, (thief, victim) in enumerate(facts.thieves[:THIEVES], 1):
            found |= {f"thief-{line}": thief, f"victim-{line}": victim}
        return found

    @property
    def thief_lines(self) -> list[tuple[int, str, str]]:
        return [
            (line, self._typed(f"thief-{line}"), self._typed(f"victim-{line}"))
            for line in range(1, THIEVES + 1)
        ]

    @property
    def any_thief(self) -> bool:
        return any(thief or victim for _line, thief, victim in self.thief_lines)

    @property
    def any_jailed(self) -> bool:
        return bool(self._jailed())

    @property
    def typed_doors(self) -> list[str]:
        return [*map(str, self["doors"].value() or ())]

    @property
    def typed_crystals(self) -> str:
        return self._typed("crystals")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for line in range(1, THIEVES + 1):
            if bool(data.get(f"thief-{line}")) != bool(data.get(f"victim-{line}")):
                self.add_error(None, _("Say of each thief who was robbed."))
                break
        return data

    def given(self) -> dict[str, Any]:
        data = self.cleaned_data
        pairs = [(data[f"thief-{line}"], data[f"victim-{line}"]) for line in range(1, THIEVES + 1)]
        found = super().given()
        return found | {
            # Asked only where the gold was reached; what was ticked before does not count.
            "doors": data["doors"] if found["connector"] is not None else [],
            "crystals": data["crystals"] or 0 if "geologist" in found["roles"] else 0,
            "jailed": [int(seat) for seat in data["jailed"]],
            "thieves": [{"thief": int(one), "victim": int(two)} for one, two in pairs if one],
        }


class DuelDealForm(EditionDealForm):
    """The gold of each."""

    roles = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for seat in self.seats:
            self.fields[f"gold-{seat.position}"] = forms.IntegerField(
                min_value=0,
                max_value=MOST_GOLD,
                error_messages={
                    "required": gettext_lazy("How much gold?"),
                    "invalid": gettext_lazy("How much gold?"),
                },
            )

    @staticmethod
    def initial_of(facts: Any) -> dict[str, object]:
        return {f"gold-{seat}": gold for seat, gold in enumerate(facts.gold, 1)}

    def given(self) -> dict[str, Any]:
        return {"gold": [self.cleaned_data[f"gold-{seat.position}"] for seat in self.seats]}


_FORMS: Mapping[str, type[EditionDealForm]] = {
    "base-classic": BaseDealForm,
    "base-new": BaseDealForm,
    "saboteur-2": DwarfDealForm,
    "duel": DuelDealForm,
}


def edition_form(
    edition: Edition,
    seats: Sequence[SeatAtTable],
    data: Any = None,
    stored: EditionDeal | None = None,
    version: int = 0,
) -> EditionDealForm:
    """The form of this edition: bound to `data`, or as it opens with a stored deal."""
    kind = _FORMS[edition.key]
    initial: dict[str, object] = {"version": version}
    if stored is not None and stored.facts is not None:
        initial |= kind.initial_of(stored.facts)
    return kind(data, edition=edition, seats=seats, initial=initial)
