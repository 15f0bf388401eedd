"""What an account has beside e-mail and password: a name."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import NameField
from tournament.models import User


class AccountNameForm(forms.Form):
    name = NameField(
        label=_("Your name"),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


class SignupForm(AccountNameForm):
    field_order = ("name", "email", "password1")

    def signup(self, request: HttpRequest, user: User) -> None:
        user.name = self.cleaned_data["name"]
        user.save(update_fields=["name"])


class DeleteAccountForm(forms.Form):
    """The own address, typed: nobody deletes an account by a slip."""

    email = forms.CharField(
        label=_("Your e-mail, to be sure"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).strip().lower()
        if email != self._user.email:
            raise forms.ValidationError(_("This is not the address of this account."))
        return email
