"""A lot as it was drawn, and the seats that finalists chose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import SentenceField, parse_int
from tournament.models import Player
from tournament.rulebook import player_id


class DrawnOrderField(forms.CharField):
    """Start numbers in the order drawn, separated by anything, as `scoring` names them."""

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        text = super().to_python(value) or ""
        digits = "".join(
            letter if letter.isascii() and letter.isdigit() else " " for letter in text
        )
        # What is longer than any start number stays, as one that nobody has.
        return [player_id(int(number.lstrip("0")[:8] or 0)) for number in digits.split()]


class PaperLotForm(forms.Form):
    """An order that was drawn on paper among these players, and who drew it how."""

    order = DrawnOrderField(
        label=_("Start numbers in the order drawn"),
        help_text=_("All who are level, the first drawn first: 12, 7, 31"),
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    note = SentenceField(label=_("Who drew it, and how"))

    def __init__(self, data: Any = None, *, players: Sequence[str], line: str) -> None:
        """`players`: who is level, as `scoring` names them; `line`: what the lot decides."""
        super().__init__(data, auto_id=f"{line.replace(':', '-')}-%s")
        self.players = players

    def clean_order(self) -> list[str]:
        order: list[str] = self.cleaned_data["order"]
        wrong = [one for one in order if one not in self.players or order.count(one) > 1]
        if wrong:
            raise forms.ValidationError(
                _("%(number)d is not level here, or stands here twice."),
                params={"number": int(wrong[0])},
            )
        missing = [one for one in self.players if one not in order]
        if missing:
            raise forms.ValidationError(
                _("%(number)d is missing: everybody who is level draws."),
                params={"number": int(missing[0])},
            )
        return order


class FinalSeatsForm(forms.Form):
    """A field `seat-<start number>` for each finalist, in order of rank."""

    def __init__(self, *args: Any, finalists: Sequence[Player], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.finalists = finalists
        for player in finalists:
            self.fields[f"seat-{player.number}"] = forms.CharField(required=False)

    def chosen(self) -> dict[int, int]:
        """Start number -> seat; 0 where none was chosen."""
        return {one.number: parse_int(self.seat_of(one)) for one in self.finalists}

    def seat_of(self, player: Player) -> str:
        """What was chosen for this finalist, as it was sent."""
        return str(self[f"seat-{player.number}"].value() or "")

    @property
    def rows(self) -> list[tuple[Player, str]]:
        return [(one, self.seat_of(one)) for one in self.finalists]
