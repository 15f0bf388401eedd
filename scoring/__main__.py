"""The rules as a command: `python -m scoring COMMAND`, one JSON object in, one out."""

import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from scoring import command, eventfile
from scoring.cut import CutLine
from scoring.deals import score_deal
from scoring.editions import EDITIONS
from scoring.editions.duel import Duel
from scoring.editions.edition import Edition
from scoring.lots import commitment, lot_order
from scoring.reading import MISSING, distinct, fields, integers, text, texts
from scoring.refusal import Refusal
from scoring.rules import Rules, read_tournament_deal
from scoring.rulesets import RULESETS, Ruleset, get_ruleset
from scoring.sheets import expected_points, read_points
from scoring.standings import standings

type Json = dict[str, Any]


def rulesets(asked: object) -> Json:
    """Every ruleset with its numbers."""
    fields(asked, "")
    editions = [
        {"ruleset": one.key, **one.numbers(), "tie_order": _orders(one)}
        for one in EDITIONS.values()
    ]
    return {"rulesets": [*map(_ruleset, RULESETS.values()), *editions]}


def _orders(rules: Rules) -> Json:
    orders = {"preliminary": rules.preliminary_order, "final": rules.final_order}
    return {stage: tuple(_name(rules, one) for one in order) for stage, order in orders.items()}


def _name(rules: Rules, name: str) -> str:
    """What the Duel has in place of stars are the duels won."""
    return name.replace("stars", "wins") if isinstance(rules, Duel) else name


def _ruleset(ruleset: Ruleset) -> Json:
    infractions = {
        code: {"level_1": kind.step_level_1, "level_2": kind.step_level_2}
        for code, kind in ruleset.infractions.items()
    }
    return {
        "ruleset": ruleset.key,
        "tables": {
            str(seats): {**asdict(row), "points": dict(expected_points(ruleset, seats))}
            for seats, row in ruleset.rows.items()
        },
        "payouts": {
            "saboteur": {str(dealt): paid for dealt, paid in ruleset.saboteur_points.items()},
            "selfish": ruleset.selfish_points,
            "miner": ruleset.miner_points,
            "connector": ruleset.connector_points,
        },
        "tie_order": _orders(ruleset),
        "penalties": infractions,
    }


def deal(asked: object) -> Json:
    """Winner, points and stars of one deal."""
    edition = _edition(asked)
    return _edition_deal(edition, asked) if edition else _tournament_deal(asked)


def _edition(asked: object) -> Edition | None:
    """The edition that is asked about, if it is one."""
    key = asked.get("ruleset") if isinstance(asked, dict) else None
    return EDITIONS.get(key) if isinstance(key, str) else None


def _edition_deal(edition: Edition, asked: object) -> Json:
    needed, *more = edition.facts
    given = fields(asked, "", required=("ruleset", needed), optional=(*more, "void"))
    paid = edition.score(given)
    won = {"winner": paid.winner} if paid.winners is None else {"winners": paid.winners}
    return {**won, "points": paid.points, "stars": (0,) * len(paid.points)}


def _tournament_deal(asked: object) -> Json:
    given = fields(
        asked, "", required=("ruleset", "roles"), optional=("connector", "void", "deal_losses")
    )
    ruleset = _get_ruleset(given)
    # Not a fact of the deal: `read_deal` takes the rest as an event file has it.
    losses = given.pop("deal_losses")
    seats = () if losses is MISSING else integers(losses, "deal_losses")
    found = score_deal(ruleset, read_tournament_deal(given), frozenset(seats))
    return {"winner": found.winner, "points": found.points, "stars": found.stars}


def points(asked: object) -> Json:
    """Who can have won with these points, and the stars."""
    given = fields(asked, "", required=("ruleset", "points"))
    if edition := _edition(asked):
        typed = integers(given["points"], "points")
        edition.check_size(len(typed))
        return {"possible": edition.possible(typed), "stars": (0,) * len(typed)}
    found = read_points(_get_ruleset(given), integers(given["points"], "points"))
    return {"possible": found.possible, "stars": found.stars}


