"""What is promised and given: the podium, the raffle, the best saboteur."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from django.test import Client
from django.urls import reverse

from scoring.eventfile import read
from scoring.lots import commitment
from tests.factories import make_event, make_players, make_round, organiser, organiser_of, play
from tests.pages import flat
from tests.tournament.test_cut import deal, level_event
from tests.tournament.test_printed_documents import print_it
from tests.tournament.test_unranked import stand_in
from tournament.actions import attendance, cuts, rounds
from tournament.actions import prizes as actions
from tournament.actions.events import finish_event
from tournament.actions.prizes import PrizeEntry
from tournament.models import Event, Player, Prize, PrizeGift
from tournament.queries.check_event import check_event
from tournament.queries.event_file.public import public_file
from tournament.queries.prizes import (
    best_saboteurs,
    podium_of,
    prizes_of,
    raffle_people,
    raffle_units,
)
from tournament.queries.rules import displayed_rules, public_lots
from tournament.queries.standings import standings_for
from tournament.refusals import Conflict, Refused
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def promise(event: Event, name: str, kind: str, stock: int = 1, *ranks: int) -> Prize:
    entry = PrizeEntry(name, kind, stock, *ranks)
    return actions.add_prize(event=event, entry=entry, by=organiser(event))


def settled(players: int = 12) -> Event:
    """No final, everybody level, a lot for all places."""
    event = make_event(cut_size=0, rounds_planned=1)
    make_players(event, players)
    round_ = make_round(event)
    for table in tables_of(round_):
        play(table, [deal(6, [1, 2]), deal(6, [3, 4]), deal(6, [5, 6])])
    rounds.close_round(round_=round_, by=organiser(event))
    event.refresh_from_db()
    cuts.settle_place(event=event, rank=1, by=organiser(event))
    return event


def ranked(event: Event) -> list[Player]:
    people = {one.number: one for one in event.players.select_related("event")}
    return [people[row.number] for row in standings_for(event).ranked]


def give(event: Event, player: Player, thing: Prize | None = None, **more: bool) -> list[PrizeGift]:
    by_wish = more.get("by_wish", False)
    return actions.give_on_podium(player=player, thing=thing, by_wish=by_wish, by=organiser(event))


def named(event: Event) -> list[tuple[str, int]]:
    """Prize and start number of each gift that holds, in the order given."""
    found = PrizeGift.objects.in_force().filter(prize__event=event)
    return list(found.values_list("prize__name", "player__number"))


# --- promised ---


def test_a_prize_is_added_changed_moved_and_taken_off(client: Client) -> None:
    event = make_event(prizes="A free text")
    client.force_login(organiser_of(event))
    address = reverse("prizes", args=[event.slug])
    client.post(address, {"name": "A cup", "kind": "rank", "first_rank": "1", "last_rank": "3"})
    client.post(address, {"name": "Scarf", "kind": "choice", "stock": "4", "first_rank": "2"})
    assert list(event.prizes_listed.values_list("name", "stock", "first_rank", "last_rank")) == [
        ("A cup", 3, 1, 3),
        ("Scarf", 4, None, None),
    ]
    scarf = event.prizes_listed.get(name="Scarf")
    client.post(reverse("prize_up", args=[event.slug, scarf.pk]))
    page = flat(client.get(reverse("event", args=[event.slug])))
    assert page.index("A free text") < page.index("Scarf") < page.index("A cup")
    assert "Ranks 1 to 3" in page
    client.post(reverse("prize", args=[event.slug, scarf.pk]), {"name": "Hat", "kind": "raffle"})
    scarf.refresh_from_db()
    assert (scarf.name, scarf.kind, scarf.stock) == ("Hat", "raffle", 1)
    client.post(reverse("prize_remove", args=[event.slug, scarf.pk]))
    assert [one.prize.name for one in prizes_of(event)] == ["A cup"]
    assert client.get(reverse("log", args=[event.slug]), {"kind": "prizes"}).status_code == 200


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"name": "A cup", "kind": "rank"}, "Say which rank brings it."),
        (
            {"name": "A cup", "kind": "rank", "first_rank": "3", "last_rank": "2"},
            "This is before the first rank.",
        ),
        ({"name": "A cup", "kind": "choice", "stock": "0"}, "greater than or equal to 1"),
        ({"name": "A cup", "kind": "choice", "stock": "-2"}, "greater than or equal to 1"),
        ({"name": "", "kind": "choice"}, "required"),
        ({"name": "A cup", "kind": "nonsense"}, "nonsense"),
    ],
)
def test_a_wrong_prize_is_told_at_its_place(
    client: Client, sent: dict[str, str], told: str
) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    response = client.post(reverse("prizes", args=[event.slug]), sent)
    assert response.status_code == 422
    assert told in flat(response)
    assert not event.prizes_listed.exists()


def test_there_cannot_be_fewer_than_are_given() -> None:
    event = settled()
    scarf, by = promise(event, "Scarf", "choice", 3), organiser(event)
    for player in ranked(event)[:2]:
        give(event, player, scarf)
    with pytest.raises(Refused, match="2 of it are given"):
        actions.change_prize(prize=scarf, entry=PrizeEntry("Scarf", "choice", 1), by=by)
    with pytest.raises(Refused, match="who gets it"):
        actions.change_prize(prize=scarf, entry=PrizeEntry("Scarf", "raffle", 3), by=by)
    with pytest.raises(Refused, match="take it back first"):
        actions.remove_prize(prize=scarf, by=by)
    actions.change_prize(prize=scarf, entry=PrizeEntry("Scarf", "choice", 2), by=by)


# --- the podium ---


def test_the_best_choose_first_until_nothing_is_left() -> None:
    event = settled()
    cup = promise(event, "A cup", "rank", 1, 1, 1)
    backpack, scarf = promise(event, "Backpack", "choice"), promise(event, "Scarf", "choice", 2)
    first, second, third, fourth = ranked(event)[:4]
    (turn,) = podium_of(event).turns
    assert (turn.player, turn.due, turn.may_choose) == (first, (cup,), True)
    with pytest.raises(Conflict, match="not the turn"):
        give(event, second, scarf)
    give(event, first, backpack)
    with pytest.raises(Conflict, match="None is left"):
        give(event, second, backpack)
    give(event, second, scarf, by_wish=True)
    actions.pass_over(player=third, by=organiser(event))
    assert [one.player for one in podium_of(event).turns] == [fourth]
    give(event, fourth, scarf)
    assert podium_of(event).turns == ()
    assert named(event) == [
        ("A cup", first.number),
        ("Backpack", first.number),
        ("Scarf", second.number),
        ("Scarf", fourth.number),
    ]
    handed = PrizeGift.objects.exclude(handed_at=None)
    assert list(handed.values_list("by_wish", flat=True)) == [False] * 3


def test_what_is_undone_is_the_turn_again() -> None:
    event = settled()
    scarf, by = promise(event, "Scarf", "choice", 2), organiser(event)
    first, second = ranked(event)[:2]
    (gift,) = give(event, first, scarf)
    passed = actions.pass_over(player=second, by=by)
    assert passed is not None
    with pytest.raises(Refused, match="Say why"):
        actions.take_back(gift=gift, reason="", by=by)
    actions.take_back(gift=gift, reason="the wrong one", by=by)
    assert [one.player for one in podium_of(event).turns] == [first]
    with pytest.raises(Conflict, match="already"):
        actions.take_back(gift=gift, reason="twice", by=by)
    give(event, first, scarf)
    actions.undo_pass(passed=passed, by=by)
    assert [one.player for one in podium_of(event).turns] == [second]
    assert PrizeGift.objects.count() == 2


def test_those_who_share_a_rank_take_its_places_one_after_the_other() -> None:
    """Twelve first: whoever is pressed first has the first place, the next the second."""
    event = make_event(cut_size=0, rounds_planned=1)
    make_players(event, 12)
    round_ = make_round(event)
    for table in tables_of(round_):
        play(table, [deal(6, [1, 2]), deal(6, [3, 4]), deal(6, [5, 6])])
    rounds.close_round(round_=round_, by=organiser(event))
    event.refresh_from_db()
    promise(event, "Gold", "rank", 1, 1, 1)
    promise(event, "Silver", "rank", 1, 2, 2)
    podium = podium_of(event)
    assert (len(podium.turns), podium.shared) == (12, True)
    fifth, seventh = podium.turns[4].player, podium.turns[6].player
    for player in (fifth, seventh):
        player.event = event
        give(event, player)
    assert named(event) == [("Gold", fifth.number), ("Silver", seventh.number)]
    assert podium_of(event).turns == ()


def test_who_plays_without_a_rank_gets_nothing() -> None:
    event = settled()
    first = ranked(event)[0]
    stand_in(first)
    promise(event, "A cup", "raffle", 20)
    promise(event, "Scarf", "choice", 20)
    assert first not in raffle_people(event)
    fresh = Event.objects.get(pk=event.pk)
    assert podium_of(fresh).turn_of(first) is None


def test_two_who_press_at_once_give_once(client: Client) -> None:
    event = settled()
    scarf = promise(event, "Scarf", "choice", 3)
    first = ranked(event)[0]
    client.force_login(organiser_of(event))
    address = reverse("podium_give", args=[event.slug, first.number])
    page = flat(client.get(reverse("podium", args=[event.slug])))
    assert f"{first.number} {first.name}" in page
    assert "3 left" in page
    sent = {"prize": str(scarf.pk), "key": "a-mark-of-mine"}
    assert client.post(address, sent).status_code == 302
    assert client.post(address, sent).status_code == 302  # the same press again
    late = client.post(address, sent | {"key": "somebody-else"})
    assert late.status_code == 409
    assert "It is not the turn of" in flat(late)
    assert named(event) == [("Scarf", first.number)]


def test_no_prize_while_ranks_may_change_but_after_the_end() -> None:
    event = level_event()
    scarf = promise(event, "Scarf", "choice")
    with pytest.raises(Refused, match="may change"):
        give(event, ranked(event)[0], scarf)
    event = settled()
    scarf = promise(event, "Scarf", "choice")
    finish_event(event=event, by=organiser(event))
    give(event, ranked(event)[0], scarf)
    assert len(named(event)) == 1


# --- the raffle ---


def raffle(event: Event, here: list[Player] | None = None) -> list[PrizeGift]:
    here = raffle_people(event) if here is None else here
    return actions.draw_raffle(event=event, here=here, by=organiser(event))


def test_a_raffle_gives_one_thing_each_and_can_be_checked(client: Client) -> None:
    event = settled()
    promise(event, "Promo card", "raffle", 2)
    promise(event, "Dice", "raffle")
    gone = event.players.get(number=5)
    attendance.drop(player=gone, by=organiser(event))
    raffle(event)
    lot = event.lots.latest("pk")
    assert (lot.line, len(lot.players), "0005" in lot.players) == ("raffle:1", 11, False)
    drawn = [int(one) for one in lot.order[:3]]
    assert named(event) == list(zip(["Promo card", "Promo card", "Dice"], drawn, strict=True))
    place, told = public_lots(event)
    assert told.fingerprint == place.secret == commitment(lot.secret)
    assert place.fingerprint == displayed_rules(event)["commitment"]
    out = subprocess.run(
        [sys.executable, "-m", "scoring", "lot"],
        input=told.request,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(out.stdout)["order"] == lot.order
    assert "Raffle 1" in flat(client.get(reverse("rules", args=[event.slug])))
    assert check_event(event).difference is None


def test_the_facts_of_the_rules_know_no_raffle() -> None:
    event = settled()
    promise(event, "Promo card", "raffle", 2)
    before = standings_for(event).ranked
    raffle(event)
    told = public_file(event)
    assert [one["line"] for one in told["lots"]] == ["place:1"]
    assert [one["line"] for one in told["event"]["lots"]] == ["place:1", "raffle:1"]
    read({key: value for key, value in told.items() if key not in ("event", "x")})
    assert standings_for(event).ranked == before


def test_fewer_people_than_things_leave_the_rest(client: Client) -> None:
    event = settled()
    promise(event, "Promo card", "raffle", 20)
    client.force_login(organiser_of(event))
    address = reverse("raffle", args=[event.slug])
    assert "20 things to raffle" in flat(client.get(address))
    sent = {"here": ["1", "2", "3"], "key": "a-mark-of-mine"}
    page = flat(client.post(address, sent, follow=True))
    assert "3 things are raffled. 17 are left over: fewer people than things." in page
    client.post(address, sent)
    assert event.lots.filter(line__startswith="raffle:").count() == 1
    raffle(event)
    assert len(raffle_units(event)) == 8
    with pytest.raises(Refused, match="Nobody is here"):
        raffle(event)
    assert len({number for _name, number in named(event)}) == 12


def test_a_raffle_on_paper_is_typed_in(client: Client) -> None:
    event = settled()
    promise(event, "Promo card", "raffle", 2)
    client.force_login(organiser_of(event))
    address = reverse("raffle", args=[event.slug])
    sent = {"paper": "1", "order": "4 99", "note": "Bea, a hat"}
    wrong = client.post(address, sent)
    assert wrong.status_code == 422
    assert "99 is not in this raffle" in flat(wrong)
    assert 'value="4 99"' in flat(wrong)
    for order in ("4 5 6", "4 4", "", "4 123456789", "4 " + "9" * 5000):
        assert client.post(address, sent | {"order": order}).status_code == 422
    client.post(address, sent | {"order": "7, 4"})
    assert named(event) == [("Promo card", 7), ("Promo card", 4)]
    assert client.post(address, {"here": ["1"]}).status_code == 409  # nothing is left
    assert check_event(event).difference is None


def test_who_came_back_after_a_thing_was_returned_is_in_the_next_raffle() -> None:
    event = settled()
    promise(event, "Promo card", "raffle")
    (gift,) = raffle(event)
    assert gift.player not in raffle_people(event)
    actions.take_back(gift=gift, reason="not here", by=organiser(event))
    others = [one for one in raffle_people(event) if one != gift.player]
    raffle(event, others)
    assert event.lots.latest("pk").line == "raffle:2"
    assert named(event) != [("Promo card", gift.player.number)]


# --- special ones ---


def test_the_best_saboteur_has_most_stars_as_one() -> None:
    event = make_event(cut_size=0, rounds_planned=1)
    make_players(event, 6)
    round_ = make_round(event)
    (table,) = tables_of(round_)
    play(table, [deal(6, [1, 2]), deal(6, [1, 3]), deal(6, [1, 4])])
    rounds.close_round(round_=round_, by=organiser(event))
    event.refresh_from_db()
    prize = promise(event, "Pickaxe", "saboteur")
    seated = [seat.player for seat in table.seats.select_related("player").order_by("position")]
    (best,) = best_saboteurs(event)
    assert (best.player, best.stars) == (seated[0], 3)
    by = organiser(event)
    with pytest.raises(Refused, match="not the best saboteur"):
        actions.give_special(prize=prize, player=seated[1], by=by)
    actions.give_special(prize=prize, player=seated[0], by=by)
    with pytest.raises(Conflict, match="already"):
        actions.give_special(prize=prize, player=seated[0], by=by)


def test_best_saboteurs_who_are_level_share_it() -> None:
    event = settled()
    assert len(best_saboteurs(event)) == 12


def test_a_special_prize_goes_to_who_is_named(client: Client) -> None:
    event = settled()
    prize = promise(event, "A hat", "special")
    client.force_login(organiser_of(event))
    address = reverse("prize_give", args=[event.slug, prize.pk])
    assert client.post(address, {"player": "nobody"}).status_code == 422
    client.post(address, {"player": "3"})
    (gift,) = PrizeGift.objects.all()
    client.post(reverse("gift_hand", args=[event.slug, gift.pk]), {"handed": "1"})
    gift.refresh_from_db()
    assert gift.handed_by == organiser_of(event)
    no_reason = client.post(reverse("gift_back", args=[event.slug, gift.pk]))
    assert no_reason.status_code == 409
    client.post(reverse("gift_back", args=[event.slug, gift.pk]), {"reason": "older"})
    assert named(event) == []
    assert client.post(address, {"player": "4"}).status_code == 302


def test_the_list_to_sign_ends_with_what_is_left() -> None:
    event = settled()
    assert print_it(event, "prizes") is None
    scarf = promise(event, "Scarf", "choice", 3)
    first = ranked(event)[0]
    give(event, first, scarf)
    printed = print_it(event, "prizes")
    assert printed is not None
    text = " ".join(printed.texts)
    assert first.name in text
    assert text.index("Signature") < text.index("Left over") < text.rindex("Scarf")
