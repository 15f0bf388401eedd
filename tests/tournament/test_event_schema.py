"""The published schemas are those of the software, and real files are as they say."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.browser.world import make_world
from tests.tournament.test_check_event import cut_event
from tests.tournament.test_event_file import eventful, packed, refused, unpacked, wipe
from tournament.documents.event_archive import event_archive
from tournament.management.commands.event_schema import SCHEMAS
from tournament.models import Event
from tournament.queries.event_file.values import canonical

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
OF_MEMBER = {
    "event.json": "event-file.schema.json",
    "private.json": "event-file-private.schema.json",
}
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _photos(settings: Any, tmp_path: Path) -> None:
    settings.PHOTOS_DIR = tmp_path / "photos"


@cache
def published(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((DOCS / name).read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_schema_is_that_of_the_software(name: str) -> None:
    """`./dev manage event_schema` writes them anew."""
    assert (DOCS / name).read_bytes() == canonical(SCHEMAS[name]())


@pytest.mark.once
def test_real_files_are_as_the_schemas_say() -> None:
    world = make_world()
    for event in (*vars(world.events).values(), eventful(), cut_event()):
        members = unpacked(event_archive(Event.objects.get(pk=event.pk)))
        for name, schema in OF_MEMBER.items():
            published(schema).validate(members[name])


def test_what_a_schema_refuses_the_software_refuses_too() -> None:
    event = cut_event()
    members = unpacked(event_archive(event))
    wipe(event)
    members["private.json"]["event"]["players"][0]["number"] = "one"
    assert not published(OF_MEMBER["private.json"]).is_valid(members["private.json"])
    assert "event.players[0].number (not_an_integer)" in refused(packed(members))
