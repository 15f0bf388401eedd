"""A lot as it was drawn, and the seats that finalists chose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

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
        return [player_id(int(number)) for number in digits.split() if len(number) < 8]


class LotForm(forms.Form):
    """By our lot; or, with `paper`, by an order that was drawn on paper, and who drew it how."""

    paper = forms.CharField(required=False)
    order = DrawnOrderField(required=False)
    note = SentenceField(required=False)

    def drawn(self) -> dict[str, Any]:
        """For the actions that settle a tie: no order means our own lot."""
        self.full_clean()
        data = self.cleaned_data
        order = data["order"] if "paper" in self.data else None
        return {"paper_order": order, "paper_note": data["note"]}


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
