"""Results of one person, kept together because the person asked, and let go again."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_player, organiser
from tests.pages import flat
from tests.tournament.seasons import (
    by_of,
    claim_of,
    joined,
    make_series,
    make_table,
    number,
    played,
    put_in,
    user_of,
    with_email,
)
from tests.watch import Watch
from tournament.actions import merges, persons, places
from tournament.actions.places import DirectEntry
from tournament.models import (
    Contact,
    Event,
    LogEntry,
    Merge,
    MergeSide,
    Person,
    PersonClaim,
    PersonContact,
    PersonLink,
    Player,
    Result,
    Series,
)
from tournament.models.actors import Actor
from tournament.queries.log import log_of, log_rows
from tournament.queries.persons import person_of, person_page
from tournament.queries.results import name_then
from tournament.queries.seasons import facts_for, season_board
from tournament.queries.series import public_tree
from tournament.queries.series_log import series_log, series_log_rows
from tournament.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db
ANA, BO = "ana@example.org", "bo@example.org"


def confirm(claim: PersonClaim) -> Person:
    return persons.confirm_claim(claim=claim, by=Actor.of_player(claim.player))


# --- claimed by a mail -----------------------------------------------------------------------


def test_a_ticket_alone_joins_nothing(django_capture_on_commit_callbacks: Any) -> None:
    player = number(played(), 1)
    with django_capture_on_commit_callbacks(execute=True):
        claim = claim_of(player, "Ana@Example.org")
    assert (Person.objects.count(), PersonLink.objects.count()) == (0, 0)
    (sent,) = mail.outbox
    assert sent.to == [ANA]
    assert reverse("claim", args=[claim.token]) in sent.body
    with django_capture_on_commit_callbacks(execute=True):
        person = confirm(claim)
    assert (person.name, person.email, person_of(player)) == ("Ana", ANA, person)
    assert reverse("me", args=[person.token]) in mail.outbox[1].body


def test_one_address_is_one_person() -> None:
    first = joined(number(played(), 1), ANA)
    second = joined(number(played(), 2), "ANA@example.org", "Another name")
    assert second == first
    assert (Person.objects.get().name, first.links.count()) == ("Ana", 2)


def test_a_link_opened_again_leads_to_the_same_person() -> None:
    claim = claim_of(number(played(), 1), ANA)
    assert confirm(claim) == confirm(claim)
    assert PersonLink.objects.count() == 1


def test_without_an_address_nobody_can_be_asked() -> None:
    player = number(played(), 1)
    with pytest.raises(Refused, match="no e-mail"):
        persons.ask_to_keep(player=player, name="Ana", by=Actor.of_player(player))
    page = flat(Client().get(reverse("ticket_together", args=[player.token])))
    assert "There is no e-mail with this entry" in page


def test_whoever_presses_again_waits_for_the_mail(watch: Watch) -> None:
    player = number(played(), 1)
    claim_of(player, ANA)
    with pytest.raises(Refused, match="on its way"):
        claim_of(player, ANA)
    watch.goes(minutes=6)
    claim_of(player, ANA)


def test_a_link_is_good_for_two_weeks(watch: Watch) -> None:
    claim = claim_of(number(played(), 1), ANA)
    watch.goes(minutes=15 * 24 * 60)
    with pytest.raises(Refused, match="too old"):
        confirm(claim)


def test_the_address_that_the_entry_has_now_is_asked() -> None:
    """The first one was mistyped, and is a stranger's."""
    player = number(played(), 1)
    old = claim_of(player, "stranger@example.org")
    new = claim_of(player, ANA)
    with pytest.raises(Refused, match="another e-mail by now"):
        confirm(old)
    assert confirm(new).email == ANA


def test_who_is_first_has_the_entry() -> None:
    player = number(played(), 1)
    joined(player, ANA)
    late = claim_of(player, BO)
    with pytest.raises(Refused, match="Somebody else keeps this result"):
        confirm(late)
    assert not PersonContact.objects.filter(email=BO).exists()


def test_one_person_plays_an_event_once() -> None:
    event = played()
    joined(number(event, 1), ANA)
    with pytest.raises(Refused, match="one person plays once"):
        joined(number(event, 2), ANA)


