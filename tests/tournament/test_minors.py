"""People under 18: who answers for them, and what nobody else learns of them."""

from __future__ import annotations

import gzip
import json
import zipfile
from io import BytesIO

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.factories import make_event, make_player, organiser, organiser_of
from tests.pages import flat, shown
from tests.tournament.printed import Printed
from tests.tournament.seasons import joined, make_series, make_table, played, put_in
from tests.tournament.test_access_matrix import (
    DEALER,
    EVERYBODY,
    JUDGE,
    PUBLIC,
    READ,
    World,
)
from tests.tournament.test_access_matrix import world as world
from tests.tournament.test_events import GOOD as SETTINGS
from tests.watch import Watch
from tournament.actions.announcements import send_announcement
from tournament.actions.erasing import erase_player
from tournament.actions.events import change_settings, finish_event
from tournament.actions.places import entry_of
from tournament.actions.players import PlayerEntry, edit_player, import_players
from tournament.actions.retention import erase_contacts
from tournament.documents import packet
from tournament.documents.spreadsheet import csv_of
from tournament.forms.events import EventForm
from tournament.forms.spreadsheet import read_pasted, read_spreadsheet
from tournament.models import Event, LogEntry, Place, Player, SheetPhoto
from tournament.models.actors import Actor
from tournament.names import NameStyle, tells_whole
from tournament.queries.event_file.public import public_file
from tournament.queries.exports import players_listing
from tournament.queries.log import log_of, log_rows
from tournament.web.live.parts import PARTS

pytestmark = pytest.mark.django_db

NAME = "Zuleika Quillfeather"
GUARDIAN, CONTACT = "Ottoline Featherstone", "ottoline@stone.example"
TELLING = ("quillfeather", "ottoline", "featherstone", "stone.example")
CHILD = {
    "name": NAME,
    "minor": True,
    "guardian": GUARDIAN,
    "guardian_contact": CONTACT,
    "guardian_agrees": True,
}
TYPED = {
    "name": NAME,
    "email": "family@example.org",
    "name_style": "full",
    "minor": "on",
    "guardian": GUARDIAN,
    "guardian_contact": CONTACT,
    "guardian_agrees": "on",
}


def welcoming(**settings: object) -> Event:
    return make_event(admits_minors=True, **settings)


def child(event: Event, *, here: bool = True, **entry: object) -> Player:
    made = make_player(event, here=here, **CHILD | entry)  # type: ignore[arg-type]
    return Player.objects.select_related("event", "contact").get(pk=made.pk)


def register(event: Event, **typed: str) -> HttpResponse:
    data = {name: value for name, value in (TYPED | typed).items() if value}
    return Client().post(reverse("register", args=[event.slug]), data)


def of_staff(event: Event) -> Client:
    client = Client()
    client.force_login(organiser_of(event))
    return client


# --- registering -----------------------------------------------------------------------------


def test_nothing_is_asked_where_none_are_admitted() -> None:
    event = make_event()
    page = flat(Client().get(reverse("register", args=[event.slug])))
    assert "guardian" not in page
    assert register(event).status_code == 302
    player = event.players.select_related("contact").get()
    assert (player.minor, player.guardian, player.public_name) == (False, "", NAME)


def test_a_guardian_registers_and_everybody_sees_an_initial() -> None:
    event = welcoming()
    assert register(event).status_code == 302
    player = event.players.select_related("contact").get()
    assert (player.guardian, player.guardian_contact) == (GUARDIAN, CONTACT)
    assert player.minor
    assert player.guardian_agreed_at is not None
    assert (player.name, player.public_name) == (NAME, "Zuleika Q.")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("guardian", "Write the name of the parent or guardian."),
        ("guardian_contact", "Write an e-mail or a phone of the parent or guardian."),
        ("guardian_agrees", "A parent or guardian has to agree."),
    ],
)
def test_what_is_missing_is_asked_at_its_place_and_nothing_is_lost(name: str, said: str) -> None:
    event = welcoming()
    response = register(event, **{name: ""})
    assert response.status_code == 422
    form = response.context["form"]
    assert form.errors == {name: [said]}
    typed = shown(response)
    expected = TYPED | {"name_style": NameStyle.INITIAL}
    assert {key: typed.get(key) for key in expected if key != name} == {
        key: value for key, value in expected.items() if key != name
    }
    assert not event.players.exists()


