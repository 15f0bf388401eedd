"""The judge's notebook."""

from __future__ import annotations

import re

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from tests.factories import (
    enter,
    make_event,
    make_judge,
    make_player,
    make_players,
    make_round,
    make_table,
    organiser,
    play,
    play_round,
)
from tests.pages import flat, read_and_write
from tournament.actions import cuts
from tournament.actions.penalties import DealRef, InquiryNote, give_penalty, withdraw_penalty
from tournament.models import Event, LogEntry, Penalty, Player
from tournament.models.actors import Actor
from tournament.queries.cuts import line_of
from tournament.queries.penalties import notebook_for
from tournament.queries.scoresheets import sheet_view
from tournament.queries.standings import standings_for
from tournament.refusals import Refused
from tournament.simulation import tables_of

pytestmark = pytest.mark.django_db
INQUIRY = InquiryNote(heard="both", finding="marked cards", decided_by="Julio")


@pytest.mark.parametrize(
    ("level", "steps"),
    [
        (1, {"1.1": 1, "1.2": 2, "1.3": 2, "2.1": 2, "2.2": 3, "3.0": 4, "unclassified": None}),
        (2, {"1.1": 2, "1.2": 2, "1.3": 3, "2.1": 2, "2.2": 3, "3.0": 4, "unclassified": None}),
    ],
)
def test_the_standard_step_follows_the_level(level: int, steps: dict[str, int | None]) -> None:
    player = make_player(make_event(level=level))
    assert {one.code: one.step for one in notebook_for(player).choices} == steps


def test_a_repeated_infraction_suggests_a_harder_step_and_gives_none() -> None:
    event = make_event()
    player = make_player(event)
    give_penalty(player=player, infraction="1.1", step=1, reason="forgot", by=organiser(event))
    harder = {one.code for one in notebook_for(player).choices if one.harder}
    assert harder == {"1.1"}
    give_penalty(player=player, infraction="1.2", step=2, reason="turn", by=organiser(event))
    assert all(one.harder for one in notebook_for(player).choices)
    assert list(player.penalties.values_list("step", flat=True)) == [2, 1]


def test_the_proposed_deal_is_the_running_one_or_between_deals_the_next() -> None:
    event = make_event()
    player = make_players(event, 6)[0]
    assert notebook_for(player).default_deal == "preliminary:1:1"
    table = tables_of(make_round(event))[0]
    enter(table, 1)
    assert notebook_for(player).default_deal == "preliminary:1:2"
    enter(table, 2)
    enter(table, 3)
    assert notebook_for(player).default_deal == "preliminary:2:1"


def test_a_deal_loss_for_a_round_not_drawn_yet_waits_for_it() -> None:
    event = make_event()
    players = make_players(event, 6)
    give_penalty(
        player=players[0],
        infraction="2.2",
        step=3,
        reason="late",
        deal=DealRef("preliminary", 1, 1),
        by=organiser(event),
    )
    table = tables_of(make_round(event))[0]
    play(table)
    seat = table.seats.get(player=players[0])
    line = sheet_view(tables_of(table.round)[0]).deal(1).lines[seat.position - 1]
    assert (line.points, line.star, line.lost) == (0, False, True)


def test_a_disqualification_asks_for_its_inquiry(client) -> None:
    table = make_table(6)
    event = table.round.event
    player = table.seats.get(position=2).player
    client.force_login(make_judge(event))
    address = reverse("penalty", args=[event.slug, player.number])
    data = {"infraction": "3.0", "reason": "cheated", "deal": "preliminary:1:1"}
    answer = client.post(address, data)
    assert answer.status_code == 422
    assert answer.content.decode().count("needs its inquiry") >= 3
    assert "cheated" in answer.content.decode()
    data |= {"heard": "both", "finding": "marked cards", "decided_by": "Julio"}
    shown = client.post(address, data)
    assert not player.penalties.exists(), "what it does is read first"
    assert read_and_write(client, address, shown).status_code == 302
    player.refresh_from_db()
    assert player.status == "disqualified"
    assert player.penalties.get().inquiry.finding == "marked cards"