def test_the_log_of_the_event_tells_it() -> None:
    event = played()
    joined(number(event, 1), ANA)
    said = [row.what for row in log_rows(log_of(event, "people"))]
    assert "Result kept with others of the same person" in said


# --- let go ----------------------------------------------------------------------------------


def test_one_entry_is_let_go_and_can_be_kept_again(watch: Watch) -> None:
    player = number(played(), 1)
    person = joined(player, ANA)
    persons.let_go(link=person.links.select_related("person", "player__event").get())
    assert person_of(player) is None
    watch.goes(minutes=6)
    assert joined(player, ANA) == person
    assert [one.withdrawn_at is None for one in person.links.order_by("pk")] == [False, True]


def test_whoever_leaves_takes_the_address_along() -> None:
    events = [played(), played()]
    for event in events:
        person = joined(number(event, 1), ANA)
    persons.leave(person=person)
    person.refresh_from_db()
    assert (person.left_at is not None, person.public) == (True, False)
    assert not person.links.in_force().exists()
    assert (PersonContact.objects.count(), PersonClaim.objects.count()) == (0, 0)
    assert LogEntry.objects.filter(verb="person.unlinked").count() == 2
    with pytest.raises(Refused, match="You have left"):
        persons.change_person(person=person, name="A", public=True, shows_roles=False)
    assert "You have left" in flat(Client().get(reverse("me", args=[person.token])))


def test_erased_is_the_name_and_not_the_result() -> None:
    series, event = make_series(), played()
    put_in(series, event)
    table = make_table(series)
    player = number(event, 2)
    person = joined(player, ANA, "Ana Ruiz")
    before = Result.objects.get(player=player)
    old = person.token
    persons.erase(person=person)
    after = Result.objects.get(player=player)
    assert (after.rank, after.points, after.stars) == (before.rank, before.points, before.stars)
    assert name_then(after) == "Erased player 2"
    player.refresh_from_db()
    assert (player.name, player.alias, player.note) == ("Erased player 2", "", "")
    assert not Contact.objects.filter(player=player).exists()
    person.refresh_from_db()
    assert (person.name, person.token != old) == ("", True)
    assert Client().get(reverse("me", args=[old])).status_code == 404
    series.refresh_from_db()
    names = [
        row.name
        for row in season_board(series, table, facts_for(series, table, public_tree())).rows
    ]
    assert "Erased player 2" in names
    page = flat(Client().get(reverse("standings", args=[event.slug])))
    assert "Erased player 2" in page
    assert before.name not in page


def test_erased_is_the_name_at_a_place_that_was_given_directly_too() -> None:
    event = make_event(cut_size=0, rounds_planned=1)
    direct = DirectEntry(name="Ana Ruiz", email=ANA, why="wild_card")
    place = places.give_directly(event=event, entry=direct, by=organiser(event))
    place = places.accept_place(place=place, by=organiser(event))
    person = joined(with_email(place.entry, ANA), ANA)
    Event.objects.filter(pk=event.pk).update(status="finished")
    persons.erase(person=person)
    place.refresh_from_db()
    assert (place.name, place.email) == (f"Erased player {place.entry.number}", "")


def test_nobody_is_erased_out_of_an_event_that_goes_on() -> None:
    event = make_event(name="Tomorrow")
    person = joined(make_player(event), ANA)
    with pytest.raises(Refused, match="Tomorrow is not over"):
        persons.erase(person=person)
    assert person.links.in_force().count() == 1


# --- their pages -----------------------------------------------------------------------------


def test_a_page_is_for_everybody_only_if_the_person_wants_it() -> None:
    event = played(name="Cup")
    person = joined(number(event, 1), ANA, "Ana Ruiz")
    address = reverse("person", args=[person.pk])
    assert Client().get(address).status_code == 404
    persons.change_person(person=person, name="Ana", public=True, shows_roles=False)
    page = flat(Client().get(address))
    assert "Cup" in page
    assert "Roles dealt" not in page
    rank = Result.objects.get(player=number(event, 1)).rank
    assert f"rank {rank} of 6" in page
    persons.leave(person=person)
    assert Client().get(address).status_code == 404


