"""Photos of signed sheets: kept, shown to those who may, removed with a reason; hostile uploads."""

from __future__ import annotations

import io
import os
import struct
import threading
import time
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image, ImageFile
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from tests.factories import (
    PHOTO,
    make_event,
    make_judge,
    make_players,
    make_round,
    make_table,
    organiser_of,
    play,
)
from tests.factories import organiser as organiser_actor
from tournament import images
from tournament.actions import photos, rounds
from tournament.actions.events import finish_event
from tournament.actions.photos import attach_photo, remove_photo
from tournament.images import NotAPhoto, Photo, clean_photo
from tournament.models import LogEntry, SheetPhoto, Table
from tournament.models.rounds import RoundStatus
from tournament.queries.photos import MOST
from tournament.refusals import Refused
from tournament.simulation import at, tables_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.PHOTOS_DIR = tmp_path / "photos"
    return tmp_path / "photos"


def picture(form: str = "JPEG", size: tuple[int, int] = (60, 40), **more: object) -> bytes:
    """A small picture, red on its left half."""
    image = Image.new("RGB", size, "white")
    image.paste("red", (0, 0, size[0] // 2, size[1]))
    out = io.BytesIO()
    image.save(out, form, **more)
    return out.getvalue()


def with_exif() -> bytes:
    """Held upright (orientation 6), with a place, a camera and a comment."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "Camera of Ana"
    exif.get_ifd(0x8825)[2] = (40.0, 25.0, 0.0)
    return picture(exif=exif, comment=b"a secret comment")


def bomb(side: int = 30_000) -> bytes:
    """A PNG of a few hundred bytes that says it is as large as this."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(b"\0" * 100_000))
    return b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")


def moving(form: str) -> bytes:
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, form, save_all=True, append_images=frames[1:])
    return out.getvalue()


def scans(count: int) -> bytes:
    """A progressive JPEG that draws itself over and over."""
    data = picture(progressive=True)
    at = data.rindex(b"\xff\xda")
    return data[:at] + data[at:-2] * count + data[-2:]


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HOSTILE = {
    "nothing": b"",
    "text": b"hello" * 100,
    "a GIF named .jpg": picture("GIF"),
    "a moving GIF": moving("GIF"),
    "a moving WebP": moving("WEBP"),
    "a moving PNG": moving("PNG"),
    "an SVG": SVG,
    "a page": b"<!doctype html><script>alert(1)</script>",
    "a PDF": b"%PDF-1.7\n" + picture(),
    "half a JPEG": picture(size=(400, 300))[:900],
    "half a PNG": picture("PNG", size=(400, 300))[:300],
    "a bomb": bomb(),
    "a smaller bomb": bomb(4_000),
    "a TIFF": picture("TIFF"),
    "a BMP": picture("BMP"),
    "JPEG's first bytes": b"\xff\xd8\xff\xe0" + os.urandom(500),
    "scans without end": scans(200),
}


def send(client: Client, address: str, data: bytes, name: str = "sheet.jpg") -> HttpResponse:
    upload = SimpleUploadedFile(name, data, content_type="image/jpeg")
    return client.post(address, {"photo": upload, "key": "k"})


def table_address(table: Table) -> str:
    return reverse("table_link:add_photo", args=[table.token])


def staff_address(name: str, table: Table, *more: object) -> str:
    return reverse(name, args=[table.round.event.slug, table.pk, *more])


def staff(table: Table) -> Client:
    client = Client()
    client.force_login(organiser_of(table.round.event))
    return client


# --- What is kept -----------------------------------------------------------------------------


def test_a_photo_is_turned_upright_and_says_nothing_about_its_place() -> None:
    found = clean_photo(io.BytesIO(with_exif()))
    image = Image.open(io.BytesIO(found.jpeg))
    assert (found.width, found.height) == image.size == (40, 60)
    assert not image.getexif()
    assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert b"Camera of Ana" not in found.jpeg
    assert b"secret" not in found.jpeg
    top, bottom = image.getpixel((20, 5)), image.getpixel((20, 55))
    assert top[1] < 60 < 200 < bottom[1]  # the red left half is on top now


def test_a_large_photo_is_kept_at_two_thousand_pixels() -> None:
    found = clean_photo(io.BytesIO(picture(size=(4000, 3000))))
    assert (found.width, found.height) == (2000, 1500)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "MPO"])
