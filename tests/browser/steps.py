"""What a dealer's thumb does, shared by the tests of this folder."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


def tap_deal(page: Page, *, connector: int | None, saboteurs: list[int], selfish: int) -> None:
    page.locator(f'.pick:has(input[value="{connector or "none"}"])').tap()
    for seat in saboteurs:
        page.locator(f'.seat[data-seat="{seat}"] .saboteur').tap()
    page.locator(f'.seat[data-seat="{selfish}"] .selfish').tap()


def result_of(page: Page, seat: int) -> Locator:
    """The seat's line in the preview."""
    return page.locator(f'[data-result="{seat}"]')