def test_roles_are_on_it_if_the_person_wants_that_too() -> None:
    event = played()
    Result.objects.filter(number=1).update(miner_deals=5, saboteur_deals=2, selfish_deals=1)
    person = joined(number(event, 1), ANA)
    page = person_page(person)
    assert (page.roles.miner, page.roles.saboteur, page.roles.selfish) == (5, 2, 1)
    persons.change_person(person=person, name="Ana", public=True, shows_roles=True)
    assert "Roles dealt" in flat(Client().get(reverse("person", args=[person.pk])))


def test_a_hidden_result_is_not_on_it() -> None:
    event = played(standings_shown="hidden")
    person = joined(number(event, 1), ANA)
    (one,) = person_page(person).results
    assert one.result is None


def test_the_standings_lead_to_a_public_page() -> None:
    series, event = make_series(), played()
    put_in(series, event)
    make_table(series)
    person = joined(number(event, 1), ANA)
    page, link = reverse("series", args=[series.slug]), reverse("person", args=[person.pk])
    assert link not in flat(Client().get(page))
    persons.change_person(person=person, name="Zoe Q", public=True, shows_roles=False)
    shown = Client().get(page).content.decode()
    assert link in shown
    assert "Zoe Q" in shown


def test_the_way_from_the_ticket_to_the_own_page(django_capture_on_commit_callbacks: Any) -> None:
    player = with_email(number(played(), 1), ANA)
    client = Client()
    ticket = flat(client.get(reverse("ticket", args=[player.token])))
    assert (
        reverse("ticket_together", args=[player.token])
        in client.get(reverse("ticket", args=[player.token])).content.decode()
    )
    assert ticket.count("Keep my results together") == 1
    address = reverse("ticket_together", args=[player.token])
    assert client.post(address, {"name": ""}).status_code == 422
    with django_capture_on_commit_callbacks(execute=True):
        said = flat(client.post(address, {"name": "Ana"}, follow=True))
    assert f"on its way to {ANA}" in said
    assert client.post(address, {"name": "Ana"}).status_code == 409
    claim = reverse("claim", args=[PersonClaim.objects.get().token])
    assert "is you: ana@example.org" in flat(client.get(claim))
    assert Person.objects.count() == 0, "looking does nothing"
    mine = client.post(claim, follow=True)
    person = Person.objects.get()
    assert mine.redirect_chain[-1][0] == reverse("me", args=[person.token])
    wrong = client.post(reverse("me_change", args=[person.token]), {"name": ""})
    assert wrong.status_code == 422
    client.post(reverse("me_change", args=[person.token]), {"name": "Anita", "public": "on"})
    person.refresh_from_db()
    assert (person.name, person.public) == ("Anita", True)
    link = person.links.get()
    client.post(reverse("me_let_go", args=[person.token, link.pk]))
    assert person_of(player) is None
    client.post(reverse("me_leave", args=[person.token]))
    person.refresh_from_db()
    assert person.left_at is not None


def test_what_is_anothers_cannot_be_let_go() -> None:
    one, other = joined(number(played(), 1), ANA), joined(number(played(), 1), BO)
    address = reverse("me_let_go", args=[other.token, one.links.get().pk])
    assert Client().post(address).status_code == 404


# --- two spellings ---------------------------------------------------------------------------


def two(*, claimed: tuple[bool, bool] = (True, True)) -> tuple[Series, Player, Player]:
    """One entry in each of two events of a series; `claimed`: a person has it already."""
    series = make_series()
    found = []
    for place, (email, has) in enumerate(zip((ANA, BO), claimed, strict=True)):
        event = played(name=f"Event {place}")
        put_in(series, event)
        player = with_email(number(event, 1), email)
        if has:
            joined(player, email, f"Person {place}")
        found.append(player)
    return series, *found


def propose(series: Series, first: Player, second: Player) -> Merge:
    return merges.propose_merge(
        series=series, first=first, second=second, reason="same hand", by=by_of(series)
    )


