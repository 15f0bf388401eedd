"""One tournament and its settings."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.models.base import LockingQuerySet


class EventStatus(models.TextChoices):
    DRAFT = "draft", _("Draft")
    REGISTRATION = "registration", _("Registration open")
    RUNNING = "running", _("Running")
    FINISHED = "finished", _("Finished")


class Preset(models.TextChoices):
    SHOP = "shop", _("Shop qualifier")
    NATIONAL = "national", _("National championship")
    CLUB = "club", _("Club night")
    BASE = "base", _("Club night, base game")
    DWARFS = "saboteur-2", _("Club night, Saboteur 2")
    DUEL = "duel", _("Duel evening")


class FinalSeats(models.TextChoices):
    LOT = "lot", pgettext_lazy("seats of the final", "by lot")
    RANK = "rank", _("by rank")
    CHOICE = "choice", _("by choice, in order of rank")


class SemiSeating(models.TextChoices):
    """How those who advance are spread over the tables of the semi-final."""

    SNAKE = "snake", _("ranks spread: 1, 4, 5, 8 … together")
    LOT = "lot", pgettext_lazy("seating of the semi-final", "by lot")


class SeatingMethod(models.TextChoices):
    FEWEST = "fewest", _("fewest meetings again")
    LOT = "lot", pgettext_lazy("seating of a round", "by lot")
    STANDINGS = "standings", _("by standings")


class ByeTo(models.TextChoices):
    """Who has no opponent where people play in pairs and their number is odd; nobody twice."""

    LAST = "last", _("whoever stands last")
    LOT = "lot", pgettext_lazy("who is without an opponent", "by lot")


class AtZero(models.TextChoices):
    """What is so when a table's time is over."""

    FINISH = "finish", _("the running deal is finished, and no new one begins")
    STOP = "stop", _("play stops at once, and the running deal does not count")
    REMIND = "remind", _("all deals are played all the same")


class StandingsShown(models.TextChoices):
    """When everybody sees the standings; the staff always does."""

    LIVE = "live", pgettext_lazy("standings shown", "as they are, sheet by sheet")
    ROUND = "round", pgettext_lazy("standings shown", "after each round")
    HIDDEN = "hidden", pgettext_lazy("standings shown", "hidden until you reveal them")


class Paper(models.TextChoices):
    A4 = "a4", _("A4")
    LETTER = "letter", _("Letter")


class SheetPaper(models.TextChoices):
    """What scoresheets lie on: a page each, or two on one."""

    A4 = "a4", _("A4")
    LETTER = "letter", _("Letter")
    A5 = "a5", _("A5, two on a page")
    HALF_LETTER = "half-letter", _("half Letter, two on a page")


def new_lot_seed() -> str:
    """What all secrets of the event's lots follow from, drawn before anybody plays."""
    return secrets.token_hex(32)


MOST_SEMI_SEATS = 100
MOST_DAYS = 3653  # ten years
OF_AGE = 18

# Addresses on the desk that are no event's.
RESERVED_SLUGS = frozenset({"new", "import", "series"})

# What people who registered, or played, relied on: fixed once the first round is drawn.
FROZEN_FIELDS = frozenset(
    {
        "ruleset",
        "ruleset_changes",
        "level",
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
        "minimum_age",
        "time_zone",
    }
)
# What a reveal rests on: where these change, it begins anew.
VISIBILITY_FIELDS = frozenset({"standings_shown", "hidden_from_round"})
# Announced as well, but a day can run late: changed with a reason that stands beside the rules.
AMENDABLE_FIELDS = frozenset(
    {
        "rounds_planned",
        "second_person",
        "round_minutes",
        "semi_minutes",
        "final_minutes",
        "at_zero",
    }
)


