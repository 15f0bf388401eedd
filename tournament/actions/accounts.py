"""A person's own account. No event's log tells of it, but where its staff changes by it."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils.translation import gettext as _

from tournament.models import (
    Event,
    Invitation,
    LogEntry,
    Mail,
    Series,
    SeriesInvitation,
    SeriesLogEntry,
    User,
)
from tournament.models.actors import Actor
from tournament.models.base import new_token
from tournament.models.mails import MailKind
from tournament.models.people import FORMER
from tournament.queries.accounts import needed_by
from tournament.refusals import Refused

# Mails to a login; those of an entry are that event's.
_TO_LOGINS = (MailKind.ACCOUNT, MailKind.INVITATION, MailKind.SERIES_INVITATION, MailKind.TEST)


def lock_account(user: User) -> User:
    """Whoever gains something by their login, before all else that is locked: it may have been
    deleted by another of their browsers a moment ago, and stays a name of nobody."""
    found = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if found.is_former:
        raise Refused(_("This account is deleted."))
    return found


@transaction.atomic
def rename_user(*, user: User, name: str) -> User:
    """The name that staff lists and logs show, of what was done before as well."""
    user = lock_account(user)
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


@transaction.atomic
def delete_account(*, user: User) -> User:
    """Name, address and every way to sign in go; what was done stays, as that of “Former staff
    member 3”. Refused where something that goes on would have no organiser."""
    by, user = Actor.of_user(user), lock_account(user)
    all_series = list(Series.objects.filter(staff__user=user).locked())
    events = list(Event.objects.filter(staff__user=user).locked())
    if needed := needed_by(user):
        raise Refused(
            _("You are the only organiser of %(names)s: invite another one, or finish it first.")
            % {"names": ", ".join(map(str, needed))}
        )
    for series in all_series:
        duty = series.staff.get(user=user).duty
        series.staff.filter(user=user).delete()
        SeriesLogEntry.objects.record(
            "staff.removed", series=series, by=by, about=user, before=duty
        )
    for event in events:
        duty = event.staff.get(user=user).duty
        event.staff.filter(user=user).delete()
        LogEntry.objects.record("staff.removed", event=event, by=by, about=user, before=duty)
    _forget_login(user)
    return user


def _forget_login(user: User) -> None:
    old = user.email
    Mail.objects.filter(kind__in=_TO_LOGINS, to__iexact=old).erase()
    for invitations in (Invitation, SeriesInvitation):
        invitations.objects.filter(email__iexact=old).update(email="")
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    sign_out_everywhere(user=user)
    user.name, user.email = "", f"{new_token().lower()}{FORMER}"
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.save()
