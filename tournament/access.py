"""The object a page is about, for the person who asks: 404 if hidden from them, 403 if they may
only look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from tournament.models import (
    Box,
    Cut,
    Event,
    Invitation,
    Job,
    JudgeCall,
    LateArrival,
    MergeSide,
    Penalty,
    Person,
    PersonClaim,
    Place,
    PlacePromise,
    PlaceSkip,
    Player,
    Round,
    Ruling,
    Screen,
    Series,
    SeriesInvitation,
    SheetPhoto,
    Sponsor,
    Table,
)
from tournament.models.actors import Actor
from tournament.models.events import EventStatus
from tournament.models.people import Duty
from tournament.models.rounds import PLAYED_ROUND
from tournament.policies import duty_of, links_live, series_duty_of
from tournament.queries.cuts import current_cut

if TYPE_CHECKING:
    from tournament.models import User


def user_of(request: HttpRequest) -> User:
    return request.user  # type: ignore[return-value]


def actor_of(request: HttpRequest) -> Actor:
    return Actor.of_user(user_of(request))


def _events() -> QuerySet[Event]:
    """With their versions, by which a page looks for what is kept."""
    return Event.objects.select_related("current_version")


def public_event(slug: str) -> Event:
    """A published event."""
    return get_object_or_404(_events().exclude(status=EventStatus.DRAFT), slug=slug)


def visible_event(request: HttpRequest, slug: str) -> Event:
    """A published event, or a draft for its staff."""
    event = get_object_or_404(_events(), slug=slug)
    if event.status == EventStatus.DRAFT and duty_of(user_of(request), event) is None:
        raise Http404
    return event


def fairness_event(request: HttpRequest, slug: str) -> Event:
    """For everybody if the organiser likes, else for the staff alone."""
    event = visible_event(request, slug)
    if not event.fairness_public and duty_of(user_of(request), event) is None:
        raise Http404
    return event


def organised_event(request: HttpRequest, slug: str) -> Event:
    """For its organisers; its judges may only look (403), nobody else knows it (404)."""
    event = get_object_or_404(_events(), slug=slug)
    duty = duty_of(user_of(request), event)
    if duty is None:
        raise Http404
    if duty != Duty.ORGANISER:
        raise PermissionDenied
    return event


def staffed_event(request: HttpRequest, slug: str) -> Event:
    """For its organisers and judges."""
    event = get_object_or_404(_events(), slug=slug)
    if duty_of(user_of(request), event) is None:
        raise Http404
    return event


def player_of(event: Event, number: int) -> Player:
    player = get_object_or_404(event.players.select_related("contact"), number=number)
    player.event = event
    return player


def round_of(event: Event, pk: int) -> Round:
    round_ = get_object_or_404(event.rounds, pk=pk)
    round_.event = event
    return round_


def job_of(event: Event, pk: int) -> Job:
    job = get_object_or_404(event.jobs, pk=pk)
    job.event = event
    return job


def staff_table(event: Event, pk: int) -> Table:
    return get_object_or_404(
        Table.objects.select_related("round__event", "sheet").filter(round__event=event), pk=pk
    )


def penalty_of(event: Event, pk: int) -> Penalty:
    return get_object_or_404(event.penalties.select_related("player"), pk=pk)


def box_of(event: Event, pk: int) -> Box:
    """One that is in the event."""
    return get_object_or_404(event.boxes.in_force(), pk=pk)


def sponsor_of(event: Event, pk: int) -> Sponsor:
    return get_object_or_404(event.sponsors, pk=pk)


def ruling_of(event: Event, pk: int) -> Ruling:
    return get_object_or_404(event.rulings, pk=pk)


def call_of(event: Event, pk: int) -> JudgeCall:
    return get_object_or_404(event.calls, pk=pk)


def late_arrival_of(event: Event, pk: int) -> LateArrival:
    found = LateArrival.objects.select_related("round", "player").filter(round__event=event)
    mark = get_object_or_404(found, pk=pk)
    mark.round.event = event
    return mark


def cut_of(event: Event) -> Cut:
    """The last that is in force."""
    cut = current_cut(event)
    if cut is None:
        raise Http404
    return cut


class EventOver(Http404):
    """A link of a table whose event is finished: it leads nowhere any more, which can be said."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event


