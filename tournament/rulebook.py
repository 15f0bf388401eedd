"""Rows ↔ the values that `scoring` computes with. Players are named by start number ("0007")."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from django.db.models import QuerySet

from scoring.deals import DealFacts, DealResult, score_deal
from scoring.eventfile import (
    Declined,
    Dropped,
    EventFile,
    LotMark,
    PenaltyMark,
    PlayedRound,
    PlayedStage,
    PlayedTable,
    SemiFinal,
)
from scoring.lots import commitment
from scoring.roles import Role
from scoring.rulesets import RoleRow, Ruleset, get_ruleset
from tournament.models import (
    Deal,
    Event,
    Lot,
    Penalty,
    Player,
    Round,
    Scoresheet,
    Seat,
)
from tournament.models.cuts import QualifierStatus
from tournament.models.players import PlayerStatus
from tournament.models.scoresheets import ScoresheetQuerySet

LETTERS: Mapping[str, Role] = {"m": Role.MINER, "s": Role.SABOTEUR, "x": Role.SELFISH}
# The chain of secrets is computed from its far end, so it needs a last link from the start.
LOTS_AT_MOST = 200
# Beyond every round: all of them and the semi-final.
SEMI_FINAL_OVER = 1000
LETTER_OF: Mapping[Role, str] = {role: letter for letter, role in LETTERS.items()}


def player_id(number: int) -> str:
    """How lots, event files and `scoring` name the player with this start number."""
    return f"{number:04d}"


@lru_cache(maxsize=64)
def _ruleset(key: str, changes: str) -> Ruleset:
    ruleset = get_ruleset(key)
    return ruleset.changed(json.loads(changes)) if changes != "{}" else ruleset


def ruleset_of(event: Event) -> Ruleset:
    """The event's ruleset with its own changes. Raises `scoring.Refusal`."""
    # As text, so that equal changes are one ruleset, and its results are found again.
    return _ruleset(event.ruleset, json.dumps(event.ruleset_changes, sort_keys=True))


def row_for(event: Event, seats: int) -> RoleRow:
    """Role cards and hand cards at a table of this size. Raises `Refusal("table_size")`."""
    return ruleset_of(event).row(seats)


def letters_of(roles: Iterable[str]) -> str:
    """Role names in sitting order as they are stored: "msmx…"."""
    return "".join(LETTER_OF[Role(role)] for role in roles)


# Keyed by all that is stored of a deal: nothing here goes stale.
@lru_cache(maxsize=8192)
def deal_facts(
    roles: str, points: str, connector: int | None, void: bool, counts_waived: bool
) -> DealFacts:
    """A stored deal as a value of `scoring`; equal deals are one object."""
    return DealFacts(
        roles=tuple(LETTERS[letter] for letter in roles) if roles else None,
        connector=connector,
        void=void,
        points=tuple(int(digit) for digit in points) if points else None,
        counts_waived=counts_waived,
    )


def facts_of(deal: Deal) -> DealFacts:
    return deal_facts(deal.roles, deal.points, deal.connector, deal.void, deal.counts_waived)


def result_of(event: Event, deal: Deal, losses: frozenset[int], seats: int) -> DealResult:
    """Winner, points and stars of a stored deal. `losses`: positions with a deal loss in it."""
    return score_deal(ruleset_of(event), facts_of(deal), losses, seats)


def losses_at(
    event: Event, round_: Round, seats: Sequence[Seat], without: Penalty | None = None
) -> dict[int, frozenset[int]]:
    """Deal number -> positions at this table that have a deal loss (or worse) in that deal;
    `without` leaves one penalty out, to see what its withdrawal would do."""
    position = {seat.player_id: seat.position for seat in seats}
    found: dict[int, set[int]] = defaultdict(set)
    given = Penalty.objects.costing_a_deal(round_).filter(player__in=position)
    if without is not None:
        given = given.exclude(pk=without.pk)
    for player, deal in given.values_list("player_id", "deal_number"):
        if deal:
            found[deal].add(position[player])
    return {deal: frozenset(positions) for deal, positions in found.items()}


