"""Events in every state, made once for each file of tests that looks at every page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from allauth.account.models import EmailAddress
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    PHOTO,
    enter,
    make_event,
    make_player,
    make_players,
    make_round,
    make_user,
    organiser,
    play,
)
from tests.tournament.seasons import claim_of, joined, make_series, make_table, with_email
from tournament.actions import (
    boxes,
    calls,
    clocks,
    cuts,
    events,
    finals,
    jobs,
    lateness,
    merges,
    persons,
    places,
    players,
    prizes,
    registration,
    reveals,
    rounds,
    rulings,
    scoresheets,
    screens,
    separations,
    series,
    sponsors,
    staff,
)
from tournament.actions.penalties import DealRef, give_penalty
from tournament.actions.scoresheets import DealEntry
from tournament.demonstration import demonstration
from tournament.models import (
    Event,
    Invitation,
    Job,
    Player,
    Round,
    Scoresheet,
    Series,
    SeriesMember,
    StaffMember,
    Table,
    User,
)
from tournament.models.actors import Actor
from tournament.models.jobs import JobStatus
from tournament.models.series import Side
from tournament.queries.standings import standings_for
from tournament.simulation import SimulationPlan, at, simulate, tables_of

S, M, E = "saboteur", "miner", "selfish"
# Nobody ever reaches the gold, and each seat is a saboteur once: all six are level.
LEVEL = [
    DealEntry((S, S, E, M, M, M), None),
    DealEntry((M, E, S, S, M, M), None),
    DealEntry((E, M, M, M, S, S), None),
]
PAIRS = [LEVEL[0], LEVEL[0], LEVEL[1], LEVEL[1]]


@dataclass(frozen=True, slots=True)
class World:
    """Who is there, the events by what they show, and a season with what belongs to it."""

    organiser: User
    judge: User
    stranger: User
    invitation: Invitation
    events: SimpleNamespace
    season: SimpleNamespace

    def table(self, number: int) -> Table:
        """A table of the demonstration's third round: confirmed, submitted, corrected, slow."""
        return tables_of(self.round())[number - 1]

    def round(self) -> Round:
        return self.events.demo.rounds.get(number=3)

    def player(self, number: int) -> Player:
        return self.events.demo.players.get(number=number)


type Address = Callable[[World], str]


def plain(name: str) -> Address:
    return lambda world: reverse(name)


def of_event(name: str, event: str, *more: object, query: str = "") -> Address:
    """A page of one of the world's events."""
    return lambda world: reverse(name, args=[getattr(world.events, event).slug, *more]) + query


def of_round(event: str, name: str = "round") -> Address:
    """A page of the event's latest round."""

    def address(world: World) -> str:
        found = getattr(world.events, event)
        return reverse(name, args=[found.slug, found.rounds.latest("pk").pk])

    return address


def of_job(status: str) -> Address:
    """The page of the job in this state."""

    def address(world: World) -> str:
        event = world.events.working
        return reverse("job", args=[event.slug, event.jobs.get(status=status).pk])

    return address


def of_ticket(event: str, number: int, page: str = "ticket") -> Address:
    return lambda world: reverse(
        page, args=[getattr(world.events, event).players.get(number=number).token]
    )


def of_season(name: str, *more: object) -> Address:
    """A page of the world's series."""
    return lambda world: reverse(name, args=[world.season.series.slug, *more])


def of_standings(name: str) -> Address:
    """A page of the first standings of the world's series."""
    return lambda world: reverse(name, args=[world.season.series.slug, world.season.tables[0].pk])


def of_secret(name: str, thing: str) -> Address:
    """A page that is opened by what was mailed."""
    return lambda world: reverse(name, args=[getattr(world.season, thing).token])


def of_table(name: str, number: int, *more: object) -> Address:
    """A page of a table's link, or of the staff, in the demonstration's third round."""

    def address(world: World) -> str:
        table = world.table(number)
        if name.startswith("table_link:"):
            return reverse(name, args=[table.token, *more])
        return reverse(name, args=[world.events.demo.slug, table.pk, *more])

    return address


