"""Typed readers of the environment. Each fails loudly and names the variable; an empty one is as if
it were not there."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off"}


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
    """A yes or a no; anything else is an error rather than a guess."""
    value = text(name).lower()
    if not value:
        return default
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be one of 1, 0, true, false, yes, no: not {value!r}.")


def number(name: str, default: int, *, least: int | None = None) -> int:
    raw = text(name, str(default))
    try:
        found = int(raw)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number: not {raw!r}.") from None
    if least is not None and found < least:
        raise ImproperlyConfigured(f"{name} must be at least {least}: not {found}.")
    return found


def choice(name: str, default: str, *others: str) -> str:
    """One of these words."""
    found, allowed = text(name, default).lower(), (default, *others)
    if found not in allowed:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(allowed)}: not {found!r}.")
    return found


def words(name: str, default: str = "") -> list[str]:
    """Items separated by commas."""
    return [item.strip() for item in text(name, default).split(",") if item.strip()]


def zone(name: str, default: str) -> str:
    """A time zone, by the name that it has everywhere."""
    found = text(name, default)
    try:
        return ZoneInfo(found).key
    except (KeyError, ValueError, OSError):  # unknown, a path, or a folder of zones
        raise ImproperlyConfigured(
            f"{name} must be a zone such as Europe/Madrid: not {found!r}."
        ) from None


def split(url: str) -> SplitResult | None:
    """The parts of an address that names a host; None if it is no address."""
    try:
        parts = urlsplit(url)
        _port = parts.port
    except ValueError:
        return None
    return parts if parts.hostname else None


def _site(name: str, url: str) -> str:
    if not url.startswith(("https://", "http://")):
        raise ImproperlyConfigured(f"{name} must begin with https:// or http://: not {url!r}.")
    if split(url) is None:
        raise ImproperlyConfigured(f"{name} must look like https://saboteur.example.org.")
    return url.rstrip("/")


def site(name: str, default: str = "") -> str:
    """The address of a site, without the slash at its end; nothing if it is not given."""
    url = text(name, default)
    return _site(name, url) if url else ""


def sites(name: str, default: str = "") -> list[str]:
    """Addresses of sites, separated by commas."""
    return [_site(name, url) for url in words(name, default)]


SHORTEST_KEY = 50


def secret_key(name: str, keep_in: Path, *, generate: bool) -> str:
    """The key from the environment; else, only where allowed, one made once and kept in a file."""
    if value := text(name):
        if len(value) < SHORTEST_KEY:
            raise ImproperlyConfigured(
                f"{name} is too short: it must be at least {SHORTEST_KEY} random characters."
            )
        return value
    if keep_in.exists():
        return keep_in.read_text().strip()
    if not generate:
        raise ImproperlyConfigured(f"{name} must be set: at least 50 random characters.")
    keep_in.parent.mkdir(parents=True, exist_ok=True)
    # Readable by its owner alone from the first byte on, not only after a chmod.
    descriptor = os.open(keep_in, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(64))
    return keep_in.read_text().strip()


def keep_private(path: Path) -> None:
    """The database's files are for their owner alone, like their folder where that is new."""
    if not path.parent.exists():
        path.parent.mkdir(parents=True, mode=0o700)
    for one in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(OSError):  # not there yet (`migrate` makes it), or somebody else's
            if one.stat().st_mode & 0o077:
                one.chmod(0o600)


ESCAPES = "In the password write / as %2F, # as %23, ? as %3F, @ as %40 and % as %25."


def _is_whole(parts: SplitResult) -> bool:
    """Whether nothing of a password has slipped into what follows it."""
    try:
        _port = parts.port
    except ValueError:
        return False
    database = parts.path.strip("/")
    return bool(database) and "@" not in parts.path + parts.query and not parts.fragment


SQLITE_PRAGMAS = (
    # With WAL readers and the one writer do not wait for each other; FULL: what was acknowledged is
    # on the disk; secure_delete: what was erased is overwritten there.
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000; "
    "PRAGMA mmap_size=134217728; PRAGMA temp_store=MEMORY; PRAGMA secure_delete=ON;"
)

# Of each process. Fewer than its threads: those that wait for a slow body hold none
# (config/gate.py), and PostgreSQL gives 100 to all processes together. `timeout` is in seconds.
POSTGRES_POOL = {"min_size": 1, "max_size": 16, "timeout": 20}


def database(name: str, embedded: Path) -> dict[str, Any]:
    """`postgres://user:password@host:port/name?option=value`, or the embedded SQLite file."""
    url = text(name)
    if not url or url.startswith("sqlite:"):
        path = Path(unquote(urlsplit(url).path)) if url else embedded
        keep_private(path)
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(path),
            "OPTIONS": {
                # A transaction that reads first and then writes would be refused at once if
                # somebody wrote meanwhile, whatever the timeout.
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": SQLITE_PRAGMAS,
            },
        }
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"} or not _is_whole(parts):
        raise ImproperlyConfigured(
            f"{name} must look like postgres://user:password@host/name. {ESCAPES}"
        )
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    # A socket's folder does not fit into the place of a host name, so it may come as an option.
    host = options.pop("host", parts.hostname or "")
    port = options.pop("port", str(parts.port or ""))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": port,
        "CONN_MAX_AGE": 0,  # a connection goes back to the pool after each request
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options | {"pool": POSTGRES_POOL},
    }


DAYS = 2 * 24 * 3600  # how long a count is kept: longer than any limit counts


