"""Reading pages in tests."""

from __future__ import annotations

import re
from html import unescape

from django.http import HttpResponse
from django.test import Client


def flat(response: HttpResponse) -> str:
    """The page with its line breaks and indents folded, as a browser folds them."""
    return re.sub(r"\s+", " ", response.content.decode()).replace(" >", ">")


def shown(page: HttpResponse) -> dict[str, str]:
    """What a browser would send back of the form as it stands."""
    form = page.context["form"]
    data: dict[str, str] = {}
    for field in form:
        value = field.value()
        if value is not None and value is not False and value != "":
            data[field.html_name] = "on" if value is True else str(value)
        kind = form.fields[field.name]
        now = kind.hidden_widget().format_value(kind.prepare_value(field.initial))
        data[field.html_initial_name] = "" if now is None else str(now)
    return data


def read_and_write(client: Client, address: str, page: HttpResponse) -> HttpResponse:
    """Press "Write it" on the page that shows first what a correction does."""
    text = flat(page)
    assert "What this changes" in text
    sent = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text)
    return client.post(address, {name: unescape(value) for name, value in sent})
