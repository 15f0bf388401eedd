"""Rulesets hold the numbers, and take an event's own."""

import copy
import pickle
from typing import Any

import pytest

from scoring.refusal import Refusal
from scoring.rulesets import RULESETS, RoleRow, get_ruleset

ENGLISH = get_ruleset("en-2023")


@pytest.mark.parametrize("key", RULESETS)
def test_every_row_deals_as_many_cards_as_players(key: str) -> None:
    assert all(seats == row.size for seats, row in RULESETS[key].rows.items())


def test_event_may_add_a_row_and_change_points() -> None:
    row = {"saboteur": 3, "miner": 5, "selfish": 2, "hand_cards": 4}
    changes = {"rows": {"10": row}, "saboteur_points": {"4": 3}, "selfish_points": 5}
    found = ENGLISH.changed(changes)
    assert found.row(10) == RoleRow(3, 5, 2, 4)
    assert found.row(6) == ENGLISH.row(6)
    assert (found.points_per_saboteur(4), found.points_per_saboteur(1)) == (3, 4)
    assert found.selfish_points == 5
    assert found.changes() == changes


def test_same_changes_give_an_equal_ruleset() -> None:
    one, two = ENGLISH.changed({"miner_points": 1}), ENGLISH.changed({"miner_points": 1})
    assert (one, hash(one)) == (two, hash(two))
    assert one != ENGLISH
    assert ENGLISH.changed({}) == ENGLISH


def test_ruleset_can_be_copied_and_pickled() -> None:
    changed = ENGLISH.changed({"miner_points": 1})
    assert copy.deepcopy(changed) == pickle.loads(pickle.dumps(changed)) == changed


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"selfish": 4}, "selfish"),
        ({"selfish_points": True}, "selfish_points"),
        ({"miner_points": 0}, "miner_points"),
        ({"connector_points": 100}, "connector_points"),
        ({"rows": {"11": {}}}, "rows.11"),
        ({"rows": {"6": {"saboteur": 2, "miner": 3, "selfish": 1}}}, "rows.6.hand_cards"),
        ({"rows": {"6": {"saboteur": 0}}}, "rows.6.miner"),
        ({"rows": []}, "rows"),
        ({"saboteur_points": {"0": 4}}, "saboteur_points.0"),
        ({"saboteur_points": {"1": "4"}}, "saboteur_points.1"),
        ([], "input"),
    ],
)
def test_change_that_cannot_be_names_its_field(changes: Any, field: str) -> None:
    with pytest.raises(Refusal) as caught:
        ENGLISH.changed(changes)
    assert (caught.value.code, caught.value.values["field"]) == ("ruleset_change", field)


def test_counts_of_a_changed_row_add_up_to_its_size() -> None:
    row = {"saboteur": 2, "miner": 3, "selfish": 2, "hand_cards": 5}
    with pytest.raises(Refusal) as caught:
        ENGLISH.changed({"rows": {"6": row}})
    assert caught.value.values == {"field": "rows.6", "problem": "wrong_sum"}


def test_unknown_ruleset_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        get_ruleset("es-1999")
    assert (caught.value.code, caught.value.values) == ("ruleset_unknown", {"ruleset": "es-1999"})