def caches(name: str) -> dict[str, dict[str, Any]]:
    """`default`: what is counted, for all workers; `shared`: what one worker makes for all;
    `local`: of each worker alone. The first two lie in the database, or at `redis://host:port/number`."""
    url = text(name)
    local = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    if not url:
        counts = {
            "BACKEND": "config.shared_cache.Counts",
            "LOCATION": "counts",  # made by our own migration: models/versions.py
            "TIMEOUT": DAYS,
            "OPTIONS": {"MAX_ENTRIES": 50_000},
        }
        shared = {
            "BACKEND": "config.shared_cache.SharedCache",
            "LOCATION": "shared_cache",
            "OPTIONS": {"MAX_ENTRIES": 5000},
        }
        return {"default": counts, "shared": shared, "local": local}
    redis = url.startswith(("redis://", "rediss://")) and split(url) is not None
    if not redis and not url.startswith("unix://"):
        raise ImproperlyConfigured(f"{name} must look like redis://host:6379/0.")
    if find_spec("redis") is None:
        raise ImproperlyConfigured(f"{name} needs the package “redis”: pip install redis.")
    counts = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": url,
        "KEY_PREFIX": "lodestar-counts",
        "TIMEOUT": DAYS,
    }
    shared = {
        "BACKEND": "config.shared_cache.SharedRedis",
        "LOCATION": url,
        "KEY_PREFIX": "lodestar",
    }
    return {"default": counts, "shared": shared, "local": local}


def copy_folder(name: str, database: dict[str, Any]) -> Path | None:
    """Where a second copy is kept as it goes; the folder need not be there now."""
    if not (value := text(name)):
        return None
    if "sqlite3" not in database["ENGINE"]:
        raise ImproperlyConfigured(
            f"{name} is for the embedded database; PostgreSQL keeps a second copy by its own means."
        )
    folder = Path(value).absolute()
    # There the copy would take the place of the database itself.
    if folder.resolve() == Path(database["NAME"]).resolve().parent:
        raise ImproperlyConfigured(f"{name} is where the database lies; choose another folder.")
    return folder


def mailer(name: str) -> dict[str, Any]:
    """`smtp://user:password@host:587`, with STARTTLS unless `?tls=0` is added, or
    `smtps://user:password@host:465`; nothing: on the console."""
    url = text(name)
    if not url or url == "console:":
        return {"BACKEND": "config.printed.EmailBackend"}
    parts = split(url)
    if (
        parts is None
        or parts.scheme not in {"smtp", "smtps"}
        or parts.path.strip("/")
        or parts.fragment
        or "@" in parts.query
    ):
        raise ImproperlyConfigured(
            f"{name} must look like smtp://user:password@host:587 or "
            f"smtps://user:password@host:465. {ESCAPES}"
        )
    implicit = parts.scheme == "smtps"
    return {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": parts.hostname,
            "port": parts.port or (465 if implicit else 587),
            "username": unquote(parts.username or ""),
            "password": unquote(parts.password or ""),
            "use_ssl": implicit,
            "use_tls": not implicit and dict(parse_qsl(parts.query)).get("tls", "1") in TRUE,
            "timeout": 5,
        },
    }


ENGINES = {
    "process": "config.engine.ThreadBackend",
    "database": "django_tasks_db.DatabaseBackend",
    "immediate": "django.tasks.backends.immediate.ImmediateBackend",
}
QUEUES = ["default", "jobs"]  # a mail must not wait for a draw


def tasks(name: str, database: dict[str, Any]) -> tuple[str, dict[str, dict[str, Any]]]:
    """Who does what no page waits for: this process (`process`), workers that take it from the
    database (`database`), or the request itself (`immediate`)."""
    engine = text(name) or "process"
    if engine not in ENGINES:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(ENGINES)}: not {engine!r}.")
    if engine == "database":
        if "postgresql" not in database["ENGINE"]:
            raise ImproperlyConfigured(f"{name}=database needs PostgreSQL: set DATABASE_URL.")
        if find_spec("django_tasks_db") is None:
            raise ImproperlyConfigured(f"{name}=database needs requirements/server.txt installed.")
    return engine, {"default": {"BACKEND": ENGINES[engine], "QUEUES": QUEUES}}


FOLDERS: dict[str, dict[str, Any]] = {
    "prints": {"setting": "PRINTS_DIR"},
    "photos": {"setting": "PHOTOS_DIR", "lasting": True},
}


def files(name: str) -> dict[str, dict[str, Any]]:
    """`s3://key:secret@host/bucket?region=…` (`s3+http://` without TLS); nothing: folders in the
    data folder."""
    url = text(name)
    if not url:
        return {
            alias: {"BACKEND": "config.storage.Folder", "OPTIONS": options}
            for alias, options in FOLDERS.items()
        }
    parts = split(url)
    bucket = parts.path.strip("/") if parts else ""
    if parts is None or parts.scheme not in {"s3", "s3+http"} or not bucket or "/" in bucket:
        raise ImproperlyConfigured(f"{name} must look like s3://key:secret@host/bucket.")
    if find_spec("storages") is None or find_spec("boto3") is None:
        raise ImproperlyConfigured(f"{name} needs requirements/server.txt installed.")
    if text("LODESTAR_COPY_DIR"):
        raise ImproperlyConfigured(f"{name} and LODESTAR_COPY_DIR: a second copy copies folders.")
    options = {
        "endpoint_url": f"{'https' if parts.scheme == 's3' else 'http'}://"
        f"{parts.hostname}{f':{parts.port}' if parts.port else ''}",
        "access_key": unquote(parts.username or ""),
        "secret_key": unquote(parts.password or ""),
        "bucket_name": bucket,
        "region_name": dict(parse_qsl(parts.query)).get("region", "us-east-1"),
    }
    return {
        alias: {"BACKEND": "config.s3.Bucket", "OPTIONS": options | {"location": alias}}
        for alias in FOLDERS
    }
