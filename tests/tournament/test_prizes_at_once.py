"""Prizes given by two at the same instant, on whichever database the tests run."""

from __future__ import annotations

import pytest

from tests.factories import organiser
from tests.tournament.test_at_once import at_once
from tests.tournament.test_prizes import promise, ranked, settled
from tournament.actions import prizes as actions
from tournament.models import Lot, PrizeGift
from tournament.queries.prizes import raffle_people

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_give_the_first_their_prize_once() -> None:
    event = settled()
    promise(event, "A cup", "rank", 1, 1, 1)
    things = [promise(event, name, "choice", 3) for name in ("Scarf", "Hat")]
    first, by = ranked(event)[0], organiser(event)
    told = at_once(
        *(
            lambda thing=thing: actions.give_on_podium(
                player=first, thing=thing, by_wish=False, by=by, key=thing.name
            )
            for thing in things
        )
    )
    assert sorted(told) == ["done", "told"]
    assert list(PrizeGift.objects.order_by("pk").values_list("prize__kind", flat=True)) == [
        "rank",
        "choice",
    ]


def test_the_last_special_prize_goes_to_one_of_two() -> None:
    event = settled()
    hat, by = promise(event, "Hat", "special"), organiser(event)
    told = at_once(
        *(
            lambda player=player: actions.give_special(
                prize=hat, player=player, by=by, key=str(player.number)
            )
            for player in ranked(event)[:2]
        )
    )
    assert sorted(told) == ["done", "told"]
    assert PrizeGift.objects.count() == 1


def test_who_is_passed_over_by_one_and_served_by_another_is_one_of_both() -> None:
    event = settled()
    promise(event, "A cup", "rank", 1, 1, 1)
    first, by = ranked(event)[0], organiser(event)
    told = at_once(
        lambda: actions.give_on_podium(player=first, thing=None, by_wish=False, by=by),
        lambda: actions.pass_over(player=first, by=by),
    )
    assert sorted(told) == ["done", "told"]
    assert PrizeGift.objects.count() + event.prize_passes.count() == 1


def test_a_raffle_drawn_by_two_gives_each_thing_once() -> None:
    event = settled()
    promise(event, "A dice", "raffle", 3)
    here, by = raffle_people(event), organiser(event)
    told = at_once(
        lambda: actions.draw_raffle(event=event, here=here, by=by, key="a-mark"),
        lambda: actions.draw_raffle(event=event, here=here, by=by, key="another"),
    )
    assert sorted(told) == ["done", "told"]
    assert (PrizeGift.objects.count(), Lot.objects.filter(line="raffle:1").count()) == (3, 1)


def test_a_prize_taken_off_the_list_while_it_is_given_is_given_or_gone() -> None:
    event = settled()
    hat, by = promise(event, "Hat", "special"), organiser(event)
    player = ranked(event)[0]
    told = at_once(
        lambda: actions.give_special(prize=hat, player=player, by=by),
        lambda: actions.remove_prize(prize=hat, by=by),
    )
    assert sorted(told) == ["done", "told"]
    hat.refresh_from_db()
    assert (hat.withdrawn_at is None) == PrizeGift.objects.exists()
