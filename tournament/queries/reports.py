"""What the staff looks back on: who came, and what the judges wrote down. Never public."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tournament.models import Event, Penalty, Player, Round, Seat
from tournament.models.players import PlayerStatus
from tournament.models.scoresheets import BYE
from tournament.queries.players import by_alphabet

BYE_TABLE = -1


@dataclass(frozen=True, slots=True)
class AttendanceRow:
    """At which table somebody sat in each round; 0: not there; `BYE_TABLE`: without an opponent."""

    number: int
    name: str
    tables: tuple[int, ...]


def rounds_played(event: Event) -> list[Round]:
    """Published or closed, in order of play."""
    return list(event.rounds.played().in_order_of_play())


def attendance_of(event: Event) -> tuple[tuple[tuple[str, int], ...], tuple[AttendanceRow, ...]]:
    """The rounds as stage and number, and everybody who came, by name."""
    rounds = rounds_played(event)
    place = {round_.pk: index for index, round_ in enumerate(rounds)}
    sat: dict[int, list[int]] = defaultdict(lambda: [0] * len(rounds))
    for player, round_, table, by in Seat.objects.filter(round__in=rounds).values_list(
        "player_id", "round_id", "table__number", "table__sheet__confirmed_by"
    ):
        sat[player][place[round_]] = BYE_TABLE if by == BYE else table
    came = (PlayerStatus.CHECKED_IN, PlayerStatus.DROPPED, PlayerStatus.DISQUALIFIED)
    people: dict[int, Player] = {
        one.pk: one for one in event.players.all() if one.pk in sat or one.status in came
    }
    found = [AttendanceRow(one.number, one.name, tuple(sat[pk])) for pk, one in people.items()]
    found.sort(key=lambda one: by_alphabet(one.name, one.number))
    return tuple((round_.stage, round_.number) for round_ in rounds), tuple(found)


@dataclass(frozen=True, slots=True)
class PenaltyEntry:
    """A judge's entry with what became of it. Never public."""

    number: int
    name: str
    infraction: str
    step: int
    place: tuple[str, int, int] | None
    reason: str
    judge: str
    at: str
    withdrawn: tuple[str, str, str] | None
    inquiry: tuple[str, str, str] | None


def penalty_report(event: Event) -> tuple[PenaltyEntry, ...]:
    """Every entry of the judges in the order in which they were made."""
    given = event.penalties.order_by("created_at", "pk").select_related(
        "player", "judge", "withdrawn_by", "inquiry"
    )
    return tuple(_penalty(event, one) for one in given)


def _penalty(event: Event, one: Penalty) -> PenaltyEntry:
    place = None
    if one.deal_number and one.round_number:
        place = (one.stage, one.round_number, one.deal_number)
    withdrawn = inquiry = None
    if one.withdrawn_at:
        by = str(one.withdrawn_by or "")
        withdrawn = (event.local(one.withdrawn_at).isoformat(), by, one.withdrawal_reason)
    if hasattr(one, "inquiry"):
        inquiry = (one.inquiry.heard, one.inquiry.finding, one.inquiry.decided_by)
    return PenaltyEntry(
        number=one.player.number,
        name=one.player.name_for_others,
        infraction=one.infraction,
        step=one.step,
        place=place,
        reason=one.reason,
        judge=str(one.judge or ""),
        at=event.local(one.created_at).isoformat(),
        withdrawn=withdrawn,
        inquiry=inquiry,
    )
