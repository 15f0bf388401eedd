"""What pages have in common is drawn once; pages are put on larger or other paper.

Both happen in a PDF that WeasyPrint has painted, just before it is written: a page's
drawing becomes a form, which other pages show in whatever place and size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

PT = 72 / 25.4  # points in a millimetre


@dataclass(frozen=True, slots=True)
class Paper:
    """Width and height in millimetres, and how many documents' pages one sheet of it holds,
    one below the other."""

    width: float
    height: float
    fold: int = 1


def lay_under(pdf: Any, under: Sequence[int]) -> None:
    """Make forms of the first pages, and show one under each other page.

    `under[n]`: the number of the first pages' form that lies under the n-th other page.
    """
    pages = _pages(pdf)
    count = len(pages) - len(under)
    for number, page in enumerate(pages[:count]):
        _as_form(pdf, page, f"Under{number}")
    for page, number in zip(pages[count:], under, strict=True):
        _content(pdf, page).stream.insert(0, f"q /Under{number} Do Q".encode())
    _keep(pdf, pages[count:])


def put_on(pdf: Any, paper: Paper) -> None:
    """Show the pages as large as they fit on this paper, `paper.fold` on each."""
    import pydyf

    pages = _pages(pdf)
    for number, page in enumerate(pages):
        _as_form(pdf, page, f"Page{number}")
    made = []
    for first in range(0, len(pages), paper.fold):
        here = pages[first : first + paper.fold]
        drawing = pydyf.Stream(
            [_placed(page, paper, place, first + place) for place, page in enumerate(here)],
            compress=True,
        )
        pdf.add_object(drawing)
        here[0]["Contents"] = drawing.reference
        here[0]["MediaBox"] = pydyf.Array([0, 0, paper.width * PT, paper.height * PT])
        made.append(here[0])
    _keep(pdf, made)


def _placed(page: Any, paper: Paper, place: int, number: int) -> bytes:
    _, _, width, height = (float(edge) for edge in page["MediaBox"])
    room = paper.height * PT / paper.fold
    scale = min(paper.width * PT / width, room / height)
    x = (paper.width * PT - width * scale) / 2
    y = paper.height * PT - room * place - (room + height * scale) / 2
    return f"q {scale:.5f} 0 0 {scale:.5f} {x:.3f} {y:.3f} cm /Page{number} Do Q".encode()


def _as_form(pdf: Any, page: Any, name: str) -> None:
    """The page's drawing as a form of that name, which any page may show."""
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
    return [pdf.objects[number] for number in pdf.pages["Kids"][::3]]


def _keep(pdf: Any, pages: Sequence[Any]) -> None:
    import pydyf

    pdf.pages["Kids"] = pydyf.Array([part for page in pages for part in (page.number, 0, "R")])
    pdf.pages["Count"] = len(pages)


def _content(pdf: Any, page: Any) -> Any:
    return pdf.objects[_number(page["Contents"])]


def _number(reference: bytes) -> int:
    return int(reference.split()[0])
