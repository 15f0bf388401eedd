"""A series, its events and its standings, as they are typed."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.seasons import HUNDRED, MOST_POINTS, Rule
from tournament.actions.series import SeriesFacts, TableFacts
from tournament.forms.fields import LinesField, MailAddressField, NameField, SentenceField
from tournament.models import Event, Series, SeriesTable, User
from tournament.models.people import Duty
from tournament.models.series import MOST_WEIGHT, RULE_NAMES
from tournament.queries.series import organised_by

MOST_RESULTS = 500


class SeriesForm(forms.Form):
    name = SentenceField(
        label=_("Name"), limit=100, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    starts_on = forms.DateField(
        label=_("From"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    ends_on = forms.DateField(
        label=_("To"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    parent = forms.ModelChoiceField(
        Series.objects.none(),
        label=_("Part of"),
        required=False,
        empty_label=_("no other series"),
        help_text=_("A series that you organise as well: a country's in the season's."),
    )
    description = LinesField(label=_("Description"), max_length=2000, required=False)
    public = forms.BooleanField(label=_("Everybody sees it"), required=False)

    def __init__(self, *args: Any, user: User, series: Series | None = None, **kwargs: Any) -> None:
        if series is not None:
            kwargs["initial"] = {name: getattr(series, name) for name in self.base_fields}
        super().__init__(*args, **kwargs)
        mine = organised_by(user)
        if series is not None:
            # What it is part of stays to be chosen, whoever organises that.
            mine = (mine | Series.objects.filter(pk=series.parent_id or 0)).exclude(pk=series.pk)
        self.fields["parent"].queryset = mine.distinct()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        first, last = found.get("starts_on"), found.get("ends_on")
        if first is not None and last is not None and last < first:
            self.add_error("ends_on", _("It ends before it begins."))
        return found

    def facts(self) -> SeriesFacts:
        return SeriesFacts(**self.cleaned_data)


class WeightField(forms.DecimalField):
    """How many times an event counts; in hundredths."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            min_value=Decimal("0.01"),
            max_value=Decimal(MOST_WEIGHT) / HUNDRED,
            decimal_places=2,
            label=_("Counts how many times"),
            localize=True,
            **kwargs,
        )

    def clean(self, value: Any) -> Any:
        found = super().clean(value)
        return int(found * HUNDRED) if found is not None else HUNDRED

    def prepare_value(self, value: Any) -> Any:
        return Decimal(value) / HUNDRED if isinstance(value, int) else value


class WeightForm(forms.Form):
    weight = WeightField()


class AddressField(forms.CharField):
    """The address of a page here, or the part of it that names the thing."""

    part = ""

    def to_python(self, value: Any) -> str:
        text = (super().to_python(value) or "").strip()
        try:
            path = urlsplit(text).path
        except ValueError:
            return ""
        parts = [one for one in path.split("/") if one]
        if self.part in parts[:-1]:
            return parts[parts.index(self.part) + 1]
        return parts[-1] if parts else ""


class EventAddressField(AddressField):
    part = "events"


class SeriesAddressField(AddressField):
    part = "series"


