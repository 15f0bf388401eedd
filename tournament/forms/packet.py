"""A packet that somebody got and wants to see checked."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournament import signatures

MOST_UPLOADED = 20 * 1024 * 1024  # 2,000 players in five rounds make 2
TOO_LARGE = _("This file is too large to be checked here. Check it by the command below.")


class PacketForm(forms.Form):
    """`file`: as it came. It is valid if one of this site's keys signed these very bytes."""

    file = forms.FileField(
        label=_("Packet"),
        allow_empty_file=True,
        error_messages=dict.fromkeys(("required", "missing", "invalid"), _("Choose a file first.")),
        widget=forms.FileInput(attrs={"accept": ".zip"}),
    )

    def clean_file(self) -> UploadedFile[bytes]:
        upload: UploadedFile[bytes] = self.cleaned_data["file"]
        if (upload.size or 0) > MOST_UPLOADED:
            raise ValidationError(TOO_LARGE)
        try:
            signer = signatures.signer_of(upload.read())
        except signatures.BadSignature:
            raise ValidationError(
                _("This is no packet as it was signed: it was changed, cut off, or never signed.")
            ) from None
        if signer not in signatures.known_keys():
            raise ValidationError(
                _("It is whole, but another site signed it. Check it there: its key is %(key)s.")
                % {"key": signer}
            )
        return upload
