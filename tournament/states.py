"""The states of things and the steps between them: one table for each kind of thing.

Actions refuse by it, pages and the desk offer buttons by it. What a step does beyond its state is
the action's; docs/states.md draws the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus
from tournament.models.scoresheets import SheetStatus


@dataclass(frozen=True, slots=True)
class Transition:
    """From which states it leads to which; `verb` is its name in the log."""

    sources: frozenset[str]
    target: str
    verb: str


type Transitions = Mapping[str, Transition]


def _transition(sources: tuple[str, ...], target: str, verb: str) -> Transition:
    return Transition(frozenset(sources), target, verb)


EVENT_STEPS: Transitions = {
    "publish": _transition((EventStatus.DRAFT,), EventStatus.REGISTRATION, "event.published"),
    "unpublish": _transition((EventStatus.REGISTRATION,), EventStatus.DRAFT, "event.unpublished"),
    "finish": _transition(
        (EventStatus.REGISTRATION, EventStatus.RUNNING), EventStatus.FINISHED, "event.finished"
    ),
    "reopen": _transition((EventStatus.FINISHED,), EventStatus.RUNNING, "event.reopened"),
}

ROUND_STEPS: Transitions = {
    "publish": _transition((RoundStatus.DRAWN,), RoundStatus.PUBLISHED, "round.published"),
    "unpublish": _transition((RoundStatus.PUBLISHED,), RoundStatus.DRAWN, "round.unpublished"),
    "close": _transition((RoundStatus.PUBLISHED,), RoundStatus.CLOSED, "round.closed"),
    "reopen": _transition((RoundStatus.CLOSED,), RoundStatus.PUBLISHED, "round.reopened"),
    "cancel": _transition(
        (RoundStatus.DRAWN, RoundStatus.PUBLISHED), RoundStatus.CANCELLED, "round.cancelled"
    ),
    # Back to what it was: to be played, if it was published.
    "restore": _transition((RoundStatus.CANCELLED,), RoundStatus.DRAWN, "round.restored"),
}

SHEET_STEPS: Transitions = {
    "submit": _transition((SheetStatus.OPEN,), SheetStatus.SUBMITTED, "sheet.submitted"),
    "confirm": _transition((SheetStatus.SUBMITTED,), SheetStatus.CONFIRMED, "sheet.confirmed"),
    "reopen": _transition(
        (SheetStatus.SUBMITTED, SheetStatus.CONFIRMED), SheetStatus.OPEN, "sheet.reopened"
    ),
}

_BEFORE_PLAY = (PlayerStatus.REGISTERED, PlayerStatus.CHECKED_IN, PlayerStatus.NO_SHOW)

PLAYER_STEPS: Transitions = {
    "check-in": _transition(
        (
            PlayerStatus.REGISTERED,
            PlayerStatus.NO_SHOW,
            PlayerStatus.WAITING,
            PlayerStatus.WITHDRAWN,
        ),
        PlayerStatus.CHECKED_IN,
        "player.checked_in",
    ),
    "undo-check-in": _transition(
        (PlayerStatus.CHECKED_IN, PlayerStatus.NO_SHOW),
        PlayerStatus.REGISTERED,
        "player.check_in_undone",
    ),
    "no-show": _transition((PlayerStatus.REGISTERED,), PlayerStatus.NO_SHOW, "player.no_show"),
    "drop": _transition((PlayerStatus.CHECKED_IN,), PlayerStatus.DROPPED, "player.dropped"),
    "come-back": _transition((PlayerStatus.DROPPED,), PlayerStatus.CHECKED_IN, "player.came_back"),
    "withdraw": _transition(
        (PlayerStatus.WAITING, *_BEFORE_PLAY), PlayerStatus.WITHDRAWN, "player.withdrew"
    ),
    # Back to what they were, as an undone check-in.
    "undo-withdraw": _transition(
        (PlayerStatus.WITHDRAWN,), PlayerStatus.REGISTERED, "player.withdrawal_undone"
    ),
    # At a table where somebody is missing: whoever has a seat, and was thought to be here.
    "miss": _transition(
        (PlayerStatus.CHECKED_IN, PlayerStatus.REGISTERED), PlayerStatus.NO_SHOW, "player.no_show"
    ),
}


def steps_from(steps: Transitions, status: str) -> frozenset[str]:
    """The names of the steps that are possible in this state."""
    return frozenset(name for name, step in steps.items() if status in step.sources)
