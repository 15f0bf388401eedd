"""Who may do what: a row for each method of each address, a column for each duty.

An address or a method without a row fails, so nobody adds a page without saying whose it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from tests.factories import (
    PHOTO,
    make_event,
    make_judge,
    make_players,
    make_round,
    make_user,
    organiser_of,
    play,
    play_round,
)
from tests.tournament.seasons import claim_of, joined, make_series, make_table, with_email
from tournament.actions import jobs, rounds, staff
from tournament.actions import series as series_actions
from tournament.actions.announcements import send_announcement
from tournament.actions.boxes import add_box
from tournament.actions.cuts import make_cut
from tournament.actions.events import finish_event
from tournament.actions.penalties import give_penalty
from tournament.actions.photos import attach_photo
from tournament.actions.prizes import PrizeEntry, add_prize, give_special
from tournament.actions.rulings import give_ruling
from tournament.actions.screens import add_screen
from tournament.actions.separations import separate_players
from tournament.actions.sponsors import add_sponsor
from tournament.models import (
    Event,
    JudgeCall,
    KeptPenalty,
    LateArrival,
    Merge,
    MergeSide,
    Penalty,
    Person,
    Place,
    PlacePromise,
    PlaceSkip,
    PrizePass,
    SeriesEvent,
    SeriesMember,
    Table,
    User,
)
from tournament.models.actors import Actor
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db

PUBLIC = "public"
PLAYER, OTHER_PLAYER = "player of this event", "player of another event"
DEALER, OTHER_DEALER = "dealer of this table", "dealer of another table"
JUDGE, ORGANISER = "judge", "organiser"
OTHER_ORGANISER = "organiser of another event"
VISITORS = (PUBLIC, PLAYER, OTHER_PLAYER, DEALER, OTHER_DEALER)  # who has no login
STAFFED = (JUDGE, ORGANISER, OTHER_ORGANISER)
DUTIES = VISITORS + STAFFED

IN, LOGIN, FORBIDDEN, HIDDEN = "in", "has to log in", "forbidden", "hidden"

type Row = dict[str, str]

EVERYBODY: Row = dict.fromkeys(DUTIES, IN)
LOGGED_IN: Row = dict.fromkeys(VISITORS, LOGIN) | dict.fromkeys(STAFFED, IN)
STAFF: Row = LOGGED_IN | {OTHER_ORGANISER: HIDDEN}
ORGANISERS: Row = STAFF | {JUDGE: FORBIDDEN}
# A link's secret is in its address. Each tries the one they hold; who holds none guesses.
TICKETS: Row = dict.fromkeys(DUTIES, HIDDEN) | {PLAYER: IN, OTHER_PLAYER: IN}
TABLES: Row = dict.fromkeys(DUTIES, HIDDEN) | {DEALER: IN, OTHER_DEALER: IN}
THIS_TABLE: Row = dict.fromkeys(DUTIES, HIDDEN) | {DEALER: IN}

READ: dict[str, Row] = {
    "home": EVERYBODY,
    "health": EVERYBODY,
    "key": EVERYBODY,
    "key_file": EVERYBODY,
    "account": LOGGED_IN,
    "account_data": LOGGED_IN,
    "account_delete": LOGGED_IN,
    "event": EVERYBODY,
    "rules": EVERYBODY,
    "sponsor_logo": EVERYBODY,
    "errors": EVERYBODY,
    "questions": EVERYBODY,
    "privacy": EVERYBODY,
    "register": EVERYBODY,
    "seats": EVERYBODY,
    "standings": EVERYBODY,
    "standings_pdf": EVERYBODY,
    "standing": EVERYBODY,
    "pictures": EVERYBODY,
    "archive": EVERYBODY,
    "lost_ticket": EVERYBODY,
    "fairness": EVERYBODY,
    "pulse": EVERYBODY,
    "staff_pulse": EVERYBODY,
    "live_part": EVERYBODY,
    "screen": EVERYBODY,  # who holds its address
    "event_places": EVERYBODY,
    "place": EVERYBODY,  # who holds its address
    "ticket": TICKETS,
    "ticket_calendar": TICKETS,
    "ticket_data": TICKETS,
    "ticket_data_file": TICKETS,
    "table_worker": EVERYBODY,
    "carry": EVERYBODY,
    "table_link:sheet": TABLES,
    "table_link:deal": TABLES,
    "table_link:points": TABLES,
    "table_link:steps": TABLES,
    "table_link:call": TABLES,
    "table_link:photo": THIS_TABLE,
    "notebook": STAFF,
    "calls": STAFF,
    "rulings": STAFF,
    "board": STAFF,
    "day": STAFF,
    "penalty": STAFF,
    "staff_table:sheet": STAFF,
    "staff_table:deal": STAFF,
    "staff_table:points": STAFF,
    "staff_table:photo": STAFF,
    "round_type": STAFF,
    "table_pdf": STAFF,
    "round_pdf": STAFF,
    "round": STAFF,
    "clock": STAFF,
    "screens": STAFF,
    "job": STAFF,
    "prints": STAFF,
    "poster": STAFF,
    "document": STAFF,
    "event_desk": STAFF,
    "desk_standings": STAFF,
    "desk": LOGGED_IN,
    "resume": LOGGED_IN,
    "new_event": LOGGED_IN,
    "event_import": LOGGED_IN,
    "invitation": LOGGED_IN,
    "settings": ORGANISERS,
    "finish": ORGANISERS,
    "staff": ORGANISERS,
    "log": ORGANISERS,
    "prizes": ORGANISERS,
    "prize": ORGANISERS,
    "podium": ORGANISERS,
    "raffle": ORGANISERS,
    "places": ORGANISERS,
    "place_promise": ORGANISERS,
    "second_copy": ORGANISERS,
    "export": ORGANISERS,
    "event_archive": ORGANISERS,
    "packet": ORGANISERS,
    "players_file": ORGANISERS,
    "standings_file": ORGANISERS,
    "players": ORGANISERS,
    "player_add": ORGANISERS,
    "player_import": ORGANISERS,
    "player": ORGANISERS,
    "player_erase": ORGANISERS,
    "sponsors": ORGANISERS,
    "sponsor": ORGANISERS,
    "boxes": ORGANISERS,
    "box": ORGANISERS,
    "mails": ORGANISERS,
    "announcements": ORGANISERS,
    "door": ORGANISERS,
    "door_everybody": ORGANISERS,
    "round_draw": ORGANISERS,
    "round_redraw": ORGANISERS,
    "round_absences": ORGANISERS,
    "cut": ORGANISERS,
    "final_draw": ORGANISERS,
    "series_list": EVERYBODY,
    "series": EVERYBODY,
    "series_standings": EVERYBODY,
    "person": EVERYBODY,  # who wants to be seen
    "ticket_together": TICKETS,
    "claim": EVERYBODY,  # who holds its address, as of the next two
    "me": EVERYBODY,
    "merge_answer": EVERYBODY,
    "my_series": LOGGED_IN,
    "new_series": LOGGED_IN,
    "series_invitation": LOGGED_IN,
    "series_desk": STAFF,
    "series_penalties": STAFF,
    "series_settings": ORGANISERS,
    "series_tables": ORGANISERS,
    "series_table": ORGANISERS,
    "series_staff": ORGANISERS,
    "series_merges": ORGANISERS,
    "series_log": ORGANISERS,
    "event_series": ORGANISERS,
}

CHANGE: dict[str, Row] = {
    "account": LOGGED_IN,
    "theme": EVERYBODY,
    "set_language": EVERYBODY,
    "key": EVERYBODY,
    "register": EVERYBODY,
    "lost_ticket": EVERYBODY,
    "ticket_email": TICKETS,
    "ticket_confirm": TICKETS,
    "ticket_withdraw": TICKETS,
    "ticket_erase": TICKETS,
    "ticket_keep_name": TICKETS,
    "ticket_guardian": TICKETS,
    "table_link:deal": TABLES,
    "table_link:points": TABLES,
    "table_link:outbox": TABLES,
    "table_link:submit": TABLES,
    "table_link:confirm": TABLES,
    "table_link:reopen": TABLES,
    "table_link:add_photo": TABLES,
    "table_link:call": TABLES,
    "table_link:call_withdraw": TABLES,
    "table_link:missing": TABLES,
    "table_link:arrived": THIS_TABLE,
    "rulings": STAFF,
    "ruling_withdraw": STAFF,
    "call_answer": STAFF,
    "call_end": STAFF,
    "call_reopen": STAFF,
    "late_arrived": STAFF,
    "late_missing": STAFF,
    "late_withdraw": STAFF,
    "staff_table:missing": STAFF,
    "staff_table:arrived": STAFF,
    "penalty": STAFF,
    "penalty_withdraw": STAFF,
    "clock_start": STAFF,
    "clock_pause": STAFF,
    "clock_resume": STAFF,
    "clock_add": STAFF,
    "clock_table": STAFF,
    "clock_table_back": STAFF,
    "clock_table_resume": STAFF,
    "clock_hand_in": STAFF,
    "break": STAFF,
    "break_end": STAFF,
    "screens": ORGANISERS,
    "screens_say": ORGANISERS,
    "screens_unsay": ORGANISERS,
    "screen_steer": ORGANISERS,
    "screen_turn": ORGANISERS,
    "screen_change": ORGANISERS,
    "screen_revoke": ORGANISERS,
    "staff_table:deal": STAFF,
    "staff_table:points": STAFF,
    "staff_table:void": STAFF,
    "staff_table:submit": STAFF,
    "staff_table:confirm": STAFF,
    "staff_table:reopen": STAFF,
    "staff_table:add_photo": STAFF,
    "staff_table:remove_photo": STAFF,
    "prints": ORGANISERS,
    "new_event": LOGGED_IN,
    "event_import": LOGGED_IN,
    "invitation": LOGGED_IN,
    "staff_table:new_link": ORGANISERS,
    "settings": ORGANISERS,
    "publish": ORGANISERS,
    "unpublish": ORGANISERS,
    "finish": ORGANISERS,
    "reopen": ORGANISERS,
    "staff": ORGANISERS,
    "staff_remove": ORGANISERS,
    "prizes": ORGANISERS,
    "prize": ORGANISERS,
    "prize_up": ORGANISERS,
    "prize_remove": ORGANISERS,
    "prize_give": ORGANISERS,
    "podium_give": ORGANISERS,
    "podium_pass": ORGANISERS,
    "pass_undo": ORGANISERS,
    "raffle": ORGANISERS,
    "gift_hand": ORGANISERS,
    "gift_back": ORGANISERS,
    "place_accept": EVERYBODY,
    "place_decline": EVERYBODY,
    "places": ORGANISERS,
    "places_offer": ORGANISERS,
    "places_pass_on": ORGANISERS,
    "place_give": ORGANISERS,
    "place_promise": ORGANISERS,
    "place_promise_remove": ORGANISERS,
    "place_promise_agree": ORGANISERS,
    "place_skip": ORGANISERS,
    "place_skip_undo": ORGANISERS,
    "place_tick": ORGANISERS,
    "place_tick_decline": ORGANISERS,
    "place_withdraw": ORGANISERS,
    "place_register": ORGANISERS,
    "invitation_revoke": ORGANISERS,
    "player": ORGANISERS,
    "player_erase": ORGANISERS,
    "player_add": ORGANISERS,
    "player_import": ORGANISERS,
    "player_move": ORGANISERS,
    "mail_tickets": ORGANISERS,
    "walk_in": ORGANISERS,
    "door_everybody": ORGANISERS,
    "door_everybody_undo": ORGANISERS,
    "mail_again": ORGANISERS,
    "mail_test": ORGANISERS,
    "announcements": ORGANISERS,
    "announcement_withdraw": ORGANISERS,
    "sponsors": ORGANISERS,
    "sponsor": ORGANISERS,
    "sponsor_remove": ORGANISERS,
    "boxes": ORGANISERS,
    "box": ORGANISERS,
    "box_check": ORGANISERS,
    "box_remove": ORGANISERS,
    "separation_add": ORGANISERS,
    "separation_withdraw": ORGANISERS,
    "round_draw": ORGANISERS,
    "round_redraw": ORGANISERS,
    "round_swap": ORGANISERS,
    "round_undo": ORGANISERS,
    "round_redo": ORGANISERS,
    "round_pin": ORGANISERS,
    "round_improve": ORGANISERS,
    "round_absences_pick": ORGANISERS,
    "round_sheets_replaced": ORGANISERS,
    "round_publish": ORGANISERS,
    "round_unpublish": ORGANISERS,
    "round_cancel": ORGANISERS,
    "round_close": ORGANISERS,
    "round_reopen": ORGANISERS,
    "round_restore": ORGANISERS,
    "reveal": ORGANISERS,
    "hide_again": ORGANISERS,
    "job_cancel": ORGANISERS,
    "cut_make": ORGANISERS,
    "cut_undo": ORGANISERS,
    "cut_lot": ORGANISERS,
    "place_lot": ORGANISERS,
    "final_draw": ORGANISERS,
    "seat_decline": ORGANISERS,
    "seat_take_back": ORGANISERS,
    "ticket_together": TICKETS,
    "claim": EVERYBODY,  # who holds its address, as of all of a person's own
    "merge_answer": EVERYBODY,
    "me_change": EVERYBODY,
    "me_let_go": EVERYBODY,
    "me_take_apart": EVERYBODY,
    "me_leave": EVERYBODY,
    "me_erase": EVERYBODY,
    "new_series": LOGGED_IN,
    "series_invitation": LOGGED_IN,
    "series_desk": ORGANISERS,
    "series_accept": ORGANISERS,
    "series_weight": ORGANISERS,
    "series_take_out": ORGANISERS,
    "series_settings": ORGANISERS,
    "series_tables": ORGANISERS,
    "series_table": ORGANISERS,
    "series_table_remove": ORGANISERS,
    "series_staff": ORGANISERS,
    "series_staff_remove": ORGANISERS,
    "series_invitation_revoke": ORGANISERS,
    "series_merges": ORGANISERS,
    "merge_withdraw": ORGANISERS,
    "merge_take_apart": ORGANISERS,
    "series_penalty_keep": ORGANISERS,
    "series_penalty_let_go": ORGANISERS,
    "event_series": ORGANISERS,
    "event_series_accept": ORGANISERS,
    "event_series_out": ORGANISERS,
    "account_delete": LOGGED_IN,  # refused: nobody types their address by chance
    "sign_out_everywhere": LOGGED_IN,  # the last: after it nobody is signed in
}

ROWS = {("GET", name): row for name, row in READ.items()} | {
    ("POST", name): row for name, row in CHANGE.items()
}
GUESS = "x" * 22


@dataclass(frozen=True, slots=True)
class World:
    """Two events; `event`, cut but not over, is the one whose addresses are tried."""

    event: Event
    other_event: Event
    table: Table
    other_table: Table
    users: dict[str, User]
    tickets: dict[str, str]
    tables: dict[str, str]
    args: dict[str, list[object]]

    def client(self, duty: str) -> Client:
        """A browser of this duty, which has opened what its link opens."""
        client = Client()
        if duty in self.users:
            client.force_login(self.users[duty])
        if duty in self.tickets:
            client.get(reverse("ticket", args=[self.tickets[duty]]))
        if duty in self.tables:
            client.get(reverse("table_link:sheet", args=[self.tables[duty]]))
        return client

    def address(self, name: str, duty: str) -> str:
        """All its parts belong to `event`, but for the secrets, which are those of the duty."""
        if name.startswith("table_link:"):
            return reverse(name, args=[self.tables.get(duty, GUESS), *self.args.get(name, [])])
        if name.startswith("ticket"):
            return reverse(name, args=[self.tickets.get(duty, GUESS)])
        return reverse(name, args=self.args.get(name, [self.event.slug]))


@pytest.fixture
def world() -> World:
    return make_world()


def make_world() -> World:
    """Two events with something of everything that an address can name."""
    event, other_event = make_event(rounds_planned=1), make_event()
    make_players(event, 12)
    make_players(other_event, 1)
    round_ = play_round(event)
    table, other_table = tables_of(round_)[:2]
    user = organiser_of(event)
    by = Actor.of_user(user)
    player, second = event.players.order_by("number")[:2]
    penalty = give_penalty(player=player, infraction="1.1", step=1, reason="late", by=by)
    invitation = staff.invite(event=event, email="new@example.org", duty="judge", by=by)
    payload = {"number": 2, "instead_of": None}
    job, _new = jobs.request_job(event=event, kind="draw", dedupe_key="", payload=payload, by=by)
    jobs.cancel(job=job)
    separation = separate_players(event=event, first=player, second=second, reason="", by=by)
    announcement = send_announcement(
        event=event, audience="here", subject="", text="Lunch is at two.", by=by
    )
    entry = PrizeEntry(name="A hat", kind="special", stock=1, what_for="the youngest")
    prize = add_prize(event=event, entry=entry, by=by)
    gift = give_special(prize=prize, player=player, by=by)
    passed = PrizePass.objects.create(event=event, player=player)
    promised = {"target_name": "World final", "number": 1, "due_days": 7}
    promise = PlacePromise.objects.create(event=event, **promised)
    promised_here = PlacePromise.objects.create(event=other_event, target=event, **promised)
    skip = PlaceSkip.objects.create(promise=promise, player=second, why="gone")
    offered = {"offered_by": by.signature, "due_at": event.starts_at}
    place = Place.objects.create(
        event=event, promise=promise, slot=1, player=player, rank=1, **offered
    )
    direct = Place.objects.create(event=event, name="Eva", why="wild_card", **offered)
    attach_photo(sheet=table.sheet, photo=PHOTO, by=by)
    call = JudgeCall.objects.create(event=event, table=table)
    box = add_box(event=event, facts={"name": "1"}, tables=[1], by=by)
    support = {"name": "Mercado", "link": "", "place": 1}
    sponsor = add_sponsor(event=event, facts=support, logo=PHOTO, by=by)
    ruling = give_ruling(event=event, question="May I?", decision="No.", by=by)
    sitting = table.seats.select_related("player").first().player
    late = LateArrival.objects.create(round=round_, player=sitting, reported_by=by.signature)
    screen = add_screen(event=event, name="Entrance", by=by)
    cut = make_cut(event=event, by=by)
    photo = table.sheet.photos.get().pk
    users = {
        JUDGE: make_judge(event),
        ORGANISER: user,
        OTHER_ORGANISER: organiser_of(other_event),
    }
    slug, of_table = event.slug, [event.slug, table.pk]
    args: dict[str, list[object]] = {name: [] for name in WITHOUT_EVENT}
    args |= {name: of_table for name in names() if name.startswith("staff_table:")}
    args |= {name: [slug, round_.pk] for name in names() if name.startswith("round_")}
    args |= {name: [slug, screen.pk] for name in names() if name.startswith("screen_")}
    args |= {
        "screen": [screen.token],
        "round": [slug, round_.pk],
        "round_draw": [slug],
        "invitation": [invitation.token],
        "live_part": [slug, "standings", "en"],
        "penalty": [slug, 1],
        "penalty_withdraw": [slug, penalty.pk],
        "player": [slug, 1],
        "player_erase": [slug, 1],
        "player_move": [slug, 1, "check-in"],
        "staff_table:deal": [*of_table, 1],
        "staff_table:void": [*of_table, 1],
        "staff_table:photo": [*of_table, photo],
        "staff_table:remove_photo": [*of_table, photo],
        "table_link:deal": [1],
        "table_link:photo": [photo],
        "table_pdf": of_table,
        "table_link:arrived": [late.pk],
        "staff_table:arrived": [*of_table, late.pk],
        "ruling_withdraw": [slug, ruling.pk],
        "sponsor_logo": [slug, sponsor.pk],
        "sponsor": [slug, sponsor.pk],
        "sponsor_remove": [slug, sponsor.pk],
        "box": [slug, box.pk],
        "box_check": [slug, box.pk],
        "box_remove": [slug, box.pk],
        "call_answer": [slug, call.pk],
        "call_end": [slug, call.pk],
        "call_reopen": [slug, call.pk],
        "clock_table_back": [slug, 1],
        "late_arrived": [slug, late.pk],
        "late_missing": [slug, late.pk],
        "late_withdraw": [slug, late.pk],
        "staff_remove": [slug, event.staff.get(user=users[JUDGE]).pk],
        "invitation_revoke": [slug, invitation.pk],
        "place_lot": [slug, 1],
        "seat_decline": [slug, cut.qualifiers.first().pk],
        "seat_take_back": [slug, cut.qualifiers.first().pk],
        "document": [slug, "check-in"],
        "players_file": [slug, "csv"],
        "standings_file": [slug, "csv"],
        "standing": [slug, 1],
        "job": [slug, job.pk],
        "job_cancel": [slug, job.pk],
        "separation_withdraw": [slug, separation.pk],
        **{name: [slug, prize.pk] for name in ("prize", "prize_up", "prize_remove", "prize_give")},
        **{name: [slug, gift.pk] for name in ("gift_hand", "gift_back")},
        "pass_undo": [slug, passed.pk],
        **{name: [slug, 1] for name in ("podium_give", "podium_pass")},
        **{name: [place.token] for name in ("place", "place_accept", "place_decline")},
        **{
            name: [slug, promise.pk]
            for name in ("place_promise", "place_promise_remove", "place_skip")
        },
        "place_promise_agree": [slug, promised_here.pk],
        "place_skip_undo": [slug, skip.pk],
        **{
            name: [slug, place.pk]
            for name in ("place_tick", "place_tick_decline", "place_withdraw")
        },
        "place_register": [slug, direct.pk],
        "announcement_withdraw": [slug, announcement.pk],
        "mail_again": [slug, event.mails.first().pk],
    }
    args |= season_args(event, users[JUDGE], penalty)
    return World(
        event=event,
        other_event=other_event,
        table=table,
        other_table=other_table,
        users=users,
        tickets={PLAYER: player.token, OTHER_PLAYER: other_event.players.get().token},
        tables={DEALER: table.token, OTHER_DEALER: other_table.token},
        args=args,
    )


def season_args(event: Event, judge: User, penalty: Penalty) -> dict[str, list[object]]:
    """A series of the event's own organiser, with its judge; and a person who can be seen."""
    user = organiser_of(event)
    by = Actor.of_user(user)
    series = make_series(user)
    SeriesMember.objects.create(series=series, user=judge, duty="judge")
    entry = SeriesEvent.objects.create(series=series, event=event, asked_by="series")
    table = make_table(series)
    invitation = series_actions.invite(series=series, email="more@example.org", duty="judge", by=by)
    kept = KeptPenalty.objects.create(
        series=series, penalty=penalty, reason="twice", until=series.ends_on
    )
    first, second = event.players.order_by("number")[2:4]
    claim = claim_of(first, "ana@example.org")
    person = joined(with_email(second, "bo@example.org"), "bo@example.org")
    Person.objects.filter(pk=person.pk).update(public=True)
    merge = Merge.objects.create(series=series, into=person, done_at=timezone.now())
    side = MergeSide.objects.create(merge=merge, player=first)
    slug = series.slug
    of_entry, of_table, of_merge = [slug, entry.pk], [slug, table.pk], [slug, merge.pk]
    member = series.staff.get(user=judge).pk
    return {
        **{name: [slug] for name in SERIES_PAGES},
        **{name: [] for name in ("series_list", "my_series", "new_series")},
        **dict.fromkeys(("series_accept", "series_weight", "series_take_out"), of_entry),
        **dict.fromkeys(("series_standings", "series_table", "series_table_remove"), of_table),
        **dict.fromkeys(("merge_withdraw", "merge_take_apart"), of_merge),
        **{name: [person.token] for name in ("me", "me_change", "me_leave", "me_erase")},
        **{name: [event.slug, entry.pk] for name in ("event_series_accept", "event_series_out")},
        "series_invitation": [invitation.token],
        "series_invitation_revoke": [slug, invitation.pk],
        "series_staff_remove": [slug, member],
        "series_penalty_keep": [slug, penalty.pk],
        "series_penalty_let_go": [slug, kept.pk],
        "person": [person.pk],
        "claim": [claim.token],
        "merge_answer": [side.token],
        "me_let_go": [person.token, person.links.get().pk],
        "me_take_apart": [person.token, merge.pk],
    }


