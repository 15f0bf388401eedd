"""A person's own account. No event is touched, so no event's log tells of it."""

from __future__ import annotations

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction

from tournament.models import User


@transaction.atomic
def rename_user(*, user: User, name: str) -> User:
    """The name that staff lists and logs show, of what was done before as well."""
    user = User.objects.select_for_update().get(pk=user.pk)
    user.name = name
    user.save(update_fields=["name"])
    return user


@transaction.atomic
def sign_out_everywhere(*, user: User) -> int:
    """End every session of this person, on whatever device; how many those were."""
    # A session says only inside whose it is.
    own = [
        one.pk
        for one in Session.objects.iterator()
        if one.get_decoded().get(SESSION_KEY) == str(user.pk)
    ]
    Session.objects.filter(pk__in=own).delete()
    return len(own)
