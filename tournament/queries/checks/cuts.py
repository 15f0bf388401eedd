"""The frozen record of the cut, the seats of the final, and the lots."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from django.utils.translation import gettext as _

from scoring.cut import lot_among
from scoring.eventfile import EventFile, PenaltyMark, PlayedStage
from scoring.lots import commitment, lot_order
from scoring.refusal import Refusal
from scoring.standings import standings
from tournament import rulebook
from tournament.models import Cut, Lot, Penalty, Qualifier
from tournament.models.cuts import QualifierStatus
from tournament.models.penalties import PenaltyStep
from tournament.queries.checks.facts import Facts
from tournament.queries.cuts import LINE_INTO, follows_semi_final


def cut_as_it_was(facts: Facts) -> Iterator[str]:
    """The frozen record is what the facts under the cut come to."""
    for cut in facts.cuts_in_force:
        yield from _record_differs(facts, cut)


def _record_differs(facts: Facts, cut: Cut) -> Iterator[str]:
    try:
        found = standings(_file_under(facts, cut))
    except Refusal:  # a deal that is illegal: named by the check of the deals
        return
    rows = [
        asdict(row)
        for row in (
            found.semi_final if follows_semi_final(facts.event, cut.stage) else found.preliminary
        )
    ]
    for stored, computed in zip(cut.standings, rows, strict=False):
        if stored != computed:
            yield _(
                "The record of the cut says %(stored)s, where the sheets come to %(computed)s."
            ) % {"stored": _row(stored), "computed": _row(computed)}
            return
    if len(cut.standings) != len(rows):
        yield _("The record of the cut has %(stored)d players, and the sheets %(computed)d.") % {
            "stored": len(cut.standings),
            "computed": len(rows),
        }


def _row(row: dict[str, Any]) -> str:
    return _("%(player)s on rank %(rank)s with %(points)s points, %(stars)s stars") % row


def _file_under(facts: Facts, cut: Cut) -> EventFile:
    """The event as it was when the cut was made: without what came later."""
    file = rulebook.event_file(facts.event)
    before = list(PlayedStage)[: list(PlayedStage).index(PlayedStage(cut.stage))]
    rounds = tuple(one for one in file.rounds if one.stage in before)
    # Whoever came or went since had no deal in it, or is in the record.
    seated = {seat for played in rounds for table in played.tables for seat in table.seats}
    known = {rulebook.player_id(player.number) for player in facts.players.values()}
    players = seated | ({row["player"] for row in cut.standings} & known)
    return replace(
        file,
        players=tuple(sorted(players)),
        rounds=rounds,
        penalties=_marks_under(facts, cut),
        dropped=(),
        lots=(),
        declined=(),
    )


def _marks_under(facts: Facts, cut: Cut) -> tuple[PenaltyMark, ...]:
    """Penalties that stood when the cut was made; the log knows the order of things for certain."""
    played = sorted(
        (one for one in facts.played if not one.is_final),
        key=lambda one: (one.published_at is None, one.published_at, one.pk),
    )
    index = {(one.stage, one.number): place for place, one in enumerate(played, 1)}
    found = []
    for one in facts.penalties:
        if one.step >= PenaltyStep.DEAL_LOSS and _stood_under(facts, one, cut):
            place = index.get((one.stage, one.round_number or 0), len(played) + 1)
            player = rulebook.player_id(facts.players[one.player_id].number)
            found.append(PenaltyMark(player, one.step, place, one.deal_number or 0))
    return tuple(found)


def _stood_under(facts: Facts, one: Penalty, cut: Cut) -> bool:
    told, made = facts.told.penalties.get(one.pk), facts.told.cuts.get(cut.pk)
    if one.player_id not in facts.players:
        return False
    if told is not None and made is not None:
        gone = told.withdrawn is not None and told.withdrawn < made.pk
        return told.given < made.pk and not gone
    gone = one.withdrawn_at is not None and one.withdrawn_at <= cut.created_at
    return one.created_at <= cut.created_at and not gone


def seats_as_the_cut_says(facts: Facts) -> Iterator[str]:
    """Seats went down the record in its order, by the lots among those who were level."""
    for cut in facts.cuts_in_force:
        yield from _seats_differ(facts, cut)


def _seats_differ(facts: Facts, cut: Cut) -> Iterator[str]:
    rank = {row["player"]: row["rank"] for row in cut.standings}
    offered = facts.qualifiers.get(cut.pk, [])
    holders = [one for one in offered if one.status == QualifierStatus.IN]
    if len(holders) > cut.size:
        yield _("%(count)d hold one of %(size)d seats: %(stage)s.") % {
            "count": len(holders),
            "size": cut.size,
            "stage": cut.get_stage_display(),
        }
    ids = {one.pk: _id(facts, one) for one in offered}
    for one in offered:
        if ids[one.pk] not in rank or ids[one.pk] in cut.excluded:
            yield _("%(name)s has a seat without a place in the cut: %(stage)s.") % {
                "name": facts.name(one.player_id),
                "stage": cut.get_stage_display(),
            }
    # The best of each table come in before others of all: who stands before whom is another order.
    if not (follows_semi_final(facts.event, cut.stage) and facts.event.semi_per_table):
        yield from _passed_over(facts, cut, {one for one in ids.values() if one in rank})


def _id(facts: Facts, one: Qualifier) -> str:
    player = facts.players.get(one.player_id)
    return rulebook.player_id(player.number) if player is not None else ""


def _passed_over(facts: Facts, cut: Cut, offered: Collection[str]) -> Iterator[str]:
    """Nobody who was here all the time stands before somebody who was offered a seat."""
    lots = [lot.order for lot in facts.lots if lot.line == LINE_INTO[cut.stage]]
    away = _left_since(facts, cut) | set(cut.excluded) | set(offered)
    rank = {row["player"]: row["rank"] for row in cut.standings}
    waiting = [player for player in rank if player not in away]
    last = max((rank[one] for one in offered), default=0)
    level = [one for one in offered if rank[one] == last]
    for player in waiting:
        if rank[player] < last or (rank[player] == last and not _behind(player, level, lots)):
            yield _("%(player)s was passed over in the seats: %(stage)s.") % {
                "player": player,
                "stage": cut.get_stage_display(),
            }


def _behind(player: str, level: Sequence[str], lots: Sequence[Sequence[str]]) -> bool:
    """Whether a lot put the player behind each of these, who are level."""
    return all((order := lot_among((one, player), lots)) and order[-1] == player for one in level)


def _left_since(facts: Facts, cut: Cut) -> set[str]:
    """Who left at any time after the cut, even if they came back: they may have been away when a
    seat was offered."""
    made = facts.told.cuts.get(cut.pk)
    gone = {key for entry, key in facts.told.left if made is not None and entry > made.pk}
    gone |= {one.player_id for one in facts.penalties if one.step == PenaltyStep.DISQUALIFICATION}
    return {
        rulebook.player_id(player.number)
        for key, player in facts.players.items()
        if key in gone or made is None or player.status != "checked_in"
    }


def stages_of_the_qualified(facts: Facts) -> Iterator[str]:
    """At the tables of a stage after a cut sit those who hold a seat."""
    cuts = {cut.stage: cut for cut in facts.cuts_in_force}
    for round_ in (one for one in facts.in_force if not one.is_preliminary):
        named = {"round": round_.label}
        cut = cuts.get(round_.stage)
        if cut is None:
            yield _("%(round)s is drawn, but there is no cut.") % named
            continue
        tables = facts.tables.get(round_.pk, [])
        seated = {seat.player_id for one in tables for seat in facts.seats.get(one.pk, ())}
        offered = facts.qualifiers.get(cut.pk, [])
        holders = {one.player_id for one in offered if one.status == QualifierStatus.IN}
        for player in sorted(seated ^ holders):
            named["name"] = facts.name(player)
            if player in holders:
                yield _("%(name)s holds a seat, but does not sit there: %(round)s.") % named
            else:
                yield _("%(name)s sits there without holding a seat: %(round)s.") % named


def lots_verifiable(facts: Facts) -> Iterator[str]:
    """The secret of each lot fits what was published before, and its order follows from it."""
    ours = [lot for lot in facts.lots if lot.secret]
    for number, lot in enumerate(ours, 1):
        named = {"line": lot.line, "number": number}
        if not _committed(facts, ours, number):
            yield _("The secret of lot %(number)d (%(line)s) is not the one that was promised.") % (
                named
            )
        elif list(lot_order(lot.secret, lot.line, lot.players)) != lot.order:
            yield _("The order of lot %(number)d (%(line)s) does not follow from its secret.") % (
                named
            )
    for lot in facts.lots:
        if sorted(lot.order) != sorted(lot.players) or len(set(lot.order)) < len(lot.order):
            yield _("A lot (%(line)s) does not name everybody who was level, each once.") % {
                "line": lot.line
            }


def _committed(facts: Facts, ours: Sequence[Lot], number: int) -> bool:
    """An archive does not know the seed: there each secret shows that the next one was promised."""
    secret = ours[number - 1].secret
    try:
        if facts.event.lot_seed:
            return secret == rulebook.lot_secret(facts.event, number)
        return number == 1 or commitment(secret) == ours[number - 2].secret
    except Refusal:
        return False
