"""A person's own account: the name is changed here, all else on allauth's pages."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access import user_of
from tournament.actions import accounts as actions
from tournament.forms.account import AccountNameForm, DeleteAccountForm
from tournament.queries.accounts import account_data, needed_by
from tournament.queries.event_file.values import canonical
from tournament.refusals import Refused
from tournament.web.responses import carry_out, refusal, unprocessable


@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """All that is stored of this login, to take along."""
    response = HttpResponse(
        canonical(account_data(user_of(request))), content_type="application/json"
    )
    response["Content-Disposition"] = 'attachment; filename="account.json"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator] # allauth has no types
def delete(request: HttpRequest) -> HttpResponse:
    """For good, once password or passkey are given again, and the own address is typed. A press
    that comes too late after the password waits until it is given once more."""
    user = user_of(request)
    form = DeleteAccountForm(request.POST or None, user=user)

    def page() -> HttpResponse:
        context = {"form": form, "needed": needed_by(user)}
        return render(request, "tournament/account_delete.html", context)

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    try:
        actions.delete_account(user=user)
    except Refused as refused:
        return refusal(request, refused, page)
    logout(request)
    messages.success(request, _("Your account is deleted."))
    return redirect("home")


@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Name, e-mail, password, passkeys and second factor, and the way out."""
    user = user_of(request)
    form = AccountNameForm(request.POST or None, initial={"name": user.name})

    def page() -> HttpResponse:
        kinds = list(Authenticator.objects.filter(user=user).values_list("type", flat=True))
        context = {
            "form": form,
            "passkeys": kinds.count(Authenticator.Type.WEBAUTHN),
            "has_app": Authenticator.Type.TOTP in kinds,
        }
        return render(request, "tournament/account.html", context)

    if request.method != "POST":
        return page()
    if not form.is_valid():
        return unprocessable(page())
    return carry_out(
        request,
        lambda: actions.rename_user(user=user, name=form.cleaned_data["name"]),
        then=reverse("account"),
        page=page,
        said=_("Your name is changed."),
    )


@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """This device included."""
    actions.sign_out_everywhere(user=user_of(request))
    logout(request)
    messages.success(request, _("You are signed out on every device."))
    return redirect("home")
