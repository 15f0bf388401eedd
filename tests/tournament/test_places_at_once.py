"""Places offered and answered at the same instant, on whichever database the tests run: nobody has
two of one target."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import organiser
from tests.tournament.test_at_once import at_once
from tests.tournament.test_places import final_of_the_country, in_order, offer, promise, shop
from tournament.actions import places as actions
from tournament.models import Contact, Place

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_organisers_offer_one_person_a_place_at_once() -> None:
    target = final_of_the_country()
    one, other = shop(), shop()
    for event in (one, other):
        promise(event, target, 1)
    Contact.objects.filter(player=in_order(other)[0]).update(email=in_order(one)[0].email)
    told = at_once(
        lambda: actions.offer_places(event=one, by=organiser(one)),
        lambda: actions.offer_places(event=other, by=organiser(other)),
    )
    assert told == ["done", "done"]
    places = Place.objects.select_related("player__contact")
    emails = [place.player.email for place in places]
    assert len(emails) == len(set(emails)) == 2


def test_two_who_organise_one_event_offer_once() -> None:
    event = shop()
    promise(event, final_of_the_country(), 2)
    by = organiser(event)
    at_once(
        lambda: actions.offer_places(event=event, by=by, key="a-mark"),
        lambda: actions.offer_places(event=event, by=by, key="another"),
    )
    assert sorted(Place.objects.values_list("slot", "rank")) == [(1, 1), (2, 2)]


def test_a_place_is_accepted_by_link_while_the_desk_declines_it() -> None:
    event, target = shop(), final_of_the_country()
    promise(event, target, 1)
    (place,) = offer(event)
    accepted, _declined = at_once(
        lambda: actions.accept_place(place=place, by=organiser(event)),
        lambda: actions.decline_place(place=place, by=organiser(event)),
    )
    first, second = Place.objects.order_by("pk")
    assert (first.ended_as, second.rank) == ("declined", 2)
    assert (first.accepted_at is not None) == (accepted == "done")
    assert not target.players.filter(status="registered").exists()


def test_an_expired_place_passes_on_once() -> None:
    event, target = shop(), final_of_the_country()
    promise(event, target, 1)
    (place,) = offer(event)
    Place.objects.filter(pk=place.pk).update(due_at=timezone.now() - timedelta(hours=1))
    at_once(
        lambda: actions.pass_on(event=event, by=organiser(event)),
        lambda: actions.pass_on(event=event, by=actions.Actor.command("pass_places")),
    )
    assert list(Place.objects.order_by("pk").values_list("ended_as", flat=True)) == ["expired", ""]


def test_two_who_came_to_share_an_e_mail_accept_at_once() -> None:
    target = final_of_the_country()
    one, other = shop(), shop()
    for event in (one, other):
        promise(event, target, 1)
    (first,), (second,) = offer(one), offer(other)
    email = Contact.objects.get(player=first.player_id).email
    Contact.objects.filter(player=second.player_id).update(email=email)
    told = at_once(
        lambda: actions.accept_place(place=first, by=organiser(one)),
        lambda: actions.accept_place(place=second, by=organiser(other)),
    )
    assert sorted(told) == ["done", "told"]
    assert target.players.count() == 1


def test_a_place_is_accepted_while_it_is_taken_back() -> None:
    event, target = shop(), final_of_the_country()
    promise(event, target, 1)
    (place,) = offer(event)
    by = organiser(event)
    _accepted, withdrawn = at_once(
        lambda: actions.accept_place(place=place, by=by),
        lambda: actions.withdraw_place(place=place, reason="a mistake", by=by),
    )
    first, second = Place.objects.order_by("pk")
    assert (withdrawn, first.ended_as, second.rank) == ("done", "withdrawn", 2)
    assert not target.players.filter(status="registered").exists()


def test_a_promise_is_taken_off_while_its_places_are_offered() -> None:
    event = shop()
    found, by = promise(event, final_of_the_country(), 1), organiser(event)
    told = at_once(
        lambda: actions.offer_places(event=event, by=by),
        lambda: actions.withdraw_promise(promise=found, by=by),
    )
    found.refresh_from_db()
    assert sorted(told) == ["done", "told"]
    assert (found.withdrawn_at is None) == Place.objects.exists()
