"""The seats of the final: by rank, by lot, or as the finalists chose."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_players, organiser, organiser_of, play_round
from tournament.actions import cuts, finals
from tournament.models import Cut, Event, LogEntry, Round
from tournament.refusals import Refused

pytestmark = pytest.mark.django_db


def cut_event(final_seats: str) -> Cut:
    event = make_event(rounds_planned=1, final_seats=final_seats)
    make_players(event, 12)
    play_round(event, seed=3)
    cut = cuts.make_cut(event=event, by=organiser(event))
    cuts.settle_line(cut=cut, by=organiser(event)) if cut.qualifiers.count() < 6 else None
    return cut


def by_rank(cut: Cut) -> list[int]:
    return list(cut.qualifiers.filter(status="in").values_list("player__number", flat=True))


def seated(final: Round) -> list[int]:
    return list(final.seats.order_by("position").values_list("player__number", flat=True))


def press(event: Event, seats: dict[int, str]) -> tuple[int, str]:
    client = Client()
    client.force_login(organiser_of(event))
    typed = {f"seat-{number}": seat for number, seat in seats.items()}
    answer = client.post(reverse("final_draw", args=[event.slug]), typed | {"key": "k"})
    return answer.status_code, answer.content.decode()


def test_by_rank_the_best_sits_first() -> None:
    cut = cut_event("rank")
    final = finals.draw_final(cut=cut, by=organiser(cut.event))
    assert seated(final) == by_rank(cut)


def test_by_lot_the_seed_decides() -> None:
    cut = cut_event("lot")
    final = finals.draw_final(cut=cut, by=organiser(cut.event), seed=5)
    assert (sorted(seated(final)), seated(final)) != (seated(final), by_rank(cut))


def test_finalists_sit_where_they_chose() -> None:
    cut = cut_event("choice")
    numbers = by_rank(cut)
    client = Client()
    client.force_login(organiser_of(cut.event))
    page = client.get(reverse("final_draw", args=[cut.event.slug])).content.decode()
    assert page.index(f'name="seat-{numbers[0]}"') < page.index(f'name="seat-{numbers[5]}"')
    chosen = dict(zip(numbers, "624135", strict=True))
    assert press(cut.event, chosen)[0] == 302
    final = cut.event.rounds.get(stage="final")
    assert seated(final) == [numbers["624135".index(seat)] for seat in "123456"]
    logged = LogEntry.objects.get(verb="final.drawn").after
    assert logged == {"seats": seated(final), "given": "choice"}


def test_a_seat_chosen_twice_goes_to_the_higher_rank_and_nothing_typed_is_lost() -> None:
    cut = cut_event("choice")
    numbers = by_rank(cut)
    status, page = press(cut.event, dict(zip(numbers, "624133", strict=True)))
    assert status == 409
    assert "Seat 3 is taken by" in page
    assert page.count(" selected") == 6 + 1  # and the language
    assert not cut.event.rounds.filter(stage="final").exists()


def test_a_seat_that_is_missing_is_asked_for() -> None:
    cut = cut_event("choice")
    numbers = by_rank(cut)
    assert "Enter the seat of" in press(cut.event, {numbers[0]: "7"})[1]
    with pytest.raises(Refused, match="Enter the seat of"):
        finals.draw_final(cut=cut, by=organiser(cut.event))