def make_world() -> World:
    user, judge, stranger = (person(name) for name in ("Olga Organiza", "Julio Juez", "Nobody Yet"))
    demo = demonstration(user)
    StaffMember.objects.create(event=demo, user=judge, duty="judge")
    by = organiser(demo)
    give_penalty(player=demo.players.get(number=5), infraction="1.1", step=1, reason="Late", by=by)
    hall = screens.add_screen(event=demo, name="Entrance", by=by)
    screens.steer_screen(screen=hall, shows="seating", through=None, version=1, by=by)
    screens.say_on_screens(event=demo, only=hall, text="Lunch", until=None, by=by)
    demo = events.change_settings(
        event=demo,
        settings={
            "organisers": "Club Topo",
            "contact": "ask@example.org",
            "governing_language": "es",
        },
        by=by,
    )
    for place, logo in ((1, PHOTO), (2, None)):
        facts = {"name": f"Sponsor {place}", "link": "https://example.org", "place": place}
        sponsors.add_sponsor(event=demo, facts=facts, logo=logo, by=by)
    old = {"name": "Old one", "edition": "2004–2024", "promo_cards": "El carrusel"}
    for facts, tables in ((old, [1, 2]), ({"name": "New one", "edition": "2025"}, [])):
        box = boxes.add_box(event=demo, facts=facts, tables=tables, by=by)
        boxes.check_box(box=box, moment="before", missing="", by=by)
    boxes.check_box(box=box, moment="after", missing="two gold cards", by=by)
    for question in ("May a player say which goal card they saw?", "And show it?"):
        ruling = rulings.give_ruling(event=demo, question=question, decision="No.", by=by)
    rulings.withdraw_ruling(ruling=ruling, reason="The rules say so already", by=by)
    invitation = staff.invite(event=demo, email="new@example.org", duty="judge", by=by)
    events_by_name = SimpleNamespace(demo=demo, calling=calling(user, judge), **small(user))
    season = a_season(user, judge, events_by_name)
    return World(user, judge, stranger, invitation, events_by_name, season)


def a_season(user: User, judge: User, events: SimpleNamespace) -> SimpleNamespace:
    """Events that are over, to come, asked for and taken out; two standings; a deal loss; somebody
    whose results stand together, and a question whether two are one."""
    by = Actor.of_user(user)
    whole = make_series(user, name="Campeonato 2026")
    league = make_series(
        user, name="Liga de la Mina", parent=whole, description="All shops of the north."
    )
    SeriesMember.objects.create(series=league, user=judge, duty="judge")
    for name in ("over", "fresh", "reopened", "full"):
        entry = series.enter_event(
            series=league,
            event=getattr(events, name),
            side=Side.SERIES,
            weight=150 if name == "over" else 100,
            by=by,
        )
    series.take_out(entry=entry, side=Side.SERIES, reason="It is played elsewhere.", by=by)
    mine = Actor.of_user(person("Otra Organiza"))
    other = series.create_series(facts=facts_of(whole, "Copa del Sur"), by=mine)
    for event in (events.over, events.here):
        series.enter_event(series=other, event=event, side=Side.SERIES, weight=100, by=mine)
    asked = make_event(name="Asks for the league")
    series.enter_event(series=league, event=asked, side=Side.EVENT, weight=100, by=organiser(asked))
    tables = [
        make_table(league, name="Masters"),
        make_table(league, "best-n", name="Best three", parameters={"best": 3, "of": "sum"}),
    ]
    lost = events.reopened.players.get(number=12)
    deal = DealRef("preliminary", 1, 1)
    give_penalty(player=lost, infraction="2.2", step=3, reason="Drew twice", by=by, deal=deal)
    one, two, three = events.over.players.order_by("number")[:3]
    who = joined(one, "ana@example.org", "Ana Ruiz")
    persons.change_person(person=who, name="Ana Ruiz", public=True, shows_roles=True)
    with_email(events.reopened.players.get(number=1), "bo@example.org")
    merge = merges.propose_merge(
        series=league,
        first=with_email(two, "cy@example.org"),
        second=events.reopened.players.get(number=1),
        reason="The same hand",
        by=by,
    )
    return SimpleNamespace(
        series=league,
        tables=tables,
        person=who,
        claim=claim_of(three, "dot@example.org", "Dot"),
        side=merge.sides.first(),
        invitation=series.invite(series=league, email="helps@example.org", duty="judge", by=by),
    )


def facts_of(whole: Series, name: str) -> series.SeriesFacts:
    """Another series of the same season."""
    return series.SeriesFacts(name, whole.starts_on, whole.ends_on, public=True)


def calling(user: User, judge: User) -> Event:
    """A round with a clock: one table calls a judge, to one a judge goes, at one people are
    missing; more is planned than the day holds."""
    start = timezone.now() - timedelta(minutes=8)
    event = make_event(
        organiser=user,
        name="Judges are called",
        starts_at=start,
        registration_closes_at=start,
        ends_at=start + timedelta(hours=3),
        round_minutes=45,
        final_minutes=60,
    )
    StaffMember.objects.create(event=event, user=judge, duty="judge")
    make_players(event, 24)
    round_, by = make_round(event), organiser(event)
    one, two, three, four = tables_of(round_)
    clocks.start_clock(round_=round_, by=by, at=start)
    calls.call_judge(table=one, reason="Somebody saw a hand card", by=at(one, 1))
    answered = calls.call_judge(table=two, reason="", by=at(two, 1))
    calls.answer_call(call=answered, by=Actor.of_user(judge))
    marks = lateness.report_missing(table=three, positions=[2, 3, 4], by=at(three, 1))
    lateness.mark_arrived(mark=marks[2], by=by)
    play(four)
    return event