def answer(merge: Merge, player: Player, *, agrees: bool = True) -> Merge:
    side = MergeSide.objects.select_related("merge__series", "player").get(
        merge=merge, player=player
    )
    return merges.answer_merge(side=side, agrees=agrees, by=Actor.of_player(player))


@pytest.mark.parametrize("claimed", [(True, True), (True, False), (False, True), (False, False)])
def test_both_say_yes_and_it_can_be_taken_apart(claimed: tuple[bool, bool]) -> None:
    series, first, second = two(claimed=claimed)
    before = [person_of(first), person_of(second)]
    merge = propose(series, first, second)
    assert not answer(merge, first).done_at
    assert [person_of(first), person_of(second)] == before
    assert answer(merge, second).holds
    person = person_of(first)
    assert person is not None
    assert person_of(second) == person
    merge.refresh_from_db()
    merges.take_apart(merge=merge, reason="not the same", by=by_of(series))
    assert [person_of(first), person_of(second)] == before
    with pytest.raises(Conflict):
        merges.take_apart(merge=merge, reason="again", by=by_of(series))


def test_both_are_asked_by_mail(django_capture_on_commit_callbacks: Any) -> None:
    series, first, second = two(claimed=(True, False))
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        propose(series, first, second)
    assert sorted(one.to[0] for one in mail.outbox) == [ANA, BO]
    sides = {reverse("merge_answer", args=[one.token]) for one in MergeSide.objects.all()}
    assert all(any(link in one.body for link in sides) for one in mail.outbox)


def test_one_no_is_enough() -> None:
    series, first, second = two()
    merge = propose(series, first, second)
    answer(merge, first)
    assert answer(merge, second, agrees=False).closed_at is not None
    assert person_of(first) != person_of(second)
    with pytest.raises(Refused, match="settled already"):
        answer(merge, second)


def test_a_question_can_be_taken_back() -> None:
    series, first, second = two()
    merge = propose(series, first, second)
    with pytest.raises(Refused, match="asked already"):
        propose(series, second, first)
    merges.withdraw_merge(merge=merge, by=by_of(series))
    with pytest.raises(Refused, match="settled already"):
        answer(merge, first)
    propose(series, first, second)


def test_only_who_may_be_one_person_is_asked() -> None:
    series, first, second = two(claimed=(False, False))
    with pytest.raises(Refused, match="two different"):
        propose(series, first, first)
    with pytest.raises(Refused, match="no event of this series"):
        propose(series, first, with_email(number(played(), 1), "c@example.org"))
    with pytest.raises(Refused, match="no e-mail of"):
        propose(series, number(first.event, 1), number(second.event, 2))
    with pytest.raises(Refused, match="Both played in"):
        propose(series, first, with_email(number(first.event, 2), "d@example.org"))
    joined(first, ANA)
    joined(with_email(second, ANA), ANA)
    with pytest.raises(Refused, match="one person already"):
        propose(series, first, second)


def test_proposing_a_strangers_entry_does_not_tell_their_name(client: Client) -> None:
    """The keys of entries can be counted through; whoever makes a series is anybody."""
    series, event, other = make_series(), played(), make_event()
    put_in(series, event)
    stranger = make_player(other, "Secret Person", name_style="number")
    client.force_login(user_of(series))
    keys = [stranger.pk, number(event, 1).pk]
    answer = client.post(reverse("series_merges", args=[series.slug]), {"player": keys})
    assert (answer.status_code, "Secret" in answer.content.decode()) == (409, False)


def test_who_played_the_same_event_since_cannot_be_joined() -> None:
    series, first, second = two()
    third = played(name="Third")
    merge = propose(series, first, second)
    answer(merge, first)
    joined(number(third, 1), ANA)
    joined(number(third, 2), BO)
    with pytest.raises(Refused, match="Third"):
        answer(merge, second)
    assert person_of(first) != person_of(second)


def test_an_entry_that_changed_hands_is_not_joined_by_the_old_one() -> None:
    series, first, second = two(claimed=(False, True))
    merge = propose(series, first, second)
    answer(merge, second)
    joined(first, "else@example.org")
    with_email(first, ANA)
    with pytest.raises(Refused, match="somebody else's by now"):
        answer(merge, first)


