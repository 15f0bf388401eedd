"""Two entries of one person: proposed by organisers, done when both sides say yes, taken apart by
whoever it concerns."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament import mail
from tournament.actions.persons import touch
from tournament.actions.series import lock_series
from tournament.models import (
    Event,
    Merge,
    MergeSide,
    Person,
    PersonContact,
    PersonLink,
    Player,
    Series,
    SeriesLogEntry,
)
from tournament.models.actors import Actor
from tournament.queries.persons import events_linked, may_be_proposed, person_of
from tournament.refusals import Conflict, Refused


def _address_of(player: Player, person: Person | None) -> str:
    """Where the question goes: to the person who has the entry, else to the entry's address."""
    return person.email if person is not None else player.email.lower()


@transaction.atomic
def propose_merge(
    *, series: Series, first: Player, second: Player, reason: str, by: Actor
) -> Merge:
    """Ask both sides, by mail, whether they are one person. Nothing changes before both say
    yes."""
    series = lock_series(series)
    players = [
        Player.objects.select_related("event", "contact").get(pk=one.pk) for one in (first, second)
    ]
    _check_pair(series, players)
    open_ones = Merge.objects.filter(done_at__isnull=True, closed_at__isnull=True)
    for one in players:
        open_ones = open_ones.filter(sides__player=one)
    if open_ones.exists():
        raise Refused(_("These two are asked already."))
    merge = Merge.objects.create(series=series, reason=reason, proposed_by=by.user)
    for one in players:
        person = person_of(one)
        email = _address_of(one, person)
        if not email:
            raise Refused(
                _("There is no e-mail of %(name)s, so they cannot be asked.") % {"name": one}
            )
        side = MergeSide.objects.create(merge=merge, player=one, person=person, email=email)
        other = players[1 - players.index(one)]
        mail.send_merge(side, other)
    SeriesLogEntry.objects.record(
        "merge.proposed", series=series, by=by, about=merge, reason=reason
    )
    return merge


def _check_pair(series: Series, players: list[Player]) -> None:
    first, second = players
    if first == second:
        raise Refused(_("Choose two different entries."))
    for one in players:
        if not may_be_proposed(series, one):
            # By what was sent, it may be anybody's on this site: their name is not told.
            raise Refused(_("One of the two is in no event of this series."))
    _check_apart(first, second)


def _check_apart(first: Player, second: Player) -> None:
    """One person plays an event once."""
    one, other = person_of(first), person_of(second)
    if one is not None and one == other:
        raise Refused(_("They are one person already."))
    events = [
        set(events_linked(who).values_list("pk", flat=True))
        if who is not None
        else {player.event_id}
        for who, player in ((one, first), (other, second))
    ]
    if both := events[0] & events[1]:
        event = Event.objects.get(pk=min(both))
        raise Refused(_("Both played in %(event)s: they cannot be one person.") % {"event": event})


def answer_merge(*, side: MergeSide, agrees: bool, by: Actor) -> Merge:
    """One side answers by its link. With the second yes it is done; a no ends it."""
    for _attempt in range(5):
        try:
            return _answer(side, agrees, by)
        except IntegrityError:  # an entry was claimed, or an address taken, at the same instant
            continue
    return _answer(side, agrees, by)


def _lock_all(merge: Merge) -> Merge:
    """The persons, then the series with its tree, then the proposal."""
    concerned = Person.objects.filter(
        Q(links__player__merge_sides__merge=merge, links__withdrawn_at__isnull=True)
        | Q(pk__in=[merge.into_id or 0, merge.joined_id or 0])
    )
    list(Person.objects.filter(pk__in=list(concerned.values_list("pk", flat=True))).locked())
    lock_series(merge.series)
    return Merge.objects.select_related("series", "into", "joined").lock(merge.pk)


@transaction.atomic
def _answer(side: MergeSide, agrees: bool, by: Actor) -> Merge:
    merge = _lock_all(side.merge)
    sides = list(merge.sides.select_related("player__event", "player__contact", "person__contact"))
    (mine,) = (one for one in sides if one.pk == side.pk)
    if mine.agrees == agrees and (merge.open or merge.holds):
        return merge
    if not merge.open:
        raise Refused(_("This question is settled already."))
    mine.agrees, mine.answered_at = agrees, timezone.now()
    mine.save(update_fields=["agrees", "answered_at"])
    if not agrees:
        _close(merge)
        SeriesLogEntry.objects.record("merge.refused", series=merge.series, by=by, about=merge)
        return merge
    if all(one.agrees for one in sides):
        return _join(merge, sides, by)
    SeriesLogEntry.objects.record("merge.agreed", series=merge.series, by=by, about=merge)
    return merge


