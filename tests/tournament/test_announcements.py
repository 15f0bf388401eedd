"""A message to many players: by mail in each one's language, and on their tickets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_player, organiser, organiser_of
from tests.pages import flat
from tests.tournament.test_tickets import told
from tournament.actions import attendance, events
from tournament.actions.announcements import send_announcement, withdraw_announcement
from tournament.links import ticket_url
from tournament.models import Announcement, Event, LogEntry, Player
from tournament.models.players import PlayerStatus
from tournament.models.versions import Part
from tournament.queries.log import log_of, log_rows
from tournament.queries.versions import version_of
from tournament.refusals import Refused

if TYPE_CHECKING:
    from pytest_django import DjangoCaptureOnCommitCallbacks

pytestmark = pytest.mark.django_db

TEXT = "Lunch is at two,\nin the room  upstairs."


def crowd() -> tuple[Event, dict[str, Player]]:
    """One in each state that is asked about, and whoever is not reached."""
    event = make_event()
    people = {
        name: make_player(event, name, here=False, email=f"{name.lower()}@example.org")
        for name in ("Registered", "Here", "Waiting", "Withdrawn", "Dropped", "Missing")
    }
    people["Mute"] = make_player(event, "Mute")
    for name, status in (
        ("Here", PlayerStatus.CHECKED_IN),
        ("Waiting", PlayerStatus.WAITING),
        ("Withdrawn", PlayerStatus.WITHDRAWN),
        ("Dropped", PlayerStatus.DROPPED),
        ("Missing", PlayerStatus.NO_SHOW),
    ):
        Player.objects.filter(pk=people[name].pk).update(status=status)
    return event, people


def send(event: Event, **more: str) -> Announcement:
    told_what = {"audience": "expected", "subject": "", "text": TEXT} | more
    return send_announcement(event=event, by=organiser(event), **told_what)


def page_of(player: Player) -> str:
    return flat(Client().get(reverse("ticket", args=[player.token])))


@pytest.mark.parametrize(
    ("audience", "mailed", "shown"),
    [
        ("expected", {"Registered", "Here"}, {"Registered", "Here", "Mute"}),
        ("here", {"Here"}, {"Here", "Mute"}),
        ("waiting", {"Waiting"}, {"Waiting"}),
    ],
)
def test_a_message_reaches_its_audience_and_nobody_else(
    audience: str,
    mailed: set[str],
    shown: set[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    event, people = crowd()
    with django_capture_on_commit_callbacks(execute=True):
        announcement = send(event, audience=audience)
    assert {one.to[0] for one in mail.outbox} == {f"{name.lower()}@example.org" for name in mailed}
    assert announcement.mailed == len(mailed)
    assert {name for name, one in people.items() if "From the organiser" in page_of(one)} == shown


def test_the_mail_speaks_the_players_language_around_the_text_as_written(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    event = make_event(name="Copa Topo")
    for name, language in (("Ana", "es"), ("Bob", "en")):
        player = make_player(event, name, email=f"{name}@example.org")
        Player.objects.filter(pk=player.pk).update(language=language)
    with django_capture_on_commit_callbacks(execute=True):
        send(event, subject="Lunch")
    bodies = {one.to[0]: one.body for one in mail.outbox}
    assert {one.subject for one in mail.outbox} == {"Lunch · Copa Topo"}
    assert all(TEXT in body for body in bodies.values())
    assert bodies["Bob@example.org"].startswith("Hello Bob,")
    assert bodies["Ana@example.org"].startswith("Hola")
    assert ticket_url(event.players.get(name="Ana")) in bodies["Ana@example.org"]


def test_a_message_without_a_subject_names_its_sender(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    event = make_event(name="Copa Topo")
    make_player(event, "Ana", email="ana@example.org")
    with django_capture_on_commit_callbacks(execute=True):
        send(event)
    assert mail.outbox[0].subject == "From the organiser of Copa Topo"


def test_a_mail_that_fails_undoes_nothing(
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    event = make_event()
    player = make_player(event, "Ana", email="ana@example.org")

    def fail(*_args: object) -> int:
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailBackend, "send_messages", fail)
    with django_capture_on_commit_callbacks(execute=True):
        send(event)
    assert "From the organiser" in page_of(player)


def test_the_ticket_shows_it_beside_the_one_notice_until_it_is_taken_down() -> None:
    event, people = crowd()
    player = people["Here"]
    older, newer = send(event, subject="Older"), send(event, subject="<b>Newer</b>")
    assert told(player) == "checked_in"
    page = page_of(player)
    assert page.index("&lt;b&gt;Newer&lt;/b&gt;") < page.index("Older")
    assert "Lunch is at two,<br>in the room upstairs." in page
    for one in (older, newer):
        withdraw_announcement(announcement=one, by=organiser(event))
    assert "From the organiser" not in page_of(player)
    with pytest.raises(Refused, match="taken down already"):
        withdraw_announcement(announcement=older, by=organiser(event))


def test_it_appears_in_the_live_part() -> None:
    event, people = crowd()
    address, headers = reverse("ticket", args=[people["Here"].token]), {"HX-Request": "true"}
    before = version_of(event, Part.NOTICES)
    send(event)
    assert version_of(event, Part.NOTICES) > before
    after = Client().get(address, headers=headers)
    assert "From the organiser" in after.text
    assert "<html" not in after.text


def test_it_ends_with_the_event() -> None:
    event, people = crowd()
    send(event)
    events.finish_event(event=event, by=organiser(event), reason="it rains")
    assert "From the organiser" not in page_of(people["Here"])
    with pytest.raises(Refused, match="The event is finished"):
        send(Event.objects.get(pk=event.pk))


def test_whoever_comes_later_reads_it_too() -> None:
    event, people = crowd()
    send(event, audience="here")
    assert "From the organiser" not in page_of(people["Registered"])
    attendance.check_in(player=people["Registered"], by=organiser(event))
    assert "From the organiser" in page_of(people["Registered"])


def post(client: Client, event: Event, **data: str):
    whole = {"audience": "expected", "subject": "", "text": TEXT, "key": "one-press"} | data
    return client.post(reverse("announcements", args=[event.slug]), whole)


def test_one_press_counts_once_and_stands_in_the_log_without_a_name(client: Client) -> None:
    event, _people = crowd()
    client.force_login(organiser_of(event))
    for _press in range(2):
        assert post(client, event, subject="Lunch").status_code == 302
    assert event.announcements.count() == 1
    assert post(client, event, subject="Supper").status_code == 302, "another message"
    assert event.announcements.count() == 2
    entries = LogEntry.objects.filter(verb="announcement.sent")
    assert [one.after for one in entries] == [{"audience": "expected", "mailed": 2}] * 2
    first = log_rows(log_of(event))[0]
    assert (first.what, first.about) == ("Message sent", "Supper")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"text": " \n "}, "This field is required"),
        ({"text": "x" * 601}, "at most 600 characters"),
        ({"audience": "everybody"}, "Select a valid choice"),
    ],
)
def test_what_was_typed_stays_when_something_is_wrong(
    client: Client, data: dict[str, str], said: str
) -> None:
    event, _people = crowd()
    client.force_login(organiser_of(event))
    answer = post(client, event, subject="Lunch & more", **data)
    assert answer.status_code == 422
    assert said in answer.text
    assert 'value="Lunch &amp; more"' in answer.text
    assert 'value="one-press"' in answer.text
    assert event.announcements.count() == 0


def test_the_page_says_to_how_many_and_takes_down(client: Client) -> None:
    event, _people = crowd()
    client.force_login(organiser_of(event))
    address = reverse("announcements", args=[event.slug])
    page = flat(client.get(address))
    assert "Everybody registered or here (3 players, 2 with an e-mail)" in page
    assert "Those on the waiting list (1 player, 1 with an e-mail)" in page
    announcement = send(event)
    page = flat(client.get(address))
    assert "mailed to 2 players" in page
    down = reverse("announcement_withdraw", args=[event.slug, announcement.pk])
    assert f'action="{down}"' in page
    assert client.post(down).status_code == 302
    assert "taken down" in flat(client.get(address))
    assert client.post(down).status_code == 409


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_the_same_whatever_was_sent(
    client: Client, count: int, django_assert_max_num_queries
) -> None:
    event, _people = crowd()
    client.force_login(organiser_of(event))
    for _one in range(count):
        send(event)
    with django_assert_max_num_queries(7):
        client.get(reverse("announcements", args=[event.slug]))


def test_a_text_of_several_lines_counts_as_the_browser_counts(client: Client) -> None:
    """Browsers send two signs for a line's end."""
    event, _people = crowd()
    client.force_login(organiser_of(event))
    lines = "x" * 299 + "\r\n" + "x" * 300
    assert post(client, event, text=lines).status_code == 302
    assert event.announcements.get().text == lines.replace("\r\n", "\n")
