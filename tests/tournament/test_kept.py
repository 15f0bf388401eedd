"""What many watch is computed once for all, and rests; whoever decides by it gets it as it is."""

from __future__ import annotations

import base64
import pickle

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from config import shared_cache
from tests.factories import make_event, make_players, play_round
from tournament.models import SharedCache
from tournament.queries import kept as module
from tournament.queries.kept import kept
from tournament.web.live import pages as live_pages

pytestmark = pytest.mark.django_db


class Work:
    """Counts how often it is done; `value` is what comes of it."""

    def __init__(self) -> None:
        self.done, self.value = 0, "a"

    def __call__(self) -> str:
        self.done += 1
        return self.value


@pytest.fixture
def work() -> Work:
    return Work()


@pytest.fixture
def clock(monkeypatch, settings):
    """Seconds, that a test sets; each work takes two of them."""
    settings.LIVE_REST = 4
    now = [1000.0]

    class Time:
        @staticmethod
        def time() -> float:
            return now[0]

        @staticmethod
        def perf_counter() -> float:
            now[0] += 1
            return now[0] * 2

    monkeypatch.setattr(module, "time", Time)
    return now


def another_worker() -> None:
    """Forgets what only this process remembers."""
    module.forget()


def test_the_same_version_is_made_once_for_all_workers(work: Work) -> None:
    assert kept("x", 1, work).value == "a"
    another_worker()
    assert kept("x", 1, work).value == "a"
    assert work.done == 1


def test_another_version_is_made_anew_lower_ones_too(work: Work) -> None:
    for version in (3, 4, 2):  # a copy that was put back begins with lower numbers
        assert kept("x", version, work).version == version
    assert work.done == 3


def test_what_comes_out_equal_is_no_news(work: Work) -> None:
    assert kept("x", 1, work).since == 1
    assert kept("x", 2, work).since == 1
    work.value = "b"
    assert kept("x", 3, work).since == 3


def test_it_rests_in_proportion_to_its_cost_but_not_for_whoever_decides(
    work: Work, clock: list[float]
) -> None:
    cost = kept("x", 1, work).cost
    assert cost == 2
    assert kept("x", 2, work).version == 1
    assert kept("x", 2, work, now=True).version == 2
    clock[0] += 4 * cost
    assert kept("x", 3, work).version == 3


def test_while_another_worker_is_at_it_the_last_one_is_served(work: Work) -> None:
    kept("x", 1, work)
    caches["shared"].add("x:claim", 1, 30)
    assert kept("x", 2, work).version == 1
    assert kept("x", 2, work, now=True).version == 2
    caches["shared"].delete("x:claim")
    assert kept("x", 3, work).version == 3
    assert caches["shared"].get("x:claim") is None


def test_the_first_one_is_made_even_if_somebody_else_has_begun(work: Work) -> None:
    caches["shared"].add("x:claim", 1, 30)
    assert kept("x", 1, work).value == "a"
    assert caches["shared"].get("x:claim") == 1, "the claim is not ours to give back"


def test_a_failure_blocks_nobody() -> None:
    def fails() -> str:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        kept("x", 1, fails)
    assert caches["shared"].get("x:claim") is None


def packed(value: object) -> str:
    return base64.b64encode(pickle.dumps(value)).decode()


UNREADABLE = {
    "no letters of base64": "%%%",
    "no pickle": base64.b64encode(b"nonsense").decode(),
    "a class that is no more": base64.b64encode(b"cno.such.module\nThing\n.").decode(),
    "cut off": packed("x" * 100)[:40],
    "nothing": "",
    "something else": packed(["x"]),
    "a number": packed(1),
}


@pytest.mark.parametrize("value", UNREADABLE.values(), ids=UNREADABLE)
def test_pages_are_made_whatever_the_shared_cache_holds(value: str) -> None:
    event = make_event()
    player = make_players(event, 6)[0]
    play_round(event)
    pages = [
        reverse("standings", args=[event.slug]),
        reverse("seats", args=[event.slug]),
        reverse("pictures", args=[event.slug]),
        reverse("standing", args=[event.slug, player.number]),
        reverse("ticket", args=[player.token]),
        reverse("pulse", args=[event.slug]),
        reverse("live_part", args=[event.slug, "standings", "en"]),
    ]

    def looks() -> list[int]:
        caches["local"].clear()
        live_pages.forget()
        another_worker()
        return [Client().get(page).status_code for page in pages]

    assert set(looks()) == {200}
    assert SharedCache.objects.update(value=value) > 3
    assert set(looks()) == {200}
    SharedCache.objects.all().delete()
    assert set(looks()) == {200}


def test_another_release_does_not_read_what_this_one_has_kept(work: Work, monkeypatch) -> None:
    kept("x", 1, work)
    another_worker()
    monkeypatch.setattr(shared_cache, "edition", lambda: "next")
    kept("x", 1, work)
    assert work.done == 2


def test_whoever_decides_takes_what_another_worker_has_just_made(
    work: Work, clock: list[float]
) -> None:
    kept("x", 1, work)
    mine = dict(module._memory)
    another_worker()
    kept("x", 2, work, now=True)
    module._memory.update(mine)  # back in the first one, where version 1 still rests
    assert kept("x", 2, work, now=True).version == 2
    assert work.done == 2
