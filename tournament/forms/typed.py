"""Reading a paper sheet from typed points."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.forms.fields import printable
from tournament.forms.sheets import whole

NO_POINTS = gettext_lazy("Points are %(values)s.")


@dataclass(slots=True)
class PointsInput:
    """Typed points: one text for each seat and deal, kept as typed."""

    cells: dict[tuple[int, int], str]
    version: int
    key: str = ""
    reason: str = ""
    signed: bool = False
    errors: dict[tuple[int, int], str] = field(default_factory=dict)

    def columns(
        self, seats: int, deals: int, payable: Collection[int]
    ) -> list[list[int] | None] | None:
        """Per deal the points in sitting order, None where a column is empty; None as a whole
        with `errors` at the cells that are no points. `payable`: what a deal can give a seat."""
        found: list[list[int] | None] = []
        digits = {str(value) for value in payable}
        for deal in range(1, deals + 1):
            texts = [self.cells.get((deal, seat), "") for seat in range(1, seats + 1)]
            for seat, text in enumerate(texts, 1):
                if text and text not in digits:
                    values = ", ".join(sorted(digits))
                    self.errors[deal, seat] = str(NO_POINTS) % {"values": values}
            if any(texts):
                found.append([int(text) if text in digits else 0 for text in texts])
            else:
                found.append(None)
        return None if self.errors else found

    def problems(self, names: Mapping[int, str]) -> list[str]:
        """What is wrong with single cells, in words that name the place."""
        return [
            _("Deal %(deal)d, seat %(seat)d (%(name)s): %(why)s")
            % {"deal": deal, "seat": seat, "name": names[seat], "why": why}
            for (deal, seat), why in sorted(self.errors.items())
        ]


def read_points_input(post: Mapping[str, str], seats: int, deals: int) -> PointsInput:
    return PointsInput(
        cells={
            (deal, seat): post.get(f"p-{deal}-{seat}", "").strip()[:4]
            for deal in range(1, deals + 1)
            for seat in range(1, seats + 1)
        },
        version=whole(post.get("version"), -1),
        reason=printable(post.get("reason", ""))[:200],
        signed=bool(post.get("signed")),
    )
