"""Strict readers of parsed JSON: each takes a value and the place it stands at.

All refuse `malformed` with `place` ("rounds[0].tables[1]") and `problem`, a code.
"""

from collections.abc import Iterable
from typing import Any, Final

from scoring.refusal import Refusal


class Missing:
    """Stands for an optional field that was not given, since null is a value."""


MISSING: Final = Missing()


def malformed(place: str, problem: str) -> Refusal:
    """The refusal to raise for what stands at this place."""
    return Refusal("malformed", place=place or "input", problem=problem)


def join(place: str, name: str | int) -> str:
    """The place of a field or an item inside a place."""
    if isinstance(name, int):
        return f"{place}[{name}]"
    return f"{place}.{name}" if place else name


def fields(
    value: object, place: str, required: Iterable[str] = (), optional: Iterable[str] = ()
) -> dict[str, Any]:
    """An object of exactly these fields; an optional one not given is MISSING."""
    if not isinstance(value, dict):
        raise malformed(place, "not_an_object")
    found: dict[str, Any] = dict.fromkeys((*required, *optional), MISSING)
    for name, part in value.items():
        if name not in found:
            raise malformed(join(place, str(name)), "unknown_field")
        found[name] = part
    for name in required:
        if found[name] is MISSING:
            raise malformed(join(place, name), "missing")
    return found


def integer(value: object, place: str, least: int | None = None, most: int | None = None) -> int:
    """A whole number (true is none), within these limits."""
    # `isinstance` would take true and false.
    if type(value) is not int:
        raise malformed(place, "not_an_integer")
    if (least is not None and value < least) or (most is not None and value > most):
        raise malformed(place, "out_of_range")
    return value


def boolean(value: object, place: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise malformed(place, "not_a_boolean")
    return value


def text(value: object, place: str) -> str:
    """A string that is not empty and can be written in UTF-8."""
    if not isinstance(value, str):
        raise malformed(place, "not_a_string")
    if not value:
        raise malformed(place, "empty")
    # JSON can name half of a pair of surrogates, which Python keeps and can't write out again.
    if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
        raise malformed(place, "not_unicode")
    return value


def items(value: object, place: str) -> list[Any]:
    """A list of anything."""
    if not isinstance(value, list):
        raise malformed(place, "not_a_list")
    return value


def texts(value: object, place: str) -> tuple[str, ...]:
    """A list of strings."""
    return tuple(text(part, join(place, i)) for i, part in enumerate(items(value, place)))


def integers(value: object, place: str, least: int | None = None) -> tuple[int, ...]:
    """A list of whole numbers."""
    parts = enumerate(items(value, place))
    return tuple(integer(part, join(place, i), least) for i, part in parts)


def distinct(values: tuple[str, ...], place: str) -> tuple[str, ...]:
    """These values, none of them twice."""
    if len(set(values)) != len(values):
        seen: set[str] = set()
        for i, value in enumerate(values):
            if value in seen:
                raise malformed(join(place, i), "twice")
            seen.add(value)
    return values
