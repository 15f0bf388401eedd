"""A deal from taps, and the small forms around a sheet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.roles import Role
from tournament.actions.scoresheets import DealEntry
from tournament.forms.fields import SentenceField, VersionField, parse_int

NOBODY = "none"


class SeatAtTable(Protocol):
    """What a form needs to know of a seat."""

    @property
    def position(self) -> int: ...
    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class RoleChoice:
    """One seat on the page of a deal, as it was tapped."""

    seat: SeatAtTable
    role: str
    error: str
    picked: bool
    lost: bool


class DealForm(forms.Form):
    """Who reached the gold (`connector`: a seat or "none"), and the role of each seat (`role-1` …).
    A seat that is not sent is a miner. What was tapped stays, so that a refused save loses
    nothing."""

    connector = forms.ChoiceField(
        error_messages={
            "required": gettext_lazy("Say who reached the gold, or that nobody did."),
            "invalid_choice": gettext_lazy(
                "Whoever reached the gold must be a player at this table, or nobody."
            ),
        }
    )
    waive_reason = SentenceField(required=False)
    version = VersionField()

    def __init__(self, *args: Any, seats: Sequence[SeatAtTable], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.seats = seats
        self.marked: dict[int, str] = {}
        positions = [str(seat.position) for seat in seats]
        self.fields["connector"].choices = [(one, one) for one in (*positions, NOBODY)]  # type: ignore[attr-defined]
        for seat in seats:
            self.fields[_role_of(seat.position)] = forms.ChoiceField(
                choices=[(role.value, role.value) for role in Role],
                initial=Role.MINER.value,
                required=False,
                error_messages={"invalid_choice": gettext_lazy("Choose a role.")},
            )

    @staticmethod
    def initial_of(roles: Mapping[int, str], connector: int | None) -> dict[str, object]:
        """A stored deal as the form opens with it."""
        return {
            "connector": str(connector) if connector else NOBODY,
            **{_role_of(position): role for position, role in roles.items()},
        }

    @property
    def problem(self) -> str:
        """What is wrong, in one sentence: the gold first, then the roles, then the rules."""
        if not self.is_bound or self.is_valid():
            return ""
        errors = self.errors
        for name in ("connector", "__all__"):
            if name in errors:
                return str(errors[name][0])
        return _("Some seats have no role.")

    def mark_seats(self, seats: Collection[int]) -> None:
        """Point at the seats that a refusal is about."""
        self.marked |= dict.fromkeys(seats, _("Look at this seat."))

    def rows(self, *, lost: Collection[int]) -> list[RoleChoice]:
        """The seats as the page shows them; `lost`: where a penalty takes the deal."""
        connector = str(self["connector"].value() or "")
        return [
            RoleChoice(
                seat,
                role=self._role(seat.position),
                error=self._error(seat.position),
                picked=connector == str(seat.position),
                lost=seat.position in lost,
            )
            for seat in self.seats
        ]

    @property
    def nobody(self) -> bool:
        return bool(self["connector"].value() == NOBODY)

    @property
    def typed_waive_reason(self) -> str:
        return str(self["waive_reason"].value() or "")

    def _role(self, position: int) -> str:
        return str(self[_role_of(position)].value() or Role.MINER.value)

    def _error(self, position: int) -> str:
        errors = self[_role_of(position)].errors if self.is_bound else []
        return str(errors[0]) if errors else self.marked.get(position, "")

    def entry(self) -> DealEntry:
        data = self.cleaned_data
        connector = data["connector"]
        return DealEntry(
            roles=tuple(data[_role_of(one.position)] or Role.MINER.value for one in self.seats),
            connector=None if connector == NOBODY else int(connector),
            waive_reason=data["waive_reason"],
        )


def _role_of(position: int) -> str:
    """The field that holds a seat's role."""
    return f"role-{position}"


class ConfirmForm(forms.Form):
    """Who of the table confirms (or takes the sheet back), what was read, and whether the paper
    carries both signatures. Nonsense is nobody, and a version that nobody has seen."""

    person = forms.CharField(required=False)
    version = VersionField()
    signed = forms.BooleanField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.full_clean()

    @property
    def version_seen(self) -> int:
        return int(self.cleaned_data["version"])

    @property
    def seat(self) -> int:
        return parse_int(self.cleaned_data.get("person"))

    @property
    def is_signed(self) -> bool:
        return bool(self.cleaned_data.get("signed"))


class ReasonForm(forms.Form):
    """One sentence that goes into the log."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200)


class OptionalReasonForm(forms.Form):
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200, required=False)


class VoidForm(ReasonForm):
    version = VersionField(widget=forms.HiddenInput)
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
