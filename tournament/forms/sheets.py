"""Reading a deal from taps, a sheet from typed points, and the small forms around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.roles import Role
from tournament.actions.sheets import DealEntry
from tournament.forms.fields import printable

NOBODY = "none"


@dataclass(slots=True)
class DealInput:
    """What the entry page sent: kept as typed, so that a refused save loses nothing."""

    connector: str = ""
    roles: dict[int, str] = field(default_factory=dict)
    waive_reason: str = ""
    version: int = 0
    key: str = ""
    errors: dict[int, str] = field(default_factory=dict)
    problem: str = ""

    def entry(self, seats: int) -> DealEntry | None:
        """The deal, or None with `problem` saying what is missing."""
        positions = range(1, seats + 1)
        if self.connector == "":
            self.problem = _("Say who reached the gold, or that nobody did.")
            return None
        if self.connector != NOBODY and self.connector not in {str(one) for one in positions}:
            self.problem = _("Whoever reached the gold must be a player at this table, or nobody.")
            return None
        for position in positions:
            if self.roles.get(position) not in set(Role):
                self.errors[position] = _("Choose a role.")
        if self.errors:
            self.problem = _("Some seats have no role.")
            return None
        return DealEntry(
            roles=tuple(self.roles[position] for position in positions),
            connector=None if self.connector == NOBODY else int(self.connector),
            waive_reason=self.waive_reason,
        )


def whole(text: str | None, default: int = 0) -> int:
    """A number a browser sent; anything else is the default."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else default


def wholes(text: str | None) -> list[int]:
    """The numbers from 1 on of a list like "3,5" that a browser sent; what is none is left out."""
    return [number for one in (text or "").split(",") if (number := whole(one))]


def read_deal(post: Mapping[str, str], seats: int) -> DealInput:
    return DealInput(
        connector=post.get("connector", ""),
        roles={
            position: post.get(f"role-{position}", Role.MINER.value)
            for position in range(1, seats + 1)
        },
        waive_reason=printable(post.get("waive_reason", ""))[:200],
        version=whole(post.get("version"), -1),
    )


class ReasonForm(forms.Form):
    """One sentence that goes into the log."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200)


class OptionalReasonForm(forms.Form):
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200, required=False)


class VoidForm(ReasonForm):
    replay = forms.TypedChoiceField(
        label=gettext_lazy("What happens to it"),
        coerce=lambda value: value == "replay",
        choices=[
            ("counts", gettext_lazy("It counts as played, with nothing for anybody")),
            ("replay", gettext_lazy("It is played again; this line is taken out")),
        ],
        widget=forms.RadioSelect,
        initial="counts",
    )


def paper_order(text: str) -> list[str]:
    """Start numbers in the order drawn, separated by anything, as `scoring` names them."""
    numbers = "".join(
        letter if letter.isascii() and letter.isdigit() else " " for letter in text
    ).split()
    return [f"{int(number):04d}" for number in numbers if len(number) < 8]
