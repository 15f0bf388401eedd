"""What the event's documents are printed on, and in which languages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tournament.models import Event
from tournament.models.events import Paper, SheetPaper

HALVES = {Paper.A4: SheetPaper.A5, Paper.LETTER: SheetPaper.HALF_LETTER}


def _languages() -> list[tuple[str, Any]]:
    return list(settings.LANGUAGES)


class PrintForm(forms.Form):
    """Defaults of every print; none of them is a rule of the event."""

    paper = forms.ChoiceField(label=_("Paper"), choices=Paper.choices)
    halves = forms.ChoiceField(
        label=_("Scoresheets"),
        choices=[("", _("one on a page")), ("yes", _("two on a page"))],
        required=False,
    )
    first = forms.ChoiceField(
        label=_("Language"),
        choices=lambda: [("", _("that of whoever prints")), *_languages()],
        required=False,
    )
    second = forms.ChoiceField(
        label=_("Second language"),
        choices=lambda: [("", _("none")), *_languages()],
        required=False,
        help_text=_("Both stand on every page, for an international table."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("halves", "first", "second"):  # the empty choice is one of them
            self.fields[name].asked_when_chosen = True  # type: ignore[attr-defined]

    @classmethod
    def of(cls, event: Event, data: Any = None) -> PrintForm:
        first, _comma, second = event.print_languages.partition(",")
        halves = "yes" if event.sheet_paper in HALVES.values() else ""
        initial = {"paper": event.paper, "halves": halves, "first": first, "second": second}
        return cls(data, initial=initial)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("second") and not data.get("first"):
            self.add_error("first", _("Choose the first language as well."))
        return data

    def settings(self) -> dict[str, str]:
        """The event's fields."""
        data = self.cleaned_data
        paper = Paper(data["paper"])
        languages = dict.fromkeys(filter(None, (data["first"], data["second"])))
        return {
            "paper": paper.value,
            "sheet_paper": HALVES[paper].value if data["halves"] else paper.value,
            "print_languages": ",".join(languages),
        }
