"""A ruling: what was asked, and what was decided."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import LinesField, SentenceField
from tournament.models import Ruling


class RulingForm(forms.Form):
    question = SentenceField(
        label=_("Question"),
        limit=300,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("As a table would ask it, without anybody's name."),
    )
    decision = LinesField(
        label=_("Decision"),
        max_length=Ruling._meta.get_field("decision").max_length,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("What holds from now on at every table: up to 600 characters."),
    )
