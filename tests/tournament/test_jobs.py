"""Long work: one job a thing, in a process of its own, that ends whatever happens."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as live
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from config import env
from tests.factories import make_event, make_players, make_user, organiser, organiser_of
from tests.pages import flat
from tests.watch import Watch
from tournament import jobs
from tournament.actions import jobs as actions
from tournament.limits import TooOften
from tournament.models import Event, Job, LogEntry, StaffMember
from tournament.models.actors import Actor
from tournament.models.jobs import LOST_AFTER, STALLED_AFTER

pytestmark = pytest.mark.django_db

ASKED: dict[str, Any] = {
    "number": 1,
    "sizes": [],
    "max_tables": None,
    "instead_of": None,
    "key": "",
}


def ask(event: Event, kind: str = "draw", key: str = "round 1") -> Job:
    return actions.request_job(
        event=event, kind=kind, dedupe_key=key, payload=ASKED, by=organiser(event)
    )[0]


def grow_old(job: Job) -> None:
    second = timedelta(seconds=1)
    job.created_at = timezone.now() - LOST_AFTER - second
    job.heartbeat_at = job.heartbeat_at and timezone.now() - STALLED_AFTER - second
    job.save()
    job.refresh_from_db()


def work(monkeypatch: pytest.MonkeyPatch, does: Callable[..., Any]) -> None:
    monkeypatch.setitem(jobs.HANDLERS, "draw", does)


def test_a_job_draws_a_round_as_its_asker() -> None:
    event = make_event()
    make_players(event, 12)
    job = ask(event)
    jobs.run(job)
    job.refresh_from_db()
    round_ = event.rounds.get()
    assert (job.status, job.progress, job.result) == ("done", 100, {"round": round_.pk})
    assert LogEntry.objects.get(verb="round.drawn").user == organiser_of(event)


def test_of_one_thing_there_is_one_open_job() -> None:
    event = make_event()
    assert ask(event) == ask(event)
    assert ask(event, key="round 2") != ask(event)
    assert ask(make_event()) != ask(event)


def test_one_account_leaves_room_for_others(settings) -> None:
    event = make_event()
    for number in range(actions.MOST_OF_ONE):
        job = ask(event, key=f"round {number}")
    with pytest.raises(TooOften, match="Other work of yours"):
        ask(event, key="another")
    assert ask(event, key="round 0").open, "what is at work already is followed"
    other = make_event()
    settings.MOST_JOBS = actions.MOST_OF_ONE
    with pytest.raises(TooOften, match="very much work"):
        ask(other)
    grow_old(job)  # its process is gone
    settings.MOST_JOBS += 1
    assert ask(other).open
    actions.cancel(job=job)
    assert ask(event, key="another").open


def test_visitors_start_few_jobs_and_wait_for_a_print(settings, monkeypatch, tmp_path) -> None:
    settings.JOBS_INLINE, settings.PRINTS_DIR = False, tmp_path
    monkeypatch.setattr(jobs, "_spawn", lambda pk: None)
    pages = [Client().get(reverse("standings_pdf", args=[make_event().slug])) for _ in range(4)]
    assert [page.status_code for page in pages] == [200] * 4
    assert all(page.headers["Refresh"] for page in pages)
    assert Job.objects.filter(created_by=None).count() == actions.MOST_OF_VISITORS


def test_a_print_that_has_to_wait_says_when(client, settings, tmp_path) -> None:
    settings.MOST_JOBS, settings.PRINTS_DIR = 0, tmp_path
    event = make_event()
    client.force_login(organiser_of(event))
    page = client.get(reverse("document", args=[event.slug, "cards"]))
    assert (page.status_code, page.headers["Retry-After"]) == (429, "60")
    assert "Press again in a minute" in flat(page)


def test_a_job_that_broke_off_says_so_and_blocks_nothing() -> None:
    event = make_event()
    job = ask(event)
    actions.begin(job=job)
    grow_old(job)
    assert job.stalled
    assert ask(event) != job
    job.refresh_from_db()
    assert job.status == "failed"
    assert "broke off" in job.message


def test_a_refusal_is_told_in_the_askers_language() -> None:
    event = make_event()
    with translation.override("es"):
        job = ask(event)
    jobs.run(job)
    job.refresh_from_db()
    assert (job.status, event.rounds.count()) == ("failed", 0)
    assert "al menos 5" in job.message


def test_work_that_goes_wrong_ends_its_job(monkeypatch) -> None:
    def crash(job: Job, watch: jobs.Watch) -> Any:
        raise ZeroDivisionError

    work(monkeypatch, crash)
    job = ask(make_event())
    jobs.run(job)
    job.refresh_from_db()
    assert job.status == "failed"
    assert "went wrong" in job.message


def test_a_job_cancelled_while_it_computes_writes_nothing(monkeypatch) -> None:
    event = make_event()
    make_players(event, 12)
    job = ask(event)
    draw = jobs.HANDLERS["draw"]

    def cancelled_meanwhile(begun: Job, watch: jobs.Watch) -> Any:
        actions.cancel(job=job)
        return draw(begun, watch)

    work(monkeypatch, cancelled_meanwhile)
    jobs.run(job)
    job.refresh_from_db()
    assert (job.status, event.rounds.count()) == ("cancelled", 0)


def test_the_watch_passes_a_cancel_on_and_writes_the_progress(monkeypatch) -> None:
    monkeypatch.setattr(jobs, "HEARTBEAT", 0.0)
    job = ask(make_event())
    told = []

    def heeding(begun: Job, watch: jobs.Watch) -> Any:
        told.append(watch(0.25))
        told.append(Job.objects.get(pk=job.pk).progress)
        actions.cancel(job=job)
        told.append(watch(0.5))
        raise actions.Stopped

    work(monkeypatch, heeding)
    jobs.run(job)
    job.refresh_from_db()
    assert (told, job.status) == ([False, 25, True], "cancelled")


def test_a_job_that_was_given_up_does_not_write_after_all() -> None:
    event = make_event()
    job = ask(event)
    begun = actions.begin(job=job)
    assert begun is not None
    grow_old(job)
    ask(event)
    with pytest.raises(actions.Stopped):
        actions.finish(job=begun, write=lambda: pytest.fail("written"))


def test_a_job_is_done_once() -> None:
    event = make_event()
    make_players(event, 6)
    job = ask(event)
    jobs.run(job)
    jobs.run(job)
    assert event.rounds.count() == 1


# --- The page ---------------------------------------------------------------------------


def pressed(event: Event, who: Any) -> Any:
    client = Client()
    client.force_login(who)
    return client.post(reverse("round_draw", args=[event.slug]), {"key": f"k{who.pk}"})


@pytest.fixture
def _apart(settings) -> None:
    """Jobs are written down, and nobody does them."""
    settings.JOBS_INLINE = False


@pytest.mark.usefixtures("_apart")
def test_two_organisers_who_draw_at_once_get_the_same_page() -> None:
    event = make_event()
    make_players(event, 6)
    one, other = organiser_of(event), make_user("Otto")
    StaffMember.objects.create(event=event, user=other, duty="organiser")
    first, second = pressed(event, one), pressed(event, other)
    job = Job.objects.get()
    assert first.headers["Location"] == second.headers["Location"]
    assert first.headers["Location"] == reverse("job", args=[event.slug, job.pk])


@pytest.mark.usefixtures("_apart")
def test_the_page_of_a_job_shows_how_far_it_is_and_goes_on_by_itself(client) -> None:
    event = make_event()
    make_players(event, 6)
    client.force_login(organiser_of(event))
    page = pressed(event, organiser_of(event)).headers["Location"]
    job = Job.objects.get()
    Job.objects.update(progress=40)
    shown = client.get(page).content.decode()
    assert 'http-equiv="refresh"' in shown
    assert 'value="40"' in shown
    part = flat(client.get(page, headers={"HX-Request": "true"}))
    assert part.startswith(' <label id="meter"')
    jobs.run(job)
    target = reverse("round", args=[event.slug, event.rounds.get().pk])
    asked = client.get(page, headers={"HX-Request": "true"})
    assert asked.headers["HX-Refresh"] == "true"
    assert client.get(page).headers["Location"] == target


@pytest.mark.usefixtures("_apart")
def test_a_job_is_stopped_on_its_page(client) -> None:
    event = make_event()
    make_players(event, 6)
    client.force_login(organiser_of(event))
    page = pressed(event, organiser_of(event)).headers["Location"]
    job = Job.objects.get()
    assert client.post(reverse("job_cancel", args=[event.slug, job.pk])).status_code == 302
    assert "Nothing was changed" in client.get(page).content.decode()
    asked = client.get(page, headers={"HX-Request": "true"})
    assert asked.headers["HX-Refresh"] == "true"
    jobs.run(job)
    assert not event.rounds.exists()


@pytest.mark.usefixtures("_apart")
def test_a_job_that_works_says_that_it_stops(client) -> None:
    event = make_event()
    make_players(event, 6)
    client.force_login(organiser_of(event))
    page = pressed(event, organiser_of(event)).headers["Location"]
    job = Job.objects.get()
    actions.begin(job=job)
    assert "Stop it" in client.get(page).content.decode()
    client.post(reverse("job_cancel", args=[event.slug, job.pk]))
    shown = client.get(page).content.decode()
    assert "Stopping…" in shown
    assert "Stop it" not in shown


@pytest.mark.usefixtures("_apart")
def test_the_page_tells_why_nothing_came_of_it(client) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    job = ask(event)
    page = reverse("job", args=[event.slug, job.pk])
    jobs.run(job)
    assert "at least 5 players" in client.get(page).content.decode()
    broken = ask(event)
    grow_old(broken)
    page = reverse("job", args=[event.slug, broken.pk])
    assert "broke off" in client.get(page).content.decode()


def test_a_job_that_waits_behind_others_is_not_lost(watch: Watch) -> None:
    """With workers of their own, or threads, no more go on at once than there are."""
    job = ask(make_event())
    watch.goes(minutes=9)
    assert not job.stalled
    watch.goes(minutes=2)
    assert job.stalled


@pytest.mark.usefixtures("_apart")
def test_the_page_before_the_draw_leads_to_the_draw_that_goes_on(client) -> None:
    event = make_event()
    make_players(event, 6)
    client.force_login(organiser_of(event))
    before = reverse("round_draw", args=[event.slug])
    page = pressed(event, organiser_of(event)).headers["Location"]
    assert client.get(before).headers["Location"] == page
    grow_old(Job.objects.get())
    assert client.get(before).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_two_presses_in_the_same_instant_make_one_job(monkeypatch, settings) -> None:
    settings.JOBS_INLINE = False
    begun: list[int] = []
    monkeypatch.setattr(jobs, "_spawn", begun.append)
    event = make_event()
    make_players(event, 6)
    one, other = organiser_of(event), make_user("Otto")
    StaffMember.objects.create(event=event, user=other, duty="organiser")

    def press(who: Any) -> str:
        try:
            return pressed(event, who).headers["Location"]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as both:
        places = set(both.map(press, (one, other)))
    assert (len(places), begun) == (1, [Job.objects.get().pk])


# --- A process of its own ---------------------------------------------------------------

ROOT = Path(live.BASE_DIR)
SLOW = """
import os, sys, time
import django
django.setup()
from django.core.management import call_command
from tournament import jobs
jobs.PATIENCE = 0.2
def heed(job, watch):
    while not watch(0.5): time.sleep(0.05)
    raise jobs.Stopped
