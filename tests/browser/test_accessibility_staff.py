"""Every page of organisers, judges and accounts, in both lights and both sizes."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.devices import Look, People, Site
from tests.browser.world import (
    Address,
    World,
    of_event,
    of_job,
    of_round,
    of_season,
    of_secret,
    of_standings,
    of_table,
    plain,
)
from tests.tournament.test_access_matrix import DEALER, IN, PLAYER, PUBLIC, READ

DESK: dict[str, Address] = {
    "home": plain("home"),
    "desk": plain("desk"),
    "event_import": plain("event_import"),
    "new_event": plain("new_event"),
    "invitation": lambda world: reverse("invitation", args=[world.invitation.token]),
    "my_series": plain("my_series"),
    "new_series": plain("new_series"),
    "series_invitation": of_secret("series_invitation", "invitation"),
    "series_desk": of_season("series_desk"),
    "series_settings": of_season("series_settings"),
    "series_tables": of_season("series_tables"),
    "series_table": of_standings("series_table"),
    "series_staff": of_season("series_staff"),
    "series_merges": of_season("series_merges"),
    "series_merges, found": lambda world: (
        reverse("series_merges", args=[world.season.series.slug]) + "?q=a"
    ),
    "series_penalties": of_season("series_penalties"),
    "series_log": of_season("series_log"),
    "event_series": of_event("event_series", "over"),
    "event_series, none": of_event("event_series", "full"),
    "event_desk": of_event("event_desk", "demo"),
    "event_desk, draft": of_event("event_desk", "draft"),
    "event_desk, nobody yet": of_event("event_desk", "fresh"),
    "event_desk, before the draw": of_event("event_desk", "here"),
    "event_desk, drawn": of_event("event_desk", "drawn"),
    "event_desk, judges called": of_event("event_desk", "calling"),
    "event_desk, reopened": of_event("event_desk", "reopened"),
    "event_desk, before the cut": of_event("event_desk", "cut"),
    "event_desk, level": of_event("event_desk", "lot"),
    "event_desk, finalists": of_event("event_desk", "finalists"),
    "event_desk, final played": of_event("event_desk", "tied"),
    "event_desk, over": of_event("event_desk", "over"),
    "event, draft": of_event("event", "draft"),
}
EVENT: dict[str, Address] = {
    "prints": of_event("prints", "demo"),
    "prints, no round": of_event("prints", "fresh"),
    "settings": of_event("settings", "draft"),
    "settings, frozen": of_event("settings", "demo"),
    "staff": of_event("staff", "demo"),
    "log": of_event("log", "demo"),
    "poster": of_event("poster", "demo"),
    "sponsors": of_event("sponsors", "demo"),
    "sponsors, none": of_event("sponsors", "fresh"),
    "sponsor": lambda world: reverse(
        "sponsor", args=[world.events.demo.slug, world.events.demo.sponsors.first().pk]
    ),
    "boxes": of_event("boxes", "demo"),
    "boxes, none": of_event("boxes", "fresh"),
    "box": lambda world: reverse(
        "box", args=[world.events.demo.slug, world.events.demo.boxes.first().pk]
    ),
    "mails": of_event("mails", "full"),
    "announcements": of_event("announcements", "full"),
    "announcements, finished": of_event("announcements", "over"),
    "desk_standings": of_event("desk_standings", "demo"),
    "screens": of_event("screens", "demo"),
    "screens, none": of_event("screens", "fresh"),
    "desk_standings, hidden": of_event("desk_standings", "hidden"),
    "desk_standings, revealed in part": of_event("desk_standings", "revealing"),
    "players": of_event("players", "demo"),
    "door_everybody": of_event("door_everybody", "full"),
    "door_everybody, nobody": of_event("door_everybody", "fresh"),
    "players, none": of_event("players", "fresh"),
    "players, no match": of_event("players", "demo", query="?q=zzz"),
    "player_add": of_event("player_add", "demo"),
    "player_import": of_event("player_import", "demo"),
    "player": of_event("player", "demo", 1),
    "player_erase": of_event("player_erase", "demo", 1),
    "door": of_event("door", "demo"),
    "door, only a form": of_event("walk_in", "demo"),
    "door, before": of_event("door", "full"),
    "door, minors": of_event("door", "minors"),
    "players, minors": of_event("players", "minors"),
    "player, minor": of_event("player", "minors", 1),
    "desk, minors": of_event("event_desk", "minors"),
    "door, nobody": of_event("door", "fresh"),
    "door, no match": of_event("door", "demo", query="?q=zzz"),
    "prizes": of_event("prizes", "prizes"),
    "prize": lambda world: reverse(
        "prize", args=[world.events.prizes.slug, world.events.prizes.prizes_listed.first().pk]
    ),
    "prizes, none": of_event("prizes", "fresh"),
    "podium, shared": of_event("podium", "prizes"),
    "podium, not certain": of_event("podium", "demo"),
    "raffle": of_event("raffle", "prizes"),
    "raffle, none": of_event("raffle", "fresh"),
    "places": of_event("places", "shop"),
    "places, at this event": of_event("places", "national"),
    "places, none": of_event("places", "fresh"),
    "place_promise": lambda world: reverse(
        "place_promise",
        args=[world.events.shop.slug, world.events.shop.places_promised.first().pk],
    ),
    "finish": of_event("finish", "demo"),
    "finish, tied": of_event("finish", "tied"),
    "finish, hidden": of_event("finish", "revealing"),
    "finish, nothing played": of_event("finish", "fresh"),
    "cut, none": of_event("cut", "demo"),
    "cut, level": of_event("cut", "lot"),
    "cut, finalists": of_event("cut", "finalists"),
    "cut, tied": of_event("cut", "tied"),
    "cut": of_event("cut", "over"),
    "clock": of_event("clock", "demo"),
    "clock, no round": of_event("clock", "here"),
    "round": of_round("demo"),
    "round, somebody missing": of_round("calling"),
    "board": of_event("board", "calling"),
    "board, not done": of_event("board", "calling", query="?show=open"),
    "board, no round": of_event("board", "fresh"),
    "day": of_event("day", "calling"),
    "day, before": of_event("day", "full"),
    "day, over": of_event("day", "over"),
    "clock, a call": of_event("clock", "calling"),
    "staff_table, somebody missing": lambda world: reverse(
        "staff_table:sheet",
        args=[
            world.events.calling.slug,
            world.events.calling.rounds.get().tables.get(number=3).pk,
        ],
    ),
    "round, draft": of_round("drawn"),
    "round, closed": of_round("cut"),
    "round_absences": of_round("drawn", "round_absences"),
    "round_draw": of_event("round_draw", "here"),
    "round_draw, few games": of_event("round_draw", "here", query="?games=1"),
    "round_draw, not now": of_event("round_draw", "demo"),
    "round_redraw": of_round("drawn", "round_redraw"),
    "final_draw": of_event("final_draw", "choosing"),
    "job": of_job("running"),
    "job, failed": of_job("failed"),
    "staff_table, slow": of_table("staff_table:sheet", 4),
    "staff_table:sheet": of_table("staff_table:sheet", 1),
    "staff_table, submitted": of_table("staff_table:sheet", 2),
    "staff_table, corrected": of_table("staff_table:sheet", 3),
    "staff_table:deal": of_table("staff_table:deal", 4, 2),
    "staff_table:points": of_table("staff_table:points", 4),
    "staff_points, confirmed": of_table("staff_table:points", 1),
    "round_type": of_round("demo", "round_type"),
    "account": plain("account"),
    "account_delete": plain("account_delete"),
    "account_email": plain("account_email"),
    "account_change_password": plain("account_change_password"),
    "account_logout": plain("account_logout"),
    "account_reauthenticate": plain("account_reauthenticate"),
    "mfa_index": plain("mfa_index"),
    "mfa_activate_totp": plain("mfa_activate_totp"),
    "mfa_list_webauthn": plain("mfa_list_webauthn"),
    "mfa_add_webauthn": plain("mfa_add_webauthn"),
}
JUDGE: dict[str, Address] = {
    "series_desk, judge": of_season("series_desk"),
    "series_penalties, judge": of_season("series_penalties"),
    "prints, judge": of_event("prints", "demo"),
    "notebook": of_event("notebook", "demo"),
    "rulings": of_event("rulings", "demo"),
    "rulings, none": of_event("rulings", "fresh"),
    "rulings, over": of_event("rulings", "over"),
    "notebook, found": of_event("notebook", "demo", query="?q=a"),
    "notebook, no match": of_event("notebook", "demo", query="?q=zzz"),
    "notebook, judges called": of_event("notebook", "calling"),
    "calls": of_event("calls", "calling"),
    "calls, none": of_event("calls", "demo"),
    "penalty, for coming late": of_event("penalty", "calling", 1, query="?infraction=2.2"),
    "penalty": of_event("penalty", "demo", 5),
    "penalty, first": of_event("penalty", "demo", 1),
    "round, judge": of_round("demo"),
    "clock, judge": of_event("clock", "demo"),
    "screens, judge": of_event("screens", "demo"),
    "settings, not allowed": of_event("settings", "demo"),
}
STRANGER: dict[str, Address] = {
    "desk, nothing yet": plain("desk"),
    "my_series, none": plain("my_series"),
    "invitation, stranger": lambda world: reverse("invitation", args=[world.invitation.token]),
}


@pytest.mark.parametrize("name", [name for name in DESK if name.startswith("event_desk")])
def test_the_next_step_is_on_the_first_screen(
    name: str, people: People, world: World, world_site: Site
) -> None:
    page = people("organiser")
    page.goto(world_site.url + DESK[name](world))
    # A table that waits for a judge comes before all else.
    place = page.locator(".call-row" if "called" in name else ".station").first
    button = place.locator(".btn.primary, .btn, a").first
    expect(button).to_be_in_viewport(ratio=1)


def test_every_page_of_the_staff_is_looked_at() -> None:
    files = {"resume", "table_pdf", "round_pdf", "document", "staff_table:photo", "export"}
    files |= {"players_file", "standings_file", "event_archive", "packet", "account_data"}
    files |= {"second_copy"}  # a line of the desk
    private = {
        name for name, row in READ.items() if IN not in (row[PUBLIC], row[PLAYER], row[DEALER])
    } - files
    seen = {name.split(",")[0] for name in (*DESK, *EVENT, *JUDGE, *STRANGER)}
    assert seen >= private


@pytest.mark.parametrize("name", JUDGE)
def test_a_judge_can_use(name: str, look: Look, world: World) -> None:
    look("judge", name, JUDGE[name](world))


@pytest.mark.parametrize("name", STRANGER)
def test_somebody_new_can_use(name: str, look: Look, world: World) -> None:
    look("stranger", name, STRANGER[name](world))


@pytest.mark.parametrize("name", DESK)
def test_an_organiser_can_use_the_desk(name: str, look: Look, world: World) -> None:
    look("organiser", name, DESK[name](world))


@pytest.mark.parametrize("name", EVENT)
def test_an_organiser_can_use(name: str, look: Look, world: World) -> None:
    look("organiser", name, EVENT[name](world))
