"""One deal, by the worked examples of the rules and by what always holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.deals import DealFacts, DealResult, score_deal
from scoring.refusal import Refusal
from scoring.roles import Role, Winner, read_roles
from scoring.rulesets import RULESETS, RoleRow, Ruleset, get_ruleset

SPAIN = get_ruleset("es-2026")
SIX = (Role.SABOTEUR, Role.SABOTEUR, Role.MINER, Role.MINER, Role.MINER, Role.SELFISH)


def refused(
    deal: DealFacts, *losses: int, ruleset: Ruleset = SPAIN
) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refusal) as caught:
        score_deal(ruleset, deal, frozenset(losses))
    return caught.value.code, caught.value.values


def test_selfish_dwarf_who_connects_takes_four() -> None:
    assert score_deal(SPAIN, DealFacts(SIX, 6)) == DealResult(
        Winner.SELFISH, (0, 0, 0, 0, 0, 4), (0, 0, 0, 0, 0, 1)
    )


def test_saboteur_who_connects_gets_nothing_and_nobody_a_star() -> None:
    assert score_deal(SPAIN, DealFacts(SIX, 1)) == DealResult(
        Winner.MINERS, (0, 0, 2, 2, 2, 0), (0,) * 6
    )


def test_deal_loss_of_the_connector_moves_nobody_elses_score() -> None:
    assert score_deal(SPAIN, DealFacts(SIX, 3), frozenset({3})) == DealResult(
        Winner.MINERS, (0, 0, 0, 2, 2, 0), (0,) * 6
    )


def test_surplus_role_is_refused_with_its_seats() -> None:
    roles = (*SIX[:2], Role.SABOTEUR, *SIX[3:])
    assert refused(DealFacts(roles, None)) == (
        "role_counts",
        {"role": Role.SABOTEUR, "expected": 2, "found": 3, "seats": (1, 2, 3)},
    )


def test_waived_counts_pay_by_the_roles_dealt() -> None:
    four = DealFacts((Role.SABOTEUR,) * 4 + (Role.MINER,) * 2, None, counts_waived=True)
    assert score_deal(SPAIN, four).points == (2, 2, 2, 2, 0, 0)


def test_void_deal_gives_nothing_whatever_was_dealt() -> None:
    nothing = DealResult(None, (0,) * 6, (0,) * 6)
    assert score_deal(SPAIN, DealFacts((Role.SABOTEUR,) * 6, void=True)) == nothing
    assert score_deal(SPAIN, DealFacts(void=True), seats=6) == nothing


def test_points_alone_give_winner_and_stars() -> None:
    assert score_deal(SPAIN, DealFacts(points=(3, 3, 0, 0, 0, 0))) == DealResult(
        Winner.SABOTEURS, (3, 3, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0)
    )


def test_single_four_at_a_five_table_leaves_the_winner_open() -> None:
    assert score_deal(SPAIN, DealFacts(points=(0, 4, 0, 0, 0))) == DealResult(
        None, (0, 4, 0, 0, 0), (0, 1, 0, 0, 0)
    )


@pytest.mark.parametrize("seat", [0, 7])
def test_seats_that_are_not_at_the_table_are_refused(seat: int) -> None:
    size = {"size": 6}
    assert refused(DealFacts(SIX, seat)) == ("connector_not_at_table", {"connector": seat} | size)
    assert refused(DealFacts(SIX), seat) == ("deal_loss_not_at_table", {"seats": (seat,)} | size)


def test_table_without_a_row_is_refused() -> None:
    assert refused(DealFacts((Role.MINER,) * 10), ruleset=get_ruleset("en-2023")) == (
        "table_size",
        {"seats": 10, "expected": (5, 6, 7, 8, 9)},
    )


def test_deal_holds_roles_or_points_never_both() -> None:
    with pytest.raises(Refusal, match="malformed"):
        DealFacts(SIX, points=(0,) * 6)
    with pytest.raises(Refusal, match="malformed"):
        DealFacts()
    with pytest.raises(Refusal, match="malformed"):
        DealFacts(points=(0,) * 6, connector=1)


def test_unknown_role_is_refused_with_its_seat() -> None:
    with pytest.raises(Refusal) as caught:
        read_roles(["miner", "king"])
    assert caught.value.values == {"seats": (2,), "role": "king"}


def cards(row: RoleRow) -> list[Role]:
    return [role for role in Role for _ in range(getattr(row, role))]


@st.composite
def deals(draw: st.DrawFn) -> tuple[Ruleset, DealFacts, frozenset[int]]:
    ruleset = draw(st.sampled_from(list(RULESETS.values())))
    row = draw(st.sampled_from(list(ruleset.rows.values())))
    roles = tuple(draw(st.permutations(cards(row))))
    seats = st.integers(1, row.size)
    return (
        ruleset,
        DealFacts(roles, draw(st.none() | seats)),
        draw(st.frozensets(seats, max_size=3)),
    )


@given(deals())
def test_deal_loss_zeroes_its_seat_and_no_other(
    case: tuple[Ruleset, DealFacts, frozenset[int]],
) -> None:
    ruleset, deal, losses = case
    without, found = score_deal(ruleset, deal), score_deal(ruleset, deal, losses)
    for seat, points in enumerate(without.points, 1):
        assert found.points[seat - 1] == (0 if seat in losses else points)
        assert found.stars[seat - 1] == (0 if seat in losses else without.stars[seat - 1])


@given(deals())
def test_points_of_a_deal_tell_its_stars(case: tuple[Ruleset, DealFacts, frozenset[int]]) -> None:
    ruleset, deal, losses = case
    scored = score_deal(ruleset, deal)
    read = score_deal(ruleset, DealFacts(points=scored.points))
    assert (read.points, read.stars) == (scored.points, scored.stars)
    assert read.winner in (scored.winner, None)
    lost = score_deal(ruleset, deal, losses)
    for shown in (scored.points, lost.points):
        found = score_deal(ruleset, DealFacts(points=shown), losses)
        assert (found.points, found.stars) == (lost.points, lost.stars)