SERIES_PAGES = (
    "series",
    "series_desk",
    "series_settings",
    "series_tables",
    "series_staff",
    "series_merges",
    "series_penalties",
    "series_log",
)
WITHOUT_EVENT = (
    "home",
    "archive",
    "resume",
    "health",
    "key",
    "key_file",
    "theme",
    "set_language",
    "desk",
    "new_event",
    "event_import",
    "account",
    "account_data",
    "account_delete",
    "sign_out_everywhere",
    "table_worker",
    "carry",
)


def names() -> set[str]:
    """Every URL name of ours, with its namespace; those of the accounts are allauth's."""

    def walk(patterns: list[URLPattern | URLResolver], space: str) -> Iterator[str]:
        for pattern in patterns:
            if isinstance(pattern, URLPattern):
                yield f"{space}{pattern.name}"
            elif "allauth" not in str(pattern.urlconf_name):
                inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
                yield from walk(pattern.url_patterns, inner)

    return set(walk(get_resolver().url_patterns, ""))


def answer(client: Client, method: str, address: str) -> HttpResponse:
    """Whatever it would change is taken back."""
    with transaction.atomic():
        found = client.generic(method, address)
        transaction.set_rollback(True)
    return found


def way_in(response: HttpResponse) -> str:
    if response.headers.get("Location", "").startswith("/accounts/login/"):
        return LOGIN
    refused = {403: FORBIDDEN, 404: HIDDEN, 405: "no such method"}
    return refused.get(response.status_code, IN)


