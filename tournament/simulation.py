"""Events that play themselves, through the very actions the pages use: for the demonstration,
for tests, and as the load of benchmarks."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from scoring.editions.base import BOX, BaseGame
from scoring.editions.duel import Duel
from scoring.editions.edition import Edition
from scoring.editions.saboteur_2 import COLOURS, Saboteur2
from scoring.refusal import Refusal
from scoring.roles import Role
from scoring.rules import score_table
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
    ruleset: str = "es-2026"


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
        "ruleset": plan.ruleset,
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


def a_deal_of(table: Table, rng: random.Random) -> scoresheets.DealEntry:
    """The same of whatever the event plays."""
    event, seats = table.round.event, table.seats.count()
    edition = rulebook.edition_of(event)
    if edition is None:
        return a_deal(rulebook.tournament_rules(event).row(seats), rng)
    return scoresheets.DealEntry(facts=_edition_facts(edition, table, seats, rng))


def _edition_facts(edition: Edition, table: Table, seats: int, rng: random.Random) -> str:
    """One that can come after the deals of the sheet: a table has one box of gold."""
    before = [rulebook.facts_of(table.round.event, deal) for deal in table.sheet.deals.all()]
    made = {BaseGame: _base_deal, Saboteur2: _dwarf_deal, Duel: _duel_deal}[type(edition)]
    while True:
        deal = edition.read_deal(made(edition, seats, rng))
        try:
            for _paid in score_table(edition, [*before, deal], {}, seats):
                pass
        except Refusal:
            continue
        return edition.write_text(deal.facts)


def _base_deal(edition: Any, seats: int, rng: random.Random) -> dict[str, Any]:
    cards = [role for role, count in edition.row(seats).cards.items() for _card in range(count)]
    rng.shuffle(cards)
    roles = cards[:seats]
    if rng.random() >= 0.6:
        return {"roles": roles, "connector": None}
    connector = rng.randint(1, seats)
    box = [value for value, count in BOX.items() for _card in range(count)]
    rng.shuffle(box)
    gold = [[box.pop() for _card in range(n)] for n in edition.cards(roles, connector)]
    return {"roles": roles, "connector": connector, "gold": gold}


def _dwarf_deal(edition: Any, seats: int, rng: random.Random) -> dict[str, Any]:
    cards = [role for role, count in edition.row(seats).cards.items() for _card in range(count)]
    rng.shuffle(cards)
    found = rng.random() < 0.65
    deal: dict[str, Any] = {
        "roles": cards[:seats],
        "connector": rng.randint(1, seats) if found else None,
        "crystals": rng.choice((0, 1, 1, 2, 3)) if "geologist" in cards[:seats] else 0,
    }
    if found and rng.random() < 0.4:
        deal["doors"] = [rng.choice(COLOURS)]
    if rng.random() < 0.3:
        deal["jailed"] = [rng.randint(1, seats)]
    if rng.random() < 0.3:
        thief, victim = rng.sample(range(1, seats + 1), 2)
        deal["thieves"] = [{"thief": thief, "victim": victim}]
    return deal


def _duel_deal(_edition: Any, _seats: int, rng: random.Random) -> dict[str, Any]:
    return {"gold": [rng.randint(0, 7), rng.randint(0, 7)]}


def at(table: Table, position: int) -> Actor:
    """Whoever sits there, through the table's link."""
    seat = Seat.objects.select_related("player").get(table=table, position=position)
    return Actor.at_table(table, seat.player)


def play_deals(table: Table, rng: random.Random, count: int | None = None) -> None:
    """Enter the next deals of a table (all that are missing, unless `count` says fewer)."""
    sheet = table.sheet
    dealer = at(table, 1)
    missing = missing_deals(sheet, table.round)
    for number in missing[:count]:
        sheet.refresh_from_db()
        scoresheets.save_deal(
            sheet=sheet,
            number=number,
            entry=a_deal_of(table, rng),
            version=sheet.version,
            by=dealer,
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
    play_tables(round_, rng)
    return rounds.close_round(round_=round_, by=COMMAND)


def play_tables(round_: Round, rng: random.Random) -> None:
    """All that have not handed in; whoever is without an opponent has nothing to."""
    for table in tables_of(round_):
        if table.sheet.status == "open":
            play_deals(table, rng)
            hand_in(table)


def play_stage(event: Event, rng: random.Random) -> Round:
    """A cut, lots where they are needed, the tables of the stage it leads into, their deals."""
    cut = cuts.make_cut(event=event, by=COMMAND)
    cut.event = event
    while line_of(cut).level:
        cuts.settle_line(cut=cut, by=COMMAND)
    draw = finals.draw_final if cut.stage == Stage.FINAL else finals.draw_semi_final
    round_ = draw(cut=cut, by=COMMAND, seed=rng.getrandbits(31))
    rounds.publish_round(round_=round_, by=COMMAND)
    play_tables(round_, rng)
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
