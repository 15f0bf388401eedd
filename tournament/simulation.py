"""Events that play themselves, through the very actions the pages use: for the demonstration,
for tests, and as the load of benchmarks."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from scoring.roles import Role
from scoring.rulesets import RoleRow
from tournament import rulebook
from tournament.actions import attendance, cuts, draws, events, finals, players, rounds, scoresheets
from tournament.models import Event, Round, Seat, Table
from tournament.models.actors import Actor
from tournament.models.rounds import Stage
from tournament.queries.cuts import line_of
from tournament.queries.scoresheets import missing_deals

FIRST = [
    "Ana",
    "Lucía",
    "Pablo",
    "Marta",
    "Íñigo",
    "Carmen",
    "Javier",
    "Nuria",
    "Óscar",
    "Elena",
    "Raúl",
    "Begoña",
    "Andrés",
    "Sofía",
    "Hugo",
    "Inés",
    "Mateo",
    "Alba",
    "Rubén",
    "Noelia",
    "Iker",
    "Clara",
    "Fermín",
    "Rocío",
    "Joan",
    "Montserrat",
    "Xavi",
    "Júlia",
    "Piet",
    "Anneke",
    "Łukasz",
    "Agnieszka",
    "Şebnem",
    "Çağlar",
    "Giulia",
    "Matteo",
    "Lena",
    "Jürgen",
    "Chloé",
    "Théo",
    "Ελένη",
    "Νίκος",
    "Анна",
    "Юрій",
]
LAST = [
    "García",
    "Ruiz",
    "Fernández",
    "López",
    "Núñez",
    "Sánchez",
    "Peña",
    "Martín",
    "Iglesias",
    "Vázquez",
    "Soler",
    "Puig",
    "Ferrer",
    "Domínguez",
    "Ibáñez",
    "Muñoz",
    "Cortés",
    "Gil",
    "Castro",
    "Ortega",
    "Prieto",
    "Lozano",
    "Cano",
    "Bermúdez",
    "Vidal",
    "Roca",
    "Żółć",
    "Kowalska",
    "Yılmaz",
    "Öztürk",
    "Rossi",
    "Bianchi",
    "Müller",
    "Weiß",
    "Dubois",
    "Lefèvre",
    "de_Vries",
    "Jansen",
]

COMMAND = Actor.command("simulation")


def invented_names(count: int, rng: random.Random) -> list[str]:
    """So many different names of people who do not exist."""
    names: dict[str, None] = {}
    while len(names) < count:
        name = f"{rng.choice(FIRST)} {rng.choice(LAST)}".replace("_", " ")
        if name in names:
            name = f"{name} {rng.choice(LAST)}".replace("_", " ")
        if name in names:
            name = f"{name} {len(names)}"
        names[name] = None
    return list(names)


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """What to simulate."""

    players: int
    rounds: int = 3
    seed: int = 1
    cut: int = 6
    semi: int = 0
    per_table: int = 0
    deals: int = 3
    name: str = "Simulation"


def simulated_event(plan: SimulationPlan, by: Actor = COMMAND) -> Event:
    """A published event whose registration is open."""
    start = timezone.now().replace(minute=0, second=0, microsecond=0) + timedelta(days=1)
    settings: dict[str, Any] = {
        "name": f"{plan.name} {plan.players}×{plan.rounds}",
        "time_zone": "Europe/Madrid",
        "starts_at": start,
        "registration_closes_at": start,
        "rounds_planned": plan.rounds,
        "deals_per_round": plan.deals,
        "semi_seats": plan.semi,
        "semi_per_table": plan.per_table,
        "cut_size": plan.cut,
    }
    event = events.create_event(settings=settings, by=by)
    return events.publish_event(event=event, by=by)


def enter_players(event: Event, count: int, rng: random.Random) -> None:
    """Imported in one go, then each checked in at the door."""
    entries = [players.PlayerEntry(name=name) for name in invented_names(count, rng)]
    players.import_players(event=event, entries=entries, by=COMMAND)
    for player in event.players.order_by("number"):
        attendance.check_in(player=player, by=COMMAND)


def deal_roles(row: RoleRow, rng: random.Random) -> tuple[str, ...]:
    """Role cards shuffled and dealt."""
    roles = [Role.SABOTEUR] * row.saboteur + [Role.MINER] * row.miner + [Role.SELFISH] * row.selfish
    rng.shuffle(roles)
    return tuple(role.value for role in roles)


def a_deal(row: RoleRow, rng: random.Random) -> scoresheets.DealEntry:
    """A deal that might happen: the gold is reached in two of three, seldom by a saboteur."""
    roles = deal_roles(row, rng)
    connector = None
    if rng.random() < 0.64:
        weights = [{"miner": 6, "selfish": 5, "saboteur": 0.3}[role] for role in roles]
        connector = rng.choices(range(1, len(roles) + 1), weights)[0]
    return scoresheets.DealEntry(roles, connector)


def at(table: Table, position: int) -> Actor:
    """Whoever sits there, through the table's link."""
    seat = Seat.objects.select_related("player").get(table=table, position=position)
    return Actor.at_table(table, seat.player)