IN_STANDINGS = (PlayerStatus.CHECKED_IN, PlayerStatus.DROPPED, PlayerStatus.DISQUALIFIED)


type _Seated = dict[int, dict[int, list[int]]]  # round -> table -> start numbers in order


def event_file(event: Event, *, through: int | None = None) -> EventFile:
    """The whole event as `scoring` reads it, in a fixed number of queries whatever its size.

    Only confirmed sheets count. Rounds are in playing order without drafts and cancelled ones.
    `through`: as of the end of this preliminary round; of the last one with the seats of the stages
    after it, but none of their deals. `SEMI_FINAL_OVER`: as of the end of the semi-final, with the
    seats of the final.
    """
    played = list(event.rounds.played().in_order_of_play())
    rounds = _until(played, through)
    settled = through is None or preliminaries_within(played, through)
    seats = _seated(Seat.objects.filter(round__in=played))
    seated = {one for tables in seats.values() for table in tables.values() for one in table}
    counted = [one for one in rounds if _counts(one, through)]
    deals = _deals(Scoresheet.objects.filter(table__round__in=counted))
    # Whoever sat at a table stays in the file, whatever became of them: its seats name them.
    players = event.players.filter(status__in=IN_STANDINGS) | event.players.filter(
        number__in=seated
    )
    known = list(
        players.order_by("number").values_list("number", "status", "dropped_after", "unranked")
    )
    names = {number for number, *_rest in known}
    return EventFile(
        ruleset=ruleset_of(event),
        players=tuple(player_id(number) for number, *_rest in known),
        cut=event.cut_size,
        rounds=tuple(_played(round_, seats, deals) for round_ in rounds),
        penalties=_penalties(event, rounds),
        dropped=tuple(
            Dropped(player_id(number), after or 0)
            for number, status, after, _unranked in known
            # The disqualified leave the standings by their penalty; whoever sat and is not here has
            # left.
            if status not in (PlayerStatus.CHECKED_IN, PlayerStatus.DISQUALIFIED)
        ),
        # What a cut or a lot decided belongs to what came before it.
        lots=_lots(event, with_places=through is None) if settled else (),
        declined=_without_seat(event, names) if settled else (),
        semi_final=semi_final_of(event),
        unranked=tuple(player_id(number) for number, *_rest, unranked in known if unranked),
    )


def semi_final_of(event: Event) -> SemiFinal | None:
    """How the semi-final is played, as `scoring` reads it; None: there is none."""
    if not event.has_semi_final:
        return None
    return SemiFinal(event.semi_seats, event.semi_per_table, event.semi_carry)


def deals_file(
    event: Event, players: Collection[Player], rounds: Sequence[Round], through: int | None = None
) -> EventFile:
    """Just the tables at which one of these players sat, for their deals: no lines, no lots.
    `rounds`: those that are played, in playing order; `through` as in `event_file`."""
    rounds = _until(rounds, through)
    tables = Seat.objects.filter(player__in=players, round__in=rounds).values("table_id")
    seats = _seated(Seat.objects.filter(table__in=tables))
    sheets = Scoresheet.objects.filter(table__in=tables)
    deals = _deals(sheets.filter(table__round__in=[one for one in rounds if _counts(one, through)]))
    return EventFile(
        ruleset=ruleset_of(event),
        players=tuple(player_id(one.number) for one in players),
        cut=event.cut_size,
        rounds=tuple(_played(round_, seats, deals) for round_ in rounds),
        penalties=_penalties(event, rounds),
        semi_final=semi_final_of(event),
    )


def _seated(places: QuerySet[Seat]) -> _Seated:
    """Who sits where, in one query."""
    found: _Seated = defaultdict(dict)
    for round_id, table_id, number in places.order_by(
        "round_id", "table__number", "position"
    ).values_list("round_id", "table_id", "player__number"):
        # A dict keeps the order of the rows: tables by number, and in each the seats as they sit.
        found[round_id].setdefault(table_id, []).append(number)
    return found


