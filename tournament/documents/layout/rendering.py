"""Templates to PDF. WeasyPrint takes seconds to import: only inside functions.

Fonts, styles and pictures come from the local `static/` folder and from nowhere else, but for a
JPEG that stands in the page itself. The parsed styles and the fonts are kept; one document at a
time, since WeasyPrint gains nothing from threads and its memory would add up.
"""

from __future__ import annotations

import atexit
import base64
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from django.conf import settings
from django.template.loader import render_to_string

from tournament.documents.layout.pdf_overlays import impose, underlay
from tournament.documents.request import PaperSize

JPEG = "data:image/jpeg;base64,"  # before a picture that we made ourselves

type Part = Callable[[], bytes]  # makes one piece of a document: a PDF of some pages

_LOCK = threading.Lock()
_CHATTY = ("weasyprint.progress", "fontTools")  # a line a page, a line a font


def static_folder() -> Path:
    return Path(settings.STATICFILES_DIRS[0]).resolve()


def static_path(url: str) -> Path:
    """The file in `static/` that this `file:` address names; ValueError for anything else."""
    parts = urlsplit(url)
    # Resolved before it is compared: ".." and links lead nowhere else.
    path = Path(url2pathname(parts.path)).resolve()
    if parts.scheme != "file" or parts.netloc or not path.is_relative_to(static_folder()):
        raise ValueError(f"Not a file of static/: {url}")
    return path


def fetch(url: str) -> Any:
    """WeasyPrint's way to any file. A refusal or a lost file ends the document: without its
    fonts it would crash, without its styles it would be unreadable."""
    from weasyprint.urls import FatalURLFetchingError, URLFetcherResponse

    try:
        if url.startswith(JPEG):
            return URLFetcherResponse(url, base64.b64decode(url.removeprefix(JPEG), validate=True))
        path = static_path(url)
        # Read here, so that nothing follows the address once it was judged.
        return URLFetcherResponse(path.as_uri(), path.read_bytes())
    except (OSError, ValueError) as problem:
        raise FatalURLFetchingError(str(problem)) from problem


@lru_cache(maxsize=1)
def _styles() -> tuple[Any, Any]:
    """The fonts and the parsed style sheet, once per process."""
    from weasyprint import CSS
    from weasyprint.text.fonts import FontConfiguration

    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    atexit.register(_styles.cache_clear)  # while WeasyPrint can still let the fonts go
    fonts = FontConfiguration()
    sheet = static_folder() / "css" / "paper.css"
    return fonts, CSS(sheet.as_uri(), url_fetcher=fetch, font_config=fonts)


def pdf(
    template: str,
    context: Mapping[str, Any],
    *,
    under: Sequence[int] = (),
    paper: PaperSize | None = None,
) -> bytes:
    """A template of `templates/print/` as a PDF, in the active language.

    `under`: the template's first pages are forms; which of them lies under each other page.
    `paper`: put the pages on this, scaled.
    """
    from weasyprint import HTML

    def finish(_: Any, made: Any) -> None:
        if under:
            underlay(made, under)
        if paper is not None:
            impose(made, paper)

    text = render_to_string(template, dict(context))
    base = (static_folder() / "img" / "print").as_uri() + "/"
    with _LOCK:
        fonts, styles = _styles()
        document = HTML(string=text, base_url=base, url_fetcher=fetch)
        return bytes(document.write_pdf(stylesheets=[styles], font_config=fonts, finisher=finish))