class AddEventForm(forms.Form):
    """An event by its address. Whoever organises it sees the question."""

    event = EventAddressField(
        label=_("Address of the event"),
        max_length=300,
        help_text=_("As in the browser: …/events/shop-night/"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    weight = WeightField(initial=HUNDRED)

    def clean_event(self) -> Event:
        found = Event.objects.exclude(status="draft").filter(slug=self.cleaned_data["event"])
        if (event := found.first()) is None:
            raise ValidationError(_("There is no event with this address that is published."))
        return event


class AskSeriesForm(forms.Form):
    """A series by its address. Whoever organises it sees the question."""

    series = SeriesAddressField(
        label=_("Address of the series"),
        max_length=300,
        help_text=_("As in the browser: …/series/league-2027/"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_series(self) -> Series:
        open_to = Series.objects.shown() | organised_by(self.user)
        found = open_to.filter(slug=self.cleaned_data["series"]).distinct().first()
        if found is None:
            raise ValidationError(_("There is no series with this address."))
        return found


class RankBandsField(forms.CharField):
    """Points by rank, written "1: 25, 2: 18, 3-6: 10"; [[1, 1, 25], [2, 2, 18], [3, 6, 10]]. Also
    with semicolons, or one on a line."""

    _BAND = re.compile(r"(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?\s*[:=]\s*(\d{1,6})", re.ASCII)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value) or ""
        parts = [part.strip() for part in re.split(r"[,;\n]", text) if part.strip()]
        found = [self._BAND.fullmatch(part) for part in parts]
        bands = [[int(one[1]), int(one[2] or one[1]), int(one[3])] for one in found if one]
        rising = all(before[1] < after[0] for before, after in pairwise(bands))
        sound = all(1 <= one[0] <= one[1] and one[2] <= MOST_POINTS for one in bands)
        if len(bands) < len(parts) or not rising or not sound:
            raise ValidationError(_("Write it like “1: 25, 2: 18, 3-6: 10”, with rising ranks."))
        return bands

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return ", ".join(
            f"{first}: {points}" if first == last else f"{first}-{last}: {points}"
            for first, last, points in value
        )


class TableForm(forms.Form):
    """Standings by a rule; what belongs to other rules is left as it is typed and not used."""

    name = SentenceField(
        label=_("Name"), limit=60, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    of = forms.ChoiceField(
        label=_("What a result is worth"),
        choices=[(one.value, RULE_NAMES[one]) for one in Rule if one is not Rule.BEST_N],
        widget=forms.RadioSelect,
        initial=Rule.PLACES.value,
    )
    bands = RankBandsField(
        label=_("Points for ranks"),
        required=False,
        help_text=_("Like “1: 25, 2: 18, 3: 15, 4-6: 10”. Only for the first rule."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    best = forms.IntegerField(
        label=_("How many results count"),
        min_value=1,
        max_value=MOST_RESULTS,
        required=False,
        help_text=_("The best ones. Empty: all of them."),
    )
    with_below = forms.BooleanField(
        label=_("The events of the series below count too"), required=False
    )

    def __init__(self, *args: Any, table: SeriesTable | None = None, **kwargs: Any) -> None:
        if table is not None:
            kwargs["initial"] = {
                "name": table.name,
                "of": table.parameters.get("of", table.rule),
                "bands": table.parameters.get("bands", ""),
                "best": table.parameters.get("best"),
                "with_below": table.with_below,
            }
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        places = found.get("of") == Rule.PLACES
        if places and not found.get("bands") and "bands" not in self.errors:
            self.add_error("bands", _("Say which rank brings how many points."))
        return found

    def facts(self) -> TableFacts:
        said = self.cleaned_data
        parameters: dict[str, Any] = {}
        if said["of"] == Rule.PLACES:
            parameters["bands"] = said["bands"]
        rule = said["of"]
        if said["best"]:
            parameters |= {"best": said["best"], "of": said["of"]}
            rule = Rule.BEST_N.value
        return TableFacts(said["name"], rule, parameters, said["with_below"])


class SeriesInviteForm(forms.Form):
    email = MailAddressField(label=_("E-mail"))
    duty = forms.ChoiceField(
        label=_("Duty"),
        choices=Duty.choices,
        initial=Duty.ORGANISER,
        help_text=_("Judges see the penalties of the season, and nothing else here."),
    )


class KeepPenaltyForm(forms.Form):
    reason = SentenceField(label=_("Why"))
    until = forms.DateField(
        label=_("Until"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


class PersonForm(forms.Form):
    """How a person wants to be called, and what of them everybody may see."""

    name = NameField(
        label=_("My name"), help_text=_("So your results stand in the standings of a series.")
    )
    public = forms.BooleanField(label=_("Everybody may open my page"), required=False)
    shows_roles = forms.BooleanField(
        label=_("It says how often I was miner, saboteur or selfish dwarf"), required=False
    )


class KeepForm(forms.Form):
    name = NameField(
        label=_("My name"), help_text=_("So your results stand in the standings of a series.")
    )
