"""The log in words: for whoever reads it, in their language, with the names as they are now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any

from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament import rulebook
from tournament.labels import LOG_VERBS
from tournament.models import (
    Announcement,
    Box,
    Break,
    Cut,
    Event,
    Invitation,
    JudgeCall,
    LogEntry,
    Lot,
    Penalty,
    Place,
    PlacePromise,
    PlaceSkip,
    Player,
    Prize,
    PrizeGift,
    PrizePass,
    Qualifier,
    Round,
    Ruling,
    Scoresheet,
    Screen,
    Separation,
    SeriesEvent,
    Sponsor,
    Table,
    User,
)
from tournament.queries.consequences import effect_words
from tournament.queries.log_details import NAMING, details_of
from tournament.queries.names import namesakes_in


@dataclass(frozen=True, slots=True)
class LogRow:
    """One entry as a page shows it. `about`: what it happened to; `actor`: who did it."""

    created_at: datetime
    what: str
    about: str
    actor: str
    reason: str
    effect: str
    details: list[str]


# What the log can be narrowed down to: the beginnings of its verbs.
LOG_KINDS: dict[str, tuple[str, ...]] = {
    "people": (
        "player",
        "guardian",
        "tickets",
        "separation",
        "announcement",
        "person",
        "contacts",
        "names",
    ),
    "rounds": ("round", "table", "clock", "call", "late"),
    "sheets": ("deal", "sheet"),
    "penalties": ("penalty",),
    "rulings": ("ruling",),
    "final": ("cut", "seat", "lot", "semi_final", "final", "standings", "results"),
    "prizes": ("prize",),
    "places": ("place",),
    "event": ("event", "staff", "screen", "box", "sponsor", "series"),
}


def log_of(event: Event, kind: str = "", about: Player | None = None) -> QuerySet[LogEntry]:
    """Latest first. `kind`: a key of `LOG_KINDS`; `about`: one player, with what was done by them
    and what they were penalised for."""
    # With the event: hours are told by its clock.
    found = LogEntry.objects.filter(event=event).select_related("event").order_by("-pk")
    if kind in LOG_KINDS:
        parts = [Q(verb__startswith=beginning) for beginning in LOG_KINDS[kind]]
        found = found.filter(reduce(or_, parts))
    return found.filter(_concerns(about)) if about is not None else found


def _concerns(player: Player) -> Q:
    penalties = list(player.penalties.values_list("pk", flat=True))
    seats = list(Qualifier.objects.filter(player=player).values_list("pk", flat=True))
    return (
        Q(object_type="player", object_id=player.pk)
        | Q(object_type="penalty", object_id__in=penalties)
        | Q(object_type="qualifier", object_id__in=seats)
        | Q(actor__startswith=f"player:{player.pk}@")
    )


def history_of_sheet(sheet: Scoresheet) -> list[LogRow]:
    return log_rows(LogEntry.objects.about(sheet).order_by("-pk")[:50])


def who_entered(sheet: Scoresheet, number: int) -> LogRow | None:
    """Who entered this deal last, and when; None where it was typed with the whole sheet."""
    entries = LogEntry.objects.about(sheet).filter(verb__in=("deal.entered", "deal.corrected"))
    found = (one for one in entries.order_by("-pk") if (one.after or {}).get("deal") == number)
    return next(iter(log_rows(islice(found, 1))), None)


def log_rows(entries: Iterable[LogEntry]) -> list[LogRow]:
    """In a number of queries that depends on the kinds of things, not on how many there are."""
    found = list(entries)
    about = _things(found)
    actors = actor_names(entry.actor for entry in found)
    names = _names_in(found)
    return [
        LogRow(
            created_at=entry.created_at,
            what=str(LOG_VERBS.get(entry.verb, entry.verb)),
            about=_about(entry, about),
            actor=actors[entry.actor],
            reason=entry.reason or _code_reason(entry),
            effect=effect_words(entry.effect, names),
            details=details_of(entry, names),
        )
        for entry in found
    ]


def _names_in(entries: Iterable[LogEntry]) -> dict[int, str]:
    """Start number -> name, of everybody whom an entry may name; two of one name with it."""
    naming = (entry.event_id for entry in entries if entry.effect or entry.verb in NAMING)
    event = next(naming, None)
    if event is None:
        return {}
    apart = namesakes_in(Event(pk=event))
    rows = Player.objects.filter(event=event).values_list("number", "name")
    return {number: apart.staff_name(name, number) for number, name in rows}


def _about(entry: LogEntry, about: Mapping[tuple[str, int], str]) -> str:
    """Gone things leave their numbers in what is logged of them."""
    if entry.verb == "players.imported":
        match entry.after:
            case [int(first), int(last)]:
                return str(last - first + 1)
        return ""
    if entry.verb == "tickets.mailed" and isinstance(entry.after, list):
        return str(len(entry.after))
    return about.get((entry.object_type, entry.object_id or 0), "")


def _code_reason(entry: LogEntry) -> str:
    """A reason that nobody typed."""
    after = entry.after if isinstance(entry.after, dict) else {}
    if after.get("signed"):
        return _("both signatures on paper")
    return _("drawn again") if after.get("drawn_again") else ""


def actor_names(signatures: Iterable[str]) -> dict[str, str]:
    """`Actor.signature` -> the person's name as it is now, and by whose link they came."""
    found = set(signatures)
    users = _by_key(User.objects.all(), found, "user")
    players = _by_key(Player.objects.all(), found, "player")
    same = {
        event: namesakes_in(Event(pk=event)) for event in {one.event_id for one in players.values()}
    }
    names = {ref: same[one.event_id].public_name_of(one) for ref, one in players.items()}
    return {one: _actor_name(one, users, names) for one in found}


