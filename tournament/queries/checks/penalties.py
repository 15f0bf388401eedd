"""What the judges gave: of deals that there are, to people of this event."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournament.models import Penalty
from tournament.models.penalties import PenaltyStep
from tournament.models.players import PlayerStatus
from tournament.models.rounds import Stage
from tournament.queries.checks.facts import Facts


def penalties_of_known_deals(facts: Facts) -> Iterator[str]:
    """The deal a penalty costs is one of a round that was drawn, or of the next."""
    for one in facts.penalties:
        named = {"name": facts.name(one.player_id)}
        if one.player_id not in facts.players:
            yield _("A penalty was given to %(name)s, who is nobody of this event.") % named
        if one.step >= PenaltyStep.DEAL_LOSS and not _deal_known(facts, one):
            yield _("A penalty of %(name)s costs a deal that there is not.") % named


def _deal_known(facts: Facts, one: Penalty) -> bool:
    drawn = [round_ for round_ in facts.rounds.values() if round_.stage == one.stage]
    # Between two rounds it may be a deal of the one that is not drawn yet.
    most = max((round_.number for round_ in drawn), default=0) + 1
    event = facts.event
    planned = event.deals_of(one.stage)
    deals = [round_.deals for round_ in drawn if round_.number == one.round_number]
    return (
        one.stage in Stage.values
        and 1 <= (one.round_number or 0) <= most
        and 1 <= (one.deal_number or 0) <= max(deals, default=planned)
    )


def disqualified_by_penalties(facts: Facts) -> Iterator[str]:
    """Whoever is disqualified has a penalty that says so, with its inquiry; and the other way."""
    out = set()
    for one in facts.penalties:
        if one.step != PenaltyStep.DISQUALIFICATION:
            continue
        if one.active:
            out.add(one.player_id)
        # What was found is private: an archive has none of it.
        if facts.told.whole and one.pk not in facts.inquiries:
            yield _("The disqualification of %(name)s has no inquiry.") % {
                "name": facts.name(one.player_id)
            }
    for player in facts.players.values():
        if player.status == PlayerStatus.DISQUALIFIED and player.pk not in out:
            yield _("%(name)s is disqualified, but no penalty says so.") % {"name": player}
        if player.status != PlayerStatus.DISQUALIFIED and player.pk in out:
            yield _("%(name)s was disqualified, but is in the event.") % {"name": player}
