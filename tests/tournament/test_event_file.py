"""An event as a file: out, in and out again byte by byte; and whatever else comes is refused."""

from __future__ import annotations

import copy
import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring import eventfile
from scoring.standings import standings
from tests.browser.world import make_world
from tests.factories import (
    PHOTO,
    make_event,
    make_judge,
    make_player,
    make_players,
    make_round,
    make_user,
    organiser,
    organiser_of,
    play_round,
)
from tests.pages import flat
from tests.tournament.test_check_event import INQUIRY, cut_event
from tournament.actions import (
    announcements,
    attendance,
    boxes,
    drafts,
    draws,
    rounds,
    rulings,
    sponsors,
)
from tournament.actions.event_import import import_event
from tournament.actions.penalties import DealRef, give_penalty
from tournament.actions.photos import attach_photo, remove_photo
from tournament.documents.event_archive import event_archive
from tournament.forms.event_file import opened
from tournament.models import Event, LogEntry, Scoresheet, SheetPhoto, StaffMember, Table, User
from tournament.models.actors import Actor
from tournament.queries.check_event import first_difference
from tournament.queries.event_file.kinds import all_kinds
from tournament.queries.event_file.public import public_file
from tournament.queries.event_file.values import canonical
from tournament.queries.standings import compute_standings
from tournament.refusals import Refused
from tournament.simulation import SimulationPlan, simulate, tables_of

pytestmark = pytest.mark.django_db
BY = Actor.command("test")


@pytest.fixture(autouse=True)
def _photos(settings: Any, tmp_path: Path) -> None:
    settings.PHOTOS_DIR = tmp_path / "photos"


def wipe(event: Event) -> None:
    """As if it were another place: nothing of it is here."""
    for kind, lookup in reversed(list(all_kinds())):
        kind.model._default_manager.filter(**{lookup: event}).delete()
    event.delete()


def taken_in(content: bytes, slug: str = "") -> Event:
    with opened(io.BytesIO(content)) as parts:
        return import_event(parts=parts, by=BY, slug=slug)


def unpacked(content: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            name: json.loads(archive.read(name)) if name.endswith(".json") else archive.read(name)
            for name in archive.namelist()
        }


