"""What must hold on every page: axe finds nothing, nothing scrolls sideways, thumbs hit."""

from __future__ import annotations

import os
import re
from itertools import product
from pathlib import Path
from zlib import crc32

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Error, Page

from tests.browser.devices import LAPTOP, PHONE

AXE = Axe()
SIZES = {"phone": PHONE, "laptop": LAPTOP}
SCHEMES = ("light", "dark")
SHOTS = os.environ.get("LODESTAR_SHOTS", "")  # a folder: keep a picture of every page there

# axe passes over words on a gradient or beside a drawn edge, so it is shown the plain ground.
PLAIN_GROUNDS = """() => {
  const plain = new CSSStyleSheet();
  plain.replaceSync(
    "* { background-image: none !important } ::before, ::after { background: none !important }");
  document.adoptedStyleSheets = [plain];
}"""

# Where axe is not sure of a contrast, the page is at fault; but for a lone sign like an arrow, and
# for words in a drawn picture, of which it never sees the ground.
RUN_AXE = """async () => {
  const {violations, incomplete} = await axe.run({resultTypes: ["violations", "incomplete"]});
  const signs = ["shortTextContent", "nonBmp"];
  const unsure = incomplete.filter((one) => one.id === "color-contrast").map((one) => ({
    ...one, nodes: one.nodes.filter((node) =>
      !signs.includes(node.any[0].data.messageKey) && !node.html.startsWith("<text")),
  }));
  const places = (one) => one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160));
  return [...violations, ...unsure].filter((one) => one.nodes.length)
    .map((one) => `${one.id}: ${places(one).join(" | ")}`);
}"""

# Buttons, fields, and links that are no part of a sentence. A radio or a tick has its label.
SMALL_TARGETS = """() => {
  const box = (parts) => {
    const all = parts.map((part) => part.getBoundingClientRect()).filter((one) => one.width);
    const least = (side) => Math.min(...all.map((one) => one[side]));
    const most = (side) => Math.max(...all.map((one) => one[side]));
    return [most("right") - least("left"), most("bottom") - least("top")];
  };
  const found = [];
  for (const one of document.querySelectorAll(
      "a[href], button, input:not([type=hidden]), select, textarea, summary")) {
    if (!one.checkVisibility({visibilityProperty: true})) continue;
    if (one.matches("a") && getComputedStyle(one).display === "inline") continue;
    const tick = one.matches("[type=checkbox], [type=radio]");
    const [width, height] = box(tick ? [one, ...one.labels] : [one]);
    if (Math.max(width, height) >= 44 && Math.min(width, height) >= 24) continue;
    found.push(`${one.outerHTML.slice(0, 120)} is ${Math.round(width)} x ${Math.round(height)}`);
  }
  return found;
}"""


class Watch:
    """Collects what goes wrong in a page while it is used; for a part of its life by `with`."""

    def __init__(self, page: Page) -> None:
        self.faults: list[str] = []
        self._page = page
        page.on("console", self._console)
        page.on("pageerror", self._error)

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_failure: object) -> None:
        self._page.remove_listener("console", self._console)
        self._page.remove_listener("pageerror", self._error)

    def _error(self, error: Error) -> None:
        self.faults.append(f"error: {error}")

    def _console(self, message: ConsoleMessage) -> None:
        # That a form answered 422 is no fault, and neither is a page that is meant to be missing.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.faults.append(f"console: {message.text}")
        elif message.type == "error" and "/static/" in message.location.get("url", ""):
            self.faults.append(f"missing: {message.location['url']}")


def check(page: Page, name: str, watch: Watch) -> None:
    faults = faults_of(page, name) + watch.faults
    assert not faults, "\n".join(["", *faults])


def looks(name: str) -> list[tuple[str, str, bool]]:
    """The sizes and lights in which a page is looked at, and in which axe looks too. The light
    changes colours alone and the size what is seen, and each part of a page is on many of them: so
    each size has one light, and axe sees one of the two, on each page another one."""
    every = list(product(SIZES, SCHEMES))
    if SHOTS:
        return [(*one, True) for one in every]
    seen = crc32(name.encode()) % len(every)
    (size, scheme), other = every[seen], every[len(every) - 1 - seen]
    return [(size, scheme, True), (*other, False)]


def faults_of(page: Page, name: str) -> list[str]:
    """Everything that is wrong with the page as it stands, in both sizes."""
    faults: list[str] = []
    page.evaluate("document.querySelectorAll('details.more').forEach(one => { one.open = true })")
    page.evaluate(AXE.axe_script)
    page.evaluate(PLAIN_GROUNDS)
    for size, scheme, axe in looks(name):
        page.set_viewport_size(SIZES[size])
        page.emulate_media(color_scheme=scheme)
        where = f"{size}, {scheme}"
        if axe:
            faults += [f"{where}: axe {one}" for one in page.evaluate(RUN_AXE)]
        faults += [f"{where}: target {one}" for one in page.evaluate(SMALL_TARGETS)[:5]]
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > SIZES[size]["width"]:
            faults.append(f"{where}: {width} px wide")
        if SHOTS:
            page.evaluate("document.adoptedStyleSheets = []")
            folder = Path(SHOTS)
            folder.mkdir(parents=True, exist_ok=True)
            file = re.sub(r"[^a-z0-9]+", "-", name.lower())
            page.screenshot(path=folder / f"{file}-{size}-{scheme}.png", full_page=True)
            page.evaluate(PLAIN_GROUNDS)
    return faults


def too_wide(page: Page, addresses: list[str]) -> list[str]:
    """The pages that scroll sideways on a phone in Spanish, whose words are longer."""
    page.set_extra_http_headers({"Accept-Language": "es"})
    found = []
    for address in addresses:
        page.goto(address)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            found.append(f"{address} is {width} px wide")
    return found