def table_by_link(token: str) -> Table:
    """The table whose sheet carries this link, once its round is published. Raises `EventOver`
    when the event is finished."""
    table = get_object_or_404(
        Table.objects.select_related("round__event", "sheet").filter(
            round__status__in=PLAYED_ROUND
        ),
        token=token,
    )
    if not links_live(table.round.event):
        raise EventOver(table.round.event)
    return table


def photo_of(table: Table, pk: int, *, removed: bool = False) -> SheetPhoto:
    """A photo of this table's sheet; one that was removed is for the staff alone."""
    found = SheetPhoto.objects.filter(sheet=table.sheet)
    photo = get_object_or_404(found if removed else found.kept(), pk=pk)
    photo.sheet = table.sheet
    return photo


def player_by_link(token: str) -> Player:
    """The player whose ticket this is. It shows results after the event, but changes nothing."""
    return get_object_or_404(
        Player.objects.select_related("event__current_version", "contact"), token=token
    )


def place_by_link(token: str) -> Place:
    """The place that this link offers, whatever became of it."""
    found = Place.objects.select_related(
        "event__current_version", "promise__target", "player__contact", "entry"
    )
    return get_object_or_404(found, token=token)


def promise_of(event: Event, pk: int) -> PlacePromise:
    """Of places that this event gives."""
    found = event.places_promised.in_force().select_related("target")
    promise = get_object_or_404(found, pk=pk)
    promise.event = event
    return promise


def promise_to(event: Event, pk: int) -> PlacePromise:
    """Of places at this event, which another one gives."""
    found = event.places_promised_here.in_force().exclude(event__status=EventStatus.DRAFT)
    return get_object_or_404(found, pk=pk)


def place_of(event: Event, pk: int) -> Place:
    """One that this event gave."""
    return get_object_or_404(event.places, pk=pk)


def place_at(event: Event, pk: int) -> Place:
    """One that counts in this event's registration."""
    let_in = Q(promise__target=event, promise__agreed_at__isnull=False)
    direct = Q(event=event, promise__isnull=True)
    return get_object_or_404(Place.objects.filter(let_in | direct), pk=pk)


def skip_of(event: Event, pk: int) -> PlaceSkip:
    found = PlaceSkip.objects.select_related("promise").filter(promise__event=event)
    return get_object_or_404(found, pk=pk)


def invitation_by_link(token: str) -> Invitation:
    return get_object_or_404(Invitation.objects.select_related("event"), token=token)


def screen_of(event: Event, pk: int) -> Screen:
    """One that is in use."""
    screen = get_object_or_404(event.screens.in_use(), pk=pk)
    screen.event = event
    return screen


def screen_by_link(token: str) -> Screen:
    """The screen of this address, also one that is switched off."""
    return get_object_or_404(Screen.objects.select_related("event__current_version"), token=token)


def visible_series(request: HttpRequest, slug: str) -> Series:
    """One that everybody may see, or one that is not shown yet for its staff."""
    series = get_object_or_404(Series, slug=slug)
    if not series.public and series_duty_of(user_of(request), series) is None:
        raise Http404
    return series


def staffed_series(request: HttpRequest, slug: str) -> Series:
    """For its organisers and judges."""
    series = get_object_or_404(Series, slug=slug)
    if series_duty_of(user_of(request), series) is None:
        raise Http404
    return series


def organised_series(request: HttpRequest, slug: str) -> Series:
    """For its organisers; its judges may only look (403), nobody else knows it (404)."""
    series = get_object_or_404(Series, slug=slug)
    duty = series_duty_of(user_of(request), series)
    if duty is None:
        raise Http404
    if duty != Duty.ORGANISER:
        raise PermissionDenied
    return series


def series_invitation_by_link(token: str) -> SeriesInvitation:
    return get_object_or_404(SeriesInvitation.objects.select_related("series"), token=token)


def person_by_link(token: str) -> Person:
    """The person whose own page this is, also one who has left."""
    return get_object_or_404(Person.objects.select_related("contact"), token=token)


def public_person(pk: int) -> Person:
    """Somebody who lets everybody open their page."""
    return get_object_or_404(Person.objects.filter(public=True, left_at__isnull=True), pk=pk)


def claim_by_link(token: str) -> PersonClaim:
    return get_object_or_404(
        PersonClaim.objects.select_related("player__event", "player__contact"), token=token
    )


def merge_side_by_link(token: str) -> MergeSide:
    return get_object_or_404(
        MergeSide.objects.select_related("merge__series", "player__event", "person"), token=token
    )
