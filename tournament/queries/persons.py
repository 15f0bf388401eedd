"""Who is whose: entries that persons have joined, and what their pages show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from django.db.models import BigIntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Lower

from tournament.models import (
    Event,
    Freeze,
    Merge,
    MergeSide,
    Person,
    PersonContact,
    PersonLink,
    Player,
    Result,
    Series,
)
from tournament.models.events import EventStatus
from tournament.models.results import Reached
from tournament.names import abbreviated, tells_whole
from tournament.queries.series import entries_in, whole_tree
from tournament.queries.visibility import wholly_shown
from tournament.spelling import folded

MOST_CANDIDATES = 20


def person_of(player: Player) -> Person | None:
    """The person who has the entry now."""
    link = (
        PersonLink.objects.in_force()
        .filter(player=player)
        .select_related("person__contact")
        .first()
    )
    return link.person if link is not None else None


def person_by_email(email: str) -> Person | None:
    return Person.objects.filter(contact__email=email.lower()).first()


def stands_for(person: Person) -> Person:
    """The person whom this one was joined into, as long as that holds."""
    seen = {person.pk}
    while True:
        merge = (
            Merge.objects.filter(joined=person, done_at__isnull=False, undone_at__isnull=True)
            .select_related("into")
            .first()
        )
        if merge is None or merge.into is None or merge.into.pk in seen:
            return person
        person = merge.into
        seen.add(person.pk)


def key_of_person(*, entries: tuple[str, ...], emails: tuple[str, ...]) -> Coalesce:
    """Of rows of any kind, for `annotate`: the key of the person who has the first of these
    entries that is linked, else of whoever is known by one of these addresses; the names are those
    of the rows' fields. It may be of one who was joined into another: `became` tells."""
    links, known = PersonLink.objects.in_force(), PersonContact.objects.all()
    having = [links.filter(player=OuterRef(name)).values("person") for name in entries]
    written = [known.filter(email=Lower(OuterRef(name))).values("person") for name in emails]
    keys = [Subquery(one[:1]) for one in (*having, *written)]
    return Coalesce(*keys, output_field=BigIntegerField(null=True))


def became() -> Mapping[int, int]:
    """Person who was joined -> who they are now, as `stands_for`, of everybody in one query."""
    merges = Merge.objects.filter(
        done_at__isnull=False, undone_at__isnull=True, joined__isnull=False, into__isnull=False
    )
    into = dict(merges.order_by("-pk").values_list("joined_id", "into_id"))
    return {joined: _end_of(into, joined) for joined in into}


def _end_of(into: Mapping[int, int], key: int) -> int:
    seen = {key}
    while (following := into.get(key)) is not None and following not in seen:
        seen.add(following)
        key = following
    return key


def events_linked(person: Person) -> QuerySet[Event]:
    links = PersonLink.objects.in_force().filter(person=person)
    return Event.objects.filter(players__in=links.values("player")).distinct()


@dataclass(frozen=True, slots=True)
class PersonResult:
    """An event of a person. `result`: None while it is not over, or not to be seen yet; `field`:
    among how many."""

    link: PersonLink
    event: Event
    result: Result | None
    field: int

    @property
    def over(self) -> bool:
        return self.event.status == EventStatus.FINISHED

    @property
    def reached(self) -> str:
        """How far they came, where that was further than everybody."""
        if self.result is None or self.result.reached == Reached.PRELIMINARY:
            return ""
        return str(Reached(self.result.reached).label)


@dataclass(frozen=True, slots=True)
class Roles:
    miner: int
    saboteur: int
    selfish: int

    @property
    def deals(self) -> int:
        return self.miner + self.saboteur + self.selfish


@dataclass(frozen=True, slots=True)
class PersonPage:
    """What a person's page shows: the latest event first."""

    person: Person
    results: tuple[PersonResult, ...]

    @property
    def wins(self) -> int:
        return sum(one.result is not None and one.result.won for one in self.results)

    @property
    def roles(self) -> Roles:
        """How often each was dealt, in deals whose roles are known."""
        found = [one.result for one in self.results if one.result is not None]
        return Roles(
            sum(one.miner_deals for one in found),
            sum(one.saboteur_deals for one in found),
            sum(one.selfish_deals for one in found),
        )


def person_page(person: Person) -> PersonPage:
    """In a fixed number of queries, however many events."""
    links = list(
        PersonLink.objects.in_force()
        .filter(person=person)
        .exclude(player__event__status=EventStatus.DRAFT)
        .select_related("player__event", "merge__joined")
        .order_by("-player__event__starts_at", "-pk")
    )
    events = [one.player.event for one in links]
    shown = wholly_shown(one for one in events if one.status == EventStatus.FINISHED)
    results = {
        one.player_id: one
        for one in Result.objects.filter(
            freeze__in=Freeze.objects.in_force().filter(event__in=shown),
            player__in=[link.player_id for link in links],
        ).select_related("freeze")
    }
    return PersonPage(
        person,
        tuple(
            PersonResult(
                link,
                link.player.event,
                found := results.get(link.player_id),
                found.freeze.field if found is not None else 0,
            )
            for link in links
        ),
    )


def public_names(persons: QuerySet[Person]) -> dict[int, str]:
    """What everybody reads: who plays as somebody under 18 is never named in full."""
    names = dict(persons.values_list("pk", "name"))
    minors = PersonLink.objects.in_force().filter(player__minor=True, person__in=persons)
    for person, name in minors.values_list("person", "player__name"):
        if tells_whole(names.get(person, ""), name):
            names[person] = abbreviated(names[person])
    return names


def public_name_of(person: Person) -> str:
    return public_names(Person.objects.filter(pk=person.pk))[person.pk]


# --- merges ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry of a series that can be proposed: with its event, number and name as they are."""

    player: Player
    event: Event


def entries_named(series: Series, query: str) -> list[Candidate]:
    """Entries of the events of a series, also those below it, whose name has one of the words that
    were typed with commas between them; at most `MOST_CANDIDATES`."""
    below = whole_tree().below(series)
    events = {
        one.event_id: one.event for one in entries_in([series, *below]).select_related("event")
    }
    wanted = [word for one in query.split(",") if (word := folded(one))]
    rows = Player.objects.filter(event__in=events).order_by("-event__starts_at", "number")
    like = (
        pk
        for pk, name in rows.values_list("pk", "name").iterator()
        if any(word in folded(name) for word in wanted)
    )
    found = rows.filter(pk__in=list(islice(like, MOST_CANDIDATES)))
    return [Candidate(player, events[player.event_id]) for player in found]


def may_be_proposed(series: Series, player: Player) -> bool:
    """Whether the entry is in an event of the series or of one below it."""
    below = whole_tree().below(series)
    return entries_in([series, *below]).filter(event=player.event_id).exists()


@dataclass(frozen=True, slots=True)
class ListedMerge:
    merge: Merge
    sides: tuple[MergeSide, ...]


def merges_of(series: Series) -> tuple[ListedMerge, ...]:
    """The latest first, with both sides."""
    merges = Merge.objects.filter(series=series).prefetch_related("sides__player__event")
    return tuple(ListedMerge(one, tuple(one.sides.all())) for one in merges)


def merges_with(person: Person) -> QuerySet[Merge]:
    """Those that hold and made this person of two, or joined this one into another."""
    done = Merge.objects.filter(done_at__isnull=False, undone_at__isnull=True)
    return (done.filter(into=person) | done.filter(joined=person)).select_related(
        "series", "into", "joined"
    )
