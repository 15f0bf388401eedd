"""Pages whose every line has its place: what most documents are made of.

A document is laid out in Python, so that nothing can spill, overlap, or lose its page number;
the renderer only draws. Many pages are drawn in parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import batched

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournament.documents.layout.codes import qr_svg
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import Bilingual, Label, in_languages, line
from tournament.documents.layout.rendering import Part, pdf
from tournament.documents.request import PAPER_SIZES, DocumentRequest, PaperSize
from tournament.queries.versions import version_of

PAGES_AT_ONCE = 12  # more of them take more memory and no less time
SIDE, TOP, FOOT = 14.0, 12.0, 10.5  # margins in millimetres; the foot from the lower edge

type Footer = Callable[[int, int], list[Label]]


@dataclass(frozen=True, slots=True)
class Picture:
    """An image of `static/img/print` at its place."""

    name: str
    box: Box


@dataclass(frozen=True, slots=True)
class QrCode:
    """A code to scan at its place."""

    svg: SafeString
    box: Box


@dataclass(frozen=True, slots=True)
class PageDrawing:
    """One page. `thin`, `heavy`, `dashed`: lines; `black`, `gold`: filled shapes, as SVG paths;
    `both_ways`: all of it but the foot again, upside down, for whoever stands opposite."""

    labels: tuple[Label, ...] = ()
    thin: str = ""
    heavy: str = ""
    dashed: str = ""
    black: str = ""
    gold: str = ""
    pictures: tuple[Picture, ...] = ()
    codes: tuple[QrCode, ...] = ()
    foot: tuple[Label, ...] = ()
    both_ways: bool = False


def paper_size(request: DocumentRequest, *, wide: bool = False) -> PaperSize:
    """The sheet a document is laid out on, lying if `wide`."""
    paper = PAPER_SIZES["letter" if request.letter else "a4"]
    return paper.lying if wide else paper


def in_parts(
    request: DocumentRequest, pages: Iterable[PageDrawing], *, wide: bool = False
) -> list[Part]:
    """The pages, so many at a time."""
    paper = paper_size(request, wide=wide)
    name = f"{'letter' if request.letter else 'a4'}{'-wide' if wide else ''}"
    return [
        partial(_pages_pdf, request.event.name, some, paper, name)
        for some in batched(pages, PAGES_AT_ONCE)
    ]


def _pages_pdf(title: str, pages: tuple[PageDrawing, ...], paper: PaperSize, name: str) -> bytes:
    return pdf(
        "print/pages.html",
        {"title": title, "pages": pages, "paper": paper, "paper_name": name},
    )


def qr_code(address: str, box: Box) -> QrCode:
    return QrCode(qr_svg(address), box)


def words_in(request: DocumentRequest, **words: Callable[[], str]) -> dict[str, Bilingual]:
    """Words in the document's languages. They come as functions, since `gettext` answers in the
    language that is active when it is called."""
    return in_languages(
        request.effective_languages, lambda: {key: word() for key, word in words.items()}
    )


def page_footer(request: DocumentRequest, title: str, *, up: float = FOOT) -> Footer:
    """What stands at the foot of each page: what it is, when and of what it was made, x/y."""
    paper = paper_size(request)
    top, width = paper.height - up, paper.width - 2 * SIDE
    # What it is comes first, so that a long name of the event is cut and never hides it.
    left = " · ".join(part for part in (title, request.event.name) if part)
    moment = date_format(request.event.local(timezone.now()), _("j F Y, H:i"))
    printed = _("printed %(printed)s") % {"printed": moment}
    version = _("version %(number)d") % {"number": version_of(request.event)}

    def footer(page: int, pages: int) -> list[Label]:
        right = f"{printed} · {version} · {page}/{pages}"
        return [
            line("foot", left, Box(SIDE, top, width * 0.47, 4), 7.6, least=6),
            line("foot", right, Box(SIDE + width * 0.48, top, width * 0.52, 4), 7.6, align="right"),
        ]

    return footer
