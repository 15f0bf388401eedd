"""A season by its pages, as its people live it: three shops, the national and the world final."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.lots import lot_order
from tests.factories import make_user, play, type_in
from tests.pages import flat
from tests.tournament.test_cut import deal
from tests.watch import Watch
from tournament import signatures
from tournament.models import Event, Merge, Place, Player, PrizeGift, Round, Series, User
from tournament.queries.check_event import first_difference
from tournament.queries.prizes import podium_of, raffle_people
from tournament.queries.standings import shared_places, standings_for
from tournament.queries.versions import version_of
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db(transaction=True)

THINGS = ("Backpack", "Apron", "Notebook", "Scarf")
BANDS = "16: 1, 24: 2, 33: 3"
WEEK = 7 * 24 * 60
LEVEL = [[1, 2], [3, 4], [5, 6]]  # at a table of six everybody ends with the same
WORLD = "World final 2027"


@pytest.fixture
def watch() -> Iterator[Watch]:
    watch = Watch()
    with mock.patch("django.utils.timezone.now", side_effect=lambda: watch.now):
        yield watch


class Staff:
    """Somebody with an account, at the desk of whatever they organise."""

    def __init__(self, name: str) -> None:
        self.user: User = make_user(name)
        self.client = Client()

    def _here(self) -> Client:
        # Months go by: nobody stays signed in so long.
        self.client.force_login(self.user)
        return self.client

    def press(self, name: str, /, *args: Any, **data: Any) -> HttpResponse:
        """A button or a form; it must work and lead on."""
        answer = self._here().post(reverse(name, args=args), data)
        assert answer.status_code == 302, (name, told_wrong(answer))
        return answer

    def page(self, name: str, /, *args: Any, **query: Any) -> str:
        answer = self._here().get(reverse(name, args=args), query)
        assert answer.status_code == 200, name
        return flat(answer)

    def new_event(self, name: str, /, day: Any, preset: str = "shop", **settings: Any) -> Event:
        """Made with the form as a person fills it, and announced."""
        self.client.force_login(self.user)
        form = self.client.get(reverse("new_event"), {"preset": preset}).context["form"]
        data = filled(form)
        times = {
            "starts_at": day.strftime("%Y-%m-%dT10:00"),
            "ends_at": day.strftime("%Y-%m-%dT19:00"),
            "registration_closes_at": (day - timedelta(days=1)).strftime("%Y-%m-%dT20:00"),
        }
        self.press("new_event", **data | times | {"name": name} | settings)
        event = Event.objects.get(name=name)
        self.press("publish", event.slug)
        return fresh(event)


class Road:
    """Who runs the season."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.shops, self.nation, self.league = Staff("Olga"), Staff("Nora"), Staff("Sara")
        self.national = self.nation.new_event(
            "National final",
            watch.now + timedelta(days=90),
            "national",
            rounds_planned="1",
            semi_seats="18",
            semi_per_table="1",
            by_invitation="on",
        )


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def filled(form: Any) -> dict[str, Any]:
    """What a browser would send of it as it stands."""
    values = {one.html_name: one.value() for one in form}
    return {
        name: value
        for name, value in values.items()
        if value not in (None, "") and value is not False
    }


def told_wrong(answer: HttpResponse) -> list[str]:
    """What the page says went wrong."""
    wrong = (
        r'<div class="error" id="([^"]+)">(.*?)</div>|role="alert"[^>]*>.*?<strong>(.*?)</strong>'
    )
    return re.findall(wrong, flat(answer))


def anybody(name: str, *args: Any) -> str:
    answer = Client().get(reverse(name, args=args))
    assert answer.status_code == 200, name
    return flat(answer)


def link_to(address: str, part: str) -> str:
    """The path of the latest link of a kind that was mailed to an address."""
    for message in reversed(mail.outbox):
        if message.to == [address] and (found := re.search(rf"/{part}/[\w-]+/", message.body)):
            return found[0]
    raise AssertionError(f"no {part} was mailed to {address}")


# --- an event ---------------------------------------------------------------------------------


def register(event: Event, count: int) -> None:
    for number in range(1, count + 1):
        person = {"name": f"Dwarf {event.name} {number}", "email": f"{event.slug}{number}@mine.org"}
        data = person | {"name_style": "full", "age_confirmed": "on"}
        answer = Client().post(reverse("register", args=[event.slug]), data)
        assert answer.status_code == 302, told_wrong(answer)


def all_come(staff: Staff, event: Event) -> None:
    numbers = event.players.expected().values_list("number", flat=True)
    staff.press("door_everybody", event.slug, seen=",".join(map(str, numbers)))


