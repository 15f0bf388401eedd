"""Series and finished events, for the tests of both."""

from __future__ import annotations

from datetime import date
from typing import Any

from tests.factories import (
    make_event,
    make_players,
    make_user,
    organiser,
    play_round,
)
from tournament.actions import persons
from tournament.actions import series as actions
from tournament.actions.events import finish_event
from tournament.actions.series import SeriesFacts, TableFacts
from tournament.models import (
    Contact,
    Event,
    Person,
    PersonClaim,
    Player,
    Series,
    SeriesEvent,
    SeriesTable,
    User,
)
from tournament.models.actors import Actor
from tournament.models.series import Side

FIRST, LAST = date(2026, 1, 1), date(2026, 12, 31)


def make_series(user: User | None = None, **facts: Any) -> Series:
    defaults: dict[str, Any] = {
        "name": "League",
        "starts_on": FIRST,
        "ends_on": LAST,
        "public": True,
    }
    by = Actor.of_user(user or make_user())
    return actions.create_series(facts=SeriesFacts(**defaults | facts), by=by)


def user_of(series: Series) -> User:
    return series.staff.select_related("user").get(duty="organiser").user


def by_of(series: Series) -> Actor:
    return Actor.of_user(user_of(series))


def played(players: int = 6, *, seed: int = 1, over: bool = True, **settings: Any) -> Event:
    """One round, no final; finished."""
    event = make_event(**{"cut_size": 0, "rounds_planned": 1} | settings)
    make_players(event, players)
    play_round(event, seed)
    event.refresh_from_db()
    return finish_event(event=event, by=organiser(event)) if over else event


def put_in(series: Series, event: Event, weight: int = 100) -> SeriesEvent:
    """Asked for by the series, accepted by the event."""
    entry = actions.enter_event(
        series=series, event=event, side=Side.SERIES, weight=weight, by=by_of(series)
    )
    return actions.accept_event(entry=entry, side=Side.EVENT, by=organiser(event))


def make_table(series: Series, rule: str = "mers", **facts: Any) -> SeriesTable:
    parameters = facts.pop("parameters", {})
    name = facts.pop("name", rule)
    return actions.add_table(
        series=series, facts=TableFacts(name, rule, parameters, **facts), by=by_of(series)
    )


def with_email(player: Player, email: str) -> Player:
    Contact.objects.update_or_create(player=player, defaults={"email": email})
    return Player.objects.select_related("event", "contact").get(pk=player.pk)


def claim_of(player: Player, email: str, name: str = "Ana") -> PersonClaim:
    return persons.ask_to_keep(
        player=with_email(player, email), name=name, by=Actor.of_player(player)
    )


def joined(player: Player, email: str, name: str = "Ana") -> Person:
    """The person who has the entry, as the mailed link makes them."""
    claim = claim_of(player, email, name)
    return persons.confirm_claim(claim=claim, by=Actor.of_player(player))


def number(event: Event, number: int) -> Player:
    return event.players.select_related("event").get(number=number)
