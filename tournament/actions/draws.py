"""Drawing a round: compute who sits where, then write it, if nothing changed meanwhile."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from seating.draw import Drawn, DrawRequest, continue_plan, next_round
from tournament import rulebook
from tournament.actions.jobs import Stopped, Watch
from tournament.actions.rounds import begin_play, cancel_round, lock_round
from tournament.actions.seats import new_seed, write_tables
from tournament.models import Event, Job, LogEntry, Player, Round, Submission
from tournament.models.actors import Actor
from tournament.models.events import ByeTo, SeatingMethod
from tournament.models.rounds import RoundStatus, Stage
from tournament.queries.draws import (
    DrawBasis,
    basis_of_draw,
    check_may_draw,
    round_drawn_by,
)
from tournament.queries.names import called
from tournament.refusals import Refused, in_words

KIND = "draw"
PATIENCE = 60.0  # seconds after which a slow machine must be content with what it has


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """What the organiser chose for this one draw: `sizes`, or the default for so many tables (None:
    as in the settings). `instead_of`: the draft that it replaces."""

    sizes: tuple[int, ...] | None = None
    max_tables: int | None = None
    instead_of: Round | None = None
    effort: float = 1.0


DEFAULT_OPTIONS = DrawOptions()


def draw_round(
    *,
    event: Event,
    by: Actor,
    options: DrawOptions = DEFAULT_OPTIONS,
    seed: int | None = None,
    key: str = "",
    watch: Watch | None = None,
) -> Round:
    """Seat everybody who is checked in. A draft: nobody else sees it until it is published.

    Raises Refused; and Stopped where `watch`, told how far it is, said so. Nothing is written then.
    """
    return prepare_draw(event=event, by=by, options=options, seed=seed, key=key, watch=watch)()


def draw_by_job(job: Job, watch: Watch) -> Callable[[], dict[str, Any]]:
    """The same as a job's work (`tournament.jobs`)."""
    payload = job.payload
    instead_of = job.event.rounds.filter(pk=payload.get("instead_of")).first()
    write = prepare_draw(
        event=job.event,
        by=Actor.of_user(job.created_by) if job.created_by is not None else Actor.command("job"),
        options=DrawOptions(
            tuple(payload["sizes"]) or None,
            payload["max_tables"],
            instead_of,
            settings.DRAW_EFFORT,
        ),
        key=payload["key"],
        watch=watch,
    )
    return lambda: {"round": write().pk}


def prepare_draw(
    *,
    event: Event,
    by: Actor,
    options: DrawOptions,
    seed: int | None = None,
    key: str = "",
    watch: Watch | None = None,
) -> Callable[[], Round]:
    """Compute a draw and return what writes it. Between the two nothing is held: if somebody came
    or went meanwhile, the writing is refused rather than wrong."""
    if done := Submission.objects.outcome(event, key):
        return partial(round_drawn_by, event, done)
    event = Event.objects.get(pk=event.pk)
    check_may_draw(event, options.instead_of)
    basis = basis_of_draw(event, options.instead_of)
    seed = new_seed() if seed is None else seed
    draw_request, drawn = _solve(event, basis, options, seed, watch)
    if watch is not None and watch(1.0):
        raise Stopped
    return partial(
        _write,
        event=event,
        basis=basis,
        draw_request=draw_request,
        drawn=drawn,
        options=options,
        by=by,
        key=key,
    )


def _solve(
    event: Event, basis: DrawBasis, options: DrawOptions, seed: int, watch: Watch | None
) -> tuple[dict[str, Any], Drawn]:
    """What the engine was asked, as it is stored with the round, and its answer."""
    plan_seed = seed if basis.plan_seed is None else basis.plan_seed
    bye = _bye(basis, seed)
    request = _request(basis, options, seed, bye)
    again = options.instead_of is not None and basis.number > 1  # the plan would give the same draw
    try:
        # In pairs the standings and the byes change from round to round: nothing is planned ahead.
        if basis.method != SeatingMethod.FEWEST or again or basis.bye_to:
            drawn = next_round(request, watch)
        else:
            drawn = continue_plan(request, basis.rounds_planned, plan_seed, watch)
        for table in drawn.tables:
            rulebook.check_size(event, len(table))
    except Refusal as refusal:
        raise _refused(refusal) from refusal
    return {
        "method": basis.method,
        "plan_seed": plan_seed,
        "sizes": list(drawn.report.sizes),
        "max_tables": request.max_tables,
        **({"bye": bye} if bye else {}),
    }, replace(drawn, tables=(*drawn.tables, *(((bye,),) if bye else ())))


