"""What an event knows of people goes when its time has come."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_player, organiser, organiser_of
from tests.pages import flat
from tests.tournament.seasons import joined, number, played, with_email
from tests.watch import Watch
from tournament import upkeep
from tournament.actions.events import change_settings, reopen_event
from tournament.actions.registration import keep_name
from tournament.models import Contact, Event, LogEntry, Mail, Person, PersonContact, Place, Result
from tournament.models.actors import Actor
from tournament.models.events import MOST_DAYS
from tournament.queries.retention import retention_of
from tournament.refusals import Refused

pytestmark = pytest.mark.django_db

DAY = 24 * 60  # minutes


def names(event: Event) -> list[str]:
    return [str(one) for one in event.players.order_by("number").values_list("name", flat=True)]


def after(watch: Watch, days: int) -> None:
    watch.goes(minutes=days * DAY)
    upkeep.forget_people.call()


def test_contacts_go_first_and_names_two_years_later(watch: Watch) -> None:
    event = played()
    with_email(number(event, 1), "ana@example.org")
    event.players.update(note="has a dog")
    after(watch, 29)
    assert Contact.objects.filter(email="ana@example.org").exists()
    after(watch, 2)
    assert not Contact.objects.exists()
    assert set(event.players.values_list("note", flat=True)) == {""}
    event.refresh_from_db()
    assert event.contacts_erased_at is not None
    entry = LogEntry.objects.get(verb="contacts.erased")
    assert (entry.after, entry.actor) == ({"people": 6}, "command:upkeep")
    upkeep.forget_people.call()
    assert LogEntry.objects.filter(verb="contacts.erased").count() == 1
    assert not any("Erased" in name for name in names(event))
    after(watch, 730)
    event.refresh_from_db()
    assert event.names_erased_at is not None
    best = set(Result.objects.filter(rank__lte=3).values_list("number", flat=True))
    for one in event.players.all():
        assert (one.erased_at is None) == (one.number in best)
    assert LogEntry.objects.filter(verb="names.erased").count() == 1


def test_whoever_wants_it_keeps_the_name(watch: Watch) -> None:
    event = played()
    keeps = Result.objects.order_by("-rank").first().player
    keep_name(player=keeps, keeps=True, by=Actor.of_player(keeps))
    name = keeps.name
    after(watch, 731)
    keeps.refresh_from_db()
    assert keeps.name == name
    assert not Contact.objects.exists()
    assert any("Erased" in one for one in names(event))


def test_the_clock_begins_with_what_last_happened(watch: Watch) -> None:
    """A season of evenings, or an event that is opened again, is not over."""
    event = make_event()
    player = make_player(event, here=False, email="ana@example.org")
    watch.goes(minutes=40 * DAY)
    keep_name(player=player, keeps=True, by=Actor.of_player(player))
    after(watch, 20)
    assert Contact.objects.exists()
    after(watch, 11)
    assert not Contact.objects.exists()
    over = played()
    reopen_event(event=over, reason="a mistake", by=organiser(over))
    over.refresh_from_db()
    assert not retention_of(over).is_over


def test_who_has_yet_to_answer_is_still_reached(watch: Watch) -> None:
    event = played()
    asked = with_email(number(event, 1), "ana@example.org")
    promise = event.places_promised.create(target_name="Cup", number=1, due_days=60)
    Place.objects.create(
        event=event,
        promise=promise,
        slot=1,
        player=asked,
        rank=1,
        offered_by="user:1",
        due_at=watch.now + timedelta(days=60),
    )
    after(watch, 31)
    assert list(Contact.objects.values_list("player", flat=True)) == [asked.pk]
    after(watch, 31)
    assert not Contact.objects.exists()


def test_mails_and_persons_go_along(watch: Watch) -> None:
    event = played()
    last = Result.objects.order_by("-rank").select_related("player__event").first().player
    person = joined(last, "ana@example.org", "Ana Ruiz")
    after(watch, 31)
    assert not Mail.objects.filter(player=last).exists()
    assert Person.objects.get(pk=person.pk).email == "ana@example.org", "it is their own wish"
    after(watch, 731)
    person.refresh_from_db()
    assert (person.name, PersonContact.objects.exists()) == ("", False)
    assert event.players.get(pk=last.pk).erased_at is not None


def test_the_days_are_the_organisers_and_said_beforehand() -> None:
    event = make_event(contact_days=10, name_days=100)
    page = flat(Client().get(reverse("register", args=[event.slug])))
    assert "erased 100 days after the event" in page
    assert "go after 10 days" in page
    client = Client()
    client.force_login(organiser_of(event))
    make_player(event, here=False)
    shown = flat(client.get(reverse("players", args=[event.slug])))
    assert "Contacts are erased 10 days after the event, names 100 days after it." in shown


@pytest.mark.parametrize(
    ("contact", "name", "said"),
    [(0, 5, "From 1 to"), (50, 20, "at least as long"), (5, MOST_DAYS + 1, "From 1 to")],
)
def test_days_that_make_no_sense_are_refused(contact: int, name: int, said: str) -> None:
    event = make_event()
    client = Client()
    client.force_login(organiser_of(event))
    days = {"contact_days": contact, "name_days": name}
    page = flat(client.post(reverse("settings", args=[event.slug]), days))
    assert said in page


@pytest.mark.parametrize("name", ["contact_days", "name_days"])
def test_days_become_no_longer_once_somebody_was_told(name: str) -> None:
    event = make_event(contact_days=10, name_days=100)
    by, client = organiser(event), Client()
    client.force_login(organiser_of(event))
    event = change_settings(event=event, settings={name: getattr(event, name) + 1}, by=by)
    told = getattr(event, name)
    make_player(event, here=False)
    words = f"Whoever is entered was told {told} days: it can only become shorter."
    with pytest.raises(Refused, match=words):
        change_settings(event=event, settings={name: told + 1}, by=by)
    page = client.get(reverse("settings", args=[event.slug])).context["form"]
    sent = {one.html_name: one.value() for one in page if one.value() is not None}
    answer = client.post(reverse("settings", args=[event.slug]), sent | {name: told + 1})
    assert answer.context["form"].errors == {name: [words]}
    event.refresh_from_db()
    assert getattr(event, name) == told
    assert getattr(change_settings(event=event, settings={name: told - 1}, by=by), name) == (
        told - 1
    )


def test_the_ticket_has_the_tick() -> None:
    event = played()
    player = number(event, 1)
    address = reverse("ticket_keep_name", args=[player.token])
    Client().post(address, {"keeps": "1"})
    player.refresh_from_db()
    assert player.keeps_name
    Client().post(address, {})
    player.refresh_from_db()
    assert not player.keeps_name
