"""The line after the best players, ties on it, and declined seats."""

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scoring.cut import CUT, CutLine, cut_line
from scoring.standings import StandingRow, Tally, ranked


def rows(*points: int) -> Sequence[StandingRow]:
    """A standing of players a, b, c, … with these points."""
    names = "abcdefghijklmnopqrst"
    return ranked({names[i]: Tally(p, 0, 1) for i, p in enumerate(points)})


def test_nobody_level_on_the_line_leaves_a_clean_cut() -> None:
    assert cut_line(rows(5, 4, 4, 3, 2), 3) == CutLine(3, ("a", "b", "c"), (), 0)


def test_all_level_on_the_line_wait_for_all_free_seats() -> None:
    assert cut_line(rows(5, 4, 4, 4, 2), 3) == CutLine(3, ("a",), ("b", "c", "d"), 2, CUT)


def test_lot_settles_the_line() -> None:
    found = cut_line(rows(5, 4, 4, 4, 2), 3, lots=[("d", "b", "c")])
    assert found == CutLine(3, ("a", "d", "b"), (), 0)


def test_lot_among_some_of_the_level_settles_nothing() -> None:
    found = cut_line(rows(5, 4, 4, 4, 2), 3, lots=[("d", "b")])
    assert found.level == ("b", "c", "d")


def test_excluded_players_are_passed_over() -> None:
    assert cut_line(rows(5, 4, 4, 4, 2), 3, frozenset("ac")).qualified == ("b", "d", "e")


def test_few_players_all_qualify() -> None:
    assert cut_line(rows(5, 5), 6) == CutLine(6, ("a", "b"), (), 0)


def test_first_lot_among_all_who_are_level_counts() -> None:
    lots = [("b", "c"), ("d", "b", "x", "c"), ("b", "c", "d")]
    assert cut_line(rows(5, 4, 4, 4, 2), 3, lots=lots).qualified == ("a", "d", "b")


def test_declined_seat_goes_to_the_loser_of_the_lot_first() -> None:
    found = cut_line(rows(5, 4, 4, 4, 2, 1, 1), 3, "a", [("d", "b", "c")])
    assert found.qualified == ("b", "c", "d")  # all who were level are in: no lot is needed


@given(st.lists(st.integers(0, 6), max_size=12), st.integers(0, 8), st.randoms())
def test_declining_gives_the_seat_to_the_next_in_order(
    points: list[int], size: int, random: Random
) -> None:
    standing = rows(*points)
    order = [row.player for row in standing]
    random.shuffle(order)
    first = cut_line(standing, size, lots=[order])
    assert len(first.qualified) == min(size, len(points))
    if first.qualified:
        gone = frozenset({random.choice(first.qualified)})
        again = cut_line(standing, size, gone, [order])
        assert set(first.qualified) - gone <= set(again.qualified)
        assert len(again.qualified) == min(size, len(points) - 1)