@pytest.mark.parametrize(
    ("contact", "good"),
    [("600 111 222", True), ("a@b.example", True), ("my mum", False), ("12345", False)],
)
def test_a_guardian_can_be_reached(contact: str, good: bool) -> None:
    event = welcoming()
    response = register(event, guardian_contact=contact)
    assert response.status_code == (302 if good else 422)
    if not good:
        assert "This is no e-mail and no phone." in flat(response)


def test_of_who_is_no_minor_nothing_of_a_guardian_is_kept() -> None:
    event = welcoming()
    assert register(event, minor="").status_code == 302
    player = event.players.select_related("contact").get()
    found = (player.minor, player.guardian, player.guardian_contact, player.guardian_agreed_at)
    assert found == (False, "", "", None)
    assert player.public_name == NAME


@pytest.mark.parametrize(
    ("style", "alias", "expected"),
    [
        ("initial", "", "Zuleika Q."),
        ("number", "", "Player 1"),
        ("alias", "Goldie", "Goldie"),
        ("alias", "quillfeather, ZULEIKA", None),
        ("alias", "Zuleika Quillfeather (12)", None),
    ],
)
def test_any_name_will_do_but_the_full_one(style: str, alias: str, expected: str | None) -> None:
    event = welcoming()
    response = register(event, name_style=style, alias=alias)
    if expected is None:
        assert response.status_code == 422
        assert "alias" in response.context["form"].errors
    else:
        assert event.players.get().public_name == expected


def test_one_word_is_no_full_name() -> None:
    assert not tells_whole("Cher", "Cher")
    assert tells_whole("Ána  RUIZ", "Ruiz Ana")
    assert not tells_whole("Ana R.", "Ana Ruiz")


def test_the_database_holds_no_minor_shown_in_full() -> None:
    player = child(welcoming())
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(pk=player.pk).update(name_style="full")


def test_by_the_minimum_age_there_may_be_nobody_to_admit() -> None:
    form = EventForm(SETTINGS | {"admits_minors": "on", "minimum_age": "18"})
    assert form.errors == {"admits_minors": ["By the minimum age nobody is under 18."]}
    assert not EventForm(SETTINGS | {"admits_minors": "on", "minimum_age": "12"}).errors


def test_the_form_sent_again_corrects_the_guardian() -> None:
    event, client = welcoming(), Client()
    address = reverse("register", args=[event.slug])
    client.post(address, TYPED)
    client.post(address, TYPED | {"guardian": "Leopold Featherstone"})
    player = event.players.select_related("contact").get()
    assert player.guardian == "Leopold Featherstone"


def test_where_nothing_is_asked_any_more_a_correction_loses_nothing() -> None:
    event, client = welcoming(), Client()
    address = reverse("register", args=[event.slug])
    client.post(address, TYPED)
    change_settings(event=event, settings={"admits_minors": False}, by=organiser(event))
    data = {"name": NAME, "email": TYPED["email"], "name_style": "full", "phone": "600"}
    assert client.post(address, data).status_code == 302
    player = event.players.select_related("contact").get()
    assert (player.phone, player.guardian, player.public_name) == ("600", GUARDIAN, "Zuleika Q.")
    assert not player.lacks_a_guardian


# --- the staff -------------------------------------------------------------------------------