def play_deals(table: Table, rng: random.Random, count: int | None = None) -> None:
    """Enter the next deals of a table (all that are missing, unless `count` says fewer)."""
    sheet = table.sheet
    row = rulebook.row_for(table.round.event, table.seats.count())
    dealer = at(table, 1)
    missing = missing_deals(sheet, table.round)
    for number in missing[:count]:
        sheet.refresh_from_db()
        scoresheets.save_deal(
            sheet=sheet, number=number, entry=a_deal(row, rng), version=sheet.version, by=dealer
        )


def hand_in(table: Table) -> None:
    """Submit by the dealer, confirm by the second seat."""
    scoresheets.submit_sheet(sheet=table.sheet, by=at(table, 1))
    table.sheet.refresh_from_db()
    if table.sheet.status == "submitted":
        scoresheets.confirm_sheet(sheet=table.sheet, version=table.sheet.version, by=at(table, 2))


def tables_of(round_: Round) -> list[Table]:
    return list(
        Table.objects.filter(round=round_)
        .select_related("round__event", "sheet")
        .order_by("number")
    )


def play_round(event: Event, rng: random.Random) -> Round:
    """Draw, publish, play and close one preliminary round."""
    round_ = draws.draw_round(event=event, by=COMMAND, seed=rng.getrandbits(31))
    rounds.publish_round(round_=round_, by=COMMAND)
    for table in tables_of(round_):
        play_deals(table, rng)
        hand_in(table)
    return rounds.close_round(round_=round_, by=COMMAND)


def play_stage(event: Event, rng: random.Random) -> Round:
    """A cut, lots where they are needed, the tables of the stage it leads into, their deals."""
    cut = cuts.make_cut(event=event, by=COMMAND)
    cut.event = event
    while line_of(cut).level:
        cuts.settle_line(cut=cut, by=COMMAND)
    draw = finals.draw_final if cut.stage == Stage.FINAL else finals.draw_semi_final
    round_ = draw(cut=cut, by=COMMAND, seed=rng.getrandbits(31))
    rounds.publish_round(round_=round_, by=COMMAND)
    for table in tables_of(round_):
        play_deals(table, rng)
        hand_in(table)
    return rounds.close_round(round_=round_, by=COMMAND)


def simulate(plan: SimulationPlan) -> Event:
    """A whole event, from the first entry to the champion."""
    rng = random.Random(plan.seed)
    event = simulated_event(plan)
    enter_players(event, plan.players, rng)
    for _round in range(plan.rounds):
        play_round(event, rng)
    event.refresh_from_db()
    if event.has_semi_final:
        play_stage(event, rng)
    if event.has_final:
        play_stage(event, rng)
    return events.finish_event(event=event, by=COMMAND)
