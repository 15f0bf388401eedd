"""What the log said last of each thing: replayed from its first entry to its last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tournament.models import Event
from tournament.models.scoresheets import SheetStatus
from tournament.states import ROUND_STEPS, SHEET_STEPS

ROUND_VERBS = frozenset(
    {
        "round.drawn",
        "semi_final.drawn",
        "final.drawn",
        *(step.verb for step in ROUND_STEPS.values()),
    }
)
LEFT_VERBS = frozenset(
    {"player.dropped", "player.withdrew", "player.no_show", "player.check_in_undone"}
)


@dataclass(frozen=True, slots=True)
class Entry:
    """What the checks need of a log entry."""

    pk: int
    verb: str
    about: int | None
    before: Any
    after: Any
    reason: str
    created_at: datetime


@dataclass(slots=True)
class SheetTold:
    """`waived`: nobody else had to confirm; `signed`: the paper carried both signatures; `short`:
    handed in with fewer deals, for a reason; `reopened`: ever."""

    status: str = SheetStatus.OPEN
    waived: bool = False
    signed: bool = False
    short: bool = False
    reopened: bool = False


@dataclass(slots=True)
class PenaltyTold:
    """`given`, `withdrawn`: keys of the entries."""

    given: int
    infraction: str
    step: int
    withdrawn: int | None = None


@dataclass(slots=True)
class Told:
    """Things are named by their keys; tables also by round and number. `whole`: the log reaches
    back to the event's first day, as that of every event but an archive does. `seats`: start
    numbers in sitting order with when they were told; `printed_again`: when the staff said that a
    table's paper is right; `left`: (entry, player) of everybody who left; `offered` and `leaves`:
    players, as `scoring` names them, by cut."""

    whole: bool = False
    second_person_amended: bool = False
    entries: int = 0
    deals: dict[tuple[int, int], dict[str, Any] | None] = field(default_factory=dict)
    sheets: dict[int, SheetTold] = field(default_factory=lambda: defaultdict(SheetTold))
    rounds: dict[int, str] = field(default_factory=dict)
    seats: dict[tuple[int, int], tuple[list[int], datetime]] = field(default_factory=dict)
    printed_again: dict[tuple[int, int], datetime] = field(default_factory=dict)
    penalties: dict[int, PenaltyTold] = field(default_factory=dict)
    cuts: dict[int, Entry] = field(default_factory=dict)
    cuts_undone: set[int] = field(default_factory=set)
    lots: dict[int, list[str]] = field(default_factory=dict)
    seats_declined: dict[int, bool] = field(default_factory=dict)
    left: list[tuple[int, int | None]] = field(default_factory=list)
    dropped: set[int] = field(default_factory=set)
    finished: bool = False
    final: int | None = None


def told_by_log(event: Event) -> Told:
    told = Told()
    rows = event.log.order_by("pk").values_list(
        "pk", "verb", "object_id", "before", "after", "reason", "created_at"
    )
    for row in rows.iterator(chunk_size=2000):
        told.entries += 1
        entry = Entry(*row)
        if entry.verb in ROUND_VERBS and entry.about is not None:
            told.rounds[entry.about] = entry.verb
        if entry.verb in LEFT_VERBS:
            told.left.append((entry.pk, entry.about))
        if reader := _READERS.get(entry.verb):
            reader(told, entry)
    return told


def _deal(told: Told, entry: Entry) -> None:
    if entry.about is not None:
        told.deals[entry.about, entry.after["deal"]] = entry.after


def _replayed(told: Told, entry: Entry) -> None:
    if entry.about is not None:
        told.deals[entry.about, entry.before["deal"]] = None


def _typed(told: Told, entry: Entry) -> None:
    for deal in entry.after if entry.about is not None else ():
        told.deals[entry.about, deal["deal"]] = deal  # type: ignore[index]


def _submitted(told: Told, entry: Entry) -> None:
    if entry.about is not None:
        sheet = told.sheets[entry.about]
        sheet.status, sheet.short = entry.after, bool(entry.reason)
        sheet.waived, sheet.signed = entry.after == SheetStatus.CONFIRMED, False


def _confirmed(told: Told, entry: Entry) -> None:
    if entry.about is not None:
        sheet = told.sheets[entry.about]
        sheet.status = SheetStatus.CONFIRMED
        sheet.signed = bool((entry.after or {}).get("signed"))


def _reopened(told: Told, entry: Entry) -> None:
    if entry.about is not None:
        told.sheets[entry.about] = SheetTold(reopened=True)


def _seated(told: Told, entry: Entry) -> None:
    for number, people in entry.after["tables"].items() if entry.about is not None else ():
        told.seats[entry.about, int(number)] = people, entry.created_at  # type: ignore[index]


def _final_seated(told: Told, entry: Entry) -> None:
    if entry.about is not None:
        told.seats[entry.about, 1] = entry.after["seats"], entry.created_at
        told.final = entry.about


def _seat_passed_on(told: Told, entry: Entry) -> None:
    if told.final is not None:
        told.seats.pop((told.final, 1), None)
    if entry.about is not None:
        told.seats_declined[entry.about] = entry.verb == "seat.declined"


def _paper_right(told: Told, entry: Entry) -> None:
    for number in entry.after["tables"] if entry.about is not None else ():
        told.printed_again[entry.about, number] = entry.created_at  # type: ignore[index]


def _penalty(told: Told, entry: Entry) -> None:
    if entry.about is not None:
        after = entry.after
        told.penalties[entry.about] = PenaltyTold(entry.pk, after["infraction"], after["step"])


def _withdrawn(told: Told, entry: Entry) -> None:
    if entry.about in told.penalties:
        told.penalties[entry.about].withdrawn = entry.pk


def _cut(told: Told, entry: Entry) -> None:
    if entry.about is not None:
        told.cuts[entry.about] = entry


def _cut_undone(told: Told, entry: Entry) -> None:
    if entry.about is not None:
        told.cuts_undone.add(entry.about)


def _lot(told: Told, entry: Entry) -> None:
    if entry.about is not None:
        told.lots[entry.about] = entry.after


def _dropped(told: Told, entry: Entry) -> None:
    if entry.about is not None:
        told.dropped.add(entry.about)


def _created(told: Told, _entry: Entry) -> None:
    told.whole = True


def _ended(told: Told, entry: Entry) -> None:
    told.finished = entry.verb == "event.finished"


def _settings(told: Told, entry: Entry) -> None:
    if "second_person" in (entry.after or {}):
        told.second_person_amended = True


def _each(verbs: Iterable[str], reader: Reader) -> Mapping[str, Reader]:
    return dict.fromkeys(verbs, reader)


type Reader = Callable[[Told, Entry], None]
_READERS: Mapping[str, Reader] = {
    **_each(("deal.entered", "deal.corrected", "deal.voided"), _deal),
    "deal.replayed": _replayed,
    "sheet.typed": _typed,
    SHEET_STEPS["submit"].verb: _submitted,
    SHEET_STEPS["confirm"].verb: _confirmed,
    SHEET_STEPS["reopen"].verb: _reopened,
    **_each(
        (
            "round.seats_swapped",
            "round.player_moved",
            "round.rest_improved",
            "round.repaired",
            "round.change_undone",
            "round.change_redone",
        ),
        _seated,
    ),
    "final.drawn": _final_seated,
    **_each(("seat.declined", "seat.taken_back"), _seat_passed_on),
    "round.sheets_replaced": _paper_right,
    "penalty.given": _penalty,
    "penalty.withdrawn": _withdrawn,
    "cut.made": _cut,
    "cut.undone": _cut_undone,
    "lot.drawn": _lot,
    "player.dropped": _dropped,
    "event.created": _created,
    **_each(("event.finished", "event.reopened"), _ended),
    "event.changed": _settings,
}