def test_door_list_and_desk_tell_whose_guardian_has_not_agreed() -> None:
    event = welcoming()
    player = child(event, here=False, guardian_agrees=False)
    client, said = of_staff(event), "no parent or guardian has agreed yet"
    pages = [reverse(name, args=[event.slug]) for name in ("door", "players", "event_desk")]
    pages += [reverse("door_everybody", args=[event.slug]), reverse("ticket", args=[player.token])]
    for page in pages:
        assert said in flat(client.get(page)), page
    move = reverse("player_move", args=[event.slug, player.number, "guardian"])
    assert client.post(move, {"from": "door"}).status_code == 302
    for page in pages:
        assert said not in flat(client.get(page)), page


def test_who_ticked_it_stands_in_the_log_and_it_can_be_undone() -> None:
    event = welcoming()
    player = child(event, guardian_agrees=False)
    client = of_staff(event)
    for verb, told in (("guardian", "guardian.agreed"), ("undo-guardian", "guardian.taken_back")):
        address = reverse("player_move", args=[event.slug, player.number, verb])
        for _twice in range(2):
            assert client.post(address).status_code == 302
        entries = LogEntry.objects.filter(event=event, verb=told)
        assert [(one.user, one.object_id) for one in entries] == [(organiser_of(event), player.pk)]
    player.refresh_from_db()
    assert player.guardian_agreed_at is None


def test_nobody_has_a_guardian_who_is_of_age() -> None:
    event = welcoming()
    player = make_player(event)
    move = reverse("player_move", args=[event.slug, player.number, "guardian"])
    assert of_staff(event).post(move).status_code == 409


def test_a_walk_in_under_18_is_in_at_once_and_open() -> None:
    event = welcoming()
    of_staff(event).post(reverse("walk_in", args=[event.slug]), {"name": NAME, "minor": "on"})
    player = event.players.get()
    assert (player.status, player.public_name) == ("checked_in", "Zuleika Q.")
    assert player.lacks_a_guardian


def test_the_organiser_adds_and_changes_it() -> None:
    event = welcoming()
    client = of_staff(event)
    typed = {"name": NAME, "name_style": "full", "minor": "on", "guardian": GUARDIAN}
    assert client.post(reverse("player_add", args=[event.slug]), typed).status_code == 302
    player = event.players.select_related("contact").get()
    assert (player.guardian, player.public_name) == (GUARDIAN, "Zuleika Q.")
    address = reverse("player", args=[event.slug, player.number])
    seen = shown(client.get(address))
    assert client.post(address, seen | {"guardian_agrees": "on"}).status_code == 302
    player.refresh_from_db()
    assert not player.lacks_a_guardian
    seen = shown(client.get(address))
    del seen["minor"]
    assert client.post(address, seen).status_code == 302
    player = event.players.select_related("contact").get()
    assert (player.minor, player.guardian, player.guardian_agreed_at) == (False, "", None)


def test_who_is_found_to_be_a_minor_is_shown_by_an_initial_from_then_on() -> None:
    event = played(admits_minors=True)
    player = event.players.select_related("contact").first()
    assert player is not None
    edit_player(player=player, entry=PlayerEntry(name=NAME, minor=True), by=organiser(event))
    frozen = event.freezes.in_force().get().results.get(player=player)
    assert frozen.name == "Zuleika Q."


LIST = """name;under 18;parent or guardian;contact of the parent or guardian;consent
Ana Ruiz;yes;Eva Ruiz;600 111 222;yes
Bea Gil;x;;;
Carl Sol;no;Eva Sol;600 111 333;yes
Dora Paz;;;;
"""


def test_a_list_tells_who_is_under_18_and_what_is_missing_stays_open() -> None:
    event = welcoming()
    entries = [row.entry for row in read_pasted(LIST, event).rows]
    import_players(event=event, entries=entries, by=organiser(event))
    found = event.players.select_related("contact").order_by("number")
    assert [(one.minor, one.guardian, one.lacks_a_guardian) for one in found] == [
        (True, "Eva Ruiz", False),
        (True, "", True),
        (False, "", False),
        (False, "", False),
    ]


