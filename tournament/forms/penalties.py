"""The judge's entry."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.penalties import INFRACTIONS, standard_step
from tournament.actions.penalties import DealRef, InquiryNote
from tournament.labels import infraction_name
from tournament.models import Event
from tournament.models.penalties import PenaltyStep


class PenaltyForm(forms.Form):
    """A player, an infraction, a step, the deal, what happened; for a disqualification the
    inquiry. A deal is chosen from those of the event as "stage:round:deal".

    `at_once`, the button beside an infraction, stands for that infraction with its standard step.
    """

    infraction = forms.ChoiceField(label=_("Infraction"), widget=forms.RadioSelect)
    step = forms.TypedChoiceField(
        label=_("Step"),
        coerce=int,
        required=False,
        empty_value=None,
        choices=PenaltyStep.choices,
        widget=forms.Select,
    )
    deal = forms.ChoiceField(
        label=_("Deal it costs"),
        required=False,
    )
    reason = forms.CharField(
        label=_("What happened"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("For a caution or a warning the infraction says enough."),
    )
    heard = forms.CharField(label=_("Who was heard"), max_length=300, required=False)
    finding = forms.CharField(
        label=_("Finding"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    decided_by = forms.CharField(label=_("Who decided"), max_length=120, required=False)

    def __init__(
        self, *args: Any, event: Event, deals: list[tuple[str, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        if self.is_bound and (code := self.data.get("at_once")):
            self.data = {**self.data.dict(), "infraction": code, "step": ""}  # type: ignore[attr-defined]
        self.fields["step"].choices = [  # type: ignore[attr-defined]
            ("", _("standard")),
            *PenaltyStep.choices,
        ]
        self.fields["infraction"].choices = [  # type: ignore[attr-defined]
            (code, infraction_name(code)) for code in INFRACTIONS
        ]
        # No "(optional)" beside what a harder step asks for.
        for name in ("reason", "heard", "finding", "decided_by"):
            self.fields[name].asked_when_chosen = True  # type: ignore[attr-defined]
        self.fields["deal"].choices = [("", _("no deal")), *deals]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        code = data.get("infraction")
        if not data.get("step") and code:
            data["step"] = standard_step(code, self.event.level)
            if data["step"] is None:
                self.add_error("step", _("This infraction has no standard step: choose one."))
        step = data.get("step") or 0
        if step >= PenaltyStep.DEAL_LOSS and not data.get("deal") and "deal" not in self.errors:
            self.add_error("deal", _("Choose the deal it costs."))
        if step >= PenaltyStep.DEAL_LOSS and not data.get("reason") and "reason" not in self.errors:
            self.add_error("reason", _("Say what happened: this step costs a deal."))
        if step == PenaltyStep.DISQUALIFICATION:
            for name in ("heard", "finding", "decided_by"):
                if not data.get(name) and name not in self.errors:
                    self.add_error(name, _("A disqualification needs its inquiry."))
        return data

    @property
    def decision(self) -> tuple[forms.BoundField, forms.BoundField]:
        """What stands beside the button."""
        return self["step"], self["deal"]

    @property
    def inquiry_wrong(self) -> bool:
        return bool({"heard", "finding", "decided_by"} & self.errors.keys())

    def deal_ref(self) -> DealRef | None:
        if not self.cleaned_data.get("deal"):
            return None
        stage, round_number, deal_number = self.cleaned_data["deal"].split(":")
        return DealRef(stage, int(round_number), int(deal_number))

    def inquiry(self) -> InquiryNote | None:
        data = self.cleaned_data
        if data["step"] != PenaltyStep.DISQUALIFICATION:
            return None
        return InquiryNote(data["heard"], data["finding"], data["decided_by"])