def test_the_usual_formats_become_a_jpeg(form: str) -> None:
    found = clean_photo(io.BytesIO(picture(form)))
    assert Image.open(io.BytesIO(found.jpeg)).format == "JPEG"


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16"])
def test_every_kind_of_png_is_read(mode: str) -> None:
    out = io.BytesIO()
    Image.new(mode, (30, 20)).save(out, "PNG")
    assert clean_photo(io.BytesIO(out.getvalue())).width == 30


def test_a_phones_photo_with_a_second_picture_in_it_is_one_photo() -> None:
    assert clean_photo(io.BytesIO(moving("MPO"))).width == 20


def test_a_photo_of_four_inks_is_read() -> None:
    out = io.BytesIO()
    Image.new("CMYK", (30, 20)).save(out, "JPEG")
    assert clean_photo(io.BytesIO(out.getvalue())).height == 20


def test_what_hides_behind_the_picture_is_left_behind() -> None:
    found = clean_photo(io.BytesIO(picture() + b"<script>alert(1)</script>PK\x03\x04"))
    assert b"<script>" not in found.jpeg
    assert b"PK\x03\x04" not in found.jpeg


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_photo_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", True)  # as WeasyPrint leaves it
    with pytest.raises(NotAPhoto):
        clean_photo(io.BytesIO(HOSTILE[name]))


@pytest.mark.parametrize("name", ["a bomb", "a smaller bomb", "scans without end"])
def test_what_is_huge_is_refused_before_a_pixel_is_read(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    monkeypatch.setattr(ImageFile.ImageFile, "load", read.append)
    with pytest.raises(NotAPhoto):
        clean_photo(io.BytesIO(HOSTILE[name]))
    assert read == []


@pytest.mark.parametrize("at", range(0, 800, 40))
def test_a_damaged_photo_is_refused_or_read_but_never_a_crash(at: int) -> None:
    data = bytearray(with_exif())
    data[at % len(data)] ^= 0xFF
    with suppress(NotAPhoto):
        clean_photo(io.BytesIO(bytes(data)))


def test_two_photos_are_never_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, most = [], []

    def slow(data: bytes, _longest: int) -> Photo:
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.05)
        inside.pop()
        return PHOTO

    monkeypatch.setattr(images, "_drawn", slow)
    threads = [threading.Thread(target=clean_photo, args=[io.BytesIO(b"x")]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1, 1, 1, 1]


# --- Sending ----------------------------------------------------------------------------------


def test_a_table_sends_a_photo_and_sees_it(folder: Path) -> None:
    table = make_table(6)
    answer = send(Client(), table_address(table), with_exif())
    assert answer.headers["Location"] == reverse("table_link:sheet", args=[table.token]) + "#photos"
    photo = SheetPhoto.objects.get()
    assert (photo.width, photo.height) == (40, 60)
    assert photo.created_by.endswith("@table")
    assert [path.name for path in folder.rglob("*.jpg")] == [Path(photo.image.name).name]
    address = reverse("table_link:photo", args=[table.token, photo.pk])
    assert address in Client().get(reverse("table_link:sheet", args=[table.token])).content.decode()
    shown = Client().get(address)
    assert shown.headers["Content-Type"] == "image/jpeg"
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    assert shown.headers["Cache-Control"].startswith("private")
    assert Image.open(io.BytesIO(shown.getvalue())).size == (40, 60)
    entry = LogEntry.objects.get(verb="sheet.photo_added")
    assert entry.after == {"photo": photo.pk}


def test_the_sheet_itself_does_not_change() -> None:
    table = make_table(6)
    send(Client(), table_address(table), picture())
    table.sheet.refresh_from_db()
    assert table.sheet.version == 0


@pytest.mark.parametrize("name", HOSTILE)
def test_the_page_says_what_is_wrong_with_it(name: str, folder: Path) -> None:
    table = make_table(6)
    answer = send(Client(), table_address(table), HOSTILE[name])
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert not SheetPhoto.objects.exists()
    assert not list(folder.rglob("*.jpg"))


def test_a_form_without_a_photo_says_so() -> None:
    table = make_table(6)
    answer = staff(table).post(staff_address("staff_table:add_photo", table), {"photo": "text"})
    assert answer.status_code == 422
    assert "Choose a photo first." in answer.content.decode()


def test_a_huge_upload_is_turned_away_unread() -> None:
    table = make_table(6)

    class Body(io.BytesIO):
        def read(self, *args: object) -> bytes:
            raise AssertionError("the body was read")

    answer = Client().generic(
        "POST",
        table_address(table),
        b"",
        content_type="multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(13 * 1024 * 1024),
        **{"wsgi.input": Body()},
    )
    assert answer.status_code == 413
    assert "larger than 12 MB" in answer.content.decode()


def test_a_little_too_large_is_refused_as_well() -> None:
    table = make_table(6)
    data = picture() + b"\0" * (12 * 1024 * 1024)
    assert send(Client(), table_address(table), data).status_code == 413


def test_a_photo_needs_its_token_although_its_size_is_looked_at_first() -> None:
    table = make_table(6)
    client = Client(enforce_csrf_checks=True)
    assert send(client, table_address(table), picture()).status_code == 403
    client.force_login(organiser_of(table.round.event))
    assert send(client, staff_address("staff_table:add_photo", table), picture()).status_code == 403
    assert not SheetPhoto.objects.exists()


def test_the_same_photo_sent_twice_is_kept_once_and_another_one_too() -> None:
    table = make_table(6)
    for data in (picture(), picture(), picture(size=(80, 40))):
        send(Client(), table_address(table), data)
    assert list(SheetPhoto.objects.values_list("width", flat=True)) == [60, 80]


def test_a_sheet_has_room_for_six() -> None:
    table = make_table(6)
    for width in range(MOST + 2):
        send(Client(), table_address(table), picture(size=(60 + width, 40)))
    assert SheetPhoto.objects.count() == MOST
    answer = send(Client(), table_address(table), picture(size=(99, 40)))
    assert "no room for more photos" in answer.content.decode()
    with pytest.raises(Refused, match="has 6 photos already"):
        attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))


