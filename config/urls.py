"""The site map starts here; everything about events is in tournament/urls.py."""

from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from tournament.web import account, system

urlpatterns = [
    path("", include("tournament.urls")),
    path("accounts/", account.account, name="account"),
    path("accounts/data.json", account.data, name="account_data"),
    path("accounts/delete/", account.delete, name="account_delete"),
    path("accounts/everywhere/", account.sign_out_everywhere, name="sign_out_everywhere"),
    path("accounts/", include("allauth.urls")),
    path("i18n/setlang/", csrf_exempt(login_not_required(set_language)), name="set_language"),
    path("resume/", system.resume, name="resume"),
    path("theme/", system.theme, name="theme"),
    path("key/", system.key, name="key"),
    path("key.pem", system.key_file, name="key_file"),
    path("health/", system.health, name="health"),
]
