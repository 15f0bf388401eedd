"""What an organiser chooses before a draw."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

MOST_GAMES = 1000
_GAMES_WRONG = _("Games at hand: a number from 1 to 1000, or nothing.")


class DrawForm(forms.Form):
    """`games`: how many there are, None for as many as needed; `sizes`: the tables as one of the
    choices offered ("6-6-5"), empty for the recommended ones."""

    games = forms.IntegerField(
        min_value=1,
        max_value=MOST_GAMES,
        required=False,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _GAMES_WRONG),
    )
    sizes = forms.CharField(required=False)
