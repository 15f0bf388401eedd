"""What an account has beside e-mail and password: a name."""

from __future__ import annotations

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