def person(name: str) -> User:
    user = make_user(name.split()[0])
    user.name = name
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def small(user: User) -> dict[str, Event]:
    """One event for each station of the desk."""
    return {
        "draft": make_event(organiser=user, published=False, name="Only a draft"),
        "fresh": make_event(organiser=user, name="Nobody yet", minimum_age=18),
        "minors": with_minors(user),
        "full": full(user),
        "here": here(user),
        "drawn": drawn(user),
        "entered": entered(user),
        "reopened": reopened(user),
        "cut": level(user, "Before the cut"),
        "lot": lot(user, "Level on the line"),
        "finalists": finalists(user, "Finalists"),
        "choosing": finalists(user, "Finalists choose", final_seats="choice"),
        "working": working(user),
        "tied": tied(user),
        "prizes": with_prizes(user),
        "over": over(user),
        **with_places(user),
        "hidden": level(user, "Hidden standings", standings_shown="hidden"),
        "revealing": revealing(user),
    }


def full(user: User) -> Event:
    """Two places, three people: one waits."""
    event = make_event(organiser=user, name="All places taken", capacity=2, minimum_age=18)
    for number, name in enumerate(("Ana Ruiz", "Łukasz Żółć", "Şebnem Çağlar"), start=1):
        entry = players.PlayerEntry(name=name, email=f"p{number}@example.org", age_confirmed=True)
        registration.register(event=event, entry=entry, by=organiser(event))
    refused, tried, _delivered = event.mails.order_by("pk")
    for mail, status in ((refused, "failed"), (tried, "waiting")):
        mail.status, mail.sent_at, mail.error = status, None, "550 no such mailbox"
        mail.next_at += timedelta(days=1)
        mail.save()
    return event


def with_minors(user: User) -> Event:
    """Two people under 18; of the second no parent or guardian has agreed."""
    event = make_event(organiser=user, name="Young and old", admits_minors=True)
    make_player(
        event,
        "Ana Ruiz",
        here=False,
        minor=True,
        guardian="Eva Ruiz",
        guardian_contact="eva@example.org",
        guardian_agrees=True,
    )
    make_player(event, "Bruno Gil", here=False, minor=True)
    return event


def here(user: User) -> Event:
    event = make_event(organiser=user, name="Ready to draw")
    make_players(event, 10)
    make_player(event, "Still On The Way", here=False)
    return event


def drawn(user: User) -> Event:
    """A draft of the second round, somebody not yet seated."""
    event = make_event(organiser=user, name="A draft to look at")
    make_players(event, 11)
    first = make_round(event)
    for table in tables_of(first):
        play(table)
    rounds.close_round(round_=first, by=organiser(event))
    make_round(event, 2, published=False)
    make_player(event, "Somebody Came Late")
    return event


def working(user: User) -> Event:
    """A draw is being computed, all day long; an earlier one came to nothing."""
    event = make_event(organiser=user, name="A draw goes on")
    by = organiser(event)
    one, two = make_players(event, 12)[:2]
    separations.separate_players(event=event, first=one, second=two, reason="mother and son", by=by)
    payload = {"number": 1, "instead_of": None}
    refused, _ = jobs.request_job(event=event, kind="draw", dedupe_key="", payload=payload, by=by)
    jobs.give_up(job=refused, status=JobStatus.FAILED, message="Somebody came or went.")
    job, _ = jobs.request_job(event=event, kind="draw", dedupe_key="", payload=payload, by=by)
    jobs.begin(job=job)
    Job.objects.filter(pk=job.pk).update(
        progress=40, heartbeat_at=timezone.now() + timedelta(days=1)
    )
    return event


def entered(user: User) -> Event:
    """A table that has entered all deals."""
    event = make_event(organiser=user, name="All entered", deals_per_round=1)
    make_players(event, 5)
    enter(tables_of(make_round(event))[0], 1)
    return event


def reopened(user: User) -> Event:
    """A sheet of a closed round is open again."""
    event = level(user, "A wrong sheet", rounds_planned=2)
    sheet = Scoresheet.objects.get(table=tables_of(event.rounds.get())[0])
    scoresheets.reopen_sheet(sheet=sheet, reason="the wrong row", by=organiser(event))
    return event


