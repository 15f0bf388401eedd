"""Who may open which address: one row for each URL name, one column for each duty.

A URL without a row fails the test, so nobody adds a page without saying whose it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.factories import (
    make_event,
    make_judge,
    make_players,
    make_round,
    make_user,
    organiser_of,
    play,
)
from tournament.actions import jobs, people, rounds
from tournament.actions.apart import keep_apart
from tournament.actions.events import finish_event
from tournament.actions.penalties import give_penalty
from tournament.actions.photos import attach_photo
from tournament.actor import Actor
from tournament.models import Event, Invitation, Penalty, Player, Round, Table
from tournament.pictures import Photo
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db

PUBLIC, JUDGE, ORGANISER, OTHER = "public", "judge", "organiser", "other organiser"
DUTIES = (PUBLIC, JUDGE, ORGANISER, OTHER)
LOGIN, OK, FORBIDDEN, HIDDEN = 302, 200, 403, 404


@dataclass(frozen=True)
class World:
    """Two events in mid-course; `event` is the one whose addresses are tried."""

    event: Event
    judge: object
    organiser: object
    other: object
    round: Round
    table: Table
    other_table: Table
    player: Player
    penalty: Penalty
    invitation: Invitation
    member: int
    job: int
    pair: int
    photo: int
    clients: dict[str, Client] = field(default_factory=dict)


@pytest.fixture
def world() -> World:
    event = make_event()
    judge = make_judge(event)
    make_players(event, 12)
    round_ = make_round(event)
    table, other_table = tables_of(round_)[:2]
    user = organiser_of(event)
    by = Actor.of_user(user)
    player = event.players.get(number=1)
    other_player = event.players.get(number=2)
    penalty = give_penalty(player=player, infraction="1.1", step=1, reason="late", by=by)
    invitation = people.invite(event=event, email="new@example.org", duty="judge", by=by)
    asked = {"number": 2, "instead_of": None}
    job = jobs.cancel(job=jobs.ask_for(event=event, kind="draw", key="", asked=asked, by=by)[0])
    other = organiser_of(make_event())
    attach_photo(sheet=table.sheet, photo=Photo(b"a JPEG", 1, 1), by=by)
    clients = {PUBLIC: Client()}
    for duty, who in ((JUDGE, judge), (ORGANISER, user), (OTHER, other)):
        clients[duty] = Client()
        clients[duty].force_login(who)
    return World(
        event,
        judge,
        user,
        other,
        round_,
        table,
        other_table,
        player,
        penalty,
        invitation,
        event.staff.get(user=judge).pk,
        job.pk,
        keep_apart(event=event, first=player, second=other_player, reason="", by=by).pk,
        table.sheet.photos.get().pk,
        clients,
    )


def args_of(name: str, world: World) -> list[object]:
    """The address's parts, all belonging to `world.event`."""
    slug, pk = world.event.slug, world.round.pk
    table = [slug, world.table.pk]
    special: dict[str, list[object]] = {
        "ticket": [world.player.token],
        "invitation": [world.invitation.token],
        "penalty": [slug, 1],
        "penalty_withdraw": [slug, world.penalty.pk],
        "player": [slug, 1],
        "player_move": [slug, 1, "check-in"],
        "staff_deal": [*table, 1],
        "staff_void": [*table, 1],
        "table_pdf": table,
        "staff_remove": [slug, world.member],
        "invitation_revoke": [slug, world.invitation.pk],
        "final_lot": [slug, 1],
        "seat_decline": [slug, 1],
        "dealer_deal": [world.table.token, 1],
        "dealer_photo": [world.table.token, world.photo],
        "staff_photo": [*table, world.photo],
        "staff_remove_photo": [*table, world.photo],
        "document": [slug, "check-in"],
        "job": [slug, world.job],
        "job_cancel": [slug, world.job],
        "pair_withdraw": [slug, world.pair],
    }
    if name in special:
        return special[name]
    if name in ("home", "desk", "new_event"):
        return []
    if name.startswith("dealer_"):
        return [world.table.token]
    if name.startswith("ticket_"):
        return [world.player.token]
    if name.startswith("staff_"):
        return table
    if name.startswith("round") and name != "round_draw":
        return [slug, pk]
    return [slug]


