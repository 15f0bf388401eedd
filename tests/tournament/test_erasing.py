"""A person is erased from an event: nothing names them any more, and what was played stays."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from config.env import SQLITE_PRAGMAS
from tests.factories import (
    PHOTO,
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    organiser_of,
    type_in,
)
from tests.pages import flat
from tests.tournament.seasons import by_of, joined, make_series, make_table, put_in
from tournament import postman
from tournament.actions import merges, rounds
from tournament.actions.announcements import send_announcement
from tournament.actions.attendance import check_in, drop, undo_withdraw
from tournament.actions.calls import call_judge
from tournament.actions.erasing import erase_player
from tournament.actions.event_import import EventParts, import_event
from tournament.actions.events import finish_event
from tournament.actions.penalties import give_penalty
from tournament.actions.photos import attach_photo
from tournament.actions.players import PlayerEntry, edit_player, mail_ticket, new_ticket
from tournament.actions.prizes import PrizeEntry, add_prize, give_special
from tournament.actions.registration import correct_email, register
from tournament.actions.separations import separate_players
from tournament.documents import store
from tournament.documents.event_archive import event_archive
from tournament.documents.request import DocumentRequest
from tournament.models import (
    Event,
    LogEntry,
    Mail,
    Person,
    Player,
    Result,
    SheetPhoto,
)
from tournament.models.actors import Actor
from tournament.models.players import PlayerStatus
from tournament.names import ErasedName
from tournament.queries.check_event import first_difference
from tournament.queries.event_file.public import public_file
from tournament.queries.event_file.values import canonical
from tournament.queries.log import log_of, log_rows
from tournament.queries.persons import person_of
from tournament.redaction import Redaction
from tournament.refusals import Refused
from tournament.simulation import at, tables_of

pytestmark = pytest.mark.django_db

NAME, EMAIL, PHONE = "Zéphyrine Quillfeather", "zephyrine@quill.example", "+34 600 111 222"
GUARDIAN, GUARDIANS_CONTACT = "Ottoline Guardstone", "ottoline@guardstone.example"
# Of her and her guardian, however it is written: whole, turned round, abbreviated, another name,
# the address.
TELLING = (
    "zéphyrine",
    "zephyrine",
    "quillfeather",
    "quill.example",
    "featherduster",
    "600 111 222",
    "ottoline",
    "guardstone",
)


def hers(**fields: Any) -> PlayerEntry:
    return PlayerEntry(
        **{
            "name": NAME,
            "email": EMAIL,
            "phone": PHONE,
            "note": f"{NAME} comes late",
            "minor": True,
            "guardian": GUARDIAN,
            "guardian_contact": GUARDIANS_CONTACT,
            "guardian_agrees": True,
        }
        | fields
    )


def with_an_alias() -> PlayerEntry:
    return hers(alias="Featherduster", name_style="alias")


def traces(text: str) -> list[str]:
    """What of her is in it, also as JSON and as an address write it."""
    with suppress(ValueError):
        text = f"{text} {json.loads(text)}"
    low = text.lower().replace("%40", "@")
    return [one for one in TELLING if one in low]


def traces_in_tables() -> list[str]:
    """Every column of every table, sessions as they are read."""
    found = []
    for model in apps.get_models(include_auto_created=True):
        for row in model._default_manager.values():
            for name, value in row.items():
                if traces(json.dumps(value, default=str, ensure_ascii=False)):
                    found.append(f"{model._meta.label}.{name}: {value!r:.200}")
    for session in Session.objects.all():
        if traces(str(session.get_decoded())):
            found.append(f"session: {session.get_decoded()}")
    return found


def traces_in_files(folder: Path) -> list[str]:
    return [
        str(path)
        for path in folder.rglob("*")
        if path.is_file() and traces(path.read_bytes().decode("utf-8", "ignore"))
    ]


def printed(event: Event, kind: str, **asked: Any) -> str:
    found = DocumentRequest(event=event, kind=kind, languages=("en",), paper="a4", **asked)
    return store.make(found).name


@pytest.fixture
def on_commit(django_capture_on_commit_callbacks: Any) -> Any:
    return lambda: django_capture_on_commit_callbacks(execute=True)


def a_busy_event(**settings: Any) -> tuple[Event, Player]:
    """She registers and does all that one can do."""
    event = make_event(**{"cut_size": 0, "rounds_planned": 1} | settings)
    by = organiser(event)
    player = register(event=event, entry=with_an_alias(), by=Actor.visitor())
    postman.deliver.func()
    make_players(event, 5)
    check_in(player=player, by=by)
    send_announcement(
        event=event,
        audience="here",
        subject=f"Thanks to {NAME}",
        text=f"Ask QUILLFEATHER, Zephyrine, or write to {EMAIL}; or OTTOLINE Guardstone "
        f"({GUARDIANS_CONTACT}).",
        by=by,
    )
    round_ = make_round(event)
    (table,) = tables_of(round_)
    call_judge(table=table, reason=f"{NAME} shouts", by=at(table, 1))
    give_penalty(
        player=player,
        infraction="1.1",
        step=1,
        reason="Zéphyrine was rude to all, Ottoline says",
        by=by,
    )
    attach_photo(sheet=table.sheet, photo=PHOTO, by=by)
    type_in(table)
    rounds.close_round(round_=round_, by=by)
    separate_players(
        event=event,
        first=player,
        second=event.players.exclude(pk=player.pk)[0],
        reason=f"{NAME}'s sister",
        by=by,
    )
    prize = add_prize(event=event, entry=PrizeEntry(name="Cup", kind="special", stock=1), by=by)
    give_special(prize=prize, player=player, by=by)
    return event, Player.objects.select_related("event").get(pk=player.pk)


def look_at_all(event: Event, client: Client) -> None:
    """Fill the caches, and what a session holds of her."""
    for name in ("standings", "seats", "event", "fairness"):
        client.get(reverse(name, args=[event.slug]))
    client.get(reverse("players", args=[event.slug]))


def test_nothing_names_somebody_who_was_erased(
    on_commit: Any, tmp_path: Path, settings: Any, caplog: Any
) -> None:
    settings.DATA_DIR = tmp_path
    settings.PRINTS_DIR, settings.PHOTOS_DIR = tmp_path / "prints", tmp_path / "photos"
    caplog.set_level(logging.DEBUG, logger="tournament")
    series = make_series()
    make_table(series)
    entries = []
    with on_commit():
        for number in range(2):
            event, player = a_busy_event(name=f"Cup {number}")
            finish_event(event=event, by=organiser(event))
            put_in(series, event)
            entries.append(player)
        joined(entries[0], EMAIL, NAME)
        joined(entries[1], f"other-{EMAIL}", NAME)
        merge = merges.propose_merge(
            series=series,
            first=entries[0],
            second=entries[1],
            reason=f"{NAME} twice",
            by=by_of(series),
        )
        for side in merge.sides.select_related("merge__series", "player"):
            merges.answer_merge(side=side, agrees=True, by=Actor.of_player(side.player))
    before = {one.pk: Result.objects.get(player=one) for one in entries}
    for player in entries:
        event = player.event
        client = Client()
        client.force_login(organiser_of(event))
        look_at_all(event, client)
        printed(event, "attendance")
        with_name = client.post(
            reverse("player_move", args=[event.slug, player.number, "mail-ticket"])
        )
        assert with_name.status_code in (302, 409)
        session = client.session
        session["interrupted"] = {"sent": [["name", NAME]], "address": "/", "at": 0}
        session.save()
    assert traces_in_tables()
    assert len(list((tmp_path / "prints").rglob("*.pdf"))) == 2
    photos = len(list((tmp_path / "photos").rglob("*.jpg")))
    caplog.clear()
    with on_commit():
        for player in entries:
            erase_player(
                player=player, reason=f"{NAME} wishes it", photos=True, by=organiser(player.event)
            )
    assert traces_in_tables() == []
    assert traces_in_files(tmp_path) == []
    assert not list((tmp_path / "prints").rglob("*.pdf"))
    assert (photos, len(list((tmp_path / "photos").rglob("*.jpg")))) == (2, 0)
    assert not traces(caplog.text)
    for player in entries:
        player.refresh_from_db()
        after = Result.objects.get(player=player)
        same = ("rank", "points", "stars", "number")
        assert [getattr(after, one) for one in same] == [
            getattr(before[player.pk], one) for one in same
        ]
        assert after.name == player.name == f"Erased player {player.number}"
        assert player.penalties.in_force().count() == player.prizes.in_force().count() == 1
        assert first_difference(player.event) is None
        client = Client()
        client.force_login(organiser_of(player.event))
        for name in ("standings", "players", "log", "notebook", "prizes"):
            page = flat(client.get(reverse(name, args=[player.event.slug])))
            assert not traces(page), name
        archive = event_archive(Event.objects.get(pk=player.event_id))
        assert not traces(archive.decode("latin-1"))
    assert not Person.objects.exclude(name="").exists()
    assert not traces(flat(Client().get(reverse("series", args=[series.slug]))))


def test_the_name_is_told_in_the_readers_language() -> None:
    event = make_event()
    player = make_player(event, NAME, here=False)
    erase_player(player=player, reason="wish", by=organiser(event))
    with override("es"):
        there = Player.objects.get(pk=player.pk).name
        assert there == ErasedName(player.number)
    assert str(ErasedName(player.number)) == f"Erased player {player.number}"
    (stored,) = Player.objects.filter(pk=player.pk).extra(select={"raw": "tournament_player.name"})
    assert stored.raw == f"erased:{player.number}"


def test_before_playing_it_is_a_withdrawal_and_the_place_is_free() -> None:
    event = make_event(capacity=1)
    first = register(event=event, entry=hers(), by=Actor.visitor())
    second = register(
        event=event, entry=PlayerEntry(name="Bo", email="bo@example.org"), by=Actor.visitor()
    )
    assert second.status == PlayerStatus.WAITING
    erase_player(player=first, reason="wish", by=organiser(event))
    for one in (first, second):
        one.refresh_from_db()
    assert (first.status, second.status) == (PlayerStatus.WITHDRAWN, PlayerStatus.REGISTERED)
    assert Client().get(reverse("ticket", args=[first.token])).status_code in (200, 404)
    assert traces_in_tables() == []


def test_whoever_plays_is_needed_by_name() -> None:
    event = make_event()
    make_players(event, 6)
    make_round(event)
    player = event.players.select_related("event").get(number=1)
    with pytest.raises(Refused, match="needed by name"):
        erase_player(player=player, reason="wish", by=organiser(event))
    drop(player=player, by=organiser(event))
    erase_player(player=player, reason="wish", by=organiser(event))
    with pytest.raises(Refused, match="already"):
        erase_player(player=player, reason="wish", by=organiser(event))


def test_an_erased_entry_gets_no_name_and_no_ticket_again() -> None:
    event = make_event()
    player = make_player(event, NAME, here=False, email=EMAIL)
    by = organiser(event)
    erase_player(player=player, reason="wish", by=by)
    for change in (
        lambda: edit_player(player=player, entry=hers(), by=by),
        lambda: new_ticket(player=player, by=by),
        # By a ticket that was opened a moment before.
        lambda: correct_email(player=player, email=EMAIL, by=Actor.of_player(player)),
        lambda: undo_withdraw(player=player, by=by),
        lambda: check_in(player=player, by=by),
    ):
        with pytest.raises(Refused, match="erased"):
            change()
    with pytest.raises(Refused, match="no e-mail"):
        mail_ticket(player=player, by=by)


def test_what_is_somebody_elses_stays() -> None:
    """A namesake, a family's one address, and words that name nobody."""
    event = make_event()
    by = organiser(event)
    gone = make_player(event, "Rose Hill", here=False, email="family@example.org")
    same = make_player(event, "Rose Hill", here=False, email="other@example.org", namesake=True)
    sister = make_player(event, "Ivy Hill", here=False, email="family@example.org")
    send_announcement(
        event=event, audience="expected", subject="", text="Rose Hill won a rose.", by=by
    )
    erase_player(player=gone, reason="wish", by=by)
    same.refresh_from_db()
    assert (same.name, sister.email) == ("Rose Hill", "family@example.org")
    assert event.announcements.get().text == "Rose Hill won a rose.", "it may be the other one"
    assert Mail.objects.filter(player=sister).exclude(body="").count() == 2
    assert not Mail.objects.filter(player=gone).exists()


