"""Prints and photos in a store that several machines share, asked over S3's own protocol."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test import Client
from django.urls import reverse
from moto.server import ThreadedMotoServer

from config import env
from tests.factories import PHOTO, make_event, make_players, make_table
from tournament.actions.photos import attach_photo
from tournament.backups import backup, restore
from tournament.documents import store
from tournament.documents.request import DocumentRequest
from tournament.models import SheetPhoto
from tournament.refusals import Refused
from tournament.simulation import at

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    started = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    started.start()
    yield "{}:{}".format(*started.get_host_and_port())
    started.stop()


@pytest.fixture
def bucket(server: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The settings of a host with a store, and what lies in it."""
    keys = {"aws_access_key_id": "key", "aws_secret_access_key": "secret"}
    where = {"endpoint_url": f"http://{server}", "region_name": "us-east-1"}
    found = boto3.resource("s3", **keys, **where).create_bucket(Bucket="club")
    monkeypatch.setenv("LODESTAR_FILES_URL", f"s3+http://key:secret@{server}/club")
    settings.STORAGES = settings.STORAGES | env.files("LODESTAR_FILES_URL")
    monkeypatch.setattr(SheetPhoto.image.field, "storage", storages["photos"])
    yield found
    found.objects.all().delete()
    found.delete()


def names(bucket: Any) -> list[str]:
    return sorted(one.key for one in bucket.objects.all())


def with_photo() -> Any:
    table = make_table(6)
    attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 1))
    return table


def test_a_print_is_kept_found_and_forgotten(bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event()
    make_players(event, 6)
    wanted = DocumentRequest(event, "badges", languages=("en",))
    assert store.find(wanted) is None
    assert store.find_latest(wanted) is None
    made = store.make(wanted)
    assert names(bucket) == [f"prints/{made.name}"]
    assert store.find(wanted) == store.find_latest(wanted) == made
    assert store.find_recent(wanted, made.fingerprint) == made
    assert made.read_bytes().startswith(b"%PDF")
    monkeypatch.setattr(store, "KEEP", timedelta(days=-1))
    store.keep(store.Print(f"{event.pk}/other.pdf"), b"x")
    assert names(bucket) == []


def test_a_photo_is_kept_shown_and_swept(
    bucket: Any,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    table = with_photo()
    photo = SheetPhoto.objects.get()
    assert names(bucket) == [f"photos/{photo.image.name}"]
    shown = Client().get(reverse("table_link:photo", args=[table.token, photo.pk]))
    assert b"".join(shown.streaming_content) == PHOTO.jpeg
    event = table.round.event_id
    for orphan in (f"{event}/orphan.jpg", "999999/of-an-event-that-is-gone.jpg"):
        storages["photos"].save(orphan, ContentFile(b"x"))
    monkeypatch.setattr("tournament.actions.photos._ORPHAN_AFTER", timedelta(days=-1))
    with django_capture_on_commit_callbacks(execute=True):
        attach_photo(sheet=table.sheet, photo=PHOTO, by=at(table, 2))
    rows = SheetPhoto.objects.values_list("image", flat=True)
    assert names(bucket) == sorted(f"photos/{name}" for name in rows)


def test_a_lost_photo_is_a_missing_page(bucket: Any) -> None:
    table = with_photo()
    bucket.objects.all().delete()
    address = reverse("table_link:photo", args=[table.token, SheetPhoto.objects.get().pk])
    assert Client().get(address).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_backup_holds_the_photos_of_the_store_and_brings_them_back(
    bucket: Any, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    with_photo()
    name = SheetPhoto.objects.get().image.name
    backup.write_backup(tmp_path / "sunday.zip")
    with zipfile.ZipFile(tmp_path / "sunday.zip") as packed:
        assert packed.read(f"photos/{name}") == PHOTO.jpeg
    bucket.objects.all().delete()
    restore.restore(tmp_path / "sunday.zip", replace=True, say=lambda _line: None)
    assert names(bucket) == [f"photos/{name}"]


def test_a_store_that_is_away_is_a_sentence(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LODESTAR_FILES_URL", "s3+http://key:secret@127.0.0.1:9/club")
    settings.STORAGES = settings.STORAGES | env.files("LODESTAR_FILES_URL")
    with pytest.raises(Refused, match="can't be kept"):
        store.keep(store.Print("1/x.pdf"), b"x")


@pytest.mark.parametrize(
    "value", ["https://host/bucket", "s3://key:secret@host", "s3://key:secret@host/a/b"]
)
def test_an_address_that_makes_no_sense_names_its_setting(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LODESTAR_FILES_URL", value)
    with pytest.raises(ImproperlyConfigured, match="LODESTAR_FILES_URL must look like"):
        env.files("LODESTAR_FILES_URL")


def test_a_second_copy_and_a_store_exclude_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LODESTAR_FILES_URL", "s3://key:secret@host/bucket")
    monkeypatch.setenv("LODESTAR_COPY_DIR", "/somewhere")
    with pytest.raises(ImproperlyConfigured, match="LODESTAR_COPY_DIR"):
        env.files("LODESTAR_FILES_URL")