class Event(models.Model):
    """One tournament. `ruleset` is a key of `scoring`; `ruleset_changes` are this event's own."""

    slug = models.SlugField(max_length=60, unique=True)
    preset = models.CharField(max_length=10, choices=Preset.choices, default=Preset.SHOP)
    status = models.CharField(max_length=12, choices=EventStatus.choices, default=EventStatus.DRAFT)
    name = models.CharField(_("name"), max_length=100)
    venue = models.CharField(_("venue"), max_length=100, blank=True)
    address = models.CharField(_("address"), max_length=200, blank=True)
    description = models.TextField(_("description"), max_length=2000, blank=True)
    # What is written without anybody asking: mails to those who did not register themselves.
    language = models.CharField(_("language"), max_length=12, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=60)
    starts_at = models.DateTimeField(_("start"))
    ends_at = models.DateTimeField(_("end"), null=True, blank=True)
    registration_closes_at = models.DateTimeField(_("registration closes"))
    capacity = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)
    by_invitation = models.BooleanField(_("by invitation only"), default=False)
    minimum_age = models.PositiveSmallIntegerField(_("minimum age"), default=0)
    admits_minors = models.BooleanField(
        _("people under 18 may register with a parent or guardian"), default=False
    )

    ruleset = models.CharField(_("ruleset"), max_length=20, default="es-2026")
    ruleset_changes = models.JSONField(default=dict, blank=True)
    level = models.PositiveSmallIntegerField(_("penalty level"), default=1)
    rounds_planned = models.PositiveSmallIntegerField(_("rounds"), default=3)
    deals_per_round = models.PositiveSmallIntegerField(_("deals in a round"), default=3)
    # 0: there is none. With bands it is what they say of how many are there at the first draw.
    semi_seats = models.PositiveSmallIntegerField(_("players in the semi-final"), default=0)
    # [players at least, players in the semi-final], by the first; announced before anybody comes.
    semi_bands = models.JSONField(_("semi-final by attendance"), default=list, blank=True)
    semi_per_table = models.PositiveSmallIntegerField(
        _("best of each table of the semi-final"), default=0
    )
    semi_carry = models.BooleanField(_("what was won is carried on"), default=False)
    semi_deals = models.PositiveSmallIntegerField(_("deals in the semi-final"), default=3)
    semi_seating = models.CharField(
        _("tables of the semi-final"),
        max_length=8,
        choices=SemiSeating.choices,
        default=SemiSeating.SNAKE,
    )
    cut_size = models.PositiveSmallIntegerField(_("players in the final"), default=6)
    final_deals = models.PositiveSmallIntegerField(_("deals in the final"), default=4)
    final_seats = models.CharField(
        _("seats of the final"),
        max_length=8,
        choices=FinalSeats.choices,
        default=FinalSeats.LOT,
    )
    seating = models.CharField(
        _("seating method"),
        max_length=10,
        choices=SeatingMethod.choices,
        default=SeatingMethod.FEWEST,
    )
    standings_from = models.PositiveSmallIntegerField(_("by standings from round"), default=2)
    # Only where people play in pairs.
    bye_to = models.CharField(
        _("without an opponent"), max_length=4, choices=ByeTo.choices, default=ByeTo.LAST
    )
    fairness_public = models.BooleanField(
        _("everybody may see how fair the seating is"), default=True
    )
    standings_shown = models.CharField(
        _("standings shown to everybody"),
        max_length=8,
        choices=StandingsShown.choices,
        default=StandingsShown.LIVE,
    )
    # Only of hidden standings: until they are revealed they stand as before this round.
    hidden_from_round = models.PositiveSmallIntegerField(_("hidden from round"), default=1)
    second_person = models.BooleanField(_("a second person confirms each sheet"), default=True)
    round_minutes = models.PositiveSmallIntegerField(_("minutes of a round"), null=True, blank=True)
    semi_minutes = models.PositiveSmallIntegerField(
        _("minutes of the semi-final"), null=True, blank=True
    )
    final_minutes = models.PositiveSmallIntegerField(
        _("minutes of the final"), null=True, blank=True
    )
    at_zero = models.CharField(
        _("when the time is over"), max_length=8, choices=AtZero.choices, default=AtZero.FINISH
    )
    break_minutes = models.PositiveSmallIntegerField(_("minutes between rounds"), default=10)
    max_tables = models.PositiveSmallIntegerField(_("games at hand"), null=True, blank=True)

    edition = models.CharField(_("edition of the box"), max_length=100, blank=True)
    promo_cards = models.CharField(_("promo cards in play"), max_length=200, blank=True)
    dwarf_note = models.CharField(
        _("which cards are the selfish dwarfs"), max_length=200, blank=True
    )
    prizes = models.TextField(_("prizes"), max_length=2000, blank=True)
    organisers = models.TextField(_("organisers"), max_length=300, blank=True)
    contact = models.TextField(_("contact for questions"), max_length=300, blank=True)
    indexed = models.BooleanField(
        _("search engines may list the event's front page"), default=False
    )
    # After the end: how to reach people, and what they are called.
    contact_days = models.PositiveSmallIntegerField(_("days until contacts are erased"), default=30)
    name_days = models.PositiveSmallIntegerField(_("days until names are erased"), default=730)
    # Of the rules: which text holds where two say different things.
    governing_language = models.CharField(_("language that governs"), max_length=12, blank=True)

    paper = models.CharField(_("paper"), max_length=12, choices=Paper.choices, default=Paper.A4)
    sheet_paper = models.CharField(
        _("paper of scoresheets"),
        max_length=12,
        choices=SheetPaper.choices,
        default=SheetPaper.A4,
    )
    print_languages = models.CharField(_("languages of prints"), max_length=25, blank=True)

    lot_seed = models.CharField(max_length=64, default=new_lot_seed, editable=False)
    # Empty until the first draw; from then on what the page of the rules shows, whatever is set
    # later.
    frozen_rules = models.JSONField(null=True, blank=True)
    # What an event file had under `x`, in its public and its private part: carried on unread.
    extensions = models.JSONField(default=dict, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    contacts_erased_at = models.DateTimeField(null=True, blank=True)
    names_erased_at = models.DateTimeField(null=True, blank=True)

    objects = LockingQuerySet["Event"].as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-starts_at", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(registration_closes_at__lte=F("starts_at")),
                name="event_registration_closes_before_start",
            ),
            models.CheckConstraint(
                condition=Q(ends_at__isnull=True) | Q(ends_at__gt=F("starts_at")),
                name="event_ends_after_start",
            ),
            models.CheckConstraint(
                condition=Q(status__in=EventStatus.values), name="event_status_known"
            ),
            models.CheckConstraint(condition=Q(level__in=(1, 2)), name="event_level_known"),
            models.CheckConstraint(
                condition=Q(admits_minors=False) | Q(minimum_age__lt=OF_AGE),
                name="event_minors_are_old_enough",
            ),
            models.CheckConstraint(
                condition=Q(contact_days__range=(1, MOST_DAYS))
                & Q(name_days__range=(1, MOST_DAYS))
                & Q(name_days__gte=F("contact_days")),
                name="event_contacts_go_before_names",
            ),
            models.CheckConstraint(
                condition=Q(rounds_planned__range=(1, 12))
                & Q(deals_per_round__range=(1, 6))
                & Q(semi_deals__range=(1, 6))
                & Q(final_deals__range=(1, 6)),
                name="event_plan_in_range",
            ),
            models.CheckConstraint(
                # One that leads to no final would decide nothing.
                condition=Q(semi_seats=0)
                | Q(cut_size__gt=0, semi_seats__gt=F("cut_size"), semi_seats__lte=MOST_SEMI_SEATS),
                name="event_semi_final_leads_to_final",
            ),
            models.CheckConstraint(
                condition=Q(semi_seating__in=SemiSeating.values), name="event_semi_seating_known"
            ),
            models.CheckConstraint(
                # The final is one table, so it has a size that some rules know; 0: there is none.
                condition=Q(cut_size=0) | Q(cut_size__range=(2, 12)),
                name="event_cut_fits_one_table",
            ),
            models.CheckConstraint(
                condition=Q(seating__in=SeatingMethod.values), name="event_seating_known"
            ),
            models.CheckConstraint(
                condition=Q(standings_from__gte=2), name="event_standings_after_a_round"
            ),
            models.CheckConstraint(condition=Q(bye_to__in=ByeTo.values), name="event_bye_to_known"),
            models.CheckConstraint(
                condition=Q(at_zero__in=AtZero.values), name="event_at_zero_known"
            ),
            models.CheckConstraint(
                condition=Q(standings_shown__in=StandingsShown.values)
                & Q(hidden_from_round__range=(1, 13)),
                name="event_standings_shown_known",
            ),
            models.CheckConstraint(
                condition=Q(paper__in=Paper.values) & Q(sheet_paper__in=SheetPaper.values),
                name="event_paper_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    def local(self, moment: datetime) -> datetime:
        return moment.astimezone(self.zone)

    @property
    def has_final(self) -> bool:
        return self.cut_size > 0

    @property
    def has_semi_final(self) -> bool:
        return self.semi_seats > 0

    @property
    def carries_on(self) -> bool:
        """Whether points and stars run on from stage to stage."""
        return self.has_semi_final and self.semi_carry

    def deals_of(self, stage: str) -> int:
        """How many deals each table plays in a round of this stage."""
        deals = {"semi_final": self.semi_deals, "final": self.final_deals}
        return deals.get(stage, self.deals_per_round)

    def minutes_of(self, stage: str) -> int | None:
        minutes = {"semi_final": self.semi_minutes, "final": self.final_minutes}
        return minutes.get(stage, self.round_minutes)

    def seconds_of(self, stage: str) -> int | None:
        """How long a round of this stage lasts; None without a time."""
        minutes = self.minutes_of(stage)
        return minutes * 60 if minutes else None

    @property
    def hides_standings(self) -> bool:
        """Whether everybody may at times see less of the standings than the staff."""
        return self.standings_shown != StandingsShown.LIVE

    @property
    def sponsor_names(self) -> str:
        """In the order in which they stand everywhere."""
        return ", ".join(sponsor.name for sponsor in self.sponsors.all())

    @property
    def prize_lines(self) -> list[str]:
        return [line.strip() for line in self.prizes.splitlines() if line.strip()]