def test_what_is_claimed_later_goes_to_the_one_they_became() -> None:
    series, first, second = two()
    merge = propose(series, first, second)
    answer(merge, first)
    answer(merge, second)
    later = number(played(), 3)
    assert joined(later, BO) == person_of(first)


def test_a_later_merge_is_taken_apart_first() -> None:
    series, first, second = two()
    third = played(name="Third")
    put_in(series, third)
    other = with_email(number(third, 1), "c@example.org")
    joined(other, "c@example.org", "Third person")
    early = propose(series, first, second)
    answer(early, first)
    answer(early, second)
    late = propose(series, other, first)
    answer(late, other)
    answer(late, first)
    assert person_of(first) == person_of(second) == person_of(other)
    for merge in (early, late):
        merge.refresh_from_db()
    with pytest.raises(Refused, match="later merge"):
        merges.take_apart(merge=early, reason="no", by=by_of(series))
    merges.take_apart(merge=late, reason="no", by=by_of(series))
    assert person_of(first) == person_of(second) != person_of(other)
    merges.take_apart(merge=early, reason="no", by=by_of(series))
    assert person_of(first) != person_of(second)


def test_whoever_was_joined_takes_it_apart_before_going() -> None:
    """Else their entries would stay with the other."""
    series, first, second = two()
    merge = propose(series, first, second)
    answer(merge, first)
    answer(merge, second)
    merge.refresh_from_db()
    assert merge.joined is not None
    for go in (persons.leave, persons.erase):
        with pytest.raises(Refused, match="take them apart first"):
            go(person=merge.joined)
    merges.take_apart(merge=merge, reason="no", by=by_of(series))
    persons.leave(person=merge.joined)
    assert person_of(second) is None
    assert person_of(first) is not None


def test_when_the_one_they_became_leaves_all_stand_alone() -> None:
    series, first, second = two()
    merge = propose(series, first, second)
    answer(merge, first)
    answer(merge, second)
    merge.refresh_from_db()
    assert merge.into is not None
    persons.leave(person=merge.into)
    assert (person_of(first), person_of(second)) == (None, None)
    merges.take_apart(merge=merge, reason="no", by=by_of(series))
    assert person_of(second) is None, "what was let go stays so"


def test_a_merge_is_told_in_the_log_of_the_series() -> None:
    series, first, second = two()
    merge = propose(series, first, second)
    answer(merge, first)
    answer(merge, second)
    said = [row.what for row in series_log_rows(series_log(series))][:3]
    assert said == [
        "Both sides said yes: results stand together",
        "One side said yes",
        "Two entries: asked whether they are one person",
    ]


def test_it_goes_by_pages_from_the_desk_to_both_answers() -> None:
    series, first, second = two()
    desk = Client()
    desk.force_login(series.staff.get().user)
    address = reverse("series_merges", args=[series.slug])
    name = first.name.split()[-1]
    assert first.name in flat(desk.get(address, {"q": f"zzz, {name}"}))
    assert "Nobody with these letters" in flat(desk.get(address, {"q": "zzz"}))
    assert desk.post(address, {"player": [first.pk]}).status_code == 409
    desk.post(address, {"player": [first.pk, second.pk], "reason": "same hand"})
    merge = Merge.objects.get()
    client = Client()
    for side in merge.sides.all():
        mine = reverse("merge_answer", args=[side.token])
        page = flat(client.get(mine))
        assert "same hand" in page
        assert "Yes, both are me" in page
        page = flat(client.post(mine, {"agrees": "1"}, follow=True))
    assert "the results stand together" in page
    merge.refresh_from_db()
    assert merge.into is not None
    assert merge.joined is not None
    emptied = flat(client.get(reverse("me", args=[merge.joined.token])))
    assert "stand with those of Person 0" in emptied
    client.post(reverse("me_take_apart", args=[merge.joined.token, merge.pk]))
    assert person_of(first) != person_of(second)
    assert "Taken apart again" in flat(desk.get(address))
