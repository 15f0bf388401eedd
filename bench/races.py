"""Two press at the same moment: `python bench/races.py [--races 140] [--postgres]`.

A real server (two workers) on a new database. Each race makes what it needs, opens the pages, and
lets several browsers send their forms together: what may not both happen, or must both survive.
Then it looks: an exclusive action has one winner, what was acknowledged is in the log, nobody saw
an error, and `check_event` finds nothing. The kinds come in turn. Exits 1 on a violation.
"""

from __future__ import annotations

import argparse
import json
import random
import secrets
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.server import PATIENCE, Answer, Server, Visitor, a_site, forms_of, session_of

type Press = Callable[[], Answer]
type Told = Sequence[Answer]
type Course = Generator[list[Press], Told, None]
RACES: dict[str, Callable[[Hall], Course]] = {}


class Violation(Exception):
    """What may not be, in words."""


def must(holds: object, words: str) -> None:
    if not holds:
        raise Violation(words)


def race(course: Callable[[Hall], Course]) -> Callable[[Hall], Course]:
    """It makes what it needs, yields the presses, gets their answers, and looks."""
    RACES[course.__name__] = course
    return course


def taken(answer: Answer) -> bool:
    """Whether it was told that it is done."""
    leads = answer.leads_to
    return answer.status == 200 or (answer.status == 302 and not leads.startswith("/accounts/"))


def count(told: Told) -> int:
    return sum(map(taken, told))


@dataclass
class Hall:
    """Where a race happens."""

    port: int
    rng: random.Random
    log: Path
    events: list[Any] = field(default_factory=list)

    # --- what is there

    def event(self, players: int = 0, **settings: Any) -> Any:
        from tests.factories import make_event, make_players

        event = make_event(**settings)
        make_players(event, players)
        self.events.append(event)
        return event

    def table(self, *, played: bool = False, confirm: bool = True, **settings: Any) -> Any:
        """The one table of a first round that is published."""
        from tests.factories import make_round, play
        from tournament.simulation import tables_of

        table = tables_of(make_round(self.event(6, **settings)))[0]
        if played:
            play(table, confirm=confirm)
        return table

    # --- who is there

    def desk(self, event: Any) -> Visitor:
        from tests.factories import organiser_of

        return self.signed_in(organiser_of(event))

    def judge(self, event: Any) -> Visitor:
        from tests.factories import make_judge

        return self.signed_in(make_judge(event))

    def signed_in(self, user: Any) -> Visitor:
        return Visitor(self.port, session=session_of(user), network=self._network())

    def phone(self) -> Visitor:
        return Visitor(self.port, network=self._network())

    def _network(self) -> str:
        return f"10.{self.rng.randrange(256)}.{self.rng.randrange(256)}.1"

    # --- what they do

    def press(self, who: Visitor, page: str, action: str = "", **changes: str) -> Press:
        """The button of the page's form that is sent there, as the page stands now."""
        data = who.form(page, action).filled(**changes)
        return lambda: who.post(action or page, data)

    def send(self, who: Visitor, action: str, **data: str) -> Press:
        """A press whose page need not be looked at."""
        mark = {"key": secrets.token_urlsafe(12)}
        return lambda: who.post(action, (mark | data).items())

    def foreseen(self, who: Visitor, action: str, **data: str) -> Press:
        """One whose page first says what it changes: it is read by now."""
        press = self.send(who, action, **data)
        answer = press()
        if answer.status != 200:
            return press
        form = next(one for one in forms_of(answer.text, action) if dict(one.fields).get("seen"))
        return partial(who.post, action, form.filled(**data))

    def outbox(self, table: Any, **entry: Any) -> Press:
        """As a table's phone sends it."""
        seats = table.seats.order_by("position").values_list("player__number", flat=True)
        body = json.dumps({"players": ",".join(map(str, seats)), "seen": ""} | entry).encode()
        headers = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(12)}
        phone = self.phone()
        return lambda: phone.ask("POST", f"/t/{table.token}/deals/", body, headers)

    def jobs_done(self, event: Any) -> None:
        end = time.monotonic() + 2 * PATIENCE
        while event.jobs.open().exists():
            must(time.monotonic() < end, "a job never ends")
            time.sleep(0.1)


