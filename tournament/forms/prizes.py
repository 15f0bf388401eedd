"""A prize as it is promised, and a raffle as it was drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournament.actions.prizes import PrizeEntry
from tournament.forms.cuts import DrawnOrderField
from tournament.forms.fields import SentenceField
from tournament.forms.separations import PlayerField
from tournament.games import words_of
from tournament.models import Event, Player, Prize
from tournament.models.prizes import PrizeKind
from tournament.rulebook import player_id

MOST = 2000


class PrizeForm(forms.Form):
    name = SentenceField(
        label=_("Prize"), limit=100, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    kind = forms.ChoiceField(
        label=_("Who gets it"), choices=PrizeKind.choices, widget=forms.RadioSelect
    )
    first_rank = forms.IntegerField(
        label=_("From rank"),
        min_value=1,
        max_value=MOST,
        required=False,
        help_text=_("Only for a prize that a rank brings."),
    )
    last_rank = forms.IntegerField(
        label=_("To rank"),
        min_value=1,
        max_value=MOST,
        required=False,
        help_text=_("Empty: that rank alone."),
    )
    what_for = SentenceField(
        label=_("What for"),
        limit=100,
        required=False,
        help_text=_("Only for a special prize: the youngest, the finest hat."),
    )
    stock = forms.IntegerField(
        label=_("How many"),
        min_value=1,
        max_value=MOST,
        required=False,
        help_text=_("Empty: one, or one for each rank."),
    )

    def __init__(self, *args: Any, event: Event, prize: Prize | None = None, **kwargs: Any) -> None:
        if prize is not None:
            kwargs["initial"] = {name: getattr(prize, name) for name in self.base_fields}
        super().__init__(*args, **kwargs)
        if words_of(event).edition:  # the best saboteur is told by stars
            self.fields["kind"].choices = [  # type: ignore[attr-defined]
                one for one in PrizeKind.choices if one[0] != PrizeKind.SABOTEUR
            ]

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        first, last = found.get("first_rank"), found.get("last_rank")
        if found.get("kind") != PrizeKind.RANK:
            return found
        if first is None and "first_rank" not in self.errors:
            self.add_error("first_rank", _("Say which rank brings it."))
        elif first is not None and last is not None and last < first:
            self.add_error("last_rank", _("This is before the first rank."))
        return found

    def entry(self) -> PrizeEntry:
        """What was said, without what belongs to other kinds."""
        said = self.cleaned_data
        first = said["first_rank"] if said["kind"] == PrizeKind.RANK else None
        last = (said["last_rank"] or first) if first is not None else None
        ranks = last - first + 1 if first is not None and last is not None else 1
        return PrizeEntry(
            name=said["name"],
            kind=said["kind"],
            stock=said["stock"] or ranks,
            first_rank=first,
            last_rank=last,
            what_for=said["what_for"] if said["kind"] == PrizeKind.SPECIAL else "",
        )


class SpecialForm(forms.Form):
    """Who gets a special prize."""

    player = PlayerField(label=_("Start number or name"))

    def __init__(self, data: Any = None, *, event: Event, prize: Prize) -> None:
        super().__init__(data, auto_id=f"prize-{prize.pk}-%s")
        self.fields["player"].event = event  # type: ignore[attr-defined]


class PaperRaffleForm(forms.Form):
    """Who was drawn on paper, in order, and who drew it how."""

    order = DrawnOrderField(
        label=_("Start numbers in the order drawn"),
        help_text=_("Only those who were drawn, the first prize first: 12, 7, 31"),
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    note = SentenceField(label=_("Who drew it, and how"))

    def __init__(self, data: Any = None, *, people: Sequence[Player], most: int) -> None:
        """`people`: who may be drawn; `most`: how many things there are."""
        super().__init__(data, auto_id="raffle-%s")
        self.players, self.most = {player_id(one.number) for one in people}, most

    def clean_order(self) -> list[str]:
        order: list[str] = self.cleaned_data["order"]
        wrong = [one for one in order if one not in self.players or order.count(one) > 1]
        if wrong:
            raise forms.ValidationError(
                _("%(number)d is not in this raffle, or stands here twice."),
                params={"number": int(wrong[0])},
            )
        if not order:
            raise forms.ValidationError(_("Write at least one start number."))
        if len(order) > self.most:
            raise forms.ValidationError(
                ngettext(
                    "There is %(most)d thing to be raffled.",
                    "There are %(most)d things to be raffled.",
                    self.most,
                ),
                params={"most": self.most},
            )
        return order
