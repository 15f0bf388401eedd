"""Who helps at an event: invitations and duties."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament import mail
from tournament.actions.accounts import lock_account
from tournament.models import Event, Invitation, LogEntry, StaffMember, User
from tournament.models.actors import Actor
from tournament.models.people import Duty
from tournament.refusals import Refused


@transaction.atomic
def invite(*, event: Event, email: str, duty: str, by: Actor) -> Invitation:
    """Send a link that gives its first opener, logged in, a duty at the event."""
    event = Event.objects.lock(event.pk)
    email = email.lower()
    if by.user is None:
        raise Refused(_("Only an organiser can invite."))
    if StaffMember.objects.filter(event=event, user__email__iexact=email).exists():
        raise Refused(_("%(email)s already has a duty at this event.") % {"email": email})
    if event.invitations.open().filter(email__iexact=email).exists():
        raise Refused(_("%(email)s is invited already.") % {"email": email})
    invitation = Invitation.objects.create(event=event, email=email, duty=duty, invited_by=by.user)
    LogEntry.objects.record("staff.invited", event=event, by=by, about=invitation, after=duty)
    mail.send_invitation(invitation)
    return invitation


@transaction.atomic
def accept_invitation(*, invitation: Invitation, user: User, by: Actor) -> StaffMember:
    """The link works once; somebody who is on the staff keeps the duty they have."""
    user = lock_account(user)
    event = Event.objects.lock(invitation.event_id)
    invitation = Invitation.objects.get(pk=invitation.pk)
    if not invitation.open:
        raise Refused(_("This invitation was used or taken back."))
    member, _made = StaffMember.objects.get_or_create(
        event=event, user=user, defaults={"duty": invitation.duty}
    )
    invitation.accepted_at = timezone.now()
    invitation.save(update_fields=["accepted_at"])
    LogEntry.objects.record("staff.joined", event=event, by=by, about=user, after=member.duty)
    return member


@transaction.atomic
def revoke_invitation(*, invitation: Invitation, by: Actor) -> None:
    event = Event.objects.lock(invitation.event_id)
    invitation = Invitation.objects.get(pk=invitation.pk)
    if not invitation.open:
        raise Refused(_("This invitation was used or taken back."))
    invitation.revoked_at = timezone.now()
    invitation.save(update_fields=["revoked_at"])
    LogEntry.objects.record("staff.uninvited", event=event, by=by, about=invitation)


@transaction.atomic
def remove_staff(*, member: StaffMember, by: Actor) -> None:
    """An event keeps at least one organiser."""
    event = Event.objects.lock(member.event_id)
    others = StaffMember.objects.filter(event=event, duty=Duty.ORGANISER).exclude(pk=member.pk)
    if member.duty == Duty.ORGANISER and not others.exists():
        raise Refused(_("The event needs at least one organiser."))
    user, duty = member.user, member.duty
    member.delete()
    LogEntry.objects.record("staff.removed", event=event, by=by, about=user, before=duty)
