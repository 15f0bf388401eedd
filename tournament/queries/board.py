"""The tables of the round that is played, as the desk sees them: how far, and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from statistics import median_low

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from tournament.clocks import ClockState
from tournament.models import Event, JudgeCall, Round
from tournament.models.scoresheets import SheetStatus
from tournament.queries.clocks import clock_of
from tournament.queries.lateness import missing_by_table
from tournament.queries.seats import round_in_play


class TileState(StrEnum):
    """How far a table is."""

    PLAYING = "playing"
    ENTERED = "entered"  # all deals, not handed in
    WAITING = "waiting"  # for its second person
    DONE = "done"


class NextStep(StrEnum):
    """The one thing to do for the round."""

    CALL = "call"
    OVER = "over"
    CLOSE = "close"
    CONFIRM = "confirm"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be known of a table; `since`: a time that goes on, `age` how long it is."""

    words: str
    tone: str = "worse"
    since: datetime | None = None
    age: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Tile:
    """A table. `words`: how far it is; `deal`: the one it plays, from 1; `calls`: for a judge to
    whom nobody goes yet; `behind`: half of the tables have entered more."""

    pk: int
    number: int
    state: TileState
    words: str
    deal: int
    calls: bool
    over: bool
    behind: bool
    notes: tuple[Note, ...]

    @property
    def is_done(self) -> bool:
        return self.state == TileState.DONE


_ORDER = (TileState.PLAYING, TileState.ENTERED, TileState.WAITING, TileState.DONE)


@dataclass(frozen=True, slots=True)
class Board:
    """`tiles`: the slowest first, what is done last."""

    round: Round
    tiles: tuple[Tile, ...]

    @property
    def done(self) -> int:
        return sum(tile.is_done for tile in self.tiles)

    @property
    def not_done(self) -> tuple[Tile, ...]:
        return tuple(tile for tile in self.tiles if not tile.is_done)

    @property
    def called(self) -> tuple[Tile, ...]:
        """To which nobody goes yet."""
        return tuple(tile for tile in self.tiles if tile.calls)

    @property
    def over(self) -> tuple[Tile, ...]:
        return tuple(tile for tile in self.tiles if tile.over)

    @property
    def waiting(self) -> tuple[Tile, ...]:
        return tuple(tile for tile in self.tiles if tile.state == TileState.WAITING)

    @property
    def slowest(self) -> Tile | None:
        return next(iter(self.not_done), None)

    @property
    def next_step(self) -> NextStep:
        if self.called:
            return NextStep.CALL
        if not self.not_done:
            return NextStep.CLOSE
        if self.over:
            return NextStep.OVER
        if len(self.waiting) == len(self.not_done):
            return NextStep.CONFIRM
        return NextStep.PLAY


def board_of(event: Event, now: datetime) -> Board | None:
    """Of the round that is played; None where none is. In a fixed number of queries."""
    round_ = round_in_play(event)
    if round_ is None:
        return None
    rows = list(
        round_.tables.annotate(
            entered=Count("sheet__deals"),
            typed=Count("sheet__deals", filter=~Q(sheet__deals__points="")),
        ).values_list("pk", "number", "sheet__status", "entered", "typed")
    )
    clock, missing, calls = clock_of(event, now), missing_by_table(round_), _calls(round_)
    pace = median_low([entered for _pk, _number, _status, entered, _typed in rows] or [0])
    words = _Words(round_.deals)
    tiles = []
    for pk, number, status, entered, typed in rows:
        state = _state(status, entered, round_.deals)
        call, deal = calls.get(pk), min(entered + 1, round_.deals)
        playing = state in (TileState.PLAYING, TileState.ENTERED)
        over = playing and clock.read(now, number).state == ClockState.OVER
        behind = state == TileState.PLAYING and entered < pace
        notes = []
        if call is not None:
            notes.append(_call_note(call, now))
        if playing and number in missing:
            notes.append(Note(_("missing: %(names)s") % {"names": ", ".join(missing[number])}))
        if over:
            notes.append(words.over)
        if behind:
            notes.append(words.behind)
        if typed:
            notes.append(words.typed)
        tiles.append(
            Tile(
                pk=pk,
                number=number,
                state=state,
                words=words.deals[deal] if state == TileState.PLAYING else words.states[state],
                deal=deal,
                calls=call is not None and call.answered_at is None,
                over=over,
                behind=behind,
                notes=tuple(notes),
            )
        )
    tiles.sort(key=lambda tile: (_ORDER.index(tile.state), tile.deal, tile.number))
    return Board(round_, tuple(tiles))


class _Words:
    """What tiles say, translated once for all of them."""

    def __init__(self, deals: int) -> None:
        self.deals = {
            deal: _("deal %(deal)d of %(deals)d") % {"deal": deal, "deals": deals}
            for deal in range(1, deals + 1)
        }
        self.states = {
            TileState.ENTERED: _("all deals entered"),
            TileState.WAITING: _("waits for a second person"),
            TileState.DONE: _("done"),
        }
        self.over, self.behind = Note(_("time over")), Note(_("behind"))
        self.typed = Note(_("from paper"), tone="muted")


def _call_note(call: JudgeCall, now: datetime) -> Note:
    if call.answered_by is not None:
        return Note(_("%(judge)s is going") % {"judge": call.answered_by}, tone="going")
    age = max(timedelta(), now - call.created_at)
    return Note(_("judge called"), since=call.created_at, age=age)


def _state(status: str, entered: int, deals: int) -> TileState:
    if status == SheetStatus.CONFIRMED:
        return TileState.DONE
    if status == SheetStatus.SUBMITTED:
        return TileState.WAITING
    return TileState.ENTERED if entered >= deals else TileState.PLAYING


def _calls(round_: Round) -> dict[int, JudgeCall]:
    calls = JudgeCall.objects.waiting().filter(table__round=round_).select_related("answered_by")
    return {call.table_id: call for call in calls}
