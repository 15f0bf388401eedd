"""Series: made, changed, staffed, and the events in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from scoring.refusal import Refusal
from scoring.seasons import season_rule
from tournament import mail
from tournament.actions.accounts import lock_account
from tournament.actions.results import freeze_if_missing
from tournament.models import (
    Event,
    KeptPenalty,
    LogEntry,
    Penalty,
    Series,
    SeriesEvent,
    SeriesInvitation,
    SeriesLogEntry,
    SeriesMember,
    SeriesTable,
    User,
)
from tournament.models.actors import Actor
from tournament.models.people import Duty
from tournament.models.series import MOST_DEEP, RESERVED_SERIES, Side, tree_of
from tournament.policies import can_organise, can_organise_series
from tournament.queries.series import penalties_over, whole_tree
from tournament.refusals import Conflict, Refused

BETWEEN_QUESTIONS = timedelta(days=1)  # by mail, about one event in one series


@dataclass(frozen=True, slots=True)
class SeriesFacts:
    """What is said of a series."""

    name: str
    starts_on: date
    ends_on: date
    description: str = ""
    public: bool = False
    parent: Series | None = None


def lock_series(series: Series, *others: Series | None) -> Series:
    """With the whole trees that these are in, by key: the log raises the version of all of them."""
    keys = tree_of(series, *(one for one in others if one is not None))
    locked = {one.pk: one for one in Series.objects.filter(pk__in=keys).locked()}
    return locked[series.pk]


def _free_slug(name: str) -> str:
    base = slugify(name)[:50] or "series"
    found = Series.objects.filter(slug__startswith=base).values_list("slug", flat=True)
    taken = {*RESERVED_SERIES, *found}
    if base not in taken:
        return base
    return next(slug for n in range(2, 10_000) if (slug := f"{base}-{n}") not in taken)


def create_series(*, facts: SeriesFacts, by: Actor) -> Series:
    """Whoever makes it is its organiser."""
    for _attempt in range(5):
        try:
            return _create(facts, by)
        except IntegrityError:  # somebody took the same address at the same instant
            continue
    return _create(facts, by)


@transaction.atomic
def _create(facts: SeriesFacts, by: Actor) -> Series:
    if by.user is not None:
        lock_account(by.user)
    if facts.parent is not None:
        parent = lock_series(facts.parent)
        _check_parent(None, parent, by)
    _check_dates(facts)
    series = Series.objects.create(slug=_free_slug(facts.name), **_fields(facts))
    if by.user is not None:
        SeriesMember.objects.create(series=series, user=by.user, duty=Duty.ORGANISER)
    SeriesLogEntry.objects.record("series.created", series=series, by=by, about=series)
    return series


def _fields(facts: SeriesFacts) -> dict[str, Any]:
    return {name: getattr(facts, name) for name in SeriesFacts.__slots__}


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value.pk
        if isinstance(value, Series)
        else value.isoformat()
        if isinstance(value, date)
        else value
        for name, value in fields.items()
    }


def _check_dates(facts: SeriesFacts) -> None:
    if facts.ends_on < facts.starts_on:
        raise Refused(_("It ends before it begins."))


def _check_parent(series: Series | None, parent: Series, by: Actor) -> None:
    """Whoever hangs a series under another organises both; nothing is below itself."""
    if by.user is None or not can_organise_series(by.user, parent):
        raise Refused(_("You do not organise %(series)s.") % {"series": parent})
    tree = whole_tree()
    under = tree.below(series) if series is not None else ()
    if parent == series or parent in under:
        raise Refused(_("A series cannot be part of itself."))
    own = len(tree.above(series)) if series is not None else 0
    deep = len(tree.above(parent)) + 2
    deepest = max((len(tree.above(one)) - own for one in under), default=0)
    if deep + deepest > MOST_DEEP:
        raise Refused(_("At most %(n)d series stand one in the other.") % {"n": MOST_DEEP})


@transaction.atomic
def change_series(*, series: Series, facts: SeriesFacts, by: Actor) -> Series:
    """Only what differs is written and logged."""
    series = lock_series(series, facts.parent)
    _check_dates(facts)
    before, after = {}, {}
    for name, value in _fields(facts).items():
        if (was := getattr(series, name)) != value:
            before[name], after[name] = was, value
    if not after:
        return series
    if after.get("parent") is not None and facts.parent is not None:
        _check_parent(series, facts.parent, by)
    left = Series(pk=series.pk, parent=series.parent)
    for name, value in after.items():
        setattr(series, name, value)
    series.save(update_fields=list(after))
    SeriesLogEntry.objects.record(
        "series.changed",
        series=series,
        by=by,
        about=series,
        before=_plain(before),
        after=_plain(after),
    )
    if "parent" in after and left.parent is not None:
        # The tree that it left shows it no more.
        SeriesLogEntry.objects.record("series.left", series=left.parent, by=by, about=series)
    return series


# --- staff -----------------------------------------------------------------------------------


@transaction.atomic
def invite(*, series: Series, email: str, duty: str, by: Actor) -> SeriesInvitation:
    """Send a link that gives its first opener, logged in, a duty at the series."""
    series = lock_series(series)
    email = email.lower()
    if by.user is None:
        raise Refused(_("Only an organiser can invite."))
    if series.staff.filter(user__email__iexact=email).exists():
        raise Refused(_("%(email)s has a duty at this series already.") % {"email": email})
    if series.invitations.open().filter(email__iexact=email).exists():
        raise Refused(_("%(email)s is invited already.") % {"email": email})
    invitation = SeriesInvitation.objects.create(
        series=series, email=email, duty=duty, invited_by=by.user
    )
    SeriesLogEntry.objects.record(
        "staff.invited", series=series, by=by, about=invitation, after=duty
    )
    mail.send_series_invitation(invitation)
    return invitation


@transaction.atomic
def accept_invitation(*, invitation: SeriesInvitation, user: User, by: Actor) -> SeriesMember:
    """The link works once; somebody who is on the staff keeps the duty they have."""
    user = lock_account(user)
    series = lock_series(invitation.series)
    invitation = SeriesInvitation.objects.get(pk=invitation.pk)
    if not invitation.open:
        raise Refused(_("This invitation was used or taken back."))
    member, _made = SeriesMember.objects.get_or_create(
        series=series, user=user, defaults={"duty": invitation.duty}
    )
    invitation.accepted_at = timezone.now()
    invitation.save(update_fields=["accepted_at"])
    SeriesLogEntry.objects.record(
        "staff.joined", series=series, by=by, about=user, after=member.duty
    )
    return member


@transaction.atomic
def revoke_invitation(*, invitation: SeriesInvitation, by: Actor) -> None:
    series = lock_series(invitation.series)
    invitation = SeriesInvitation.objects.get(pk=invitation.pk)
    if not invitation.open:
        raise Refused(_("This invitation was used or taken back."))
    invitation.revoked_at = timezone.now()
    invitation.save(update_fields=["revoked_at"])
    SeriesLogEntry.objects.record("staff.uninvited", series=series, by=by, about=invitation)


@transaction.atomic
def remove_member(*, member: SeriesMember, by: Actor) -> None:
    """A series keeps at least one organiser."""
    series = lock_series(member.series)
    others = series.staff.filter(duty=Duty.ORGANISER).exclude(pk=member.pk)
    if member.duty == Duty.ORGANISER and not others.exists():
        raise Refused(_("The series needs at least one organiser."))
    user, duty = member.user, member.duty
    member.delete()
    SeriesLogEntry.objects.record("staff.removed", series=series, by=by, about=user, before=duty)


# --- events ----------------------------------------------------------------------------------


def _lock_both(series: Series, event: Event) -> tuple[Series, Event]:
    series = lock_series(series)
    return series, Event.objects.lock(event.pk)


def _record(
    verb: str, entry: SeriesEvent, series: Series, event: Event, by: Actor, **more: Any
) -> None:
    """In both logs: the series' first, as its lock was."""
    SeriesLogEntry.objects.record(verb, series=series, by=by, about=event, **more)
    LogEntry.objects.record(verb, event=event, by=by, about=entry, **more)


