"""A field's value as JSON has it, and back: strictly, since a file may come from anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Field, ForeignKey
from django.utils.dateparse import parse_datetime

from scoring.reading import boolean, integer, join, malformed
from tournament.models import Player
from tournament.names import ErasedName
from tournament.queries.event_file.kinds import ABOUT, SIGNED

# What every database of ours can hold.
SMALL, NORMAL, BIG = 2**15 - 1, 2**31 - 1, 2**63 - 1
_MOST: tuple[tuple[type[Field[Any, Any]], int], ...] = (
    (models.SmallIntegerField, SMALL),
    (models.PositiveSmallIntegerField, SMALL),
    (models.PositiveIntegerField, NORMAL),
    (models.BigIntegerField, BIG),
    (models.IntegerField, NORMAL),
)


def canonical(document: Any) -> bytes:
    """The one way in which we write JSON: equal documents are equal byte for byte."""
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False)
    return f"{text}\n".encode()


def written(value: Any) -> Any:
    """A value as JSON has it: instants in UTC, to the microsecond."""
    if isinstance(value, ErasedName):
        return value.stored
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return value


def read(field: Field[Any, Any], value: Any, place: str) -> Any:
    """The value of a field; refuses `malformed` what the field does not take."""
    if value is None:
        if not field.null:
            raise malformed(place, "missing")
        return None
    found = _typed(field, value, place)
    if (field.model, field.name) in {ABOUT, *SIGNED}:
        return found
    choices = {key for key, _label in field.flatchoices}
    if choices and found not in choices and not (field.blank and found == ""):
        raise malformed(place, "not_known")
    try:
        field.run_validators(found)
    except ValidationError:
        raise malformed(place, "out_of_range") from None
    return found


def _typed(field: Field[Any, Any], value: Any, place: str) -> Any:
    if (field.model, field.name) == ABOUT and isinstance(value, int):
        return integer(value, place, 0, NORMAL)
    match field:
        case ForeignKey():
            return _name(field, value, place)
        case models.JSONField():
            return value
        case models.BooleanField():
            return boolean(value, place)
        case models.DateTimeField():
            return _moment(value, place)
        case models.IntegerField() if (field.model, field.name) != ABOUT:
            return integer(value, place, *most_of(field))
    if not isinstance(value, str):
        raise malformed(place, "not_a_string")
    # An e-mail is longer than the key that stands for it here.
    longest = None if (field.model, field.name) in SIGNED else field.max_length
    if longest is not None and len(value) > longest:
        raise malformed(place, "too_long")
    return value


def most_of(field: models.IntegerField[Any, Any]) -> tuple[int, int]:
    """The least and the most that the field takes."""
    most = next(most for kind, most in _MOST if isinstance(field, kind))
    return (0 if type(field).__name__.startswith("Positive") else -most), most


def _name(field: ForeignKey[Any, Any], value: Any, place: str) -> Any:
    """Players by number, all others by words."""
    if field.related_model is Player:
        return integer(value, place, 0, NORMAL)
    if not isinstance(value, str):
        raise malformed(place, "not_a_string")
    return value


def _moment(value: Any, place: str) -> datetime:
    try:
        found = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise malformed(place, "not_a_moment")
    # A moment at the edge of the calendar has no other clock.
    if not 1900 < found.year < 2200:
        raise malformed(place, "out_of_range")
    return found


def check_text(value: Any, place: str = "") -> None:
    """Refuse letters that no database of ours can hold, wherever they stand."""
    if isinstance(value, str):
        if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            raise malformed(place, "not_unicode")
    else:
        for name, part in _parts(value):
            if isinstance(name, str):
                check_text(name, f"{place}*")
            check_text(part, join(place, name))


def _parts(value: Any) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def difference(told: Any, found: Any, place: str = "") -> tuple[str, Any, Any] | None:
    """The first place at which two documents differ, with both values; None if they are equal."""
    if isinstance(told, dict) and isinstance(found, dict):
        keys: Iterable[str | int] = sorted(told.keys() | found.keys())
    elif isinstance(told, list) and isinstance(found, list):
        keys = range(max(len(told), len(found)))
    else:
        # true is 1 to Python.
        same = type(told) is type(found) and told == found
        return None if same else (place, told, found)
    for key in keys:
        pair = _part(told, key), _part(found, key)
        if first := difference(*pair, join(place, key)):
            return first
    return None


_NOTHING = "–"


def _part(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        return value.get(key, _NOTHING)
    return value[key] if key < len(value) else _NOTHING
