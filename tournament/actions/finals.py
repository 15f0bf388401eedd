"""Seating the final: by rank, by lot, or as the finalists chose."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from tournament import rulebook
from tournament.actions.cuts import lock_cut
from tournament.actions.seats import new_seed, write_tables
from tournament.models import Cut, Event, LogEntry, Player, Round, Submission
from tournament.models.actors import Actor
from tournament.models.events import FinalSeats
from tournament.models.players import PlayerStatus
from tournament.models.rounds import Stage
from tournament.queries.cuts import final_of, line_of
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
    """One table of the finalists, from zero; a draft like every round. `chosen`: the seat that
    each took, by start number, where the event lets them choose."""
    event, cut = lock_cut(cut)
    if Submission.objects.processed(event, key):
        if final := final_of(event):
            return final
        raise Conflict(_("This page is old: the final it drew was cancelled. Press again."))
    if final_of(event) is not None:
        raise Refused(_("The final is drawn already."))
    if line_of(cut).level:
        raise Refused(_("The tie on the line has to be settled by a lot first."))
    finalists = [one.player for one in cut.qualifiers.in_final().select_related("player")]
    if gone := [one for one in finalists if one.status != PlayerStatus.CHECKED_IN]:
        raise Refused(
            _("No longer here: %(names)s. Decline the seat first, so that the next moves up.")
            % {"names": listed_names(gone)}
        )
    try:
        rulebook.row_for(event, len(finalists))
    except Refusal as refusal:
        raise in_words(refusal) from refusal
    seed = new_seed() if seed is None else seed
    seated = _in_seat_order(event, finalists, seed, chosen or {})
    round_ = Round.objects.create(
        event=event, stage=Stage.FINAL, number=1, deals=event.final_deals, seed=seed
    )
    write_tables(round_, [[player.pk for player in seated]])
    Submission.objects.remember(event, key, round_)
    LogEntry.objects.record(
        "final.drawn",
        event=event,
        by=by,
        about=round_,
        after={"seats": [player.number for player in seated], "given": event.final_seats},
    )
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
