"""Two people of one name: told apart wherever they are shown, asked about when they are added."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from tests.factories import (
    make_event,
    make_player,
    make_players,
    make_round,
    organiser,
    organiser_of,
    play,
)
from tests.pages import flat
from tournament.actions import attendance
from tournament.actions.events import finish_event
from tournament.actions.players import PlayerEntry
from tournament.actions.registration import register
from tournament.actions.rounds import close_round, publish_round
from tournament.models import Event, Player
from tournament.queries.absences import unseated
from tournament.queries.document_facts import diplomas_of, seating_mark
from tournament.queries.drafts import draft_page
from tournament.queries.fairness import fairness_of
from tournament.queries.names import called, find_namesakes
from tournament.queries.printed_sheets import print_mark
from tournament.queries.scoresheets import sheet_view
from tournament.queries.seats import table_rows
from tournament.queries.standings import standings_for
from tournament.refusals import Refused
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db


def add(event: Event, name: str, **more: Any) -> Player:
    """As `make_player`, and a second one of the same name is another person."""
    return make_player(event, name, namesake=True, **more)


def namesakes(event: Event) -> tuple[Player, Player]:
    return add(event, "José O’Brien"), add(event, "Jose OBrien")


def test_people_of_one_name_are_told_apart_wherever_they_are_shown(client: Client) -> None:
    event = make_event(deals_per_round=1)
    one, two = namesakes(event)
    make_players(event, 4)
    draft = make_round(event, published=False)
    told = {"José O’Brien #1", "Jose OBrien #2"}
    cards = {seat.name for table in draft_page(event, draft).tables for seat in table.seats}
    assert told <= cards
    client.force_login(organiser_of(event))
    pages = ["round", "round_absences"]
    for name in pages:
        page = client.get(reverse(name, args=[event.slug, draft.pk])).content.decode()
        assert all(shown in page for shown in told), name
    round_ = publish_round(round_=draft, by=organiser(event))
    table = tables_of(round_)[0]
    assert told <= {seat.name for seat in sheet_view(table).seats}
    (row,) = table_rows(round_)
    assert told <= {seat.name for seat in row.seats} & {seat.staff_name for seat in row.seats}
    addresses = {
        "seats": reverse("seats", args=[event.slug]),
        "table": reverse("table_link:sheet", args=[table.token]),
        "deal": reverse("table_link:deal", args=[table.token, 1]),
        "points": reverse("staff_table:points", args=[event.slug, table.pk]),
        "notebook": reverse("notebook", args=[event.slug]) + "?table=1",
    }
    for name, address in addresses.items():
        page = client.get(address).content.decode()
        assert all(shown in page for shown in told), name
    play(table)
    assert told <= {row.public_name for row in standings_for(event).rows}
    assert told <= {row.name for row in standings_for(event).rows}
    assert told <= {row.name for row in fairness_of(event).rows}
    for name in ("standings", "fairness"):
        page = client.get(reverse(name, args=[event.slug]), {"q": "jose"}).content.decode()
        assert all(shown in page for shown in told), name
    page = flat(client.get(reverse("ticket", args=[one.token])))
    assert "shown as “José O’Brien #1”" in page
    assert called(two) == "Jose OBrien #2"


def test_what_is_shown_decides_and_an_alias_is_no_way_to_be_somebody_else() -> None:
    event = make_event()
    add(event, "Ana Ruiz", name_style="initial")
    add(event, "Ana Rey", name_style="initial")
    add(event, "Bea", name_style="number")
    add(event, "Carla", name_style="alias", alias="Player 3")
    same = find_namesakes(event.pk)
    assert (sorted(same.named), sorted(same.shown)) == ([], [1, 2, 3, 4])
    with override("es"):
        assert sorted(find_namesakes(event.pk).shown) == [1, 2]


def test_who_has_withdrawn_is_nobodys_namesake() -> None:
    event = make_event()
    one = add(event, "Ana Ruiz", here=False)
    add(event, "Ana Ruiz")
    assert sorted(find_namesakes(event.pk).named) == [1, 2]
    attendance.withdraw(player=one, by=organiser(event))
    assert not find_namesakes(event.pk).named


def test_somebody_who_comes_late_is_told_apart_as_well() -> None:
    event = make_event()
    add(event, "Ana Ruiz")
    make_players(event, 5)
    round_ = make_round(event)
    add(event, "ANA RUIZ")
    assert [one.staff_name for one in unseated(event, round_)] == ["ANA RUIZ #7"]


def test_a_namesake_makes_no_print_an_older_one() -> None:
    event = make_event()
    add(event, "Ana Ruiz")
    make_players(event, 5)
    round_ = make_round(event)
    (before,) = table_rows(round_)
    marks = print_mark(round_, before), seating_mark(round_, [before])
    add(event, "Ana Ruiz")
    (after,) = table_rows(round_)
    assert after != before
    assert (print_mark(round_, after), seating_mark(round_, [after])) == marks


def test_a_diploma_bears_the_name_alone() -> None:
    event = make_event(deals_per_round=1, rounds_planned=1, cut_size=0)
    namesakes(event)
    make_players(event, 3)
    round_ = make_round(event)
    play(tables_of(round_)[0])
    close_round(round_=round_, by=organiser(event))
    event.refresh_from_db()
    finish_event(event=event, by=organiser(event))
    event.refresh_from_db()
    assert "#" not in "".join(one.name for one in diplomas_of(event))


@pytest.mark.parametrize("page", ["player_add", "walk_in"])
def test_a_second_person_of_one_name_is_asked_about_once(page: str, client: Client) -> None:
    event = make_event()
    add(event, "José O’Brien")
    client.force_login(organiser_of(event))
    address = reverse(page, args=[event.slug])
    typed = {"name": "Jose O'Brien", "name_style": "full", "note": "late", "key": "k"}
    asked = client.post(address, typed)
    assert asked.status_code == 409
    assert "Jose O&#x27;Brien is in the list already, with number 1." in flat(asked)
    assert "This is another person of the same name" in flat(asked)
    assert "Jose O&#x27;Brien" in flat(asked)
    said = client.post(address, typed | {"namesake": "on"}, follow=True)
    assert "No. 1 has the same name: the start number stands beside both." in flat(said)
    assert list(event.players.values_list("name", flat=True)) == ["José O’Brien", "Jose O'Brien"]


def test_a_mistake_beside_it_does_not_ask_again(client: Client) -> None:
    event = make_event()
    add(event, "Ana Ruiz")
    client.force_login(organiser_of(event))
    address = reverse("player_add", args=[event.slug])
    typed = {"name": "Ana Ruiz", "name_style": "full", "email": "nonsense", "namesake": "on"}
    again = client.post(address, typed)
    assert again.status_code == 422
    assert again.context["form"]["namesake"].value() is True


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ("", "", True),
        ("a@example.org", "", True),
        ("", "b@example.org", True),
        ("a@example.org", "a@example.org", True),
        ("a@example.org", "b@example.org", False),
    ],
)
def test_two_addresses_tell_people_apart_by_themselves(
    first: str, second: str, asked: bool
) -> None:
    event = make_event()
    make_player(event, "Ana Ruiz", email=first)
    if asked:
        with pytest.raises(Refused) as refused:
            make_player(event, "ANA RUIZ", email=second)
        assert refused.value.code == "namesake"
    else:
        make_player(event, "ANA RUIZ", email=second)


def test_a_new_name_that_somebody_has_is_told_and_kept(client: Client) -> None:
    event = make_event()
    add(event, "Ana Ruiz")
    bea = add(event, "Bea")
    client.force_login(organiser_of(event))
    address = reverse("player", args=[event.slug, bea.number])
    said = client.post(address, {"name": "ana ruíz", "name_style": "full"}, follow=True)
    assert "Saved. No. 1 has the same name" in flat(said)
    again = client.post(address, {"name": "ana ruíz", "name_style": "full"}, follow=True)
    assert "has the same name" not in flat(again)


@pytest.mark.parametrize(
    ("email", "new", "asked"),
    [
        ("", "", True),
        ("a@example.org", "", True),
        ("a@example.org", "a@example.org", True),
        ("a@example.org", "b@example.org", False),
    ],
)
def test_a_withdrawn_entry_beside_a_new_one_is_asked_about(
    client: Client, email: str, new: str, asked: bool
) -> None:
    event = make_event()
    old = make_player(event, "Ana Ruiz", here=False, email=email)
    attendance.withdraw(player=old, by=organiser(event))
    make_player(event, "ana ruíz", email=new)
    client.force_login(organiser_of(event))
    address = reverse("player_move", args=[event.slug, old.number, "check-in"])
    answer = client.post(address)
    assert answer.status_code == (409 if asked else 302)
    if not asked:
        return
    assert "Ana Ruiz is in the list again, with number 2" in flat(answer)
    assert "They are two people: check in" in flat(answer)
    assert client.post(address, {"namesake": "on"}).status_code == 302
    old.refresh_from_db()
    assert old.status == "checked_in"


def test_registering_is_as_it_was() -> None:
    event = make_event()
    make_player(event, "Ana Ruiz")
    entry = PlayerEntry(name="Ana Ruiz", email="ana@example.org")
    found = register(event=event, entry=entry, by=organiser(event))
    assert called(found) == "Ana Ruiz #2"