def test_a_closed_rounds_link_takes_none() -> None:
    table = make_table(6)
    page = reverse("table_link:sheet", args=[table.token])
    assert "data-photo" in Client().get(page).content.decode()
    table.round.closed_at = timezone.now()
    table.round.status = RoundStatus.CLOSED
    table.round.save()
    assert "data-photo" not in Client().get(page).content.decode()
    answer = send(Client(), table_address(table), picture())
    assert answer.status_code == 409
    assert "while its round is played, and the staff, may attach a photo" in answer.content.decode()
    assert (
        send(staff(table), staff_address("staff_table:add_photo", table), picture()).status_code
        == 302
    )
    assert SheetPhoto.objects.count() == 1


# --- Who sees and who removes -----------------------------------------------------------------


def test_another_table_and_another_event_do_not_see_it() -> None:
    event = make_event()
    make_players(event, 12)
    one, two = tables_of(make_round(event))
    attach_photo(sheet=one.sheet, photo=PHOTO, by=at(one, 1))
    photo = SheetPhoto.objects.get()
    assert Client().get(reverse("table_link:photo", args=[two.token, photo.pk])).status_code == 404
    other = make_table(6)
    address = staff_address("staff_table:photo", other, photo.pk)
    assert staff(other).get(address).status_code == 404
    assert staff(one).get(staff_address("staff_table:photo", two, photo.pk)).status_code == 404
    with pytest.raises(Refused, match="Only this table while its round is played"):
        attach_photo(sheet=one.sheet, photo=PHOTO, by=at(two, 1))


def test_no_address_of_files_leads_to_it(folder: Path) -> None:
    table = make_table(6)
    attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))
    name = next(folder.rglob("*.jpg")).name
    for address in (f"/static/{name}", f"/media/{name}", f"/photos/{table.round.event_id}/{name}"):
        assert Client().get(address).status_code == 404
    assert next(folder.rglob("*.jpg")).stat().st_mode & 0o077 == 0


