"""Named, immutable sets of numbers. A changed rule is a new ruleset: old events keep theirs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from scoring.penalties import INFRACTIONS, Infraction
from scoring.reading import MISSING, fields, integer, join
from scoring.refusal import Refusal

MIN_SEATS, MAX_SEATS = 5, 10
MAX_POINTS = 99
MAX_HAND_CARDS = 20


@dataclass(frozen=True, slots=True)
class RoleRow:
    """The role cards dealt at one table size, and the hand each player gets."""

    saboteur: int
    miner: int
    selfish: int
    hand_cards: int

    @property
    def size(self) -> int:
        """Players at the table: exactly as many role cards are dealt."""
        return self.saboteur + self.miner + self.selfish


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Every number of one set of rules.

    `saboteur_points` says what each saboteur gets by the number of saboteurs dealt. The
    tie orders name what is compared, first things first; what stays level after the
    preliminary order shares its rank.
    """

    key: str
    rows: Mapping[int, RoleRow]
    saboteur_points: Mapping[int, int]
    selfish_points: int = 4
    miner_points: int = 2
    connector_points: int = 3
    preliminary_order: tuple[str, ...] = ("points", "stars")
    final_order: tuple[str, ...] = (
        "points",
        "stars",
        "preliminary_points",
        "preliminary_stars",
        "lot",
    )
    infractions: Mapping[str, Infraction] = INFRACTIONS
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        """Freeze the mappings and hash once: scoring is cached by ruleset."""
        # The only way to set a field of a frozen dataclass.
        freeze = partial(object.__setattr__, self)
        freeze("rows", MappingProxyType(dict(sorted(self.rows.items()))))
        freeze("saboteur_points", MappingProxyType(dict(sorted(self.saboteur_points.items()))))
        freeze("infractions", MappingProxyType(dict(self.infractions)))
        # Part of the numbers is enough for a hash; equality compares them all.
        freeze("_hash", hash((self.key, *self.rows.items(), *self.saboteur_points.items())))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle by the key and the changes: the frozen mappings know neither."""
        return _rebuilt, (self.key, self.changes())

    def row(self, seats: int) -> RoleRow:
        """The role cards of a table of this size; refuses `table_size`."""
        found = self.rows.get(seats)
        if found is None:
            raise Refusal("table_size", seats=seats, expected=tuple(self.rows))
        return found

    def points_per_saboteur(self, dealt: int) -> int:
        """What each of this many saboteurs gets; beyond the listed numbers, the last one."""
        table = self.saboteur_points
        return table[dealt] if dealt in table else table[max(table)]

    def changed(self, changes: Mapping[str, object]) -> "Ruleset":
        """This ruleset with an event's own numbers, given as JSON; see `changes`.

        Refuses `ruleset_change` with the `field` that cannot be, such as "rows.10.miner".
        """
        try:
            return replace(self, **_read_changes(self, changes))  # type: ignore[arg-type]
        except Refusal as refusal:
            problem = refusal.values.get("problem")
            raise Refusal(
                "ruleset_change", field=refusal.values["place"], problem=problem
            ) from None

    def changes(self) -> dict[str, object]:
        """How this differs from the ruleset of the same key, as JSON for `changed`."""
        base = RULESETS[self.key]
        found: dict[str, object] = {
            name: getattr(self, name)
            for name in _PLAIN_POINTS
            if getattr(self, name) != getattr(base, name)
        }
        rows = {str(n): _row_json(r) for n, r in self.rows.items() if base.rows.get(n) != r}
        paid = base.saboteur_points
        pays = {str(n): p for n, p in self.saboteur_points.items() if paid.get(n) != p}
        parts = (("rows", rows), ("saboteur_points", pays))
        return {name: part for name, part in parts if part} | found


_PLAIN_POINTS = ("selfish_points", "miner_points", "connector_points")
_ROW_FIELDS = ("saboteur", "miner", "selfish", "hand_cards")


def _row_json(row: RoleRow) -> dict[str, int]:
    return {name: getattr(row, name) for name in _ROW_FIELDS}


def _read_changes(base: Ruleset, changes: object) -> dict[str, object]:
    """The fields to replace, each checked."""
    asked = fields(changes, "", optional=("rows", "saboteur_points", *_PLAIN_POINTS))
    found: dict[str, object] = {
        name: integer(asked[name], name, 1, MAX_POINTS)
        for name in _PLAIN_POINTS
        if asked[name] is not MISSING
    }
    if asked["rows"] is not MISSING:
        # Only the rows that were named are replaced; an event may add one that the ruleset lacks.
        found["rows"] = {**base.rows, **_read_rows(asked["rows"])}
    if asked["saboteur_points"] is not MISSING:
        pays = _read_pays(asked["saboteur_points"])
        found["saboteur_points"] = {**base.saboteur_points, **pays}
    return found


def _read_rows(value: object) -> dict[int, RoleRow]:
    sizes = [str(size) for size in range(MIN_SEATS, MAX_SEATS + 1)]
    given = fields(value, "rows", optional=sizes)
    return {
        int(size): _read_row(row, join("rows", size), int(size))
        for size, row in given.items()
        if row is not MISSING
    }


def _read_row(value: object, place: str, size: int) -> RoleRow:
    given = fields(value, place, required=_ROW_FIELDS)
    least = {"saboteur": 1, "miner": 1, "selfish": 0, "hand_cards": 1}
    most = {"hand_cards": MAX_HAND_CARDS}
    row = RoleRow(
        **{
            name: integer(given[name], join(place, name), least[name], most.get(name, size))
            for name in _ROW_FIELDS
        }
    )
    if row.size != size:
        raise Refusal("malformed", place=place, problem="wrong_sum")
    return row


def _read_pays(value: object) -> dict[int, int]:
    # One miner at least is dealt, so there are fewer saboteurs than seats.
    dealt = [str(number) for number in range(1, MAX_SEATS)]
    given = fields(value, "saboteur_points", optional=dealt)
    return {
        int(number): integer(points, join("saboteur_points", number), 1, MAX_POINTS)
        for number, points in given.items()
        if points is not MISSING
    }


def _rebuilt(key: str, changes: Mapping[str, object]) -> Ruleset:
    return RULESETS[key].changed(changes)


_SABOTEUR_POINTS = {1: 4, 2: 3, 3: 3, 4: 2}

RULESETS: Mapping[str, Ruleset] = MappingProxyType(
    {
        "es-2026": Ruleset(
            key="es-2026",
            rows={
                5: RoleRow(saboteur=1, miner=3, selfish=1, hand_cards=6),
                6: RoleRow(saboteur=2, miner=3, selfish=1, hand_cards=5),
                7: RoleRow(saboteur=2, miner=3, selfish=2, hand_cards=5),
                8: RoleRow(saboteur=3, miner=3, selfish=2, hand_cards=4),
                9: RoleRow(saboteur=3, miner=4, selfish=2, hand_cards=4),
                10: RoleRow(saboteur=3, miner=5, selfish=2, hand_cards=4),
            },
            saboteur_points=_SABOTEUR_POINTS,
        ),
        # Its rules have no table of ten; an event may add the row.
        "en-2023": Ruleset(
            key="en-2023",
            rows={
                5: RoleRow(saboteur=1, miner=3, selfish=1, hand_cards=6),
                6: RoleRow(saboteur=2, miner=3, selfish=1, hand_cards=5),
                7: RoleRow(saboteur=2, miner=3, selfish=2, hand_cards=5),
                8: RoleRow(saboteur=2, miner=6, selfish=0, hand_cards=4),
                9: RoleRow(saboteur=3, miner=6, selfish=0, hand_cards=4),
            },
            saboteur_points=_SABOTEUR_POINTS,
        ),
    }
)


def get_ruleset(key: str) -> Ruleset:
    """The ruleset of this key; refuses `ruleset_unknown`."""
    if key not in RULESETS:
        raise Refusal("ruleset_unknown", ruleset=key)
    return RULESETS[key]