def _close(merge: Merge) -> None:
    merge.closed_at = timezone.now()
    merge.save(update_fields=["closed_at"])
    merge.sides.update(email="")


def _join(merge: Merge, sides: list[MergeSide], by: Actor) -> Merge:
    first, second = (one.player for one in sides)
    _check_apart(first, second)
    people = [_who_agreed(one) for one in sides]
    into = people[0] or people[1] or _new_person(sides[0])
    joined = people[1] if people[0] is not None else None
    merge.into, merge.joined, merge.done_at = into, joined, timezone.now()
    merge.save(update_fields=["into", "joined", "done_at"])
    there = set(events_linked(into).values_list("pk", flat=True))
    moved = [one for one, who in ((first, people[0]), (second, people[1])) if who is None]
    if joined is not None:
        for link in joined.links.in_force().select_related("player"):
            link.withdrawn_at, link.ended_by = merge.done_at, merge
            link.save(update_fields=["withdrawn_at", "ended_by"])
            moved.append(link.player)
    if any(player.event_id in there for player in moved):
        raise Refused(_("Both played in one event: they cannot be one person."))
    for player in moved:
        PersonLink.objects.create(person=into, player=player, merge=merge)
    merge.sides.update(email="")
    SeriesLogEntry.objects.record("merge.done", series=merge.series, by=by, about=merge)
    touch(player.event_id for player in moved)
    return merge


def _who_agreed(side: MergeSide) -> Person | None:
    """The person of the entry, who has to be whom the question was sent to."""
    now = person_of(side.player)
    same = now == side.person if side.person is not None else True
    if not same or _address_of(side.player, now) != side.email:
        raise Refused(_("The entry is somebody else's by now: nothing was joined."))
    return now


def _new_person(side: MergeSide) -> Person:
    """Of two entries that nobody had claimed."""
    known = PersonContact.objects.filter(email=side.email).select_related("person").first()
    if known is not None:
        return known.person
    person = Person.objects.create(name=side.player.public_name, language=side.player.language)
    PersonContact.objects.create(person=person, email=side.email)
    return person


@transaction.atomic
def withdraw_merge(*, merge: Merge, by: Actor) -> Merge:
    """The organisers take their question back."""
    merge = _lock_all(merge)
    if not merge.open:
        raise Conflict(_("This question is settled already."))
    _close(merge)
    SeriesLogEntry.objects.record("merge.withdrawn", series=merge.series, by=by, about=merge)
    return merge


@transaction.atomic
def take_apart(*, merge: Merge, reason: str, by: Actor) -> Merge:
    """As it was before: what came by the merge goes, to whoever had it, unless they have left."""
    merge = _lock_all(merge)
    if not merge.holds:
        raise Conflict(_("This was taken apart already."))
    if not reason:
        raise Refused(_("Say why they are taken apart."))
    came = list(merge.made.in_force().select_related("player"))
    if PersonLink.objects.filter(
        merge=merge, ended_by__isnull=False, ended_by__undone_at__isnull=True
    ).exists():
        raise Refused(_("A later merge rests on this one: take that apart first."))
    now = timezone.now()
    for link in came:
        link.withdrawn_at = now
        link.save(update_fields=["withdrawn_at"])
    if merge.joined is not None and merge.joined.left_at is None:
        gone = {link.player_id for link in came}
        for link in merge.ended.filter(player__in=gone):
            PersonLink.objects.create(
                person=merge.joined, player_id=link.player_id, merge_id=link.merge_id
            )
    merge.undone_at, merge.undone_reason = now, reason
    merge.save(update_fields=["undone_at", "undone_reason"])
    SeriesLogEntry.objects.record(
        "merge.taken_apart", series=merge.series, by=by, about=merge, reason=reason
    )
    touch(link.player.event_id for link in came)
    return merge
