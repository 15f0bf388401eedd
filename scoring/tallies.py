"""Adding up an event's deals, for everybody or one by one."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from scoring.editions.edition import Edition
from scoring.eventfile import EventFile, PlayedStage, PlayedTable
from scoring.penalties import ZEROING
from scoring.refusal import Refusal
from scoring.rules import AnyResult, Rules, score_table

type Losses = dict[tuple[int, int], set[str]]  # (round, deal), both from 1: who gets nothing


@dataclass(frozen=True, slots=True)
class Tally:
    """What a player has after one stage; `deals` counts those played, void ones too."""

    points: int
    stars: int
    deals: int


@dataclass(frozen=True, slots=True)
class PlayerDeal:
    """One deal as one player had it; round, table, deal and seat count from 1.

    `lost`: a penalty took its points and star. No role: the sheet held points alone.
    """

    round: int
    stage: PlayedStage
    table: int
    deal: int
    seat: int
    role: str | None
    points: int
    star: bool
    lost: bool
    void: bool


def tally(event: EventFile, stage: PlayedStage) -> dict[str, Tally]:
    """The sums of every player of the event over one stage, in the order of the entries.

    Refuses what `score_deal` refuses, with the deal's `place` in the file.
    """
    sums = {player: [0, 0, 0] for player in event.players}
    losses = _losses(event)
    # A penalty names its round by place among all rounds, so those of other stages are counted as
    # well.
    for number, played in enumerate(event.rounds, 1):
        if played.stage is stage:
            for index, table in enumerate(played.tables):
                for result in _results(event.ruleset, number, index, table, losses):
                    _add(sums, table.seats, result)
                if isinstance(event.ruleset, Edition) and event.ruleset.bye_wins:
                    _add_bye(sums, table)
    return {player: Tally(*found) for player, found in sums.items()}


def _add(sums: dict[str, list[int]], seats: tuple[str, ...], result: AnyResult) -> None:
    for player, points, stars in zip(seats, result.points, result.stars, strict=True):
        found = sums[player]
        found[0] += points
        found[1] += stars
        found[2] += 1


def _add_bye(sums: dict[str, list[int]], table: PlayedTable) -> None:
    """Who sat without an opponent has won, without gold."""
    if len(table.seats) == 1 and not table.deals:
        sums[table.seats[0]][1] += 1


def player_deals(event: EventFile, player: str) -> tuple[PlayerDeal, ...]:
    """Every deal of one player, in the order played."""
    losses = _losses(event)
    return tuple(
        _player_deal(player, (number, index, deal), played.stage, table, result, losses)
        for number, played in enumerate(event.rounds, 1)
        for index, table in enumerate(played.tables)
        if player in table.seats
        for deal, result in enumerate(_results(event.ruleset, number, index, table, losses), 1)
    )


def all_deals(event: EventFile) -> Iterator[tuple[str, PlayerDeal]]:
    """Every deal of everybody, table by table, each scored once."""
    losses = _losses(event)
    for number, played in enumerate(event.rounds, 1):
        for index, table in enumerate(played.tables):
            results = _results(event.ruleset, number, index, table, losses)
            for deal, result in enumerate(results, 1):
                where = (number, index, deal)
                for player in table.seats:
                    yield player, _player_deal(player, where, played.stage, table, result, losses)


def _player_deal(
    player: str,
    where: tuple[int, int, int],
    stage: PlayedStage,
    table: PlayedTable,
    result: AnyResult,
    losses: Losses,
) -> PlayerDeal:
    number, index, count = where
    seat = table.seats.index(player)
    deal = table.deals[count - 1]
    return PlayerDeal(
        round=number,
        stage=stage,
        table=index + 1,
        deal=count,
        seat=seat + 1,
        role=deal.roles[seat] if deal.roles else None,
        points=result.points[seat],
        star=bool(result.stars[seat]),
        lost=player in losses.get((number, count), ()),
        void=deal.void,
    )


def _losses(event: EventFile) -> Losses:
    found: Losses = defaultdict(set)
    for mark in event.penalties:
        if mark.step in ZEROING:
            found[mark.round, mark.deal].add(mark.player)
    return found


def _results(
    rules: Rules, number: int, index: int, table: PlayedTable, losses: Losses
) -> Iterator[AnyResult]:
    """The table's deals, scored; `number` is the round's (from 1), `index` the table's (from 0)."""
    found = score_table(rules, table.deals, _lost_at(number, table, losses), len(table.seats))
    for count in range(len(table.deals)):
        try:
            yield next(found)
        except Refusal as refusal:
            place = f"rounds[{number - 1}].tables[{index}].deals[{count}]"
            raise refusal.at(place) from None


def _lost_at(number: int, table: PlayedTable, losses: Losses) -> dict[int, frozenset[int]]:
    """Deal -> the seats that get nothing for it."""
    lost: dict[int, frozenset[int]] = {}
    for deal in range(1, len(table.deals) + 1):
        # Asked for by `in`: the losses of a deal that nobody lost are not to be remembered.
        if (number, deal) in losses:
            who = losses[number, deal]
            seats = frozenset(seat for seat, one in enumerate(table.seats, 1) if one in who)
            if seats:
                lost[deal] = seats
    return lost
