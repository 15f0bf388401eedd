"""A person erased from an event."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournament.forms.fields import SentenceField


class EraseForm(forms.Form):
    reason = SentenceField(
        label=_("Reason"),
        limit=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_(
            "It stands in the log: at whose wish, and how you know it is them. Write it without "
            "names and addresses: those of this person are taken out of it."
        ),
    )
    photos = forms.BooleanField(required=False)

    def __init__(self, *args: Any, photos: int, **kwargs: Any) -> None:
        """`photos`: how many there are of sheets of their tables."""
        super().__init__(*args, **kwargs)
        if not photos:
            del self.fields["photos"]
            return
        words = ngettext(
            "Delete the photo of their table's signed sheet, too",
            "Delete the %(count)d photos of their tables' signed sheets, too",
            photos,
        )
        self.fields["photos"].label = words % {"count": photos}
        self.fields["photos"].help_text = _(
            "They show signatures, of the others at the table as well, and prove what was signed. "
            "Delete them if the person asks for it."
        )
