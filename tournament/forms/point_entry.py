"""A paper sheet as typed points."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.forms.fields import SentenceField, VersionField

NO_POINTS = gettext_lazy("Points are %(values)s.")
MOST_SUM = 999


@dataclass(frozen=True, slots=True)
class SumBox:
    """Where the sum of a seat is typed as it stands on the paper."""

    name: str
    seat: int
    value: str
    error: str


class PointsForm(forms.Form):
    """A field `p-<deal>-<seat>` for each box of the sheet; `payable`: what a deal can give a seat.
    Empty boxes count 0, empty columns stay as they are."""

    version = VersionField()
    reason = SentenceField(required=False)
    signed = forms.BooleanField(required=False)

    def __init__(
        self, *args: Any, seats: int, deals: int, payable: Collection[int], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.seats, self.deals = range(1, seats + 1), range(1, deals + 1)
        self.digits = {str(value) for value in payable}
        for deal in self.deals:
            for seat in self.seats:
                self.fields[self.cell_name(deal, seat)] = forms.CharField(
                    required=False, validators=[self._check_points]
                )

    @staticmethod
    def cell_name(deal: int, seat: int) -> str:
        return f"p-{deal}-{seat}"

    def _check_points(self, text: str) -> None:
        if text not in self.digits:
            values = ", ".join(sorted(self.digits))
            raise ValidationError(NO_POINTS % {"values": values})

    def typed(self, deal: int, seat: int) -> str:
        """What stands in a box, as it was typed."""
        return str(self[self.cell_name(deal, seat)].value() or "").strip()[:4]

    def error(self, deal: int, seat: int) -> str:
        errors = self[self.cell_name(deal, seat)].errors if self.is_bound else []
        return str(errors[0]) if errors else ""

    def mark_seats(self, deal: int, seats: Collection[int], message: str) -> None:
        """Point at the boxes that a refusal is about: at the whole deal if it names none."""
        for seat in seats or self.seats:
            self.add_error(self.cell_name(deal, seat), message)

    def columns(self) -> list[list[int] | None]:
        """Per deal the points in sitting order; None where nothing is typed."""
        columns = []
        for deal in self.deals:
            texts = [self.cleaned_data[self.cell_name(deal, seat)] for seat in self.seats]
            columns.append([int(text or 0) for text in texts] if any(texts) else None)
        return columns

    def problems(self, names: Sequence[str]) -> list[str]:
        """What is wrong with single boxes, in words that name the place."""
        return [
            _("Deal %(deal)d, seat %(seat)d (%(name)s): %(why)s")
            % {"deal": deal, "seat": seat, "name": names[seat - 1], "why": why}
            for deal in self.deals
            for seat in self.seats
            if (why := self.error(deal, seat))
        ]

    @property
    def sums(self) -> list[SumBox]:
        """A sheet whose points the rules check needs no boxes for its sums."""
        return []

    @property
    def seen(self) -> int:
        """The version of the sheet that was on the screen."""
        return int(VersionField().clean(self["version"].value()))

    @property
    def is_signed(self) -> bool:
        return bool(self["signed"].value())

    @property
    def typed_reason(self) -> str:
        return str(self["reason"].value() or "")


class EditionPointsForm(PointsForm):
    """The same for an edition, whose rules leave more open: what a seat can get is a range, and the
    sum that stands on the paper can be typed, to be checked against the deals. `stands`: what each
    seat has of the deals on the sheet, deal by deal."""

    def __init__(self, *args: Any, stands: Sequence[Sequence[int | None]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stands = stands
        for seat in self.seats:
            self.fields[f"t-{seat}"] = forms.IntegerField(
                required=False,
                min_value=-MOST_SUM,
                max_value=MOST_SUM,
                error_messages={"invalid": gettext_lazy("A sum is a whole number.")},
            )

    def _check_points(self, text: str) -> None:
        if text not in self.digits:
            values = sorted(map(int, self.digits))
            raise ValidationError(
                _("From %(least)d to %(most)d.") % {"least": values[0], "most": values[-1]}
            )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.errors:
            return data
        columns = self.columns()
        for seat in self.seats:
            told = data.get(f"t-{seat}")
            # An empty column leaves what stands on the sheet.
            deals = (
                column[seat - 1] if column is not None else self.stands[place][seat - 1] or 0
                for place, column in enumerate(columns)
            )
            if told is not None and told != (total := sum(deals)):
                words = _("The deals of seat %(seat)d add up to %(sum)d, not to %(told)d.")
                self.add_error(f"t-{seat}", words % {"seat": seat, "sum": total, "told": told})
        return data

    @property
    def sums(self) -> list[SumBox]:
        return [
            SumBox(
                f"t-{seat}",
                seat,
                str(self[f"t-{seat}"].value() or "").strip()[:5],
                str(self[f"t-{seat}"].errors[0])
                if self.is_bound and self[f"t-{seat}"].errors
                else "",
            )
            for seat in self.seats
        ]

    def problems(self, names: Sequence[str]) -> list[str]:
        return [*super().problems(names), *(box.error for box in self.sums if box.error)]