def packed(members: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return out.getvalue()


def eventful() -> Event:
    """What the events of the world do not have: photos, somebody disqualified, somebody who dropped
    out, a cancelled round, tables of a draft changed by hand."""
    event = make_event(
        prizes="A cup", ruleset_changes={}, contact="ask@example.org", governing_language="es"
    )
    by = organiser(event)
    make_players(event, 18)
    make_player(event, "Ana Ruiz", email="ana@example.org", phone="600", name_style="initial")
    first = play_round(event)
    sheet = Scoresheet.objects.get(table=tables_of(first)[0])
    for _ in range(2):
        attach_photo(sheet=sheet, photo=PHOTO, by=by)
    remove_photo(photo=SheetPhoto.objects.latest("pk"), reason="blurred", by=by)
    attendance.drop(player=event.players.get(number=3), by=by, reason="tired")
    give_penalty(
        player=event.players.get(number=4),
        infraction="3.0",
        step=4,
        reason="hit the judge",
        by=by,
        deal=DealRef("preliminary", 1, 2),
        inquiry=INQUIRY,
    )
    give_penalty(
        player=event.players.get(number=5),
        infraction="2.2",
        step=3,
        reason="late",
        by=by,
        deal=DealRef("preliminary", 2, 1),
    )
    announcements.send_announcement(event=event, text="Lunch", subject="", audience="here", by=by)
    for question in ("May I?", "And now?"):
        ruling = rulings.give_ruling(event=event, question=question, decision="No.", by=by)
    rulings.withdraw_ruling(ruling=ruling, reason="It was yes", by=by)
    support = {"name": "Mercado", "link": "https://example.org", "place": 1}
    sponsors.add_sponsor(event=event, facts=support, logo=PHOTO, by=by)
    box = boxes.add_box(event=event, facts={"name": "1", "edition": "2025"}, tables=[1, 2], by=by)
    boxes.check_box(box=box, moment="before", missing="two gold cards", by=by)
    boxes.remove_box(box=boxes.add_box(event=event, facts={"name": "2"}, tables=[7], by=by), by=by)
    rounds.cancel_round(round_=make_round(event, 2), reason="fire alarm", by=by)
    draft = draws.draw_round(event=event, by=by, seed=5)
    one, other = (table.seats.get(position=1).player for table in tables_of(draft)[:2])
    drafts.swap_seats(round_=draft, first=one, second=other, by=by)
    event.refresh_from_db()
    return event


# --- out and in ------------------------------------------------------------------------------


def test_events_at_every_stage_come_back_byte_by_byte() -> None:
    world = make_world()
    events = [*vars(world.events).values(), eventful(), cut_event()]
    for event in events:
        content = event_archive(Event.objects.get(pk=event.pk))
        wipe(event)
        back = taken_in(content)
        assert event_archive(back) == content, event.name
        assert first_difference(back) is None
        assert back.pk != event.pk
        assert not Event.objects.filter(pk=event.pk).exists()


def test_what_comes_back_goes_on() -> None:
    event = cut_event()
    content, board = event_archive(event), compute_standings(event)
    wipe(event)
    back = taken_in(content)
    assert compute_standings(back) == board
    rounds.cancel_round(round_=back.rounds.get(stage="final"), reason="again", by=organiser(back))
    assert first_difference(back) is None


def test_scoring_reads_the_public_file_as_ever() -> None:
    event = cut_event()
    public = json.loads(canonical(public_file(event)))
    found = standings(eventfile.read(public))
    assert [row.player for row in found.order] == [
        row["player"] for row in public["event"]["standings"]["order"]
    ]


def test_nothing_private_is_in_the_public_file() -> None:
    event = eventful()
    members = unpacked(event_archive(event))
    public = json.dumps(members["event.json"], ensure_ascii=False)
    player = event.players.get(name="Ana Ruiz")
    assert "Ana R." in public
    secrets = [
        "Ana Ruiz",
        "ana@example.org",
        player.token,
        event.lot_seed,
        "hit the judge",
        "late",
        organiser(event).user.email,
        *Table.objects.values_list("token", flat=True),
    ]
    assert [one for one in secrets if one in public] == []
    private = json.dumps(members["private.json"], ensure_ascii=False)
    assert [one for one in secrets if one not in private] == []


def test_photos_lie_beside_it() -> None:
    event = eventful()
    members = unpacked(event_archive(event))
    photos = sorted(name for name in members if name.startswith("photos/"))
    assert photos == ["photos/1.1.1.jpg", "photos/1.1.2.jpg"]
    content = event_archive(event)
    wipe(event)
    back = taken_in(content)
    for photo in SheetPhoto.objects.filter(sheet__table__round__event=back):
        assert Path(photo.image.path).read_bytes() == PHOTO.jpeg
    assert "photo" in LogEntry.objects.filter(verb="sheet.photo_added")[0].after


def test_unknown_extensions_are_carried_on() -> None:
    event = cut_event()
    members = unpacked(event_archive(event))
    wipe(event)
    members["event.json"]["x"] = {"rulings": [{"said": "Sí"}]}
    members["private.json"]["x"] = {"notes": [1, None]}
    found = unpacked(event_archive(taken_in(packed(members))))
    assert found["event.json"]["x"] == {"rulings": [{"said": "Sí"}]}
    assert found["private.json"]["x"] == {"notes": [1, None]}


def test_the_public_file_alone_becomes_an_archive() -> None:
    for event in (cut_event(), eventful()):
        content = canonical(public_file(event))
        found = taken_in(content, slug=f"archive-{event.pk}")
        told, again = json.loads(content), json.loads(canonical(public_file(found)))
        assert again["event"]["settings"].pop("slug") == f"archive-{event.pk}"
        told["event"]["settings"].pop("slug")
        for document in (told, again):
            document["event"].pop("commitment")
        assert again == told
        assert not found.players.filter(contact__isnull=False).exists()
        assert first_difference(found) is None
        assert compute_standings(found).rows


@pytest.mark.parametrize("ruleset", ["base-classic", "base-new", "saboteur-2", "duel"])
def test_a_clubs_evening_comes_back_whole_and_as_an_archive(ruleset: str) -> None:
    event = simulate(
        SimulationPlan(players=9, rounds=2, cut=2 if ruleset == "duel" else 5, ruleset=ruleset)
    )
    content, shown = event_archive(event), compute_standings(event)
    facts = unpacked(content)["event.json"]
    assert first_difference(event) is None
    wipe(event)
    back = taken_in(content)
    assert compute_standings(back) == shown
    assert event_archive(back) == content
    wipe(back)
    archive = taken_in(packed({"event.json": facts}))
    assert first_difference(archive) is None
    rows = [(row.rank, row.number, row.points, row.stars) for row in shown.ranked]
    found = compute_standings(archive).ranked
    assert [(row.rank, row.number, row.points, row.stars) for row in found] == rows


def test_people_without_an_account_are_named_and_get_no_duty() -> None:
    event = cut_event()
    olga = organiser(event).user
    content = event_archive(event)
    wipe(event)
    User.objects.filter(pk=olga.pk).delete()
    importer = make_user("Ines")
    with opened(io.BytesIO(content)) as parts:
        back = import_event(parts=parts, by=Actor.of_user(importer))
    assert [one.user for one in StaffMember.objects.filter(event=back)] == [importer]
    again = User.objects.get(email=olga.email)
    assert not again.has_usable_password()
    actors = set(back.log.values_list("actor", flat=True))
    assert actors >= {f"user:{again.pk}", f"user:{importer.pk}"}


def test_a_judge_who_imports_the_event_organises_it_there() -> None:
    event = cut_event()
    olga, judge = organiser_of(event), make_judge(event)
    content = event_archive(event)
    wipe(event)
    with opened(io.BytesIO(content)) as parts:
        back = import_event(parts=parts, by=Actor.of_user(judge))
    duties = dict(StaffMember.objects.filter(event=back).values_list("user", "duty"))
    assert duties == {olga.pk: "organiser", judge.pk: "organiser"}


def test_commands_write_and_read_the_file(tmp_path: Path) -> None:
    event, out = cut_event(), io.StringIO()
    one, two = tmp_path / "one.zip", tmp_path / "two.zip"
    call_command("export_event", event.slug, str(one), stdout=out)
    assert one.stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError, match="its links are in use"):
        call_command("import_event", str(one), stdout=out)
    with pytest.raises(CommandError, match=r"^--slug: "):
        call_command("import_event", str(one), slug="no slug", stdout=out)
    with pytest.raises(CommandError, match="its links are in use"):
        call_command("import_event", str(one), slug="copy", stdout=out)
    email = organiser(event).user.email
    wipe(event)
    call_command("import_event", str(one), organiser=email, stdout=out)
    call_command("export_event", event.slug, str(two), stdout=out)
    assert one.read_bytes() == two.read_bytes()
    with pytest.raises(CommandError, match="Nobody here"):
        call_command("import_event", str(one), organiser="no@example.org", stdout=out)
    with pytest.raises(CommandError, match=r"can't be read: .*three.zip: No such file"):
        call_command("import_event", str(tmp_path / "three.zip"), stdout=out)
    with pytest.raises(CommandError, match="There is no event"):
        call_command("export_event", "nothing", str(two), stdout=out)


