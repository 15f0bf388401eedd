"""Reading a photo that was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournament.images import MOST_BYTES, NotAPhoto, Photo, clean_photo

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

MESSAGES: dict[str, _StrPromise | str] = {
    "none": _("Choose a photo first."),
    "large": _("The photo is larger than 12 MB. Take it with fewer pixels."),
    "pixels": _("The photo has too many pixels. Take it with fewer, or as a JPEG."),
    "moving": _("This picture moves. Send a plain photo."),
    "unreadable": _("This is no photo that can be read: send a JPEG, PNG or WebP."),
}

NOT_SENT = ("required", "missing", "invalid")


class PhotoForm(forms.Form):
    """One photo, cleaned: `cleaned_data["photo"]` is the `Photo` that is kept. What the file calls
    itself means nothing."""

    photo = forms.FileField(
        allow_empty_file=True, error_messages=dict.fromkeys(NOT_SENT, MESSAGES["none"])
    )

    def clean_photo(self) -> Photo:
        upload: UploadedFile[bytes] = self.cleaned_data["photo"]
        if (upload.size or 0) > MOST_BYTES:
            raise ValidationError(MESSAGES["large"], code="large")
        try:
            return clean_photo(upload)
        except NotAPhoto as error:
            raise ValidationError(MESSAGES[error.code], code=error.code) from error