type Tries = dict[str, tuple[Client, str]]  # a duty's browser, and what it keeps


def tries_of(world: World) -> Tries:
    clients = {duty: world.client(duty) for duty in DUTIES}
    return {duty: (client, client.cookies.output()) for duty, client in clients.items()}


def ways_in(tries: Tries, method: str, addresses: dict[str, str]) -> dict[str, str]:
    """What each duty gets. Browsers that keep the same ask for one address once."""
    told: dict[tuple[str, str], str] = {}
    for duty, (client, kept) in tries.items():
        asked = (kept, addresses[duty])
        if asked not in told:
            told[asked] = way_in(answer(client, method, addresses[duty]))
    return {duty: told[kept, addresses[duty]] for duty, (_client, kept) in tries.items()}


def test_every_address_has_a_row() -> None:
    assert {*READ, *CHANGE} == names()


@pytest.mark.once  # an organiser opens every page on every database, below
def test_each_duty_gets_in_where_its_row_says(world: World) -> None:
    tries = tries_of(world)
    found = {
        (method, name): ways_in(tries, method, {duty: world.address(name, duty) for duty in DUTIES})
        for method, name in ROWS
    }
    if found != ROWS:
        wrong = [
            f"{method} {name}, {duty}: {found[method, name][duty]}, not {expected}"
            for (method, name), row in ROWS.items()
            for duty, expected in row.items()
            if found[method, name][duty] != expected
        ]
        pytest.fail("\n".join(wrong))


