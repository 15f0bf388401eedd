"""What rows are called in the file, where the database calls them by keys."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Field, ForeignKey

from tournament.models import LogEntry, Round
from tournament.queries.event_file.kinds import REPORT_PLAYERS, SIGNED

PHOTO_VERBS = frozenset({"sheet.photo_added", "sheet.photo_removed"})
_KEY = re.compile(r"(user|player):(\d{1,18})(?=@|$)")
_USER_NAME = re.compile(r"(?<![^@])user:(.+)")
_PLAYER_NAME = re.compile(r"^player:(\d{1,9})(?=@|$)")


@dataclass
class Names:
    """Both ways between keys and names: `names` maps a model's keys (by its name in small letters)
    to what the file says, `keys` back. A thing that is gone has no name."""

    names: dict[str, dict[int, Any]] = field(default_factory=lambda: defaultdict(dict))
    keys: dict[str, dict[Any, int]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, model: str, key: int, name: Any) -> None:
        self.names[model][key] = name
        self.keys[model][name] = key

    # --- to the file ---

    def of_field(self, row: Any, one: Field[Any, Any]) -> Any:
        """What the file says for a field of a row, where that is another thing than its value."""
        value = getattr(row, one.attname)
        if value is None:
            return None
        if isinstance(one, ForeignKey):
            return self.names[one.related_model._meta.model_name or ""][value]
        if (one.model, one.name) in SIGNED:
            return _KEY.sub(lambda found: self._signature(found[1], int(found[2])), value)
        return self._converted(one, value, row, self._name_of)

    def _name_of(self, model: str, key: Any) -> Any:
        return self.names[model].get(key) if isinstance(key, int) else None

    def _signature(self, model: str, key: int) -> str:
        return f"{model}:{self.names[model].get(key, 'gone')}"

    # --- from the file ---

    def to_field(self, row: Any, one: Field[Any, Any], value: Any) -> Any:
        """The other way; `row` has its fields before this one. Raises KeyError for a thing that is
        not in the file."""
        if value is None:
            return None
        if isinstance(one, ForeignKey):
            return self.keys[one.related_model._meta.model_name or ""][value]
        if (one.model, one.name) in SIGNED:
            return self._signature_back(value)
        return self._converted(one, value, row, self._key_of)

    def _key_of(self, model: str, name: Any) -> Any:
        return None if name is None else self.keys[model][name]

    def _signature_back(self, value: str) -> str:
        users, players = self.keys["user"], self.keys["player"]
        value = _PLAYER_NAME.sub(lambda found: f"player:{players[int(found[1])]}", value)
        # An e-mail has an @ of its own, so it reaches to the end.
        return _USER_NAME.sub(lambda found: f"user:{users.get(found[1], found[1])}", value)

    # --- what both ways have in common ---

    def _converted(
        self, one: Field[Any, Any], value: Any, row: Any, convert: Callable[[str, Any], Any]
    ) -> Any:
        if one.model is LogEntry and one.name == "object_id":
            return convert(row.object_type, value)
        if one.model is LogEntry and row.verb in PHOTO_VERBS and one.name in ("before", "after"):
            return {**value, "photo": convert("sheetphoto", value["photo"])}
        if one.model is Round and one.name == "report":
            return {
                key: _each(part, lambda player: convert("player", player))
                if key in REPORT_PLAYERS
                else part
                for key, part in value.items()
            }
        return value


def _each(value: Any, convert: Callable[[Any], Any]) -> Any:
    """Players alone, or in lists of them."""
    if isinstance(value, list):
        return [_each(one, convert) for one in value]
    return convert(value)