# --- refused ---------------------------------------------------------------------------------


@pytest.fixture
def members() -> dict[str, Any]:
    """The file of an event that is no longer here."""
    event = cut_event()
    found = unpacked(event_archive(event))
    wipe(event)
    return found


def refused(content: bytes) -> str:
    before = Event.objects.count(), User.objects.count(), Table.objects.count()
    with pytest.raises(Refused) as caught:
        taken_in(content)
    assert (Event.objects.count(), User.objects.count(), Table.objects.count()) == before
    return caught.value.message


def rounds_of(members: dict[str, Any]) -> Any:
    return members["private.json"]["event"]["rounds"]


def other_deal(members: dict[str, Any]) -> None:
    deal = rounds_of(members)[0]["tables"][0]["sheet"]["deals"][0]
    deal["roles"] = deal["roles"][::-1]


def other_public_deal(members: dict[str, Any]) -> None:
    members["event.json"]["rounds"][0]["tables"][0]["deals"][0]["roles"].reverse()


def other_secret(members: dict[str, Any]) -> None:
    lot = members["private.json"]["event"]["lots"][0]
    lot["secret"] = members["event.json"]["event"]["lots"][0]["secret"] = "ab" * 32


def twice_seated(members: dict[str, Any]) -> None:
    seats = rounds_of(members)[0]["tables"][0]["seats"]
    seats[0]["player"] = seats[1]["player"]