@transaction.atomic
def enter_event(*, series: Series, event: Event, side: Side, weight: int, by: Actor) -> SeriesEvent:
    """Put an event into a series: at once by whoever organises both, else the other side is asked.
    `side`: whose organiser acts. An event that the other side asked for is in with it."""
    series, event = _lock_both(series, event)
    if by.user is None:
        raise Refused(_("Only an organiser can do this."))
    entry = SeriesEvent.objects.in_force().filter(series=series, event=event).first()
    if entry is not None:
        if entry.accepted_at is None and entry.asked_by != side:
            if side == Side.SERIES:  # how many times it counts is the series' to say
                entry.weight = weight
                entry.save(update_fields=["weight"])
            return _accept(entry, series, event, by)
        raise Refused(
            _("%(event)s is in this series already.") % {"event": event}
            if entry.accepted_at
            else _("%(event)s is asked for already: the other side has to answer.")
            % {"event": event}
        )
    both = can_organise(by.user, event) and can_organise_series(by.user, series)
    entry = SeriesEvent.objects.create(
        series=series, event=event, weight=weight, asked_by=side, created_by=by.user
    )
    if both:
        return _accept(entry, series, event, by)
    _record("series.asked", entry, series, event, by, after={"weight": weight, "side": side})
    if not _asked_lately(entry):
        mail.send_series_question(entry, _other_side(entry))
    return entry


