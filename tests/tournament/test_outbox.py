"""What a table's phone has kept arrives: each entry once, against what that phone saw."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.factories import enter, make_judge, make_table, organiser
from tournament.actions import rounds, scoresheets
from tournament.actions.scoresheets import DealEntry, reopen_sheet, submit_sheet
from tournament.models import Deal, Event, LogEntry, Scoresheet, Submission, Table
from tournament.models.events import EventStatus
from tournament.queries.log import history_of_sheet
from tournament.simulation import at

pytestmark = pytest.mark.django_db

FIRST: dict[str, Any] = {"kind": "deal", "number": 1, "roles": "sxmmm", "connector": 3}
OTHER = FIRST | {"roles": "msxmm", "connector": 0}


@dataclass
class Phone:
    """A phone of a table, which makes its own keys."""

    table: Table
    client: Client = field(default_factory=Client)
    keys: int = 0

    @property
    def players(self) -> str:
        seats = self.table.seats.order_by("position")
        return ",".join(map(str, seats.values_list("player__number", flat=True)))

    def send(self, entry: dict[str, Any], key: str = "", seen: str = "") -> HttpResponse:
        self.keys += 1
        return self.client.post(
            reverse("table_link:outbox", args=[self.table.token]),
            json.dumps({"players": self.players, "seen": seen} | entry),
            content_type="application/json",
            headers={"Idempotency-Key": key or f"key-of-this-phone-{self.keys}"},
        )

    @property
    def texts(self) -> list[str]:
        return [deal.text for deal in Deal.objects.filter(sheet__table=self.table)]


@pytest.fixture
def phone() -> Phone:
    return Phone(make_table(5, deals_per_round=2))


def status(phone: Phone) -> str:
    return Scoresheet.objects.get(table=phone.table).status


def test_a_deal_arrives_once_however_often_it_is_sent(phone: Phone) -> None:
    answers = [phone.send(FIRST, key="the-same-key-again") for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 200]
    assert [one.json() for one in answers] == [{"version": 1}] * 3
    assert phone.texts == ["sxmmm:3"]
    assert LogEntry.objects.filter(verb="deal.entered").count() == 1
    # Corrected since: what was sent first is still what it was.
    assert phone.send(OTHER, seen="sxmmm:3").status_code == 200
    assert phone.send(FIRST, key="the-same-key-again").status_code == 200
    assert phone.texts == ["msxmm:0"]


def test_one_key_is_one_entry(phone: Phone) -> None:
    phone.send(FIRST, key="the-same-key-again")
    answer = phone.send(OTHER, key="the-same-key-again", seen="sxmmm:3")
    assert answer.status_code == 422
    assert phone.texts == ["sxmmm:3"]


def test_the_whole_sheet_in_order(phone: Phone) -> None:
    read = "sxmmm:3,msxmm:0"
    sent = [
        phone.send(FIRST),
        phone.send(OTHER | {"number": 2}),
        phone.send({"kind": "submit"}, seen=read),
        phone.send({"kind": "confirm", "seat": 2}, seen=read),
    ]
    assert [one.status_code for one in sent] == [200] * 4
    sheet = Scoresheet.objects.get(table=phone.table)
    second = phone.table.seats.get(position=2).player_id
    assert (sheet.status, sheet.confirmed_by) == ("confirmed", f"player:{second}")


def test_who_handed_in_confirms_nothing(phone: Phone) -> None:
    read = "sxmmm:3,msxmm:0"
    for entry in (FIRST, OTHER | {"number": 2}):
        phone.send(entry)
    phone.send({"kind": "submit"}, seen=read)
    assert phone.send({"kind": "confirm", "seat": 1}, seen=read).status_code == 422
    assert phone.send({"kind": "confirm", "seat": 9}, seen=read).status_code == 422
    assert status(phone) == "submitted"


def test_two_phones_with_the_same_deals_are_no_conflict(phone: Phone) -> None:
    read = "sxmmm:3,msxmm:0"
    for _ in range(2):
        assert phone.send(FIRST).status_code == 200
        assert phone.send(OTHER | {"number": 2}).status_code == 200
        assert phone.send({"kind": "submit"}, seen=read).status_code == 200
        assert phone.send({"kind": "confirm", "seat": 2}, seen=read).status_code == 200
    assert LogEntry.objects.filter(object_type="scoresheet").count() == 4


def test_something_else_stands_there_and_both_are_shown(phone: Phone) -> None:
    enter(phone.table, 1, DealEntry(("saboteur", "selfish", "miner", "miner", "miner"), 3))
    answer = phone.send(OTHER)
    told = answer.json()
    assert (answer.status_code, told["seen"]) == (409, "sxmmm:3")
    assert "The miners win." in told["stands"]
    assert "The saboteurs win." in told["sent"]
    assert phone.texts == ["sxmmm:3"]
    assert phone.send(OTHER, seen=told["seen"]).status_code == 200
    assert phone.texts == ["msxmm:0"]


def test_what_was_given_up_stays_in_the_log(phone: Phone) -> None:
    phone.send(FIRST)
    answer = phone.send(OTHER | {"kind": "declined"})
    assert answer.status_code == 200
    entry = LogEntry.objects.get(verb="deal.declined")
    assert entry.after == {"deal": 1, "connector": None, "roles": "msxmm"}
    [row, _first] = history_of_sheet(phone.table.sheet)
    assert row.details == [
        "deal 1: nobody reached the gold; saboteurs: 2; selfish dwarfs: 3",
    ]


def test_what_is_given_up_fills_no_log(phone: Phone) -> None:
    """Whoever has the table's link could push everything else out of the sheet's history."""
    declined = OTHER | {"kind": "declined"}
    assert [phone.send(declined).status_code for _ in range(3)] == [200, 200, 200]
    assert LogEntry.objects.filter(verb="deal.declined").count() == 1
    sent = [
        phone.send(declined | {"number": number, "connector": connector}).status_code
        for number in range(1, 11)
        for connector in range(1, 4)
    ]
    assert sent == [200] * 19 + [422] * 11
    assert LogEntry.objects.filter(verb="deal.declined").count() == 20


def test_a_huge_body_is_no_entry(phone: Phone, caplog: pytest.LogCaptureFixture) -> None:
    answer = phone.send(FIRST | {"kind": "x" * 3_000_000})
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/json")
    assert not [one for one in caplog.records if one.levelname == "ERROR"]


def test_an_illegal_deal_names_the_seats(phone: Phone) -> None:
    answer = phone.send(FIRST | {"roles": "ssxmm"})
    assert (answer.status_code, answer.json()["seats"]) == (422, [1, 2])
    assert phone.send(FIRST | {"number": 2}).status_code == 422
    assert phone.send(FIRST | {"connector": 6}).status_code == 422
    assert phone.texts == []


def test_a_sheet_that_was_not_read_so_is_not_handed_in(phone: Phone) -> None:
    phone.send(FIRST)
    phone.send(OTHER | {"number": 2})
    assert phone.send({"kind": "submit"}, seen="sxmmm:3,").status_code == 409
    assert status(phone) == "open"


def test_a_sheet_that_was_opened_again_is_read_again(phone: Phone) -> None:
    read = "sxmmm:3,msxmm:0"
    phone.send(FIRST)
    phone.send(OTHER | {"number": 2})
    submit_sheet(sheet=phone.table.sheet, by=at(phone.table, 1))
    reopen_sheet(sheet=phone.table.sheet, reason="A wrong role", by=at(phone.table, 1))
    answer = phone.send({"kind": "submit"}, seen=read)
    assert answer.status_code == 409
    assert "A wrong role" in answer.json()["message"]
    assert phone.send({"kind": "submit", "reopened": True}, seen=read).status_code == 200


def test_a_table_that_was_seated_anew_is_gone(phone: Phone) -> None:
    answer = phone.send(FIRST | {"players": "1,2,3,4,99"})
    assert answer.status_code == 410
    assert phone.texts == []


def test_a_replaced_link_is_none(phone: Phone) -> None:
    old = phone.table.token
    rounds.new_table_link(table=phone.table, by=organiser(phone.table.round.event))
    phone.table.token = old
    assert phone.send(FIRST).status_code == 404


def test_after_the_event_nothing_arrives(phone: Phone) -> None:
    Event.objects.update(status=EventStatus.FINISHED)
    answer = phone.send(FIRST)
    assert (answer.status_code, answer.json()["message"]) == (
        410,
        "The event is finished. Its sheets are closed.",
    )


NONSENSE: list[Any] = [
    None,
    [],
    "deal",
    {},
    {"kind": "void"},
    {"kind": ["deal"]},
    FIRST | {"roles": "sxq"},
    FIRST | {"roles": ["s"]},
    FIRST | {"number": 1e400},
    FIRST | {"number": None},
    FIRST | {"connector": "\u0000"},
    FIRST | {"players": "1,2,3,4,\ud800"},
    FIRST | {"seen": "x" * 5000},
    FIRST | {"seen": {"a": 1}},
]


@pytest.mark.parametrize("body", NONSENSE)
def test_nonsense_is_no_entry(phone: Phone, body: Any) -> None:
    if isinstance(body, dict):
        body = {"players": phone.players} | body
    answer = phone.client.post(
        reverse("table_link:outbox", args=[phone.table.token]),
        json.dumps(body),
        content_type="application/json",
        headers={"Idempotency-Key": "a-key-of-this-phone"},
    )
    assert answer.status_code == 400, body
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    "key", ["", "short", "x" * 37, "spaces are no part of it", "ñññññññññññññññññ"]
)
def test_a_key_is_asked_for(phone: Phone, key: str) -> None:
    answer = phone.client.post(
        reverse("table_link:outbox", args=[phone.table.token]),
        json.dumps(FIRST | {"players": phone.players}),
        content_type="application/json",
        headers={"Idempotency-Key": key.encode().decode("latin-1")},
    )
    assert answer.status_code == 400


def test_neither_cookie_nor_token_is_needed(phone: Phone) -> None:
    phone.client = Client(enforce_csrf_checks=True)
    assert phone.send(FIRST).status_code == 200


def test_whoever_carried_it_stands_in_the_log(phone: Phone) -> None:
    event = phone.table.round.event
    judge = make_judge(event)
    phone.client.force_login(judge)
    phone.send(FIRST | {"carried": True})
    phone.client.logout()
    phone.send(OTHER | {"number": 2, "carried": True})
    second, first = history_of_sheet(phone.table.sheet)
    dealer = phone.table.seats.get(position=1)
    assert first.actor.endswith(f", table's link, carried by {judge.name}")
    assert second.actor.endswith(", table's link, carried by another phone")
    assert LogEntry.objects.filter(actor=f"player:{dealer.player_id}@user:{judge.pk}").exists()


def test_who_carries_has_no_more_rights_than_the_table(phone: Phone) -> None:
    phone.client.force_login(make_judge(phone.table.round.event))
    phone.send(FIRST | {"carried": True})
    answer = phone.send({"kind": "submit", "carried": True}, seen="sxmmm:3,")
    assert answer.status_code == 422  # the staff may hand in fewer deals, the table may not
    assert status(phone) == "open"


@pytest.mark.django_db(transaction=True)
def test_two_phones_send_at_the_same_moment() -> None:
    phone = Phone(make_table(5))
    found: list[int] = []

    def send(entry: dict[str, Any], key: str) -> None:
        try:
            found.append(Phone(phone.table).send(entry, key=key).status_code)
        finally:
            connection.close()

    sends = [(FIRST, "one-and-the-same-key"), (FIRST, "one-and-the-same-key")]
    sends += [(OTHER, "the-key-of-another-1"), (OTHER, "the-key-of-another-1")]
    threads = [threading.Thread(target=send, args=one) for one in sends]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(found) == [200, 200, 409, 409]
    assert LogEntry.objects.filter(verb__startswith="deal.").count() == 1
    assert len(phone.texts) == 1


def test_the_page_of_a_courier_and_the_worker_are_there(client: Client) -> None:
    assert client.get(reverse("carry")).status_code == 200
    worker = client.get(reverse("table_worker"))
    assert worker.headers["Content-Type"] == "text/javascript"
    assert b"respondWith" in b"".join(worker.streaming_content)  # type: ignore[attr-defined]


def test_saving_by_the_page_and_by_the_outbox_know_each_other(phone: Phone) -> None:
    phone.send(FIRST)
    sheet = Scoresheet.objects.get(table=phone.table)
    entry = DealEntry(("miner", "saboteur", "selfish", "miner", "miner"), None)
    scoresheets.save_deal(sheet=sheet, number=1, entry=entry, version=1, by=at(phone.table, 1))
    assert phone.send(FIRST | {"connector": 4}, seen="sxmmm:3").status_code == 409


def test_what_is_sent_twice_is_said_once(client) -> None:
    table = make_table(5)
    deal = {
        "kind": "deal",
        "number": 1,
        "roles": "sxmmm",
        "connector": 3,
        "seen": "",
        "shown": True,
    }
    body = deal | {
        "players": ",".join(
            str(seat.player.number) for seat in table.seats.select_related("player")
        )
    }
    for _time in range(2):
        answer = client.post(
            reverse("table_link:outbox", args=[table.token]),
            json.dumps(body),
            content_type="application/json",
            headers={"Idempotency-Key": "k" * 20},
        )
        assert answer.status_code == 200
    page = client.get(reverse("table_link:sheet", args=[table.token])).content.decode()
    assert page.count("Deal 1 is saved.") == 1