EVERYBODY = dict.fromkeys(DUTIES, OK)
LOGGED_IN = {PUBLIC: LOGIN, JUDGE: OK, ORGANISER: OK, OTHER: OK}
STAFF = {PUBLIC: LOGIN, JUDGE: OK, ORGANISER: OK, OTHER: HIDDEN}
ORGANISERS = {PUBLIC: LOGIN, JUDGE: FORBIDDEN, ORGANISER: OK, OTHER: HIDDEN}

GET: dict[str, dict[str, int]] = {
    "home": EVERYBODY,
    "event": EVERYBODY,
    "rules": EVERYBODY,
    "register": EVERYBODY,
    "seats": EVERYBODY,
    "standings": EVERYBODY,
    "standings_pdf": EVERYBODY,
    "fairness": EVERYBODY,
    "ticket": EVERYBODY,
    "dealer_table": EVERYBODY,
    "dealer_deal": EVERYBODY,
    "dealer_points": EVERYBODY,
    "dealer_photo": EVERYBODY,
    "notebook": STAFF,
    "penalty": STAFF,
    "staff_table": STAFF,
    "staff_deal": STAFF,
    "staff_points": STAFF,
    "staff_photo": STAFF,
    "round_type": STAFF | {JUDGE: 302, ORGANISER: 302},
    "table_pdf": STAFF,
    "round_pdf": STAFF,
    "round": STAFF,
    "round_mend": ORGANISERS,
    "desk": LOGGED_IN,
    "new_event": LOGGED_IN,
    "invitation": LOGGED_IN,
    "event_desk": STAFF | {JUDGE: 302},
    "settings": ORGANISERS,
    "staff": ORGANISERS,
    "log": ORGANISERS,
    "export": ORGANISERS,
    "players": ORGANISERS,
    "player_add": ORGANISERS,
    "player_import": ORGANISERS,
    "player": ORGANISERS,
    "door": ORGANISERS,
    "cut": ORGANISERS,
    "round_draw": ORGANISERS,
    "round_redraw": ORGANISERS,
    "final_draw": ORGANISERS | {ORGANISER: 302},
    "job": STAFF,
    "prints": STAFF,
    "document": STAFF,
}

# Changes: what is tried is who gets past the door, so any answer but these counts as let in.
POST_EVERYBODY = (
    "ticket_confirm",
    "ticket_withdraw",
    "dealer_submit",
    "dealer_confirm",
    "dealer_reopen",
    "dealer_add_photo",
)
POST_STAFF = (
    "penalty_withdraw",
    "staff_void",
    "staff_submit",
    "staff_confirm",
    "staff_reopen",
    "staff_add_photo",
    "staff_remove_photo",
)
POST_ORGANISERS = (
    "staff_link",
    "job_cancel",
    "publish",
    "unpublish",
    "finish",
    "reopen",
    "staff_remove",
    "invitation_revoke",
    "player_move",
    "mail_tickets",
    "walk_in",
    "keep_apart",
    "pair_withdraw",
    "round_swap",
    "round_undo",
    "round_redo",
    "round_pin",
    "round_improve",
    "round_mend_pick",
    "round_sheets_replaced",
    "round_publish",
    "round_unpublish",
    "round_cancel",
    "round_close",
    "round_reopen",
    "round_restore",
    "cut_make",
    "cut_undo",
    "cut_lot",
    "final_lot",
    "seat_decline",
)


