"""What people ask at the tables, and what the rules that we know say to it.

Nothing here is made up: where the texts of the championships are silent, the answer says so, and
says what we decided, or that a judge does.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Source(StrEnum):
    """Where an answer comes from."""

    RULES = "rules"
    OURS = "ours"
    SILENT = "silent"


SOURCES: dict[Source, Promise | str] = {
    Source.RULES: _("By the championship rules."),
    Source.OURS: _("The official texts leave it open or disagree: so it is decided here."),
    Source.SILENT: _(
        "The championship texts do not say. The rules in the box hold; if they leave it open, a "
        "judge decides, and it becomes a ruling."
    ),
}


@dataclass(frozen=True, slots=True)
class Question:
    """`answer`: empty where the texts say nothing at all. `about`: other words by which it is
    looked for, never shown."""

    key: str
    question: Promise | str
    answer: Promise | str
    source: Source
    about: Promise | str = ""
    any_game: bool = False  # true of a club's edition as well


QUESTIONS: tuple[Question, ...] = (
    # --- before a deal ---
    Question(
        "start",
        _("Who starts a deal, and who the next one?"),
        _(
            "Deal as many gold cards as there are players, only one of them with 3 nuggets. "
            "Whoever draws it begins. It is drawn anew for each deal."
        ),
        Source.RULES,
        _("first player, starting player, begins, nuggets"),
    ),
    Question(
        "middle",
        _("What lies in the gap in the middle of the mat?"),
        _(
            "The starting player turns up cards until a path card comes; it goes to the gap, "
            "and the others are shuffled back. By the Spanish rules after the hands are dealt, "
            "by the English ones before roles and hands. The table's page says which holds "
            "here."
        ),
        Source.RULES,
        _("first path card, poster, set-up"),
    ),
    Question(
        "roles",
        _("How many role cards and hand cards are dealt?"),
        _(
            "Exactly as many role cards as there are players. How many of each, and how many "
            "cards go to each hand, stands on the table's page, on its sheet and in the rules "
            "in force."
        ),
        Source.RULES,
        _("shuffle, dwarfs, saboteurs, how many, left over"),
    ),
    Question(
        "selfish card",
        _("Which card is the selfish dwarf?"),
        _(
            "That depends on the edition of the box. The note on the table's page and on its "
            "sheet says it."
        ),
        Source.RULES,
        _("blue bow, horned helmet, jacket, edition, greedy"),
    ),
    # --- while it is played ---
    Question(
        "broken tool",
        _("May somebody with a broken tool play a card?"),
        _(
            "No path card: that is a play error, minor (1.1). Of other cards the championship "
            "texts say nothing."
        ),
        Source.RULES,
        _("lamp, cart, pickaxe, blocked, broken and playing"),
    ),
    Question(
        "tool removed",
        _("A broken tool was taken away without being repaired"),
        _("By accident it is a play error, major (1.2); on purpose a severe one (1.3)."),
        Source.RULES,
        _("unrepaired, lamp, cart, pickaxe"),
    ),
    Question(
        "double repair",
        _("Does a repair card with two tools repair both?"),
        "",
        Source.SILENT,
        _("double repair, two tools, lamp, cart, pickaxe"),
    ),
    Question(
        "rockfall",
        _("May a rockfall take the start card or a goal card?"),
        _("Nobody takes path cards away without a rockfall: that is a play error, severe (1.3)."),
        Source.SILENT,
        _("collapse, remove a path, goals"),
    ),
    Question(
        "stone",
        _("A goal card is a stone and does not fit"),
        "",
        Source.SILENT,
        _("goal, treasure, turned up, does not connect"),
    ),
    Question(
        "turning",
        _("May a path card be turned?"),
        _("Once it lies nobody moves it: that is a play error, major (1.2)."),
        Source.SILENT,
        _("rotate, upside down, turning cards, move, correct"),
    ),
    Question(
        "pass",
        _("May somebody pass?"),
        _(
            "Whoever discards does it face down: face up is a play error, major (1.2). "
            "Forgetting to draw is a minor one (1.1)."
        ),
        Source.SILENT,
        _("passing, discard, no card, skip"),
    ),
    Question(
        "map",
        _("What may somebody tell who looked at a goal with a map?"),
        _("Nobody shows a goal card before the end: that is a play error, severe (1.3)."),
        Source.SILENT,
        _("treasure map, secret, lie, talk"),
    ),
    Question(
        "shown cards",
        _("Somebody shows cards"),
        _(
            "Hand cards: a play error, major (1.2). Goal or role cards before the end: a "
            "severe one (1.3), and so is looking at others' cards on purpose."
        ),
        Source.RULES,
        _("reveal, role, hand, look, peek"),
    ),
    Question(
        "turns",
        _("Somebody plays out of turn, plays two cards or draws too many"),
        _("Each is a play error, major (1.2)."),
        Source.RULES,
        _("order, twice, extra card"),
    ),
    Question(
        "discard pile",
        _("Somebody draws from the discard pile"),
        _(
            "It is in the list of common errors, but in no class of the guide: the judge picks "
            "the step."
        ),
        Source.OURS,
        _("discards, wrong pile, unclassified"),
    ),
    # --- the end of a deal ---
    Question(
        "no cards",
        _("Nobody has cards left, and the gold is not reached"),
        _(
            "The deal is over and the saboteurs win, each with a star: 4 points if one was "
            "dealt, 3 each if two or three."
        ),
        Source.RULES,
        _("hands empty, deck, nobody can play"),
    ),
    Question(
        "hands at the end",
        _("What happens to the cards in hand at the end?"),
        _(
            "They are worth nothing: points follow the roles and who reached the gold. A deal "
            "ends with the gold found, or with nobody able to play; roles are asked for only "
            "then."
        ),
        Source.RULES,
        _("hands at the end, hand cards, left over, reveal roles, when are roles shown"),
    ),
    Question(
        "miner",
        _("A miner reaches the gold"),
        _("Each miner gets 2 points; the one who reached it 3 and a star."),
        Source.RULES,
        _("gold digger, connects, points"),
    ),
    Question(
        "selfish",
        _("A selfish dwarf reaches the gold"),
        _("That dwarf alone gets 4 points and a star. A second selfish dwarf gets nothing."),
        Source.RULES,
        _("greedy, connects, points"),
    ),
    Question(
        "saboteur",
        _("A saboteur reaches the gold"),
        _(
            "The miners win, 2 points each. The saboteur gets nothing, and nobody has the "
            "third point or a star."
        ),
        Source.OURS,
        _("connects by mistake, points"),
    ),
    Question(
        "four saboteurs",
        _("Four saboteurs were dealt, and they win"),
        _("2 points each, as in the box."),
        Source.OURS,
        _("ten players, points"),
    ),
    Question(
        "void",
        _("A deal cannot stand"),
        _(
            "A judge makes it void and says why: either it counts as played with nothing for "
            "anybody, or it is played again."
        ),
        Source.RULES,
        _("void, replay, again, wrong cards, mixed up"),
        any_game=True,
    ),
    # --- penalties, sheets, standings ---
    Question(
        "deal loss",
        _("What does a deal loss cost?"),
        _(
            "The player's points and star of that deal, and nothing else. Nobody else's score "
            "moves, and nobody inherits the third point or the star."
        ),
        Source.RULES,
        _("penalty, game loss, zero"),
    ),
    Question(
        "warnings",
        _("Do several warnings make a deal loss?"),
        _("Only if a judge says so, never by themselves."),
        Source.RULES,
        _("penalty, caution, add up, repeated"),
        any_game=True,
    ),
    Question(
        "late",
        _("Somebody comes late"),
        _(
            "Up to 5 minutes it is infraction 2.1, more than that 2.2. Exactly 5:00 still "
            "counts as up to 5 minutes: so it is decided here."
        ),
        Source.RULES,
        _("missing, minutes, not at the table"),
        any_game=True,
    ),
    Question(
        "wrong sheet",
        _("The score sheet is wrong"),
        _(
            "Until it is submitted the dealer corrects the deal. Afterwards go to a judge: the "
            "sheet is opened again. Filling it in wrongly is a play error, severe (1.3)."
        ),
        Source.RULES,
        _("points, correct, sum, mistake"),
        any_game=True,
    ),
    Question(
        "level",
        _("Two players are level"),
        _(
            "More stars come first. Equal on both, they share the rank; a lot is drawn only "
            "where a seat or a prize depends on it, among all who are level."
        ),
        Source.OURS,
        _("tie, shared rank, lot, draw"),
    ),
    Question(
        "leaves",
        _("Somebody leaves early"),
        _("The points stay in the standings, but they can't reach the final."),
        Source.RULES,
        _("drop out, gone, stand-in"),
    ),
    Question(
        "declined",
        _("A finalist does not play the final"),
        _("The next in order moves up, until the first deal of the final."),
        Source.RULES,
        _("decline, vacant, moves up"),
        any_game=True,
    ),
)
