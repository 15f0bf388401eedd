"""The clock as it is set: a time of day on the event's own clock, minutes, a table."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import SentenceField
from tournament.models import Event, Round, Table

LATEST = timedelta(minutes=30)  # ago: a start that was announced aloud
FARTHEST = timedelta(hours=12)  # ahead: what is farther was a time that is past


class TimeOfDayField(forms.TimeField):
    """ "12:30" as the clocks of the venue show it."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))
        super().__init__(input_formats=["%H:%M", "%H:%M:%S"], **kwargs)


def moment_of(event: Event, at: time, now: datetime, *, ahead: bool) -> datetime:
    """The instant near now at which clocks in the event's zone show this time: the nearest one, or
    the next (`ahead`). Raises ValidationError for a time that clocks skip, or that is past."""
    today = event.local(now).date()
    # An hour that comes twice has two instants; of every other one both folds are the same.
    shown = [
        datetime.combine(today + timedelta(days=more), at, event.zone).replace(fold=fold)
        for more in (-1, 0, 1)
        for fold in (0, 1)
    ]
    instants = [one.astimezone(UTC) for one in shown]
    near = [one for one in instants if one > now or not ahead]
    moment = min(near, key=lambda one: abs(one - now)).astimezone(event.zone)
    if moment.time() != at:
        raise ValidationError(_("Clocks skip this hour: summer time begins."))
    if ahead and moment > now + FARTHEST:
        raise ValidationError(_("This time is past."))
    return moment


class _EventForm(forms.Form):
    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event


class StartForm(_EventForm):
    """Without a time: now, but for the form that announces one (`announce`). A clock that runs
    begins anew only if that is said: everybody would lose what they have played."""

    at = TimeOfDayField(label=_("Starts at"), required=False)
    announce = forms.BooleanField(required=False, initial=True, widget=forms.HiddenInput)
    anew = forms.BooleanField(
        label=_("Begin anew: everybody gets the full time again"), required=False
    )

    def __init__(self, *args: Any, begun: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not begun:
            del self.fields["anew"]

    def clean_at(self) -> datetime | None:
        at, now = self.cleaned_data["at"], timezone.now()
        moment = moment_of(self.event, at, now, ahead=False) if at else None
        if moment is not None and moment < now - LATEST:
            raise ValidationError(_("This time is past."))
        return moment

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("announce") and not data.get("at") and "at" not in self.errors:
            self.add_error("at", _("When does it start?"))
        # Of the one button that starts it, the action knows whether it was seen running.
        if data.get("announce") and "anew" in self.fields and not data.get("anew"):
            self.add_error("anew", _("The clock has started already."))
        return data


class AddTimeForm(forms.Form):
    minutes = forms.IntegerField(label=_("Minutes"), min_value=-120, max_value=240)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "add_%s")
        super().__init__(*args, **kwargs)

    def clean_minutes(self) -> int:
        minutes: int = self.cleaned_data["minutes"]
        if not minutes:
            raise ValidationError(_("How many minutes?"))
        return minutes


class TableTimeForm(forms.Form):
    """Extra minutes for a table of the round, or with `stop` its clock stands still."""

    table = forms.ModelChoiceField(
        label=_("Table"), queryset=Table.objects.none(), to_field_name="number"
    )
    minutes = forms.IntegerField(
        label=_("Minutes"), min_value=-120, max_value=240, required=False, initial=5
    )
    reason = SentenceField(label=_("Reason"), required=False)
    stop = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, round_: Round | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if round_ is not None:
            tables = round_.tables.select_related("round__event", "sheet").order_by("number")
            self.fields["table"].queryset = tables  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("stop"):
            self.errors.pop("minutes", None)  # nobody asks for them
        elif not data.get("minutes") and "minutes" not in self.errors:
            self.add_error("minutes", _("How many minutes?"))
        return data


class BreakForm(_EventForm):
    """`stop`: the round's clock stands still, where one runs."""

    until = TimeOfDayField(label=_("Until"))
    text = SentenceField(
        label=_("What for"),
        required=False,
        limit=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_(
            "“Lunch”: up to 60 letters. Every screen and ticket shows it, and counts down."
        ),
    )
    stop = forms.BooleanField(
        label=_("The clock of the round stands still"), required=False, initial=True
    )

    def __init__(self, *args: Any, runs: bool, **kwargs: Any) -> None:
        # Beside the other forms of the page, whose fields have the same names.
        kwargs.setdefault("auto_id", "break_%s")
        super().__init__(*args, **kwargs)
        if not runs:
            del self.fields["stop"]

    def clean_until(self) -> datetime:
        return moment_of(self.event, self.cleaned_data["until"], timezone.now(), ahead=True)
