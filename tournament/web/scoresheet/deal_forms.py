"""The form of a deal: the tournament's, or that of the edition a club plays, with its script."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _

from tournament import rulebook
from tournament.forms.edition_deals import EditionDealForm, edition_form
from tournament.forms.scoresheets import DealForm
from tournament.games import words_of
from tournament.queries.edition_deals import deal_before, edition_numbers, stored_facts
from tournament.queries.scoresheets import DealView, SheetView, payouts_by_role

type AnyDealForm = DealForm | EditionDealForm


def form_of_deal(view: SheetView, number: int | None = None, data: Any = None) -> AnyDealForm:
    """Bound to `data`; else as it opens: with what is stored of this deal, or empty."""
    stored = view.deal(number) if number is not None else None
    if edition := rulebook.edition_of(view.event):
        facts = stored_facts(edition, stored)
        return edition_form(edition, view.seats, data, facts, view.sheet.version)
    if data is not None:
        return DealForm(data, seats=view.seats)
    return DealForm(seats=view.seats, initial=_stored(stored, view))


def _stored(deal: DealView | None, view: SheetView) -> dict[str, object]:
    """What is stored, or every seat a miner."""
    initial: dict[str, object] = {"version": view.sheet.version}
    if deal and deal.entered and not deal.typed and deal.lines and deal.lines[0].role:
        roles = {line.position: str(line.role) for line in deal.lines}
        initial |= DealForm.initial_of(roles, deal.connector)
    return initial


def form_context(
    view: SheetView, form: AnyDealForm, number: int | None = None, lost: Collection[int] = ()
) -> dict[str, Any]:
    """What its template and its script need."""
    found: dict[str, Any] = {"form": form, "rows": form.rows(lost=lost)}
    if edition := rulebook.edition_of(view.event):
        return found | {
            "form_template": "tournament/scoresheet/edition_form.html",
            "form_script": "js/editions.js",
            "payouts": json.dumps(edition_numbers(edition, len(view.seats))),
            "before": json.dumps(deal_before(view, number)),
            "outcome_words": json.dumps(_outcome_words(view)),
        }
    return found | {
        "form_template": "tournament/scoresheet/deal_form.html",
        "form_script": "js/deal.js",
        "payouts": json.dumps(payouts_by_role(view.event, len(view.seats))),
    }


def _outcome_words(view: SheetView) -> dict[str, str]:
    """How the page says who has won, before the deal is saved (`games.outcome_words`)."""
    words = words_of(view.event)
    match words.settled_by:
        case "winners":
            return {key: str(told) for key, told in words.winners.items()}
        case "names":
            return {"winners": _("Winners: %(names)s."), "none": _("Nobody wins.")}
    return {"ahead": _("%(name)s has more."), "nobody": _("Level in this deal.")}
