"""Places at a later event: promised, offered down the order, answered, passed on."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring.lots import commitment, lot_order
from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    make_user,
    organiser,
    organiser_of,
    play_round,
)
from tests.pages import flat
from tests.tournament.seasons import joined, make_series, played
from tests.tournament.test_cut import level_round
from tests.tournament.test_event_file import packed, taken_in, unpacked, wipe
from tests.watch import Watch
from tournament.actions import attendance, cuts, events, persons, registration
from tournament.actions import places as actions
from tournament.actions.places import DirectEntry, PromiseEntry
from tournament.actions.players import PlayerEntry
from tournament.documents.event_archive import event_archive
from tournament.models import (
    Contact,
    Event,
    LogEntry,
    Merge,
    PersonLink,
    Place,
    PlacePromise,
    Player,
)
from tournament.models.actors import Actor
from tournament.models.places import PlaceState, SkipWhy
from tournament.models.players import PlayerStatus
from tournament.queries.check_event import first_difference
from tournament.queries.place_courses import Course, course_of, number_words, public_promises
from tournament.queries.places import invited_to, marks_of, reserved_places
from tournament.queries.registration import places_left
from tournament.queries.rules import displayed_rules
from tournament.queries.standings import standings_for
from tournament.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db


def final_of_the_country(**settings: object) -> Event:
    start = timezone.now() + timedelta(days=60)
    times = {"starts_at": start, "registration_closes_at": start - timedelta(days=2)}
    return make_event(**{"name": "National final", **times, **settings})


def shop(players: int = 8, *, finish: bool = True, mails: bool = True) -> Event:
    """One round without a final; every rank is another, and everybody has an e-mail."""
    event = make_event(cut_size=0, rounds_planned=1)
    for number in range(1, players + 1):
        email = f"p{number}-{event.pk}@example.org" if mails else ""
        make_player(event, f"Player Of {event.pk} {number}", email=email)
    play_round(event)
    event.refresh_from_db()
    for _tie in range(players):
        shared = next((row.rank for row in standings_for(event).ranked if row.shared), 0)
        if shared:
            cuts.settle_place(event=event, rank=shared, by=organiser(event))
    return over(event) if finish else event


def over(event: Event) -> Event:
    return events.finish_event(event=event, by=organiser(event))


def promise(event: Event, target: Event | None, number: int | None = 2, **more: object):
    said = {"target": target, "number": number, "due_days": 7} | more
    found = actions.promise_places(event=event, entry=PromiseEntry(**said), by=organiser(event))
    if target is not None and found.agreed_at is None:
        found = actions.agree_to_promise(promise=found, by=organiser(target))
    return PlacePromise.objects.select_related("event", "target").get(pk=found.pk)


def offer(event: Event) -> list[Place]:
    return list(actions.offer_places(event=event, by=organiser(event)).places)


def in_order(event: Event) -> list[Player]:
    people = {one.number: one for one in event.players.select_related("contact", "event")}
    return [people[row.number] for row in standings_for(event).ranked]


def course(found: PlacePromise) -> Course:
    return course_of(
        PlacePromise.objects.select_related("event", "target").get(pk=found.pk), timezone.now()
    )


def told(found: PlacePromise) -> list[tuple[int, str]]:
    """Rank, and the state of the place or why somebody was passed over."""
    return [(step.who.rank, step.state or step.why or "next") for step in course(found).steps]


def fresh(place: Place) -> Place:
    return Place.objects.select_related("promise__target", "player__contact", "entry").get(
        pk=place.pk
    )


# --- offered and passed on -------------------------------------------------------------------


def test_the_best_are_offered_the_places_and_accepting_registers_them(
    django_capture_on_commit_callbacks,
) -> None:
    event, target = shop(), final_of_the_country()
    found = promise(event, target)
    with django_capture_on_commit_callbacks(execute=True):
        first, second = offer(event)
    one, two, three = in_order(event)[:3]
    assert [first.player, second.player] == [one, two]
    assert [message.to for message in mail.outbox[-2:]] == [[one.email], [two.email]]
    assert reverse("place", args=[first.token]) in mail.outbox[-2].body
    with django_capture_on_commit_callbacks(execute=True):
        place = actions.accept_place(place=first, by=organiser(event))
    assert place.entry is not None
    assert (place.entry.event, place.entry.status) == (target, PlayerStatus.REGISTERED)
    assert (place.entry.name, place.entry.email) == (one.name, one.email)
    assert mail.outbox[-1].subject == "Your ticket: National final"
    actions.decline_place(place=second, by=organiser(event))
    assert told(found) == [(1, "accepted"), (2, "declined"), (3, "offered")]
    step = course(found).steps[2]
    assert (step.who.pk, step.passed_from) == (three.pk, two.name)
    assert first_difference(event) is None
    assert first_difference(target) is None


def test_who_is_passed_over_is_told_with_the_reason() -> None:
    event, target = shop(), final_of_the_country()
    found = promise(event, target, 2)
    one, two, three, four = in_order(event)[:4]
    by = organiser(event)
    other = shop()
    elsewhere = promise(other, target, 1)
    winner = in_order(other)[0]
    Contact.objects.filter(player=winner).update(email=one.email.upper())
    offer(other)
    two.contact.delete()
    Player.objects.filter(pk=three.pk).update(status=PlayerStatus.DROPPED)
    actions.skip_player(promise=found, player=four, why=SkipWhy.GONE, by=by)
    offer(event)
    assert told(found) == [
        (1, "Has a place there already"),
        (2, "Their contact was erased"),
        (3, "Dropped out"),
        (4, "Was gone"),
        (5, "offered"),
        (6, "offered"),
    ]
    assert told(elsewhere) == [(1, "offered")]
    public = public_promises(Event.objects.get(pk=event.pk), timezone.now())
    assert [step.told for step in public[0].steps] == [
        *["passed over"] * 4,
        *["was offered the place"] * 2,
    ]


def test_who_was_passed_over_by_mistake_is_asked_next() -> None:
    event, target = shop(), final_of_the_country()
    found, by = promise(event, target, 1), organiser(event)
    best = in_order(event)[0]
    skip = actions.skip_player(promise=found, player=best, why=SkipWhy.NO_WISH, by=by)
    with pytest.raises(Conflict, match="already"):
        actions.skip_player(promise=found, player=best, why=SkipWhy.GONE, by=by)
    actions.undo_skip(skip=skip, by=by)
    with pytest.raises(Conflict, match="already"):
        actions.undo_skip(skip=skip, by=by)
    (place,) = offer(event)
    assert place.player == best
    with pytest.raises(Refused, match="was offered a place"):
        actions.skip_player(promise=found, player=best, why=SkipWhy.GONE, by=by)


def test_stand_ins_and_the_disqualified_are_not_in_the_order() -> None:
    event, target = shop(finish=False), final_of_the_country()
    best = in_order(event)[0]
    Player.objects.filter(pk=best.pk).update(unranked=True)
    event = over(Event.objects.get(pk=event.pk))
    found = promise(event, target, 1)
    (place,) = offer(event)
    assert place.player != best
    assert course(found).entrants == 7


def test_a_place_expires_by_the_clock_and_passes_on(watch: Watch) -> None:
    event, target = shop(), final_of_the_country()
    found = promise(event, target, 1)
    (place,) = offer(event)
    watch.goes(minutes=7 * 24 * 60 - 1)
    assert told(found) == [(1, "offered")]
    watch.goes(minutes=1)
    assert told(found) == [(1, "expired"), (2, "next")]
    with pytest.raises(Refused, match="time to answer is over"):
        actions.accept_place(place=place, by=organiser(event))
    call_command("upkeep")
    assert told(found) == [(1, "expired"), (2, "offered")]
    assert fresh(place).ended_by == "command:pass_places"
    entries = LogEntry.objects.filter(event=event, verb="place.expired")
    assert entries.count() == 1
    call_command("upkeep")
    assert Place.objects.count() == 2


def test_whoever_gets_a_place_after_the_date_has_time_to_answer(watch: Watch) -> None:
    event, target = shop(), final_of_the_country()
    until = watch.now + timedelta(days=3)
    promise(event, target, 1, due_days=None, due_at=until)
    (place,) = offer(event)
    assert place.due_at == until
    watch.goes(minutes=4 * 24 * 60)
    (later,) = actions.pass_on(event=event, by=organiser(event))
    assert later.due_at == watch.now + timedelta(days=2)


def test_who_withdraws_at_the_target_has_given_the_place_back() -> None:
    event, target = shop(), final_of_the_country()
    found = promise(event, target, 1)
    (place,) = offer(event)
    place = actions.accept_place(place=place, by=organiser(event))
    assert place.entry is not None
    attendance.withdraw(player=place.entry, by=organiser(target))
    assert told(found) == [(1, "declined"), (2, "next")]
    (later,) = actions.pass_on(event=event, by=organiser(event))
    assert (later.rank, fresh(place).ended_as) == (2, "declined")


def test_an_accepted_place_can_be_given_back_until_the_target_begins() -> None:
    event, target = shop(), final_of_the_country()
    found = promise(event, target, 1)
    (place,) = offer(event)
    place = actions.accept_place(place=place, by=organiser(event))
    actions.decline_place(place=place, by=organiser(event), reason="no train")
    assert told(found) == [(1, "declined"), (2, "offered")]
    entry = target.players.get()
    assert entry.status == PlayerStatus.WITHDRAWN
    later = actions.accept_place(place=Place.objects.latest("pk"), by=organiser(event))
    make_players(target, 6)
    make_round(target)
    with pytest.raises(Refused, match="has begun"):
        actions.decline_place(place=later, by=organiser(event))
    assert told(found) == [(1, "declined"), (2, "accepted")]


def test_accepting_twice_changes_nothing_and_declining_twice_is_told() -> None:
    event, target = shop(), final_of_the_country()
    promise(event, target, 1)
    (place,) = offer(event)
    for _press in range(2):
        actions.accept_place(place=place, by=organiser(event))
    assert LogEntry.objects.filter(verb="place.accepted").count() == 1
    assert target.players.count() == 1
    actions.decline_place(place=place, by=organiser(event))
    with pytest.raises(Refused, match="was declined"):
        actions.decline_place(place=place, by=organiser(event))
    with pytest.raises(Refused, match="was declined"):
        actions.accept_place(place=place, by=organiser(event))


def test_a_place_taken_back_needs_a_reason_and_passes_on(
    django_capture_on_commit_callbacks,
) -> None:
    event, target = shop(), final_of_the_country()
    found = promise(event, target, 1)
    (place,) = offer(event)
    with pytest.raises(Refused, match="Say why"):
        actions.withdraw_place(place=place, reason="", by=organiser(event))
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        actions.withdraw_place(place=place, reason="cheated", by=organiser(event))
    assert told(found) == [(1, "withdrawn"), (2, "offered")]
    assert sorted(one.subject for one in mail.outbox) == [
        "A place for you: National final",
        "Your place was taken back: National final",
    ]
    assert any("cheated" in one.body for one in mail.outbox)


def test_who_declined_is_not_asked_again() -> None:
    event, target = shop(players=6), final_of_the_country()
    found = promise(event, target, 2)
    for _round in range(3):
        for place in Place.objects.unended() or offer(event):
            actions.decline_place(place=place, by=organiser(event))
    assert [state for _rank, state in told(found)] == ["declined"] * 6
    assert course(found).left_over == 2
    assert offer(event) == []


# --- how many --------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "places"), [(5, 1), (6, 1), (7, 2), (13, 3)])
def test_bands_count_who_has_a_rank_and_played(players: int, places: int) -> None:
    event, target = shop(players), final_of_the_country()
    found = promise(event, target, None, bands=[[5, 1], [7, 2], [13, 3]])
    make_user()
    assert (course(found).entrants, len(offer(event))) == (players, places)
    assert number_words(found) == [
        "5 to 6 players: 1 place",
        "7 to 12 players: 2 places",
        "13 players and more: 3 places",
    ]


def test_more_places_than_players_are_left_over_and_said() -> None:
    event, target = shop(players=5), final_of_the_country()
    found = promise(event, target, 9)
    offered = actions.offer_places(event=event, by=organiser(event))
    assert (len(offered.places), offered.left_over, course(found).left_over) == (5, 4, 4)


def test_fewer_players_than_the_first_band_get_none() -> None:
    event, target = shop(players=5), final_of_the_country()
    found = promise(event, target, None, bands=[[7, 2]])
    assert offer(event) == []
    assert course(found).entitled == 0


def test_a_shared_rank_on_the_line_is_parted_by_a_lot_that_anybody_can_check() -> None:
    event = make_event(cut_size=0, rounds_planned=1)
    make_players(event, 6)
    level_round(event)
    event = over(Event.objects.get(pk=event.pk))
    promised = displayed_rules(event)["commitment"]
    found = promise(event, final_of_the_country(), 2)
    assert len(course(found).tie) == 6
    first, second = offer(event)
    lot = event.lots.get()
    assert (lot.line, commitment(lot.secret)) == ("offer:1", promised)
    assert lot.order == list(lot_order(lot.secret, "offer:1", lot.players))
    assert [f"{one.player.number:04}" for one in (first, second)] == lot.order[:2]
    assert (first.by_lot, second.by_lot) == (True, True)
    assert [row.rank for row in standings_for(event).ranked] == [1] * 6
    actions.decline_place(place=first, by=organiser(event))
    third = Place.objects.latest("pk")
    assert f"{third.player.number:04}" == lot.order[2]
    assert event.lots.count() == 1
    assert first_difference(event) is None


def test_a_shared_rank_that_all_get_a_place_for_needs_no_lot() -> None:
    event = make_event(cut_size=0, rounds_planned=1)
    make_players(event, 6)
    level_round(event)
    event = over(Event.objects.get(pk=event.pk))
    promise(event, final_of_the_country(), 6)
    assert len(offer(event)) == 6
    assert not event.lots.exists()


# --- bad input -------------------------------------------------------------------------------


def test_what_cannot_be_promised_is_refused_with_a_reason() -> None:
    event, target = shop(finish=False), final_of_the_country()
    by, now = organiser(event), timezone.now()
    begun = make_event()
    Event.objects.filter(pk=begun.pk).update(status="running")
    begun.refresh_from_db()
    wrong = [
        (PromiseEntry(event, number=1, due_days=1), "at itself"),
        (PromiseEntry(begun, number=1, due_days=1), "has begun"),
        (PromiseEntry(target, number=1, due_at=now - timedelta(days=1)), "is past"),
        (PromiseEntry(target, number=1, due_at=now + timedelta(days=99)), "before National"),
        (PromiseEntry(target, due_days=1), "how many"),
        (PromiseEntry(target, number=1, bands=[[5, 1]], due_days=1), "how many"),
        (PromiseEntry(target, number=1), "until when"),
        (PromiseEntry(None, number=1, due_days=1), "where"),
    ]
    for entry, words in wrong:
        with pytest.raises(Refused, match=words):
            actions.promise_places(event=event, entry=entry, by=by)
    promise(event, target)
    with pytest.raises(Refused, match="already"):
        promise(event, target)
    assert PlacePromise.objects.count() == 1


def test_nothing_is_offered_before_the_end_or_after_the_target_has_begun() -> None:
    event, target = shop(finish=False), final_of_the_country()
    with pytest.raises(Refused, match="No places"):
        offer(event)
    promise(event, target)
    with pytest.raises(Refused, match="once the event is finished"):
        offer(event)
    over(event)
    Event.objects.filter(pk=target.pk).update(status="running")
    with pytest.raises(Refused, match="has begun"):
        offer(event)
    assert not Place.objects.exists()


def test_one_press_offers_all_that_can_be_offered() -> None:
    event, target = shop(), final_of_the_country()
    begun = final_of_the_country(name="Another")
    promise(event, target, 1)
    promise(event, begun, 1)
    promise(event, None, 1, target_name="World final")
    Event.objects.filter(pk=begun.pk).update(status="running")
    assert sorted(one.promise.target_name for one in offer(event)) == [
        "National final",
        "World final",
    ]


def test_the_same_press_twice_offers_once() -> None:
    event, target = shop(), final_of_the_country()
    promise(event, target, 1)
    for _press in range(2):
        actions.offer_places(event=event, by=organiser(event), key="a-mark-of-mine")
    assert Place.objects.count() == 1
    assert offer(event) == []


def test_what_was_offered_fixes_the_promise_but_not_the_date() -> None:
    event, target = shop(), final_of_the_country()
    found, by = promise(event, target, 1), organiser(event)
    (place,) = offer(event)
    more = PromiseEntry(target, number=3, due_days=7)
    with pytest.raises(Refused, match="offered already"):
        actions.change_promise(promise=found, entry=more, by=by)
    with pytest.raises(Refused, match="holds one"):
        actions.withdraw_promise(promise=found, by=by)
    longer = PromiseEntry(target, number=1, due_days=14)
    changed = actions.change_promise(promise=found, entry=longer, by=by)
    assert (changed.due_days, changed.agreed_at is None) == (14, False)
    actions.skip_player(promise=found, player=in_order(event)[1], why=SkipWhy.GONE, by=by)
    actions.decline_place(place=place, by=by)
    for one in Place.objects.unended():
        Place.objects.filter(pk=one.pk).update(due_at=timezone.now())
    assert actions.withdraw_promise(promise=found, by=by).withdrawn_at is not None


def test_places_stay_facts_when_the_target_is_cancelled_or_gone() -> None:
    event, target = shop(), final_of_the_country()
    found = promise(event, target, 1)
    (place,) = offer(event)
    actions.accept_place(place=place, by=organiser(event))
    events.finish_event(event=target, by=organiser(target), reason="storm")
    assert told(found) == [(1, "accepted")]
    Event.objects.get(pk=target.pk).delete()
    place = fresh(place)
    assert (place.target, place.target_name, place.accepted_at is None) == (
        None,
        "National final",
        False,
    )
    assert told(found) == [(1, "accepted")]


# --- nobody has two --------------------------------------------------------------------------


def test_one_person_is_known_by_the_e_mail_whatever_its_capitals() -> None:
    assert marks_of(1, "Ana@example.org") & marks_of(2, "ana@EXAMPLE.org")
    assert not marks_of(1, "") & marks_of(2, "")
    assert marks_of(None, "") == frozenset()


def test_the_database_lets_nobody_have_a_slot_twice() -> None:
    event, target = shop(), final_of_the_country()
    found = promise(event, target, 2)
    place, other = offer(event)
    third = in_order(event)[2]
    for player, slot in ((third, place.slot), (other.player, 7)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Place.objects.create(
                event=event,
                promise=found,
                slot=slot,
                player=player,
                rank=3,
                offered_by="command:x",
                due_at=timezone.now(),
            )


def test_whoever_comes_to_share_an_e_mail_holds_one_place() -> None:
    target = final_of_the_country()
    one, other = shop(), shop()
    promise(one, target, 1)
    promise(other, target, 1)
    (first,), (second,) = offer(one), offer(other)
    actions.accept_place(place=first, by=organiser(one))
    Contact.objects.filter(player=second.player).update(email=first.player.contact.email)
    with pytest.raises(Refused, match="nobody has two"):
        actions.accept_place(place=second, by=organiser(other))


def two_winners(target: Event) -> tuple[PlacePromise, PlacePromise]:
    """Of two events with a place each, nothing offered yet: their best have other addresses."""
    one, other = shop(), shop()
    return promise(one, target, 1), promise(other, target, 1)


def test_two_entries_of_one_person_are_one_whatever_their_addresses() -> None:
    first, second = two_winners(final_of_the_country())
    person = joined(in_order(first.event)[0], "ana@example.org")
    PersonLink.objects.create(person=person, player=in_order(second.event)[0])
    other_address(second.event)
    offer(first.event)
    assert told(second) == [(1, "Has a place there already"), (2, "next")]
    offer(second.event)
    assert told(second) == [(1, "Has a place there already"), (2, "offered")]
    assert first_difference(second.event) is None


def other_address(event: Event) -> None:
    Contact.objects.filter(player=in_order(event)[0]).update(email="anna@example.org")


def test_entries_that_are_let_go_again_are_two_people() -> None:
    first, second = two_winners(final_of_the_country())
    person = joined(in_order(first.event)[0], "ana@example.org")
    link = PersonLink.objects.create(person=person, player=in_order(second.event)[0])
    offer(first.event)
    assert told(second) == [(1, "Has a place there already"), (2, "next")]
    persons.let_go(link=link)
    assert told(second) == [(1, "next")]


def test_an_address_that_was_joined_is_the_person_it_became() -> None:
    """Who keeps their results by one address may win again as an entry that is nobody's yet."""
    first, second = two_winners(final_of_the_country())
    whole = joined(in_order(first.event)[0], "ana@example.org")
    part = joined(in_order(played())[0], "anna@example.org")
    series = make_series()
    merge = Merge.objects.create(series=series, into=whole, joined=part, done_at=timezone.now())
    other_address(second.event)
    offer(first.event)
    assert told(second) == [(1, "Has a place there already"), (2, "next")]
    with pytest.raises(Refused, match="has a place here already"):
        actions.give_directly(
            event=first.target,
            entry=DirectEntry("Ana", "wild_card", "anna@example.org"),
            by=organiser(first.target),
        )
    merge.undone_at = timezone.now()
    merge.save()
    assert told(second) == [(1, "next")]