def _until(rounds: Sequence[Round], through: int | None) -> list[Round]:
    """Those that count as of the end of this preliminary round."""
    if through is None:
        return list(rounds)
    later = preliminaries_within(rounds, through)
    return [one for one in rounds if (one.number <= through if one.is_preliminary else later)]


def _counts(round_: Round, through: int | None) -> bool:
    """Whether the deals of this round count, beside its seats."""
    if through is None or round_.is_preliminary:
        return True
    return round_.is_semi_final and through >= SEMI_FINAL_OVER


def preliminaries_within(rounds: Iterable[Round], through: int) -> bool:
    """Whether no preliminary round came after this one."""
    return all(one.number <= through for one in rounds if one.is_preliminary)


def _deals(sheets: ScoresheetQuerySet) -> dict[int, list[DealFacts]]:
    """Table -> its deals in order, of those sheets that count, in one query."""
    sheets = sheets.confirmed()
    found: dict[int, list[DealFacts]] = defaultdict(list)
    for table_id, *stored in (
        Deal.objects.filter(sheet__in=sheets)
        .order_by("sheet_id", "number")
        .values_list("sheet__table_id", "roles", "points", "connector", "void", "counts_waived")
    ):
        found[table_id].append(deal_facts(*stored))
    return found


def _played(round_: Round, seats: _Seated, deals: Mapping[int, list[DealFacts]]) -> PlayedRound:
    return PlayedRound(
        stage=PlayedStage(round_.stage),
        tables=tuple(
            PlayedTable(tuple(map(player_id, numbers)), tuple(deals.get(table, ())))
            for table, numbers in seats.get(round_.pk, {}).items()
        ),
    )


def _penalties(event: Event, rounds: Sequence[Round]) -> tuple[PenaltyMark, ...]:
    """Those that cost a deal or more; one for a round not drawn yet names the next."""
    index = {(round_.stage, round_.number): place for place, round_ in enumerate(rounds, 1)}
    return tuple(
        PenaltyMark(
            player_id(number), step, index.get((stage, round_ or 0), len(rounds) + 1), deal or 0
        )
        for number, step, stage, round_, deal in event.penalties.costing_a_deal()
        .order_by("pk")
        .values_list("player__number", "step", "stage", "round_number", "deal_number")
    )


def _without_seat(event: Event, known: set[int]) -> tuple[Declined, ...]:
    """Who declined a seat, or had dropped out when the cut in force was made."""
    names = {player_id(number) for number in known}
    found = []
    for cut in event.cuts.in_force().order_by("pk").prefetch_related("qualifiers__player"):
        declined = {
            player_id(one.player.number)
            for one in cut.qualifiers.all()
            if one.status == QualifierStatus.DECLINED
        }
        # The file names only players that it knows.
        gone = (declined | set(cut.excluded)) & names
        found += [Declined(player, PlayedStage(cut.stage)) for player in sorted(gone)]
    return tuple(found)


def _lots(event: Event, *, with_places: bool) -> tuple[LotMark, ...]:
    return tuple(
        LotMark(lot.line, tuple(lot.order))
        for lot in Lot.objects.in_force().of_standings().filter(event=event).order_by("pk")
        if with_places or lot.place is None
    )


def lot_secret(event: Event, number: int) -> str:
    """The secret of the event's lot with this number, from 1 to `LOTS_AT_MOST`, in hex.

    Each secret is the commitment to the next one. So the first commitment, public before anybody
    plays, fixes them all, and no secret that is known by now tells a later one.
    """
    secret = event.lot_seed
    # From the end back: the first lot's secret is the one hashed most often.
    for _step in range(LOTS_AT_MOST - number):
        secret = commitment(secret)
    return secret


def players_by_id(event: Event) -> dict[str, Player]:
    """The players as `scoring` names them."""
    return {player_id(player.number): player for player in event.players.all()}
