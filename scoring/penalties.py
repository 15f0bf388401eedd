"""Infractions and the step each one normally costs (Spain 2026, penalty guide)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType

from scoring.refusal import Refusal


class Step(IntEnum):
    """How hard a penalty is. Stored as the number: dictionaries swap the first two."""

    CAUTION = 1
    WARNING = 2
    DEAL_LOSS = 3
    DISQUALIFICATION = 4


# Both take the player's points and star of the deal they name.
ZEROING = frozenset({Step.DEAL_LOSS, Step.DISQUALIFICATION})


@dataclass(frozen=True, slots=True)
class Infraction:
    """A kind of offence: its number in the guide, its standard steps, examples as codes.

    A step of None leaves the choice to the judge.
    """

    code: str
    name: str
    step_level_1: Step | None
    step_level_2: Step | None
    examples: tuple[str, ...]


_KINDS = (
    Infraction(
        "1.1",
        "play_minor",
        Step.CAUTION,
        Step.WARNING,
        ("forgot_to_draw", "path_with_broken_tool", "impossible_action_card", "other"),
    ),
    Infraction(
        "1.2",
        "play_major",
        Step.WARNING,
        Step.WARNING,
        (
            "discards_face_up",
            "plays_out_of_turn",
            "two_cards_in_a_turn",
            "draws_too_many",
            "moves_laid_path_cards",
            "shows_hand_cards",
            "removes_broken_tool_by_accident",
        ),
    ),
    Infraction(
        "1.3",
        "play_severe",
        Step.WARNING,
        Step.DEAL_LOSS,
        (
            "shows_goal_or_role_cards",
            "fills_score_sheet_in_wrongly",
            "looks_at_others_cards",
            "removes_broken_tool_on_purpose",
            "removes_path_without_rockfall",
        ),
    ),
    Infraction(
        "2.1",
        "conduct_minor",
        Step.WARNING,
        Step.WARNING,
        ("staff_only_areas", "interrupts_staff", "late_up_to_five_minutes"),
    ),
    Infraction(
        "2.2",
        "conduct_major",
        Step.DEAL_LOSS,
        Step.DEAL_LOSS,
        ("late_over_five_minutes",),
    ),
    Infraction(
        "3.0",
        "unsporting_conduct",
        Step.DISQUALIFICATION,
        Step.DISQUALIFICATION,
        ("cheating", "verbal_abuse", "theft", "assault"),
    ),
    # In the guide's list of errors, but in none of its classes.
    Infraction("unclassified", "unclassified", None, None, ("draws_from_discard_pile",)),
)

INFRACTIONS: Mapping[str, Infraction] = MappingProxyType({kind.code: kind for kind in _KINDS})

LATE_MINOR_SECONDS = 300


def get_infraction(code: str) -> Infraction:
    """The infraction of this code; refuses `infraction_unknown`."""
    if code not in INFRACTIONS:
        raise Refusal("infraction_unknown", infraction=code)
    return INFRACTIONS[code]


def standard_step(code: str, level: int) -> int | None:
    """The step the guide gives at level 1 (store) or 2 (national); None: the judge picks."""
    kind = get_infraction(code)
    if level == 1:
        return kind.step_level_1
    if level == 2:
        return kind.step_level_2
    raise Refusal("level_unknown", level=level)


def lateness_code(seconds: int) -> str:
    """The infraction of coming this late; exactly five minutes is still the minor one."""
    return "2.1" if seconds <= LATE_MINOR_SECONDS else "2.2"


def suggests_harder(code: str, earlier_codes: Collection[str]) -> bool:
    """Whether to suggest a harder step: the second of one code, or the third in all.

    Only ever a suggestion; the step is a judge's choice.
    """
    return code in earlier_codes or len(earlier_codes) >= 2
