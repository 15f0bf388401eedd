"""The caches that all workers share, in the database or in Redis. Whatever they hold, pages are
made, and what they lose is a count that begins anew."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.redis import RedisCache
from django.db import DatabaseError, router, transaction

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


class _OfThisEdition(BaseCache):
    """What can't be read is not there."""

    def make_key(self, key: Any, version: int | None = None) -> str:
        return super().make_key(f"{edition()}:{key}", version)

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        keys = list(keys)
        try:
            return super().get_many(keys, version)
        except (DatabaseError, OSError):
            raise
        except Exception:  # whatever unpickling nonsense raises
            log.warning("Unreadable in the shared cache, made anew: %s", keys)
            self.delete_many(keys, version)
            return {}


class _InDatabase(DatabaseCache):
    """On a full disk what can't be written is not kept, and pages are made all the same."""

    def _base_delete_many(self, keys: list[str]) -> bool:
        try:
            return bool(super()._base_delete_many(keys))  # type: ignore[misc]
        except DatabaseError:
            return False


class SharedCache(_OfThisEdition, _InDatabase):
    """In the database."""


class SharedRedis(_OfThisEdition, RedisCache):
    """In Redis, or what speaks like it."""


class Counts(_InDatabase):
    """Numbers that many raise at once, none of them lost. Redis does that by itself."""

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        from tournament.models import Counts as Row

        row = Row.objects.filter(pk=self.make_and_validate_key(key, version))
        with transaction.atomic(using=router.db_for_write(self.cache_model_class)):
            row.select_for_update().first()
            return super().incr(key, delta, version)