def test_who_became_one_person_since_the_offer_takes_one_place() -> None:
    first, second = two_winners(final_of_the_country())
    (place,), (late,) = offer(first.event), offer(second.event)
    actions.accept_place(place=place, by=organiser(first.event))
    person = joined(place.player, "ana@example.org")
    PersonLink.objects.create(person=person, player=late.player)
    with pytest.raises(Refused, match="nobody has two"):
        actions.accept_place(place=late, by=organiser(second.event))


def test_who_registered_alone_under_another_name_and_address_is_not_entered_twice() -> None:
    event, target = shop(), final_of_the_country()
    promise(event, target, 1)
    (place,) = offer(event)
    person = joined(place.player, "ana@example.org")
    alone = make_player(target, "Anna Nunez", email="anna@example.org", here=False)
    link = PersonLink.objects.create(person=person, player=alone)
    place = actions.accept_place(place=place, by=organiser(event))
    assert place.entry == alone
    assert target.players.count() == 1
    persons.let_go(link=link)
    other = shop()
    promise(other, target, 1)
    (second,) = offer(other)
    actions.accept_place(place=second, by=organiser(other))
    assert target.players.count() == 2


def test_who_is_there_by_another_address_takes_the_place_by_its_link_too() -> None:
    event, target = shop(), final_of_the_country()
    promise(event, target, 1)
    (place,) = offer(event)
    person = joined(place.player, "ana@example.org")
    alone = make_player(target, "Anna Nunez", email="anna@example.org", here=False)
    PersonLink.objects.create(person=person, player=alone)
    said = actions.entry_of(place)
    place = actions.accept_place(place=place, by=Actor.of_player(place.player), entry=said)
    assert place.entry == alone
    assert target.players.count() == 1