def at_once(presses: Sequence[Press], rng: random.Random) -> list[Answer]:
    """All together, each a few milliseconds early or late."""
    together = threading.Barrier(len(presses))
    waits = [rng.choice((0, 0, 0.002, 0.01, 0.03)) for _ in presses]
    told: list[Answer] = [Answer(0)] * len(presses)

    def carry_out(place: int) -> None:
        together.wait()
        time.sleep(waits[place])
        told[place] = presses[place]()

    threads = [threading.Thread(target=carry_out, args=[n]) for n in range(len(presses))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def logged(event: Any, verb: str) -> int:
    from tournament.models import LogEntry

    return LogEntry.objects.filter(event=event, verb=verb).count()


def desk(event: Any, *parts: object) -> str:
    return "/".join(("/desk", event.slug, *map(str, parts), ""))


# --- The table -----------------------------------------------------------------------------------


@race
def two_phones_enter_one_deal(hall: Hall) -> Course:
    table = hall.table()
    told = yield [
        hall.outbox(table, kind="deal", number=1, roles="ssmmmx", connector=seat)
        for seat in (3, 4, 5)
    ]
    must(count(told) == 1, "one of them stands")
    must(table.sheet.deals.count() == logged(table.round.event, "deal.entered") == 1, "one deal")


@race
def one_entry_sent_three_times(hall: Hall) -> Course:
    table = hall.table()
    told = yield [hall.outbox(table, kind="deal", number=1, roles="ssmmmx", connector=3)] * 3
    must(count(told) == 3, "each is told that it stands")
    must(logged(table.round.event, "deal.entered") == 1, "it counts once")


@race
def two_phones_enter_a_deal_of_the_base_game(hall: Hall) -> Course:
    table = hall.table(ruleset="base-classic")
    page = f"/t/{table.token}/deals/1/"
    dealt = {f"role-{n}": "saboteur" if n in (3, 4) else "miner" for n in range(1, 7)}
    told = yield [
        hall.press(hall.phone(), page, **dealt, connector="none"),
        hall.press(hall.phone(), page, **dealt | {"role-3": "miner"}, connector="none"),
    ]
    must(count(told) == 1, f"one of them stands: {told}")
    must(logged(table.round.event, "deal.entered") == 1, "one deal")


@race
def confirmed_while_it_is_taken_back(hall: Hall) -> Course:
    table = hall.table(played=True, confirm=False)
    link = f"/t/{table.token}/"
    told = yield [
        hall.outbox(table, kind="confirm", seat=2, seen=_deals(table)),
        hall.press(hall.phone(), link, f"{link}reopen/", reason="Once more"),
    ]
    must(count(told) == 1, f"one of both: {[one.status for one in told]}")


@race
def confirmed_by_two(hall: Hall) -> Course:
    table = hall.table(played=True, confirm=False)
    event, page = table.round.event, desk(table.round.event, "tables", table.pk)
    yield [
        hall.press(who, page, f"{page}confirm/") for who in (hall.desk(event), hall.judge(event))
    ]
    must(logged(event, "sheet.confirmed") == 1, "it is confirmed once")


@race
def reopened_while_the_round_is_closed(hall: Hall) -> Course:
    table = hall.table(played=True)
    event, page = table.round.event, desk(table.round.event, "tables", table.pk)
    round_page = desk(event, "rounds", table.round_id)
    told = yield [
        hall.send(hall.judge(event), f"{page}reopen/", reason="wrong row"),
        hall.send(hall.desk(event), f"{round_page}close/"),
    ]
    must(count(told) >= 1, "somebody gets through")
    must(logged(event, "round.closed") == taken(told[1]), "closed as it was told")


@race
def a_deal_is_saved_while_the_round_is_taken_back(hall: Hall) -> Course:
    table = hall.table()
    event = table.round.event
    told = yield [
        hall.outbox(table, kind="deal", number=1, roles="ssmmmx", connector=3),
        hall.send(hall.desk(event), desk(event, "rounds", table.round_id, "unpublish")),
    ]
    must(count(told) == 1, f"one of both: {[one.status for one in told]}")


@race
def a_judge_is_called_from_two_phones(hall: Hall) -> Course:
    table = hall.table()
    yield [hall.send(hall.phone(), f"/t/{table.token}/call/", reason="") for _ in range(2)]
    must(logged(table.round.event, "call.made") == 1, "one call")


def _deals(table: Any) -> str:
    return ",".join(deal.text for deal in table.sheet.deals.order_by("number"))


# --- Judges --------------------------------------------------------------------------------------


@race
def two_judges_give_a_penalty(hall: Hall) -> Course:
    event = hall.table().round.event
    page = f"/judge/{event.slug}/players/1/"
    penalty = {"infraction": "1.1", "step": "1", "reason": "late"}
    told = yield [hall.press(hall.judge(event), page, **penalty) for _ in range(2)]
    must(count(told) == 2, f"both are told: {[one.status for one in told]}")
    must(event.penalties.count() == logged(event, "penalty.given") == 2, "both survive")


@race
def one_penalty_pressed_three_times(hall: Hall) -> Course:
    event = hall.table().round.event
    page = f"/judge/{event.slug}/players/1/"
    press = hall.press(hall.judge(event), page, infraction="1.1", step="1", reason="late")
    yield [press] * 3
    must(event.penalties.count() == 1, "it counts once")


@race
def a_penalty_while_the_player_leaves(hall: Hall) -> Course:
    event = hall.table().round.event
    page = f"/judge/{event.slug}/players/1/"
    told = yield [
        hall.press(hall.judge(event), page, infraction="1.1", step="1", reason="late"),
        hall.send(hall.desk(event), desk(event, "players", 1, "drop")),
    ]
    must(taken(told[0]) == event.penalties.count(), "told as it is")


# --- The draw ------------------------------------------------------------------------------------


@race
def two_draws(hall: Hall) -> Course:
    event = hall.event(12)
    page = desk(event, "rounds", "draw")
    yield [hall.press(hall.desk(event), page) for _ in range(2)]
    hall.jobs_done(event)
    must(event.rounds.count() == logged(event, "round.drawn") == 1, "one round")


@race
def a_draw_while_somebody_checks_in(hall: Hall) -> Course:
    from tests.factories import make_player

    event = hall.event(12)
    late = make_player(event, here=False)
    who = hall.desk(event)
    told = yield [
        hall.press(who, desk(event, "rounds", "draw")),
        hall.send(hall.desk(event), desk(event, "players", late.number, "check-in")),
    ]
    hall.jobs_done(event)
    late.refresh_from_db()
    must(taken(told[1]) == (late.status == "checked_in"), "here as it was told")


@race
def a_draw_while_somebody_withdraws(hall: Hall) -> Course:
    event = hall.event(13)
    ticket = f"/p/{event.players.get(number=3).token}/"
    yield [
        hall.press(hall.desk(event), desk(event, "rounds", "draw")),
        hall.send(hall.phone(), f"{ticket}withdraw/"),
    ]
    hall.jobs_done(event)


@race
def a_draw_while_somebody_walks_in(hall: Hall) -> Course:
    event = hall.event(12)
    door = desk(event, "door")
    told = yield [
        hall.press(hall.desk(event), desk(event, "rounds", "draw")),
        *(
            hall.press(hall.desk(event), door, f"{door}walk-in/", name=f"Walks In {name}")
            for name in ("Ana", "Bo")
        ),
    ]
    hall.jobs_done(event)
    must(event.players.count() == 12 + count(told[1:]), "in as they were told")


@race
def a_draft_is_published_while_it_is_drawn_again(hall: Hall) -> Course:
    from tests.factories import make_round

    event = hall.event(12)
    page = desk(event, "rounds", make_round(event, published=False).pk)
    yield [
        hall.press(hall.desk(event), f"{page}redraw/"),
        hall.send(hall.desk(event), f"{page}publish/"),
    ]
    hall.jobs_done(event)
    must(event.rounds.exclude(status="cancelled").count() == 1, "one round")


@race
def duels_are_drawn_again_while_somebody_comes(hall: Hall) -> Course:
    """Somebody has no opponent; then there is one."""
    from tests.factories import make_player, make_round

    event = hall.event(5, ruleset="duel")
    late, draft = make_player(event, here=False), make_round(event, published=False)
    page = desk(event, "rounds", draft.pk)
    yield [
        hall.press(hall.desk(event), f"{page}redraw/"),
        hall.send(hall.desk(event), desk(event, "players", late.number, "check-in")),
        hall.send(hall.desk(event), f"{page}publish/"),
    ]
    hall.jobs_done(event)


@race
def a_bye_is_repaired_while_the_round_is_drawn_again(hall: Hall) -> Course:
    from tests.factories import make_round

    event = hall.event(6, ruleset="duel")
    page = desk(event, "rounds", make_round(event, published=False).pk)
    who = hall.desk(event)
    missing = event.players.first().number
    ways = f"{page}mend/?missing={missing}&see=1"
    yield [
        hall.press(who, ways, f"{page}mend/pick/"),
        hall.press(hall.desk(event), f"{page}redraw/"),
    ]
    hall.jobs_done(event)


@race
def printed_while_the_round_is_taken_back(hall: Hall) -> Course:
    event = hall.table().round.event
    round_ = event.rounds.get()
    who = hall.desk(event)
    yield [
        lambda: who.get(desk(event, "rounds", round_.pk, "sheets.pdf").removesuffix("/")),
        hall.send(hall.desk(event), desk(event, "rounds", round_.pk, "unpublish")),
    ]
    hall.jobs_done(event)


@race
def two_press_publish(hall: Hall) -> Course:
    from tests.factories import make_round

    event = hall.event(12)
    page = desk(event, "rounds", make_round(event, published=False).pk, "publish")
    yield [hall.send(hall.desk(event), page) for _ in range(2)]
    must(logged(event, "round.published") == 1, "published once")


@race
def two_start_the_clock(hall: Hall) -> Course:
    event = hall.table(round_minutes=40).round.event
    page = desk(event, "clock")
    yield [hall.press(hall.desk(event), page, f"{page}start/") for _ in range(2)]
    must(logged(event, "clock.started") == 1, "started once")


# --- The cut, the final, prizes ------------------------------------------------------------------


def level(hall: Hall, **settings: Any) -> Any:
    """Twelve who share every rank, one round closed."""
    from tests.browser.world import level

    event = level(_owner(), f"Level {secrets.token_hex(4)}", **settings)
    hall.events.append(event)
    return event


def _owner() -> Any:
    from tests.factories import make_user

    return make_user()


@race
def the_cut_while_a_sheet_is_reopened(hall: Hall) -> Course:
    event = level(hall)
    table = event.rounds.get().tables.first()
    yield [
        hall.send(hall.desk(event), desk(event, "cut", "make")),
        hall.foreseen(hall.judge(event), desk(event, "tables", table.pk, "reopen"), reason="wrong"),
    ]


@race
def two_make_the_cut(hall: Hall) -> Course:
    event = level(hall)
    yield [hall.send(hall.desk(event), desk(event, "cut", "make")) for _ in range(2)]
    must(event.cuts.count() == 1, "one cut")


@race
def two_draw_the_lot(hall: Hall) -> Course:
    from tests.factories import organiser
    from tournament.actions.cuts import make_cut

    event = level(hall)
    make_cut(event=event, by=organiser(event))
    yield [hall.send(hall.desk(event), desk(event, "cut", "lot")) for _ in range(3)]
    must(event.lots.count() == 1, "one lot")


@race
def a_prize_is_given_by_two(hall: Hall) -> Course:
    from tests.factories import organiser
    from tournament.actions.cuts import settle_place
    from tournament.actions.prizes import PrizeEntry, add_prize
    from tournament.queries.standings import standings_for

    event = level(hall, cut_size=0)
    settle_place(event=event, rank=1, by=organiser(event))
    cup = PrizeEntry("A cup", "rank", 1, 1, 1)
    things = [
        add_prize(event=event, entry=one, by=organiser(event))
        for one in (cup, PrizeEntry("A hat", "choice", 2), PrizeEntry("A bag", "choice", 2))
    ]
    first = standings_for(event).ranked[0].number
    give = desk(event, "prizes", "podium", first, "give")
    yield [hall.send(hall.desk(event), give, thing=str(one.pk)) for one in things[1:]]
    kinds = Counter(event.prizes_listed.values_list("gifts__prize__kind", flat=True))
    must(kinds["choice"] <= 1 and kinds["rank"] <= 1, f"given once: {kinds}")


@race
def finished_while_a_sheet_is_reopened(hall: Hall) -> Course:
    event = level(hall, cut_size=0)
    table = event.rounds.get().tables.first()
    yield [
        hall.press(hall.desk(event), desk(event, "finish")),
        hall.foreseen(hall.judge(event), desk(event, "tables", table.pk, "reopen"), reason="wrong"),
    ]


# --- People --------------------------------------------------------------------------------------


@race
def the_last_place_is_wanted_by_three(hall: Hall) -> Course:
    event = hall.event(capacity=1)
    page = f"/events/{event.slug}/register/"
    told = yield [
        hall.press(hall.phone(), page, name=f"{name} Ruiz", email=f"{name}-{event.pk}@example.org")
        for name in ("Ana", "Bo", "Cy")
    ]
    found = Counter(event.players.values_list("status", flat=True))
    must(count(told) == 3, f"all are told: {[one.status for one in told]}")
    must(found == {"registered": 1, "waiting": 2}, f"one place: {found}")


@race
def one_registration_sent_three_times(hall: Hall) -> Course:
    event = hall.event()
    page = f"/events/{event.slug}/register/"
    press = hall.press(hall.phone(), page, name="Ana", email=f"once-{event.pk}@example.org")
    yield [press] * 3
    must(event.players.count() == 1, "one player")


@race
def erased_by_oneself_while_the_desk_edits(hall: Hall) -> Course:
    event, email = hall.event(), f"gone-{secrets.token_hex(4)}@example.org"
    player = _registered(event, "Ana Ruiz", email)
    ticket, page = f"/p/{player.token}/", desk(event, "players", player.number)
    told = yield [
        hall.press(hall.phone(), f"{ticket}data/", f"{ticket}erase/"),
        hall.press(hall.desk(event), page, name="Ana Ruiz Edited"),
        hall.send(hall.phone(), f"{ticket}email/", email=f"new-{email}"),
    ]
    _is_gone_if(taken(told[0]), event, email)


@race
def erased_while_the_ticket_asks_for_it_too(hall: Hall) -> Course:
    event, email = hall.event(), f"gone-{secrets.token_hex(4)}@example.org"
    player = _registered(event, "Ana Ruiz", email)
    ticket, page = f"/p/{player.token}/", desk(event, "players", player.number, "erase")
    told = yield [
        hall.press(hall.desk(event), page, reason="Her wish"),
        hall.press(hall.phone(), f"{ticket}data/", f"{ticket}erase/"),
        hall.press(hall.phone(), f"/events/{event.slug}/register/", name="Ana Ruiz", email=email),
    ]
    must(count(told[:2]) >= 1, f"erased: {[one.status for one in told]}")
    names = set(event.players.filter(erased_at=None).values_list("name", flat=True))
    must(len(names) == taken(told[2]), f"registered as told: {names}")


@race
def asked_to_be_erased_while_a_deal_is_saved(hall: Hall) -> Course:
    table = hall.table()
    event = table.round.event
    ticket = f"/p/{event.players.get(number=1).token}/"
    told = yield [
        hall.press(hall.phone(), f"{ticket}data/", f"{ticket}erase/"),
        hall.outbox(table, kind="deal", number=1, roles="ssmmmx", connector=3),
    ]
    must(count(told) == 2, f"both: {[one.status for one in told]}")
    must(table.sheet.deals.count() == 1, "the deal stands as it was told")


@race
def erased_by_the_desk_while_a_sheet_is_reopened(hall: Hall) -> Course:
    """Somebody has played, and dropped out."""
    from tests.factories import organiser
    from tournament.actions.attendance import drop
    from tournament.models import Contact

    event = level(hall)
    player = event.players.get(number=1)
    drop(player=player, by=organiser(event))
    table = player.seats.get().table
    told = yield [
        hall.press(hall.desk(event), desk(event, "players", 1, "erase"), reason="Her wish"),
        hall.foreseen(hall.judge(event), desk(event, "tables", table.pk, "reopen"), reason="wrong"),
        hall.send(hall.phone(), f"/p/{player.token}/email/", email="a@example.org"),
    ]
    player.refresh_from_db()
    must(taken(told[0]) == (player.erased_at is not None), "erased as it was told")
    contact = Contact.objects.filter(player=player)
    must(player.erased_at is None or not contact.exists(), "nothing is left")


def _registered(event: Any, name: str, email: str) -> Any:
    from tests.factories import organiser
    from tournament.actions.players import PlayerEntry
    from tournament.actions.registration import register

    entry = PlayerEntry(name=name, email=email)
    return register(event=event, entry=entry, by=organiser(event))


def _is_gone_if(erased: bool, event: Any, email: str) -> None:
    from tournament.models import Contact, Mail

    if not erased:
        return
    names = " ".join(event.players.values_list("name", flat=True))
    must("Ruiz" not in names, f"the name is gone: {names}")
    must(not Contact.objects.filter(email__endswith=email).exists(), "the contact is gone")
    must(not Mail.objects.filter(to__endswith=email).exists(), "the mails are gone")


@race
def one_list_imported_by_two(hall: Hall) -> Course:
    event = hall.event()
    page = desk(event, "players", "import")
    names = "\n".join(f"Name {letter}{event.pk}" for letter in "ABCDEFGH")
    presses: list[Press] = []
    for who in (hall.desk(event), hall.desk(event)):
        preview = who.post(page, who.form(page).filled(pasted=names))
        form = next(one for one in forms_of(preview.text, page) if "confirmed" in dict(one.fields))
        presses.append(partial(who.post, page, form.filled()))
    yield presses
    must(event.players.count() == 8, f"each once: {event.players.count()}")


@race
def an_account_is_deleted_while_it_is_renamed(hall: Hall) -> Course:
    user = _owner()
    page = "/accounts/delete/"
    told = yield [
        hall.press(hall.signed_in(user), page, email=user.email),
        hall.press(hall.signed_in(user), "/accounts/", name="Another Name"),
    ]
    user.refresh_from_db()
    must(taken(told[0]), f"deleted: {told[0].status}")
    must(not user.is_active and user.name == "", f"nothing is left: {user.name}")


@race
def an_account_is_deleted_while_it_makes_an_event(hall: Hall) -> Course:
    from tournament.models import Event

    user = _owner()
    name = f"Made {secrets.token_hex(4)}"
    page, who = "/desk/new/?preset=shop", hall.signed_in(user)
    filled = who.form(page).filled(name=name)
    typed = [one for one in filled if one[0] != "preset"]  # the button that only fills it in
    told = yield [
        hall.press(hall.signed_in(user), "/accounts/delete/", email=user.email),
        lambda: who.post(page, typed),
    ]
    for event in Event.objects.filter(name=name):
        must(event.staff.filter(user__is_active=True).exists(), "somebody organises it")
    must(count(told) >= 1, "somebody gets through")


@race
def two_organisers_delete_their_accounts(hall: Hall) -> Course:
    """One of them has to stay: an event has an organiser."""
    from tests.factories import make_user, organiser_of
    from tournament.models import StaffMember

    event = hall.event(6)
    first, other = organiser_of(event), make_user()
    StaffMember.objects.create(event=event, user=other, duty="organiser")
    yield [
        hall.press(hall.signed_in(user), "/accounts/delete/", email=user.email)
        for user in (first, other)
    ]
    must(event.staff.filter(duty="organiser").exists(), "somebody organises it")


@race
def two_organisers_remove_each_other(hall: Hall) -> Course:
    from tests.factories import make_user, organiser_of
    from tournament.models import StaffMember

    event = hall.event(6)
    first = organiser_of(event)
    other = StaffMember.objects.create(event=event, user=make_user(), duty="organiser")
    own = event.staff.get(user=first)
    yield [
        hall.send(hall.signed_in(first), desk(event, "staff", other.pk, "remove")),
        hall.send(hall.signed_in(other.user), desk(event, "staff", own.pk, "remove")),
    ]
    must(event.staff.filter(duty="organiser").exists(), "somebody organises it")


# --- Places and mails ----------------------------------------------------------------------------


@race
def a_place_is_accepted_while_it_is_declined(hall: Hall) -> Course:
    from tests.factories import organiser
    from tests.tournament.test_places import final_of_the_country, promise, shop
    from tournament.actions.places import offer_places
    from tournament.models import Place

    shop, target = shop(), final_of_the_country()
    hall.events += [shop, target]
    promise(shop, target, 1)
    (place,) = offer_places(event=shop, by=organiser(shop)).places
    link = f"/places/{place.token}/"
    yield [
        hall.press(hall.phone(), link, f"{link}accept/"),
        hall.press(hall.phone(), link, f"{link}decline/"),
    ]
    place.refresh_from_db()
    came = target.players.filter(status="registered").count()
    standing = Place.objects.filter(event=shop, ended_as="").exclude(accepted_at=None).count()
    must(came == standing, f"who comes has a place: {came}, {standing}")


@race
def places_are_offered_by_two(hall: Hall) -> Course:
    from tests.tournament.test_places import final_of_the_country, promise, shop
    from tournament.models import Place

    shop, target = shop(), final_of_the_country()
    hall.events += [shop, target]
    promise(shop, target, 2)
    yield [hall.send(hall.desk(shop), desk(shop, "places", "offer")) for _ in range(2)]
    found = sorted(Place.objects.filter(event=shop).values_list("slot", "rank"))
    must(found == [(1, 1), (2, 2)], f"each once: {found}")


@race
def tickets_are_mailed_by_two(hall: Hall) -> Course:
    """Both workers send what waits: each mail goes out once."""
    from tests.factories import organiser
    from tournament.actions.players import PlayerEntry, import_players
    from tournament.models.mails import MailStatus

    event = hall.event()
    emails = [f"mail-{event.pk}-{n}@example.org" for n in range(12)]
    entries = [PlayerEntry(name=f"Gets Mail{n}", email=one) for n, one in enumerate(emails)]
    import_players(event=event, entries=entries, by=organiser(event))
    yield [hall.send(hall.desk(event), desk(event, "players", "tickets")) for _ in range(2)]
    end = time.monotonic() + 2 * PATIENCE
    while event.mails.filter(status=MailStatus.WAITING).exists():
        must(time.monotonic() < end, "mails wait for ever")
        time.sleep(0.2)
    text = hall.log.read_text(errors="replace")
    sent = {email: text.count(f"To: {email}\n") for email in emails}
    must(set(sent.values()) == {1}, f"each once: {sent}")


# --- A run ---------------------------------------------------------------------------------------


@dataclass
class Result:
    races: Counter[str] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)
    wins: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        answers = ", ".join(f"{status}: {n}" for status, n in sorted(self.answers.items()))
        return (
            f"{self.races.total()} races of {len(self.races)} kinds, "
            f"{self.answers.total()} presses ({answers}), {len(self.wrong)} violations"
        )


