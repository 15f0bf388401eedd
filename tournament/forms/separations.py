"""Two people who are to be kept apart, as somebody names them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournament.forms.fields import SentenceField
from tournament.models import Event, Player
from tournament.queries.players import search_players


class PlayerField(forms.CharField):
    """A player of the event by a start number, alone or before the name, or by a name that only
    one player has."""

    event: Event

    def clean(self, value: Any) -> Player:
        typed = super().clean(value)
        number, _sep, _rest = typed.partition(" ")
        # As a number it is nobody's name, whatever people call themselves.
        found = search_players(self.event, f"#{number}" if number.isdecimal() else typed)[:2]
        if not found:
            raise ValidationError(_("Nobody here is “%(typed)s”.") % {"typed": typed})
        if len(found) > 1:
            raise ValidationError(
                _("“%(typed)s” could be several people: write the start number.") % {"typed": typed}
            )
        return found[0]


class SeparationForm(forms.Form):
    first = PlayerField()
    second = PlayerField()
    reason = SentenceField(required=False)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            self.fields[name].event = event  # type: ignore[attr-defined]
