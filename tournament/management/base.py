"""What the commands for a site's data say alike."""

from __future__ import annotations

from django.core.management.base import CommandError

from tournament.backups import tables


def require_data() -> None:
    """A new folder has no tables; an error of the database would tell nobody."""
    if not tables.are_here():
        raise CommandError(
            "Nothing is here yet: there is no event in this data folder (LODESTAR_DATA_DIR)."
        )


def in_words(error: OSError) -> str:
    """An error of the system as a sentence that names the file."""
    problem = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {problem}." if error.filename else f"{problem}."


def counted_words(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or f'{one}s'}"
