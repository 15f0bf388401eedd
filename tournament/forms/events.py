"""The event's settings. Rows of the role table are edited as small numbers by table size."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import Truncator, capfirst
from django.utils.translation import get_language, get_language_info, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.editions.edition import Edition
from scoring.refusal import Refusal
from scoring.rules import RULES, Rules, get_rules, sizes_of
from scoring.rulesets import RULESETS
from seating.sizes import table_sizes
from tournament.forms.fields import (
    BandsField,
    LocalMomentField,
    MailAddressField,
    SentenceField,
    at_zone,
    exists_in_zone,
    zone_choices,
)
from tournament.forms.seen import SeenFieldsMixin
from tournament.labels import RULESET_NAMES
from tournament.models import Event
from tournament.models.events import (
    AMENDABLE_FIELDS,
    MOST_DAYS,
    MOST_SEMI_SEATS,
    OF_AGE,
    ByeTo,
    Preset,
    SeatingMethod,
    SemiSeating,
    StandingsShown,
)
from tournament.queries.retention import CLOCKS, longer_than_told

_TOURNAMENT = {"ruleset": "es-2026", "seating": SeatingMethod.FEWEST}
_EVENING = {
    "rounds_planned": 1,
    "deals_per_round": 3,
    "cut_size": 0,
    "final_deals": 3,
    "level": 1,
    "second_person": False,
    "seating": SeatingMethod.FEWEST,
}
PRESETS: dict[str, dict[str, Any]] = {
    Preset.SHOP: {
        **_TOURNAMENT,
        "rounds_planned": 3,
        "deals_per_round": 3,
        "cut_size": 6,
        "final_deals": 4,
        "level": 1,
        "second_person": True,
    },
    Preset.NATIONAL: {
        **_TOURNAMENT,
        "rounds_planned": 4,
        "deals_per_round": 3,
        "cut_size": 6,
        "final_deals": 4,
        "level": 2,
        "second_person": True,
    },
    Preset.CLUB: {
        **_TOURNAMENT,
        "rounds_planned": 2,
        "deals_per_round": 3,
        "cut_size": 0,
        "final_deals": 4,
        "level": 1,
        "second_person": False,
    },
    Preset.BASE: {**_EVENING, "ruleset": "base-classic"},
    Preset.DWARFS: {**_EVENING, "ruleset": "saboteur-2"},
    Preset.DUEL: {
        **_EVENING,
        "ruleset": "duel",
        "rounds_planned": 4,
        "cut_size": 2,
        "seating": SeatingMethod.STANDINGS,
        "standings_from": 2,
    },
}


def preset_values(preset: str) -> dict[str, Any]:
    """Everything a new event starts with: next Sunday at ten, closing the evening before."""
    today = timezone.localdate()
    sunday = today + timedelta(days=(6 - today.weekday()) % 7 + 7)
    start = datetime.combine(sunday, datetime.min.time()).replace(hour=10)
    return {
        **PRESETS[preset],
        "starts_at": start,
        "ends_at": start + timedelta(hours=4),
        "registration_closes_at": start - timedelta(hours=16),
        "time_zone": "Europe/Madrid",
        "language": get_language(),
    }


def with_preset(typed: dict[str, Any], preset: str) -> dict[str, Any]:
    """What was typed, under the settings of another preset. A tournament's ruleset that was chosen
    stays for another tournament."""
    chosen = dict(PRESETS[preset])
    if chosen["ruleset"] in RULESETS and typed.get("ruleset") in RULESETS:
        del chosen["ruleset"]
    return typed | chosen


def preset_lines() -> list[tuple[str, Any, str]]:
    """Key, name and meaning of each preset: "3 rounds · 3 deals · final of 6"."""

    def meaning(values: dict[str, Any]) -> str:
        rounds, deals, size = (
            values[name] for name in ("rounds_planned", "deals_per_round", "cut_size")
        )
        parts = (
            ngettext("%(n)d round", "%(n)d rounds", rounds) % {"n": rounds},
            ngettext("%(n)d deal each", "%(n)d deals each", deals) % {"n": deals},
            _("final of %(size)d") % {"size": size} if size else _("no final"),
        )
        return " · ".join(map(str, parts))

    return [(key, label, meaning(PRESETS[key])) for key, label in Preset.choices]


@dataclass(frozen=True, slots=True)
class Group:
    """Fields under one legend. `idle`: names of those that change nothing as others are set."""

    legend: Any
    fields: list[forms.BoundField]
    idle: frozenset[str] = frozenset()

    @property
    def wrong(self) -> bool:
        return any(field.errors for field in self.fields)

    @property
    def values(self) -> str:
        """What is set, as the folded group says it: "Places: 24 · Minimum age: 18"."""
        working = (field for field in self.fields if field.name not in self.idle)
        shown = ((field.label, _in_short(field)) for field in working)
        return " · ".join(
            f"{label}: {value}" if value is not True else str(label)
            for label, value in shown
            if value
        )


def _in_short(field: forms.BoundField) -> str | bool:
    """A value as a person reads it; True for a tick, "" for what is not set."""
    value = field.value()
    if isinstance(field.field, forms.BooleanField):
        return bool(value)
    if isinstance(field.field, forms.ChoiceField):
        labels = {str(key): str(label) for key, label in field.field.choices}  # type: ignore[misc, union-attr]
        return labels.get(str(value), "")
    if value == 0:
        return ""
    if isinstance(field.field, LocalMomentField):
        try:
            value = field.field.to_python(value)
        except ValidationError:
            return str(value)
    if isinstance(value, datetime):
        return date_format(value, str(_("j M Y, H:i")))
    return Truncator("" if value is None else str(value)).chars(40)


class EventForm(SeenFieldsMixin, forms.ModelForm):  # type: ignore[type-arg]
    """Settings as an organiser writes them: wall-clock times in the event's own time zone."""

    starts_at = LocalMomentField(label=_("Start"))
    ends_at = LocalMomentField(label=_("End"), required=False)
    registration_closes_at = LocalMomentField(label=_("Registration closes"))
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices)
    language = forms.ChoiceField(
        label=_("Language of mails"),
        required=False,
        choices=lambda: [
            (code, capfirst(get_language_info(code)["name_local"]))
            for code, _name in settings.LANGUAGES
        ],
        help_text=_("Whoever registers on the page gets mails in the language of that page."),
    )
    governing_language = forms.ChoiceField(
        label=_("Language that governs"),
        required=False,
        choices=lambda: [
            ("", _("none named")),
            *(
                (code, capfirst(get_language_info(code)["name_local"]))
                for code, _name in settings.LANGUAGES
            ),
        ],
        help_text=_("Beside the rules: where texts differ, that version holds."),
    )
    ruleset = forms.ChoiceField(
        label=_("Ruleset"), choices=[(key, RULESET_NAMES.get(key, key)) for key in RULES]
    )
    level = forms.TypedChoiceField(
        label=_("Penalty level"),
        coerce=int,
        choices=[(1, _("1: shops and clubs")), (2, _("2: national and international"))],
    )
    rounds_planned = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=12)
    deals_per_round = forms.IntegerField(label=_("Deals in a round"), min_value=1, max_value=6)
    semi_seats = forms.IntegerField(
        label=_("Players in the semi-final"),
        required=False,
        min_value=0,
        max_value=MOST_SEMI_SEATS,
        initial=0,
        help_text=_("0: no semi-final. Officially six at each table: 12, 18, 24 …"),
    )
    semi_bands = BandsField(
        label=_("Semi-final by how many come"),
        required=False,
        help_text=_(
            "Instead of a fixed number, announced beforehand: “25: 12, 49: 18” means none up to "
            "24 players, 12 from 25 and 18 from 49. It counts who is there at the first draw."
        ),
    )
    semi_per_table = forms.IntegerField(
        label=_("Best of each table of the semi-final"),
        required=False,
        min_value=0,
        max_value=10,
        initial=0,
        help_text=_(
            "So many of each table play the final, then the next best. 0: the best of all."
        ),
    )
    semi_deals = forms.IntegerField(
        label=_("Deals in the semi-final"), required=False, min_value=1, max_value=6, initial=3
    )
    semi_minutes = forms.IntegerField(
        label=_("Minutes of the semi-final"), min_value=1, max_value=600, required=False
    )
    cut_size = forms.TypedChoiceField(
        label=_("Players in the final"),
        coerce=int,
        choices=[(0, _("no final")), *((size, str(size)) for size in range(2, 13))],
    )
    final_deals = forms.IntegerField(label=_("Deals in the final"), min_value=1, max_value=6)
    capacity = forms.IntegerField(
        label=_("Places"),
        min_value=1,
        max_value=5000,
        required=False,
        help_text=_("Empty: no limit. When they run out, a waiting list takes over."),
    )
    minimum_age = forms.IntegerField(
        label=_("Minimum age"),
        min_value=0,
        max_value=99,
        initial=0,
        help_text=_("0: none. People tick that they are of age; no birth date is asked."),
    )
    round_minutes = forms.IntegerField(
        label=_("Minutes of a round"),
        min_value=1,
        max_value=600,
        required=False,
        help_text=_("Empty: rounds are played without a clock."),
    )
    final_minutes = forms.IntegerField(
        label=_("Minutes of the final"), min_value=1, max_value=600, required=False
    )
    break_minutes = forms.IntegerField(
        label=_("Minutes between rounds"),
        min_value=0,
        max_value=240,
        initial=10,
        help_text=_("For the plan of the day: what fits, and when it ends."),
    )
    max_tables = forms.IntegerField(
        label=_("Games at hand"),
        min_value=1,
        max_value=1000,
        required=False,
        help_text=_("Empty: as many as needed. Each table plays with one game."),
    )
    standings_from = forms.IntegerField(
        label=_("By standings from round"),
        min_value=2,
        max_value=12,
        initial=2,
        help_text=_("Only for the method by standings; the rounds before make new faces meet."),
    )
    hidden_from_round = forms.IntegerField(
        label=_("Hidden from round"),
        min_value=1,
        max_value=13,
        initial=1,
        help_text=_(
            "Only for hidden standings: they stand as before this round until you reveal them. "
            "1: nothing is shown. One more than there are rounds: the final alone is hidden."
        ),
    )
    sabs4 = forms.IntegerField(
        label=_("Points of each of four saboteurs"), min_value=0, max_value=9, required=False
    )
    row10_saboteur = forms.IntegerField(
        label=_("Ten at a table: saboteurs"),
        min_value=0,
        max_value=10,
        required=False,
        help_text=_(
            "Empty: as the ruleset says. The rules of 2023 say nothing about ten at a table: "
            "without these four numbers nobody plays at ten there."
        ),
    )
    row10_miner = forms.IntegerField(
        label=_("Ten at a table: miners"), min_value=0, max_value=10, required=False
    )
    row10_selfish = forms.IntegerField(
        label=_("Ten at a table: selfish dwarfs"), min_value=0, max_value=10, required=False
    )
    reason = SentenceField(
        label=_("Reason"),
        required=False,
        help_text=_("Rounds, time and the second person were announced: say why they change."),
    )
    row10_hand = forms.IntegerField(
        label=_("Ten at a table: hand cards"), min_value=1, max_value=20, required=False
    )

    class Meta:
        model = Event
        fields: ClassVar[list[str]] = [
            "name",
            "venue",
            "address",
            "description",
            "language",
            "time_zone",
            "starts_at",
            "ends_at",
            "registration_closes_at",
            "capacity",
            "by_invitation",
            "minimum_age",
            "admits_minors",
            "ruleset",
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
            "bye_to",
            "fairness_public",
            "standings_shown",
            "hidden_from_round",
            "second_person",
            "round_minutes",
            "semi_minutes",
            "final_minutes",
            "at_zero",
            "break_minutes",
            "max_tables",
            "edition",
            "promo_cards",
            "dwarf_note",
            "prizes",
            "organisers",
            "contact",
            "governing_language",
            "indexed",
            "contact_days",
            "name_days",
        ]
        widgets: ClassVar[dict[str, forms.Widget]] = {
            "description": forms.Textarea(attrs={"rows": 3}),
            "prizes": forms.Textarea(attrs={"rows": 4}),
            "organisers": forms.Textarea(attrs={"rows": 2}),
            "contact": forms.Textarea(attrs={"rows": 2}),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "prizes": _("One line for each rank, best first."),
            "contact": _("E-mail, phone or link: everybody sees it, also in mails and on prints."),
            "indexed": _(
                "It names the champion once the event is over. Standings, seats and people's pages "
                "are kept out of them in any case."
            ),
            "contact_days": _(
                "E-mail, phone and notes, after the end of the event. Everybody reads it before "
                "they register, so once somebody has, it can only become shorter."
            ),
            "name_days": _(
                "“Erased player 12” stands there then. Names stay of the first three, and of "
                "whoever ticked that theirs stays."
            ),
            "dwarf_note": _("Printed on every sheet; it depends on the edition of the box."),
            "final_seats": _("How the seats of the final table are given out."),
            "seating": _(
                "Fewest meetings again: everybody meets as many new people as possible. By lot: "
                "chance alone. By standings: those level in the standings sit together."
            ),
            "bye_to": _(
                "With an odd number one plays nobody in a round: a duel won, without gold, and "
                "nobody twice."
            ),
            "fairness_public": _(
                "A page shows how often each player sat at which table size, dealt, and met whom."
            ),
            "standings_shown": _(
                "On the public page, the tickets and the prints for everybody. The staff always "
                "sees everything."
            ),
            "by_invitation": _(
                "Nobody registers by themselves: only whoever has a place, and whom you add."
            ),
            "admits_minors": _(
                "The form asks who is under 18. A parent or guardian then gives name and contact "
                "and agrees; everybody sees a first name and an initial at most. Where it is "
                "missing, the door and the list of players say so. Publish no pictures of them."
            ),
            "second_person": _(
                "Another player of the table, a judge or an organiser. Without it a sheet counts "
                "as soon as it is submitted."
            ),
        }

    # The first stands open; what a preset fills, or what can wait, is folded.
    GROUPS: ClassVar[tuple[tuple[Any, tuple[str, ...]], ...]] = (
        (_("The event"), ("name", "starts_at", "venue")),
        (
            _("Time and place"),
            (
                "registration_closes_at",
                "ends_at",
                "time_zone",
                "address",
                "description",
                "language",
            ),
        ),
        (_("Who"), ("capacity", "by_invitation", "minimum_age", "admits_minors")),
        (
            _("Rounds and final"),
            ("rounds_planned", "deals_per_round", "cut_size", "final_deals", "final_seats"),
        ),
        (
            _("Semi-final"),
            (
                "semi_seats",
                "semi_bands",
                "semi_per_table",
                "semi_deals",
                "semi_seating",
                "semi_carry",
            ),
        ),
        (
            _("Time"),
            ("round_minutes", "semi_minutes", "final_minutes", "at_zero", "break_minutes"),
        ),
        (_("Seating"), ("seating", "standings_from", "bye_to", "max_tables", "fairness_public")),
        (_("What everybody sees"), ("standings_shown", "hidden_from_round")),
        (_("Rules"), ("ruleset", "level", "second_person")),
        (
            _("Changes to the ruleset"),
            ("sabs4", "row10_saboteur", "row10_miner", "row10_selfish", "row10_hand"),
        ),
        (_("The box"), ("edition", "promo_cards", "dwarf_note")),
        (_("Prizes"), ("prizes",)),
        (_("Organisers and contact"), ("organisers", "contact", "governing_language")),
        (_("People's data"), ("contact_days", "name_days", "indexed")),
    )
    OF_THE_RULESET: ClassVar[tuple[str, ...]] = (
        "sabs4",
        "row10_saboteur",
        "row10_miner",
        "row10_selfish",
        "row10_hand",
    )
    OF_A_TOURNAMENT: ClassVar[tuple[str, ...]] = (*OF_THE_RULESET, "dwarf_note")
    SEMI_FINAL: ClassVar[tuple[str, ...]] = (
        "semi_per_table",
        "semi_deals",
        "semi_seating",
        "semi_carry",
        "semi_minutes",
    )
    MOMENTS: ClassVar[tuple[str, ...]] = ("starts_at", "ends_at", "registration_closes_at")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        event = self.instance
        self.fields["semi_seating"].required = False
        self.fields["bye_to"].required = False
        self.fields["contact_days"].required = self.fields["name_days"].required = False
        # A final is one table, of a size that the rules know.
        self.fields["cut_size"].choices = [  # type: ignore[attr-defined]
            (0, _("no final")),
            *((size, str(size)) for size in sizes_of(self.rules)),
        ]
        if not event.pk or event.frozen_rules is None:
            del self.fields["reason"]
        if event.pk:
            for name in self.MOMENTS:
                if moment := getattr(event, name):
                    local = event.local(moment)
                    self.initial[name] = local.replace(tzinfo=None, second=0, microsecond=0)
            self._show_changes(event.ruleset_changes)
            self.remember_what_is_seen()
        for name in self.MOMENTS:
            self.fields[name].help_text = self._in_words(name)

    def _in_words(self, name: str) -> str:
        """The field's moment with its weekday; empty for what is no moment. The script rewrites it
        while somebody types, so it is shown only where scripts run."""
        field = self.fields[name]
        value = self.initial.get(name)
        if self.is_bound:
            value = field.widget.value_from_datadict(self.data, self.files, self.add_prefix(name))
        try:
            moment = field.to_python(value)
        except ValidationError:
            moment = None
        words = date_format(moment, str(_("l j F Y, H:i"))) if moment else ""
        return format_html('<span class="js-only" data-moment="id_{}">{}</span>', name, words)

    def _show_changes(self, changes: dict[str, Any]) -> None:
        if "4" in changes.get("saboteur_points", {}):
            self.initial["sabs4"] = changes["saboteur_points"]["4"]
        row = changes.get("rows", {}).get("10", {})
        for field, key in (
            ("row10_saboteur", "saboteur"),
            ("row10_miner", "miner"),
            ("row10_selfish", "selfish"),
            ("row10_hand", "hand_cards"),
        ):
            self.initial.setdefault(field, row.get(key))

    @property
    def rules(self) -> Rules:
        """Those that are chosen now; the usual ones where nothing that exists is."""
        return RULES.get(str(self["ruleset"].value()), RULES["es-2026"])

    def _out_of_place(self) -> frozenset[str]:
        """What the game that is chosen does not know."""
        edition = self.rules if isinstance(self.rules, Edition) else None
        pairs = edition is not None and edition.bye_wins
        return frozenset(
            (*(self.OF_A_TOURNAMENT if edition else ()), *(() if pairs else ("bye_to",)))
        )

    def groups(self) -> list[Group]:
        """The fields as the page shows them."""
        idle, away = self._idle(), self._out_of_place()
        groups = [
            Group(legend, [self[name] for name in names if name not in away], idle)
            for legend, names in self.GROUPS
        ]
        groups = [one for one in groups if one.fields]
        if "reason" in self.fields:
            groups.append(Group(_("Changes after the first draw"), [self["reason"]]))
        return groups

    def _idle(self) -> frozenset[str]:
        """The fields that have no effect as the others are set now."""

        def chosen(name: str) -> str:
            return str(self[name].value() or "")

        without_final = chosen("cut_size") in ("", "0")
        without_semi = chosen("semi_seats") in ("", "0") and not chosen("semi_bands")
        clocks = ("round_minutes", "semi_minutes", "final_minutes")
        without_clock = not any(chosen(name) for name in clocks)
        idle = {
            "standings_from": chosen("seating") != SeatingMethod.STANDINGS,
            "hidden_from_round": chosen("standings_shown") != StandingsShown.HIDDEN,
            "final_deals": without_final,
            "final_seats": without_final,
            "final_minutes": without_final,
            **dict.fromkeys(self.SEMI_FINAL, without_semi),
            "at_zero": without_clock,
        }
        return frozenset(name for name, is_idle in idle.items() if is_idle)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self.refuse_changed_meanwhile()
        if data.get("name"):
            data["name"] = " ".join(data["name"].split())
        self._follow_start(data)
        zone = data.get("time_zone")
        if zone:
            for name in self.MOMENTS:
                moment = data.get(name)
                if moment is None:
                    continue
                if not exists_in_zone(moment, zone):
                    self.add_error(name, _("Clocks skip this hour: summer time begins."))
                data[name] = at_zone(moment, zone)
        start, closes, end = (
            data.get(name) for name in ("starts_at", "registration_closes_at", "ends_at")
        )
        if start and closes and closes > start:
            self.add_error(
                "registration_closes_at", _("Registration has to close before the start.")
            )
        if start and end and end <= start:
            self.add_error("ends_at", _("The end has to come after the start."))
        self._clean_changes(data)
        self._clean_semi_final(data)
        self._clean_days(data)
        if data.get("admits_minors") and (data.get("minimum_age") or 0) >= OF_AGE:
            self.add_error("admits_minors", _("By the minimum age nobody is under 18."))
        amended = "reason" in self.fields and AMENDABLE_FIELDS & set(self.changed_data)
        if amended and not data.get("reason"):
            self.add_error("reason", _("The first round is drawn: say why this changes."))
        return data

    def _clean_days(self, data: dict[str, Any]) -> None:
        """Left empty they stay as they are."""
        for name in CLOCKS:
            if data.get(name) is None:
                data[name] = getattr(self.instance, name)
            elif not 1 <= data[name] <= MOST_DAYS:
                self.add_error(name, _("From 1 to %(most)d days.") % {"most": MOST_DAYS})
        if self.instance.pk:
            for name, words in longer_than_told(self.instance, data).items():
                self.add_error(name, words)
        if not set(CLOCKS) & self.errors.keys() and data["name_days"] < data["contact_days"]:
            self.add_error("name_days", _("Names stay at least as long as contacts."))

    def _clean_semi_final(self, data: dict[str, Any]) -> None:
        """A plan that can be played: each stage has fewer players than the one before."""
        if {"semi_seats", "semi_bands", "semi_per_table", "cut_size"} & self.errors.keys():
            return
        # Folded away and left empty: as it is without a semi-final.
        for name, usual in (("semi_seats", 0), ("semi_per_table", 0), ("semi_deals", 3)):
            if data.get(name) is None and name not in self.errors:
                data[name] = usual
        data["semi_seating"] = data.get("semi_seating") or SemiSeating.SNAKE
        data["bye_to"] = data.get("bye_to") or ByeTo.LAST
        seats, bands, final = data["semi_seats"], data["semi_bands"], data["cut_size"]
        best = data["semi_per_table"]
        if bands and seats and (not self.instance.pk or self.instance.frozen_rules is None):
            self.add_error("semi_bands", _("Either a number, or how many come: not both."))
            return
        for name, size in (
            ("semi_seats", seats),
            *(("semi_bands", size) for _least, size in bands),
        ):
            if size and not final:
                self.add_error(name, _("A semi-final leads to a final: give that its players."))
                return
            if size and size <= final:
                self.add_error(
                    name,
                    _("The semi-final needs more players than the final, which has %(n)d.")
                    % {"n": final},
                )
                return
            if size and (problem := self._tables_refused(size, best, final)):
                self.add_error("semi_per_table", problem)
                return
        for least, size in bands:
            if size > least:
                self.add_error(
                    "semi_bands",
                    _("Of %(least)d players %(size)d can't play it.")
                    % {"least": least, "size": size},
                )

    def _tables_refused(self, size: int, best: int, final: int) -> str:
        """Why a semi-final of this size cannot be; empty if it can."""
        try:
            tables = len(table_sizes(size, sizes=sizes_of(self.rules)))
        except Refusal:
            return str(_("So many players make no tables of sizes that the rules know."))
        if best * tables <= final:
            return ""
        words = str(_("With %(tables)d tables these are more than the final has seats."))
        return words % {"tables": tables}

    def _follow_start(self, data: dict[str, Any]) -> None:
        """Of a new event the end and the closing of registration move with the start, unless they
        were set."""
        start, usual = data.get("starts_at"), self.initial.get("starts_at")
        if self.instance.pk or not start or not isinstance(usual, datetime):
            return
        for name in ("ends_at", "registration_closes_at"):
            if data.get(name) and name not in self.changed_data:
                data[name] += start - usual
        self._close_in_time(data, start)

    def _close_in_time(self, data: dict[str, Any], start: datetime) -> None:
        """An event that begins today takes registrations until it begins."""
        closes, zone = data.get("registration_closes_at"), data.get("time_zone")
        if not closes or not zone or "registration_closes_at" in self.changed_data:
            return
        if closes < timezone.now().astimezone(ZoneInfo(zone)).replace(tzinfo=None):
            data["registration_closes_at"] = start

    def _clean_changes(self, data: dict[str, Any]) -> None:
        changes: dict[str, Any] = {}
        if data.get("sabs4") is not None and data["sabs4"] != 2:
            changes["saboteur_points"] = {"4": data["sabs4"]}
        row = {
            key: data.get(f"row10_{name}")
            for name, key in (
                ("saboteur", "saboteur"),
                ("miner", "miner"),
                ("selfish", "selfish"),
                ("hand", "hand_cards"),
            )
        }
        if any(value is not None for value in row.values()):
            if any(value is None for value in row.values()):
                self.add_error(
                    "row10_saboteur", _("Fill in all four numbers for ten players, or none.")
                )
                return
            if sum(row[key] or 0 for key in ("saboteur", "miner", "selfish")) != 10:
                self.add_error(
                    "row10_saboteur", _("The role cards for ten players have to add up to 10.")
                )
                return
            changes["rows"] = {"10": row}
        try:
            get_rules(data.get("ruleset") or "es-2026").changed(changes)
        except Refusal as refusal:
            self.add_error("sabs4", _("The ruleset can't be changed like this."))
            raise ValidationError(_("The ruleset can't be changed like this.")) from refusal
        data["ruleset_changes"] = changes

    def settings(self) -> dict[str, Any]:
        """Cleaned model fields for the actions; of an event that exists those that were changed."""
        names = {*self._meta.fields, "ruleset_changes"}  # type: ignore[misc]
        if self.instance.pk:
            changed = self.fields_to_write
            if "time_zone" in changed:  # the same hours are other moments there
                changed |= set(self.MOMENTS)
            if changed & {"ruleset", *self.OF_THE_RULESET}:
                changed.add("ruleset_changes")
            names &= changed
        return {name: self.cleaned_data[name] for name in names}

    def _post_clean(self) -> None:
        """The instance stays as it is: actions write it. Constraints are checked in `clean`."""


class PresetForm(forms.Form):
    preset = forms.ChoiceField(choices=Preset.choices)


class InviteForm(forms.Form):
    email = MailAddressField(label=_("E-mail"))
    duty = forms.ChoiceField(
        label=_("Duty"), choices=[("judge", _("Judge")), ("organiser", _("Co-organiser"))]
    )
