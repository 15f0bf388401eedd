"""Photos that people send: judged by their content, drawn anew, and everything else left behind."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from PIL import Image, ImageFile, ImageOps

MOST_BYTES = 12 * 1024 * 1024
MOST_PIXELS = 64_000_000  # of a JPEG, which is read at a fraction of its size
MOST_PIXELS_WHOLE = 13_000_000  # of what has to be read whole: a phone's 12 megapixels
MOST_SCANS = 100  # a hostile JPEG draws its picture over and over
LONGEST = 2000  # pixels of the side that is kept at most
LOGO = 600  # the same of a logo
FORMATS = ("JPEG", "PNG", "WEBP")

_one_at_a_time = threading.Lock()


class NotAPhoto(Exception):
    """`code`: large, unreadable, pixels or moving."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Photo:
    """A JPEG without metadata, upright, at most `LONGEST` on its long side."""

    jpeg: bytes
    width: int
    height: int


def clean_photo(file: IO[bytes], *, longest: int = LONGEST) -> Photo:
    """The photo as we keep it, at most `longest` on its long side. Raises `NotAPhoto`. One at a
    time, so that memory stays bounded."""
    with _one_at_a_time:
        # One byte more than allowed tells that there are too many, without reading them all.
        data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise NotAPhoto("large")
        try:
            with _whole_files():
                return _drawn(data, longest)
        # What we refuse ourselves keeps its own code.
        except NotAPhoto:
            raise
        except Exception as error:  # a damaged or hostile file fails anywhere inside the library
            raise NotAPhoto("unreadable") from error


@contextmanager
def _whole_files() -> Iterator[None]:
    """Half a file is no photo. WeasyPrint lets Pillow read such files, in the whole process."""
    before = ImageFile.LOAD_TRUNCATED_IMAGES
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before


def _drawn(data: bytes, longest: int) -> Photo:
    # Only these readers are tried: each of Pillow's others is one more way in for a hostile file.
    with Image.open(io.BytesIO(data), formats=FORMATS) as image:
        _check(image, data)
        # Else a picture in the colours of print would be decoded whole before it is made small.
        image.draft(None, (longest, longest))
        small = image if image.mode in ("L", "RGB") else image.convert("RGBA")
        # Before turning: a JPEG is decoded small, and turning what is small takes less memory.
        small.thumbnail((longest, longest))
        small = _upright(small)
        # A new picture carries nothing over: no place, no camera, no comment, no profile.
        clean = Image.new("RGB", small.size, "white")
        # What is transparent becomes white: a JPEG has no transparency.
        clean.paste(small, mask=small if small.mode == "RGBA" else None)
    out = io.BytesIO()
    clean.save(out, "JPEG", quality=82, optimize=True)
    return Photo(out.getvalue(), *clean.size)


def _check(image: Image.Image, data: bytes) -> None:
    """Refuse by the head of the file, before any pixel is read."""
    jpeg = image.format in ("JPEG", "MPO")  # MPO: a phone's JPEG with a second picture in it
    if not jpeg and getattr(image, "n_frames", 1) > 1:
        raise NotAPhoto("moving")
    # Pillow decodes a plain JPEG at a half, a quarter or an eighth of its size; nothing else here.
    whole = not jpeg or bool(image.info.get("progressive"))
    if image.width * image.height > (MOST_PIXELS_WHOLE if whole else MOST_PIXELS):
        raise NotAPhoto("pixels")
    # Each scan of a progressive JPEG begins with this mark.
    if jpeg and whole and data.count(b"\xff\xda") > MOST_SCANS:
        raise NotAPhoto("unreadable")


def _upright(image: Image.Image) -> Image.Image:
    """Turned as its metadata says; what cannot be read there is left behind anyway."""
    try:
        return ImageOps.exif_transpose(image)
    except Exception:
        return image
