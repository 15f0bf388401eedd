"""Reading pages in tests."""

from __future__ import annotations

import re

from django.http import HttpResponse


def flat(response: HttpResponse) -> str:
    """The page with its line breaks and indents folded, as a browser folds them."""
    return re.sub(r"\s+", " ", response.content.decode()).replace(" >", ">")