def play_and_close(staff: Staff, round_: Round, *, level: bool = False) -> None:
    """Its draft is published; sheets come in; it is closed."""
    slug = round_.event.slug
    staff.press("round_publish", slug, round_.pk)
    for table in tables_of(round_):
        if level:
            deals = [deal(6, LEVEL[one % 3]) for one in range(round_.deals)]
            play(table, deals)
        else:
            type_in(table, seed=round_.pk * 100 + table.number)
    staff.press("round_close", slug, round_.pk)


def preliminaries(staff: Staff, event: Event, *, level: bool = False) -> None:
    for _round in range(event.rounds_planned):
        staff.press("round_draw", event.slug)
        play_and_close(staff, event.rounds.get(status="drawn"), level=level)


def next_stage(staff: Staff, event: Event, *, level: bool = False) -> Round:
    """Cut, a lot wherever people are level on a line, the tables, their deals."""
    staff.press("cut_make", event.slug)
    while reverse("cut_lot", args=[event.slug]) in staff.page("cut", event.slug):
        staff.press("cut_lot", event.slug)
    staff.press("final_draw", event.slug)
    round_ = event.rounds.get(status="drawn")
    play_and_close(staff, round_, level=level)
    return round_


def finish(staff: Staff, event: Event) -> None:
    staff.press("finish", event.slug, version=version_of(fresh(event)))


def best(event: Event, rank: int = 1) -> Player:
    row = next(row for row in standings_for(fresh(event)).ranked if row.rank == rank)
    return event.players.select_related("contact", "event").get(number=row.number)


# --- prizes -----------------------------------------------------------------------------------


def promise_prizes(staff: Staff, event: Event) -> None:
    for name in THINGS:
        staff.press("prizes", event.slug, name=name, kind="choice", stock="1")
    staff.press("prizes", event.slug, name="Promo card", kind="raffle", stock="30")


def give_prizes(staff: Staff, event: Event) -> None:
    """Each in turn chooses of what is left; the rest is raffled among all."""
    for left in range(len(THINGS), 0, -1):
        podium = podium_of(fresh(event))
        assert len(podium.things) == left
        page = staff.page("podium", event.slug)
        assert all(one.prize.name in page for one in podium.things)
        who, thing = podium.turns[0].player, podium.things[-1].prize
        staff.press("podium_give", event.slug, who.number, prize=str(thing.pk))
    chosen = PrizeGift.objects.filter(prize__event=event, prize__kind="choice")
    assert chosen.values("player").distinct().count() == len(THINGS)
    people = [one.number for one in raffle_people(fresh(event))]
    staff.press("raffle", event.slug, here=[str(one) for one in people])
    raffled = PrizeGift.objects.filter(prize__event=event, prize__kind="raffle")
    assert raffled.count() == min(30, len(people))
    assert raffled.values("player").distinct().count() == raffled.count()


# --- places -----------------------------------------------------------------------------------


def shop(road: Road, name: str, players: int) -> Event:
    """A qualifier from its announcement to its last prize; who organises the final lets in whoever
    has a place of it."""
    staff = road.shops
    event = staff.new_event(name, road.watch.now + timedelta(days=10), rounds_planned="1")
    register(event, players)
    promise_prizes(staff, event)
    staff.press("places", event.slug, target=str(road.national.pk), bands=BANDS, due_days="7")
    promise = event.places_promised.get()
    road.nation.press("place_promise_agree", road.national.slug, promise.pk)
    road.watch.goes(minutes=10 * 24 * 60)
    all_come(staff, event)
    preliminaries(staff, event)
    next_stage(staff, event)
    while shared := sorted(rank for rank in shared_places(fresh(event)) if rank <= 6):
        staff.press("place_lot", event.slug, shared[0])
    give_prizes(staff, event)
    finish(staff, event)
    return fresh(event)


def holders(event: Event) -> list[Player]:
    """Who holds a place of the event now, in the order of its slots."""
    found = Place.objects.unended().filter(promise__event=event).order_by("slot")
    return [one.player for one in found.select_related("player__contact") if one.player]


def place_of(player: Player) -> Place:
    return Place.objects.get(player=player)


def accept(road: Road, player: Player) -> None:
    """By the link of the mail, with the form as it is filled already."""
    path = link_to(player.email, "places")
    page = Client().get(path)
    form = page.context["form"]
    data = filled(form)
    answer = Client().post(f"{path}accept/", data | {"age_confirmed": "on"})
    assert answer.status_code == 302, told_wrong(answer)
    assert road.national.players.filter(name=player.name, status="registered").count() == 1


def decline(player: Player) -> None:
    path = link_to(player.email, "places")
    assert Client().post(f"{path}decline/", {"reason": "A wedding"}).status_code == 302