# Who reads these leaves no copy in the browser (docs/decisions/no-traces.md).
NEVER_STORED = {
    "account",
    "account_data",
    "document",
    "event_archive",
    "packet",
    "door",
    "door_everybody",
    "log",
    "notebook",
    "player",
    "player_erase",
    "players",
    "players_file",
    "round_pdf",
    "series_log",
    "series_merges",
    "series_penalties",
    "series_staff",
    "staff",
    "staff_table:photo",
    "standings_file",
    "table_pdf",
}
# Asked for anew by Back as well, since an old one would mislead.
ALWAYS_FRESH = {
    "screen",
    "place",
    "resume",
    "claim",
    "me",
    "merge_answer",
    "ticket",
    "ticket_data",
    "ticket_data_file",
    "register",
    "lost_ticket",
    "table_link:sheet",
    "table_link:deal",
    "table_link:points",
    "table_link:steps",
    "table_link:call",
    "staff_table:sheet",
    "staff_table:deal",
    "staff_table:points",
    "round_type",
}


def test_pages_with_contacts_are_never_stored(world: World) -> None:
    """And no other is, so that Back finds what was typed there."""
    own = dict.fromkeys(("ticket", "ticket_data", "ticket_data_file"), PLAYER)
    holder = own | {name: DEALER for name in READ if name.startswith("table_link")}
    clients = {duty: world.client(duty) for duty in (PLAYER, DEALER, ORGANISER)}
    found = set()
    for name in READ:
        duty = holder.get(name, ORGANISER)
        response = answer(clients[duty], "GET", world.address(name, duty))
        if "no-store" in response.headers.get("Cache-Control", ""):
            found.add(name)
    assert found == NEVER_STORED | ALWAYS_FRESH