def _asked_lately(entry: SeriesEvent) -> bool:
    """Whoever takes a question back and asks again fills no mailbox: it stands on the desk."""
    since = timezone.now() - BETWEEN_QUESTIONS
    same = SeriesEvent.objects.filter(series=entry.series, event=entry.event)
    asked = same.filter(asked_by=entry.asked_by, created_at__gt=since)
    return asked.exclude(pk=entry.pk).exists()


def _other_side(entry: SeriesEvent) -> list[str]:
    """The addresses of those who have to answer."""
    asked = entry.event.staff if entry.asked_by == Side.SERIES else entry.series.staff
    organisers = asked.filter(duty=Duty.ORGANISER)
    return list(organisers.order_by("pk").values_list("user__email", flat=True))


def _accept(entry: SeriesEvent, series: Series, event: Event, by: Actor) -> SeriesEvent:
    entry.accepted_by = by.user
    entry.accepted_at = timezone.now()
    entry.save(update_fields=["accepted_by", "accepted_at"])
    freeze_if_missing(event)
    _record("series.entered", entry, series, event, by, after={"weight": entry.weight})
    return entry


def _fresh(entry: SeriesEvent) -> tuple[SeriesEvent, Series, Event]:
    series, event = _lock_both(entry.series, entry.event)
    entry = SeriesEvent.objects.get(pk=entry.pk)
    if entry.withdrawn_at is not None:
        raise Conflict(_("It was taken out or answered meanwhile."))
    return entry, series, event


@transaction.atomic
def accept_event(*, entry: SeriesEvent, side: Side, by: Actor) -> SeriesEvent:
    """The side that was asked says yes."""
    entry, series, event = _fresh(entry)
    if entry.accepted_at is not None:
        return entry
    if entry.asked_by == side:
        raise Refused(_("The other side has to answer."))
    return _accept(entry, series, event, by)


@transaction.atomic
def take_out(*, entry: SeriesEvent, side: Side, reason: str, by: Actor) -> SeriesEvent:
    """Either side takes an event out, with a reason that everybody reads, or says no to a
    question, or takes its own back."""
    entry, series, event = _fresh(entry)
    if entry.accepted_at is not None and not reason:
        raise Refused(_("Say why: it stands on the page of the series."))
    entry.withdrawn_by = by.user
    entry.withdrawn_at = timezone.now()
    entry.withdrawn_reason = reason
    entry.save(update_fields=["withdrawn_by", "withdrawn_at", "withdrawn_reason"])
    _record("series.taken_out", entry, series, event, by, after={"side": side}, reason=reason)
    return entry


@transaction.atomic
def change_weight(*, entry: SeriesEvent, weight: int, by: Actor) -> SeriesEvent:
    entry, series, event = _fresh(entry)
    if entry.weight == weight:
        return entry
    before, entry.weight = entry.weight, weight
    entry.save(update_fields=["weight"])
    _record(
        "series.weight_changed",
        entry,
        series,
        event,
        by,
        before={"weight": before},
        after={"weight": weight},
    )
    return entry


