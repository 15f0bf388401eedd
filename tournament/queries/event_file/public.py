"""What everybody may know of an event: the facts that `scoring` computes with, and how they are
shown."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.utils import translation

from scoring import eventfile
from scoring.lots import commitment
from scoring.refusal import Refusal
from scoring.standings import standings
from tournament import rulebook
from tournament.models import Cut, Event, Player, Round, Table
from tournament.models.rounds import Stage
from tournament.queries.event_file.kinds import EVENT
from tournament.queries.event_file.values import written

VERSION = 1
# The seed tells lots before they are drawn.
PRIVATE_SETTINGS = frozenset({"lot_seed"})
PLAYER = ("number", "status", "dropped_after", "unranked")
ROUND = ("stage", "number", "deals", "status", "published_at", "closed_at")
SHEET = ("status", "submitted_at", "confirmed_at")
CUT = ("stage", "size", "standings", "excluded", "created_at")
QUALIFIER = ("place", "status", "by_lot")
LOT = ("line", "players", "order", "secret", "paper_note", "created_at")


def public_file(event: Event) -> dict[str, Any]:
    """The file that `python -m scoring standings` reads, and under `event` what it passes over."""
    facts = rulebook.event_file(event)
    with translation.override("en"):  # “Player 7” is the same wherever it is written
        shown = _shown(event, facts)
    return {
        **eventfile.write(facts),
        "event": shown,
        **({"x": x} if (x := event.extensions.get("public")) else {}),
    }


def _shown(event: Event, facts: eventfile.EventFile) -> dict[str, Any]:
    known = {int(player) for player in facts.players}
    people = [one for one in event.players.order_by("number") if one.number in known]
    return {
        "version": VERSION,
        "settings": {
            one.name: written(getattr(event, one.attname))
            for one in EVENT.fields
            if one.name not in PRIVATE_SETTINGS
        },
        "players": [_player(one) for one in people],
        "rounds": [_round(one) for one in _rounds(event)],
        "semi_cut": _cut(event, Stage.SEMI_FINAL),
        "cut": _cut(event, Stage.FINAL),
        "lots": [_some(lot, LOT) for lot in event.lots.in_force().order_by("pk")],
        "commitment": _commitment(event),
        "standings": told_standings(facts),
    }


def told_standings(facts: eventfile.EventFile) -> dict[str, Any] | None:
    """As `scoring` computes them; None where a stored deal cannot be."""
    try:
        found = standings(facts)
    except Refusal:
        return None
    return {
        "preliminary": [asdict(row) for row in found.preliminary],
        "semi_final": [asdict(row) for row in found.semi_final],
        "final": [asdict(row) for row in found.final],
        "order": [asdict(row) for row in found.order],
        "disqualified": list(found.disqualified),
        "unranked": list(found.unranked),
    }


def _some(row: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: written(getattr(row, name)) for name in names}


def _player(player: Player) -> dict[str, Any]:
    return _some(player, PLAYER) | {"name": player.public_name}


def _rounds(event: Event) -> list[Round]:
    """In the order of the facts."""
    return list(event.rounds.played().in_order_of_play().prefetch_related("tables__sheet"))


def _round(round_: Round) -> dict[str, Any]:
    tables = sorted(round_.tables.all(), key=lambda table: table.number)
    return _some(round_, ROUND) | {"tables": [_table(table) for table in tables]}


def _table(table: Table) -> dict[str, Any]:
    return {"number": table.number, "sheet": _some(table.sheet, SHEET)}


def _cut(event: Event, stage: str) -> dict[str, Any] | None:
    """The one in force that leads into this stage."""
    cut: Cut | None = event.cuts.in_force().into(stage).first()
    if cut is None:
        return None
    offered = cut.qualifiers.select_related("player").order_by("place")
    seats = [_some(one, QUALIFIER) | {"player": one.player.number} for one in offered]
    return _some(cut, CUT) | {"qualifiers": seats}


def _commitment(event: Event) -> str:
    """What was public before anybody played; an archive has it from its first lot."""
    if event.lot_seed:
        return commitment(rulebook.lot_secret(event, 1))
    first = event.lots.exclude(secret="").order_by("pk").first()
    return commitment(first.secret) if first is not None else ""
