"""QR codes as SVG text: drawn from rectangles, no script, no image file."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe


# Drawing one takes longer than a page of its own; who watches it asks for it again and again.
@lru_cache(maxsize=4096)
def qr_svg(address: str, *, label: str = "") -> SafeString:
    """An inline SVG of the address, error correction M; dark modules only, on a white ground."""
    out = io.BytesIO()
    # No Micro QR: few phones read it.
    segno.make(address, error="m", micro=False).save(
        out,
        kind="svg",
        xmldecl=False,
        svgns=True,
        border=2,
        light="#fff",
        # The place on paper says how large it is.
        omitsize=True,
        title=label or None,
        svgclass="qr-code",
        lineclass=None,
    )
    return mark_safe(out.getvalue().decode())  # noqa: S308 - segno's own output
