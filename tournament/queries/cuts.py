"""Where the line is, and who is level on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from django.db.models import Q

from scoring.cut import CUT, SEMI_CUT, CutLine, cut_by_tables, cut_line
from scoring.standings import SemiFinalRow, StandingRow
from tournament import rulebook
from tournament.models import Cut, Event, Round, Scoresheet
from tournament.models.cuts import QualifierStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundQuerySet, RoundStatus, Stage

# What a lot on the line into a stage is called in the event file.
LINE_INTO: Mapping[str, str] = {Stage.SEMI_FINAL: SEMI_CUT, Stage.FINAL: CUT}


def frozen_rows(cut: Cut) -> tuple[StandingRow, ...]:
    """The standings of the preliminaries as they were when the cut was made."""
    return tuple(StandingRow(**row) for row in cut.standings)


def frozen_semi_final(cut: Cut) -> tuple[SemiFinalRow, ...]:
    """Of a cut after a semi-final its rows, as they were when the cut was made."""
    return tuple(SemiFinalRow(**row) for row in cut.standings)


def follows_semi_final(event: Event, stage: str) -> bool:
    """Whether a cut into this stage rests on a semi-final."""
    return stage == Stage.FINAL and event.has_semi_final


def line_of(cut: Cut) -> CutLine:
    """The line as it is now: who holds a seat, in the order offered; then, for the seats that are
    free, the next in the frozen order. Left out are those who declined, who had dropped out when
    the cut was made, and who is not here now."""
    held = list(cut.qualifiers.order_by("place").values_list("player__number", "status"))
    holders = tuple(
        rulebook.player_id(number) for number, status in held if status == QualifierStatus.IN
    )
    away = cut.event.players.exclude(status=PlayerStatus.CHECKED_IN)
    out = {rulebook.player_id(number) for number in away.values_list("number", flat=True)}
    # Who declined is not asked twice.
    out |= {rulebook.player_id(number) for number, _status in held} | set(cut.excluded)
    if follows_semi_final(cut.event, cut.stage) and cut.event.semi_per_table:
        return _line_by_tables(cut, holders, out.difference(holders))
    # Whoever holds a seat stands in front of the line already.
    rows = frozen_semi_final(cut) if follows_semi_final(cut.event, cut.stage) else frozen_rows(cut)
    name = LINE_INTO[cut.stage]
    free = max(0, cut.size - len(holders))
    line = cut_line(rows, free, out, _orders(cut, name), name)
    return replace(line, seats=cut.size, qualified=holders + line.qualified)


def _line_by_tables(cut: Cut, holders: Sequence[str], out: Collection[str]) -> CutLine:
    """The best of each table of the semi-final, then the next best. Whoever holds a seat stands
    before all others of the table, and of all, whatever their ranks: nobody takes it from them."""
    rows = frozen_semi_final(cut)
    place = {player: at for at, player in enumerate(holders, 1)}
    held = sorted((row for row in rows if row.player in place), key=lambda row: place[row.player])
    others = [replace(row, rank=len(rows) + row.rank) for row in rows if row.player not in place]
    ranked = [replace(row, rank=place[row.player]) for row in held] + others
    numbers = sorted({row.table for row in rows})
    tables = [[row.player for row in rows if row.table == number] for number in numbers]
    return cut_by_tables(
        ranked,
        tables,
        cut.event.semi_per_table,
        cut.size,
        out,
        lambda line: _orders(cut, line),
    )


def table_of_line(line: str | None) -> int | None:
    """The table of the semi-final whose best a line decides; None: it is another line."""
    kind, _colon, number = (line or "").partition(":")
    return int(number) if kind == "table" else None


def drawn_on_line(cut: Cut) -> set[str]:
    """Everybody who was in a lot for a seat of this cut."""
    lines = Q(line=LINE_INTO[cut.stage])
    if follows_semi_final(cut.event, cut.stage):
        lines |= Q(line__startswith="table:")
    orders = cut.event.lots.filter(lines).values_list("order", flat=True)
    return {player for order in orders for player in order}


def _orders(cut: Cut, line: str) -> list[list[str]]:
    """The lots of a line. Those of a cut that was undone count too: a lot stands for good."""
    return list(cut.event.lots.filter(line=line).values_list("order", flat=True))


def current_cut(event: Event) -> Cut | None:
    """The last that is in force: into the semi-final, then into the final."""
    cut = event.cuts.in_force().order_by("pk").last()
    return _with_event(cut, event)


def cut_into(event: Event, stage: str) -> Cut | None:
    return _with_event(event.cuts.in_force().into(stage).first(), event)


def _with_event(cut: Cut | None, event: Event) -> Cut | None:
    if cut is not None:
        # The event at hand, or each `cut.event` would fetch it again.
        cut.event = event
    return cut


def next_cut(event: Event) -> str:
    """The stage into which the next cut leads."""
    semi = event.has_semi_final and not event.cuts.in_force().into(Stage.SEMI_FINAL).exists()
    return Stage.SEMI_FINAL if semi else Stage.FINAL


def is_frozen(event: Event, stage: str) -> bool:
    """Whether a cut in force rests on what was played in this stage."""
    later = Stage.values[Stage.values.index(stage) + 1 :]
    return event.cuts.in_force().filter(stage__in=later).exists()


def rounds_before(event: Event, stage: str) -> RoundQuerySet:
    """What has to be played before a cut into this stage: the stage before it."""
    rounds = event.rounds.in_force()
    return rounds.semi_final() if follows_semi_final(event, stage) else rounds.preliminary()


def round_of(event: Event, stage: str) -> Round | None:
    """The one round of the semi-final or the final, if it is drawn."""
    return event.rounds.filter(stage=stage).in_force().first()


def final_of(event: Event) -> Round | None:
    """The event's final, if it is drawn."""
    return round_of(event, Stage.FINAL)


def all_is_played(event: Event) -> bool:
    """The final is closed, or without one every planned round; and no sheet is open again."""
    rounds = event.rounds.in_force()
    if rounds.exclude(status=RoundStatus.CLOSED).exists():
        return False
    # A sheet of a closed round may be open again.
    if Scoresheet.objects.filter(table__round__in=rounds).unconfirmed().exists():
        return False
    if event.has_final:
        return rounds.final().exists()
    return rounds.preliminary().count() >= event.rounds_planned
