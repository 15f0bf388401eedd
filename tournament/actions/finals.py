"""Seating the semi-final and the final: who sits in them a cut has said."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from scoring.rules import sizes_of
from seating.sizes import table_sizes
from tournament import rulebook
from tournament.actions.cuts import lock_cut
from tournament.actions.seats import new_seed, write_tables
from tournament.models import Cut, Event, LogEntry, Player, Round, Submission
from tournament.models.actors import Actor
from tournament.models.events import FinalSeats, SemiSeating
from tournament.models.players import PlayerStatus
from tournament.queries.cuts import line_of, round_of
from tournament.queries.names import called, listed_names
from tournament.refusals import Conflict, Refused, in_words


@transaction.atomic
def draw_final(
    *,
    cut: Cut,
    by: Actor,
    seed: int | None = None,
    chosen: Mapping[int, int] | None = None,
    key: str = "",
) -> Round:
    """One table of the finalists; a draft like every round. `chosen`: the seat that each took, by
    start number, where the event lets them choose."""
    event, cut = lock_cut(cut)
    if (known := _drawn_before(event, cut, key)) is not None:
        return known
    finalists = _who_plays(cut)
    _check_table(event, len(finalists))
    seed = new_seed() if seed is None else seed
    seated = _in_seat_order(event, finalists, seed, chosen or {})
    after = {"seats": [player.number for player in seated], "given": event.final_seats}
    return _draw(cut, [seated], seed, by, key, "final.drawn", after)


@transaction.atomic
def draw_semi_final(*, cut: Cut, by: Actor, seed: int | None = None, key: str = "") -> Round:
    """Tables of those who advance, about six at each: ranks spread, or by lot. At a table chance
    gives the seats. A draft like every round."""
    event, cut = lock_cut(cut)
    if (known := _drawn_before(event, cut, key)) is not None:
        return known
    players = _who_plays(cut)
    sizes = _sizes(event, len(players))
    seed = new_seed() if seed is None else seed
    chance = random.Random(seed)
    if event.semi_seating == SemiSeating.LOT:
        chance.shuffle(players)
    tables = snake(players, len(sizes))
    for table in tables:
        chance.shuffle(table)
    after = {"tables": len(tables), "given": event.semi_seating}
    return _draw(cut, tables, seed, by, key, "semi_final.drawn", after)


def snake[T](ranked: Sequence[T], tables: int) -> list[list[T]]:
    """Spread over so many tables, there and back again: of two tables 1, 4, 5, 8 … and 2, 3, 6,
    7 …"""
    found: list[list[T]] = [[] for _table in range(tables)]
    for start in range(0, len(ranked), tables):
        row = ranked[start : start + tables]
        # The last row may be short: it goes on from where the one before came back.
        order = found if (start // tables) % 2 == 0 else found[::-1]
        for table, one in zip(order, row, strict=False):
            table.append(one)
    return found


def _drawn_before(event: Event, cut: Cut, key: str) -> Round | None:
    """What this very press has drawn already; refused where the stage can't be drawn."""
    drawn = round_of(event, cut.stage)
    if Submission.objects.processed(event, key):
        if drawn is not None:
            return drawn
        raise Conflict(_("This page is old: what it drew was cancelled. Press again."))
    if drawn is not None:
        raise Refused(_("It is drawn already: %(round)s.") % {"round": drawn.label})
    if line_of(cut).level:
        raise Refused(_("The tie on the line has to be settled by a lot first."))
    return None


def _who_plays(cut: Cut) -> list[Player]:
    """In order of rank."""
    players = [one.player for one in cut.qualifiers.seated().select_related("player")]
    if gone := [one for one in players if one.status != PlayerStatus.CHECKED_IN]:
        raise Refused(
            _("No longer here: %(names)s. Decline the seat first, so that the next moves up.")
            % {"names": listed_names(gone)}
        )
    return players


def _sizes(event: Event, players: int) -> tuple[int, ...]:
    try:
        known = sizes_of(rulebook.ruleset_of(event))
        sizes = table_sizes(players, event.max_tables, known)
    except Refusal as refusal:
        raise in_words(refusal) from refusal
    for size in set(sizes):
        _check_table(event, size)
    if event.semi_per_table * len(sizes) > event.cut_size:
        raise Refused(
            _("The best %(best)d of each of %(tables)d tables are more than the final has seats.")
            % {"best": event.semi_per_table, "tables": len(sizes)}
        )
    return sizes


def _check_table(event: Event, size: int) -> None:
    try:
        rulebook.check_size(event, size)
    except Refusal as refusal:
        raise in_words(refusal) from refusal


def _draw(
    cut: Cut,
    tables: Sequence[Sequence[Player]],
    seed: int,
    by: Actor,
    key: str,
    verb: str,
    after: dict[str, Any],
) -> Round:
    event = cut.event
    round_ = Round.objects.create(
        event=event, stage=cut.stage, number=1, deals=event.deals_of(cut.stage), seed=seed
    )
    write_tables(round_, [[player.pk for player in table] for table in tables])
    Submission.objects.remember(event, key, round_)
    LogEntry.objects.record(verb, event=event, by=by, about=round_, after=after)
    return round_


def _in_seat_order(
    event: Event, finalists: Sequence[Player], seed: int, chosen: Mapping[int, int]
) -> list[Player]:
    """`finalists` come in order of rank."""
    seated = list(finalists)
    if event.final_seats == FinalSeats.LOT:
        random.Random(seed).shuffle(seated)
    if event.final_seats != FinalSeats.CHOICE:
        return seated
    taken: dict[int, Player] = {}
    for player in finalists:
        seat = chosen.get(player.number, 0)
        if not 1 <= seat <= len(finalists):
            raise Refused(_("Enter the seat of %(name)s.") % {"name": called(player)})
        if before := taken.get(seat):
            raise Refused(
                _("Seat %(seat)d is taken by %(before)s, who chose before %(name)s.")
                % {"seat": seat, "before": called(before), "name": called(player)}
            )
        taken[seat] = player
    return [taken[seat] for seat in sorted(taken)]
