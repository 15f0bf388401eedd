"""Compile the translation catalogues: `python -m config.catalogues`.

A machine without gettext can do it, because polib writes the compiled form; the compiled files
are not committed.
"""

from __future__ import annotations

from pathlib import Path

import polib

LOCALE = Path(__file__).resolve().parent.parent / "locale"


def compile_catalogues(folder: Path = LOCALE) -> list[Path]:
    """Write each `.mo` that is missing or older than its `.po`; return those written."""
    written = []
    for source in sorted(folder.rglob("LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        # Only what changed: `./dev` comes through here whenever it starts.
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            polib.pofile(str(source)).save_as_mofile(str(target))
            written.append(target)
    return written


if __name__ == "__main__":
    compile_catalogues()
