"""Two claim at the same instant, on whichever database the tests run: one wins, the other is told,
nobody sees an error, and nobody is twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.factories import make_event, organiser
from tests.tournament.seasons import (
    by_of,
    claim_of,
    joined,
    make_series,
    number,
    played,
    put_in,
    with_email,
)
from tests.tournament.test_at_once import at_once
from tournament.actions import merges, persons
from tournament.actions import series as series_actions
from tournament.models import Merge, MergeSide, Person, PersonLink, Player, SeriesEvent
from tournament.models.actors import Actor
from tournament.models.series import Side
from tournament.queries.persons import person_of

pytestmark = pytest.mark.django_db(transaction=True)
VISITOR = Actor.visitor()


def test_one_address_claims_two_entries_and_is_one_person() -> None:
    claims = [claim_of(number(played(), 1), "ana@example.org") for _ in range(2)]
    told = at_once(
        *(lambda claim=claim: persons.confirm_claim(claim=claim, by=VISITOR) for claim in claims)
    )
    assert told == ["done", "done"]
    assert (Person.objects.count(), PersonLink.objects.in_force().count()) == (1, 2)


def test_one_link_opened_on_two_phones_joins_once() -> None:
    claim = claim_of(number(played(), 1), "ana@example.org")
    told = at_once(*[lambda: persons.confirm_claim(claim=claim, by=VISITOR)] * 2)
    assert told == ["done", "done"]
    assert (Person.objects.count(), PersonLink.objects.count()) == (1, 1)


def agreed(first: Player, second: Player) -> Callable[[], object]:
    """The press that makes them one: the second has said yes already."""
    series = make_series()
    for player in (first, second):
        put_in(series, player.event)
    merge = merges.propose_merge(
        series=series, first=first, second=second, reason="", by=by_of(series)
    )
    one, other = MergeSide.objects.filter(merge=merge).select_related("merge__series", "player")
    merges.answer_merge(side=other, agrees=True, by=VISITOR)
    return lambda: merges.answer_merge(side=one, agrees=True, by=VISITOR)


def test_two_persons_want_one_entry_and_one_of_them_has_it() -> None:
    """It agreed to both, and is nobody's yet."""
    ana, bo, entry = (
        with_email(number(played(), 1), f"{who}@example.org") for who in ("ana", "bo", "x")
    )
    people = [joined(ana, "ana@example.org"), joined(bo, "bo@example.org")]
    told = at_once(agreed(ana, entry), agreed(bo, entry))
    assert sorted(told) == ["done", "told"]
    assert person_of(entry) in people
    assert PersonLink.objects.in_force().filter(player=entry).count() == 1


def test_an_entry_is_claimed_while_it_is_joined() -> None:
    """By one address: they are one person in the end, whichever was first."""
    ana, entry = (with_email(number(played(), 1), f"{who}@example.org") for who in ("ana", "x"))
    person = joined(ana, "ana@example.org")
    claim = claim_of(entry, "x@example.org", "Ana R")
    press = agreed(ana, entry)
    told = at_once(press, lambda: persons.confirm_claim(claim=claim, by=VISITOR))
    assert told[0] == "done"
    assert person_of(entry) == person
    assert PersonLink.objects.in_force().filter(player=entry).count() == 1


def test_an_event_asked_for_by_both_sides_is_in_once() -> None:
    series, event = make_series(), make_event()
    by = {Side.SERIES: by_of(series), Side.EVENT: organiser(event)}
    told = at_once(
        *(
            lambda side=side: series_actions.enter_event(
                series=series, event=event, side=side, weight=100, by=by[side]
            )
            for side in Side
        )
    )
    assert told == ["done", "done"]
    assert SeriesEvent.objects.get().accepted_at is not None


def test_an_event_is_accepted_by_one_side_while_the_other_takes_it_out() -> None:
    series, event = make_series(), make_event()
    entry = series_actions.enter_event(
        series=series, event=event, side=Side.SERIES, weight=100, by=by_of(series)
    )
    _accepted, out = at_once(
        lambda: series_actions.accept_event(entry=entry, side=Side.EVENT, by=organiser(event)),
        lambda: series_actions.take_out(
            entry=entry, side=Side.SERIES, reason="a mistake", by=by_of(series)
        ),
    )
    assert (out, SeriesEvent.objects.in_force().exists()) == ("done", False)


def test_the_last_yes_comes_while_the_question_is_taken_back() -> None:
    ana, bo = (with_email(number(played(), 1), f"{who}@example.org") for who in ("ana", "bo"))
    press = agreed(ana, bo)
    merge = Merge.objects.select_related("series").get()
    told = at_once(press, lambda: merges.withdraw_merge(merge=merge, by=VISITOR))
    merge.refresh_from_db()
    assert sorted(told) == ["done", "told"]
    assert (merge.done_at is None) == (merge.closed_at is not None) == (person_of(ana) is None)


def test_somebody_leaves_while_their_entries_are_joined() -> None:
    ana, bo = (with_email(number(played(), 1), f"{who}@example.org") for who in ("ana", "bo"))
    people = [joined(ana, "ana@example.org"), joined(bo, "bo@example.org")]
    press = agreed(ana, bo)
    at_once(press, lambda: persons.leave(person=people[1]))
    people[1].refresh_from_db()
    assert people[1].left_at is None or person_of(bo) is None


def test_two_addresses_claim_one_entry_at_once() -> None:
    """The entry's address was put right between the two mails."""
    entry = number(played(), 1)
    claims = [claim_of(entry, f"{who}@example.org") for who in ("ana", "bo")]
    told = at_once(
        *(lambda claim=claim: persons.confirm_claim(claim=claim, by=VISITOR) for claim in claims)
    )
    assert told == ["told", "done"]
    assert PersonLink.objects.in_force().filter(player=entry).count() == 1
