"""Who is counted where something has a limit (`tournament.limits`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from ipaddress import IPv6Address, ip_address, ip_network

from allauth.account.adapter import get_adapter
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render

from tournament import limits
from tournament.access import user_of
from tournament.policies import may_create_events

HOME = 64  # bits of an IPv6 address that a network has in common


def network_of(request: HttpRequest) -> str:
    """Where the request comes from: an address, of IPv6 the network around it."""
    told: str = get_adapter(request).get_client_ip(request)
    try:
        address = ip_address(told)
    except ValueError:
        return told
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, HOME), strict=False))


def spend_by_network(request: HttpRequest, what: str, **whose: str | int) -> None:
    limits.spend(what, 1, network=network_of(request), **whose)


def spend_by_account(
    request: HttpRequest, what: str, *, amount: int = 1, **whose: str | int
) -> None:
    limits.spend(what, amount, account=user_of(request).pk, **whose)


type View = Callable[..., HttpResponseBase]


def makes_events(view: View) -> View:
    """For pages that make an event or a series: where the host keeps that to some, who it is."""

    @wraps(view)
    def page(request: HttpRequest, **parts: object) -> HttpResponseBase:
        if not may_create_events(user_of(request)):
            return render(request, "tournament/desk/by_the_host.html", status=403)
        if request.method == "POST":
            spend_by_account(request, "new event")
        return view(request, **parts)

    return page
