"""Pages whose every line has its place: what most documents are made of.

A document is laid out in Python, so that nothing can spill, overlap, or lose its page number;
the renderer only draws. Many pages are drawn in parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournament.documents.ask import PAPERS, Ask, Part
from tournament.documents.boxes import Box
from tournament.documents.codes import qr_svg
from tournament.documents.forms import Paper
from tournament.documents.labels import Both, Label, in_languages, line
from tournament.documents.render import pdf
from tournament.documents.sheetform import Picture
from tournament.queries.standings import version_of

AT_ONCE = 12  # pages made at once: more of them take more memory and no less time
SIDE, TOP, FOOT = 14.0, 12.0, 10.5  # margins in millimetres; the foot from the lower edge

type Foot = Callable[[int, int], list[Label]]


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code at its place."""

    svg: SafeString
    box: Box


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page. `thin`, `heavy`, `dashed`: lines; `black`, `gold`: filled shapes, as SVG paths;
    `both_ways`: all of it but the foot again, upside down, for whoever stands opposite."""

    labels: tuple[Label, ...] = ()
    thin: str = ""
    heavy: str = ""
    dashed: str = ""
    black: str = ""
    gold: str = ""
    pictures: tuple[Picture, ...] = ()
    codes: tuple[Code, ...] = ()
    foot: tuple[Label, ...] = ()
    both_ways: bool = False


def paper_of(ask: Ask, *, wide: bool = False) -> Paper:
    """The sheet a document is laid out on, lying if `wide`."""
    paper = PAPERS["letter" if ask.letter else "a4"]
    return Paper(paper.height, paper.width) if wide else paper


def parts_of(ask: Ask, leaves: Sequence[Leaf], *, wide: bool = False) -> list[Part]:
    """The pages, so many at a time."""
    paper = paper_of(ask, wide=wide)
    name = f"{'letter' if ask.letter else 'a4'}{'-wide' if wide else ''}"
    chunks = [leaves[first : first + AT_ONCE] for first in range(0, len(leaves), AT_ONCE)]
    return [partial(_made, ask.event.name, chunk, paper, name) for chunk in chunks]


def _made(title: str, leaves: Sequence[Leaf], paper: Paper, name: str) -> bytes:
    return pdf(
        "print/leaves.html",
        {"title": title, "leaves": leaves, "paper": paper, "paper_name": name},
    )


def code(address: str, box: Box) -> Code:
    return Code(qr_svg(address), box)


def said(ask: Ask, **words: Callable[[], str]) -> dict[str, Both]:
    """Words in the document's languages."""
    return in_languages(ask.said_in, lambda: {key: say() for key, say in words.items()})


def foot_of(ask: Ask, title: str, *, wide: bool = False, up: float = FOOT) -> Foot:
    """What stands at the foot of each page: what it is, when and of what it was made, x/y."""
    paper = paper_of(ask, wide=wide)
    top, width = paper.height - up, paper.width - 2 * SIDE
    left = " · ".join(part for part in (title, ask.event.name) if part)
    moment = date_format(ask.event.local(timezone.now()), _("j F Y, H:i"))
    made = _("printed %(printed)s") % {"printed": moment}
    version = _("version %(number)d") % {"number": version_of(ask.event)}

    def foot(page: int, pages: int) -> list[Label]:
        right = f"{made} · {version} · {page}/{pages}"
        return [
            line("foot", left, Box(SIDE, top, width * 0.47, 4), 7.6, least=6),
            line("foot", right, Box(SIDE + width * 0.48, top, width * 0.52, 4), 7.6, align="right"),
        ]

    return foot


def path(*points: tuple[float, float]) -> str:
    """Lines from point to point."""
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)
