"""`manage.py event_schema`: write the JSON Schemas of event files into docs/ anew."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from tournament.queries.event_file.schema import private_schema, public_schema
from tournament.queries.event_file.values import canonical

SCHEMAS = {
    "event-file.schema.json": public_schema,
    "event-file-private.schema.json": private_schema,
}


class Command(BaseCommand):
    help = "Write docs/event-file.schema.json and docs/event-file-private.schema.json."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, schema in SCHEMAS.items():
            path = settings.BASE_DIR / "docs" / name
            path.write_bytes(canonical(schema()))
            self.stdout.write(str(path.relative_to(settings.BASE_DIR)))