def level(user: User, name: str, **settings: Any) -> Event:
    """Twelve players, one round, all level."""
    event = make_event(organiser=user, name=name, **{"rounds_planned": 1} | settings)
    make_players(event, 12)
    round_ = make_round(event)
    for table in tables_of(round_):
        play(table, LEVEL)
    rounds.close_round(round_=round_, by=organiser(event))
    event.refresh_from_db()
    return event


def lot(user: User, name: str, **settings: Any) -> Event:
    event = level(user, name, **settings)
    cuts.make_cut(event=event, by=organiser(event))
    return event


def finalists(user: User, name: str, **settings: Any) -> Event:
    event = lot(user, name, **settings)
    cut = event.cuts.get()
    cuts.settle_line(cut=cut, by=organiser(event))
    cuts.decline_seat(
        qualifier=cut.qualifiers.get(place=2), reason="has to leave", by=organiser(event)
    )
    return event


def tied(user: User, name: str = "Ties in the final") -> Event:
    """The final is closed, ranks are shared; one of them is settled by a lot."""
    event = finalists(user, name)
    by = organiser(event)
    final = finals.draw_final(cut=event.cuts.get(), by=by, seed=1)
    rounds.publish_round(round_=final, by=by)
    play(tables_of(final)[0], PAIRS)
    rounds.close_round(round_=final, by=by)
    return event


def revealing(user: User) -> Event:
    """The standings are hidden, but for the ranks behind the final."""
    event = tied(user, "Rank by rank")
    settings = {"standings_shown": "hidden"}
    event = events.change_settings(event=event, settings=settings, by=organiser(event))
    reveals.reveal_ranks(event=event, down_to=7, by=organiser(event))
    return event


def with_prizes(user: User) -> Event:
    """Twelve who share the first rank, and no final: one has chosen, one is passed over, and
    one has a promo card."""
    event = level(user, "Prizes to give", cut_size=0)
    by = organiser(event)
    for entry in (
        prizes.PrizeEntry("A cup", "rank", 1, 1, 1),
        prizes.PrizeEntry("Backpack", "choice", 2),
        prizes.PrizeEntry("Promo card", "raffle", 3),
        prizes.PrizeEntry("Pickaxe", "saboteur", 1),
        prizes.PrizeEntry("A hat", "special", 1, what_for="the youngest"),
    ):
        prizes.add_prize(event=event, entry=entry, by=by)
    one, two = event.players.select_related("event").order_by("number")[:2]
    thing = event.prizes_listed.get(kind="choice")
    prizes.give_on_podium(player=one, thing=thing, by_wish=False, by=by)
    prizes.pass_over(player=two, by=by)
    here = list(event.players.filter(number__in=(3, 4)))
    won = prizes.draw_raffle(event=event, here=here, by=by)
    prizes.take_back(gift=won[1], reason="has left", by=by)
    return event


def with_places(user: User) -> dict[str, Event]:
    """A shop that has given places at a national final, down to who was passed over; and that
    final, which has given one directly and is asked to let others in."""
    start = timezone.now() + timedelta(days=60)
    times = {"starts_at": start, "registration_closes_at": start, "minimum_age": 14}
    final = make_event(organiser=user, name="National final", capacity=24, **times)
    by = organiser(final)
    shop = simulate(SimulationPlan(players=12, rounds=1, name="A shop's qualifier"))
    StaffMember.objects.create(event=shop, user=user, duty="organiser")
    entry = places.PromiseEntry(target=final, bands=[[5, 2], [7, 3]], due_days=7)
    promise = places.promise_places(event=shop, entry=entry, by=by)
    words = places.PromiseEntry(target_name="World final", number=1, due_days=7)
    places.promise_places(event=shop, entry=words, by=by)
    ranked = [row.number for row in standings_for(shop).ranked]
    fourth = shop.players.get(number=ranked[3])
    places.skip_player(promise=promise, player=fourth, why="gone", by=by)
    offered = places.offer_places(event=shop, by=by).places
    places.accept_place(place=offered[0], by=by)
    places.decline_place(place=offered[1], by=by, reason="no train")
    direct = places.DirectEntry("Eva Sol", "wild_card", "eva@example.org")
    places.give_directly(event=final, entry=direct, by=by)
    other = level(make_user("Otto"), "Another shop")
    entry = places.PromiseEntry(target=final, number=1, due_days=7)
    places.promise_places(event=other, entry=entry, by=organiser(other))
    final.refresh_from_db()
    return {"shop": shop, "national": final}


def over(user: User) -> Event:
    event = simulate(SimulationPlan(players=16, rounds=2, name="Finished"))
    StaffMember.objects.create(event=event, user=user, duty="organiser")
    return event
