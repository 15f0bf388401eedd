"""The rules in force at an event: what stands on its page, frozen when the first round is drawn."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import get_language_info, ngettext
from django.utils.translation import gettext as _

from scoring.editions import EDITIONS
from scoring.lots import commitment
from scoring.rulesets import Ruleset
from tournament import rulebook
from tournament.labels import SEATING_METHODS
from tournament.models import Event, Lot
from tournament.models.events import AtZero, ByeTo, SeatingMethod, SemiSeating, StandingsShown
from tournament.queries.edition_rules import order_lines

FACTS = (
    "ruleset",
    "ruleset_changes",
    "level",
    "rounds_planned",
    "deals_per_round",
    "semi_seats",
    "semi_bands",
    "semi_per_table",
    "semi_carry",
    "semi_deals",
    "semi_seating",
    "cut_size",
    "final_deals",
    "final_seats",
    "seating",
    "standings_from",
    "standings_shown",
    "hidden_from_round",
    "second_person",
    "round_minutes",
    "semi_minutes",
    "final_minutes",
    "at_zero",
    "minimum_age",
    "max_tables",
    "bye_to",
)


def rules_in_force(event: Event) -> dict[str, Any]:
    """The event's settings that decide results, its role table, and the commitment to its lots."""
    found = {name: getattr(event, name) for name in FACTS}
    found |= {"commitment": commitment(rulebook.lot_secret(event, 1))}
    ruleset = rulebook.ruleset_of(event)
    # An edition's numbers cannot be changed: its key says them all.
    return found | (_numbers(ruleset) if isinstance(ruleset, Ruleset) else {})


def _numbers(ruleset: Ruleset) -> dict[str, Any]:
    return {
        "rows": [
            {
                "seats": seats,
                "saboteur": row.saboteur,
                "miner": row.miner,
                "selfish": row.selfish,
                "hand_cards": row.hand_cards,
            }
            for seats, row in sorted(ruleset.rows.items())
        ],
        "points": _points(ruleset),
    }


def _points(ruleset: Ruleset) -> dict[str, Any]:
    return {
        "saboteurs": {str(count): pay for count, pay in sorted(ruleset.saboteur_points.items())},
        "selfish": ruleset.selfish_points,
        "miner": ruleset.miner_points,
        "connector": ruleset.connector_points,
    }


def seating_words(rules: dict[str, Any]) -> str:
    """The announced method in a sentence or two; empty where the rules were frozen without one."""
    method = rules.get("seating")
    if method is None:
        return ""
    return f"{_method_words(rules, method)} {_bye_words(rules)}".strip()


def _bye_words(rules: dict[str, Any]) -> str:
    edition = EDITIONS.get(rules["ruleset"])
    if edition is None or not edition.bye_wins:
        return ""
    who = ByeTo(rules.get("bye_to", ByeTo.LAST)).label
    return _("Without an opponent, if the number is odd: %(who)s, nobody twice.") % {"who": who}


def _method_words(rules: dict[str, Any], method: str) -> str:
    if method != SeatingMethod.STANDINGS:
        return str(SEATING_METHODS[method])
    return _("From round %(round)d on: %(by_standings)s Before: %(fewest)s") % {
        "round": rules["standings_from"],
        "by_standings": SEATING_METHODS[SeatingMethod.STANDINGS],
        "fewest": SEATING_METHODS[SeatingMethod.FEWEST],
    }


def time_words(rules: dict[str, Any]) -> list[str]:
    """How long rounds last and what is so at zero; empty where they are played without a clock."""
    minutes, final = rules.get("round_minutes"), rules.get("final_minutes")
    semi = rules.get("semi_minutes") if has_semi_final(rules) else None
    if not minutes and not semi and not (final and rules["cut_size"]):
        return []
    lines = []
    if minutes:
        lines.append(
            ngettext("%(n)d minute a round", "%(n)d minutes a round", minutes) % {"n": minutes}
        )
    if semi:
        lines.append(
            ngettext("%(n)d minute in the semi-final", "%(n)d minutes in the semi-final", semi)
            % {"n": semi}
        )
    if final and rules["cut_size"]:
        lines.append(
            ngettext("%(n)d minute in the final", "%(n)d minutes in the final", final)
            % {"n": final}
        )
    at_zero = AtZero(rules["at_zero"]).label
    return [*lines, _("When the time is over: %(what)s.") % {"what": at_zero}]