def first_shop(road: Road) -> Event:
    """24 players: two places. The winner comes, the second does not, so the third does."""
    event = shop(road, "Shop of the Lamp", 24)
    road.shops.press("places_offer", event.slug)
    first, second = holders(event)
    accept(road, first)
    decline(second)
    assert holders(event)[0] == first
    third = holders(event)[1]
    assert third not in (first, second)
    accept(road, third)
    page = anybody("event_places", event.slug)
    assert page.count("has the place") == 2
    assert "the place passes on" in page
    assert "wedding" not in page
    return event


def second_shop(road: Road, series: Series, before: Event) -> Event:
    """16 players: one place. The winner of the first shop has won again, under another spelling and
    from another address: they have one place, and the second comes."""
    event = shop(road, "Shop of the Rail", 16)
    again, winner = best(event), best(before)
    for player, name in ((winner, "Ana Núñez"), (again, "Anna Nunez")):
        rename(road.shops, player, name)
    put_in(road, series, event)
    rows = {name: standings(series, name) for name in ("Cups", "Against all")}
    assert all({"Ana Núñez", "Anna Nunez"} <= set(found) for found in rows.values())
    join(road, series, winner, again)
    for name, found in rows.items():
        now = standings(series, name)
        assert "Anna Nunez" not in now
        assert len(now) == len(found) - 1
        assert now["Ana Núñez"] == found["Ana Núñez"] + found["Anna Nunez"]
    road.shops.press("places_offer", event.slug)
    (second,) = holders(event)
    assert second != again
    assert "Has a place there already" in road.shops.page("places", event.slug)
    assert "Has a place" not in anybody("event_places", event.slug)
    road.shops.press("place_tick", event.slug, place_of(second).pk)
    assert road.national.players.filter(name=second.name).exists()
    return event


def third_shop(road: Road) -> Event:
    """33 players: three places. One of the three never answers."""
    event = shop(road, "Shop of the Gold", 33)
    road.shops.press("places_offer", event.slug)
    first, silent, third = holders(event)
    accept(road, first)
    accept(road, third)
    road.watch.goes(minutes=WEEK - 1)
    assert anybody("event_places", event.slug).count("was offered the place") == 1
    road.watch.goes(minutes=2)
    late = Client().get(link_to(silent.email, "places"))
    assert "The time to answer is over" in flat(late)
    road.shops.press("places_pass_on", event.slug)
    fourth = holders(event)[1]
    assert fourth not in (first, silent, third)
    accept(road, fourth)
    assert not road.national.players.filter(name=silent.name).exists()
    return event


def rename(staff: Staff, player: Player, name: str) -> None:
    page = staff._here().get(reverse("player", args=[player.event.slug, player.number]))
    form = page.context["form"]
    data = filled(form)
    staff.press("player", player.event.slug, player.number, **data | {"name": name})


# --- the season -------------------------------------------------------------------------------


def new_series(road: Road) -> Series:
    staff = road.league
    year = {"starts_on": "2026-01-01", "ends_on": "2027-12-31", "public": "on"}
    staff.press("new_series", name="Season 2027", **year)
    series = Series.objects.get()
    bands = "1: 25, 2: 18, 3: 15, 4-48: 1"
    staff.press("series_tables", series.slug, name="Cups", of="places", bands=bands)
    staff.press("series_tables", series.slug, name="Against all", of="mers")
    return series


def put_in(road: Road, series: Series, event: Event, weight: str = "1") -> None:
    """The series asks, the event says yes."""
    address = f"https://example.org{reverse('event', args=[event.slug])}"
    road.league.press("series_desk", series.slug, event=address, weight=weight)
    entry = event.series_entries.get()
    by = road.nation if event == road.national else road.shops
    by.press("event_series_accept", event.slug, entry.pk)


def standings(series: Series, table: str) -> dict[str, float]:
    """Name -> sum, as everybody reads them."""
    pk, found = series.tables.get(name=table).pk, {}
    for number in range(1, 10):
        address = reverse("series_standings", args=[series.slug, pk])
        answer = Client().get(address, {"page": number})
        page = flat(answer)
        for name, total in re.findall(
            r'<span class="who"><b>(.+?)</b>.*?<span class="num">([\d,.]+)</span>', page
        ):
            found[name] = float(total.replace(",", ""))
        if f"page={number + 1}" not in page:
            break
    return found


def join(road: Road, series: Series, one: Player, other: Player) -> None:
    """The organiser of the series asks both; each answers by the mail to their own address."""
    page = road.league.page("series_merges", series.slug, q="Núñez, Nunez")
    assert all(f'value="{player.pk}"' in page for player in (one, other))
    road.league.press(
        "series_merges", series.slug, player=[str(one.pk), str(other.pk)], reason="Same club"
    )
    for player in (one, other):
        assert Merge.objects.get().done_at is None
        path = link_to(player.email, "same")
        assert Client().post(path, {"agrees": "1"}).status_code == 302
    assert Merge.objects.get().holds


