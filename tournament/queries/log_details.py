"""What stood before and what stands after, in words: the details of a log entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, Model
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.roles import Role
from tournament.labels import ERASED, infraction_name
from tournament.models import Box, Event, LogEntry, Player, Sponsor
from tournament.models.announcements import Audience
from tournament.models.boxes import CheckMoment
from tournament.models.events import FinalSeats, SemiSeating
from tournament.models.penalties import PenaltyStep
from tournament.models.people import Duty
from tournament.models.places import DirectWhy, SkipWhy
from tournament.models.players import PlayerStatus
from tournament.models.scoresheets import SheetStatus
from tournament.models.screens import View
from tournament.queries.boxes import ranges
from tournament.rulebook import LETTERS

type Names = Mapping[int, str]
_OTHER_SHAPES = (FieldDoesNotExist, KeyError, ValueError, TypeError, AttributeError)


def details_of(entry: LogEntry, names: Names) -> list[str]:
    """Lines that say what changed; none where the entry's own words say it all. `names`: start
    number -> name as it is now."""
    try:
        return _DETAILS.get(entry.verb, _nothing)(entry, names)
    except _OTHER_SHAPES:  # an entry of an older version: its own words stand
        return []


def _nothing(_entry: LogEntry, _names: Names) -> list[str]:
    return []


def _listed(numbers: Sequence[int], names: Names) -> str:
    return ", ".join(names.get(number, str(number)) for number in numbers)


def _ids(players: Sequence[str], names: Names) -> str:
    """Players as lots and cuts name them: start numbers with leading zeros."""
    return _listed([int(one) for one in players], names)


# --- settings and entries --------------------------------------------------------------------


def _settings(entry: LogEntry, _names: Names) -> list[str]:
    """ "Rounds: 3 → 4"."""
    before, after = entry.before or {}, entry.after or {}
    return [
        f"{_label(Event, name)}: {_value(Event, name, before.get(name))} → "
        f"{_value(Event, name, value)}"
        for name, value in after.items()
    ]


def _entry(entry: LogEntry, _names: Names) -> list[str]:
    """Which fields: their values are nobody's business here."""
    changed = (entry.after or {}).get("changed", ())
    return [", ".join(_label(Player, name) for name in changed)] if changed else []


def _label(model: type[Model], name: str) -> str:
    field = model._meta.get_field(name)
    assert isinstance(field, Field)  # noqa: S101 - relations are not logged
    return str(field.verbose_name).capitalize()


def _value(model: type[Model], name: str, value: Any) -> str:
    if value in (None, "", {}, []):
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    choices = dict(getattr(model._meta.get_field(name), "flatchoices", ()))
    return str(choices.get(value, value))


# --- people ----------------------------------------------------------------------------------


def _status(entry: LogEntry, names: Names) -> list[str]:
    after = entry.after
    promoted = after.get("promoted", []) if isinstance(after, dict) else []
    to = after.get("status") if isinstance(after, dict) else after
    lines = [f"{_state(entry.before)} → {_state(to)}"] if entry.before and to else []
    if promoted:
        lines.append(_("Moved up: %(names)s.") % {"names": _listed(promoted, names)})
    return lines


def _state(status: str) -> str:
    return str(PlayerStatus(status).label) if status in PlayerStatus.values else str(status)


def _numbers(entry: LogEntry, names: Names) -> list[str]:
    """Of several people at once, or two: who they are."""
    found = entry.after if entry.after is not None else entry.before
    return [_listed(found, names)] if isinstance(found, list) and found else []


def _duty(entry: LogEntry, _names: Names) -> list[str]:
    duty = entry.after or entry.before
    return [str(Duty(duty).label)] if duty in Duty.values else []


def _erased(entry: LogEntry, _names: Names) -> list[str]:
    """ "Mails that were waiting: 2"."""
    return [f"{ERASED[name]}: {count}" for name, count in (entry.after or {}).items()]


def _how_many(entry: LogEntry, _names: Names) -> list[str]:
    count = (entry.after or {})["people"]
    return [ngettext("%(n)d person", "%(n)d people", count) % {"n": count}]