def test_a_method_without_a_row_is_refused_to_everybody(world: World) -> None:
    tries = tries_of(world)
    wrong = []
    for name in sorted(names()):
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            if (method, name) in ROWS or name == "set_language":  # Django's: it sends GET home
                continue
            organiser, _kept = tries[ORGANISER]
            first = answer(organiser, method, world.address(name, ORGANISER))
            if first.status_code == 405:  # said before anybody asks who it is
                continue
            ways = ways_in(tries, method, {duty: world.address(name, duty) for duty in DUTIES})
            wrong += [f"{method} {name}, {duty}" for duty, way in ways.items() if way == IN]
    assert wrong == []


# They name a number or a kind that each event has.
OF_EACH_EVENT = {
    "live_part",
    "player",
    "player_erase",
    "player_move",
    "players_file",
    "standings_file",
    "standing",
    "penalty",
    "document",
    "place_lot",
    "podium_give",
    "podium_pass",
    "clock_table_back",
}
# Behind a person's own secret: tests/tournament/test_persons.py tries another's.
OF_A_PERSON = {"me_let_go", "me_take_apart"}


def test_other_events_objects_are_hidden_behind_ones_own_event(world: World) -> None:
    """Every address with an object in it, tried under an event where one may do anything."""
    client = world.client(OTHER_ORGANISER)
    own = world.other_event.slug
    wrong = []
    for method, name in ROWS:
        args = world.args.get(name, [])
        if len(args) < 2 or name in OF_EACH_EVENT | OF_A_PERSON:
            continue
        if way_in(answer(client, method, reverse(name, args=[own, *args[1:]]))) == IN:
            wrong.append(f"{method} {name}")
    assert wrong == []


