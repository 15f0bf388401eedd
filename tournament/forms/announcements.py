"""A message to many players."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournament.forms.fields import LinesField, SentenceField
from tournament.models import Event
from tournament.models.announcements import Announcement, Audience
from tournament.queries.announcements import audience_sizes

MOST_LETTERS = Announcement._meta.get_field("text").max_length


class AnnouncementForm(forms.Form):
    """Each audience says how many people it is, and how many of them a mail reaches."""

    audience = forms.ChoiceField(
        label=_("To whom"), widget=forms.RadioSelect, initial=Audience.EXPECTED
    )
    subject = SentenceField(
        label=_("Subject"),
        required=False,
        limit=100,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    text = LinesField(
        label=_("Message"),
        max_length=MOST_LETTERS,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("As you write it, in whatever language: up to 600 characters."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sizes = audience_sizes(event)
        self.fields["audience"].choices = [  # type: ignore[attr-defined]
            (value, f"{label} ({_size(*sizes[value])})") for value, label in Audience.choices
        ]


def _size(people: int, mailable: int) -> str:
    words = ngettext("%(people)d player", "%(people)d players", people)
    mails = ngettext("%(mailable)d with an e-mail", "%(mailable)d with an e-mail", mailable)
    return f"{words}, {mails}" % {"people": people, "mailable": mailable}
