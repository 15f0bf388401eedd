"""Rulings: given once, at every table from that moment, and withdrawn with a reason."""

from __future__ import annotations

import gzip
import re
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_judge, make_table, organiser, organiser_of
from tests.tournament.test_printed_documents import print_it
from tournament.actions.events import finish_event
from tournament.actions.rulings import give_ruling, withdraw_ruling
from tournament.models import Event, LogEntry, Ruling
from tournament.models.actors import Actor
from tournament.models.versions import Part
from tournament.queries.log import log_of, log_rows
from tournament.queries.versions import version_of
from tournament.refusals import Refused

pytestmark = pytest.mark.django_db


def give(event: Event, question: str = "May I turn a card?", **more: str) -> Ruling:
    return give_ruling(
        event=event,
        by=organiser(event),
        question=question,
        decision=more.pop("decision", "Yes, until it lies."),
        **more,
    )


def words(response: HttpResponse) -> str:
    """What is read on a page."""
    content = response.content
    if response.headers.get("Content-Encoding") == "gzip":
        content = gzip.decompress(content)
    text = re.sub(r"<[^>]+>", " ", content.decode())
    return " ".join(unescape(text).split())


def signed_in(event: Event) -> Client:
    client = Client()
    client.force_login(organiser_of(event))
    return client


def test_rulings_are_numbered_from_one_in_each_event() -> None:
    event, other = make_event(), make_event()
    assert [give(event).number, give(event).number, give(other).number] == [1, 2, 1]


def test_a_withdrawn_ruling_keeps_its_number() -> None:
    event = make_event()
    give(event)
    withdraw_ruling(ruling=give(event), reason="It was the other way", by=organiser(event))
    assert give(event).number == 3
    assert [one.number for one in event.rulings.in_force()] == [3, 1]


def test_a_ruling_is_at_every_table_beside_the_rules_and_told_to_open_pages() -> None:
    table = make_table()
    event = table.round.event
    before = version_of(event, Part.RULINGS), version_of(event, Part.STANDINGS)
    give(event)
    event = Event.objects.get(pk=event.pk)
    after = version_of(event, Part.RULINGS), version_of(event, Part.STANDINGS)
    assert after == (before[0] + 1, before[1])
    for address in (
        reverse("table_link:sheet", args=[table.token]),
        reverse("table_link:deal", args=[table.token, 1]),
        reverse("rules", args=[event.slug]),
        reverse("live_part", args=[event.slug, "rulings", "en"]),
    ):
        told = words(Client().get(address, headers={"accept-encoding": "gzip"}))
        assert "1. May I turn a card?" in told, address
        assert "Yes, until it lies." in told, address
    page = reverse("staff_table:sheet", args=[event.slug, table.pk])
    assert "Yes, until it lies." in words(signed_in(event).get(page))


def test_a_table_reads_how_many_hold_and_why_one_does_no_more() -> None:
    table = make_table()
    event = table.round.event
    give(event)
    withdraw_ruling(ruling=give(event, "And two?"), reason="Misread", by=organiser(event))
    told = words(Client().get(reverse("table_link:sheet", args=[table.token])))
    assert "Rulings of today ( 1 )" in told
    assert "2. And two? withdrawn Misread" in told


def test_judges_and_organisers_give_one_on_the_same_page() -> None:
    event = make_event()
    address = reverse("rulings", args=[event.slug])
    for user in (make_judge(event), organiser_of(event)):
        client = Client()
        client.force_login(user)
        sent = {"question": f"Of {user}?", "decision": "No.", "key": "k" * 12}
        for _twice in range(2):
            assert client.post(address, sent).status_code == 302
    assert [one.question for one in event.rulings.all()] == ["Of Olga?", "Of Julio?"]
    assert "Ruling 2 holds at every table" in words(client.get(address))


def test_a_form_that_lacks_something_keeps_what_was_typed() -> None:
    event = make_event()
    address = reverse("rulings", args=[event.slug])
    response = signed_in(event).post(address, {"question": "May I?", "decision": " "})
    assert response.status_code == 422
    assert 'value="May I?"' in response.text
    assert not event.rulings.exists()


def test_a_ruling_is_withdrawn_once_and_with_a_reason() -> None:
    event = make_event()
    ruling, client = give(event), signed_in(event)
    address = reverse("ruling_withdraw", args=[event.slug, ruling.pk])
    assert client.post(address, {"reason": ""}).status_code == 409
    assert client.post(address, {"reason": "Misread"}).status_code == 302
    assert "was withdrawn already" in words(client.post(address, {"reason": "Again"}))
    ruling.refresh_from_db()
    assert (ruling.withdrawal_reason, ruling.decision) == ("Misread", "Yes, until it lies.")


def test_after_the_end_nothing_is_ruled() -> None:
    event = make_event()
    ruling, by = give(event), organiser(event)
    finish_event(event=event, by=by, reason="rain")
    with pytest.raises(Refused, match="finished"):
        give(event)
    with pytest.raises(Refused, match="Open it again"):
        withdraw_ruling(ruling=ruling, reason="Misread", by=by)


def test_the_log_tells_of_rulings_and_narrows_down_to_them() -> None:
    event = make_event()
    withdraw_ruling(ruling=give(event), reason="Misread", by=Actor.of_user(make_judge(event)))
    rows = log_rows(log_of(event, "rulings"))
    assert [(row.what, row.about, row.reason) for row in rows] == [
        ("Ruling withdrawn", "1: May I turn a card?", "Misread"),
        ("Ruling given", "1: May I turn a card?", ""),
    ]
    assert LogEntry.objects.filter(event=event, verb__startswith="ruling").count() == 2


def test_the_printed_notice_has_them_and_an_older_one_is_told() -> None:
    event = make_event()
    page = reverse("rules", args=[event.slug])
    before = print_it(event, "rules")
    assert before is not None
    assert before.count == 1
    old = before.codes(0)[0].partition("?")[2]
    assert "other rules than these" not in words(Client().get(f"{page}?{old}"))
    give(event, decision="Yes.\nUntil it lies.")
    withdraw_ruling(ruling=give(event, "And two?"), reason="Misread", by=organiser(event))
    printed = print_it(event, "rules")
    assert printed is not None
    assert printed.count == 2
    assert "1. May I turn a card?" in printed.texts[1]
    assert "Withdrawn: Misread" in printed.texts[1]
    assert "other rules than these" in words(Client().get(f"{page}?{old}"))