def test_photos_stay_where_nobody_asks_for_it() -> None:
    event, player = a_busy_event()
    finish_event(event=event, by=organiser(event))
    erase_player(player=player, reason="wish", by=organiser(event))
    assert SheetPhoto.objects.count() == 1
    entry = LogEntry.objects.get(verb="person.erased")
    assert "photos" not in entry.after


def test_a_person_keeps_their_other_results() -> None:
    entries = []
    for _n in range(2):
        event, player = a_busy_event()
        finish_event(event=event, by=organiser(event))
        entries.append(player)
    for player in entries:
        person = joined(player, EMAIL, NAME)
    erase_player(player=entries[0], reason="wish", by=organiser(entries[0].event))
    person.refresh_from_db()
    assert (person.name, person.email) == (NAME, EMAIL)
    assert (person_of(entries[0]), person_of(entries[1])) == (None, person)


def test_an_event_file_of_before_does_not_bring_the_name_back() -> None:
    event, player = a_busy_event()
    finish_event(event=event, by=organiser(event))
    old = EventParts(json.loads(canonical(public_file(event))), None, lambda _name: b"")
    assert traces(json.dumps(old.public))
    erase_player(player=player, reason="wish", by=organiser(event))
    again = import_event(parts=old, by=organiser(event), slug="again")
    assert again.players.get(number=player.number).name == f"Erased player {player.number}"
    assert traces_in_tables() == []