def has_semi_final(rules: dict[str, Any]) -> bool:
    """Whether there is one, or may be one by how many come; none where the rules were frozen
    without a word of it."""
    return bool(rules.get("semi_seats") or rules.get("semi_bands"))


def semi_final_words(rules: dict[str, Any]) -> list[str]:
    """The announced semi-final, a rule a line; empty without one."""
    if not has_semi_final(rules):
        return []
    deals = rules["semi_deals"]
    lines = [
        *who_comes(rules),
        ngettext("%(deals)d deal", "%(deals)d deals", deals) % {"deals": deals},
        _("Tables: %(how)s.") % {"how": SemiSeating(rules["semi_seating"]).label},
        _into_the_final(rules),
        _carried(rules),
    ]
    return [str(one) for one in lines]


def _carried(rules: dict[str, Any]) -> str:
    if not rules["semi_carry"]:
        return _("Each stage counts from zero.")
    if rules["ruleset"] in EDITIONS:
        return _("What was won in the preliminaries is carried on, and both into the final.")
    return _(
        "Points and stars of the preliminaries are carried on, and those of both into the final."
    )


def who_comes(rules: dict[str, Any]) -> list[str]:
    """How many play the semi-final; by bands while nobody knows how many are there at the first
    draw. Empty without one."""
    if not has_semi_final(rules):
        return []
    if seats := rules["semi_seats"]:
        return [_("The best %(size)d of the preliminaries play it.") % {"size": seats}]
    found = [_("It depends on how many are there at the first draw:")]
    bands = [(int(low), int(size)) for low, size in rules["semi_bands"]]
    if bands[0][0] > 1:
        found.append(_("up to %(n)d: no semi-final") % {"n": bands[0][0] - 1})
    for place, (low, size) in enumerate(bands):
        after = bands[place + 1][0] if place + 1 < len(bands) else None
        told = {"low": low, "high": (after or 0) - 1, "size": size}
        words = (
            _("%(low)d and more: %(size)d play it")
            if after is None
            else _("%(low)d to %(high)d: %(size)d play it")
        )
        found.append(words % told)
    return found


def _into_the_final(rules: dict[str, Any]) -> str:
    best, size = rules["semi_per_table"], rules["cut_size"]
    if not best:
        return _("The best %(size)d of it play the final.") % {"size": size}
    return ngettext(
        "Into the final: the best of each table, then the next best of all, %(size)d in all.",
        "Into the final: the best %(n)d of each table, then the next best of all, %(size)d in all.",
        best,
    ) % {"n": best, "size": size}


def order_words(rules: dict[str, Any]) -> list[str]:
    """What ranks people in each stage and parts those who are level, a rule a line."""
    if rules["ruleset"] in EDITIONS:
        return order_lines(rules["ruleset"], final=bool(rules["cut_size"]))
    lines = [_("Preliminaries: points, then stars. Equal on both share the rank.")]
    if not rules["cut_size"]:
        return lines
    if not has_semi_final(rules):
        return [
            *lines,
            _("A tie on the line to the final: a lot among all who are level, for all free seats."),
            _(
                "Final: points, stars, preliminary points, preliminary stars; then a lot if a "
                "single prize depends on it."
            ),
            _("A declined seat goes to the next in order, until the first deal of the final."),
        ]
    return [
        *lines,
        _("Semi-final: points, stars, preliminary points, preliminary stars."),
        _("A tie on a line: a lot among all who are level there, for all free seats."),
        _(
            "Final: points, stars, those of the semi-final, those of the preliminaries; then a lot "
            "if a single prize depends on it."
        ),
        _("A declined seat goes to the next in order, until the first deal of its stage."),
    ]