def test_who_has_a_guardian_in_a_list_without_the_other_column_is_under_18() -> None:
    rows = read_pasted("nombre;tutor\nAna Ruiz;Eva Ruiz\nBea Gil;\n", welcoming()).rows
    assert [row.entry.minor for row in rows] == [True, False]


@pytest.mark.parametrize(
    ("column", "cell", "minor"),
    [
        ("under 18", "12", True),
        ("under 18", "17", True),
        ("under 18", "18", False),
        ("under 18", "yes", True),
        ("under 18", "1", True),
        ("under 18", "no", False),
        ("under 18", "", False),
        ("age", "12", True),
        ("edad", "34", False),
        ("age", "yes", False),
        ("under 18", "twelve", None),
        ("under 18", "2014-05-01", None),
        ("age", "12 years", None),
        ("consent", "by phone", None),
    ],
)
def test_a_list_tells_it_by_a_yes_or_an_age(column: str, cell: str, minor: bool | None) -> None:
    """None: it is refused there, since a child would else be taken for an adult."""
    row = read_pasted(f"name;{column}\nAna Ruiz;{cell}\n", welcoming()).rows[0]
    if minor is None:
        assert [(one.row, one.column) for one in row.problems] == [(2, column)]
        assert "Write yes or no" in row.problems[0].message
    else:
        assert (row.problems, row.entry.minor) == ([], minor)


def test_the_ticket_of_a_child_without_an_e_mail_goes_to_the_guardian() -> None:
    text = (
        "name;e-mail;under 18;parent or guardian;guardian contact\n"
        "Ana Ruiz;;yes;Eva Ruiz;Eva@Example.org\n"
        "Bea Gil;bea@example.org;yes;Eva Gil;eva.gil@example.org\n"
        "Carl Sol;;yes;Eva Sol;600 111 222\n"
        "Dora Paz;;no;Eva Paz;eva.paz@example.org\n"
    )
    found = [row.entry.email for row in read_pasted(text, welcoming()).rows]
    assert found == ["eva@example.org", "bea@example.org", "", ""]


def test_a_guardian_takes_it_back_on_the_ticket() -> None:
    event = welcoming()
    player = child(event)
    address = reverse("ticket_guardian", args=[player.token])
    said = {"guardian": GUARDIAN, "guardian_contact": CONTACT}
    assert Client().post(address, said | {"takes_back": "on"}).status_code == 302
    player.refresh_from_db()
    assert player.guardian_agreed_at is None
    assert LogEntry.objects.filter(event=event, verb="guardian.taken_back").count() == 1
    assert "no parent or guardian has agreed yet" in flat(
        of_staff(event).get(reverse("event_desk", args=[event.slug]))
    )


def test_one_tick_says_it_of_a_whole_list() -> None:
    event = welcoming()
    client, address = of_staff(event), reverse("player_import", args=[event.slug])
    told = "shown to everybody by the full name"
    assert told in flat(client.post(address, {"pasted": "Ana Ruiz\nBea Gil"}))
    page = client.post(address, {"pasted": "Ana Ruiz\nBea Gil", "minors": "on"})
    assert told not in flat(page)
    client.post(address, {"confirmed": page.context["packed"], "key": "x" * 12})
    assert list(event.players.values_list("minor", flat=True)) == [True, True]
    assert told not in flat(of_staff(make_event()).get(address))