def test_it_dies_with_the_tables_link_but_not_for_the_staff() -> None:
    event = make_event(cut_size=0, rounds_planned=1)
    make_players(event, 6)
    round_ = make_round(event)
    table = tables_of(round_)[0]
    play(table)
    attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))
    rounds.close_round(round_=round_, by=organiser_actor(event))
    address = reverse("table_link:photo", args=[table.token, SheetPhoto.objects.get().pk])
    assert Client().get(address).status_code == 200
    finish_event(event=event, by=organiser_actor(event))
    assert Client().get(address).status_code == 410
    mine = staff_address("staff_table:photo", table, SheetPhoto.objects.get().pk)
    assert staff(table).get(mine).status_code == 200
    with pytest.raises(Refused, match="The event is finished"):
        attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))


def test_removing_marks_it_with_a_reason_and_keeps_the_file(folder: Path) -> None:
    table = make_table(6)
    attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))
    photo = SheetPhoto.objects.get()
    judge = Client()
    judge.force_login(make_judge(table.round.event))
    address = staff_address("staff_table:remove_photo", table, photo.pk)
    assert judge.post(address, {"reason": ""}).status_code == 409
    assert judge.post(address, {"reason": "a face in it", "key": "k"}).status_code == 302
    photo.refresh_from_db()
    assert photo.removed_reason == "a face in it"
    assert photo.removed_by.startswith("user:")
    assert Path(photo.image.path).exists()
    assert LogEntry.objects.get(verb="sheet.photo_removed").reason == "a face in it"
    dealers = reverse("table_link:photo", args=[table.token, photo.pk])
    assert Client().get(dealers).status_code == 404
    assert str(dealers) not in Client().get(reverse("table_link:sheet", args=[table.token])).text
    page = judge.get(staff_address("staff_table:sheet", table)).text
    assert "a face in it" in page
    assert "Julio" in page
    assert judge.get(staff_address("staff_table:photo", table, photo.pk)).status_code == 200
    with pytest.raises(Refused, match="removed already"):
        remove_photo(photo=photo, reason="again", by=organiser_actor(table.round.event))


def test_a_table_cannot_remove_a_photo() -> None:
    table = make_table(6)
    attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))
    with pytest.raises(Refused, match="Only the staff"):
        remove_photo(photo=SheetPhoto.objects.get(), reason="x", by=at(table, 1))


def test_the_photo_lies_beside_the_boxes_of_the_typing_page() -> None:
    table = make_table(6)
    attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))
    page = staff(table).get(staff_address("staff_table:points", table)).text
    assert staff_address("staff_table:photo", table, SheetPhoto.objects.get().pk) in page


# --- Files and rows ---------------------------------------------------------------------------


def test_a_crash_between_file_and_row_leaves_no_broken_row(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_table(6)

    def crash(*args: object, **more: object) -> None:
        raise OSError("the power is gone")

    monkeypatch.setattr(photos, "log_change", crash)
    with pytest.raises(OSError, match="power"):
        attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))
    assert not SheetPhoto.objects.exists()
    assert len(list(folder.rglob("*.jpg"))) == 1


def test_orphans_and_folders_of_gone_events_are_swept_after_a_day(
    folder: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    table = make_table(6)
    attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))
    mine = folder / str(table.round.event_id)
    (gone := folder / "999999").mkdir()
    (old := mine / "orphan.jpg").write_bytes(b"x")
    (young := mine / "young.jpg").write_bytes(b"x")
    kept = Path(SheetPhoto.objects.get().image.path)
    for path in (gone, old, kept):
        os.utime(path, (0, 0))
    with django_capture_on_commit_callbacks(execute=True):
        attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 2))
    assert (gone.exists(), old.exists(), young.exists(), kept.exists()) == (
        False,
        False,
        True,
        True,
    )


def test_a_lost_file_is_a_missing_page_and_not_a_crash() -> None:
    table = make_table(6)
    attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))
    photo = SheetPhoto.objects.get()
    Path(photo.image.path).unlink()
    assert (
        Client().get(reverse("table_link:photo", args=[table.token, photo.pk])).status_code == 404
    )


def test_a_removed_photo_without_a_reason_cannot_be_stored() -> None:
    table = make_table(6)
    attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))
    with pytest.raises(IntegrityError), transaction.atomic():
        SheetPhoto.objects.update(removed_reason="x")
