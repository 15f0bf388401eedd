"""The cache that all workers share, and that outlives them: whatever it holds, pages are made."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import DatabaseError

BASE_DIR = Path(__file__).resolve().parent.parent
SOURCES = ("scoring/**/*.py", "tournament/**/*.py", "templates/**/*", "locale/**/*.mo")
log = logging.getLogger(__name__)


@cache
def edition() -> str:
    """Which release this is: another one has other dataclasses, templates and words, so it does not
    read what this one has kept."""
    digest = blake2b(digest_size=6)
    for pattern in SOURCES:
        for path in sorted(BASE_DIR.glob(pattern)):
            if path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


class SharedCache(DatabaseCache):
    """What can't be read is not there."""

    def make_key(self, key: Any, version: int | None = None) -> str:
        return super().make_key(f"{edition()}:{key}", version)

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        keys = list(keys)
        try:
            return super().get_many(keys, version)
        except DatabaseError:
            raise
        except Exception:  # whatever unpickling nonsense raises
            log.warning("Unreadable in the shared cache, made anew: %s", keys)
            self.delete_many(keys, version)
            return {}