def show_standings(asked: object) -> Json:
    """The standings of an event file."""
    event = eventfile.read(asked)
    found = standings(event)
    rules = event.ruleset
    answer: Json = {
        "preliminary": [_row(rules, asdict(row)) for row in found.preliminary],
        **({"semi_cut": _line(found.semi_cut)} if found.semi_cut else {}),
        "cut": _line(found.cut, named=found.semi_cut is not None),
        "disqualified": found.disqualified,
        **(
            {"semi_final": [_row(rules, asdict(row)) for row in found.semi_final]}
            if found.semi_final
            else {}
        ),
    }
    if found.final:
        names = ("player", "rank", "points", "stars")
        answer["final"] = [
            _row(rules, {name: getattr(row, name) for name in names}) for row in found.final
        ]
        answer["decided_by"] = {
            row.player: row.decided_by and _name(rules, row.decided_by) for row in found.final
        }
    answer["order"] = [asdict(row) for row in found.order]
    if found.unranked:
        answer["unranked"] = found.unranked
    return answer


def _row(rules: Rules, row: Json) -> Json:
    if not isinstance(rules, Duel):
        return row
    return row | {"stars": 0, "wins": row["stars"]}


def _line(line: CutLine | None, *, named: bool = False) -> Json | None:
    """A line; with the name of what is open where there can be several."""
    if line is None:
        return None
    shown = asdict(line)
    # With one cut alone it can only be that one's lot.
    return shown if named else {name: shown[name] for name in shown if name != "line"}


def lot(asked: object) -> Json:
    """The commitment to a secret, and the order it gives."""
    given = fields(asked, "", required=("secret", "purpose", "players"))
    secret = text(given["secret"], "secret")
    players = distinct(texts(given["players"], "players"), "players")
    order = lot_order(secret, text(given["purpose"], "purpose"), players)
    return {"commitment": commitment(secret), "order": order}


def _get_ruleset(given: Mapping[str, Any]) -> Ruleset:
    return get_ruleset(text(given["ruleset"], "ruleset"))


COMMANDS = {
    "rulesets": rulesets,
    "deal": deal,
    "points": points,
    "standings": show_standings,
    "lot": lot,
}

_MESSAGES = {
    "malformed": "{place}: {problem}",
    "ruleset_unknown": "there is no ruleset {ruleset}",
    "ruleset_change": "the change of {field} cannot be: {problem}",
    "table_size": "this ruleset has no table of {seats}, only of {expected}",
    "role_unknown": "seat {seats}: there is no role {role}",
    "role_counts": "{found} of {role} at seats {seats}, where {expected} are dealt",
    "connector_not_at_table": "there is no seat {connector} for the connector at a table of {size}",
    "deal_loss_not_at_table": "a deal loss names seat {seats} at a table of {size}",
    "gold_cards": "the gold cards at the seats are {found}, where {expected} are handed out",
    "gold_value": "there is no gold of {value}",
    "gold_box": "{found} cards of {value}, where the box has {expected}",
    "gold_sum": "{found} nuggets on the sheet, where the box has {expected}",
    "gold_without_connector": "gold was taken, although nobody reached it",
    "door_unknown": "there is no door {door} that is not on the path yet",
    "doors_without_gold": "a door on the path, although nobody reached the gold",
    "crystals_negative": "{found} crystals",
    "jailed_not_at_table": "there is no seat {seat} to be jailed at a table of {size}",
    "thief_self": "seat {seat} steals from itself",
    "thief_not_at_table": "there is no seat {seat} for a thief or a victim at a table of {size}",
    "stage_order": "the stages do not follow each other as announced",
    "semi_seats": "a semi-final of {seats} does not lead into a final of {cut}",
    "not_qualified": "{player} sits in the final, but sat in no semi-final",
    "points_impossible": "no outcome pays {found} (seats in doubt: {seats}); possible: {expected}",
    "points_ambiguous": "{found} leaves open who has the star",
}


def words(refusal: Refusal) -> str:
    """A short message in English: the code's sentence with the values in it."""
    shown = {name: _shown(value) for name, value in refusal.values.items()}
    shown |= {"problem": shown.get("problem", "").replace("_", " ")}
    message = _MESSAGES[refusal.code].format(**shown)
    place = shown.get("place")
    # The message of `malformed` has its place already.
    return f"{place}: {message}" if place and refusal.code != "malformed" else message


def _shown(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    parts = ("+".join(map(str, part)) if isinstance(part, tuple) else str(part) for part in value)
    return ", ".join(parts) or "none"


if __name__ == "__main__":
    sys.exit(command.run(sys.argv[1:], COMMANDS, words, asks_nothing="rulesets"))