def test_knowing_persons_takes_as_many_queries_for_many_as_for_one() -> None:
    target = final_of_the_country()
    counts = []
    for events_before in (1, 3):
        for _each in range(events_before):
            before = shop()
            promise(before, target, 1)
            offer(before)
            joined(in_order(before)[0], f"ana{before.pk}@example.org")
        found = promise(shop(), target, 1)
        course(found)
        with CaptureQueriesContext(connection) as queries:
            course_of(found, timezone.now())
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 9


def test_a_target_in_words_is_one_where_the_words_are() -> None:
    one, other = shop(), shop()
    promise(one, None, 1, target_name="World final")
    found = promise(other, None, 1, target_name="world final")
    winner = in_order(other)[0]
    Contact.objects.filter(player=winner).update(email=in_order(one)[0].email)
    offer(one)
    offer(other)
    assert told(found) == [(1, "Has a place there already"), (2, "offered")]


# --- the target ------------------------------------------------------------------------------


def test_places_of_strangers_count_once_the_target_agrees() -> None:
    event, target = shop(), final_of_the_country(capacity=5)
    found = actions.promise_places(
        event=event, entry=PromiseEntry(target, number=2, due_days=7), by=organiser(event)
    )
    first, _second = offer(event)
    assert places_left(target) == 5
    place = actions.accept_place(place=first, by=organiser(event))
    assert place.entry is None
    assert invited_to(target, timezone.now()) == []
    actions.agree_to_promise(promise=found, by=organiser(target))
    assert (target.players.count(), places_left(target)) == (1, 3)
    assert fresh(first).entry == target.players.get()


