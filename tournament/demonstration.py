"""The demonstration: a shop qualifier in mid-course, after the real Spanish one of 2026; and the
evenings of a club that plays other boxes."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from tournament import rulebook
from tournament.actions import (
    attendance,
    clocks,
    draws,
    events,
    penalties,
    players,
    rounds,
    scoresheets,
)
from tournament.models import Event, User
from tournament.models.actors import Actor
from tournament.models.events import SeatingMethod
from tournament.names import NameStyle
from tournament.simulation import (
    a_deal,
    at,
    hand_in,
    invented_names,
    play_deals,
    play_round,
    tables_of,
)

DEMO_SEED = 2026
DEMO_SLUG = "clasificatorio-madrid-2026"


def demonstration(organiser: User) -> Event:
    """An event in mid-course after a real Spanish qualifier of 2026: a shop, a Sunday, invented
    people, round 3 running, a penalty, a correction, ties on the line possible."""
    rng = random.Random(DEMO_SEED)
    by = Actor.of_user(organiser)
    start = datetime(2026, 7, 19, 8, 0, tzinfo=UTC)
    event = events.create_event(
        settings={
            "name": "Clasificatorio Madrid 2026",
            "venue": "La Mina de Papel",
            "address": "Calle del Pico 7, Madrid",
            "description": (
                "Clasificatorio de tienda para el Campeonato de España de Saboteur. "
                "Trae ganas de cavar: las cartas las ponemos nosotros."
            ),
            "time_zone": "Europe/Madrid",
            "starts_at": start,
            "ends_at": start + timedelta(hours=4),
            "registration_closes_at": datetime(2026, 7, 15, 21, 59, tzinfo=UTC),
            "capacity": 30,
            "minimum_age": 18,
            "ruleset": "es-2026",
            "level": 1,
            "rounds_planned": 3,
            "deals_per_round": 3,
            "cut_size": 6,
            "final_deals": 4,
            "round_minutes": 45,
            "final_minutes": 60,
            "edition": "2025",
            "promo_cards": "El carrusel",
            "dwarf_note": (
                "El enano del lazo azul; desde 7 jugadores también el del casco con cuernos."
            ),
            "prizes": "\n".join(
                (
                    "Plaza para el Campeonato de España y trofeo",
                    "Caja de Saboteur edición 2025",
                    "Tapete de juego",
                    "Carta promocional El carrusel y fundas",
                    "Vale de 15 euros",
                    "Vale de 10 euros",
                )
            ),
        },
        by=by,
    )
    Event.objects.filter(pk=event.pk).update(slug=DEMO_SLUG)
    event = events.publish_event(event=event, by=by)
    _demo_people(event, rng, by)
    for _round in range(2):
        play_round(event, rng)
    _demo_penalty(event, by)
    _demo_running_round(event, rng, by)
    event.refresh_from_db()
    return event


EVENINGS: dict[str, tuple[str, str, int, dict[str, object]]] = {
    "base": ("noche-de-saboteur", "Noche de Saboteur", 11, {"ruleset": "base-classic"}),
    "saboteur-2": (
        "noche-de-saboteur-2",
        "Noche de Saboteur 2",
        14,
        {"ruleset": "saboteur-2", "max_tables": 2, "rounds_planned": 2},
    ),
    "duel": (
        "tarde-de-duelos",
        "Tarde de duelos",
        9,
        {
            "ruleset": "duel",
            "rounds_planned": 4,
            "cut_size": 2,
            "final_deals": 3,
            "seating": SeatingMethod.STANDINGS,
        },
    ),
}


def club_evening(organiser: User, preset: str) -> Event:
    """An evening in mid-course: its first tables have played, the others are at it."""
    slug, name, people, settings = EVENINGS[preset]
    by, rng = Actor.of_user(organiser), random.Random(DEMO_SEED)
    start = datetime(2026, 7, 24, 17, 0, tzinfo=UTC)
    usual = {
        "preset": preset,
        "name": name,
        "venue": "La Mina de Papel",
        "time_zone": "Europe/Madrid",
        "starts_at": start,
        "ends_at": start + timedelta(hours=4),
        "registration_closes_at": start,
        "rounds_planned": 1,
        "deals_per_round": 3,
        "cut_size": 0,
        "second_person": False,
    }
    event = events.create_event(settings=usual | settings, by=by)
    Event.objects.filter(pk=event.pk).update(slug=slug)
    event = events.publish_event(event=event, by=by)
    for one in invented_names(people, rng):
        players.add_player(event=event, entry=players.PlayerEntry(name=one), by=by, walk_in=True)
    for _round in range(event.rounds_planned - 1):
        play_round(event, rng)
    round_ = draws.draw_round(event=event, by=by, seed=rng.getrandbits(31))
    rounds.publish_round(round_=round_, by=by)
    first, *others = tables_of(round_)
    play_deals(first, rng)
    hand_in(first)
    for table in others:
        if table.sheet.status == "open":
            play_deals(table, rng, 1)
    event.refresh_from_db()
    return event


def _demo_people(event: Event, rng: random.Random, by: Actor) -> None:
    styles = [NameStyle.FULL] * 6 + [NameStyle.INITIAL] * 2 + [NameStyle.ALIAS, NameStyle.NUMBER]
    names = invented_names(26, rng)
    aliases = ["Pico de Oro", "La Mecha", "Topo Gigio", "Doña Galería", "Dinamita", "Casco"] * 3
    entries = []
    for index, name in enumerate(names):
        style = rng.choice(styles)
        entries.append(
            players.PlayerEntry(
                name=name,
                email=f"player{index + 1}@example.org",
                name_style=style,
                alias=aliases.pop() if style == NameStyle.ALIAS else "",
                age_confirmed=True,
            )
        )
    players.import_players(event=event, entries=entries, by=by)
    everybody = list(event.players.order_by("number"))
    for player in everybody[:23]:
        attendance.check_in(player=player, by=by)
    attendance.mark_no_show(player=everybody[24], by=by)
    players.add_player(
        event=event,
        entry=players.PlayerEntry(name="Begoña Zamora", age_confirmed=True),
        by=by,
        walk_in=True,
    )


def _demo_penalty(event: Event, by: Actor) -> None:
    player = event.players.get(number=5)
    penalties.give_penalty(
        player=player,
        infraction="1.2",
        step=2,
        reason="Enseñó una carta de la mano a su vecina de mesa.",
        by=by,
    )


def _demo_running_round(event: Event, rng: random.Random, by: Actor) -> None:
    """Round 3: one table confirmed, one waiting for the second person, one corrected, one slow."""
    round_ = draws.draw_round(event=event, by=by, seed=rng.getrandbits(31))
    rounds.publish_round(round_=round_, by=by)
    clocks.start_clock(round_=round_, by=by)
    tables = tables_of(round_)
    play_deals(tables[0], rng)
    hand_in(tables[0])
    play_deals(tables[1], rng)
    scoresheets.submit_sheet(sheet=tables[1].sheet, by=at(tables[1], 1))
    play_deals(tables[2], rng, 2)
    sheet = tables[2].sheet
    sheet.refresh_from_db()
    row = rulebook.tournament_rules(event).row(tables[2].seats.count())
    scoresheets.save_deal(
        sheet=sheet, number=1, entry=a_deal(row, rng), version=sheet.version, by=at(tables[2], 1)
    )
    play_deals(tables[3], rng, 1)
    clocks.give_table_time(
        table=tables[3], seconds=240, reason="Pregunta por una carta de acción.", by=by
    )