def test_the_preview_carries_it_all_over() -> None:
    event = welcoming()
    client, address = of_staff(event), reverse("player_import", args=[event.slug])
    page = client.post(address, {"pasted": LIST})
    assert "no parent or guardian has agreed yet" in flat(page)
    client.post(address, {"confirmed": page.context["packed"], "key": "x" * 12})
    player = event.players.select_related("contact").get(number=1)
    assert (player.guardian, player.guardian_contact) == ("Eva Ruiz", "600 111 222")


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_organisers_list_goes_out_and_comes_back(language: str) -> None:
    event, other = welcoming(), welcoming()
    child(event)
    make_player(event, "Ana Ruiz")
    with translation.override(language):
        data = csv_of(players_listing(event.players.select_related("contact")))
        entries = [row.entry for row in read_spreadsheet("list", data, other).rows]
    first, second = entries
    assert (first.minor, first.guardian, first.guardian_contact) == (True, GUARDIAN, CONTACT)
    assert (first.guardian_agrees, first.name_style) == (True, NameStyle.INITIAL)
    assert (second.minor, second.name_style) == (False, NameStyle.FULL)


def test_a_place_elsewhere_asks_the_guardian_anew() -> None:
    event = welcoming()
    player = child(event)
    entry = entry_of(Place(event=event, player=player))
    assert (entry.minor, entry.guardian, entry.guardian_agrees) == (True, "", False)


# --- the ticket ------------------------------------------------------------------------------


def test_the_ticket_takes_a_guardian_and_the_tick() -> None:
    event = welcoming()
    player = child(event, guardian="", guardian_contact="", guardian_agrees=False)
    address = reverse("ticket_guardian", args=[player.token])
    said = {"guardian": GUARDIAN, "guardian_contact": CONTACT}
    refused = Client().post(address, said)
    assert refused.status_code == 422
    assert list(refused.context["guardian_form"].errors) == ["guardian_agrees"]
    assert Client().post(address, said | {"guardian_agrees": "on"}).status_code == 302
    assert Client().post(address, said | {"guardian": "Leopold Stone"}).status_code == 302
    player = Player.objects.select_related("contact").get(pk=player.pk)
    assert (player.guardian, player.lacks_a_guardian) == ("Leopold Stone", False)
    verbs = ["guardian.agreed", "guardian.changed"]
    entries = LogEntry.objects.filter(event=event, verb__in=verbs).order_by("pk")
    assert [one.verb for one in entries] == verbs


def test_the_ticket_of_others_asks_nothing() -> None:
    player = make_player(welcoming())
    assert "guardian" not in flat(Client().get(reverse("ticket", args=[player.token])))
    said = {"guardian": GUARDIAN, "guardian_contact": CONTACT, "guardian_agrees": "on"}
    address = reverse("ticket_guardian", args=[player.token])
    assert Client().post(address, said).status_code == 409


def test_own_data_hold_it() -> None:
    player = child(welcoming())
    assert GUARDIAN in flat(Client().get(reverse("ticket_data", args=[player.token])))
    data = json.loads(Client().get(reverse("ticket_data_file", args=[player.token])).content)
    assert data["guardian"]["name"] == GUARDIAN
    assert data["guardian"]["agreed_at"]


# --- what goes -------------------------------------------------------------------------------


def words_everywhere() -> str:
    """Every row of every table."""
    rows = [
        list(row)
        for model in apps.get_models(include_auto_created=True)
        for row in model._default_manager.values_list()
    ]
    return json.dumps(rows, default=str, ensure_ascii=False).lower()


def mention(event: Event) -> None:
    text = f"Ask {GUARDIAN} at {CONTACT}."
    send_announcement(event=event, audience="here", subject="Lost", text=text, by=organiser(event))


def test_erasing_takes_the_guardian_too_and_counts_it() -> None:
    event = welcoming()
    player = child(event, here=False)
    mention(event)
    page = flat(of_staff(event).get(reverse("player_erase", args=[event.slug, player.number])))
    assert "Name and contact of a parent or guardian" in page
    erase_player(player=player, reason=f"wish of {GUARDIAN}", by=organiser(event))
    left = words_everywhere()
    assert [one for one in TELLING if one in left] == []
    receipt = LogEntry.objects.get(event=event, verb="person.erased")
    assert receipt.after["guardian"] == 1
    assert not Player.objects.get(pk=player.pk).minor