def test_whoever_organises_both_has_agreed() -> None:
    event = shop(finish=False)
    target = final_of_the_country(organiser=organiser_of(event))
    found = actions.promise_places(
        event=event, entry=PromiseEntry(target, number=1, due_days=7), by=organiser(event)
    )
    assert found.agreed_at is not None


def test_places_are_kept_until_the_due_date_then_the_waiting_list_has_them(watch: Watch) -> None:
    event = shop(players=5)
    target = final_of_the_country(capacity=2)
    found = promise(event, target, 1)
    (place,) = offer(event)
    assert (reserved_places(target), places_left(target)) == (1, 1)
    for name in ("Ana Ruiz", "Bea Gil"):
        registration.register(
            event=target,
            entry=PlayerEntry(name, email=f"{name[:3]}@example.org"),
            by=organiser(target),
        )
    statuses = target.players.order_by("number").values_list("status", flat=True)
    assert list(statuses) == ["registered", "waiting"]
    for player in in_order(event)[1:]:
        actions.skip_player(promise=found, player=player, why=SkipWhy.GONE, by=organiser(event))
    watch.goes(minutes=7 * 24 * 60)
    assert places_left(target) == 1
    actions.pass_on(event=event, by=organiser(event))
    assert list(statuses.all()) == ["registered", "registered"]
    assert fresh(place).ended_as == "expired"