def sleep(job, watch):
    time.sleep(60)
jobs.HANDLERS.update(heed=heed, sleep=sleep)
call_command("job", sys.argv[1])
"""


def database_url() -> str:
    """The test's own database, for another process."""
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite://{found['NAME']}"
    host = found["OPTIONS"].get("host") or found["HOST"]
    return f"postgres://{found['USER']}@/{found['NAME']}?host={host}&port={found['PORT']}"


@pytest.fixture
def own_process(monkeypatch, settings) -> Callable[..., subprocess.Popen[bytes]]:
    settings.JOBS_INLINE = False
    monkeypatch.setenv("DATABASE_URL", database_url())
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.settings")

    def begin(job: Job, **variables: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", SLOW, str(job.pk)], cwd=ROOT, env=os.environ | variables
        )
        until(lambda: Job.objects.get(pk=job.pk).status == "running")
        return process

    return begin


def until(happens: Callable[[], bool], seconds: float = 30) -> None:
    late = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < late, "it did not happen"
        time.sleep(0.05)


def ended(job: Job) -> tuple[str, str]:
    until(lambda: not Job.objects.get(pk=job.pk).open)
    job.refresh_from_db()
    return job.status, job.message


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("own_process")
def test_a_press_draws_in_a_process_of_its_own() -> None:
    event = make_event()
    make_players(event, 24)
    answer = pressed(event, organiser_of(event))
    job = Job.objects.get()
    assert answer.headers["Location"] == reverse("job", args=[event.slug, job.pk])
    assert ended(job) == ("done", "")
    assert job.result == {"round": event.rounds.get().pk}
    assert LogEntry.objects.get(verb="round.drawn").user == organiser_of(event)