def test_the_guardian_goes_with_the_contacts(watch: Watch) -> None:
    event = played(admits_minors=True, over=False)
    player = event.players.select_related("contact").first()
    assert player is not None
    edit_player(player=player, entry=PlayerEntry(**CHILD), by=organiser(event))  # type: ignore[arg-type]
    mention(event)
    finish_event(event=event, by=organiser(event))
    watch.goes(minutes=31 * 24 * 60)
    erase_contacts(event=event, by=Actor.command("upkeep"))
    left = words_everywhere()
    assert [one for one in TELLING[1:] if one in left] == []
    player = Player.objects.get(pk=player.pk)
    assert (player.name, player.guardian, player.minor) == (NAME, "", True)


def test_the_log_names_no_guardian() -> None:
    event = welcoming()
    player = child(event)
    entry = PlayerEntry(**CHILD | {"guardian": "Leopold Stone"})  # type: ignore[arg-type]
    edit_player(player=player, entry=entry, by=organiser(event))
    rows = str(list(LogEntry.objects.filter(event=event).values())) + str(
        [(row.what, row.details) for row in log_rows(log_of(event))]
    )
    assert [one for one in (*TELLING[1:], "leopold") if one in rows.lower()] == []


# --- what nobody else learns -----------------------------------------------------------------

# Whoever holds their address is the person.
OWN = {"place", "claim", "me", "merge_answer"}
OF_EVERYBODY = sorted(name for name, row in READ.items() if row == EVERYBODY and name not in OWN)


def make_minors(world: World) -> None:
    """All of the event; nothing in it says that it admits them."""
    for number, player in enumerate(world.event.players.select_related("contact")):
        name = f"{NAME} {'abcdefghijklmnop'[number] * 3}"
        entry = PlayerEntry(**CHILD | {"name": name, "email": player.email})  # type: ignore[arg-type]
        edit_player(player=player, entry=entry, by=organiser(world.event))
        for link in player.person_links.select_related("person"):
            link.person.name = name
            link.person.save(update_fields=["name"])


def text_of(response: HttpResponse) -> str:
    content = b"".join(response) if response.streaming else response.content  # type: ignore[arg-type]
    if response.headers.get("Content-Encoding") == "gzip":
        content = gzip.decompress(content)
    if response.headers["Content-Type"] == "application/pdf":
        return " ".join(Printed(content).texts)
    return content.decode("utf-8", "replace")


def test_no_page_for_everybody_names_a_minor_or_tells_of_one(world: World) -> None:
    make_minors(world)
    client, seen = Client(), []
    addresses = {name: world.address(name, PUBLIC) for name in OF_EVERYBODY}
    del addresses["sponsor_logo"]
    for part in PARTS:
        addresses[f"live {part}"] = reverse("live_part", args=[world.event.slug, part, "en"])
    for name, address in addresses.items():
        text = text_of(client.get(address, follow=True)).lower()
        told = [one for one in (*TELLING, "under 18") if one in text]
        assert told == [], name
        seen += [name] if "zuleika" in text else []
    shown_in = {
        "seats",
        "standings",
        "standings_pdf",
        "standing",
        "fairness",
        "live seats",
        "person",
    }
    assert shown_in <= {*seen}


def test_no_address_for_everybody_shows_a_photo(world: World) -> None:
    assert SheetPhoto.objects.filter(sheet__table__round__event=world.event).exists()
    client = Client()
    for name in OF_EVERYBODY:
        response = client.get(world.address(name, PUBLIC), follow=True)
        kind = response.headers["Content-Type"]
        assert name == "sponsor_logo" or not kind.startswith("image/jp"), name
        if kind.startswith("text/html"):
            assert "/photos/" not in text_of(response), name
    for name in ("table_link:photo", "staff_table:photo"):
        assert client.get(world.address(name, PUBLIC)).status_code in (302, 404), name


