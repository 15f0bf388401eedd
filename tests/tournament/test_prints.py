"""The page of prints, what an address asks for, and the standings that everybody may print."""

from __future__ import annotations

import errno
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    make_event,
    make_judge,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play,
)
from tests.tournament.printed import Printed
from tournament.actions import jobs as actions
from tournament.actions.penalties import give_penalty
from tournament.documents import store
from tournament.documents.catalogue import DOCUMENTS
from tournament.documents.request import DocumentRequest
from tournament.models import Event, Job, LogEntry
from tournament.models.jobs import JobStatus
from tournament.queries.document_facts import rules_mark, seating_mark, standings_mark
from tournament.queries.rules import displayed_rules
from tournament.queries.seats import table_rows
from tournament.queries.standings import standings_for
from tournament.simulation import tables_of
from tournament.web.public.documents import PUBLIC

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Any) -> None:
    settings.PRINTS_DIR = tmp_path


def logged_in(event: Event, *, judge: bool = False) -> Client:
    client = Client()
    client.force_login(make_judge(event) if judge else organiser_of(event))
    return client


def content_of(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def test_the_page_shows_every_document_with_its_picture() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event)
    page = logged_in(event).get(reverse("prints", args=[event.slug])).content.decode()
    for kind, document in DOCUMENTS.items():
        address = reverse("document", args=[event.slug, kind])
        assert address + (f"?round={round_.pk}" if document.of_round else '"') in page
        assert f"img/docs/{kind}.webp" in page


@pytest.mark.paper
def test_nonsense_for_tables_is_left_out() -> None:
    event = make_event()
    make_players(event, 12)
    client, address = (
        logged_in(event),
        reverse("round_pdf", args=[event.slug, make_round(event).pk]),
    )
    answered = [client.get(address, {"tables": f"{one},2"}) for one in ("9" * 5000, "²", "-1", "")]
    assert {answer["Content-Type"] for answer in answered} == {"application/pdf"}
    assert len({content_of(answer) for answer in answered}) == 1


def test_who_waited_for_a_print_gets_it_though_the_event_went_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = make_event()
    make_players(event, 6)
    client, address = logged_in(event), reverse("document", args=[event.slug, "check-in"])
    monkeypatch.setattr(store, "find", lambda _request: None)  # there is newer content each time
    made = client.get(address, {"paper": "a5"})["Location"]
    assert made.startswith(f"{address}?paper=a5&made=")
    assert client.get(made)["Content-Type"] == "application/pdf"
    assert client.get(f"{address}?paper=a5&made=..%2F..%2Fx").status_code == 302
    monkeypatch.setattr(store, "RECENT", timedelta(seconds=-1))
    assert client.get(made).status_code == 302


