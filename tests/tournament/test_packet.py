"""The signed packet: what is in it, who gets it, and what is found out about a changed one."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from scoring.lots import commitment
from tests.factories import make_event, make_players, organiser, organiser_of
from tests.tournament.test_prizes import promise, settled
from tournament import signatures
from tournament.actions import prizes, rulings
from tournament.actions.events import finish_event
from tournament.actions.penalties import give_penalty
from tournament.actions.places import PromiseEntry, offer_places, promise_places
from tournament.documents import packet
from tournament.models import Contact, Event
from tournament.queries.prizes import podium_of
from tournament.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_folder(settings, tmp_path: Path) -> None:
    settings.PRINTS_DIR = tmp_path / "prints"


@pytest.fixture
def event() -> Event:
    """Over, with a lot, a prize that was given, a ruling and a penalty."""
    event = settled()
    by = organiser(event)
    bag = promise(event, "=Bag", "choice", 2)
    turn = podium_of(event).turns[0]
    prizes.give_on_podium(player=turn.player, thing=bag, by_wish=True, by=by)
    rulings.give_ruling(event=event, question="A torn card?", decision="Take another.", by=by)
    late = event.players.get(number=3)
    give_penalty(player=late, infraction="1.1", step=1, reason="forgot", by=by)
    finish_event(event=event, by=by)
    event.refresh_from_db()
    return event


def members_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def rows_of(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))


def test_it_holds_what_the_next_level_needs(event: Event) -> None:
    found = members_of(packet.make(event).read_bytes())
    assert set(found) == {
        "README.txt",
        "event.json",
        "lots.json",
        "penalties.pdf",
        *(
            f"{name}.{kind}"
            for name in ("standings", "prizes", "rulings")
            for kind in ("csv", "xlsx")
        ),
        "standings.pdf",
    }
    assert len(rows_of(found["standings.csv"])) == 13
    given, left = rows_of(found["prizes.csv"])[1:]
    assert (given[0], given[4], left[5]) == ("'=Bag", "no", "1")
    assert rows_of(found["rulings.csv"])[1][1:3] == ["A torn card?", "Take another."]
    assert found["standings.pdf"].startswith(b"%PDF")
    assert signatures.public_key() in found["README.txt"].decode()


def test_it_tells_contacts_of_those_who_agreed() -> None:
    event = settled()
    by = organiser(event)
    words = PromiseEntry(target_name="World final", number=2, due_days=7)
    promise_places(event=event, entry=words, by=by)
    finish_event(event=event, by=by)
    first, second = offer_places(event=event, by=by).places
    for place, agreed in ((first, "1"), (second, "")):
        Contact.objects.update_or_create(
            player=place.player, defaults={"email": f"{place.slot}@example.org", "phone": "600"}
        )
        page = Client().get(reverse("place", args=[place.token])).content.decode()
        assert "gets my e-mail and phone" in page
        Client().post(reverse("place_accept", args=[place.token]), {"may_write": agreed})
    event.refresh_from_db()
    rows = rows_of(members_of(packet.make(event).read_bytes())["places.csv"])[1:]
    assert [row[0] for row in rows] == ["World final"] * 2
    assert [row[-2:] for row in rows] == [["1@example.org", "600"], ["", ""]]
    assert [row[4] for row in rows] == ["accepted"] * 2


def test_its_lots_can_be_drawn_again(event: Event) -> None:
    found = json.loads(members_of(packet.make(event).read_bytes())["lots.json"])
    (lot,) = found
    asked = json.dumps(lot["request"])
    command = [sys.executable, "-m", "scoring", "lot"]
    again = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    assert json.loads(again.stdout)["order"] == lot["order"]
    assert commitment(lot["request"]["secret"]) == lot["fingerprint"]


def test_what_was_made_is_found_again(event: Event) -> None:
    name = packet.fingerprint(event)
    assert packet.find(event, name) is None
    path = packet.make(event)
    assert packet.find(event, name) == path


def test_what_is_empty_is_left_out() -> None:
    event = settled()
    finish_event(event=event, by=organiser(event))
    event.refresh_from_db()
    found = members_of(packet.make(event).read_bytes())
    assert set(found) == {
        "README.txt",
        "event.json",
        "lots.json",
        "standings.csv",
        "standings.pdf",
        "standings.xlsx",
    }


def test_there_is_none_before_the_end() -> None:
    event = make_event()
    make_players(event, 5)
    with pytest.raises(Refused, match="once the event is finished"):
        packet.make(event)
    desk = Client()
    desk.force_login(organiser_of(event))
    answer = desk.get(reverse("packet", args=[event.slug]), follow=True)
    assert "once the event is finished" in answer.content.decode()
    assert answer.redirect_chain == [(reverse("event_desk", args=[event.slug]), 302)]


def test_one_press_brings_it(event: Event) -> None:
    desk = Client()
    desk.force_login(organiser_of(event))
    page = desk.get(reverse("event_desk", args=[event.slug])).content.decode()
    assert reverse("packet", args=[event.slug]) in page
    answer = desk.get(reverse("packet", args=[event.slug]), follow=True)
    assert f"{event.slug}-packet.zip" in answer["Content-Disposition"]
    assert signatures.signer_of(b"".join(answer)) == signatures.public_key()


def test_a_change_makes_another_packet(event: Event) -> None:
    before = packet.make(event)
    gift = event.prizes_listed.get().gifts.get()
    prizes.hand_out(gift=gift, handed=True, by=organiser(event))
    event.refresh_from_db()
    assert packet.find(event, packet.fingerprint(event)) is None
    assert packet.make(event) != before


def changed(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def test_a_single_changed_byte_is_found_out(event: Event) -> None:
    content = packet.make(event).read_bytes()
    assert signatures.signer_of(content) == signatures.public_key()
    for at in [*range(0, len(content), 997), *range(len(content) - 300, len(content))]:
        with pytest.raises(signatures.BadSignature):
            signatures.signer_of(changed(content, at))
    for other in (b"", content[:-1], content[1:], content + b"\n"):
        with pytest.raises(signatures.BadSignature):
            signatures.signer_of(other)


def test_the_command_says_whether_it_is_whole(event: Event, tmp_path: Path, settings) -> None:
    file = tmp_path / "packet.zip"
    content = packet.make(event).read_bytes()
    file.write_bytes(content)
    out = io.StringIO()
    call_command("verify_packet", file, stdout=out)
    assert signatures.public_key() in out.getvalue()
    file.write_bytes(changed(content, 5000))
    with pytest.raises(CommandError, match="no packet as it was signed"):
        call_command("verify_packet", file)
    with pytest.raises(CommandError, match="can't be read"):
        call_command("verify_packet", tmp_path / "none.zip")
    file.write_bytes(content)
    key, old = signatures.public_key(), settings.SECRET_KEY
    settings.SECRET_KEY = "another site's"
    with pytest.raises(CommandError, match="another key"):
        call_command("verify_packet", file)
    call_command("verify_packet", file, key=f" {key.upper()} ", stdout=out)
    settings.SECRET_KEY_FALLBACKS = [old]
    call_command("verify_packet", file, stdout=out)


def test_other_programs_agree(event: Event, tmp_path: Path) -> None:
    """By the file of the key alone; OpenSSL too, where there is one."""
    content = packet.make(event).read_bytes()
    pem = Client().get(reverse("key_file")).content
    signed, signature = content[:-129], bytes.fromhex(content[-129:].decode())
    load_pem_public_key(pem).verify(signature, signed)
    if shutil.which("openssl") is None:
        return
    for name, part in (("signed", signed), ("signature", signature), ("key.pem", pem)):
        (tmp_path / name).write_bytes(part)
    command = "openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in signed -sigfile signature"
    found = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, text=True)
    assert "Verified Successfully" in found.stdout, found.stderr


def asked(content: bytes) -> HttpResponse:
    return Client(enforce_csrf_checks=True).post(
        reverse("key"), {"file": SimpleUploadedFile("packet.zip", content)}
    )


def test_the_page_says_whether_it_is_whole(event: Event, settings) -> None:
    content = packet.make(event).read_bytes()
    answer = asked(content)
    assert answer.status_code == 200
    assert "packet.zip comes from this site" in answer.content.decode()
    for other in (changed(content, 5000), content[:-1], b"PK", b""):
        answer = asked(other)
        assert answer.status_code == 422
        assert "no packet as it was signed" in answer.content.decode()
    nothing = Client().post(reverse("key"))
    assert "Choose a file first." in nothing.content.decode()
    settings.SECRET_KEY = "another site's"
    answer = asked(content)
    assert answer.status_code == 422
    assert "another site signed it" in answer.content.decode()


def test_what_is_too_large_is_not_read() -> None:
    answer = Client().post(reverse("key"), CONTENT_LENGTH=str(30 * 1024 * 1024))
    assert answer.status_code == 413
    assert "too large to be checked here" in answer.content.decode()


def test_everybody_can_read_the_key(settings) -> None:
    page = Client().get(reverse("key")).content.decode()
    assert signatures.public_key() in page
    assert "Earlier keys" not in page
    settings.SECRET_KEY_FALLBACKS = ["the one before"]
    page = Client().get(reverse("key")).content.decode()
    assert all(key in page for key in signatures.known_keys())
    assert "Earlier keys" in page
