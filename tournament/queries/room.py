"""How much room the disk has on which the data lie."""

from __future__ import annotations

import shutil

from django.conf import settings

MB = 1024 * 1024
LITTLE = 500 * MB  # a day of 2,000 players with their photos needs a fifth of it


def little_room() -> int | None:
    """The megabytes that are left, where they are few; else None."""
    try:
        free = shutil.disk_usage(settings.DATA_DIR).free
    except OSError:
        return None
    return free // MB if free < LITTLE else None
