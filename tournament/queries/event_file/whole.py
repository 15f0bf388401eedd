"""The whole event: every row, every field, in a fixed number of queries."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import ForeignKey, ImageField, Model

from tournament.models import Event, LogEntry, SheetPhoto, User
from tournament.queries.event_file.kinds import (
    EVENT,
    FORMAT,
    IMPORTED,
    SIGNED,
    STAFF,
    Kind,
    all_kinds,
)
from tournament.queries.event_file.names import Names
from tournament.queries.event_file.values import written

type _Rows = Mapping[str, Mapping[int, list[Any]]]  # table -> parent's key -> rows in order


def whole_file(event: Event) -> dict[str, Any]:
    """Everything but the photos, of which it has the digests."""
    rows, names = _fetched(event), Names()
    _name_all(EVENT, event, rows, names, "")
    people = _users(rows, (one for one in all_kinds() if one[0] is not STAFF))
    for user in (*people, *_users(rows, [(STAFF, "")])):
        names.add("user", user.pk, user.email)
    return {
        "format": FORMAT,
        "people": [{"email": one.email, "name": one.name} for one in people],
        "event": _written(EVENT, event, rows, names),
        **({"x": x} if (x := event.extensions.get("private")) else {}),
    }


def photo_files(event: Event) -> Iterator[tuple[str, SheetPhoto]]:
    """The photos with their names in the archive; a file that is gone is in none."""
    rows, names = _fetched(event), Names()
    _name_all(EVENT, event, rows, names, "")
    for photos in rows[SheetPhoto._meta.db_table].values():
        for photo in photos:
            yield photo_name(names.names["sheetphoto"][photo.pk]), photo


def photo_name(path: str) -> str:
    return f"photos/{path}.jpg"


def _fetched(event: Event) -> _Rows:
    found: dict[str, dict[int, list[Any]]] = {}
    for kind, lookup in all_kinds():
        rows = kind.model._default_manager.filter(**{lookup: event}).order_by(kind.order)
        if kind.name == "log":
            rows = rows.exclude(verb=IMPORTED)
        by_parent: dict[int, list[Any]] = defaultdict(list)
        for row in rows:
            by_parent[getattr(row, f"{kind.parent}_id")].append(row)
        found[kind.model._meta.db_table] = by_parent
    return found


def children_of(kind: Kind, row: Model, rows: _Rows) -> list[Any]:
    return rows[kind.model._meta.db_table].get(row.pk, [])


def _name_all(kind: Kind, row: Any, rows: _Rows, names: Names, path: str) -> None:
    """Everything is called by where it stands, from 1: the second table of round 3 is "3.2"."""
    names.add(
        kind.model._meta.model_name or "",
        row.pk,
        getattr(row, "number", 0) if kind.name == "players" else path,
    )
    for child in kind.children:
        for number, below in enumerate(children_of(child, row, rows), 1):
            step = "" if child.one else f"{'.' if path else ''}{number}"
            _name_all(child, below, rows, names, path + step)


def _users(rows: _Rows, kinds: Iterable[tuple[Kind, str]]) -> list[User]:
    """All users whom a row of these kinds names, by e-mail. A duty names nobody else: whoever has
    no account at another place has none there."""
    keys: set[int] = set()
    for kind, _lookup in kinds:
        below = [row for found in rows[kind.model._meta.db_table].values() for row in found]
        keys.update(key for row in below for key in _users_of(kind, row))
    return list(User.objects.filter(pk__in=keys).order_by("email"))


def _users_of(kind: Kind, row: Any) -> Iterator[int]:
    for one in kind.fields:
        value = getattr(row, one.attname)
        if isinstance(one, ForeignKey) and one.related_model is User and value is not None:
            yield value
        elif (kind.model, one.name) in SIGNED:
            yield from _users_in(value)
    if isinstance(row, LogEntry) and row.object_type == "user" and row.object_id is not None:
        yield row.object_id


def _users_in(signature: str) -> Iterator[int]:
    for ref in signature.split("@"):
        model, _colon, key = ref.partition(":")
        if model == "user" and key.isdecimal():
            yield int(key)


def _written(kind: Kind, row: Any, rows: _Rows, names: Names) -> dict[str, Any]:
    found = {one.name: written(names.of_field(row, one)) for one in kind.fields}
    for one in kind.fields:
        if isinstance(one, ImageField):
            found[one.name] = photo_name(names.names["sheetphoto"][row.pk])
            found["sha256"] = digest(row)
    for child in kind.children:
        below = [_written(child, one, rows, names) for one in children_of(child, row, rows)]
        found[child.name] = (below[0] if below else None) if child.one else below
    return found


def digest(photo: SheetPhoto) -> str:
    """Of its file, in hex; empty where that is gone."""
    try:
        with photo.image.storage.open(photo.image.name or "") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except (OSError, ValueError):
        return ""
