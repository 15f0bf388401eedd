"""A photo of the signed sheet: taken on a phone, read beside the boxes on a laptop."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect
from pytest_django import Settings

from tests.browser.checks import Watch, check
from tests.browser.devices import LAPTOP, Open, Site, login
from tests.factories import make_table, organiser_of
from tournament.models import SheetPhoto


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> None:
    settings.PHOTOS_DIR = tmp_path


def photo(extra: int = 0) -> FilePayload:
    out = io.BytesIO()
    Image.new("RGB", (600, 400), "grey").save(out, "JPEG")
    data = out.getvalue() + b"\0" * extra
    return {"name": "IMG_1.jpg", "mimeType": "image/jpeg", "buffer": data}


def test_a_phone_takes_it_and_the_desk_types_from_it(
    phone: Page, new_page: Open, site: Site
) -> None:
    table = make_table(6)
    watch = Watch(phone)
    phone.goto(site("table_link:sheet", table.token))
    phone.get_by_label("Attach a photo").set_input_files(photo())  # sends itself
    expect(phone.get_by_text("The photo is kept with the sheet.")).to_be_visible()
    shown = phone.get_by_role("img", name="Photo 1 of the signed sheet")
    shown.scroll_into_view_if_needed()
    expect(shown).to_have_js_property("naturalWidth", 600)
    check(phone, "dealer_table, photo", watch)

    desk = new_page(LAPTOP)
    login(desk.context, organiser_of(table.round.event), site.url)
    watch = Watch(desk)
    desk.goto(site("staff_table:points", table.round.event.slug, table.pk))
    beside = desk.get_by_role("img", name="Photo 1 of the signed sheet")
    expect(beside).to_have_js_property("naturalWidth", 600)
    boxes, place = desk.locator(".typing-sheet").bounding_box(), beside.bounding_box()
    assert boxes
    assert place
    assert place["x"] >= boxes["x"] + boxes["width"]
    check(desk, "staff_points, photo", watch)

    desk.set_viewport_size(LAPTOP)
    desk.goto(site("staff_table:sheet", table.round.event.slug, table.pk))
    watch = Watch(desk)
    desk.get_by_text("Remove this photo").click()
    remove = desk.locator("form[action$='/remove/']")
    remove.get_by_label("Reason").fill("A face in it")
    remove.get_by_role("button", name="Remove").click()
    expect(desk.get_by_text("The photo is removed.")).to_be_visible()
    expect(desk.get_by_role("img", name="Photo 1")).to_have_count(0)
    check(desk, "staff_table, photo removed", watch)


def test_one_that_is_too_large_is_not_even_sent(phone: Page, site: Site) -> None:
    table = make_table(6)
    phone.goto(site("table_link:sheet", table.token))
    phone.get_by_label("Attach a photo").set_input_files(photo(13 * 1024 * 1024))
    expect(phone.get_by_role("alert")).to_have_text(
        "The photo is larger than 12 MB. Take it with fewer pixels."
    )
    phone.get_by_label("Attach a photo").set_input_files(photo())
    expect(phone.get_by_text("The photo is kept with the sheet.")).to_be_visible()
    assert SheetPhoto.objects.count() == 1


def test_without_a_script_a_button_sends_it(new_page: Open, site: Site) -> None:
    table = make_table(6)
    page = new_page(java_script_enabled=False)
    page.goto(site("table_link:sheet", table.token))
    page.get_by_label("Attach a photo").set_input_files(
        {"name": "sheet.jpg", "mimeType": "image/jpeg", "buffer": b"<svg/>"}
    )
    page.get_by_role("button", name="Attach the photo").click()
    expect(page.get_by_text("This is no photo that can be read")).to_be_visible()
    page.get_by_label("Attach a photo").set_input_files(photo())
    page.get_by_role("button", name="Attach the photo").click()
    expect(page.get_by_text("The photo is kept with the sheet.")).to_be_visible()
    assert SheetPhoto.objects.count() == 1
