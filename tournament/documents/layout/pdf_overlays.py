"""What pages have in common is drawn once; pages are put on larger or other paper.

Both happen in a PDF that WeasyPrint has painted, just before it is written: a page's
drawing becomes a form, which other pages show in whatever place and size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tournament.documents.request import PaperSize

PT = 72 / 25.4  # points in a millimetre


def underlay(pdf: Any, under: Sequence[int]) -> None:
    """Make forms of the first pages, and show one under each other page.

    `under[n]`: the number of the first pages' form that lies under the n-th other page.
    """
    pages = _pages(pdf)
    count = len(pages) - len(under)
    for number, page in enumerate(pages[:count]):
        _as_form(pdf, page, f"Under{number}")
    for page, number in zip(pages[count:], under, strict=True):
        # Before all that the page draws itself: its words lie on top, and the coordinates are not
        # yet turned over, which the form does for itself.
        _content(pdf, page).stream.insert(0, f"q /Under{number} Do Q".encode())
    # The forms' own pages leave the document; their drawings stay, as others show them.
    _keep(pdf, pages[count:])


def impose(pdf: Any, paper: PaperSize) -> None:
    """Show the pages as large as they fit on this paper, `paper.fold` on each."""
    import pydyf

    pages = _pages(pdf)
    for number, page in enumerate(pages):
        _as_form(pdf, page, f"Page{number}")
    for first in range(0, len(pages), paper.fold):
        together = pages[first : first + paper.fold]
        drawing = pydyf.Stream(
            [_placed(page, paper, place, first + place) for place, page in enumerate(together)],
            compress=True,
        )
        pdf.add_object(drawing)
        # The first of them becomes the sheet: it is in the PDF already, with its resources.
        together[0]["Contents"] = drawing.reference
        together[0]["MediaBox"] = pydyf.Array([0, 0, paper.width * PT, paper.height * PT])
    _keep(pdf, pages[:: paper.fold])


def _placed(page: Any, paper: PaperSize, place: int, number: int) -> bytes:
    _, _, width, height = (float(edge) for edge in page["MediaBox"])
    room = paper.height * PT / paper.fold
    scale = min(paper.width * PT / width, room / height)
    x = (paper.width * PT - width * scale) / 2
    # A PDF counts from the lower edge: the first page of a sheet is the upper one.
    y = paper.height * PT - room * place - (room + height * scale) / 2
    return f"q {scale:.5f} 0 0 {scale:.5f} {x:.3f} {y:.3f} cm /Page{number} Do Q".encode()


def _as_form(pdf: Any, page: Any, name: str) -> None:
    """The page's drawing as a form of that name, which any page may show.

    WeasyPrint gives all pages of a document the same resources, so one entry there is enough, and
    a name may be given once.
    """
    import pydyf

    content = _content(pdf, page)
    content.extra |= {
        "Type": "/XObject",
        "Subtype": "/Form",
        "BBox": page["MediaBox"],
        "Resources": page["Resources"],
    }
    resources = pdf.objects[_number(page["Resources"])]
    resources.setdefault("XObject", pydyf.Dictionary())[name] = content.reference


def _pages(pdf: Any) -> list[Any]:
    # A reference is three items of the list: the object's number, 0, and "R".
    return [pdf.objects[number] for number in pdf.pages["Kids"][::3]]


def _keep(pdf: Any, pages: Sequence[Any]) -> None:
    import pydyf

    pdf.pages["Kids"] = pydyf.Array([part for page in pages for part in (page.number, 0, "R")])
    pdf.pages["Count"] = len(pages)


def _content(pdf: Any, page: Any) -> Any:
    return pdf.objects[_number(page["Contents"])]


def _number(reference: bytes) -> int:
    return int(reference.split()[0])
