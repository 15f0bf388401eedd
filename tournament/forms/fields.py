"""Fields shared by several forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from tournament.names import clean, problem_of

COMMON_ZONES = (
    "Europe/Madrid",
    "Europe/London",
    "Europe/Amsterdam",
    "Europe/Berlin",
    "Europe/Rome",
    "Europe/Paris",
    "Europe/Warsaw",
    "Europe/Lisbon",
    "Europe/Istanbul",
    "Europe/Athens",
    "Atlantic/Canary",
    "UTC",
)


@cache
def zone_choices() -> tuple[tuple[str, str], ...]:
    rest = sorted(
        zone
        for zone in available_timezones()
        if "/" in zone
        and zone not in COMMON_ZONES
        and not zone.startswith(("Etc/", "posix/", "right/", "SystemV/", "US/", "Brazil/"))
    )
    return tuple((zone, zone.replace("_", " ")) for zone in (*COMMON_ZONES, *rest))


def printable(text: str) -> str:
    """In one line, without the characters that no database or printer takes."""
    words = " ".join(text.split())
    return "".join(letter for letter in words if letter.isprintable()).strip()


class NameField(forms.CharField):
    """A person's name, cleaned of what comes along unseen (`tournament.names`)."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 60)
        super().__init__(**kwargs)

    def to_python(self, value: Any) -> str:
        text = clean(super().to_python(value) or "")
        if problem := problem_of(text):
            raise ValidationError(problem)
        return text


class MailAddressField(forms.EmailField):
    """An e-mail address in small letters, measured as it is stored: some letters grow."""

    MOST = 254  # letters, as the columns have them

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value) or "").lower()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=self.MOST, **kwargs)


def parse_int(text: str | None, default: int = 0) -> int:
    """A number a browser sent; anything else is the default."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else default


def parse_ints(text: str | None) -> list[int]:
    """The numbers from 1 on of a list like "3,5" that a browser sent; what is none is left out."""
    return [number for one in (text or "").split(",") if (number := parse_int(one))]


class BandsField(forms.CharField):
    """Numbers by attendance, written "25: 12, 49: 18"; [[25, 12], [49, 18]] with the first rising.
    Also with semicolons, or one on a line."""

    _PAIR = re.compile(r"(\d{1,4})\s*[:=]\s*(\d{1,3})", re.ASCII)
    default_error_messages = {
        "bands": _("Write it like “25: 12, 49: 18”, with rising first numbers.")
    }

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value) or ""
        parts = [part.strip() for part in re.split(r"[,;\n]", text) if part.strip()]
        found = [self._PAIR.fullmatch(part) for part in parts]
        bands = [[int(one[1]), int(one[2])] for one in found if one]
        rising = all(before[0] < after[0] for before, after in pairwise(bands))
        if len(bands) < len(parts) or not rising or any(least < 1 for least, _seats in bands):
            raise ValidationError(self.error_messages["bands"], code="bands")
        return bands

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, list):
            return ", ".join(f"{least}: {seats}" for least, seats in value)
        return value

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            before, after = self._bands(initial), self._bands(data)
        except ValidationError:
            return True
        return bool(before != after)

    def _bands(self, value: Any) -> Any:
        return value if isinstance(value, list) else self.to_python(value)


class VersionField(forms.Field):
    """The version that somebody had before their eyes; nonsense is -1, which nothing has."""

    widget = forms.HiddenInput

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"required": False} | kwargs)

    def to_python(self, value: Any) -> int:
        return value if isinstance(value, int) else parse_int(value, -1)


class SentenceField(forms.CharField):
    """A sentence for the log: without unprintable characters, and no longer than fits there."""

    def __init__(self, *, limit: int = 200, **kwargs: Any) -> None:
        super().__init__(max_length=limit, **kwargs)

    def to_python(self, value: Any) -> str:
        return printable(super().to_python(value) or "")


class LinesField(forms.CharField):
    """A text of several lines, without unprintable characters. A line's end is one letter, as a
    browser counts it, though it sends two."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> str:
        lines = (super().to_python(value) or "").splitlines()
        return "\n".join("".join(filter(str.isprintable, one)).rstrip() for one in lines).strip()


LAYOUTS = ("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S")


class LocalMomentField(forms.DateTimeField):
    """A wall-clock time without a zone, as `<input type="datetime-local">` sends it."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault(
            "widget", forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        )
        super().__init__(**kwargs)

    def to_python(self, value: Any) -> datetime | None:
        if isinstance(value, datetime) or not value:
            return value or None
        for layout in LAYOUTS:
            try:
                moment = datetime.strptime(str(value).strip(), layout)
            except ValueError:
                continue
            if 2000 <= moment.year <= 2100:
                return moment
        raise ValidationError(_("Give date and time, for example 2026-07-19 10:00."))


def typed(fields: Mapping[str, forms.Field], data: QueryDict) -> dict[str, Any]:
    """What was typed, unchecked, as the initial values of a form to go on with."""
    return {
        name: field.widget.value_from_datadict(data, MultiValueDict(), name)
        for name, field in fields.items()
    }


def at_zone(moment: datetime | None, zone: str) -> datetime | None:
    """The instant at which clocks in the zone show this time."""
    return moment.replace(tzinfo=ZoneInfo(zone)) if moment is not None else None


def exists_in_zone(moment: datetime, zone: str) -> bool:
    """False for a time that clocks skip when summer time begins."""
    there = moment.replace(tzinfo=ZoneInfo(zone))
    back = there.astimezone(ZoneInfo("UTC")).astimezone(ZoneInfo(zone))
    return back.replace(tzinfo=None) == moment


def refused_unread[F: forms.BaseForm](form: F, field: str, words: object) -> F:
    """An empty form that says why what was sent was not read."""
    form.full_clean()
    form.errors.clear()
    form.add_error(field, str(words))
    return form
