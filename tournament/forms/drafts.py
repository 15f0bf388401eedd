"""What an organiser does to a round's tables by hand."""

from __future__ import annotations

import json
from typing import Any, Literal

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import VersionField, parse_int
from tournament.models import Player, Round, Table

MANY = 20_000  # characters of the tables that a way out may change
MOST_PEOPLE = 5000

type MoveKind = Literal["swap", "table", "out"]


class SeenForm(forms.Form):
    """Every change of a round says which version of it was on the screen; none is not checked."""

    version = VersionField()

    def clean_version(self) -> int | None:
        version: int = self.cleaned_data["version"]
        return version if self.add_prefix("version") in self.data else None


class DraftMoveForm(SeenForm):
    """A tap on a target, or the list: "swap:12" with the player 12, "table:3" to table 3, "out"."""

    default_error = _("Choose where the person goes.")

    player = forms.CharField(required=False)
    target = forms.CharField(required=False)
    to = forms.CharField(required=False)

    def __init__(self, *args: Any, round_: Round, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.round = round_

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        kind, _sep, value = (data.get("target") or data.get("to") or "").partition(":")
        players = self.round.event.players
        data["player"] = players.filter(number=parse_int(data.get("player"))).first()
        if data["player"] is None or kind not in ("swap", "table", "out"):
            raise ValidationError(self.default_error)
        data["other"] = players.filter(number=parse_int(value)).first() if kind == "swap" else None
        tables = self.round.tables.filter(number=parse_int(value))
        data["table"] = tables.first() if kind == "table" else None
        if (kind == "swap" and not data["other"]) or (kind == "table" and not data["table"]):
            raise ValidationError(self.default_error)
        return data

    @property
    def player_moved(self) -> Player:
        player: Player = self.cleaned_data["player"]
        return player

    @property
    def other(self) -> Player | None:
        """Who changes places with them."""
        other: Player | None = self.cleaned_data["other"]
        return other

    @property
    def table(self) -> Table | None:
        """Where they go; None for nowhere."""
        table: Table | None = self.cleaned_data["table"]
        return table


class NumbersField(forms.MultipleChoiceField):
    """Start numbers that were ticked; what is no number is left out."""

    def valid_value(self, value: str) -> bool:
        return True

    def clean(self, value: Any) -> list[int]:
        return [number for raw in (value or [])[:MOST_PEOPLE] if (number := parse_int(raw))]


class AbsencesForm(forms.Form):
    """Who is missing and who has come, by start number; `see`: what follows is to be shown."""

    missing = NumbersField(required=False)
    late = NumbersField(required=False)
    see = forms.BooleanField(required=False)


class RepairForm(SeenForm):
    """The way out that was picked: `seats` holds the tables that change as JSON, number -> start
    numbers."""

    seats = forms.CharField()
    missing = NumbersField(required=False)

    default_error = _("Pick one of the ways out.")

    def clean_seats(self) -> dict[int, list[int]]:
        try:
            found: Any = json.loads(self.cleaned_data["seats"][:MANY])
            return {int(n): [int(number) for number in table] for n, table in found.items()}
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise ValidationError(self.default_error) from error