def test_the_invited_come_in_though_the_list_is_full() -> None:
    event, target = shop(), final_of_the_country(capacity=1)
    entry = PlayerEntry("Ana Ruiz", email="ana@example.org")
    registration.register(event=target, entry=entry, by=organiser(target))
    promise(event, target, 1)
    (place,) = offer(event)
    place = actions.accept_place(place=place, by=organiser(event))
    assert place.entry is not None
    assert place.entry.status == PlayerStatus.REGISTERED
    assert target.players.holding_a_place().count() == 2


def test_who_waits_at_the_target_moves_up_by_the_place() -> None:
    event, target = shop(), final_of_the_country(capacity=1)
    best = in_order(event)[0]
    for name, email in (("Ana Ruiz", "ana@example.org"), (best.name, best.email)):
        registration.register(
            event=target, entry=PlayerEntry(name, email=email), by=organiser(target)
        )
    promise(event, target, 1)
    (place,) = offer(event)
    place = actions.accept_place(place=place, by=organiser(event))
    assert place.entry is not None
    assert (place.entry.number, place.entry.status) == (2, PlayerStatus.REGISTERED)
    assert target.players.count() == 2


def test_who_registered_alone_before_answering_takes_one_place(client: Client) -> None:
    event, target = shop(), final_of_the_country(capacity=5)
    best = in_order(event)[0]
    promise(event, target, 2)
    offer(event)
    assert places_left(target) == 3
    entry = PlayerEntry(best.name, email=best.email)
    registration.register(event=target, entry=entry, by=organiser(target))
    assert places_left(target) == 3
    client.force_login(organiser_of(target))
    page = flat(client.get(reverse("players", args=[target.slug])))
    assert "1 kept for the invited" in page