def _by_key[M: Model](rows: QuerySet[M], signatures: Iterable[str], kind: str) -> dict[str, M]:
    refs = {ref for one in signatures for ref in one.split("@")}
    told = {ref.removeprefix(f"{kind}:") for ref in refs}
    keys = [int(key) for key in told if key.isdecimal() and len(key) < 19]
    return {f"{kind}:{row.pk}": row for row in rows.filter(pk__in=keys)}


_BY_LINK = {
    "table": gettext_lazy("%(player)s, table's link"),
    "ticket": gettext_lazy("%(player)s, own link"),
}
_CARRIED = gettext_lazy("%(player)s, table's link, carried by %(courier)s")


def _actor_name(signature: str, users: Mapping[str, User], players: Mapping[str, str]) -> str:
    ref, _at, link = signature.partition("@")
    if ref in users:
        return str(users[ref])
    if ref in players:
        return _BY_LINK.get(link, _CARRIED) % {
            "player": players[ref],
            "courier": users.get(link) or _("another phone"),
        }
    if ref == "visitor":
        return _("public registration")
    if ref == "invited":
        return _("link of the place")
    # A command, or somebody whose row is gone: the entry stays and says what it has.
    return ref.partition(":")[2]


def _things(entries: Iterable[LogEntry]) -> dict[tuple[str, int], str]:
    """(type, key) -> what the thing is called."""
    keys: dict[str, set[int]] = defaultdict(set)
    for entry in entries:
        if entry.object_id is not None:
            keys[entry.object_type].add(entry.object_id)
    return {
        (kind, row.pk): name(row)
        for kind, wanted in keys.items()
        if kind in _NAMES
        for rows, name in [_NAMES[kind]]
        for row in rows().filter(pk__in=wanted)
    }


def _sheet_name(sheet: Scoresheet) -> str:
    return _table_name(sheet.table)


def _table_name(table: Table) -> str:
    return f"{table.round.label}, {table}"


def _lot_name(lot: Lot) -> str:
    """Who was drawn, the first one first."""
    people = rulebook.players_by_id(lot.event)
    return ", ".join(str(people[player]) for player in lot.order if player in people)


type _Rows = Callable[[], QuerySet[Any]]

# Model name -> how its rows are fetched, and what one is called.
_NAMES: Mapping[str, tuple[_Rows, Callable[[Any], str]]] = {
    "event": (Event.objects.all, str),
    "player": (Player.objects.all, str),
    "round": (Round.objects.all, str),
    "table": (lambda: Table.objects.select_related("round"), _table_name),
    "scoresheet": (lambda: Scoresheet.objects.select_related("table__round"), _sheet_name),
    "judgecall": (
        lambda: JudgeCall.objects.select_related("table__round"),
        lambda call: _table_name(call.table),
    ),
    "penalty": (lambda: Penalty.objects.select_related("player"), lambda one: str(one.player)),
    "qualifier": (
        lambda: Qualifier.objects.select_related("player"),
        lambda one: str(one.player),
    ),
    "cut": (Cut.objects.all, lambda cut: _("Cut to %(size)s") % {"size": cut.size}),
    "lot": (lambda: Lot.objects.select_related("event"), _lot_name),
    "announcement": (Announcement.objects.all, str),
    "box": (Box.objects.all, str),
    "break": (Break.objects.all, lambda one: one.text),
    "ruling": (Ruling.objects.all, str),
    "screen": (Screen.objects.all, str),
    "sponsor": (Sponsor.objects.all, str),
    "separation": (lambda: Separation.objects.select_related("first", "second"), str),
    "prize": (Prize.objects.all, str),
    "prizegift": (lambda: PrizeGift.objects.select_related("player", "prize"), str),
    "prizepass": (lambda: PrizePass.objects.select_related("player"), str),
    "placepromise": (PlacePromise.objects.all, str),
    "place": (lambda: Place.objects.select_related("player"), str),
    "placeskip": (lambda: PlaceSkip.objects.select_related("player"), str),
    "invitation": (Invitation.objects.all, lambda one: str(one.email)),
    "seriesevent": (
        lambda: SeriesEvent.objects.select_related("series"),
        lambda one: str(one.series),
    ),
    "user": (User.objects.all, str),
}
