"""Reading a photo that was sent."""

from __future__ import annotations

from django.core.files.uploadedfile import UploadedFile
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.pictures import MOST_BYTES, NotAPhoto, Photo, drawn_anew

MESSAGES: dict[str, Promise | str] = {
    "none": _("Choose a photo first."),
    "large": _("The photo is larger than 12 MB. Take it with fewer pixels."),
    "pixels": _("The photo has too many pixels. Take it with fewer, or as a JPEG."),
    "moving": _("This picture moves. Send a plain photo."),
    "unreadable": _("This is no photo that can be read: send a JPEG, PNG or WebP."),
}


def read_photo(upload: object) -> Photo:
    """The photo as it is kept. Raises `NotAPhoto`; what the file calls itself means nothing."""
    if not isinstance(upload, UploadedFile):
        raise NotAPhoto("none")
    if (upload.size or 0) > MOST_BYTES:
        raise NotAPhoto("large")
    return drawn_anew(upload)
