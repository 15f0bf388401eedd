"""A paper sheet as typed points."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.forms.fields import SentenceField, VersionField

NO_POINTS = gettext_lazy("Points are %(values)s.")


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
    def seen(self) -> int:
        """The version of the sheet that was on the screen."""
        return int(VersionField().clean(self["version"].value()))

    @property
    def is_signed(self) -> bool:
        return bool(self["signed"].value())

    @property
    def typed_reason(self) -> str:
        return str(self["reason"].value() or "")
