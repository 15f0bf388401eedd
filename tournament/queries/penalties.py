"""What the judge's notebook shows."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.penalties import INFRACTIONS, standard_step, suggests_harder
from tournament.labels import INFRACTION_EXAMPLES, infraction_name
from tournament.models import Event, Penalty, Player, Round, Seat
from tournament.models.penalties import PenaltyStep
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus, Stage, deal_label
from tournament.queries.cuts import current_cut

LEFT = (PlayerStatus.DROPPED, PlayerStatus.WITHDRAWN, PlayerStatus.DISQUALIFIED)


@dataclass(frozen=True, slots=True)
class InfractionOption:
    """An infraction as the notebook offers it to one player."""

    code: str
    name: str
    examples: str
    step: int | None
    step_name: str
    harder: bool

    @property
    def at_once(self) -> bool:
        """Whether one press says it all: the standard step costs no deal, nothing is to weigh."""
        return self.step is not None and self.step < PenaltyStep.DEAL_LOSS and not self.harder


@dataclass(frozen=True, slots=True)
class Notebook:
    """What a judge sees of one player before deciding."""

    player: Player
    history: tuple[Penalty, ...]
    choices: tuple[InfractionOption, ...]
    deals: list[tuple[str, str]]
    default_deal: str
    table: int | None


def notebook_for(player: Player) -> Notebook:
    event = player.event
    history = tuple(player.penalties.order_by("-created_at", "-pk").select_related("judge"))
    # Withdrawn ones are shown but suggest nothing.
    earlier = [one.infraction for one in history if one.active]
    deals, default = deals_of(player)
    return Notebook(
        player=player,
        history=history,
        choices=tuple(_choice(code, event.level, earlier) for code in INFRACTIONS),
        deals=deals,
        default_deal=default,
        table=_table(player),
    )


def _choice(code: str, level: int, earlier: list[str]) -> InfractionOption:
    step = standard_step(code, level)
    return InfractionOption(
        code=code,
        name=infraction_name(code),
        examples=", ".join(str(INFRACTION_EXAMPLES[one]) for one in INFRACTIONS[code].examples),
        step=int(step) if step is not None else None,
        step_name=str(PenaltyStep(step).label) if step is not None else "",
        harder=suggests_harder(code, earlier),
    )


def in_short(penalty: Penalty) -> str:
    """ "Warning 1.2", as it stands beside a name."""
    code = infraction_name(penalty.infraction).partition(" ")[0]
    return f"{penalty.get_step_display()} {code}"


def so_far(event: Event) -> dict[int, str]:
    """Start number -> what is on record of the player, in short."""
    found: dict[int, list[str]] = {}
    for one in event.penalties.in_force().order_by("pk").select_related("player"):
        found.setdefault(one.player.number, []).append(in_short(one))
    return {number: " · ".join(words) for number, words in found.items()}


def _rounds(event: Event) -> list[Round]:
    return list(event.rounds.played().order_by("pk"))


def deals_of(player: Player) -> tuple[list[tuple[str, str]], str]:
    """Every deal a penalty may cost this player, and the one proposed: the running one; between
    deals, the next, which may be the first of a round not drawn yet. None is proposed where nothing
    is left for them to play: the judge says which deal."""
    event = player.event
    rounds = _rounds(event)
    choices = []
    sat_in = set(Seat.objects.filter(player=player).values_list("round_id", flat=True))
    for round_ in rounds:
        if round_.pk not in sat_in:
            continue
        for deal in range(1, round_.deals + 1):
            label = deal_label(round_.stage, round_.number, deal)
            choices.append((f"{round_.stage}:{round_.number}:{deal}", label))
    upcoming = _upcoming(player, rounds)
    if upcoming is not None:
        choices.append(upcoming)
    return choices, _running(player, rounds) or (upcoming[0] if upcoming else "")


def _upcoming(player: Player, rounds: list[Round]) -> tuple[str, str] | None:
    """The first deal that is still to come for the player, in a round not drawn yet."""
    event = player.event
    preliminary = [one for one in rounds if one.stage == Stage.PRELIMINARY]
    if player.status in LEFT:
        return None
    cut = current_cut(event)
    if cut is None and len(preliminary) < event.rounds_planned:
        number = len(preliminary) + 1
        return f"{Stage.PRELIMINARY}:{number}:1", deal_label(Stage.PRELIMINARY, number, 1)
    if cut is None or any(one.stage == cut.stage for one in rounds):
        return None
    if cut.qualifiers.seated().filter(player=player).exists():
        return f"{cut.stage}:1:1", deal_label(cut.stage, 1, 1)
    return None


def _running(player: Player, rounds: list[Round]) -> str:
    """The deal being played at the player's table: the first that has not been entered."""
    playing = next((one for one in reversed(rounds) if one.status == RoundStatus.PUBLISHED), None)
    if playing is None:
        return ""
    seat = Seat.objects.filter(round=playing, player=player).first()
    if seat is None:
        return ""
    entered = set(seat.table.sheet.deals.values_list("number", flat=True))
    number = next((n for n in range(1, playing.deals + 1) if n not in entered), None)
    return f"{playing.stage}:{playing.number}:{number}" if number else ""


def _table(player: Player) -> int | None:
    return (
        Seat.objects.filter(player=player, round__status=RoundStatus.PUBLISHED)
        .values_list("table__number", flat=True)
        .first()
    )
