"""A box of the game, the tables that play with it, and what was counted."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.forms.fields import SentenceField
from tournament.games import words_of
from tournament.models import Box, Event
from tournament.models.boxes import MOST_TABLES, CheckMoment
from tournament.queries.boxes import notes_of_event, ranges

_RUN = re.compile(r"([0-9]{1,4})(?:\s*[-–—]\s*([0-9]{1,4}))?")


class TableNumbersField(forms.CharField):
    """ "1-4, 7" as the numbers 1, 2, 3, 4, 7."""

    def clean(self, value: Any) -> list[int]:
        numbers: set[int] = set()
        for one in filter(None, re.split(r"[,;]", str(super().clean(value) or ""))):
            found = _RUN.fullmatch(one.strip())
            first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
            if not 1 <= first <= last <= MOST_TABLES:
                raise ValidationError(
                    _("“%(typed)s” is no table and no range of tables: write 1-4, 7.")
                    % {"typed": one.strip()}
                )
            numbers.update(range(first, last + 1))
        return sorted(numbers)


def _line(**attrs: str) -> forms.TextInput:
    return forms.TextInput(attrs={"autocomplete": "off", **attrs})


class BoxForm(forms.Form):
    """`facts()` and `tables` are what the action takes."""

    name = SentenceField(label=gettext_lazy("Name or number"), limit=40, widget=_line())
    tables = TableNumbersField(
        label=gettext_lazy("Tables"),
        required=False,
        max_length=200,
        widget=_line(inputmode="text"),
        help_text=gettext_lazy(
            "In all rounds: “1-4, 7”. A table without a box goes by the settings."
        ),
    )
    edition = SentenceField(
        label=gettext_lazy("Edition of the box"),
        required=False,
        limit=100,
        widget=_line(list="editions"),
    )
    promo_cards = SentenceField(
        label=gettext_lazy("Promo cards in it"), required=False, limit=200, widget=_line()
    )
    dwarf_note = SentenceField(
        label=gettext_lazy("Which cards are the selfish dwarfs"),
        required=False,
        limit=200,
        widget=_line(),
        help_text=gettext_lazy("Stands on the page and the sheet of its tables."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if words_of(event).edition:
            self.fields["dwarf_note"].widget = forms.HiddenInput()  # a tournament's

    def facts(self) -> dict[str, str]:
        return {name: value for name, value in self.cleaned_data.items() if name != "tables"}


def initial_of(box: Box) -> dict[str, str]:
    """What the form shows of a box that there is."""
    facts = ("name", "edition", "promo_cards", "dwarf_note")
    numbers = box.tables.values_list("number", flat=True)
    return {name: getattr(box, name) for name in facts} | {"tables": ranges(numbers)}


def initial_of_new(event: Event) -> dict[str, str]:
    """A new box is as the event's settings say, until somebody says otherwise."""
    notes = notes_of_event(event)
    return {
        "edition": notes.edition,
        "promo_cards": notes.promo_cards,
        "dwarf_note": notes.dwarf_note,
    }


class BoxCheckForm(forms.Form):
    """Of the two buttons, "complete" takes no words."""

    moment = forms.ChoiceField(choices=CheckMoment.choices)
    complete = forms.BooleanField(required=False)
    missing = SentenceField(
        required=False,
        limit=300,
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("complete"):
            data["missing"] = ""
        elif not data.get("missing"):
            raise ValidationError(_("Say what is missing."))
        return data