def run(hall: Hall, races: int, only: str, result: Result) -> None:
    names = [name for name in RACES if only in name]
    for number in range(races):
        name = names[number % len(names)]
        hall.events.clear()
        result.races[name] += 1
        begun = time.monotonic()
        try:
            told = run_one(hall, RACES[name])
        except (Violation, LookupError) as wrong:
            result.wrong.append(f"{name} ({number}): {wrong}")
            print(result.wrong[-1], file=sys.stderr, flush=True)
            continue
        statuses = [one.status for one in told]
        result.answers.update(statuses)
        result.wins.setdefault(name, Counter())["/".join(map(str, statuses))] += 1
        result.wrong += [f"{name} ({number}): {one}" for one in differences(hall, statuses)]
        print(
            number, name, statuses, f"{time.monotonic() - begun:.1f}", file=sys.stderr, flush=True
        )


def run_one(hall: Hall, make: Callable[[Hall], Course]) -> list[Answer]:
    course = make(hall)
    told = at_once(next(course), hall.rng)
    try:
        course.send(told)
    except StopIteration:
        pass
    except Violation as wrong:
        raise Violation(f"{wrong} {[one.status for one in told]}") from wrong
    return told


def differences(hall: Hall, statuses: list[int]) -> list[str]:
    from tournament.queries.check_event import check_event

    wrong = [f"answers {statuses}"] if [one for one in statuses if not 200 <= one < 500] else []
    for event in hall.events:
        event.refresh_from_db()
        if found := check_event(event).difference:
            wrong.append(f"{event.slug}: {found}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--races", type=int, default=140)
    parser.add_argument("--only", default="", help="kinds with this in their name")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true")
    asked = parser.parse_args()
    with a_site(postgres=asked.postgres, LODESTAR_BEHIND_PROXY="1") as (folder, _postgres):
        server, result = Server(folder / "server.log"), Result()
        hall = Hall(server.port, random.Random(asked.seed), folder / "server.log")
        try:
            run(hall, asked.races, asked.only, result)
        finally:
            server.stop()
        if result.wrong:
            print((folder / "server.log").read_text(errors="replace")[-4000:])
    for name, wins in result.wins.items():
        print(f"  {name}: " + ", ".join(f"{n} × {what}" for what, n in sorted(wins.items())))
    print(f"{'PostgreSQL' if asked.postgres else 'SQLite'}: {result}")
    for line in result.wrong:
        print("  ", line)
    return 1 if result.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