def visibility_words(rules: dict[str, Any]) -> str:
    """When everybody sees the standings, in a sentence; empty where the rules were frozen without
    it."""
    match rules.get("standings_shown"):
        case StandingsShown.LIVE:
            return _("everybody sees them as they are, sheet by sheet")
        case StandingsShown.ROUND:
            return _("shown after each round, and after the final")
        case StandingsShown.HIDDEN if rules["hidden_from_round"] == 1:
            return _("hidden until they are revealed")
        case StandingsShown.HIDDEN if rules["hidden_from_round"] > rules["rounds_planned"]:
            return _("from the final on hidden until they are revealed")
        case StandingsShown.HIDDEN:
            words = _("from round %(round)d on hidden until they are revealed")
            return words % {"round": rules["hidden_from_round"]}
    return ""


def governing_words(event: Event) -> str:
    """Which text holds where they differ; empty where none is named."""
    if not event.governing_language:
        return ""
    language = get_language_info(event.governing_language)["name_translated"]
    return _("If texts differ, the version in %(language)s holds.") % {"language": language}


def displayed_rules(event: Event) -> dict[str, Any]:
    """The frozen rules once there are any, else those of the settings as they are now."""
    return event.frozen_rules if event.frozen_rules is not None else rules_in_force(event)


@dataclass(frozen=True, slots=True)
class Amendment:
    """A rule that was changed after the first draw: its name, and how it was and is, in words."""

    what: str
    before: str
    after: str
    reason: str
    at: datetime


def amendments(event: Event) -> list[Amendment]:
    return [
        Amendment(
            what=str(event._meta.get_field(one["what"]).verbose_name),  # type: ignore[union-attr]
            before=_in_words(one["before"]),
            after=_in_words(one["after"]),
            reason=one["reason"],
            at=datetime.fromisoformat(one["at"]),
        )
        for one in (event.frozen_rules or {}).get("amendments", [])
    ]


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value is None:
        return "–"
    return str(AtZero(value).label) if value in AtZero.values else str(value)


def next_commitment(event: Event) -> str:
    """The fingerprint of the next lot: the last one's secret, or what stood there at first."""
    # Lots drawn on paper use up no secret.
    last = event.lots.exclude(secret="").last()
    return last.secret if last else str(displayed_rules(event)["commitment"])


@dataclass(frozen=True, slots=True)
class PublicLot:
    """A drawn lot as everybody sees it: start number and public name in the drawn order; and, if
    it was not drawn on paper, its secret, the fingerprint that was public before, what our command
    is asked, and a line of plain Python that draws it again. `place`: None for the line to the
    final."""

    line: str
    place: int | None
    order: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    secret: str
    fingerprint: str
    request: str
    python: str
    paper_note: str

    @property
    def title(self) -> str:
        return lot_title(self.line)

    @property
    def is_raffle(self) -> bool:
        """It tells nothing of the standings, so everybody may see it."""
        return self.line.startswith("raffle:")

    @property
    def is_of_standings(self) -> bool:
        return not self.line.startswith(("raffle:", "offer:"))


def lot_title(line: str) -> str:
    """What a lot decides, in words."""
    kind, _colon, number = line.partition(":")
    match kind:
        case "place":
            return _("Lot for place %(place)s") % {"place": number}
        case "table":
            return _("Lot for the best of table %(table)s") % {"table": number}
        case "semi_final":
            return _("Lot on the line into the semi-final")
        case "raffle":
            return _("Raffle %(number)s") % {"number": number}
        case "offer":
            return _("Lot for places at a later event")
    return _("Lot on the line")