def test_a_disqualified_player_leaves_the_standings_and_others_keep_theirs() -> None:
    table = make_table(6)
    event = table.round.event
    play(table)
    before = {row.number: row.points for row in standings_for(event).rows}
    player = table.seats.get(position=1).player
    penalty = give_penalty(
        player=player,
        infraction="3.0",
        step=4,
        reason="cheated",
        deal=DealRef("preliminary", 1, 3),
        inquiry=INQUIRY,
        by=organiser(event),
    )
    board = standings_for(event)
    after = {row.number: row.points for row in board.rows}
    assert [row.number for row in board.out] == [player.number]
    assert after == {number: points for number, points in before.items() if number != player.number}
    withdraw_penalty(penalty=penalty, reason="it was somebody else", by=organiser(event))
    assert {row.number: row.points for row in standings_for(event).rows} == before


def test_a_penalty_is_withdrawn_with_a_reason_and_never_deleted() -> None:
    event = make_event()
    player = make_player(event)
    by = Actor.of_user(make_judge(event))
    penalty = give_penalty(player=player, infraction="1.1", step=1, reason="forgot", by=by)
    with pytest.raises(Refused, match="Say why"):
        withdraw_penalty(penalty=penalty, reason="", by=by)
    withdraw_penalty(penalty=penalty, reason="wrong player", by=by)
    with pytest.raises(Refused, match="withdrawn already"):
        withdraw_penalty(penalty=penalty, reason="again", by=by)
    assert Penalty.objects.get().withdrawal_reason == "wrong player"
    verbs = list(LogEntry.objects.filter(object_type="penalty").values_list("verb", flat=True))
    assert verbs == ["penalty.withdrawn", "penalty.given"]


def test_the_database_refuses_a_deal_loss_without_its_deal() -> None:
    event = make_event()
    player = make_player(event)
    with (
        pytest.raises(IntegrityError, match="penalty_deal_loss_names_its_deal"),
        transaction.atomic(),
    ):
        Penalty.objects.create(event=event, player=player, infraction="2.2", step=3, reason="x")


def test_penalties_are_never_public(client) -> None:
    table = make_table(6)
    event = table.round.event
    player = table.seats.get(position=1).player
    give_penalty(player=player, infraction="1.1", step=1, reason="Hush hush", by=organiser(event))
    other = table.seats.get(position=2).player
    for address in (
        reverse("event", args=[event.slug]),
        reverse("standings", args=[event.slug]),
        reverse("seats", args=[event.slug]),
        reverse("rules", args=[event.slug]),
        reverse("ticket", args=[other.token]),
        reverse("table_link:sheet", args=[table.token]),
    ):
        assert "Hush hush" not in client.get(address).content.decode()
    assert "Hush hush" in client.get(reverse("ticket", args=[player.token])).content.decode()


def a_loss(player: Player, deal: DealRef) -> Penalty:
    by = organiser(player.event)
    return give_penalty(player=player, infraction="2.2", step=3, reason="late", by=by, deal=deal)


def test_a_loss_is_for_a_deal_that_the_player_plays() -> None:
    """When nothing is left for them, none is proposed: the judge says which."""
    event = make_event(rounds_planned=1)
    players = make_players(event, 12)
    round_ = make_round(event)
    for table in tables_of(round_):
        play(table)
    book = notebook_for(players[0])
    assert book.default_deal == ""
    assert [value for value, _label in book.deals] == [f"preliminary:1:{n}" for n in (1, 2, 3)]
    for deal in (
        DealRef("final", 1, 1),
        DealRef("preliminary", 2, 1),
        DealRef("preliminary", 1, 4),
    ):
        with pytest.raises(Refused, match="does not play this deal"):
            a_loss(players[0], deal)
    assert a_loss(players[0], DealRef("preliminary", 1, 3)).active


def test_the_deal_of_the_final_is_for_finalists() -> None:
    event = make_event(rounds_planned=1)
    make_players(event, 12)
    play_round(event)
    event.refresh_from_db()
    cut = cuts.make_cut(event=event, by=organiser(event))
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=organiser(event))
    one = cut.qualifiers.first().player
    assert notebook_for(one).default_deal == "final:1:1"
    other = event.players.exclude(qualified__cut=cut).first()
    assert notebook_for(other).default_deal == ""


