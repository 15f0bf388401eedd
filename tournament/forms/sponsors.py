"""A sponsor: name, link, logo."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import SentenceField
from tournament.forms.photos import MESSAGES
from tournament.images import LOGO, MOST_BYTES, NotAPhoto, Photo, clean_photo
from tournament.models import Sponsor


class SponsorForm(forms.Form):
    """`cleaned_data["logo"]` is the picture that is kept, or None."""

    name = SentenceField(
        label=_("Name"), limit=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    link = forms.URLField(
        label=_("Link"),
        required=False,
        max_length=200,
        assume_scheme="https",
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
    )
    place = forms.IntegerField(label=_("Place in the row"), min_value=1, max_value=99, initial=1)
    logo = forms.FileField(
        label=_("Logo"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        help_text=_("PNG, JPEG or WebP. It stands on white, and small."),
    )
    drop_logo = forms.BooleanField(label=_("Without a logo"), required=False)

    def __init__(self, *args: Any, sponsor: Sponsor | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if sponsor is None or not sponsor.logo:
            del self.fields["drop_logo"]

    def clean_logo(self) -> Photo | None:
        upload: UploadedFile[bytes] | None = self.cleaned_data.get("logo")
        if not upload:
            return None
        if (upload.size or 0) > MOST_BYTES:
            raise ValidationError(MESSAGES["large"], code="large")
        try:
            return clean_photo(upload, longest=LOGO)
        except NotAPhoto as error:
            raise ValidationError(MESSAGES[error.code], code=error.code) from error

    def facts(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("name", "link", "place")}