# --- clocks ----------------------------------------------------------------------------------


def _moment(entry: LogEntry, _names: Names) -> list[str]:
    """When it starts, or how long it lasts: on the clock of the event."""
    after = entry.after or {}
    at = after.get("starts_at") or after.get("ends_at")
    moment = entry.event.local(datetime.fromisoformat(at)) if at else None
    return [date_format(moment, str(_("l, H:i:s")))] if moment else []


def _time(entry: LogEntry, _names: Names) -> list[str]:
    """ "45:00 → 50:00"."""
    before, after = entry.before or {}, entry.after or {}
    name = "seconds" if "seconds" in after else "extra_seconds"
    return [f"{_minutes(before[name])} → {_minutes(after[name])}"]


def _extra(entry: LogEntry, _names: Names) -> list[str]:
    """What the table got for the time with the judge."""
    seconds = (entry.after or {}).get("extra_seconds", 0)
    return [f"+{_minutes(seconds)}"] if seconds else []


def _minutes(seconds: int | None) -> str:
    sign, seconds = ("-" if seconds and seconds < 0 else ""), abs(seconds or 0)
    return f"{sign}{seconds // 60}:{seconds % 60:02}"


# --- rounds and sheets -----------------------------------------------------------------------


def _drawn(entry: LogEntry, _names: Names) -> list[str]:
    words = _("%(tables)s tables, seed %(seed)s")
    return [words % entry.after] if entry.after else []


def _tables(entry: LogEntry, _names: Names) -> list[str]:
    numbers = (entry.after or {}).get("tables", ())
    return [_("Tables: %(numbers)s") % {"numbers": ", ".join(map(str, numbers))}] if numbers else []


def _seating(entry: LogEntry, names: Names) -> list[str]:
    """Each table that changed: who sat there, who sits there."""
    before, after = ((one or {}).get("tables", {}) for one in (entry.before, entry.after))

    def people(tables: Mapping[str, Any], table: str) -> str:
        found = tables.get(table)
        return _listed(found, names) if isinstance(found, list) and found else "–"

    return [
        _("Table %(table)s: %(before)s → %(after)s")
        % {"table": table, "before": people(before, table), "after": people(after, table)}
        for table in sorted({*before, *after}, key=lambda one: (len(one), one))
        if before.get(table) != after.get(table)
    ]


def _deal(entry: LogEntry, _names: Names) -> list[str]:
    return [_change(entry.before, entry.after)]


def _typed(entry: LogEntry, _names: Names) -> list[str]:
    pairs = zip(entry.before or [], entry.after or [], strict=False)
    return [_change(before, after) for before, after in pairs]