# --- the finals -------------------------------------------------------------------------------


def play_national(road: Road) -> None:
    """48 players, all level all day long: each line is settled by a lot."""
    staff, event = road.nation, fresh(road.national)
    came = event.players.count()
    names = "\n".join(f"Invited Guest {number}" for number in range(48 - came))
    preview = staff._here().post(reverse("player_import", args=[event.slug]), {"pasted": names})
    packed = re.search(r'name="confirmed" value="([^"]+)"', flat(preview))
    assert packed, told_wrong(preview)
    staff.press("player_import", event.slug, confirmed=packed[1])
    staff.press("places", event.slug, target_name=WORLD, number="2", due_days="14")
    road.watch.goes(minutes=60 * 24 * 60)
    all_come(staff, event)
    assert event.players.filter(status="checked_in").count() == 48
    preliminaries(staff, event, level=True)
    semi = next_stage(staff, event, level=True)
    assert [table.seats.count() for table in tables_of(semi)] == [6, 6, 6]
    final = next_stage(staff, event, level=True)
    seated = set(final.seats.values_list("player", flat=True))
    assert len(seated) == 6
    for table in tables_of(semi):
        assert seated & set(table.seats.values_list("player", flat=True))
    staff.press("place_lot", event.slug, 1)
    lots = {lot.line: lot for lot in event.lots.all()}
    assert set(lots) == {"semi_final", "table:1", "table:2", "table:3", "cut", "place:1"}
    rules = anybody("rules", event.slug)
    for line, lot in lots.items():
        assert tuple(lot.order) == lot_order(lot.secret, line, lot.players)
        assert lot.secret in rules
    finish(staff, event)


def world_places(road: Road) -> Event:
    """Two places in words by the order; one directly at the event, for last year's finalist."""
    staff, event = road.nation, fresh(road.national)
    staff.press("places_offer", event.slug)
    ranked = standings_for(event).ranked
    for number in (ranked[0].number, ranked[1].number):
        player = event.players.get(number=number)
        staff.press("place_tick", event.slug, place_of(player).pk)
    assert anybody("event_places", event.slug).count("has the place") == 2
    world = staff.new_event(WORLD, road.watch.now + timedelta(days=60), "national")
    person = {"name": "Bruno Last-Year", "email": "bruno@mine.org"}
    staff.press("place_give", world.slug, **person, why="finalist", due_days="14")
    path = link_to("bruno@mine.org", "places")
    assert WORLD in flat(Client().get(path))
    answer = Client().post(f"{path}accept/", person | {"name_style": "full", "age_confirmed": "on"})
    assert answer.status_code == 302, told_wrong(answer)
    assert world.players.get().name == "Bruno Last-Year"
    assert "Finalist of last year" in staff.page("places", world.slug)
    return world


def check_packet(road: Road) -> None:
    """Downloaded, and its signature checked as its reader does, by the page."""
    address = reverse("packet", args=[road.national.slug])
    answer = road.nation._here().get(address, follow=True)
    content = b"".join(answer)
    assert signatures.signer_of(content) == signatures.public_key()
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        assert WORLD in file.read("places.csv").decode("utf-8-sig")
    said = Client().post(reverse("key"), {"file": SimpleUploadedFile("packet.zip", content)})
    assert "comes from this site" in flat(said)
    broken = content[:5000] + bytes([content[5000] ^ 1]) + content[5001:]
    said = Client().post(reverse("key"), {"file": SimpleUploadedFile("packet.zip", broken)})
    assert said.status_code == 422


def test_from_three_shops_to_the_world_final(watch: Watch, settings: Any, tmp_path: Path) -> None:
    settings.PRINTS_DIR = tmp_path / "prints"
    road = Road(watch)
    series = new_series(road)
    first = first_shop(road)
    put_in(road, series, first)
    second = second_shop(road, series, first)
    third = third_shop(road)
    put_in(road, series, third)
    assert road.national.players.filter(status="registered").count() == 6
    play_national(road)
    put_in(road, series, road.national, weight="2")
    world_places(road)
    check_packet(road)

    page = anybody("series", series.slug)
    assert page.count("has the place") == 8
    assert all(name in page for name in ("National final", WORLD))
    joined = {name: standings(series, name) for name in ("Cups", "Against all")}
    merge = Merge.objects.get()
    road.league.press("merge_take_apart", series.slug, merge.pk, reason="Two sisters")
    for name, before in joined.items():
        now = standings(series, name)
        assert len(now) == len(before) + 1
        assert now["Ana Núñez"] + now["Anna Nunez"] == pytest.approx(before["Ana Núñez"])
    for event in (first, second, third, road.national):
        assert first_difference(fresh(event)) is None
