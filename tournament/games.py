"""How a game is spoken of: a tournament's, and those of the editions that clubs play.

Every page, print and table asks here what its sums and roles are called, so that no event shows a
word of another edition. Words for the codes of `scoring` that only a tournament has are in
`labels.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext_lazy, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournament.models import Event

type Words = Promise | str


@dataclass(frozen=True, slots=True)
class RoleWords:
    """A role card: its name, for one and for several, its letter, and its drawing."""

    name: Words
    names: Words
    letter: Words
    icon: str


@dataclass(frozen=True, slots=True)
class GameWords:
    """`edition`: the key of what a club plays, "" for a tournament. `points` and `stars` head the
    two sums; without `stars` there is only the first. `stars_first`: it decides before the other.
    """

    edition: str
    points: Words
    points_name: Words  # the same within a sentence
    points_label: Words  # the same below a number
    counted: Words  # "%(n)d points", for any number
    stars: Words = ""
    stars_name: Words = ""
    stars_label: Words = ""
    stars_counted: Words = ""
    star_icon: str = ""
    roles: Mapping[str, RoleWords] = field(default_factory=dict)
    winners: Mapping[str, Words] = field(default_factory=dict)
    stars_first: bool = False

    @property
    def settled_by(self) -> str:
        """A deal's outcome is told by `winners`, by the names of those who won, or by who is
        ahead."""
        return "winners" if self.winners else "names" if self.roles else "ahead"

    def points_of(self, number: int) -> str:
        """ "5 points"."""
        return str(self.counted % {"n": number})

    def stars_of(self, number: int) -> str:
        """ "2 stars"."""
        return str(self.stars_counted % {"n": number})

    def sums_short(self, points: int, stars: int) -> str:
        """ "12 / 3", in the same order."""
        if not self.stars:
            return str(points)
        return f"{stars} / {points}" if self.stars_first else f"{points} / {stars}"

    def sums(self, points: int, stars: int) -> str:
        """ "12 points, 3 stars", in the order in which they rank."""
        told = [self.points_of(points)]
        if self.stars:
            told.insert(0 if self.stars_first else 1, self.stars_of(stars))
        return ", ".join(told)


_MINER = RoleWords(_("miner"), _("miners"), pgettext_lazy("letter for miner", "M"), "pickaxe")
_SABOTEUR = RoleWords(
    _("saboteur"),
    _("saboteurs"),
    pgettext_lazy("letter for saboteur", "S"),
    "lantern-broken",
)
_SELFISH = RoleWords(
    _("selfish dwarf"),
    _("selfish dwarfs"),
    pgettext_lazy("letter for selfish dwarf", "D"),
    "nugget",
)
_DWARFS = {
    "blue": RoleWords(
        _("blue dwarf"), _("blue dwarfs"), pgettext_lazy("letter for blue", "B"), "pickaxe"
    ),
    "green": RoleWords(
        _("green dwarf"), _("green dwarfs"), pgettext_lazy("letter for green", "G"), "pickaxe"
    ),
    "boss": RoleWords(_("boss"), _("bosses"), pgettext_lazy("letter for boss", "C"), "crown"),
    "profiteer": RoleWords(
        _("profiteer"), _("profiteers"), pgettext_lazy("letter for profiteer", "P"), "nugget"
    ),
    "geologist": RoleWords(
        _("geologist"), _("geologists"), pgettext_lazy("letter for geologist", "E"), "crystal"
    ),
    "saboteur": _SABOTEUR,
}

TOURNAMENT = GameWords(
    edition="",
    points=_("Points"),
    points_name=_("points"),
    points_label=ngettext_lazy("point", "points", "n"),
    counted=ngettext_lazy("%(n)d point", "%(n)d points", "n"),
    stars=_("Stars"),
    stars_name=_("stars"),
    stars_label=ngettext_lazy("star", "stars", "n"),
    stars_counted=ngettext_lazy("%(n)d star", "%(n)d stars", "n"),
    star_icon="star",
    roles={"miner": _MINER, "saboteur": _SABOTEUR, "selfish": _SELFISH},
    winners={
        "miners": _("The miners win."),
        "saboteurs": _("The saboteurs win."),
        "selfish": _("The selfish dwarf wins alone."),
    },
)
_BASE = GameWords(
    edition="base-classic",
    points=_("Nuggets"),
    points_name=_("nuggets"),
    points_label=ngettext_lazy("nugget", "nuggets", "n"),
    counted=ngettext_lazy("%(n)d nugget", "%(n)d nuggets", "n"),
    roles={"miner": _MINER, "saboteur": _SABOTEUR},
    winners={
        "miners": _("The miners win."),
        "saboteurs": _("The saboteurs win."),
        "nobody": _("The gold was not found, and no saboteur was in play: nobody gets anything."),
    },
)

EDITION_WORDS: Mapping[str, GameWords] = {
    "base-classic": _BASE,
    "base-new": replace(_BASE, edition="base-new"),
    "saboteur-2": replace(_BASE, edition="saboteur-2", roles=_DWARFS, winners={}),
    "duel": GameWords(
        edition="duel",
        points=_("Gold"),
        points_name=pgettext_lazy("what a player has", "gold"),
        points_label=pgettext_lazy("what a player has", "gold"),
        counted=pgettext_lazy("what a player has", "%(n)d gold"),
        stars=_("Wins"),
        stars_name=_("wins"),
        stars_label=ngettext_lazy("win", "wins", "n"),
        stars_counted=ngettext_lazy("%(n)d win", "%(n)d wins", "n"),
        star_icon="trophy",
        stars_first=True,
    ),
}


def words_for(ruleset: str) -> GameWords:
    """By the key of a ruleset."""
    return EDITION_WORDS.get(ruleset, TOURNAMENT)


def words_of(event: Event) -> GameWords:
    return words_for(event.ruleset)


def outcome_words(
    words: GameWords, winner: str | None, winners: Sequence[int], names: Sequence[str]
) -> str:
    """ "The miners win." and so on; "" for a void deal or points alone. `winners`: seats from 1."""
    match words.settled_by:
        case "winners":
            return str(words.winners.get(winner or "", ""))
        case "names":
            if winners:
                told = ", ".join(names[seat - 1] for seat in winners)
                return gettext("Winners: %(names)s.") % {"names": told}
            return gettext("Nobody wins.")
    if winner in (None, "nobody"):
        return gettext("Level in this deal.") if winner else ""
    return gettext("%(name)s has more.") % {"name": names[int(winner or 0) - 1]}
