"""What a table's page takes along, so that its sheet can be finished without a net."""

from __future__ import annotations

import json
from typing import Any

from tournament.forms.scoresheets import DealForm
from tournament.models.rounds import RoundStatus
from tournament.queries.scoresheets import SheetView, payouts_by_role
from tournament.web.scoresheet.context import SheetContext


def offline_facts(context: SheetContext, view: SheetView) -> dict[str, Any] | None:
    """For `scoresheet/offline.html`; None where everything goes to the server at once: the staff,
    and a round that counts already, whose corrections show first what they do."""
    if context.staff or view.is_confirmed or view.round.status != RoundStatus.PUBLISHED:
        return None
    form = DealForm(seats=view.seats)
    return {
        "players": ",".join(str(seat.number) for seat in view.seats),
        "deals": ",".join(deal.text for deal in view.deals),
        "losses": json.dumps({number: sorted(seats) for number, seats in view.losses.items()}),
        "form": form,
        "rows": form.rows(lost=()),
        "payouts": json.dumps(payouts_by_role(view.event, len(view.seats))),
    }