def other_standings(members: dict[str, Any]) -> None:
    members["event.json"]["event"]["standings"]["order"][0]["rank"] = 2


def other_log(members: dict[str, Any]) -> None:
    entries = members["private.json"]["event"]["log"]
    entries[:] = [one for one in entries if one["verb"] != "round.closed"]


TAMPERINGS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "a deal": (other_deal, "The standings in the file are not those of its facts: final[0]"),
    "a deal in public": (other_public_deal, "contradicts itself: rounds[0].tables[0].deals[0]"),
    "a secret": (other_secret, "The secret of lot 1 (cut) is not the one that was promised."),
    "a seat twice": (twice_seated, "damaged"),
    "the standings": (other_standings, "order[0].rank is 2 there, and comes to 1"),
    "the log": (other_log, "Tournament round 1 is “Closed”, which the log does not tell."),
    "a name": (
        lambda it: it["event.json"]["event"]["players"][0].update(name="Else"),
        "contradicts itself: event.players[0].name is Else",
    ),
    "a status": (
        lambda it: rounds_of(it)[0].update(status="over"),
        "event.rounds[0].status (not_known)",
    ),
    "a language that governs": (
        lambda it: (
            it["private.json"]["event"].update(governing_language="xx"),
            it["event.json"]["event"]["settings"].update(governing_language="xx"),
        ),
        "event.governing_language (not_known)",
    ),
    "an unknown field": (
        lambda it: it["private.json"]["event"].update(prophecies=[]),
        "event.prophecies (unknown_field)",
    ),
    "a zone": (
        lambda it: it["private.json"]["event"].update(time_zone="Mars/Base"),
        "event.time_zone (not_known)",
    ),
    "a ruleset": (lambda it: it["event.json"].update(ruleset="mine"), "ruleset_unknown"),
    "a moment": (
        lambda it: it["private.json"]["event"].update(starts_at="tomorrow"),
        "event.starts_at (not_a_moment)",
    ),
    "a number": (
        lambda it: rounds_of(it)[0].update(number=10**9),
        "event.rounds[0].number (out_of_range)",
    ),
    "a letter": (
        lambda it: it["private.json"]["event"].update(venue="a\x00b"),
        "event.venue (not_unicode)",
    ),
    "another format": (
        lambda it: it["private.json"].update(format="chess/1"),
        "private.json is something else",
    ),
    "a newer format": (
        lambda it: it["private.json"].update(format="saboteur-event-private/2"),
        "newer version",
    ),
    "a newer public format": (
        lambda it: it["event.json"].update(format="saboteur-event/2"),
        "newer version",
    ),
    "a newer version": (lambda it: it["event.json"]["event"].update(version=2), "newer version"),
    "no event": (lambda it: it["event.json"].pop("event"), "the facts for the standings alone"),
    "no public part": (lambda it: it.pop("event.json"), "there is no event.json in it"),
    "a path out": (lambda it: it.update({"../evil.json": {}}), "there is “../evil.json” in it"),
    "a photo's path": (lambda it: it.update({"photos/../x.jpg": b""}), "this is no event file"),
    "a list": (lambda it: it.update({"event.json": []}), "event.json is something else"),
    "no JSON": (lambda it: it.update({"event.json": b"{"}), "was cut off: event.json"),
    "not UTF-8": (lambda it: it.update({"event.json": b'"\xff"'}), "can't be read (byte 2)"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_file_that_was_tampered_with_is_refused(name: str, members: dict[str, Any]) -> None:
    tamper, words = TAMPERINGS[name]
    tamper(members)
    assert words.casefold() in refused(packed(members)).casefold()
    assert Event.objects.count() == 0


def test_what_is_no_archive_is_refused(members: dict[str, Any]) -> None:
    whole = packed(members)
    assert "no event file" in refused(b"")
    assert "no event file" in refused(b"%PDF-1.7")
    assert "damaged or was cut off" in refused(whole[: len(whole) // 2])
    assert "damaged or was cut off" in refused(b"PK\x03\x04")
    middle = bytearray(whole)
    middle[200:220] = b"\x00" * 20
    refused(bytes(middle))
    twice = io.BytesIO(whole)
    with (
        pytest.warns(UserWarning, match="Duplicate"),
        zipfile.ZipFile(twice, "a") as archive,
    ):
        archive.writestr("event.json", "{}")
    assert "twice" in refused(twice.getvalue())


@pytest.mark.once
def test_a_bomb_is_refused_before_it_is_unpacked(members: dict[str, Any]) -> None:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("event.json", "w", force_zip64=True) as file,
    ):
        for _ in range(64):
            file.write(bytes(1024 * 1024))
    bomb = out.getvalue()
    assert len(bomb) < 128 * 1024
    assert "too large" in refused(bomb)
    # One that lies about its size.
    lies = bytearray(bomb)
    at = lies.rindex(b"PK\x01\x02")
    lies[at + 24 : at + 28] = (1000).to_bytes(4, "little")
    refused(bytes(lies))
    refused(b"[" * 100_000)
    refused(b'{"format": ' + b"9" * 10_000 + b"}")


def test_a_photo_that_is_missing_or_another_is_refused() -> None:
    event = eventful()
    members = unpacked(event_archive(event))
    wipe(event)
    photo = members.pop("photos/1.1.1.jpg")
    folder = Path(SheetPhoto._meta.get_field("image").storage.location)
    before = set(folder.rglob("*.jpg"))
    assert "photos/1.1.1.jpg is missing or damaged" in refused(packed(members))
    assert "missing or damaged" in refused(
        packed(members | {"photos/1.1.2.jpg": photo[:-3], "photos/1.1.1.jpg": photo})
    )
    assert set(folder.rglob("*.jpg")) == before, "what was saved already is gone again"


# --- any mutation ----------------------------------------------------------------------------

WRONG: list[Any] = [
    None,
    True,
    -1,
    0,
    2**70,
    1.5,
    "",
    "x",
    "x" * 3000,
    "\u202e",
    [],
    [[]],
    {},
    {"a": 1},
    "2026-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "user:9",
    "1.1",
]


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a document: its container and its key."""
    found: list[tuple[Any, Any]] = []
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    for key in keys:
        found.append((value, key))
        if isinstance(value[key], dict | list):
            found += spots(value[key])
    return found


def mutate(document: Any, chance: random.Random) -> None:
    container, key = chance.choice(spots(document))
    what = chance.randrange(4)
    if what == 0:
        del container[key]
    elif what == 1 and isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    elif what == 2 and isinstance(container, dict):
        container[f"{key}x"] = container[key]
    else:
        container[key] = copy.deepcopy(chance.choice(WRONG))


@pytest.mark.once
def test_hundreds_of_mutations_are_taken_or_refused_cleanly(members: dict[str, Any]) -> None:
    """Nothing but `Refused` comes out of a broken file; what is taken is all right."""
    chance = random.Random(7)
    taken = 0
    for _ in range(120):
        broken = copy.deepcopy(members)
        mutate(broken[chance.choice(["event.json", "private.json"])], chance)
        try:
            event = taken_in(packed(broken))
        except Refused:
            assert Event.objects.count() == 0
        else:
            taken += 1
            assert first_difference(event) is None
            compute_standings(event)
            wipe(event)
    assert taken < 24


@pytest.mark.once
def test_mutations_of_a_public_file_are_taken_or_refused_cleanly(members: dict[str, Any]) -> None:
    chance = random.Random(8)
    for _ in range(60):
        broken = copy.deepcopy(members["event.json"])
        mutate(broken, chance)
        try:
            event = taken_in(json.dumps(broken).encode())
        except Refused:
            assert Event.objects.count() == 0
        else:
            assert first_difference(event) is None
            wipe(event)


# --- the pages -------------------------------------------------------------------------------


def sent(client: Client, content: bytes, **more: str) -> HttpResponse:
    file = SimpleUploadedFile("event.zip", content)
    return client.post(reverse("event_import"), {"file": file} | more)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_an_organiser_takes_the_event_along_and_brings_it_in_elsewhere() -> None:
    event = eventful()
    client = signed_in(organiser_of(event))
    content = b"".join(client.get(reverse("event_archive", args=[event.slug])).streaming_content)
    assert content == event_archive(event)
    answer = client.get(reverse("export", args=[event.slug]))
    assert answer.content == canonical(public_file(event))
    eventfile.read(json.loads(answer.content))
    desk = flat(client.get(reverse("event_desk", args=[event.slug])))
    assert reverse("event_archive", args=[event.slug]) in desk
    wipe(event)
    assert "Import an event" in flat(client.get(reverse("desk")))
    answer = sent(client, content, slug="moved-here")
    assert answer.url == reverse("event_desk", args=["moved-here"])
    assert "its standings are those of the file" in flat(client.get(answer.url))
    log = flat(client.get(reverse("log", args=["moved-here"])))
    assert "Event imported from a file" in log


def test_what_is_wrong_with_a_file_stands_at_its_field(members: dict[str, Any]) -> None:
    client = signed_in(make_user())
    page = client.post(reverse("event_import"), {"slug": "kept"})
    assert page.status_code == 422
    assert "Choose a file first." in flat(page)
    assert 'value="kept"' in flat(page)
    page = sent(client, b"hello", slug="kept")
    assert page.status_code == 422
    assert "This is no event file" in flat(page)
    assert 'value="kept"' in flat(page)
    slug = members["private.json"]["event"]["slug"]
    make_event(name=slug)
    Event.objects.update(slug=slug)
    page = sent(client, packed(members))
    assert page.status_code == 422
    assert "choose another address" in flat(page)
    page = sent(client, packed(members), slug="import")
    assert "choose another address" in flat(page)
    assert sent(client, packed(members), slug="other").status_code == 302


def test_what_is_too_large_is_turned_away_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in(make_user())
    monkeypatch.setattr("tournament.web.desk.event_files.MOST_UPLOADED", -(64 * 1024))
    monkeypatch.setattr("tournament.forms.event_file.MOST_UPLOADED", 1)
    page = sent(client, b"hello")
    assert page.status_code == 413
    assert "This file is too large." in flat(page)
    monkeypatch.setattr("tournament.web.desk.event_files.MOST_UPLOADED", 1)
    page = sent(client, b"hello")
    assert page.status_code == 422
    assert "This file is too large." in flat(page)
