"""JSON Schemas of both documents, from the same table by which they are written and read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import models
from django.db.models import Field, ForeignKey, Model

from scoring import eventfile
from tournament.models import Cut, Lot, Player, Qualifier, Round, Scoresheet, SheetPhoto
from tournament.queries.event_file import public
from tournament.queries.event_file.kinds import ABOUT, EVENT, FORMAT, SIGNED, Kind
from tournament.queries.event_file.values import NORMAL, most_of

type Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MOMENT: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"}
PLAYER: Schema = {"type": "string", "pattern": r"^\d{4,}$"}
NUMBER: Schema = {"type": "integer", "minimum": 0, "maximum": NORMAL}
TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}


def private_schema() -> Schema:
    people = _list(_object({"email": TEXT, "name": TEXT}))
    return _document(
        "An event with everything",
        {"format": {"const": FORMAT}, "people": people, "event": _of(EVENT)},
    )


def public_schema() -> Schema:
    """The keys of `scoring` are what `scoring.eventfile.read` takes, which has the last word."""
    places = {"player": PLAYER, "rank": COUNT}
    facts = {
        "format": {"const": eventfile.FORMAT},
        "ruleset": TEXT,
        "players": _list(PLAYER),
        "cut": COUNT,
        "rounds": _list(
            _object(
                {
                    "stage": {"enum": [str(one) for one in eventfile.PlayedStage]},
                    "tables": _list(_object({"seats": _list(PLAYER), "deals": _list(_DEAL)})),
                }
            )
        ),
        "penalties": _list(
            _object({"player": PLAYER, "step": COUNT, "round": COUNT, "deal": COUNT})
        ),
        "dropped": _list(_object({"player": PLAYER, "after_round": COUNT})),
        "lots": _list(_object({"line": TEXT, "order": _list(PLAYER)})),
        "event": _shown(places),
    }
    optional = {
        "changes": {"type": "object"},
        "declined": _list(_object({"player": PLAYER, "stage": TEXT})),
        "semi_final": {"type": "object"},
        "unranked": _list(PLAYER),
    }
    return _document("What everybody may know of an event", facts, optional)


_DEAL: Schema = {
    "type": "object",
    "properties": {
        "roles": {"type": "array", "items": {"enum": ["miner", "saboteur", "selfish"]}},
        "connector": {"type": ["integer", "null"], "minimum": 1},
        "points": {"type": "array", "items": COUNT},
        "void": {"const": True},
        "counts_waived": {"const": True},
    },
    "additionalProperties": False,
}


def _shown(places: Mapping[str, Schema]) -> Schema:
    settings = {
        one.name: _value(one) for one in EVENT.fields if one.name not in public.PRIVATE_SETTINGS
    }
    row = {**places, "points": COUNT, "stars": COUNT}
    final = {"preliminary_points": COUNT, "preliminary_stars": COUNT, "decided_by": _or_null(TEXT)}
    standings = {
        "preliminary": _list(_object({**row, "deals": COUNT})),
        "semi_final": _list(_object({**row, "table": NUMBER})),
        "final": _list(_object({**row, **final})),
        "order": _list(_object({**places, "stage": TEXT})),
        "disqualified": _list(PLAYER),
        "unranked": _list(PLAYER),
    }
    table = {"number": NUMBER, "sheet": _object(_some(Scoresheet, public.SHEET))}
    seat = {**_some(Qualifier, public.QUALIFIER), "player": NUMBER}
    cut = {**_some(Cut, public.CUT), "qualifiers": _list(_object(seat))}
    return _object(
        {
            "version": {"const": public.VERSION},
            "settings": _object(settings),
            "players": _list(_object({**_some(Player, public.PLAYER), "name": TEXT})),
            "rounds": _list(
                _object({**_some(Round, public.ROUND), "tables": _list(_object(table))})
            ),
            "semi_cut": _or_null(_object(cut)),
            "cut": _or_null(_object(cut)),
            "lots": _list(_object(_some(Lot, public.LOT))),
            "commitment": {"type": "string", "pattern": "^([0-9a-f]{64})?$"},
            "standings": _or_null(_object(standings)),
        }
    )


def _some(model: type[Model], names: Iterable[str]) -> Mapping[str, Schema]:
    return {name: _value(model._meta.get_field(name)) for name in names}


def _of(kind: Kind) -> Schema:
    """Rows of a kind, with what is below them."""
    properties = {one.name: _value(one) for one in kind.fields}
    if kind.model is SheetPhoto:
        properties["sha256"] = {"type": "string", "pattern": "^([0-9a-f]{64})?$"}
    for child in kind.children:
        below = _of(child)
        properties[child.name] = _or_null(below) if child.one else _list(below)
    return _object(properties)


def _value(one: Any) -> Schema:
    found = _typed(one)
    return _or_null(found) if one.null and found else found


def _typed(one: Field[Any, Any]) -> Schema:
    if (one.model, one.name) == ABOUT:
        return {"type": ["integer", "string"]}
    match one:
        case ForeignKey():
            return NUMBER if one.related_model is Player else TEXT
        case models.JSONField():
            return {}
        case models.BooleanField():
            return {"type": "boolean"}
        case models.DateTimeField():
            return MOMENT
        case models.IntegerField():
            least, most = most_of(one)
            return {"type": "integer", "minimum": least, "maximum": most}
    if one.flatchoices:
        return {"enum": [*(key for key, _label in one.flatchoices), *([""] if one.blank else [])]}
    longest = None if (one.model, one.name) in SIGNED else one.max_length
    return TEXT if longest is None else {**TEXT, "maxLength": longest}


def _object(properties: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": sorted(properties),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _document(
    title: str, properties: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None
) -> Schema:
    found = _object(properties)
    found["properties"] |= {**(optional or {}), "x": {}}
    return {"$schema": DIALECT, "title": title, **found}
