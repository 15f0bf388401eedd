"""What a paper sheet's points tell."""

import pytest

from scoring.refusal import Refusal
from scoring.roles import Winner
from scoring.rulesets import get_ruleset
from scoring.sheets import PointsReading, expected_points, plausible_total, read_points

SPAIN = get_ruleset("es-2026")


def refused(*points: int) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refusal) as caught:
        read_points(SPAIN, points)
    return caught.value.code, caught.value.values


def test_three_two_two_is_a_miners_win_with_the_star_at_the_three() -> None:
    assert read_points(SPAIN, (0, 2, 0, 3, 2, 0)) == PointsReading(
        (Winner.MINERS,), (0, 0, 0, 1, 0, 0), (0, 2, 0, 3, 2, 0)
    )


@pytest.mark.parametrize(
    ("points", "seats"),
    [
        ((1, 0, 0, 0, 0, 0), (1,)),
        ((3, 3, 3, 0, 0, 0), (1, 2, 3)),
        ((3, 2, 2, 2, 0, 0), (2, 3, 4)),
        ((0, 4, 0, 0, 0, 2), (6,)),
        ((3, 2, 0, 0, 0, 0), ()),
    ],
)
def test_impossible_points_name_the_seats_in_doubt(
    points: tuple[int, ...], seats: tuple[int, ...]
) -> None:
    expected = ((4,), (3, 3), (3, 2, 2), (2, 2, 2))
    found = tuple(sorted((value for value in points if value), reverse=True))
    assert refused(*points) == (
        "points_impossible",
        {"seats": seats, "found": found, "expected": expected},
    )


def test_penalty_explains_a_missing_value() -> None:
    assert read_points(SPAIN, (0, 2, 0, 0, 2, 0), frozenset({4})) == PointsReading(
        (Winner.MINERS,), (0,) * 6, (0, 2, 0, 0, 2, 0)
    )


def test_penalised_seat_may_show_what_it_would_have_got() -> None:
    assert read_points(SPAIN, (0, 2, 0, 3, 2, 0), frozenset({4})) == PointsReading(
        (Winner.MINERS,), (0,) * 6, (0, 2, 0, 0, 2, 0)
    )


def test_penalty_does_not_explain_a_surplus() -> None:
    with pytest.raises(Refusal, match="points_impossible"):
        read_points(SPAIN, (1, 2, 0, 3, 2, 0), frozenset({1}))


def test_changed_numbers_can_leave_the_star_open() -> None:
    flat = SPAIN.changed({"connector_points": 2})
    with pytest.raises(Refusal, match="points_ambiguous"):
        read_points(flat, (2, 2, 2, 0, 0, 0))
    assert read_points(flat, (3, 3, 0, 0, 0, 0)).stars == (1, 1, 0, 0, 0, 0)


def test_check_sums_of_a_six_table() -> None:
    assert dict(expected_points(SPAIN, 6)) == {
        "miners": (3, 2, 2),
        "saboteurs": (3, 3),
        "saboteur_connects": (2, 2, 2),
        "selfish": (4,),
    }


def test_no_selfish_dwarf_no_selfish_outcome() -> None:
    assert "selfish" not in expected_points(get_ruleset("en-2023"), 8)


def test_plausible_totals_are_those_some_deals_add_up_to() -> None:
    sums = {(0, 0)}
    for deals in range(1, 5):
        sums = {(p + q, s + t) for p, s in sums for q, t in ((0, 0), (2, 0), (3, 1), (4, 1))}
        for points in range(20):
            for stars in range(6):
                assert plausible_total(points, stars, deals) == ((points, stars) in sums)