def test_other_series_objects_are_hidden_behind_ones_own_series(world: World) -> None:
    own = make_series(world.users[OTHER_ORGANISER])
    client = world.client(OTHER_ORGANISER)
    wrong = []
    for method, name in ROWS:
        args = world.args.get(name, [])
        if len(args) < 2 or not name.startswith(("series", "merge_")):
            continue
        if name == "series_penalty_keep":  # leads back to the list, which has not this one
            continue
        if way_in(answer(client, method, reverse(name, args=[own.slug, *args[1:]]))) == IN:
            wrong.append(f"{method} {name}")
    assert wrong == []


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
    address = reverse("table_link:sheet", args=[table.token])
    assert Client().get(address).status_code == 200
    finish_event(event=event, by=by)
    over = Client().get(address)
    assert over.status_code == 410
    assert reverse("standings", args=[event.slug]) in over.content.decode(), "says so, leads on"
    submit = reverse("table_link:submit", args=[table.token])
    assert Client().post(submit).status_code == 410
    ticket = reverse("ticket", args=[event.players.get(number=1).token])
    assert Client().get(ticket).status_code == 200


def test_a_dealer_of_another_table_cannot_touch_this_one(world: World) -> None:
    """A table's link opens that table alone: its token is the only key, and it names one table."""
    address = reverse("table_link:sheet", args=[world.other_table.token])
    assert world.table.token not in Client().get(address).content.decode()


def test_a_revoked_link_stops_working(world: World) -> None:
    old = reverse("table_link:sheet", args=[world.table.token])
    rounds.new_table_link(table=world.table, by=Actor.of_user(world.users[ORGANISER]))
    assert Client().get(old).status_code == 404


def test_the_seats_of_a_draft_round_stay_hidden() -> None:
    event = make_event()
    make_players(event, 6)
    round_ = make_round(event, published=False)
    table = tables_of(round_)[0]
    assert Client().get(reverse("table_link:sheet", args=[table.token])).status_code == 404
    page = Client().get(reverse("seats", args=[event.slug])).content.decode()
    assert event.players.get(number=1).name not in page