def _bye(basis: DrawBasis, seed: int) -> int | None:
    """Who has no opponent in this round; nobody twice. Raises Refused where all had a bye."""
    if not basis.with_bye:
        return None
    candidates = [player for player in basis.present if player not in basis.had_bye]
    if not candidates:
        raise Refused(
            _(
                "Everybody has been without an opponent once, and nobody may be twice: "
                "with an even number the round can be drawn."
            )
        )
    if basis.bye_to == ByeTo.LAST:
        # The last of whom the standings know; before they say anything, chance.
        for rank in reversed(basis.ranks):
            if level := [player for player in candidates if player in rank]:
                candidates = level
                break
    return random.Random(seed).choice(candidates)


def _request(basis: DrawBasis, options: DrawOptions, seed: int, bye: int | None) -> DrawRequest:
    return DrawRequest(
        players=tuple(player for player in basis.present if player != bye),
        history=basis.met_at,
        allowed=basis.sizes,
        sizes=options.sizes,
        max_tables=options.max_tables or basis.max_tables,
        forbidden=basis.separated,
        unwilling=basis.unwilling,
        ranking=_by_rank(basis, seed),
        at_random=basis.method == SeatingMethod.LOT,
        more_to_come=basis.number < basis.rounds_planned,
        seed=seed,
        effort=min(options.effort, settings.DRAW_EFFORT),
        seconds=PATIENCE,
    )


def _by_rank(basis: DrawBasis, seed: int) -> tuple[int, ...]:
    """Best first; chance, not the start number, orders those who share a rank."""
    chance = random.Random(seed)
    return tuple(p for rank in basis.ranks for p in chance.sample(rank, len(rank)))


def _refused(refusal: Refusal) -> Refused:
    if refusal.code == "sizes_wrong":
        return _came_or_went()
    if refusal.code != "forbidden_impossible":
        return in_words(refusal)
    values: dict[str, Any] = dict(refusal.values)
    names = Player.objects.in_bulk({one for pair in values["pairs"] for one in pair})
    pairs = [" / ".join(called(names[one]) for one in pair) for pair in values["pairs"]]
    return Refused(
        _("No seating keeps all these apart: %(pairs)s. Withdraw one of the pairs.")
        % {"pairs": ", ".join(pairs)}
    )


def _came_or_went() -> Refused:
    return Refused(_("Somebody came or went during the draw. Draw again."))


@transaction.atomic
def _write(
    *,
    event: Event,
    basis: DrawBasis,
    draw_request: dict[str, Any],
    drawn: Drawn,
    options: DrawOptions,
    by: Actor,
    key: str,
) -> Round:
    event = Event.objects.lock(event.pk)
    if done := Submission.objects.outcome(event, key):
        return round_drawn_by(event, done)
    check_may_draw(event, options.instead_of)
    if basis_of_draw(event, options.instead_of) != basis:
        raise _came_or_went()
    if options.instead_of is not None:
        _throw_away(options.instead_of, by)
        event.refresh_from_db()
    begin_play(event)
    round_ = Round.objects.create(
        event=event,
        stage=Stage.PRELIMINARY,
        number=basis.number,
        deals=event.deals_per_round,
        seed=drawn.report.seed,
        draw_request=draw_request,
        report=drawn.report.as_dict(),
    )
    write_tables(round_, drawn.tables)
    Submission.objects.remember(event, key, round_)
    LogEntry.objects.record(
        "round.drawn",
        event=event,
        by=by,
        about=round_,
        after={"tables": len(drawn.tables), "seed": drawn.report.seed},
    )
    return round_


def _throw_away(draft: Round, by: Actor) -> None:
    lock_round(draft, RoundStatus.DRAWN)
    cancel_round(round_=draft, reason="", by=by, drawn_again=True)
