"""What holds for every answer: caches keep parts and pages apart, and nobody loses their way."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from tournament.web.responses import to_login


def vary_by_htmx(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """One address answers with a page, or htmx with a part of it. Without this header the browser's
    Back shows the bare part, which is what it fetched last."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["HX-Request"])
        return response

    return middleware


class SignInMiddleware(LoginRequiredMiddleware):
    """Every page asks for a login that is not marked otherwise."""

    def handle_no_permission(
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseRedirect:
        return to_login(request)
