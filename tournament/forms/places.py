"""Places that are promised, and those that are given directly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from tournament.actions.places import DirectEntry, PromiseEntry
from tournament.forms.fields import (
    BandsField,
    LocalMomentField,
    MailAddressField,
    NameField,
    SentenceField,
    at_zone,
    exists_in_zone,
)
from tournament.forms.separations import PlayerField
from tournament.models import Event, PlacePromise
from tournament.models.places import MOST_PLACES, DirectWhy, SkipWhy

DAYS = 7
MOST_DAYS = 365


class PromiseForm(forms.Form):
    """Which places the event gives: where, how many, until when people answer."""

    target = forms.TypedChoiceField(
        label=_("Where to"), required=False, coerce=int, empty_value=None
    )
    target_name = SentenceField(
        label=_("Where to, in words"),
        limit=100,
        required=False,
        help_text=_("Only if that event is not on this site."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    number = forms.IntegerField(
        label=_("How many"), required=False, min_value=1, max_value=MOST_PLACES
    )
    bands = BandsField(
        label=_("Or by how many play"),
        required=False,
        help_text=_(
            "“5: 1, 7: 2, 13: 3” means 1 from 5 players on, 2 from 7, 3 from 13. It counts who has "
            "a rank and has played."
        ),
        error_messages={"bands": _("Write it like “5: 1, 7: 2”, with rising first numbers.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    due_days = forms.IntegerField(
        label=_("Days to answer"),
        required=False,
        min_value=1,
        max_value=MOST_DAYS,
        initial=DAYS,
        help_text=_("After that a place passes to the next in order."),
    )
    due_at = LocalMomentField(
        label=_("Or answer until"),
        required=False,
        help_text=_("With a date the days count no more. Who is next later has two days."),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        event: Event,
        targets: Sequence[Event],
        promise: PlacePromise | None = None,
    ) -> None:
        super().__init__(data, initial=_initial_of(promise) if promise else None)
        self.event = event
        known = {one.pk: one for one in targets}
        if promise is not None and promise.target is not None:
            known.setdefault(promise.target.pk, promise.target)
        self.targets = known
        self.fields["target"].choices = [  # type: ignore[attr-defined]
            ("", _("another one, in words")),
            *((one.pk, _target_words(one)) for one in known.values()),
        ]
        if promise is not None and promise.due_at is not None:
            local = event.local(promise.due_at)
            self.initial["due_at"] = local.replace(tzinfo=None, second=0, microsecond=0)

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        if {"target", "target_name"}.isdisjoint(self.errors):
            self._clean_target(found)
        if {"number", "bands"}.isdisjoint(self.errors):
            self._clean_number(found)
        if {"due_days", "due_at"}.isdisjoint(self.errors):
            self._clean_due(found)
        return found

    def _clean_target(self, found: dict[str, Any]) -> None:
        if found.get("target") is None and not found.get("target_name"):
            self.add_error("target_name", _("Choose an event above, or say it in words."))
        elif found.get("target") is not None and found.get("target_name"):
            self.add_error("target_name", _("Either an event of the list or words: not both."))

    def _clean_number(self, found: dict[str, Any]) -> None:
        if found.get("number") is None and not found.get("bands"):
            self.add_error("number", _("Say how many, or how many by how many play."))
        elif found.get("number") is not None and found.get("bands"):
            self.add_error("bands", _("Either a number, or by how many play: not both."))

    def _clean_due(self, found: dict[str, Any]) -> None:
        moment = found.get("due_at")
        if moment is None:
            if found.get("due_days") is None:
                self.add_error("due_days", _("Say how many days, or a date."))
            return
        if not exists_in_zone(moment, self.event.time_zone):
            self.add_error("due_at", _("Clocks skip this hour: summer time begins."))
            return
        found["due_at"] = at_zone(moment, self.event.time_zone)
        if found["due_at"] <= timezone.now():
            self.add_error("due_at", _("This is past."))

    def entry(self) -> PromiseEntry:
        said = self.cleaned_data
        target = self.targets.get(said["target"])
        return PromiseEntry(
            target=target,
            target_name="" if target else said["target_name"],
            number=said["number"],
            bands=said["bands"] or [],
            due_days=None if said["due_at"] else said["due_days"],
            due_at=said["due_at"],
        )


def _initial_of(promise: PlacePromise) -> dict[str, Any]:
    return {
        "target": promise.target_id,
        "target_name": "" if promise.target_id else promise.target_name,
        "number": promise.number,
        "bands": promise.bands,
        "due_days": promise.due_days,
    }


def _target_words(event: Event) -> str:
    day = date_format(event.local(event.starts_at), "j M Y")
    return f"{event.name} ({day}{f', {event.venue}' if event.venue else ''})"


class SkipForm(forms.Form):
    """Who is passed over, and why."""

    player = PlayerField(label=_("Start number or name"))
    why = forms.ChoiceField(
        label=_("Why"), choices=SkipWhy.choices, initial=SkipWhy.GONE, widget=forms.RadioSelect
    )

    def __init__(self, data: Any = None, *, promise: PlacePromise) -> None:
        super().__init__(data, auto_id=f"skip-{promise.pk}-%s")
        self.fields["player"].event = promise.event  # type: ignore[attr-defined]


class DirectForm(forms.Form):
    """Who gets a place without having played for it."""

    name = NameField(label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    email = MailAddressField(
        label=_("E-mail"),
        required=False,
        help_text=_("The link goes there. Without one you note the answer by hand."),
    )
    why = forms.ChoiceField(label=_("Reason"), choices=DirectWhy.choices)
    why_words = SentenceField(
        label=_("The reason in words"), required=False, help_text=_("They read it in the mail.")
    )
    due_days = forms.IntegerField(
        label=_("Days to answer"), min_value=1, max_value=MOST_DAYS, initial=14
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="direct-%s")

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        if found.get("why") == DirectWhy.OTHER and not found.get("why_words"):
            self.add_error("why_words", _("Say the reason."))
        return found

    def entry(self) -> DirectEntry:
        return DirectEntry(**self.cleaned_data)