def test_the_message_names_the_deal(client: Client) -> None:
    event = make_event()
    players = make_players(event, 6)
    make_round(event)
    client.force_login(make_judge(event))
    sent = {"infraction": "2.2", "step": "3", "deal": "preliminary:1:2", "reason": "late"}
    address = reverse("penalty", args=[event.slug, players[0].number])
    page = client.post(address, sent, follow=True).content.decode()
    assert f"{players[0].name}: Round 1, deal 2." in page


def a_table(**settings: object) -> tuple[Event, Client, Player]:
    """A judge, and the player in seat 2 of the only table."""
    event = make_event(**settings)
    make_players(event, 6)
    make_round(event)
    client = Client()
    client.force_login(make_judge(event))
    return event, client, event.players.get(seats__position=2)


def test_a_table_a_player_and_one_press_record_the_standard_step() -> None:
    event, client, player = a_table()
    notebook = reverse("notebook", args=[event.slug])
    assert 'href="?table=1#table"' in client.get(notebook).content.decode()
    address = reverse("penalty", args=[event.slug, player.number])
    assert f'href="{address}"' in client.get(notebook + "?table=1").content.decode()
    page = client.get(address).content.decode()
    assert re.search(r'name="at_once"\s+value="1.2"', page)
    answer = client.post(address, {"at_once": "1.2", "key": "k1", "step": "4", "deal": ""})
    assert answer.url == notebook + "?table=1"
    (given,) = player.penalties.all()
    assert (given.infraction, given.step, given.reason) == ("1.2", 2, "")
    at_table = flat(client.get(answer.url))
    assert "Warning 1.2" in at_table, "beside the name, for the next judge"
    client.post(address, {"at_once": "1.2", "key": "k1", "step": "4", "deal": ""})
    assert player.penalties.count() == 1, "the same press twice"


def test_what_costs_a_deal_or_is_repeated_is_not_recorded_by_one_press() -> None:
    event, client, player = a_table()
    give_penalty(player=player, infraction="1.1", step=1, reason="", by=organiser(event))
    page = client.get(reverse("penalty", args=[event.slug, player.number])).content.decode()
    at_once = set(re.findall(r'name="at_once"\s+value="([^"]+)"', page))
    assert at_once == {"1.2", "1.3", "2.1"}
    address = reverse("penalty", args=[event.slug, player.number])
    answer = client.post(address, {"at_once": "2.2", "deal": ""})
    assert answer.status_code == 422
    assert "Choose the deal it costs." in flat(answer)


def test_enter_records_no_infraction_by_itself() -> None:
    event, client, player = a_table()
    page = client.get(reverse("penalty", args=[event.slug, player.number])).content.decode()
    form = page.partition('class="form notebook')[2]
    assert "at_once" not in form.partition("<button")[2].partition(">")[0]


def test_a_deal_loss_still_says_what_happened() -> None:
    event, client, player = a_table()
    address = reverse("penalty", args=[event.slug, player.number])
    sent = {"infraction": "2.2", "step": "3", "deal": "preliminary:1:1", "reason": ""}
    answer = client.post(address, sent)
    assert answer.status_code == 422
    assert "Say what happened: this step costs a deal." in flat(answer)
    with pytest.raises(Refused):
        give_penalty(
            player=player,
            infraction="2.2",
            step=3,
            reason="",
            deal=DealRef("preliminary", 1, 1),
            by=organiser(event),
        )


def test_the_undo_in_the_message_withdraws_the_penalty() -> None:
    event, client, player = a_table()
    address = reverse("penalty", args=[event.slug, player.number])
    page = client.post(address, {"at_once": "1.1"}, follow=True).content.decode()
    (undo,) = re.findall(r'class="undo"[^>]*action="([^"]+)"', " ".join(page.split()))
    client.post(undo, {"reason": "Undone at once"})
    assert not player.penalties.in_force().exists()


def test_the_sheet_leads_the_staff_to_each_player_and_nobody_else() -> None:
    event, client, player = a_table()
    table = player.seats.get().table
    address = reverse("penalty", args=[event.slug, player.number])
    staff = client.get(reverse("staff_table:sheet", args=[event.slug, table.pk]))
    assert f'href="{address}"' in staff.content.decode()
    link = Client().get(reverse("table_link:sheet", args=[table.token]))
    assert "/judge/" not in link.content.decode()