def _change(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> str:
    return f"{_deal_words(before)} → {_deal_words(after)}" if before else _deal_words(after)


def _edition_words(facts: str) -> str:
    """ "mms; 3; 1/2/–": an edition's deal as it is written, with air in it."""
    return "; ".join(part or "–" for part in facts.split(":"))


def _deal_words(deal: Mapping[str, Any] | None) -> str:
    """ "Deal 2: seat 4 reached the gold; saboteurs 1, 2; selfish dwarf 3" or the points typed."""
    if not deal:
        return "–"
    head = _("deal %(number)s") % {"number": deal.get("deal", "")}
    if deal.get("void"):
        return f"{head}: {_('void')}"
    if points := deal.get("points"):
        return f"{head}: {'-'.join(points)}"
    if facts := deal.get("facts"):
        return f"{head}: {_edition_words(facts)}"
    roles = [LETTERS[letter] for letter in deal.get("roles", "")]
    seats = {role: [n for n, one in enumerate(roles, 1) if one == role] for role in Role}
    gold = (
        _("seat %(seat)s reached the gold") % {"seat": deal["connector"]}
        if deal.get("connector")
        else _("nobody reached the gold")
    )
    parts = [gold]
    if seats[Role.SABOTEUR]:
        parts.append(_("saboteurs: %(seats)s") % {"seats": _joined(seats[Role.SABOTEUR])})
    if seats[Role.SELFISH]:
        parts.append(_("selfish dwarfs: %(seats)s") % {"seats": _joined(seats[Role.SELFISH])})
    return f"{head}: {'; '.join(parts)}"


def _joined(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _reopened(entry: LogEntry, _names: Names) -> list[str]:
    return [str(SheetStatus(entry.before).label)] if entry.before in SheetStatus.values else []


# --- boxes -----------------------------------------------------------------------------------


def _box(entry: LogEntry, _names: Names) -> list[str]:
    """ "Tables: 1–4 → 1–3"."""
    before, after = entry.before or {}, entry.after or {}
    return [
        f"{_box_label(name)}: {_box_value(name, before.get(name))} → "
        f"{_box_value(name, after.get(name))}"
        for name in (after or before)
        if after.get(name) or before.get(name)
    ]


def _box_label(name: str) -> str:
    return _("Tables") if name == "tables" else _label(Box, name)


def _box_value(name: str, value: Any) -> str:
    return (ranges(value or ()) or "–") if name == "tables" else _value(Box, name, value)


def _counted(entry: LogEntry, _names: Names) -> list[str]:
    moment = CheckMoment((entry.after or {})["moment"]).label.capitalize()
    return [f"{moment}: {_('complete')}" if not entry.reason else moment]


def _sponsor(entry: LogEntry, _names: Names) -> list[str]:
    """ "Link: – → https://example.org"."""
    before, after = entry.before or {}, dict(entry.after or {})
    lines = [_("A new logo")] if after.pop("new_logo", False) else []
    return [
        *(
            f"{_label(Sponsor, name)}: {_value(Sponsor, name, before.get(name))} → "
            f"{_value(Sponsor, name, after.get(name))}"
            for name in (after or before)
        ),
        *lines,
    ]


# --- penalties, cut and final ----------------------------------------------------------------


def _penalty(entry: LogEntry, _names: Names) -> list[str]:
    after = entry.after or {}
    step = PenaltyStep(after["step"]).label
    return [f"{step}: {infraction_name(after['infraction'])}"]


def _cut(entry: LogEntry, names: Names) -> list[str]:
    after = entry.after or {}
    lines = [_("In: %(names)s.") % {"names": _ids(after.get("qualified", ()), names)}]
    if level := after.get("level"):
        lines.append(_("Level on the line: %(names)s.") % {"names": _ids(level, names)})
    return lines


def _moves_up(entry: LogEntry, names: Names) -> list[str]:
    up = (entry.after or {}).get("moves up", ())
    return [_("Moved up: %(names)s.") % {"names": _listed(up, names)}] if up else []


def _leaves(entry: LogEntry, names: Names) -> list[str]:
    gone = (entry.after or {}).get("leaves", ())
    return [_("Out: %(names)s.") % {"names": _listed(gone, names)}] if gone else []


def _semi_final(entry: LogEntry, _names: Names) -> list[str]:
    after = entry.after or {}
    count, given = after.get("tables", 0), after.get("given")
    tables = ngettext("%(n)d table", "%(n)d tables", count) % {"n": count}
    how = str(SemiSeating(given).label) if given in SemiSeating.values else ""
    return [f"{tables} ({how})"]


def _final(entry: LogEntry, names: Names) -> list[str]:
    after = entry.after or {}
    given = after.get("given")
    how = str(FinalSeats(given).label) if given in FinalSeats.values else ""
    return [f"{_listed(after.get('seats', ()), names)} ({how})"]


def _ranks(entry: LogEntry, _names: Names) -> list[str]:
    down_to = (entry.after or entry.before or {})["down_to"]
    if down_to == 1:
        return [_("All ranks")]
    return [_("Rank %(rank)d and all behind it") % {"rank": down_to}]


def _announcement(entry: LogEntry, _names: Names) -> list[str]:
    after = entry.after or {}
    to = after.get("audience")
    whom = str(Audience(to).label) if to in Audience.values else ""
    mailed = ngettext("%(n)d mail", "%(n)d mails", after.get("mailed", 0))
    return [f"{whom}: {mailed % {'n': after.get('mailed', 0)}}"]


def _place(entry: LogEntry, _names: Names) -> list[str]:
    """Where it is; or whose places are let in, or why somebody is passed over."""
    after = entry.after or {}
    if "why" in after:
        return [str(PLACE_WHYS[after["why"]])]
    return [after[key] for key in ("to", "event") if key in after]


PLACE_WHYS = {one.value: one.label for one in (*DirectWhy, *SkipWhy)}


def _promised(entry: LogEntry, _names: Names) -> list[str]:
    """ "2" or "5: 1, 7: 2"; and until when people answer."""
    after = entry.after or {}
    bands = ", ".join(f"{low}: {places}" for low, places in after["bands"])
    lines = [_("How many: %(number)s") % {"number": after["number"] or bands}]
    if days := after["due_days"]:
        lines.append(_("Days to answer: %(days)d") % {"days": days})
    elif after["due_at"]:
        moment = entry.event.local(datetime.fromisoformat(after["due_at"]))
        lines.append(_("Answer until: %(date)s") % {"date": date_format(moment, "j M Y, H:i")})
    return lines


def _steered(entry: LogEntry, _names: Names) -> list[str]:
    before, after = (View((one or {})["shows"]).label for one in (entry.before, entry.after))
    through = (entry.after or {}).get("through")
    lines = [f"{before} → {after}"]
    if through is not None:
        lines.append(_("As of the end of round %(round)d.") % {"round": through})
    return lines


_SEATING = (
    "round.seats_swapped",
    "round.player_moved",
    "round.rest_improved",
    "round.repaired",
    "round.change_undone",
    "round.change_redone",
)
_STATUS = (
    "player.withdrew",
    "player.withdrawal_undone",
    "player.checked_in",
    "player.check_in_undone",
    "player.no_show",
    "player.dropped",
    "player.came_back",
)
_DETAILS: dict[str, Callable[[LogEntry, Names], list[str]]] = {
    "clock.announced": _moment,
    "clock.started": _moment,
    "clock.lengthened": _time,
    "clock.table_time": _time,
    "clock.table_time_back": _time,
    "clock.table_resumed": _time,
    "clock.break_announced": _moment,
    "call.ended": _extra,
    "late.reported": _numbers,
    "event.changed": _settings,
    "place.promised": _promised,
    "place.promise_changed": _promised,
    "place.agreed": _place,
    "place.offered": _place,
    "place.given": _place,
    "place.accepted": _place,
    "place.declined": _place,
    "place.expired": _place,
    "place.withdrawn": _place,
    "place.passed_over": _place,
    "players.promoted": _numbers,
    "box.added": _box,
    "sponsor.added": _sponsor,
    "sponsor.changed": _sponsor,
    "sponsor.removed": _sponsor,
    "box.changed": _box,
    "box.removed": _box,
    "box.checked": _counted,
    "screen.steered": _steered,
    "announcement.sent": _announcement,
    "player.edited": _entry,
    "person.erased": _erased,
    "contacts.erased": _how_many,
    "names.erased": _how_many,
    "players.checked_in": _numbers,
    "players.check_in_undone": _numbers,
    "tickets.mailed": _numbers,
    "separation.added": _numbers,
    "separation.withdrawn": _numbers,
    "staff.invited": _duty,
    "staff.joined": _duty,
    "staff.removed": _duty,
    "round.drawn": _drawn,
    "round.sheets_replaced": _tables,
    "deal.entered": _deal,
    "deal.corrected": _deal,
    "deal.voided": _deal,
    "deal.declined": _deal,
    "deal.replayed": _deal,
    "sheet.typed": _typed,
    "sheet.reopened": _reopened,
    "penalty.given": _penalty,
    "cut.made": _cut,
    "seat.declined": _moves_up,
    "seat.taken_back": _leaves,
    "semi_final.drawn": _semi_final,
    "final.drawn": _final,
    "standings.revealed": _ranks,
    "standings.hidden_again": _ranks,
    **dict.fromkeys(_SEATING, _seating),
    **dict.fromkeys(_STATUS, _status),
}
# Verbs whose details name people by their start numbers.
NAMING = frozenset(
    verb
    for verb, details in _DETAILS.items()
    if details in (_numbers, _status, _seating, _cut, _moves_up, _leaves, _final)
)
