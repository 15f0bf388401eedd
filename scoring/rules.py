"""The rules of an event: a tournament's ruleset, or an edition that clubs play.

Both have `key`, `preliminary_order` and `final_order`, `infractions`, `row`, `changes`, `changed`;
what differs is told apart here, and nowhere else in `scoring` but where a command shows it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.deals import NO_SEATS, DealFacts, DealResult, score_deal
from scoring.editions import EDITIONS
from scoring.editions.edition import Edition, EditionDeal, Payout
from scoring.reading import MISSING, boolean, integer, integers, malformed, texts
from scoring.refusal import Refusal
from scoring.roles import read_roles
from scoring.rulesets import RULESETS, Ruleset

type Rules = Ruleset | Edition
type AnyDeal = DealFacts | EditionDeal
type AnyResult = DealResult | Payout

RULES: Mapping[str, Rules] = {**RULESETS, **EDITIONS}


def get_rules(key: str) -> Rules:
    """The rules of this key; refuses `ruleset_unknown`."""
    if key not in RULES:
        raise Refusal("ruleset_unknown", ruleset=key)
    return RULES[key]


def sizes_of(rules: Rules) -> tuple[int, ...]:
    """Of the tables that the rules know, ascending."""
    return tuple(rules.sizes if isinstance(rules, Edition) else rules.rows)


def score_table(
    rules: Rules, deals: Sequence[AnyDeal], losses: Mapping[int, frozenset[int]], size: int
) -> Iterator[AnyResult]:
    """Each deal of a table with its result, in the order played. `losses`: deal -> the seats that
    get nothing for it, both from 1. Refuses, at the deal that is wrong, what a deal's score does.
    """
    if isinstance(rules, Edition):
        yield from rules.score_table([_own(deal) for deal in deals], losses, size)
        return
    for number, deal in enumerate(deals, 1):
        assert isinstance(deal, DealFacts)
        # Most deals cost nobody anything: with the same empty set their results are found again.
        yield score_deal(rules, deal, losses.get(number, NO_SEATS), size)


def _own(deal: AnyDeal) -> EditionDeal:
    assert isinstance(deal, EditionDeal)
    return deal


def deal_fields(rules: Rules) -> tuple[str, ...]:
    """The fields that a deal of an event file may have."""
    if isinstance(rules, Edition):
        return rules.deal_fields
    return ("roles", "connector", "void", "points", "counts_waived")


def read_deal(rules: Rules, given: dict[str, Any]) -> AnyDeal:
    """The deal of these fields, as `reading.fields` gives them; places start at the deal."""
    if isinstance(rules, Edition):
        return rules.read_deal(given)
    return read_tournament_deal(given)


def read_tournament_deal(given: Mapping[str, Any]) -> DealFacts:
    """The same of a tournament."""
    roles, points, connector = (given.get(n, MISSING) for n in ("roles", "points", "connector"))
    void = _flag(given, "void")
    # null says that nobody connected; saying nothing is a slip. A void deal need not tell.
    if roles is not MISSING and connector is MISSING and not void:
        raise malformed("connector", "missing")
    return DealFacts(
        roles=None if roles is MISSING else read_roles(texts(roles, "roles")),
        connector=None if connector in (MISSING, None) else integer(connector, "connector"),
        void=void,
        points=None if points is MISSING else integers(points, "points"),
        counts_waived=_flag(given, "counts_waived"),
    )


def _flag(given: Mapping[str, Any], name: str) -> bool:
    value = given.get(name, MISSING)
    return False if value is MISSING else boolean(value, name)


def write_deal(rules: Rules, deal: AnyDeal) -> dict[str, Any]:
    """What `read_deal` takes back to the same deal."""
    if isinstance(rules, Edition):
        return rules.write_deal(_own(deal))
    assert isinstance(deal, DealFacts)
    found: dict[str, Any] = {}
    if deal.roles is not None:
        found["roles"] = [str(role) for role in deal.roles]
        found["connector"] = deal.connector
    if deal.points is not None:
        found["points"] = list(deal.points)
    return found | {name: True for name in ("void", "counts_waived") if getattr(deal, name)}
