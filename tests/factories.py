"""Plain factories: each makes one thing through the real actions, with sensible defaults."""

from __future__ import annotations

import io
import itertools
import random
import time
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone
from PIL import Image

from scoring.deals import pay_roles
from scoring.roles import read_roles
from tournament import rulebook
from tournament.actions import draws, events, players, rounds
from tournament.actions.point_entry import type_sheet
from tournament.actions.scoresheets import DealEntry, confirm_sheet, save_deal, submit_sheet
from tournament.images import Photo, clean_photo
from tournament.models import Event, Player, Round, StaffMember, Table, User
from tournament.models.actors import Actor
from tournament.models.players import PlayerStatus
from tournament.simulation import a_deal, a_deal_of, at, tables_of

_numbers = itertools.count(1)


def a_photo() -> Photo:
    """As small as they come."""
    out = io.BytesIO()
    Image.new("RGB", (2, 1), "white").save(out, "JPEG")
    out.seek(0)
    return clean_photo(out)


PHOTO = a_photo()
COMMAND = Actor.command("test")


def make_user(name: str = "Olga", **fields: Any) -> User:
    number = next(_numbers)
    return User.objects.create_user(
        f"{name.lower()}{number}@example.org", "pass-word-1", name=name, **fields
    )


def sign_in(client: Client, user: User) -> Client:
    """Somebody who has just given the password, without the typing: allauth asks again before
    what is grave, unless the session says so."""
    client.force_login(user)
    session = client.session
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return client


def make_event(*, organiser: User | None = None, published: bool = True, **settings: Any) -> Event:
    """A published event that starts tomorrow; settings override the defaults."""
    organiser = organiser or make_user()
    start = timezone.now() + timedelta(days=1)
    defaults = {
        "name": f"Event {next(_numbers)}",
        "time_zone": "Europe/Madrid",
        "starts_at": start,
        "registration_closes_at": start,
    }
    by = Actor.of_user(organiser)
    event = events.create_event(settings=defaults | settings, by=by)
    return events.publish_event(event=event, by=by) if published else event


def organiser_of(event: Event) -> User:
    return event.staff.select_related("user").get(duty="organiser").user


def organiser(event: Event) -> Actor:
    return Actor.of_user(organiser_of(event))


def make_judge(event: Event) -> User:
    user = make_user("Julio")
    StaffMember.objects.create(event=event, user=user, duty="judge")
    return user


def make_player(event: Event, name: str = "", *, here: bool = True, **entry: Any) -> Player:
    name = name or f"Player Number{next(_numbers)}"
    return players.add_player(
        event=event,
        entry=players.PlayerEntry(name=name, **entry),
        by=organiser(event),
        walk_in=here,
    )


def make_players(event: Event, count: int) -> list[Player]:
    """So many people who are here: one list imported, and a door that was not looked at."""
    entries = [players.PlayerEntry(name=f"Player Number{next(_numbers)}") for _ in range(count)]
    before = event.players.count()
    players.import_players(event=event, entries=entries, by=organiser(event))
    event.players.filter(number__gt=before).update(status=PlayerStatus.CHECKED_IN)
    return list(event.players.order_by("number")[before:])


def make_round(event: Event, seed: int = 1, *, published: bool = True) -> Round:
    round_ = draws.draw_round(event=event, by=organiser(event), seed=seed)
    return rounds.publish_round(round_=round_, by=organiser(event)) if published else round_


def make_table(seats: int = 6, **settings: Any) -> Table:
    """One table of a published first round."""
    event = make_event(**settings)
    make_players(event, seats)
    return tables_of(make_round(event))[0]


MINERS_WIN = {
    5: ("saboteur", "miner", "miner", "miner", "selfish"),
    6: ("saboteur", "saboteur", "miner", "miner", "miner", "selfish"),
    7: ("saboteur", "saboteur", "miner", "miner", "miner", "selfish", "selfish"),
}


def enter(table: Table, number: int, entry: DealEntry | None = None, *, seed: int = 1) -> None:
    """Enter a deal by the table's dealer: the given one, or any legal one."""
    table.sheet.refresh_from_db()
    save_deal(
        sheet=table.sheet,
        number=number,
        entry=entry or a_deal_of(table, random.Random(seed)),
        version=table.sheet.version,
        by=at(table, 1),
    )


def redrawn(draft: Round, seed: int) -> Round:
    """The draft drawn once more."""
    options = draws.DrawOptions(instead_of=draft)
    return draws.draw_round(
        event=draft.event, by=organiser(draft.event), options=options, seed=seed
    )


def play(
    table: Table, entries: list[DealEntry] | None = None, *, seed: int = 1, confirm: bool = True
) -> None:
    """Enter all deals, submit by seat 1, confirm by seat 2."""
    for number in range(1, table.round.deals + 1):
        enter(table, number, entries[number - 1] if entries else None, seed=seed + number)
    table.sheet.refresh_from_db()
    submit_sheet(sheet=table.sheet, by=at(table, 1))
    table.sheet.refresh_from_db()
    if confirm and table.sheet.status == "submitted":
        confirm_sheet(sheet=table.sheet, version=table.sheet.version, by=at(table, 2))


def type_in(table: Table, *, seed: int = 1) -> None:
    """A whole paper sheet with both signatures: as `play`, in one action."""
    ruleset = rulebook.ruleset_of(table.round.event)
    row = rulebook.tournament_rules(table.round.event).row(table.seats.count())
    deals = (a_deal(row, random.Random(seed + n)) for n in range(table.round.deals))
    columns = [pay_roles(ruleset, read_roles(one.roles), one.connector).points for one in deals]
    by = organiser(table.round.event)
    type_sheet(sheet=table.sheet, columns=columns, version=0, by=by, signed=True)


def play_round(event: Event, seed: int = 1) -> Round:
    """Draw, publish, type in and close a round."""
    round_ = make_round(event, seed)
    for table in tables_of(round_):
        type_in(table, seed=seed * 100 + table.number)
    return rounds.close_round(round_=round_, by=organiser(event))
