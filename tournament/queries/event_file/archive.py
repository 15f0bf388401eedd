"""A public file as rows: all that it tells, and for the rest what a row has by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import NOT_PROVIDED

from scoring.eventfile import EventFile, PlayedStage, PlayedTable
from scoring.rules import Rules
from tournament import rulebook
from tournament.models.cuts import QualifierStatus
from tournament.models.penalties import PenaltyStep
from tournament.models.players import PlayerStatus
from tournament.queries.event_file.kinds import EVENT, FORMAT, Kind
from tournament.queries.event_file.values import written

# What a judge saw is private; only which deal it cost can be told from the points.
INFRACTION = "unclassified"


def archive_rows(public: Mapping[str, Any], facts: EventFile) -> dict[str, Any]:
    """The whole file of an event of which only the public one is left: no contact, no link, no log.

    Raises KeyError, TypeError or ValueError where the file lacks what it needs.
    """
    told = public["event"]
    settings = told["settings"]
    made_at = settings["created_at"]
    rounds = [
        _round(facts.ruleset, one, played.tables, made_at)
        for one, played in zip(told["rounds"], facts.rounds, strict=True)
    ]
    cuts = [one for one in (told["semi_cut"], told["cut"]) if one is not None]
    final = next((n for n, one in enumerate(rounds, 1) if one["stage"] == PlayedStage.FINAL), None)
    lots = [
        one | {"final": str(final) if final and one["line"].startswith("place:") else None}
        for one in told["lots"]
    ]
    event = {name: [] for name in (kind.name for kind in EVENT.children)} | settings
    event |= {
        "lot_seed": "",
        "players": [_player(one, made_at) for one in told["players"]],
        "rounds": rounds,
        "penalties": _penalties(facts, rounds, made_at),
        "cuts": [_cut(one) for one in cuts],
        "lots": lots,
    }
    return {"format": FORMAT, "people": [], "event": event}


def _row(kind: Kind, created_at: str, **told: Any) -> dict[str, Any]:
    """What is told, and the model's own values."""
    found: dict[str, Any] = {}
    for one in kind.fields:
        found[one.name] = None if one.default is NOT_PROVIDED else written(one.get_default())
        if one.default is NOT_PROVIDED and not one.null and one.empty_strings_allowed:
            found[one.name] = ""
        if getattr(one, "auto_now_add", False):
            found[one.name] = created_at
    for child in kind.children:
        found[child.name] = None if child.one else []
    return found | told


def _kind(*names: str) -> Kind:
    found = EVENT
    for name in names:
        found = next(one for one in found.children if one.name == name)
    return found


def _player(told: Mapping[str, Any], made_at: str) -> dict[str, Any]:
    return _row(_kind("players"), made_at, **told, source="import")


def _round(
    rules: Rules, told: Mapping[str, Any], tables: tuple[PlayedTable, ...], made_at: str
) -> dict[str, Any]:
    own = {name: value for name, value in told.items() if name != "tables"}
    return _row(
        _kind("rounds"),
        told["published_at"] or made_at,
        **own,
        tables=[
            _table(rules, one, played, made_at)
            for one, played in zip(told["tables"], tables, strict=True)
        ],
    )


def _table(
    rules: Rules, told: Mapping[str, Any], played: PlayedTable, made_at: str
) -> dict[str, Any]:
    deals = [
        _row(
            _kind("rounds", "tables", "sheet", "deals"),
            made_at,
            number=number,
            **(stored := rulebook.stored_as(rules, one)),
            reason="–" if stored["void"] or stored["counts_waived"] else "",
        )
        for number, one in enumerate(played.deals, 1)
    ]
    seats = [
        {"position": position, "player": int(player)}
        for position, player in enumerate(played.seats, 1)
    ]
    sheet = _row(_kind("rounds", "tables", "sheet"), made_at, **told["sheet"], deals=deals)
    return _row(_kind("rounds", "tables"), made_at, number=told["number"], seats=seats, sheet=sheet)


def _penalties(
    facts: EventFile, rounds: list[dict[str, Any]], made_at: str
) -> list[dict[str, Any]]:
    """Those that cost a deal, of the round they name; behind the last one it is the next."""
    played = [(one["stage"], one["number"]) for one in rounds]
    preliminary = [number for stage, number in played if stage == PlayedStage.PRELIMINARY]
    following = (str(PlayedStage.PRELIMINARY), max(preliminary, default=0) + 1)
    found = []
    for mark in facts.penalties:
        stage, number = played[mark.round - 1] if mark.round <= len(played) else following
        out = mark.step == PenaltyStep.DISQUALIFICATION
        found.append(
            _row(
                _kind("penalties"),
                made_at,
                player=int(mark.player),
                infraction=INFRACTION,
                step=mark.step,
                stage=stage,
                round_number=number,
                deal_number=mark.deal,
                status_before=PlayerStatus.CHECKED_IN if out else "",
            )
        )
    return found


def _cut(told: Mapping[str, Any]) -> dict[str, Any]:
    own = {name: value for name, value in told.items() if name != "qualifiers"}
    seats = [_row(_kind("cuts", "qualifiers"), "", **one) for one in told["qualifiers"]]
    for one in seats:
        declined = one["status"] == QualifierStatus.DECLINED
        one["reason"] = "–" if declined else ""
    return own | {"undone_at": None, "qualifiers": seats}