def test_the_page_says_what_goes_and_the_receipt_what_went() -> None:
    event, player = a_busy_event()
    finish_event(event=event, by=organiser(event))
    client = Client()
    client.force_login(organiser_of(event))
    address = reverse("player_erase", args=[event.slug, player.number])
    page = flat(client.get(address))
    assert "Words of mails that were sent" in page
    assert "Name and contact of a parent or guardian" in page
    assert "Delete the photo of their table" in page
    assert "Write it without names and addresses" in page
    assert "Backups and the second copy hold the name" in page
    assert client.post(address, {"reason": ""}).status_code == 422
    response = client.post(address, {"reason": f"{NAME} asked by mail", "photos": "on"})
    assert response.status_code == 302
    receipt = flat(client.get(address))
    assert "What is gone" in receipt
    assert "asked by mail" in receipt
    assert "Photos of their sheets: 1" in receipt
    assert "Name and contact of a parent or guardian: 1" in receipt
    assert not traces(receipt)
    shown = flat(client.get(reverse("player", args=[event.slug, player.number])))
    assert "Change the entry" not in shown
    assert "What was erased" in shown
    said = [
        row.details for row in log_rows(log_of(event, about=player)) if row.what == "Name erased"
    ]
    assert "Photos of their sheets: 1" in said[0]


def test_words_are_found_however_they_are_written() -> None:
    redaction = Redaction()
    redaction.add_all(["Ana Ruiz", "Rose", "ana@example.org", "Li"], "#3")
    assert redaction.of("ANA  RUÍZ, and Ana-Ruiz.") == "#3, and #3."
    assert redaction.of("Rose picked a rose; Li did not") == "#3 picked a rose; Li did not"
    assert redaction.of("to Ana@Example.org!") == "to #3!"
    assert redaction.of("Ana and Ruiz") == "Ana and Ruiz"
    assert redaction.of_value({"a": ["Ana Ruiz", 3]}) == {"a": ["#3", 3]}


def test_what_is_erased_is_overwritten_in_the_embedded_database(tmp_path: Path) -> None:
    path = tmp_path / "one.sqlite3"
    database = sqlite3.connect(path)
    database.executescript(SQLITE_PRAGMAS)
    database.execute("CREATE TABLE people (name TEXT)")
    database.executemany("INSERT INTO people VALUES (?)", [(f"{NAME} {n}",) for n in range(50)])
    database.commit()
    database.execute("UPDATE people SET name = ''")
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    assert traces_in_files(tmp_path) == []