# --- standings -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableFacts:
    """Standings by a rule; `parameters` as `scoring.seasons` reads them."""

    name: str
    rule: str
    parameters: dict[str, Any]
    with_below: bool = False


def _check_table(series: Series, facts: TableFacts, but: SeriesTable | None = None) -> None:
    try:
        season_rule(facts.rule, facts.parameters)
    except Refusal as refusal:
        raise Refused(_("This rule cannot be read."), code=refusal.code) from refusal
    same = series.tables.in_force().filter(name__iexact=facts.name)
    if same.exclude(pk=but.pk if but is not None else 0).exists():
        raise Refused(_("There are standings of this name already."))


@transaction.atomic
def add_table(*, series: Series, facts: TableFacts, by: Actor) -> SeriesTable:
    series = lock_series(series)
    _check_table(series, facts)
    last = series.tables.aggregate(last=Max("position"))["last"] or 0
    table = SeriesTable.objects.create(series=series, position=last + 1, **asdict(facts))
    SeriesLogEntry.objects.record(
        "table.added", series=series, by=by, about=table, after=asdict(facts)
    )
    return table


def _lock_table(table: SeriesTable) -> tuple[Series, SeriesTable]:
    series = lock_series(table.series)
    table = series.tables.get(pk=table.pk)
    if table.withdrawn_at is not None:
        raise Refused(_("These standings were taken away already."))
    return series, table


@transaction.atomic
def change_table(*, table: SeriesTable, facts: TableFacts, by: Actor) -> SeriesTable:
    """By another rule: everything is counted anew."""
    series, table = _lock_table(table)
    _check_table(series, facts, table)
    before = {name: getattr(table, name) for name in TableFacts.__slots__}
    if before == asdict(facts):
        return table
    for name, value in asdict(facts).items():
        setattr(table, name, value)
    table.save(update_fields=list(asdict(facts)))
    SeriesLogEntry.objects.record(
        "table.changed", series=series, by=by, about=table, before=before, after=asdict(facts)
    )
    return table


@transaction.atomic
def remove_table(*, table: SeriesTable, by: Actor) -> SeriesTable:
    series, table = _lock_table(table)
    table.withdrawn_at = timezone.now()
    table.save(update_fields=["withdrawn_at"])
    SeriesLogEntry.objects.record("table.removed", series=series, by=by, about=table)
    return table


# --- penalties -------------------------------------------------------------------------------


@transaction.atomic
def keep_penalty(
    *, series: Series, penalty: Penalty, reason: str, until: date, by: Actor
) -> KeptPenalty:
    """The staff of the series sees it beyond the season, until a day, for a reason."""
    series = lock_series(series)
    today = timezone.localdate()
    if penalty.pk not in {one.penalty.pk for one in penalties_over(series, today)}:
        raise Refused(_("This penalty is not to be seen here any more."))
    if not reason:
        raise Refused(_("Say why it is kept."))
    if until <= series.ends_on:
        raise Refused(_("Until the end of the season it is seen anyway: say a later day."))
    series.kept_penalties.in_force().filter(penalty=penalty).update(withdrawn_at=timezone.now())
    kept = KeptPenalty.objects.create(
        series=series, penalty=penalty, reason=reason, until=until, created_by=by.user
    )
    SeriesLogEntry.objects.record(
        "penalty.kept",
        series=series,
        by=by,
        about=penalty,
        after={"until": until.isoformat()},
        reason=reason,
    )
    return kept


@transaction.atomic
def let_penalty_go(*, kept: KeptPenalty, by: Actor) -> KeptPenalty:
    series = lock_series(kept.series)
    kept = KeptPenalty.objects.select_related("penalty").get(pk=kept.pk)
    if kept.withdrawn_at is None:
        kept.withdrawn_at = timezone.now()
        kept.save(update_fields=["withdrawn_at"])
        SeriesLogEntry.objects.record("penalty.let_go", series=series, by=by, about=kept.penalty)
    return kept