def test_a_place_leads_into_nobody_elses_entry(client: Client) -> None:
    """Whoever types the name and e-mail of somebody registered there is not given their ticket."""
    final = final_of_the_country()
    vera = make_player(final, "Vera Vega", here=False, email="vera@example.org")
    place = actions.give_directly(
        event=final,
        entry=DirectEntry(name="Mal", email="mal@example.org", why="wild_card"),
        by=organiser(final),
    )
    typed = {"name": "Vera Vega", "email": "vera@example.org", "name_style": "full"}
    answer = client.post(reverse("place_accept", args=[place.token]), typed)
    page = client.get(reverse("place", args=[place.token])).content.decode()
    assert (answer.status_code, vera.token in answer.content.decode() + page) == (409, False)
    place.refresh_from_db()
    assert (place.entry, place.accepted_at) == (None, None)


def test_a_place_given_directly_has_its_reason_and_frees_itself(watch: Watch) -> None:
    target = final_of_the_country(capacity=1)
    by = organiser(target)
    entry = DirectEntry("Eva Sol", "wild_card", "Eva@example.org", due_days=3)
    place = actions.give_directly(event=target, entry=entry, by=by, key="a-mark-of-mine")
    again = actions.give_directly(event=target, entry=entry, by=by, key="a-mark-of-mine")
    assert again == place
    with pytest.raises(Refused, match="nobody has two"):
        actions.give_directly(event=target, entry=entry, by=by)
    with pytest.raises(Refused, match="Say the reason"):
        actions.give_directly(event=target, entry=DirectEntry("Bea", "other"), by=by)
    waiting = registration.register(
        event=target, entry=PlayerEntry("Ana", email="ana@example.org"), by=by
    )
    assert waiting.status == PlayerStatus.WAITING
    watch.goes(minutes=3 * 24 * 60)
    call_command("upkeep")
    waiting.refresh_from_db()
    assert waiting.status == PlayerStatus.REGISTERED
    assert fresh(place).state_at(timezone.now()) == PlaceState.EXPIRED


def test_by_invitation_only_nobody_registers_alone() -> None:
    target = final_of_the_country(by_invitation=True)
    entry = PlayerEntry("Ana Ruiz", email="ana@example.org")
    with pytest.raises(Refused, match="by invitation"):
        registration.register(event=target, entry=entry, by=organiser(target))
    given = DirectEntry("Ana Ruiz", "wild_card", "ana@example.org")
    place = actions.give_directly(event=target, entry=given, by=organiser(target))
    actions.accept_place(place=place, by=actions.INVITED)
    assert target.players.get().name == "Ana Ruiz"


# --- as a file -------------------------------------------------------------------------------


