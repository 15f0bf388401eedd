"""The line after the best players, ties on it, and declined seats."""

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scoring.cut import CutLine, cut_line, next_in_order
from scoring.standings import StandingRow, Tally, ranked


def rows(*points: int) -> Sequence[StandingRow]:
    """A standing of players a, b, c, … with these points."""
    names = "abcdefghijklmnopqrst"
    return ranked({names[i]: Tally(p, 0, 1) for i, p in enumerate(points)})


def test_nobody_level_on_the_line_leaves_a_clean_cut() -> None:
    assert cut_line(rows(5, 4, 4, 3, 2), 3) == CutLine(3, ("a", "b", "c"), (), 0)


def test_all_level_on_the_line_wait_for_all_free_seats() -> None:
    assert cut_line(rows(5, 4, 4, 4, 2), 3) == CutLine(3, ("a",), ("b", "c", "d"), 2)


def test_lot_settles_the_line() -> None:
    found = cut_line(rows(5, 4, 4, 4, 2), 3, lot_order=("d", "b", "c"))
    assert found == CutLine(3, ("a", "d", "b"), (), 0)


def test_lot_among_some_of_the_level_settles_nothing() -> None:
    found = cut_line(rows(5, 4, 4, 4, 2), 3, lot_order=("d", "b"))
    assert found.level == ("b", "c", "d")


def test_excluded_players_are_passed_over() -> None:
    assert cut_line(rows(5, 4, 4, 4, 2), 3, frozenset("ac")).qualified == ("b", "d", "e")


def test_few_players_all_qualify() -> None:
    assert cut_line(rows(5, 5), 6) == CutLine(6, ("a", "b"), (), 0)


def test_declined_seat_goes_to_the_loser_of_the_lot_first() -> None:
    standing = rows(5, 4, 4, 4, 2, 1, 1)
    found = next_in_order(standing, "adb", declined="a", lot_order=("d", "b", "c"))
    assert found == (("c",), ("e",), ("f", "g"))


@given(st.lists(st.integers(0, 6), max_size=12), st.integers(0, 8), st.randoms())
def test_declining_gives_the_seat_to_the_next_in_order(
    points: list[int], size: int, random: Random
) -> None:
    standing = rows(*points)
    order = [row.player for row in standing]
    random.shuffle(order)
    first = cut_line(standing, size, lot_order=order)
    assert len(first.qualified) == min(size, len(points))
    if first.qualified:
        gone = frozenset({random.choice(first.qualified)})
        again = cut_line(standing, size, gone, order)
        waiting = next_in_order(standing, first.qualified, gone, lot_order=order)
        moved_up = waiting[0] if waiting else ()
        assert set(again.qualified) == {*first.qualified, *moved_up} - gone
