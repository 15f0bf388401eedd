"""How often somebody may do what costs others something: a mail in a mailbox, an entry in a list,
work of the machine. The table of them is in docs/hosting.md.

Counted in spans of fixed length, in the cache that all workers share. A network may be a whole
hall of honest people, so its limits are wide; those of a mailbox are narrow.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.refusals import Refused

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600


@dataclass(frozen=True, slots=True)
class Limit:
    """So many in so many seconds."""

    most: int
    seconds: int


# What is limited -> by what it is counted. "network": where the request comes from; "mailbox": who
# gets a mail by it; "account": who is signed in; "ticket": the link that is used.
LIMITS: Mapping[str, Mapping[str, Limit]] = {
    "registration": {"network": Limit(300, 10 * MINUTE), "mailbox": Limit(10, HOUR)},
    "lost ticket": {"network": Limit(100, 10 * MINUTE), "mailbox": Limit(5, HOUR)},
    "own entry": {"network": Limit(600, 10 * MINUTE), "ticket": Limit(20, 10 * MINUTE)},
    "new address": {"ticket": Limit(5, HOUR), "mailbox": Limit(10, HOUR)},
    "invitation": {"account": Limit(100, DAY), "mailbox": Limit(5, DAY)},
    "mail": {"account": Limit(settings.MAILS_A_DAY, DAY)},
    # Whoever had them written: a club may give its one address for all its children.
    "delivery": {"mailbox": Limit(150, DAY)},
    "new event": {"account": Limit(200, DAY)},
    "upload": {"account": Limit(200, HOUR)},
    "check": {"network": Limit(60, 10 * MINUTE)},
    "photo": {"network": Limit(1000, 10 * MINUTE), "link": Limit(20, 10 * MINUTE)},
    "job": {"account": Limit(120, 10 * MINUTE)},
}


class TooOften(Refused):
    """`seconds`: after which it works again."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message, code="too_often")
        self.seconds = seconds


def spend(what: str, amount: int = 1, /, **whose: str | int) -> None:
    """Count it for each of `whose`, by the names in `LIMITS`. Raises `TooOften` beyond a limit."""
    if not amount:
        return
    now = time.time()
    for by, who in whose.items():
        limit = LIMITS[what][by]
        most = limit.most * (settings.NETWORK_FACTOR if by == "network" else 1)
        span, into = divmod(int(now), limit.seconds)
        key = f"{what}:{by}:{blake2b(str(who).encode(), digest_size=12).hexdigest()}:{span}"
        key = key.replace(" ", "-")
        # First without counting: what is refused again and again costs no write.
        full = cache.get(key, 0) + amount > most
        if full or _raised(key, amount, 2 * limit.seconds) > most:
            raise TooOften(_words(by, limit, limit.seconds - into), limit.seconds - into)


def _raised(key: str, amount: int, kept: int) -> int:
    cache.add(key, 0, timeout=kept)
    try:
        return cache.incr(key, amount)
    except ValueError:  # the cache has lost it in between
        return amount


def _words(by: str, limit: Limit, seconds: int) -> str:
    values = {"wait": _wait(seconds), "most": limit.most}
    if by == "network":
        return (
            _(
                "Very many have done this from your network just now. It works again in %(wait)s; "
                "what you typed is still here. If that is too late, ask the organiser."
            )
            % values
        )
    if by == "mailbox":
        return (
            _(
                "This e-mail address was used very often just now. It works again in %(wait)s; "
                "what you typed is still here. If that is too late, ask the organiser."
            )
            % values
        )
    if by == "account":
        return (
            _(
                "That is more than the %(most)s for one account in this time. It works again in "
                "%(wait)s; what you typed is still here. Whoever runs this site can allow more."
            )
            % values
        )
    return (
        _(
            "This was done very often just now. It works again in %(wait)s; what you typed is "
            "still here. If that is too late, ask the organiser."
        )
        % values
    )


def _wait(seconds: int) -> str:
    minutes = -(-seconds // 60)
    if minutes < 120:
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    hours = -(-minutes // 60)
    return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