def test_an_event_with_places_comes_back_and_names_its_target_in_words() -> None:
    event, target = shop(), final_of_the_country()
    promise(event, target, 1)
    (place,) = offer(event)
    actions.accept_place(place=place, by=organiser(event))
    actions.decline_place(place=place, by=organiser(event), reason="no train")
    given = DirectEntry("Eva", "wild_card", "eva@example.org")
    actions.give_directly(event=target, entry=given, by=organiser(target))
    for one in (event, target):
        content = event_archive(Event.objects.get(pk=one.pk))
        wipe(one)
        back = taken_in(content)
        assert event_archive(back) == content
        found = back.places_promised.select_related("event").first()
        if found is not None:
            assert (found.target, found.target_name) == (None, "National final")
            assert told(found) == [(1, "declined"), (2, "offered")]


@pytest.mark.parametrize("bands", ["5: 1", [[5]], [[5, True]], [[5, -1]], [5], {"5": 1}])
def test_bands_of_a_file_are_numbers(bands: object) -> None:
    event = shop(finish=False)
    promise(event, None, 1, target_name="World final")
    members = unpacked(event_archive(event))
    wipe(event)
    members["private.json"]["event"]["places_promised"][0]["bands"] = bands
    with pytest.raises(Refused):
        taken_in(packed(members))


# --- pages -----------------------------------------------------------------------------------


def wizard() -> tuple[Event, Event, Client]:
    """A shop that is over, its target, and the browser of the shop's organiser."""
    event, target = shop(), final_of_the_country()
    client = Client()
    client.force_login(organiser_of(event))
    return event, target, client


def test_the_organiser_promises_and_offers_with_two_presses() -> None:
    event, target, client = wizard()
    address = reverse("places", args=[event.slug])
    assert "Offer the places" not in flat(client.get(address))
    sent = {"target": str(target.pk), "bands": "5: 1, 7: 2", "due_days": "7"}
    assert client.post(address, sent).status_code == 302
    page = flat(client.get(address))
    assert "8 players have a rank and have played. That makes 2 places." in page
    assert "The organiser there has not agreed yet." in page
    assert "Offer the places" in page
    client.post(reverse("places_offer", args=[event.slug]), {"key": "a-mark-of-mine"})
    page = flat(client.get(address))
    assert "Offer the places" not in page
    first, second = Place.objects.select_related("player").order_by("slot")
    assert f"1. {first.player.name}" in page
    assert page.count("Offered") == 2
    client.post(reverse("place_tick", args=[event.slug, first.pk]))
    button = f'class="btn primary" href="{address}"'
    assert button in flat(client.get(reverse("event_desk", args=[event.slug])))
    declined = {"reason": "no train"}
    client.post(reverse("place_tick_decline", args=[event.slug, second.pk]), declined)
    page = flat(client.get(address))
    assert f"passed on from {second.player.name}" in page
    assert "no train" in page
    log = flat(client.get(reverse("log", args=[event.slug]), {"kind": "places"}))
    for words in ("Places promised", "Place offered", "Place accepted", "Place declined"):
        assert words in log


def test_the_target_lets_them_in_and_shows_who_is_not_registered_yet() -> None:
    event, target, client = wizard()
    found = actions.promise_places(
        event=event, entry=PromiseEntry(target, number=1, due_days=7), by=organiser(event)
    )
    (place,) = offer(event)
    actions.accept_place(place=place, by=organiser(event))
    there = Client()
    there.force_login(organiser_of(target))
    address = reverse("places", args=[target.slug])
    assert f"“{event.name}” promises places here." in flat(there.get(address))
    stranger = reverse("place_promise_agree", args=[event.slug, found.pk])
    assert client.post(stranger).status_code == 404
    there.post(reverse("place_promise_agree", args=[target.slug, found.pk]))
    page = flat(there.get(address))
    assert place.player.name in page
    assert "number 1" in page
    Place.objects.filter(pk=place.pk).update(entry=None)
    target.players.all().delete()
    assert "not registered yet" in flat(there.get(address))
    there.post(reverse("place_register", args=[target.slug, place.pk]))
    assert target.players.get().name == place.player.name


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"number": "2", "due_days": "7"}, "Choose an event above, or say it in words."),
        ({"target": "999999", "number": "2"}, "Select a valid choice"),
        ({"target_name": "World final", "due_days": "7"}, "Say how many"),
        ({"target_name": "World final", "bands": "5-6: 1", "due_days": "7"}, "Write it like “5: 1"),
        ({"target_name": "World final", "bands": "7: 1, 5: 2", "due_days": "7"}, "rising"),
        (
            {"target_name": "World final", "number": "2", "bands": "5: 1", "due_days": "7"},
            "not both",
        ),
        ({"target_name": "World final", "number": "0", "due_days": "7"}, "greater than or equal"),
        ({"target_name": "World final", "number": "2"}, "Say how many days, or a date."),
        (
            {"target_name": "World final", "number": "2", "due_at": "2020-01-01T10:00"},
            "This is past.",
        ),
    ],
)
def test_a_wrong_promise_is_told_at_its_place(sent: dict[str, str], told: str) -> None:
    event = make_event()
    client = Client()
    client.force_login(organiser_of(event))
    response = client.post(reverse("places", args=[event.slug]), sent)
    assert response.status_code == 422
    assert told in flat(response)
    assert not PlacePromise.objects.exists()


