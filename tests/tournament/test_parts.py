"""Every change of what people watch raises the version of the part that shows it."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.utils import timezone
from django.utils.translation import override

from tests.factories import (
    PHOTO,
    enter,
    make_event,
    make_judge,
    make_player,
    make_players,
    make_round,
    organiser,
)
from tournament.actions import (
    announcements,
    attendance,
    boxes,
    calls,
    clocks,
    cuts,
    finals,
    lateness,
    penalties,
    places,
    prizes,
    rounds,
    rulings,
    scoresheets,
    screens,
    separations,
    sponsors,
    staff,
)
from tournament.actions.photos import attach_photo, remove_photo
from tournament.models import (
    Event,
    JudgeCall,
    LateArrival,
    LogEntry,
    Player,
    Scoresheet,
    SheetPhoto,
)
from tournament.models import versions as module
from tournament.models.actors import Actor
from tournament.models.versions import Part
from tournament.queries import kept
from tournament.queries.cuts import current_cut, line_of
from tournament.queries.desk import desk_for
from tournament.queries.pulse import FOR_STAFF, pulse_of
from tournament.queries.screens import shown_on
from tournament.queries.tickets import ticket_for
from tournament.queries.versions import versions_of
from tournament.queries.watch import FOLLOWS as WATCHED
from tournament.queries.watch import watch_of
from tournament.simulation import at, hand_in, tables_of
from tournament.web.live.parts import PARTS, part_of
from tournament.web.public.screens import FOLLOWED

pytestmark = pytest.mark.django_db
NOW = timezone.now() + timedelta(days=1)  # one instant, so that no age changes between two looks


def forget() -> None:
    caches["local"].clear()
    caches["shared"].clear()
    kept.forget()


def seen(event: Event) -> dict[str, tuple[str, tuple[int, ...]]]:
    """Each thing that people watch as it is now, made anew: its content, and the versions of the
    parts it follows."""
    forget()
    fresh = Event.objects.get(pk=event.pk)
    versions = versions_of(fresh).parts

    def of(*parts: Part) -> tuple[int, ...]:
        return tuple(versions[part] for part in parts)

    found = {}
    with override("en"):
        for name, part in PARTS.items():
            words = gzip.decompress(part_of(fresh, name).value).decode()
            found[name] = (words, of(*part.follows))
        pulse = pulse_of(fresh, versions_of(fresh), ()) | {"versions": None, "spread": None}
        found["pulse"] = (str(pulse), of(Part.SEATS, Part.SHEETS, Part.CLOCK, Part.CALLS))
        watch = watch_of(fresh, NOW)
        found["watch"] = (repr((watch.calls, watch.late)), of(*WATCHED))
        for screen in fresh.screens.in_use():
            screen.event = fresh
            picture = (shown_on(screen), screen.message, screen.held)
            follows = (*FOLLOWED, Part.STANDINGS, Part.BOARD)
            found[f"screen {screen.name}"] = (repr(picture), of(*follows))
        found["desk"] = (repr(desk_for(fresh).stations), of(*FOR_STAFF, Part.STANDINGS))
        for player in fresh.players.select_related("contact", "event"):
            notice = ticket_for(player).notice
            follows = (Part.SEATS, Part.SHEETS, Part.NOTICES, Part.STANDINGS)
            found[f"ticket {player.number}"] = (repr(notice), of(*follows))
    return found


def day(event: Event) -> Iterator[tuple[str, Callable[[], object]]]:
    """A tournament day, one action after the other."""
    by, judge = organiser(event), Actor.of_user(make_judge(event))
    people = make_players(event, 12)

    def player(number: int) -> Player:
        return event.players.select_related("event").get(number=number)

    def sheet(table: int) -> Scoresheet:
        return Scoresheet.objects.get(table__round=event.rounds.latest("pk"), table__number=table)

    def late(place: int) -> LateArrival:
        marks = LateArrival.objects.select_related("round", "player__event").order_by("pk")
        return marks.filter(round__event=event)[place]

    yield "somebody comes", lambda: make_player(event)
    yield (
        "results are frozen",
        lambda: LogEntry.objects.record("results.frozen", event=event, by=by),
    )
    yield (
        "asks to keep a result",
        lambda: LogEntry.objects.record("person.asked", event=event, by=by),
    )
    yield "in a series", lambda: LogEntry.objects.record("series.entered", event=event, by=by)
    yield "invites", lambda: staff.invite(event=event, email="eva@example.org", duty="judge", by=by)
    yield (
        "kept apart",
        lambda: separations.separate_players(
            event=event, first=people[0], second=people[1], reason="brothers", by=by
        ),
    )
    draft = make_round(event, published=False)
    yield "publishes", lambda: rounds.publish_round(round_=draft, by=by)
    one, other = tables_of(draft)
    hall = screens.add_screen(event=event, name="Entrance", by=by)
    yield "a screen", lambda: screens.add_screen(event=event, name="Stage", by=by)
    yield (
        "on the screens",
        lambda: screens.say_on_screens(event=event, only=None, text="Hello", until=None, by=by),
    )
    yield "stands still", lambda: screens.pause_screen(screen=hall, version=1, by=by)
    yield "goes on", lambda: screens.resume_screen(screen=hall, version=2, by=by)
    yield "starts the clock", lambda: clocks.start_clock(round_=draft, by=by)
    yield "pauses", lambda: clocks.pause_clock(round_=draft, by=by)
    yield "goes on", lambda: clocks.resume_clock(round_=draft, by=by)
    yield (
        "extra time",
        lambda: clocks.give_table_time(table=one, seconds=60, reason="", by=by),
    )
    yield (
        "taken back",
        lambda: clocks.take_table_time_back(table=one, by=by),
    )
    yield (
        "a break",
        lambda: clocks.announce_break(
            event=event, ends_at=timezone.now() + timedelta(hours=1), text="Lunch", by=by
        ),
    )
    yield "is missing", lambda: lateness.report_missing(table=one, positions=[2, 3], by=at(one, 1))
    yield "arrives", lambda: lateness.mark_arrived(mark=late(0), by=judge)
    yield (
        "has a warning for it",
        lambda: penalties.give_penalty(
            player=late(0).player, infraction="2.1", step=2, reason="", by=judge
        ),
    )
    yield "was not late", lambda: lateness.withdraw_mark(mark=late(1), by=judge)
    yield "calls", lambda: calls.call_judge(table=one, reason="", by=at(one, 1))
    yield "takes it back", lambda: calls.withdraw_call(table=one, by=at(one, 1))
    yield "calls again", lambda: calls.call_judge(table=one, reason="", by=at(one, 1))
    yield "is answered", lambda: calls.answer_call(call=JudgeCall.objects.latest("pk"), by=judge)
    yield (
        "is done",
        lambda: calls.end_call(call=JudgeCall.objects.latest("pk"), minutes=3, by=judge),
    )
    yield (
        "and is not",
        lambda: calls.reopen_call(call=JudgeCall.objects.latest("pk"), by=judge),
    )
    yield "enters a deal", lambda: enter(one, 1)
    yield "enters the next", lambda: enter(one, 2)
    yield "and the last", lambda: enter(one, 3)
    yield (
        "hands in",
        lambda: scoresheets.submit_sheet(sheet=sheet(1), by=at(one, 1)),
    )
    yield (
        "confirms",
        lambda: scoresheets.confirm_sheet(sheet=sheet(1), version=sheet(1).version, by=judge),
    )
    yield (
        "a photo",
        lambda: attach_photo(sheet=sheet(1), photo=PHOTO, by=by),
    )
    yield (
        "removed",
        lambda: remove_photo(photo=SheetPhoto.objects.latest("pk"), reason="blurred", by=by),
    )
    yield (
        "a caution",
        lambda: penalties.give_penalty(
            player=player(3), infraction="1.1", step=1, reason="", by=judge
        ),
    )
    yield (
        "a disqualification",
        lambda: penalties.give_penalty(
            player=player(4),
            infraction="3.0",
            step=4,
            reason="cheats",
            inquiry=penalties.InquiryNote("all", "it is so", "judge"),
            deal=penalties.DealRef("preliminary", 1, 1),
            by=judge,
        ),
    )
    yield (
        "withdrawn",
        lambda: penalties.withdraw_penalty(
            penalty=player(4).penalties.latest("pk"), reason="an error", by=judge
        ),
    )
    yield (
        "a message",
        lambda: announcements.send_announcement(
            event=event, subject="", text="Lunch", audience="expected", by=by
        ),
    )
    support = {"name": "Mercado", "link": "", "place": 1}
    yield (
        "a sponsor",
        lambda: sponsors.add_sponsor(event=event, facts=support, logo=None, by=by),
    )
    yield (
        "a box",
        lambda: boxes.add_box(event=event, facts={"name": "1"}, tables=[1], by=by),
    )
    yield (
        "a ruling",
        lambda: rulings.give_ruling(event=event, question="May I?", decision="No.", by=by),
    )
    yield (
        "withdrawn",
        lambda: rulings.withdraw_ruling(ruling=event.rulings.get(), reason="an error", by=by),
    )
    yield (
        "a prize",
        lambda: prizes.add_prize(
            event=event, entry=prizes.PrizeEntry(name="Scarf", kind="choice", stock=3), by=by
        ),
    )
    yield (
        "places at a later event",
        lambda: places.promise_places(
            event=event,
            entry=places.PromiseEntry(target_name="World final", number=2, due_days=7),
            by=by,
        ),
    )
    yield "opens it again", lambda: scoresheets.reopen_sheet(sheet=sheet(1), reason="sum", by=by)
    yield "hands it in again", lambda: hand_in(one)
    yield "the other table", lambda: play_all(other)
    yield "closes", lambda: rounds.close_round(round_=draft, by=by)
    yield "somebody leaves", lambda: attendance.drop(player=player(12), by=by)
    yield "the cut", lambda: cuts.make_cut(event=event, by=by)
    yield "declines", lambda: decline(event, by)
    yield "the final", lambda: final(event, by)
    yield (
        "published",
        lambda: rounds.publish_round(round_=event.rounds.latest("pk"), by=by),
    )


def play_all(table) -> None:
    for number in (1, 2, 3):
        enter(table, number, seed=number)
    hand_in(table)


def decline(event: Event, by: Actor) -> None:
    qualifier = event.cuts.latest("pk").qualifiers.seated().first()
    if qualifier is not None:
        cuts.decline_seat(qualifier=qualifier, reason="ill", by=by)


def final(event: Event, by: Actor) -> None:
    cut = current_cut(event)
    if line_of(cut).level:
        cuts.settle_line(cut=cut, by=by)
    finals.draw_final(cut=cut, by=by)


def last_entry(event: Event) -> int:
    """Each change has its entry in the log, so while this stays nothing has changed."""
    return LogEntry.objects.filter(event=event).latest("pk").pk


@pytest.mark.once
def test_what_changes_raises_its_version() -> None:
    event = make_event(rounds_planned=1)
    after, told = seen(event), last_entry(event)
    for said, act in day(event):
        # What was made between two steps is no step.
        before = after if last_entry(event) == told else seen(event)
        act()
        after, told = seen(event), last_entry(event)
        for name, (words, versions) in after.items():
            old = before.get(name)
            if old is not None and old[0] != words:
                assert old[1] != versions, f"{said}: {name} shows something else"


def test_the_day_has_all_verbs_that_touch_little() -> None:
    """Whoever adds a verb that touches few parts adds it to the day."""
    event = make_event(rounds_planned=1)
    for _said, act in day(event):
        act()
    verbs = {*LogEntry.objects.filter(event=event).values_list("verb", flat=True)}
    families = {verb.partition(".")[0] for verb in verbs}
    missing = {one for one in module._TOUCHED if one not in verbs | families}
    assert missing <= {"tickets"}