@pytest.mark.django_db(transaction=True)
def test_a_cancel_reaches_the_process(own_process) -> None:
    job = ask(make_event(), kind="heed")
    process = own_process(job)
    until(lambda: Job.objects.get(pk=job.pk).progress == 50)
    actions.cancel(job=job)
    assert ended(job) == ("cancelled", "")
    assert process.wait(10) == 0


@pytest.mark.django_db(transaction=True)
def test_work_that_heeds_nothing_is_ended(own_process) -> None:
    job = ask(make_event(), kind="sleep")
    process = own_process(job)
    actions.cancel(job=job)
    assert ended(job) == ("cancelled", "")
    assert process.wait(10) == 1


@pytest.mark.django_db(transaction=True)
def test_work_that_takes_too_long_is_ended(own_process) -> None:
    job = ask(make_event(), kind="sleep")
    process = own_process(job, LODESTAR_JOB_SECONDS="1")
    status, message = ended(job)
    assert (status, process.wait(10)) == ("failed", 1)
    assert "took too long" in message


@pytest.mark.django_db(transaction=True)
def test_a_process_that_is_told_to_end_says_so(own_process) -> None:
    job = ask(make_event(), kind="sleep")
    process = own_process(job)
    process.terminate()
    assert ended(job)[0] == "failed"
    assert process.wait(10) == 1


@pytest.mark.django_db(transaction=True)
def test_a_process_killed_in_the_middle_blocks_nothing(own_process) -> None:
    event = make_event()
    make_players(event, 6)
    job = ask(event, kind="sleep")
    process = own_process(job)
    process.kill()
    process.wait(10)
    grow_old(job)
    assert job.stalled
    new, is_new = actions.request_job(
        event=event, kind="sleep", dedupe_key=job.dedupe_key, payload={}, by=Actor.command("test")
    )
    assert is_new
    assert new.pk != job.pk


@pytest.mark.parametrize("value", ["soon", "0", "-5"])
def test_a_time_limit_that_makes_no_sense_names_itself(monkeypatch, value: str) -> None:
    monkeypatch.setenv("LODESTAR_JOB_SECONDS", value)
    with pytest.raises(env.ImproperlyConfigured, match="LODESTAR_JOB_SECONDS"):
        env.number("LODESTAR_JOB_SECONDS", 120, least=1)


def test_there_is_no_job_without_a_row() -> None:
    from django.core.management import CommandError, call_command

    with pytest.raises(CommandError, match="no such job"):
        call_command("job", 1)
