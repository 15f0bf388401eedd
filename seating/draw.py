"""Seating people: the door to this package."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random

from seating.assignment import Assignment, Drawn, DrawRequest, Planned, Tables, Watch
from seating.costs import PlanReport, RoundReport, cost_of, report_of
from seating.history import PlayerHistory, player_history
from seating.lookahead import with_most_room
from seating.plan import Found, Sought, best_plan
from seating.search import search
from seating.seats import even_out, in_seat_order
from seating.sizes import SMALL

__all__ = [
    "DrawRequest",
    "Drawn",
    "PlanReport",
    "Planned",
    "RoundReport",
    "Tables",
    "Watch",
    "continue_plan",
    "cost_of",
    "next_round",
    "plan",
    "report_of",
]


def next_round(request: DrawRequest, watch: Watch | None = None) -> Drawn:
    """Seat everybody once. The same request gives the same tables.

    `watch` is told now and then which share of the work is done; if it answers True, the
    best so far is the answer. Refuses `duplicate_player`, `too_few_players`,
    `too_few_tables`, `sizes_wrong` and, where no seating without them was found,
    `forbidden_impossible`.
    """
    work = Assignment(request, watch)
    # By lot means that nothing of the past counts, not even for who deals.
    past = player_history(work.players, () if request.at_random else work.history)
    problem, trials = work.problem(past), work.trials_of_a_round()
    found = search(
        problem,
        work.random,
        trials,
        work.late,
        begin=work.begin(),
        pinned=work.numbers(request.pinned) if request.start else (),
    )
    if found.cost <= problem.goal and work.may_look_ahead(problem):
        found = with_most_room(
            found, problem, work.numbered_history(), work.random, trials, work.late
        )
    (tables,) = found.tables()
    unwilling = work.numbers(request.unwilling)
    ordered = [in_seat_order(past, table, work.random, unwilling) for table in tables]
    return work.drawn(work.named(ordered))


def plan(request: DrawRequest, rounds: int, watch: Watch | None = None) -> Planned:
    """Seat everybody in each of the next `rounds` rounds, all of them with the same sizes.

    `ranking`, `at_random`, `start` and `pinned` play no part. Otherwise as `next_round`.
    """
    work = Assignment(request, watch)
    past = player_history(work.players, work.history)
    sought = Sought(past, work.sizes, rounds, work.forbidden())
    found = best_plan(sought, work.random, work.trials, work.late)
    unwilling = work.numbers(request.unwilling)
    ordered = even_out(past, _begun(past, found, work.random, unwilling), work.random, unwilling)
    return work.planned(tuple(work.named(tables) for tables in ordered), found.source)


def continue_plan(
    request: DrawRequest, rounds: int, plan_seed: int, watch: Watch | None = None
) -> Drawn:
    """The next round of the plan for `rounds` rounds made of `plan_seed`, while it holds.

    It holds as long as everybody was there in the same tables as it has them. Otherwise,
    after its last round, and at small events, which a plan serves no better, this is
    `next_round`.
    """
    done = len(request.history)
    if done < rounds and not request.start and len(request.players) > SMALL:
        # No plan is stored: the seed of the first round gives it again.
        before = replace(request, history=(), seed=plan_seed)
        # Asked first: a plan may take a search, this takes nothing.
        kept = done == 0 or _kept_people(request)
        planned = plan(before, rounds, watch) if kept else None
        if planned is not None and _kept(planned.rounds[:done], request.history):
            # The report names the seed that gives these tables: the plan's, not this round's.
            return Assignment(request, watch, seed=plan_seed).drawn(
                planned.rounds[done], cut_short=planned.report.cut_short, planned=rounds
            )
    return next_round(replace(request, more_to_come=done + 1 < rounds), watch)


def _kept_people(request: DrawRequest) -> bool:
    """Whether the same people were there in each round, at tables of the same sizes."""
    sizes = sorted(map(len, request.history[-1])) if request.sizes is None else request.sizes
    return all(
        {player for table in tables for player in table} == {*request.players}
        and sorted(map(len, tables)) == sorted(sizes)
        for tables in request.history
    )


def _kept(planned: Sequence[Tables], history: Sequence[Tables]) -> bool:
    return all(
        # Only who sat together counts; the dealer of a table may have been changed by hand.
        {frozenset(table) for table in one} == {frozenset(table) for table in other}
        for one, other in zip(planned, history, strict=True)
    )


def _begun(
    past: PlayerHistory, found: Found, random: Random, unwilling: Collection[int]
) -> Sequence[Sequence[Sequence[int]]]:
    """Everybody on a seat they had least often, one round after the other."""
    if found.source == "algebra":  # the seats go round already
        return found.rounds
    for tables in found.rounds:
        for table in tables:
            table[:] = in_seat_order(past, table, random, unwilling)
        for table in tables:
            for seat, player in enumerate(table):
                past.seats[player][seat] += 1
    for tables in found.rounds:
        for table in tables:
            for seat, player in enumerate(table):
                # Taken back: `even_out` counts the plan's own seats itself.
                past.seats[player][seat] -= 1
    return found.rounds