def test_public_file_and_packet_name_no_minor(settings, tmp_path) -> None:
    settings.PRINTS_DIR = tmp_path
    event = played(admits_minors=True)
    for number, player in enumerate(event.players.select_related("contact")):
        entry = PlayerEntry(**CHILD | {"name": f"{NAME} {'abcdef'[number] * 3}"})  # type: ignore[arg-type]
        edit_player(player=player, entry=entry, by=organiser(event))
    texts = [json.dumps(public_file(event), default=str)]
    with zipfile.ZipFile(BytesIO(packet.make(event).read_bytes())) as found:
        for name in found.namelist():
            content = found.read(name)
            if name.endswith(".pdf"):
                texts += Printed(content).texts
            elif name.endswith(".xlsx"):
                with zipfile.ZipFile(BytesIO(content)) as book:
                    texts += [book.read(one).decode() for one in book.namelist()]
            else:
                texts.append(content.decode("utf-8"))
    text = "\n".join(texts).lower()
    assert "zuleika" in text
    assert [one for one in TELLING if one in text] == []


def test_a_season_and_a_persons_page_show_an_initial() -> None:
    event, series = played(), make_series()
    table = make_table(series)
    put_in(series, event)
    player = event.players.select_related("contact").first()
    assert player is not None
    edit_player(
        player=player,
        entry=PlayerEntry(name=NAME, minor=True, email="z@example.org"),
        by=organiser(event),
    )
    person = joined(player, "z@example.org", NAME)
    person.public = True
    person.save()
    season = reverse("series_standings", args=[series.slug, table.pk])
    for page in (season, reverse("person", args=[person.pk])):
        text = flat(Client().get(page))
        assert "Zuleika Q." in text, page
        assert "Quillfeather" not in text, page
    page = flat(Client().get(reverse("ticket_together", args=[player.token])))
    assert 'value="Zuleika Q."' in page


def test_neither_table_nor_ticket_of_others_names_a_minor(world: World) -> None:
    make_minors(world)
    pages = [("table_link:" + name, DEALER) for name in ("sheet", "deal", "points", "call")]
    for name, duty in pages:
        text = text_of(world.client(duty).get(world.address(name, duty))).lower()
        assert [one for one in (*TELLING, "under 18") if one in text] == [], name
    other = world.event.players.get(number=6)
    Player.objects.filter(pk=other.pk).update(name="Ana Ruiz", minor=False, guardian_agreed_at=None)
    text = text_of(Client().get(reverse("ticket", args=[other.token]))).lower()
    assert [one for one in (*TELLING, "under 18") if one in text] == []


def test_judges_learn_nothing_of_a_guardian(world: World) -> None:
    make_minors(world)
    client = world.client(JUDGE)
    for name in ("notebook", "board", "round", "staff_table:sheet", "penalty", "desk_standings"):
        text = text_of(client.get(world.address(name, JUDGE))).lower()
        assert [one for one in TELLING[1:] if one in text] == [], name


def test_the_page_says_what_is_kept_and_that_no_picture_is_published() -> None:
    event = make_event()
    address = reverse("privacy", args=[event.slug])
    assert "guardian" not in flat(Client().get(address))
    change_settings(event=event, settings={"admits_minors": True}, by=organiser(event))
    page = flat(Client().get(address))
    assert "the name and contact of a parent or guardian" in page
    assert "No picture of them is published" in page


def test_a_finished_event_asks_no_more() -> None:
    event = played(admits_minors=True, over=False)
    player = child(event, here=False, guardian_agrees=False)
    Player.objects.filter(pk=player.pk).update(status="no_show")
    finish_event(event=event, by=organiser(event))
    assert not event.players.lacking_a_guardian().exists()
    page = flat(Client().get(reverse("ticket", args=[player.token])))
    assert "My parent or guardian" not in page