def test_a_full_disk_is_told_and_gets_no_fuller(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def full(_self: Path, _target: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    event = make_event()
    make_players(event, 6)
    page = logged_in(event).get(reverse("document", args=[event.slug, "check-in"]), follow=True)
    assert "No space left on device" in page.content.decode()
    assert [path for path in settings.PRINTS_DIR.rglob("*") if path.is_file()] == []


def test_before_a_round_there_is_nothing_of_a_round() -> None:
    event = make_event()
    page = logged_in(event).get(reverse("prints", args=[event.slug])).content.decode()
    assert "As soon as a round is drawn" in page
    assert reverse("document", args=[event.slug, "pack"]) not in page


def test_another_round_can_be_chosen_but_none_of_another_event() -> None:
    event, other = make_event(), make_event()
    for one in (event, other):
        make_players(one, 6)
    foreign, round_ = make_round(other), make_round(event)
    client, address = logged_in(event), reverse("prints", args=[event.slug])
    assert client.get(address, {"round": round_.pk}).status_code == 200
    assert client.get(address, {"round": foreign.pk}).status_code == 404
    assert client.get(address, {"round": "x"}).status_code == 404


def save(client: Client, event: Event, **data: str) -> Any:
    return client.post(reverse("prints", args=[event.slug]), {"paper": "a4", **data})


def test_paper_and_languages_are_the_events_own_and_logged() -> None:
    event = make_event()
    answer = save(logged_in(event), event, paper="letter", halves="yes", first="es", second="en")
    event.refresh_from_db()
    found = event.paper, event.sheet_paper, event.print_languages
    assert (answer.status_code, found) == (302, ("letter", "half-letter", "es,en"))
    assert LogEntry.objects.get(verb="event.changed").after == {
        "paper": "letter",
        "sheet_paper": "half-letter",
        "print_languages": "es,en",
    }
    assert [DOCUMENTS[kind].paper_for(event) for kind in ("pack", "sheets", "badges")] == [
        "half-letter",
        "half-letter",
        "letter",
    ]


def test_a_second_language_needs_a_first() -> None:
    event = make_event()
    assert save(logged_in(event), event, second="en").status_code == 422
    assert save(logged_in(event), event, paper="papyrus").status_code == 422


def test_a_judge_prints_but_does_not_set_the_paper() -> None:
    event = make_event()
    make_players(event, 6)
    by = organiser(event)
    give_penalty(player=event.players.first(), infraction="1.1", step=1, reason="x", by=by)
    client = logged_in(event, judge=True)
    page = client.get(reverse("prints", args=[event.slug]))
    assert "Paper and languages" not in page.content.decode()
    assert save(client, event, paper="letter").status_code == 403
    assert client.get(reverse("document", args=[event.slug, "penalties"])).status_code == 200


@pytest.mark.paper
def test_prints_are_as_the_event_says_unless_the_address_says_other() -> None:
    event = make_event(paper="letter", sheet_paper="half-letter", print_languages="es,en")
    make_players(event, 12)
    client = logged_in(event)
    address = reverse("document", args=[event.slug, "check-in"])
    ours = Printed(content_of(client.get(address)))
    other = Printed(content_of(client.get(address, {"paper": "a4", "lang": "en"})))
    assert (ours.sizes[0], other.sizes[0]) == ((216, 279), (210, 297))
    assert "Check-in list" in ours.texts[0]
    assert "No." in other.texts[0]
    round_ = make_round(event)
    sheets = client.get(reverse("round_pdf", args=[event.slug, round_.pk]))
    assert Printed(content_of(sheets)).sizes == [(216, 279)]


@pytest.mark.parametrize("asked", ["?paper=a3", "?lang=xx", "?lang=en,es,en", "?round=1"])
def test_nonsense_is_not_found(asked: str) -> None:
    event = make_event()
    address = reverse("document", args=[event.slug, "check-in"])
    assert logged_in(event).get(address + asked).status_code == 404


def test_an_empty_document_is_a_message() -> None:
    event = make_event()
    client = logged_in(event)
    page = client.get(reverse("document", args=[event.slug, "diplomas"]), follow=True)
    assert "There is nothing to print yet." in page.content.decode()


@pytest.mark.paper
def test_the_same_print_is_made_once_and_anew_after_a_change() -> None:
    event = make_event()
    make_players(event, 6)
    client, address = logged_in(event), reverse("document", args=[event.slug, "badges"])
    for _time in range(2):
        content_of(client.get(address))
    assert event.jobs.count() == 1
    make_players(event, 1)
    content_of(client.get(address))
    assert event.jobs.count() == 2


def test_a_kept_print_is_of_the_code_that_would_draw_it_now() -> None:
    names = {path.name for path in store._sources()}
    assert {"store.py", "flow.py", "badges.py", "page.html", "paper.css"} <= names


# --- The standings, which everybody may print ------------------------------------------------


def standings_of(event: Event) -> Any:
    return Client().get(reverse("standings_pdf", args=[event.slug]))


def test_everybody_gets_the_kept_standings() -> None:
    event = make_event()
    make_players(event, 6)
    texts = [Printed(content_of(standings_of(event))).texts[0] for _time in range(2)]
    assert texts[0].startswith("Standings")
    assert event.jobs.count() == 1


def test_an_event_without_players_says_so() -> None:
    event = make_event()
    for _time in range(3):
        page = standings_of(event)
        assert "There is nothing to print yet." in page.content.decode()
    assert event.jobs.count() == 1  # one that failed is not tried again at once


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Jobs are written down, and nobody works."""
    settings.JOBS_INLINE = False
    monkeypatch.setattr("tournament.jobs._spawn", lambda pk: None)


@pytest.mark.usefixtures("idle")
def test_the_public_starts_one_job_at_a_time_and_waits_on_a_page() -> None:
    event = make_event()
    make_players(event, 6)
    for language in ("en", "es", "en"):
        page = Client(headers={"Accept-Language": language}).get(
            reverse("standings_pdf", args=[event.slug])
        )
        assert (page.status_code, page.headers["Refresh"]) == (200, "2")
    assert event.jobs.filter(dedupe_key=PUBLIC).count() == 1


def test_while_new_standings_are_made_the_ones_before_are_given(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    event = make_event()
    make_players(event, 6)
    before = content_of(standings_of(event))
    settings.JOBS_INLINE = False
    monkeypatch.setattr("tournament.jobs._spawn", lambda pk: None)
    table = tables_of(make_round(event))[0]
    play(table)
    assert content_of(standings_of(event)) == before
    assert event.jobs.filter(status=JobStatus.WAITING).count() == 1


def test_a_public_job_that_failed_is_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event()
    standings_of(event)
    make_players(event, 6)
    assert standings_of(event).headers["Content-Type"].startswith("text/html")
    Job.objects.update(ended_at=event.starts_at.replace(year=2020))
    assert standings_of(event).headers["Content-Type"] == "application/pdf"


def test_a_cancelled_job_does_not_keep_the_public_waiting() -> None:
    event = make_event()
    make_players(event, 6)
    request = DocumentRequest(event, "standings", languages=("en",))
    job, _new = actions.request_job(
        event=event,
        kind=store.KIND,
        dedupe_key=PUBLIC,
        payload=store.payload_of(request, "/"),
        by=organiser(event),
    )
    actions.cancel(job=job)
    assert standings_of(event).headers["Content-Type"] == "application/pdf"


# --- Prints that are older than the page -----------------------------------------------------


def test_the_seats_page_tells_that_a_list_shows_other_seats() -> None:
    event = make_event()
    make_players(event, 12)
    round_ = make_round(event)
    address, warning = reverse("seats", args=[event.slug]), "shows other seats"
    mark = seating_mark(round_, table_rows(round_))
    pages = [Client().get(address, {"print": one}) for one in (mark, "", "0" * 8)]
    assert [warning in page.content.decode() for page in pages] == [False, False, True]


def test_the_standings_page_tells_that_a_print_is_older() -> None:
    event = make_event()
    make_players(event, 6)
    table = tables_of(make_round(event))[0]
    mark, address = standings_mark(standings_for(event)), reverse("standings", args=[event.slug])
    warning = "The printed standings are older."
    assert warning not in Client().get(address, {"print": mark}).content.decode()
    play(table)
    assert warning in Client().get(address, {"print": mark}).content.decode()
    assert warning not in Client().get(address).content.decode()


def test_the_page_of_rules_tells_that_a_notice_shows_other_rules() -> None:
    event = make_event()
    address, warning = reverse("rules", args=[event.slug]), "shows other rules"
    mark = rules_mark(displayed_rules(event))
    assert warning not in Client().get(address, {"print": mark}).content.decode()
    event.rounds_planned += 1
    event.save()
    assert warning in Client().get(address, {"print": mark}).content.decode()
