"""Rows ↔ the values that `scoring` computes with. Players are named by start number ("0007")."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet

from scoring.deals import DealFacts
from scoring.editions.edition import Edition, EditionDeal, numbers_of
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
from scoring.refusal import Refusal
from scoring.roles import Role
from scoring.rules import AnyDeal, AnyResult, Rules, get_rules, score_table
from scoring.rulesets import Ruleset
from scoring.sheets import read_points
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
def _ruleset(key: str, changes: str) -> Rules:
    rules = get_rules(key)
    return rules.changed(json.loads(changes)) if changes != "{}" else rules


def ruleset_of(event: Event) -> Rules:
    """The event's ruleset with its own changes. Raises `scoring.Refusal`."""
    # As text, so that equal changes are one ruleset, and its results are found again.
    return _ruleset(event.ruleset, json.dumps(event.ruleset_changes, sort_keys=True))


def edition_of(event: Event) -> Edition | None:
    """What a club plays in place of a tournament; None for a tournament."""
    rules = ruleset_of(event)
    return rules if isinstance(rules, Edition) else None


def tournament_rules(event: Event) -> Ruleset:
    """Where there is no edition: the page or the document is the tournament's own."""
    rules = ruleset_of(event)
    if not isinstance(rules, Ruleset):
        raise TypeError(f"{rules.key} is no tournament's.")
    return rules


def has_byes(event: Event) -> bool:
    """Whether people play in pairs, so that one of an odd number is without an opponent."""
    edition = edition_of(event)
    return edition is not None and edition.bye_wins


def check_size(event: Event, seats: int) -> None:
    """Raises `Refusal("table_size")`; one without an opponent is no table of one."""
    if seats != 1 or not has_byes(event):
        ruleset_of(event).row(seats)


def letters_of(roles: Iterable[str]) -> str:
    """Role names in sitting order as they are stored: "msmx…"."""
    return "".join(LETTER_OF[Role(role)] for role in roles)


# Keyed by all that is stored of a deal: nothing here goes stale.
@lru_cache(maxsize=8192)
def deal_facts(
    rules: Rules,
    roles: str,
    points: str,
    connector: int | None,
    void: bool,
    counts_waived: bool,
    facts: str,
) -> AnyDeal:
    """A stored deal as a value of `scoring`; equal deals are one object."""
    if isinstance(rules, Edition):
        if not (facts or points or void):  # a tournament's, from before the settings were changed
            raise Refusal("malformed", place="facts", problem="missing")
        return EditionDeal(
            facts=rules.read_text(facts) if facts else None,
            void=void,
            points=numbers_of(points) if points else None,
        )
    return DealFacts(
        roles=tuple(LETTERS[letter] for letter in roles) if roles else None,
        connector=connector,
        void=void,
        points=tuple(int(digit) for digit in points) if points else None,
        counts_waived=counts_waived,
    )


DEAL_COLUMNS = ("roles", "points", "connector", "void", "counts_waived", "facts")


def facts_of(event: Event, deal: Deal) -> AnyDeal:
    return deal_facts(ruleset_of(event), *(getattr(deal, name) for name in DEAL_COLUMNS))


def stored_as(rules: Rules, deal: AnyDeal) -> dict[str, Any]:
    """The columns of a deal, but for the reason: what `facts_of` reads back."""
    found: dict[str, Any] = {"roles": "", "facts": "", "connector": None, "counts_waived": False}
    found |= {"points": points_as_text(rules, deal.points or ()), "void": deal.void}
    if isinstance(deal, EditionDeal) and isinstance(rules, Edition):
        return found | {"facts": "" if deal.facts is None else rules.write_text(deal.facts)}
    if isinstance(deal, DealFacts):
        found |= {"roles": letters_of(deal.roles or ()), "counts_waived": deal.counts_waived}
    return found | {"connector": deal.connector}


def points_as_text(rules: Rules, points: Sequence[int]) -> str:
    """Points typed alone as they are stored: a tournament's are digits, an edition's can be more
    than nine, or less than nothing."""
    return ("/" if isinstance(rules, Edition) else "").join(map(str, points))


def check_points(rules: Rules, points: tuple[int, ...], losses: frozenset[int]) -> None:
    """What a paper sheet says of one deal. Raises `scoring.Refusal`."""
    if isinstance(rules, Edition):
        for _paid in rules.score_table([EditionDeal(points=points)], {1: losses}, len(points)):
            pass
    else:
        read_points(rules, points, losses)


type LostBy = Mapping[int, frozenset[int]]  # deal number -> positions that get nothing for it


def results_of(
    event: Event, deals: Iterable[Deal], losses: LostBy, seats: int
) -> Iterator[tuple[Deal, AnyResult]]:
    """Each stored deal of a sheet with its winner, points and stars, in the order of their numbers.
    Raises `scoring.Refusal` at the deal that cannot be."""
    played = sorted(deals, key=lambda deal: deal.number)
    facts = [facts_of(event, deal) for deal in played]
    # `scoring` counts what was played; a deal that is played again leaves a gap.
    lost = {
        place: losses[deal.number] for place, deal in enumerate(played, 1) if deal.number in losses
    }
    return zip(played, score_table(ruleset_of(event), facts, lost, seats), strict=False)


def first_wrong(event: Event, deals: Iterable[Deal], losses: LostBy, seats: int) -> Deal | None:
    """The first deal of a sheet that cannot be; None if all can."""
    played = sorted(deals, key=lambda deal: deal.number)
    scored = 0
    try:
        for _deal, _result in results_of(event, played, losses, seats):
            scored += 1
    except Refusal:
        return played[scored]
    return None


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
    deals = _deals(event, Scoresheet.objects.filter(table__round__in=counted))
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
    counted = [one for one in rounds if _counts(one, through)]
    deals = _deals(event, sheets.filter(table__round__in=counted))
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


def _deals(event: Event, sheets: ScoresheetQuerySet) -> dict[int, list[AnyDeal]]:
    """Table -> its deals in order, of those sheets that count, in one query."""
    rules, sheets = ruleset_of(event), sheets.confirmed()
    found: dict[int, list[AnyDeal]] = defaultdict(list)
    for table_id, *stored in (
        Deal.objects.filter(sheet__in=sheets)
        .order_by("sheet_id", "number")
        .values_list("sheet__table_id", *DEAL_COLUMNS)
    ):
        found[table_id].append(deal_facts(rules, *stored))
    return found


def _played(round_: Round, seats: _Seated, deals: Mapping[int, list[AnyDeal]]) -> PlayedRound:
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
