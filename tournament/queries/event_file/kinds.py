"""Which rows the whole file has, and how they hang on each other: written and read by one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Field, Model

from tournament import models

FORMAT = "saboteur-event-private/1"
# What the two documents are called in the archive.
PUBLIC, PRIVATE = "event.json", "private.json"


@dataclass(frozen=True, slots=True)
class Kind:
    """Rows of a model in a list by this name; `one`: a single row or null. `parent`: the foreign
    key to what they hang on, `above` one to what that hangs on. `order`: as they are listed."""

    name: str
    model: type[Model]
    parent: str = "event"
    one: bool = False
    above: str = ""
    order: str = "pk"
    left_out: frozenset[str] = frozenset()
    children: tuple[Kind, ...] = ()

    @property
    def fields(self) -> tuple[Field[object, object], ...]:
        """Those that the file has, in the model's order."""
        hidden = {self.parent, self.above, *self.left_out}
        return tuple(
            field
            for field in self.model._meta.concrete_fields
            if not field.primary_key and not field.generated and field.name not in hidden
        )


_TABLES = Kind(
    "tables",
    models.Table,
    parent="round",
    children=(
        Kind("time", models.TableTime, parent="table", one=True),
        Kind("seats", models.Seat, parent="table", above="round", order="position"),
        Kind(
            "sheet",
            models.Scoresheet,
            parent="table",
            one=True,
            children=(
                Kind("deals", models.Deal, parent="sheet", order="number"),
                Kind("photos", models.SheetPhoto, parent="sheet"),
            ),
        ),
    ),
)

STAFF = Kind("staff", models.StaffMember)

# In an order in which each refers only to those before it; the log, which refers to all, comes
# last. What belongs to an instance is not here: jobs, versions, presses that were carried out.
EVENT = Kind(
    "event",
    models.Event,
    parent="",
    left_out=frozenset({"extensions"}),
    children=(
        Kind(
            "players",
            models.Player,
            order="number",
            children=(Kind("contact", models.Contact, parent="player", one=True),),
        ),
        Kind(
            "rounds",
            models.Round,
            children=(
                Kind("clock", models.RoundClock, parent="round", one=True),
                _TABLES,
                Kind("late_arrivals", models.LateArrival, parent="round"),
                Kind("seating_changes", models.SeatingChange, parent="round"),
            ),
        ),
        Kind(
            "penalties",
            models.Penalty,
            children=(Kind("inquiry", models.Inquiry, parent="penalty", one=True),),
        ),
        Kind(
            "cuts",
            models.Cut,
            children=(Kind("qualifiers", models.Qualifier, parent="cut", order="pk"),),
        ),
        Kind("lots", models.Lot),
        Kind(
            "prizes_listed",
            models.Prize,
            children=(Kind("gifts", models.PrizeGift, parent="prize"),),
        ),
        Kind("prize_passes", models.PrizePass),
        Kind(
            "places_promised",
            models.PlacePromise,
            # Another event, and what its organisers said, are that site's.
            left_out=frozenset({"target", "agreed_by", "agreed_at"}),
            children=(Kind("skips", models.PlaceSkip, parent="promise"),),
        ),
        Kind("places", models.Place, left_out=frozenset({"entry"})),
        Kind(
            "freezes",
            models.Freeze,
            children=(Kind("results", models.Result, parent="freeze"),),
        ),
        Kind("reveals", models.Reveal),
        Kind("separations", models.Separation),
        Kind("calls", models.JudgeCall),
        Kind("breaks", models.Break),
        Kind("announcements", models.Announcement),
        Kind("rulings", models.Ruling, order="number"),
        Kind(
            "boxes",
            models.Box,
            children=(
                Kind("tables", models.BoxTable, parent="box", above="event", order="number"),
                Kind("checks", models.BoxCheck, parent="box"),
            ),
        ),
        Kind("screens", models.Screen),
        Kind("sponsors", models.Sponsor),
        STAFF,
        Kind("invitations", models.Invitation),
        Kind("log", models.LogEntry),
    ),
)

# Fields that hold who acted, as `Actor.signature` writes it.
SIGNED = frozenset(
    {
        (models.Scoresheet, "submitted_by"),
        (models.Scoresheet, "confirmed_by"),
        (models.SheetPhoto, "created_by"),
        (models.SheetPhoto, "removed_by"),
        (models.LateArrival, "reported_by"),
        (models.LateArrival, "arrived_by"),
        (models.Place, "offered_by"),
        (models.Place, "accepted_by"),
        (models.Place, "ended_by"),
        (models.LogEntry, "actor"),
    }
)
# What an entry of the log is about: a player's number, else where it stands.
ABOUT = (models.LogEntry, "object_id")
# Of the report of a draw: who is told of, alone or in pairs.
REPORT_PLAYERS = frozenset({"pairs", "forbidden", "off_size_players", "dealers"})
# The import itself belongs to the instance.
IMPORTED = "event.imported"


def all_kinds(kind: Kind = EVENT, lookup: str = "") -> Iterator[tuple[Kind, str]]:
    """Each kind below this one, with the lookup that leads from its rows to the event."""
    for child in kind.children:
        path = f"{child.parent}__{lookup}" if lookup else child.parent
        yield child, path
        yield from all_kinds(child, path)


def kinds_by_model() -> Mapping[str, Kind]:
    return {kind.model._meta.model_name or "": kind for kind, _path in all_kinds()}
