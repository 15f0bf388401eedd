"""Drawing a round: compute who sits where, then write it, if nothing changed meanwhile."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from seating.draw import Drawn, DrawRequest, continue_plan, next_round
from tournament import rulebook
from tournament.actions.jobs import Stopped
from tournament.actions.rounds import (
    OPEN_ROUND,
    cancel_round,
    locked_round,
    not_the_final,
    write_tables,
)
from tournament.actor import Actor
from tournament.models import Event, Job, LogEntry, Player, Round
from tournament.models.events import EventStatus, Seating
from tournament.models.rounds import RoundStatus, Stage
from tournament.queries.draws import DrawBasis, basis_of_draw
from tournament.queries.rules import rules_in_force
from tournament.refused import Conflict, Refused, refused

KIND = "draw"  # the kind of job that draws
EFFORT = 5.0  # seconds that a job thinks on an ordinary machine, less where nothing is better
PATIENCE = 60.0  # seconds after which a slow machine must be content with what it has

type Watch = Callable[[float], bool]


@dataclass(frozen=True, slots=True)
class Wish:
    """What the organiser chose for this one draw: `sizes`, or the default for so many tables (None:
    as in the settings). `instead_of`: the draft that it replaces."""

    sizes: tuple[int, ...] | None = None
    max_tables: int | None = None
    instead_of: Round | None = None
    effort: float = 1.0


AS_USUAL = Wish()


def draw_round(
    *,
    event: Event,
    by: Actor,
    wish: Wish = AS_USUAL,
    seed: int | None = None,
    key: str = "",
    watch: Watch | None = None,
) -> Round:
    """Seat everybody who is checked in. A draft: nobody else sees it until it is published.

    Raises Refused; and Stopped where `watch`, told how far it is, said so. Nothing is written then.
    """
    return prepare_draw(event=event, by=by, wish=wish, seed=seed, key=key, watch=watch)()


def redraw_round(*, round_: Round, by: Actor, seed: int | None = None) -> Round:
    """Throw a draft away and draw it anew with everybody who is here now."""
    return draw_round(event=round_.event, by=by, wish=Wish(instead_of=round_), seed=seed)


def draw_by_job(job: Job, watch: Watch) -> Callable[[], dict[str, Any]]:
    """The same as a job's work (`tournament.jobs`)."""
    asked = job.asked
    instead_of = job.event.rounds.filter(pk=asked.get("instead_of")).first()
    write = prepare_draw(
        event=job.event,
        by=Actor.of_user(job.by) if job.by is not None else Actor.command("job"),
        wish=Wish(tuple(asked["sizes"]) or None, asked["max_tables"], instead_of, EFFORT),
        key=asked["key"],
        watch=watch,
    )
    return lambda: {"round": write().pk}


def prepare_draw(
    *,
    event: Event,
    by: Actor,
    wish: Wish,
    seed: int | None = None,
    key: str = "",
    watch: Watch | None = None,
) -> Callable[[], Round]:
    """Compute a draw and return what writes it. Between the two nothing is held: if somebody came
    or went meanwhile, the writing is refused rather than wrong."""
    if done := LogEntry.objects.about(event, key):
        return partial(drawn_before, event, done)
    event = Event.objects.get(pk=event.pk)
    may_draw(event, wish.instead_of)
    basis = basis_of_draw(event, wish.instead_of)
    seed = random.SystemRandom().getrandbits(31) if seed is None else seed
    asked, drawn = _solve(event, basis, wish, seed, watch)
    if watch is not None and watch(1.0):
        raise Stopped
    return partial(
        _write, event=event, basis=basis, asked=asked, drawn=drawn, wish=wish, by=by, key=key
    )


def _solve(
    event: Event, basis: DrawBasis, wish: Wish, seed: int, watch: Watch | None
) -> tuple[dict[str, Any], Drawn]:
    """What the engine was asked, as it is stored with the round, and its answer."""
    plan_seed = seed if basis.plan_seed is None else basis.plan_seed
    request = _request(basis, wish, seed)
    again = wish.instead_of is not None and basis.number > 1  # the plan would give the same draw
    try:
        if basis.method != Seating.FEWEST or again:
            drawn = next_round(request, watch)
        else:
            drawn = continue_plan(request, basis.rounds_planned, plan_seed, watch)
        for table in drawn.tables:
            rulebook.row_for(event, len(table))
    except Refusal as refusal:
        raise _in_words(refusal) from refusal
    return {
        "method": basis.method,
        "plan_seed": plan_seed,
        "sizes": list(drawn.report.sizes),
        "max_tables": request.max_tables,
    }, drawn


