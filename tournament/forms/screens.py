"""Screens in the hall: their names, what they show, what is written on them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.forms.clocks import TimeOfDayField, moment_of
from tournament.forms.fields import SentenceField, VersionField
from tournament.models import Event, Screen
from tournament.models.screens import MOST_SHARES, View

SHARES = [(1, 1), *((n, of) for of in range(2, MOST_SHARES + 1) for n in range(1, of + 1))]


def _line() -> forms.TextInput:
    return forms.TextInput(attrs={"autocomplete": "off"})


class AddScreenForm(forms.Form):
    name = SentenceField(
        label=gettext_lazy("Name"),
        limit=40,
        widget=_line(),
        help_text=gettext_lazy("Where it hangs: “Entrance”, “Beside the stage”."),
    )


class SteerForm(forms.Form):
    """`shows`: a view; `through`: the round at whose end standings stand."""

    shows = forms.ChoiceField(choices=View.choices)
    through = forms.IntegerField(required=False, min_value=1, max_value=12)
    version = VersionField()


class ThroughForm(forms.Form):
    """Standings as they were: for suspense."""

    through = forms.TypedChoiceField(
        label=gettext_lazy("Standings"), required=False, coerce=int, empty_value=None
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        closed = event.rounds.preliminary().closed().values_list("number", flat=True)
        self.fields["through"].choices = [  # type: ignore[attr-defined]
            ("", _("as everybody sees them")),
            *(
                (number, _("as of the end of round %(round)d") % {"round": number})
                for number in sorted(closed)
            ),
        ]


class SayForm(forms.Form):
    """A message on one screen or on all of them; with a time it counts down, and goes."""

    text = SentenceField(
        label=gettext_lazy("Message"),
        limit=120,
        widget=_line(),
        help_text=gettext_lazy("“Lunch”: up to 120 letters. It stands over everything."),
    )
    until = TimeOfDayField(
        label=gettext_lazy("Counts down to"),
        required=False,
        help_text=gettext_lazy("Then it goes by itself. Without a time it stays."),
    )
    screen = forms.ModelChoiceField(
        label=gettext_lazy("Where"),
        queryset=Screen.objects.none(),
        required=False,
        empty_label=gettext_lazy("On all screens"),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        self.fields["screen"].queryset = event.screens.in_use()  # type: ignore[attr-defined]

    def clean_until(self) -> datetime | None:
        at = self.cleaned_data["until"]
        return moment_of(self.event, at, timezone.now(), ahead=True) if at else None


class UnsayForm(forms.Form):
    screen = forms.ModelChoiceField(queryset=Screen.objects.none(), required=False)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["screen"].queryset = event.screens.in_use()  # type: ignore[attr-defined]


class ChangeScreenForm(forms.Form):
    """`part`: "2/3" is the second of three parts of the names."""

    name = SentenceField(label=gettext_lazy("Name"), limit=40, widget=_line())
    part = forms.ChoiceField(
        label=gettext_lazy("Names that it shows"),
        help_text=gettext_lazy(
            "With many players: let several screens share them, and the letters are larger."
        ),
    )

    def __init__(self, data: Any = None, *, screen: Screen) -> None:
        initial = {"name": screen.name, "part": f"{screen.share}/{screen.shares}"}
        super().__init__(data, initial=initial, auto_id=f"id_{screen.pk}_%s")
        self.fields["part"].choices = [  # type: ignore[attr-defined]
            (f"{share}/{shares}", _share_words(share, shares)) for share, shares in SHARES
        ]

    def clean_part(self) -> tuple[int, int]:
        share, _slash, shares = self.cleaned_data["part"].partition("/")
        if (int(share), int(shares)) not in SHARES:
            raise ValidationError(_("There is no such part."))
        return int(share), int(shares)


def _share_words(share: int, shares: int) -> str:
    if shares == 1:
        return _("all")
    return _("part %(share)d of %(shares)d") % {"share": share, "shares": shares}
