"""An event's settings, states, staff; and what the desk proposes next."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.factories import (
    make_event,
    make_judge,
    make_players,
    make_round,
    make_user,
    organiser,
    organiser_of,
    play_round,
)
from tests.pages import flat, shown
from tests.watch import Watch
from tournament.actions import events as actions
from tournament.actions import players, staff
from tournament.forms.events import PRESETS, EventForm
from tournament.models import Event, LogEntry
from tournament.models.actors import Actor
from tournament.queries.desk import DeskStep, desk_for
from tournament.queries.document_facts import rules_mark
from tournament.queries.rules import departures, displayed_rules
from tournament.refusals import Refused

pytestmark = pytest.mark.django_db

GOOD = {
    "name": "Copa",
    "time_zone": "Europe/Madrid",
    "starts_at": "2027-07-19T10:00",
    "ends_at": "2027-07-19T14:00",
    "registration_closes_at": "2027-07-15T23:59",
    "ruleset": "es-2026",
    "level": "1",
    "rounds_planned": "3",
    "deals_per_round": "3",
    "cut_size": "6",
    "final_deals": "4",
    "at_zero": "finish",
    "break_minutes": "10",
    "final_seats": "lot",
    "seating": "fewest",
    "standings_from": "2",
    "standings_shown": "live",
    "hidden_from_round": "1",
    "fairness_public": "on",
    "minimum_age": "0",
}


def test_presets_fill_the_format() -> None:
    assert {
        key: (p["rounds_planned"], p["cut_size"], p["level"]) for key, p in PRESETS.items()
    } == {
        "shop": (3, 6, 1),
        "national": (4, 6, 2),
        "club": (2, 0, 1),
        "base": (1, 0, 1),
        "saboteur-2": (1, 0, 1),
        "duel": (4, 2, 1),
    }


def test_an_event_is_made_in_one_form(client) -> None:
    user = make_user()
    client.force_login(user)
    page = client.get(reverse("new_event") + "?preset=national").content.decode()
    assert 'name="rounds_planned" value="4"' in page
    answer = client.post(reverse("new_event") + "?preset=national", GOOD)
    event = Event.objects.get()
    assert answer.headers["Location"] == reverse("event_desk", args=[event.slug])
    assert (event.preset, event.starts_at.isoformat()) == ("national", "2027-07-19T08:00:00+00:00")
    assert event.staff.get().user == user


def test_another_preset_keeps_what_was_typed_and_makes_nothing(client) -> None:
    client.force_login(make_user())
    typed = GOOD | {"venue": "La Mina", "starts_at": "2027-07-20T11", "second_person": "on"}
    answer = client.post(reverse("new_event") + "?preset=shop", typed | {"preset": "club"})
    assert answer.status_code == 200
    assert not Event.objects.exists()
    page = answer.content.decode()
    for field, value in (
        ("name", "Copa"),
        ("venue", "La Mina"),
        ("starts_at", "2027-07-20T11"),
        ("rounds_planned", "2"),
    ):
        assert f'name="{field}" value="{value}"' in page
    assert '<option value="0" selected>' in page
    assert "checked" not in page.partition('name="second_person"')[2].partition(">")[0]
    assert 'action="?preset=club"' in page
    first = page.partition('action="?preset=club"')[2].partition("<button")[2].partition(">")[0]
    assert "preset" not in first, "Enter makes the event"


def test_the_weekday_follows_what_was_sent(client) -> None:
    client.force_login(make_user())
    sent = GOOD | {"starts_at": "2027-07-18T10:00", "ends_at": "never", "rounds_planned": "0"}
    page = client.post(reverse("new_event"), sent).content.decode()
    assert 'data-moment="id_starts_at">Sunday 18 July 2027, 10:00<' in page
    assert 'data-moment="id_ends_at"><' in page


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"registration_closes_at": "2027-07-19T10:01"}, "has to close before the start"),
        ({"ends_at": "2027-07-19T10:00"}, "has to come after the start"),
        ({"starts_at": "2027-03-28T02:30"}, "Clocks skip this hour"),
        ({"starts_at": "tomorrow"}, "Give date and time"),
        ({"time_zone": "Mars/Olympus"}, "Select a valid choice"),
        ({"rounds_planned": "0"}, "greater than or equal to 1"),
        ({"cut_size": "4"}, "Select a valid choice"),
        ({"row10_saboteur": "3"}, "Fill in all four numbers"),
        (
            {"row10_saboteur": "3", "row10_miner": "3", "row10_selfish": "2", "row10_hand": "4"},
            "add up to 10",
        ),
    ],
)
def test_bad_settings_are_told_at_their_place(client, changes, message: str) -> None:
    client.force_login(make_user())
    answer = client.post(reverse("new_event"), GOOD | changes)
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not Event.objects.exists()


def test_a_row_for_ten_players_can_be_added_to_the_dutch_rules(client) -> None:
    client.force_login(make_user())
    row = {"row10_saboteur": "4", "row10_miner": "6", "row10_selfish": "0", "row10_hand": "4"}
    client.post(reverse("new_event"), GOOD | row | {"ruleset": "en-2023"})
    assert Event.objects.get().ruleset_changes == {
        "rows": {"10": {"saboteur": 4, "miner": 6, "selfish": 0, "hand_cards": 4}}
    }


def test_settings_are_shown_as_wall_clock_time_and_only_changes_are_logged(client) -> None:
    event = make_event()
    client.force_login(organiser_of(event))
    page = client.get(reverse("settings", args=[event.slug])).content.decode()
    local = event.local(event.starts_at).strftime("%Y-%m-%dT%H:%M")
    assert f'name="starts_at" value="{local}"' in page
    actions.change_settings(event=event, settings={"venue": "La Mina"}, by=organiser(event))
    entry = LogEntry.objects.filter(event=event).first()
    assert (entry.before, entry.after) == ({"venue": ""}, {"venue": "La Mina"})
    count = LogEntry.objects.count()
    actions.change_settings(event=event, settings={"venue": "La Mina"}, by=organiser(event))
    assert LogEntry.objects.count() == count


def test_leaving_the_official_format_is_a_warning() -> None:
    event = make_event(rounds_planned=1, cut_size=9, final_deals=3)
    assert len(departures(event)) == 3
    assert departures(make_event()) == []


def test_every_state_has_a_way_back() -> None:
    event = make_event(published=False, cut_size=0, rounds_planned=1)
    by = organiser(event)
    actions.publish_event(event=event, by=by)
    actions.unpublish_event(event=event, by=by)
    actions.publish_event(event=event, by=by)
    make_players(event, 6)
    play_round(event)
    actions.finish_event(event=event, by=by)
    with pytest.raises(Refused, match="Say why"):
        actions.reopen_event(event=event, reason="", by=by)
    actions.reopen_event(event=event, reason="a wrong sheet", by=by)
    event.refresh_from_db()
    assert (event.status, event.finished_at) == ("running", None)


def test_an_event_does_not_finish_before_its_final() -> None:
    event = make_event(rounds_planned=1)
    make_players(event, 6)
    play_round(event)
    with pytest.raises(Refused, match="final has not been played"):
        actions.finish_event(event=event, by=organiser(event))
    actions.finish_event(event=event, by=organiser(event), reason="only four stayed")
    event.refresh_from_db()
    assert event.status == "finished"


def test_an_event_that_does_not_take_place_is_ended_with_a_reason() -> None:
    event = make_event()
    with pytest.raises(Refused, match="No round was played"):
        actions.finish_event(event=event, by=organiser(event))
    actions.finish_event(event=event, by=organiser(event), reason="nobody came")
    event = actions.reopen_event(event=event, by=organiser(event), reason="two came")
    assert desk_for(event).step == DeskStep.REGISTER


def test_the_desk_shows_one_next_step_at_a_time() -> None:
    event = make_event(published=False, rounds_planned=1)
    seen = [desk_for(event).step]
    event = actions.publish_event(event=event, by=organiser(event))
    seen.append(desk_for(event).step)
    make_players(event, 6)
    seen.append(desk_for(event).step)
    play_round(event)
    event.refresh_from_db()
    seen.append(desk_for(event).step)
    assert seen == [DeskStep.PUBLISH, DeskStep.REGISTER, DeskStep.DRAW, DeskStep.CUT]


def test_an_invitation_works_once_and_gives_its_duty(
    client, django_capture_on_commit_callbacks
) -> None:
    event = make_event()
    with django_capture_on_commit_callbacks(execute=True):
        invitation = staff.invite(
            event=event, email="Julia@Example.org", duty="judge", by=organiser(event)
        )
    assert invitation.token in mail.outbox[0].body
    address = reverse("invitation", args=[invitation.token])
    assert client.get(address).headers["Location"].startswith("/accounts/login/")
    client.force_login(make_user("Julia"))
    assert client.post(address).status_code == 302
    client.force_login(make_user("Somebody"))
    assert client.post(address).status_code == 409
    assert list(event.staff.values_list("user__name", "duty").order_by("pk")) == [
        ("Olga", "organiser"),
        ("Julia", "judge"),
    ]


def test_an_event_keeps_an_organiser() -> None:
    event = make_event()
    member = event.staff.get()
    with pytest.raises(Refused, match="at least one organiser"):
        staff.remove_staff(member=member, by=organiser(event))
    make_judge(event)
    judge = event.staff.get(duty="judge")
    staff.remove_staff(member=judge, by=organiser(event))
    assert event.staff.count() == 1


def test_two_events_of_one_name_have_two_addresses() -> None:
    by = Actor.of_user(make_user())
    other = make_event()
    settings = {
        name: getattr(other, name) for name in ("starts_at", "registration_closes_at", "time_zone")
    }
    made = [
        actions.create_event(settings=settings | {"name": name}, by=by).slug
        for name in ("Copa", "Copa", "New", "¡¿?!")
    ]
    assert made == ["copa", "copa-2", "new-2", "event"]


def test_the_seating_method_is_announced_and_fixed_with_the_first_draw(client) -> None:
    event = make_event(seating="standings", standings_from=3, final_seats="choice")
    page = client.get(reverse("rules", args=[event.slug])).content.decode()
    assert "From round 3 on: Those next to each other in the standings sit together." in page
    assert "by choice, in order of rank" in page
    make_players(event, 6)
    play_round(event)
    by = organiser(event)
    for change in ({"seating": "lot"}, {"standings_from": 2}, {"final_seats": "lot"}):
        with pytest.raises(Refused, match="can't change any more"):
            actions.change_settings(event=event, settings=change, by=by)
    actions.change_settings(event=event, settings={"fairness_public": False}, by=by)


def test_rules_frozen_before_there_were_methods_say_nothing_of_them(client) -> None:
    event = make_event()
    make_players(event, 6)
    play_round(event)
    event.refresh_from_db()
    del event.frozen_rules["seating"], event.frozen_rules["standings_from"]
    event.save()
    page = client.get(reverse("rules", args=[event.slug])).content.decode()
    assert "<dt>Seating</dt>" not in page


def test_an_event_that_ended_before_its_first_draw_takes_registrations_again() -> None:
    event = make_event()
    by = organiser(event)
    actions.finish_event(event=event, by=by, reason="the wrong button")
    assert actions.reopen_event(event=event, by=by, reason="the wrong button").status == (
        "registration"
    )


def test_nobody_is_imported_into_a_finished_event() -> None:
    event = make_event()
    by = organiser(event)
    actions.finish_event(event=event, by=by, reason="nobody came")
    with pytest.raises(Refused, match="The event is finished"):
        players.import_players(event=event, entries=[players.PlayerEntry(name="Ana Ruiz")], by=by)


def test_what_was_announced_changes_with_a_reason_that_everybody_reads(client: Client) -> None:
    event = make_event(rounds_planned=4)
    make_players(event, 12)
    make_round(event)
    event.refresh_from_db()
    by = organiser(event)
    with pytest.raises(Refused, match="say why this changes"):
        actions.change_settings(event=event, settings={"rounds_planned": 3}, by=by)
    actions.change_settings(
        event=event, settings={"rounds_planned": 3}, by=by, reason="the hall closes at two"
    )
    event.refresh_from_db()
    mark = rules_mark(displayed_rules(event))
    actions.change_settings(event=event, settings={"venue": "La Cueva"}, by=by)
    event.refresh_from_db()
    assert rules_mark(displayed_rules(event)) == mark  # no rule: a printed notice stays right
    page = flat(client.get(reverse("rules", args=[event.slug])))
    assert "4 → 3" in page
    assert "the hall closes at two" in page
    assert "3 tournament rounds" in page
    with pytest.raises(Refused, match="can't change any more"):
        actions.change_settings(event=event, settings={"cut_size": 0}, by=by, reason="late")


def test_the_settings_ask_for_the_reason_at_its_field(client: Client) -> None:
    event = make_event(rounds_planned=4)
    make_players(event, 12)
    make_round(event)
    client.force_login(organiser_of(event))
    address = reverse("settings", args=[event.slug])
    sent = shown(client.get(address)) | {"rounds_planned": "3"}
    answer = client.post(address, sent)
    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"reason"}
    assert client.post(address, sent | {"reason": "the hall closes"}).status_code == 302
    event.refresh_from_db()
    assert event.frozen_rules["rounds_planned"] == event.rounds_planned == 3


def test_the_folded_settings_say_only_what_has_an_effect() -> None:
    def words(**settings) -> str:
        event = make_event(**settings)
        return " · ".join(group.values for group in EventForm(instance=event).groups())

    idle = words(cut_size=0, round_minutes=None, final_minutes=None)
    at_work = words(
        seating="standings", standings_from=3, standings_shown="hidden", round_minutes=40
    )
    said = ("By standings from round", "Hidden from round", "Deals in the final")
    assert [one for one in said if one in idle] == []
    assert [one for one in said if one in at_work] == [*said]
    assert "hidden until you reveal them · Hidden from round: 1" in at_work
    label = str(Event._meta.get_field("at_zero").verbose_name)
    assert (label.lower() in idle.lower(), label.lower() in at_work.lower()) == (False, True)


@pytest.mark.parametrize(
    ("now", "step"),
    [
        ("2027-07-07T12:00+02:00", DeskStep.REGISTER),
        ("2027-07-18T23:59+02:00", DeskStep.REGISTER),
        ("2027-07-19T00:01+02:00", DeskStep.CHECK_IN),  # still the 18th in London
    ],
)
def test_until_its_day_people_register_and_are_not_awaited(
    watch: Watch, now: str, step: DeskStep
) -> None:
    start = datetime.fromisoformat("2027-07-19T10:00+02:00")
    watch.now = datetime.fromisoformat(now)
    event = make_event(starts_at=start, registration_closes_at=start)
    assert desk_for(event).step == step
    client = Client()
    client.force_login(organiser_of(event))
    page = flat(client.get(reverse("event_desk", args=[event.slug])))
    lit = page.partition('aria-current="step"')[2].partition("</li>")[0]
    assert ("Copy the link" in lit) == (step == DeskStep.REGISTER)
    assert reverse("door", args=[event.slug]) in page


def test_who_is_here_or_a_closed_registration_lights_check_in(watch: Watch) -> None:
    event = make_event(starts_at=watch.now + timedelta(days=12))
    assert desk_for(event).step == DeskStep.REGISTER
    make_players(event, 1)
    assert desk_for(event).step == DeskStep.CHECK_IN
    closed = make_event(starts_at=watch.now + timedelta(days=12), registration_closes_at=watch.now)
    assert desk_for(closed).step == DeskStep.CHECK_IN