def _request(basis: DrawBasis, wish: Wish, seed: int) -> DrawRequest:
    return DrawRequest(
        players=basis.present,
        history=basis.history,
        sizes=wish.sizes,
        max_tables=wish.max_tables or basis.max_tables,
        forbidden=basis.apart,
        unwilling=basis.unwilling,
        ranking=_by_rank(basis, seed),
        at_random=basis.method == Seating.LOT,
        more_to_come=basis.number < basis.rounds_planned,
        seed=seed,
        effort=wish.effort,
        seconds=PATIENCE,
    )


def _by_rank(basis: DrawBasis, seed: int) -> tuple[int, ...]:
    """Best first; chance, not the start number, orders those who share a rank."""
    chance = random.Random(seed)
    return tuple(p for rank in basis.ranks for p in chance.sample(rank, len(rank)))


def _in_words(refusal: Refusal) -> Refused:
    if refusal.code == "sizes_wrong":
        return _came_or_went()
    if refusal.code != "forbidden_impossible":
        return refused(refusal)
    values: dict[str, Any] = dict(refusal.values)
    names = Player.objects.in_bulk({one for pair in values["pairs"] for one in pair})
    pairs = [" / ".join(names[one].name for one in pair) for pair in values["pairs"]]
    return Refused(
        _("No seating keeps all these apart: %(pairs)s. Withdraw one of the pairs.")
        % {"pairs": ", ".join(pairs)}
    )


def _came_or_went() -> Refused:
    return Refused(_("Somebody came or went during the draw. Draw again."))


def drawn_before(event: Event, pk: int) -> Round:
    """The round that this very press has drawn already; if it is gone, the page is old."""
    round_ = event.rounds.exclude(status=RoundStatus.CANCELLED).filter(pk=pk).first()
    if round_ is None:
        raise Conflict(_("This page is old: the round it drew was cancelled. Press again."))
    return round_


def may_draw(event: Event, instead_of: Round | None = None) -> None:
    """Raises Refused, saying why no round can be drawn now."""
    if event.status not in (EventStatus.REGISTRATION, EventStatus.RUNNING):
        raise Refused(_("Publish the event before the first round is drawn."))
    rounds = event.rounds.filter(status__in=OPEN_ROUND)
    if instead_of is not None:
        not_the_final(instead_of)
        rounds = rounds.exclude(pk=instead_of.pk, status=RoundStatus.DRAWN)
    if rounds.exists():
        raise Refused(_("There is a round already that is not closed."))
    if event.cuts.filter(undone_at=None).exists():
        raise Refused(_("The cut is made. Undo it before another round is drawn."))


@transaction.atomic
def _write(
    *,
    event: Event,
    basis: DrawBasis,
    asked: dict[str, Any],
    drawn: Drawn,
    wish: Wish,
    by: Actor,
    key: str,
) -> Round:
    event = Event.objects.lock(event.pk)
    if done := LogEntry.objects.about(event, key):
        return drawn_before(event, done)
    may_draw(event, wish.instead_of)
    if basis_of_draw(event, wish.instead_of) != basis:
        raise _came_or_went()
    if wish.instead_of is not None:
        _throw_away(wish.instead_of, by)
        event.refresh_from_db()
    if event.frozen_rules is None:
        event.frozen_rules = rules_in_force(event)
        event.status = EventStatus.RUNNING
        event.save(update_fields=["frozen_rules", "status"])
    round_ = Round.objects.create(
        event=event,
        stage=Stage.PRELIMINARY,
        number=basis.number,
        deals=event.deals_per_round,
        seed=drawn.report.seed,
        asked=asked,
        report=drawn.report.as_dict(),
    )
    write_tables(round_, drawn.tables)
    LogEntry.objects.record(
        "round.drawn",
        event=event,
        by=by,
        about=round_,
        after={"tables": len(drawn.tables), "seed": drawn.report.seed},
        key=key,
    )
    return round_


def _throw_away(draft: Round, by: Actor) -> None:
    _event, draft = locked_round(draft, RoundStatus.DRAWN)
    cancel_round(round_=draft, reason=_("drawn again"), by=by)