def public_lots(event: Event) -> list[PublicLot]:
    lots = list(Lot.objects.filter(event=event))
    people = rulebook.players_by_id(event) if lots else {}
    earlier = [lot.secret for lot in lots if lot.secret]
    fingerprints = dict(
        # One longer: the last secret is the fingerprint of a lot that is not drawn yet.
        zip(earlier, [displayed_rules(event)["commitment"], *earlier], strict=False)
    )
    return [
        PublicLot(
            line=lot.line,
            place=lot.place,
            order=tuple((player, people[player].public_name) for player in lot.order),
            players=tuple(lot.players),
            secret=lot.secret,
            fingerprint=fingerprints.get(lot.secret, ""),
            request=json.dumps({"secret": lot.secret, "purpose": lot.line, "players": lot.players}),
            python=_in_plain_python(lot) if lot.secret else "",
            paper_note=lot.paper_note,
        )
        for lot in lots
    ]


def _in_plain_python(lot: Lot) -> str:
    """For a shell; needs Python and nothing of ours."""
    players = ",".join(f"'{player}'" for player in lot.players)
    return (
        'python3 -c "import hashlib,hmac;s=bytes.fromhex('
        f"'{lot.secret}');print(hashlib.sha256(s).hexdigest());print(sorted([{players}],"
        f"key=lambda p:hmac.new(s,('{lot.line}\\n'+p).encode(),'sha256').hexdigest()))\""
    )


def departures(event: Event) -> list[str]:
    """Where the settings leave the official format (2023: 4 or 5 rounds of 3 deals at
    championships, a final of the best six over 4 deals), in words. Warnings, never refusals. A
    club's edition has none."""
    found: list[str] = []
    if rulebook.edition_of(event):
        return found
    official = {1: (2, 5), 2: (4, 5)}[event.level]
    if not official[0] <= event.rounds_planned <= official[1]:
        found.append(
            ngettext(
                "%(rounds)d round: the official format has %(low)d to %(high)d at this level.",
                "%(rounds)d rounds: the official format has %(low)d to %(high)d at this level.",
                event.rounds_planned,
            )
            % {"rounds": event.rounds_planned, "low": official[0], "high": official[1]}
        )
    if event.deals_per_round != 3:
        found.append(
            ngettext(
                "%(deals)d deal in a round: the official format has 3.",
                "%(deals)d deals in a round: the official format has 3.",
                event.deals_per_round,
            )
            % {"deals": event.deals_per_round}
        )
    if event.cut_size == 0:
        found.append(_("No final: officially the best six play one."))
    elif event.cut_size != 6:
        found.append(
            _("A final of %(size)d: officially the best six play it.") % {"size": event.cut_size}
        )
    if event.cut_size and event.final_deals != 4:
        found.append(
            ngettext(
                "%(deals)d deal in the final: the official format has 4.",
                "%(deals)d deals in the final: the official format has 4.",
                event.final_deals,
            )
            % {"deals": event.final_deals}
        )
    found += _semi_final_departures(event)
    if event.ruleset_changes:
        found.append(_("The numbers of the ruleset are changed."))
    return found


def _semi_final_departures(event: Event) -> list[str]:
    """The semi-final of the road: tables of six, 3 or 4 deals, stages from zero."""
    sizes = [event.semi_seats, *(size for _low, size in event.semi_bands)]
    announced = [size for size in sizes if size]
    if not announced:
        return []
    found = [
        _("A semi-final of %(size)d: officially its tables are of six.") % {"size": size}
        for size in sorted({size for size in announced if size % 6})
    ]
    if event.semi_deals not in (3, 4):
        found.append(
            ngettext(
                "%(deals)d deal in the semi-final: the official format has 3 or 4.",
                "%(deals)d deals in the semi-final: the official format has 3 or 4.",
                event.semi_deals,
            )
            % {"deals": event.semi_deals}
        )
    if event.semi_carry:
        found.append(_("Points are carried on: officially each stage counts from zero."))
    return found