def url_names() -> Iterator[str]:
    """Every named URL of the tournament app."""

    def walk(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                if "allauth" not in str(pattern.urlconf_name):
                    yield from walk(pattern.url_patterns)
            elif pattern.name:
                yield pattern.name

    yield from walk(get_resolver().url_patterns)


def test_every_url_has_a_row() -> None:
    rows = {*GET, *POST_EVERYBODY, *POST_STAFF, *POST_ORGANISERS, "theme", "set_language", "health"}
    assert set(url_names()) == rows


@pytest.mark.parametrize("name", GET)
def test_pages_open_for_their_duty_alone(name: str, world: World) -> None:
    address = reverse(name, args=args_of(name, world))
    found = {duty: world.clients[duty].get(address).status_code for duty in DUTIES}
    assert found == GET[name]


@pytest.mark.parametrize("name", POST_STAFF + POST_ORGANISERS)
def test_changes_are_for_their_duty_alone(name: str, world: World) -> None:
    address = reverse(name, args=args_of(name, world))
    found = {duty: world.clients[duty].post(address).status_code for duty in (PUBLIC, OTHER)}
    assert found == {PUBLIC: LOGIN, OTHER: HIDDEN}
    assert world.clients[PUBLIC].post(address).headers["Location"].startswith("/accounts/login/")
    if name in POST_ORGANISERS:
        assert world.clients[JUDGE].post(address).status_code == FORBIDDEN
    else:
        assert world.clients[JUDGE].post(address).status_code not in (FORBIDDEN, HIDDEN)
    assert world.clients[ORGANISER].get(address).status_code == 405


@pytest.mark.parametrize("name", POST_EVERYBODY)
def test_links_need_no_login_but_their_secret(name: str, world: World) -> None:
    address = reverse(name, args=args_of(name, world))
    assert Client().get(address).status_code == 405
    assert Client().post(address).status_code in (302, 409, 422)
    wrong = reverse(name, args=["x" * 22])
    assert Client().post(wrong).status_code == HIDDEN


def test_other_events_objects_are_hidden_behind_ones_own_event(world: World) -> None:
    mine = make_event(organiser=world.other)
    client = world.clients[OTHER]
    addresses = [
        reverse("round", args=[mine.slug, world.round.pk]),
        reverse("staff_table", args=[mine.slug, world.table.pk]),
        reverse("table_pdf", args=[mine.slug, world.table.pk]),
        reverse("staff_photo", args=[mine.slug, world.table.pk, world.photo]),
        reverse("round_pdf", args=[mine.slug, world.round.pk]),
        reverse("player", args=[mine.slug, 1]),
        reverse("penalty", args=[mine.slug, 1]),
    ]
    assert [client.get(address).status_code for address in addresses] == [HIDDEN] * len(addresses)
    withdraw = reverse("penalty_withdraw", args=[mine.slug, world.penalty.pk])
    assert client.post(withdraw, {"reason": "x"}).status_code == HIDDEN


def test_a_draft_is_hidden_from_everybody_but_its_staff() -> None:
    event = make_event(published=False)
    client = Client()
    client.force_login(organiser_of(event))
    stranger = Client()
    stranger.force_login(make_user())
    for name in ("event", "rules"):
        address = reverse(name, args=[event.slug])
        assert (client.get(address).status_code, stranger.get(address).status_code) == (200, 404)
    for name in ("register", "standings", "seats"):
        assert stranger.get(reverse(name, args=[event.slug])).status_code == 404


def test_links_of_tables_die_with_the_event() -> None:
    event = make_event(cut_size=0, rounds_planned=1)
    make_players(event, 6)
    round_ = make_round(event)
    table = tables_of(round_)[0]
    play(table)
    by = Actor.of_user(organiser_of(event))
    rounds.close_round(round_=round_, by=by)
    address = reverse("dealer_table", args=[table.token])
    assert Client().get(address).status_code == 200
    finish_event(event=event, by=by)
    assert Client().get(address).status_code == 404
    assert (
        Client().get(reverse("ticket", args=[event.players.get(number=1).token])).status_code == 200
    )


def test_a_dealer_of_another_table_cannot_touch_this_one(world: World) -> None:
    """A table's link opens that table alone: its token is the only key, and it names one table."""
    page = Client().get(reverse("dealer_table", args=[world.other_table.token])).content.decode()
    assert world.table.token not in page


def test_a_revoked_link_stops_working(world: World) -> None:
    old = reverse("dealer_table", args=[world.table.token])
    rounds.new_table_link(table=world.table, by=Actor.of_user(organiser_of(world.event)))
    assert Client().get(old).status_code == HIDDEN


def test_the_seats_of_a_draft_round_stay_hidden() -> None:
    event = make_event()
    make_players(event, 6)
    round_ = make_round(event, published=False)
    table = tables_of(round_)[0]
    assert Client().get(reverse("dealer_table", args=[table.token])).status_code == HIDDEN
    page = Client().get(reverse("seats", args=[event.slug])).content.decode()
    assert event.players.get(number=1).name not in page
