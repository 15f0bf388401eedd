"""People of one name, told apart by their start number wherever they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.cache import caches
from django.utils.translation import get_language

from tournament.models import Event, Player
from tournament.models.players import PlayerStatus
from tournament.models.versions import Part
from tournament.names import shown_name, told_apart
from tournament.queries.versions import version_of
from tournament.spelling import folded


@dataclass(frozen=True, slots=True)
class Namesakes:
    """Start numbers of those who share their name, and of those who share the one that is shown."""

    named: frozenset[int] = frozenset()
    shown: frozenset[int] = frozenset()

    def staff_name(self, name: str, number: int) -> str:
        return told_apart(name, number) if number in self.named else name

    def public_name(self, name: str, style: str, alias: str, number: int) -> str:
        """As `shown_name`, and with the number where somebody else is shown the same."""
        shown = shown_name(name, style, alias, number)
        return told_apart(shown, number) if number in self.shown else shown

    def public_name_of(self, player: Player) -> str:
        return self.public_name(player.name, player.name_style, player.alias, player.number)


def namesakes_in(event: Event) -> Namesakes:
    """Looked for once per language, until somebody comes, goes or is renamed."""
    event_id, version = event.pk, version_of(event, Part.NAMES)
    # By language as well: somebody may choose to be called “Player 7”.
    key = f"namesakes:{event_id}:{version}:{get_language()}"
    found = caches["local"].get(key)
    if found is None:
        found = find_namesakes(event_id)
        caches["local"].set(key, found, 3600)
    return found  # type: ignore[no-any-return]


def find_namesakes(event_id: int) -> Namesakes:
    """Whoever has withdrawn is nobody's namesake: they are in no list beside others."""
    people = Player.objects.filter(event=event_id).exclude(status=PlayerStatus.WITHDRAWN)
    rows = people.values_list("number", "name", "name_style", "alias")
    named, shown = {}, {}
    for number, name, style, alias in rows:
        named[number] = folded(name)
        shown[number] = folded(shown_name(name, style, alias, number))
    return Namesakes(_shared(named), _shared(shown))


def _shared(names: dict[int, str]) -> frozenset[int]:
    times = Counter(names.values())
    return frozenset(number for number, name in names.items() if times[name] > 1)


def called(player: Player) -> str:
    """What a message to the staff calls somebody. Found anew: an action may have changed names in
    a transaction of which no other page must learn."""
    return find_namesakes(player.event_id).staff_name(player.name, player.number)


def listed_names(players: Iterable[Player]) -> str:
    return ", ".join(called(player) for player in players)
