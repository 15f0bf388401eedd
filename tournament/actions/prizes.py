"""Prizes: promised, given on the podium or by raffle, handed out, taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament import rulebook
from tournament.actions.cuts import log_lot, record_lot
from tournament.models import (
    Event,
    LogEntry,
    Lot,
    Player,
    Prize,
    PrizeGift,
    PrizePass,
    Submission,
)
from tournament.models.actors import Actor
from tournament.models.prizes import PrizeKind
from tournament.queries.names import called
from tournament.queries.prizes import (
    RAFFLE,
    Turn,
    best_saboteurs,
    may_give,
    podium_of,
    raffle_people,
    raffle_units,
)
from tournament.refusals import Conflict, Refused


@dataclass(frozen=True, slots=True)
class PrizeEntry:
    """What is said of a prize; ranks only of one for a rank, `what_for` only of a special one."""

    name: str
    kind: str
    stock: int
    first_rank: int | None = None
    last_rank: int | None = None
    what_for: str = ""


def _told(prize: Prize) -> dict[str, Any]:
    return {name: getattr(prize, name) for name in PrizeEntry.__slots__}


@transaction.atomic
def add_prize(*, event: Event, entry: PrizeEntry, by: Actor, key: str = "") -> Prize:
    """Promise it, as the last of the list."""
    event = Event.objects.lock(event.pk)
    if done := Submission.objects.outcome(event, key):
        return Prize.objects.get(pk=done)
    _check_stock(entry, given=0)
    last = event.prizes_listed.aggregate(last=Max("position"))["last"] or 0
    prize = Prize.objects.create(event=event, position=last + 1, **asdict(entry))
    Submission.objects.remember(event, key, prize)
    LogEntry.objects.record("prize.added", event=event, by=by, about=prize, after=asdict(entry))
    return prize


def _check_stock(entry: PrizeEntry, *, given: int) -> None:
    if entry.stock < 1:
        raise Refused(_("There must be at least one of it."))
    if entry.stock < given:
        raise Refused(
            ngettext(
                "%(given)d of it is given already: there cannot be fewer.",
                "%(given)d of it are given already: there cannot be fewer.",
                given,
            )
            % {"given": given}
        )


def _lock_prize(prize: Prize) -> tuple[Event, Prize]:
    event = Event.objects.lock(prize.event_id)
    prize = event.prizes_listed.get(pk=prize.pk)
    if prize.withdrawn_at is not None:
        raise Refused(_("This prize is off the list."))
    return event, prize


@transaction.atomic
def change_prize(*, prize: Prize, entry: PrizeEntry, by: Actor) -> Prize:
    event, prize = _lock_prize(prize)
    given, before = prize.gifts.in_force().count(), _told(prize)
    _check_stock(entry, given=given)
    if given and entry.kind != prize.kind:
        raise Refused(_("It is given already: who gets it cannot be changed any more."))
    if asdict(entry) == before:
        return prize
    for name, value in asdict(entry).items():
        setattr(prize, name, value)
    prize.save(update_fields=list(asdict(entry)))
    LogEntry.objects.record(
        "prize.changed", event=event, by=by, about=prize, before=before, after=asdict(entry)
    )
    return prize


@transaction.atomic
def move_prize_up(*, prize: Prize, by: Actor) -> Prize:
    """One place before, in the list and in the order in which things are raffled."""
    event, prize = _lock_prize(prize)
    listed = list(event.prizes_listed.in_force())
    place = listed.index(prize)
    if place == 0:
        return prize
    listed[place - 1 : place + 1] = listed[place], listed[place - 1]
    for position, one in enumerate(listed, 1):
        one.position = position
    Prize.objects.bulk_update(listed, ["position"])
    LogEntry.objects.record("prize.moved", event=event, by=by, about=prize)
    return prize


@transaction.atomic
def remove_prize(*, prize: Prize, by: Actor) -> Prize:
    """Off the list, as long as nobody has it."""
    event, prize = _lock_prize(prize)
    if prize.gifts.in_force().exists():
        raise Refused(_("Somebody has it: take it back first."))
    prize.withdrawn_at = timezone.now()
    prize.save(update_fields=["withdrawn_at"])
    LogEntry.objects.record("prize.removed", event=event, by=by, about=prize)
    return prize


def _lock_giving(event: Event) -> Event:
    event = Event.objects.lock(event.pk)
    if not may_give(event):
        raise Refused(_("Prizes are given once the event runs."))
    return event


def _turn(event: Event, player: Player) -> Turn:
    podium = podium_of(event)
    if not podium.certain:
        raise Refused(_("Not everything is played and confirmed yet: ranks may change."))
    turn = podium.turn_of(player)
    if turn is None:
        raise Conflict(
            _("It is not the turn of %(name)s now. Somebody else may have pressed before you.")
            % {"name": called(player)}
        )
    return turn


@transaction.atomic
def give_on_podium(
    *, player: Player, thing: Prize | None, by_wish: bool, by: Actor, key: str = ""
) -> list[PrizeGift]:
    """What the rank brings, and the thing that was chosen. `by_wish`: the person is not here, and
    has said what; then nothing is handed out yet."""
    event = _lock_giving(player.event)
    if Submission.objects.processed(event, key):
        return []
    turn = _turn(event, player)
    prizes = list(turn.due)
    if thing is not None:
        _check_choice(event, turn, thing)
        prizes.append(thing)
    if not prizes:
        raise Refused(_("Choose a thing."))
    Submission.objects.remember(event, key, player)
    return [_give(event, one, player, by, by_wish=by_wish, handed=not by_wish) for one in prizes]


def _check_choice(event: Event, turn: Turn, thing: Prize) -> None:
    if not turn.may_choose:
        raise Conflict(_("%(name)s has chosen already.") % {"name": called(turn.player)})
    left = {one.prize.pk for one in podium_of(event).things}
    if thing.pk not in left:
        raise Conflict(_("None is left: %(prize)s.") % {"prize": thing.name})


def _give(
    event: Event, prize: Prize, player: Player, by: Actor, *, handed: bool = False, **more: Any
) -> PrizeGift:
    gift = PrizeGift.objects.create(
        prize=prize,
        player=player,
        given_by=by.user,
        handed_at=timezone.now() if handed else None,
        handed_by=by.user if handed else None,
        **more,
    )
    LogEntry.objects.record(
        "prize.given",
        event=event,
        by=by,
        about=gift,
        after={"prize": prize.name, "number": player.number},
    )
    return gift


@transaction.atomic
def pass_over(*, player: Player, by: Actor, key: str = "") -> PrizePass | None:
    """They are not here: it is the turn of the next."""
    event = _lock_giving(player.event)
    if Submission.objects.processed(event, key):
        return None
    _turn(event, player)
    passed = PrizePass.objects.create(event=event, player=player, created_by=by.user)
    Submission.objects.remember(event, key, passed)
    LogEntry.objects.record("prize.passed_over", event=event, by=by, about=passed)
    return passed


@transaction.atomic
def undo_pass(*, passed: PrizePass, by: Actor) -> PrizePass:
    """They are here after all, and come next."""
    event = Event.objects.lock(passed.event_id)
    passed = event.prize_passes.select_related("player").get(pk=passed.pk)
    if passed.withdrawn_at is not None:
        raise Conflict(_("This was undone already."))
    passed.withdrawn_at, passed.withdrawn_by = timezone.now(), by.user
    passed.save(update_fields=["withdrawn_at", "withdrawn_by"])
    LogEntry.objects.record("prize.pass_undone", event=event, by=by, about=passed)
    return passed


@transaction.atomic
def give_special(*, prize: Prize, player: Player, by: Actor, key: str = "") -> PrizeGift | None:
    """A special prize to whoever earned it; the one of the best saboteur to nobody else."""
    event = _lock_giving(prize.event)
    if Submission.objects.processed(event, key):
        return None
    event, prize = _lock_prize(prize)
    if prize.kind not in (PrizeKind.SPECIAL, PrizeKind.SABOTEUR):
        raise Refused(_("This prize goes by rank, by choice or by lot."))
    if player.unranked:
        raise Refused(_("%(name)s stands in, and plays for no prize.") % {"name": called(player)})
    given = prize.gifts.in_force()
    if given.filter(player=player).exists():
        raise Conflict(_("%(name)s has it already.") % {"name": called(player)})
    if given.count() >= prize.stock:
        raise Conflict(_("None is left: %(prize)s.") % {"prize": prize.name})
    if prize.kind == PrizeKind.SABOTEUR and player not in [
        one.player for one in best_saboteurs(event)
    ]:
        raise Refused(_("%(name)s is not the best saboteur.") % {"name": called(player)})
    gift = _give(event, prize, player, by)
    Submission.objects.remember(event, key, gift)
    return gift


def _lock_gift(gift: PrizeGift) -> tuple[Event, PrizeGift]:
    event = Event.objects.lock(gift.prize.event_id)
    gift = PrizeGift.objects.select_related("prize", "player").get(pk=gift.pk)
    if gift.withdrawn_at is not None:
        raise Conflict(_("This prize was taken back already."))
    return event, gift


@transaction.atomic
def take_back(*, gift: PrizeGift, reason: str, by: Actor) -> PrizeGift:
    """It is in stock again; that it was given stays on record."""
    event, gift = _lock_gift(gift)
    if not reason:
        raise Refused(_("Say why the prize is taken back."))
    gift.withdrawn_at, gift.withdrawn_by = timezone.now(), by.user
    gift.withdrawn_reason = reason
    gift.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    LogEntry.objects.record("prize.taken_back", event=event, by=by, about=gift, reason=reason)
    return gift


@transaction.atomic
def hand_out(*, gift: PrizeGift, handed: bool, by: Actor) -> PrizeGift:
    """Tick that they have it in their hands, or take the tick away."""
    event, gift = _lock_gift(gift)
    if (gift.handed_at is not None) == handed:
        return gift
    gift.handed_at, gift.handed_by = (timezone.now(), by.user) if handed else (None, None)
    gift.save(update_fields=["handed_at", "handed_by"])
    verb = "prize.handed_out" if handed else "prize.not_handed_out"
    LogEntry.objects.record(verb, event=event, by=by, about=gift)
    return gift


@transaction.atomic
def draw_raffle(
    *,
    event: Event,
    here: Sequence[Player],
    by: Actor,
    paper_order: Sequence[str] | None = None,
    paper_note: str = "",
    key: str = "",
) -> list[PrizeGift]:
    """One thing each, in the drawn order, until nothing or nobody is left. `here`: who is still
    here; on paper, just those who were drawn, in their order."""
    event = _lock_giving(event)
    if Submission.objects.processed(event, key):
        return []
    units = raffle_units(event)
    if not units:
        raise Refused(_("Nothing is left to be raffled."))
    people = {rulebook.player_id(one.number): one for one in raffle_people(event)}
    players = sorted(rulebook.player_id(one.number) for one in here)
    if paper_order is not None:
        players = sorted(paper_order)
    if not players:
        raise Refused(_("Nobody is here who has no raffle prize yet."))
    if not people.keys() >= set(players):
        raise Conflict(_("Somebody came, left or won meanwhile. Look at who is here again."))
    lot = record_lot(
        event,
        line=f"{RAFFLE}{_raffles(event) + 1}",
        players=players,
        paper_order=paper_order,
        paper_note=paper_note,
    )
    log_lot(lot, by, key)
    drawn = zip(lot.order, units, strict=False)
    return [_give(event, prize, people[one], by, lot=lot) for one, prize in drawn]


def _raffles(event: Event) -> int:
    return Lot.objects.filter(event=event, line__startswith=RAFFLE).count()
