"""What a browser sends of a passkey, where allauth's forms are too trusting.

They skip what counts as nothing in Python, such as 0: it was kept as a passkey, and from then on
the account's pages broke, and the log-in with it. And they break on anything of another shape.
"""

from __future__ import annotations

import struct
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms

MISSHAPEN = (AttributeError, LookupError, TypeError, ValueError, struct.error)


class AddPasskeyForm(forms.AddWebAuthnForm):  # type: ignore[misc]
    def clean_credential(self) -> dict[str, Any]:
        credential = self.cleaned_data["credential"]
        if not isinstance(credential, dict):
            raise get_adapter().validation_error("incorrect_code")
        return credential

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()  # type: ignore[no-any-return]
        except MISSHAPEN:
            raise get_adapter().validation_error("incorrect_code") from None


class _Shown:
    """Of the forms to which a passkey is shown."""

    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()  # type: ignore[misc]
        except MISSHAPEN:
            raise get_adapter().validation_error("incorrect_code") from None


class AuthenticatePasskeyForm(_Shown, forms.AuthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class LoginPasskeyForm(_Shown, forms.LoginWebAuthnForm):  # type: ignore[misc]
    pass


class ReauthenticatePasskeyForm(_Shown, forms.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    pass
