"""The standard steps of the penalty guide (Spain 2026), and when to suggest a harder one."""

import pytest

from scoring.penalties import INFRACTIONS, lateness_code, standard_step, suggests_harder
from scoring.refusal import Refusal


def test_standard_steps_of_the_guide() -> None:
    steps = {code: (standard_step(code, 1), standard_step(code, 2)) for code in INFRACTIONS}
    assert steps == {
        "1.1": (1, 2),
        "1.2": (2, 2),
        "1.3": (2, 3),
        "2.1": (2, 2),
        "2.2": (3, 3),
        "3.0": (4, 4),
        "unclassified": (None, None),
    }


@pytest.mark.parametrize(("code", "level"), [("9.9", 1), ("1.1", 3)])
def test_unknown_infraction_or_level_is_refused(code: str, level: int) -> None:
    with pytest.raises(Refusal):
        standard_step(code, level)


def test_exactly_five_minutes_late_is_still_minor() -> None:
    assert [lateness_code(seconds) for seconds in (1, 300, 301)] == ["2.1", "2.1", "2.2"]


@pytest.mark.parametrize(
    ("code", "earlier", "expected"),
    [
        ("1.1", [], False),
        ("1.1", ["1.2"], False),
        ("1.1", ["1.1"], True),
        ("1.1", ["1.2", "2.1"], True),
    ],
)
def test_second_of_a_code_or_third_in_all_suggests_more(
    code: str, earlier: list[str], expected: bool
) -> None:
    assert suggests_harder(code, earlier) is expected