def test_the_link_shows_and_only_a_press_answers() -> None:
    event, target = shop(), final_of_the_country(minimum_age=14)
    promise(event, target, 1)
    (place,) = offer(event)
    person, address = Client(), reverse("place", args=[place.token])
    page = person.get(address)
    assert page.status_code == 200
    assert f'value="{place.player.name}"' in flat(page)
    assert fresh(place).accepted_at is None
    sent = {name: str(value) for name, value in page.context["form"].initial.items() if value}
    accept = reverse("place_accept", args=[place.token])
    refused = person.post(accept, sent)
    assert refused.status_code == 422
    assert "Please confirm your age" in flat(refused)
    assert person.post(accept, sent | {"age_confirmed": "on"}).status_code == 302
    entry = target.players.get()
    assert (entry.name, entry.age_confirmed) == (place.player.name, True)
    page = flat(person.get(address))
    assert "the place is yours" in page
    assert reverse("ticket", args=[entry.token]) in page
    entries = LogEntry.objects.filter(event=target, verb="player.invited")
    assert [one.actor for one in entries] == ["invited"]
    assert person.post(reverse("place_decline", args=[place.token])).status_code == 302
    entry.refresh_from_db()
    assert entry.status == PlayerStatus.WITHDRAWN
    assert "You gave this place back" in flat(person.get(address))
    late = person.post(accept, sent | {"age_confirmed": "on"})
    assert late.status_code == 409
    assert "was declined" in flat(late)


def test_the_link_speaks_spanish_and_says_kindly_that_the_place_passed_on(watch: Watch) -> None:
    event, target = shop(), final_of_the_country()
    promise(event, target, 1)
    (place,) = offer(event)
    watch.goes(minutes=8 * 24 * 60)
    address = reverse("place", args=[place.token])
    assert "Thank you for having played." in flat(Client().get(address))
    spanish = Client().get(address, headers={"accept-language": "es"})
    assert 'lang="es"' in flat(spanish)


def test_a_target_that_is_not_here_needs_no_form() -> None:
    event = shop()
    promise(event, None, 1, target_name="World final")
    (place,) = offer(event)
    person = Client()
    page = flat(person.get(reverse("place", args=[place.token])))
    assert "Take the place" in page
    assert 'name="email"' not in page
    person.post(reverse("place_accept", args=[place.token]))
    assert fresh(place).accepted_by == f"player:{place.player_id}@ticket"


def test_everybody_sees_what_is_promised_and_how_it_went_but_nothing_private() -> None:
    event, target = shop(finish=False), final_of_the_country()
    found = promise(event, target, 1)
    one, two = in_order(event)[:2]
    Player.objects.filter(pk=one.pk).update(name_style="number")
    event = over(event)
    actions.skip_player(promise=found, player=one, why=SkipWhy.NO_WISH, by=organiser(event))
    offer(event)
    anybody = Client()
    page = flat(anybody.get(reverse("event", args=[event.slug])))
    assert "National final" in page
    assert "1 place" in page
    assert event.name in flat(anybody.get(reverse("event", args=[target.slug])))
    page = flat(anybody.get(reverse("event_places", args=[event.slug])))
    assert "passed over" in page
    assert "was offered the place" in page
    assert two.name in page
    assert [word for word in (one.name, two.email, "Does not want") if word in page] == []


def test_ranks_that_are_hidden_are_not_told_by_places() -> None:
    event, target = shop(finish=False), final_of_the_country()
    event = events.change_settings(
        event=event, settings={"standings_shown": "hidden"}, by=organiser(event)
    )
    over(event)
    promise(event, target, 1)
    offer(event)
    page = flat(Client().get(reverse("event_places", args=[event.slug])))
    assert in_order(event)[0].name not in page
    assert "passed" not in page.replace("passes", "")


def test_registration_by_invitation_says_so_and_takes_nobody() -> None:
    target = final_of_the_country(by_invitation=True)
    person, address = Client(), reverse("register", args=[target.slug])
    assert "By invitation" in flat(person.get(address))
    assert "By invitation" in flat(person.get(reverse("event", args=[target.slug])))
    sent = {"name": "Ana Ruiz", "email": "ana@example.org", "name_style": "full"}
    assert person.post(address, sent).status_code == 409
    assert not target.players.exists()


@pytest.mark.parametrize("name", ["places", "event_places"])
def test_a_page_with_many_places_asks_no_more_than_with_one(name: str) -> None:
    counts = []
    for number in (1, 3):
        event, client = shop(8), Client()
        client.force_login(organiser_of(event))
        for place in range(number):
            promise(event, final_of_the_country(name=f"Final {place}"), number)
        offer(event)
        address = reverse(name, args=[event.slug])
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_ticket_leads_whoever_has_no_e_mail_to_the_place() -> None:
    event = shop(mails=False)
    promise(event, final_of_the_country(), 1)
    (place,) = offer(event)
    ticket = reverse("ticket", args=[in_order(event)[0].token])
    address = reverse("place", args=[place.token])
    assert address in flat(Client().get(ticket))
    actions.decline_place(place=place, by=organiser(event))
    assert address not in flat(Client().get(ticket))
