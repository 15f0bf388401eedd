"""The rules in force as a notice on one page, whatever the language: smaller if it must be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.editions import EDITIONS
from tournament.documents.document import Document
from tournament.documents.layout.cells import fitted
from tournament.documents.layout.flow import Flow
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.labels import Bilingual, Label, line
from tournament.documents.layout.notice import LARGEST, NoticeLine, set_lines, size_of_lines
from tournament.documents.layout.pages import (
    SIDE,
    TOP,
    PageDrawing,
    in_parts,
    page_footer,
    paper_size,
    qr_code,
    words_in,
)
from tournament.documents.layout.rendering import Part
from tournament.documents.request import DocumentRequest
from tournament.games import words_for
from tournament.labels import RULESET_NAMES
from tournament.links import rules_url
from tournament.models import Event, Ruling
from tournament.models.events import FinalSeats
from tournament.queries.document_facts import EventFacts, event_facts, rules_mark
from tournament.queries.edition_rules import SetUpRow, rule_sections, set_up_rows
from tournament.queries.rules import (
    departures,
    displayed_rules,
    governing_words,
    has_semi_final,
    order_words,
    seating_words,
    semi_final_words,
    time_words,
    visibility_words,
)
from tournament.queries.rulings import rulings_mark, rulings_of

CODE, HEAD, END, GAP = 24.0, 30.0, 14.0, 8.0


@dataclass(frozen=True, slots=True)
class PrintedRuling:
    """As it was written, whatever the languages of the print. `withdrawn`: why it no longer
    holds."""

    number: int
    time: str
    question: str
    decision: str
    withdrawn: str


@dataclass(frozen=True, slots=True)
class RulesNoticeFacts:
    """`texts`: all lines in each of the languages."""

    event: EventFacts
    link: str
    texts: tuple[tuple[NoticeLine, ...], ...]
    rulings: tuple[PrintedRuling, ...] = ()


class RulesNotice(Document[RulesNoticeFacts]):
    """One language fills the page, two stand beside each other. Rulings hang on pages of their
    own, in the size of a notice however many they are."""

    kind = "rules"
    title = gettext_lazy("Rules in force")
    about = gettext_lazy("A notice of one page, for the wall; rulings on a page beside it.")
    when = "before"

    def facts(self, request: DocumentRequest) -> RulesNoticeFacts:
        rules = displayed_rules(request.event)
        texts = []
        for language in request.effective_languages:
            with translation.override(language):
                texts.append(tuple(_lines(request, rules)))
        mark = rules_mark(rules, rulings_mark(request.event))
        link = f"{rules_url(request.event)}?print={mark}"
        rulings = tuple(map(_printed, reversed(rulings_of(request.event))))
        return RulesNoticeFacts(event_facts(request.event), link, tuple(texts), rulings)

    def parts(self, request: DocumentRequest, facts: RulesNoticeFacts) -> list[Part]:
        paper = paper_size(request)
        words = words_in(request, title=lambda: _("Rules in force"))
        width, room = paper.width - 2 * SIDE, paper.height - TOP - HEAD - END
        labels = _head(request, words["title"], width - CODE - 4)
        count = len(facts.texts)
        each = (width - GAP * (count - 1)) / count
        size = min(size_of_lines(lines, each, room) for lines in facts.texts)
        for place, lines in enumerate(facts.texts):
            box = Box(SIDE + place * (each + GAP), TOP + HEAD - 4, each, room + 4)
            labels += set_lines(lines, box, size)[0]
        code = qr_code(facts.link, Box(SIDE + width - CODE, TOP - 2, CODE, CODE))
        foot = tuple(page_footer(request, str(words["title"]))(1, 1))
        notice = PageDrawing(tuple(labels), codes=(code,), foot=foot)
        return in_parts(request, [notice, *_rulings(request, facts)])


def _printed(ruling: Ruling) -> PrintedRuling:
    return PrintedRuling(
        ruling.number,
        f"{ruling.event.local(ruling.created_at):%H:%M}",
        ruling.question,
        ruling.decision,
        ruling.withdrawal_reason,
    )


def _rulings(request: DocumentRequest, facts: RulesNoticeFacts) -> list[PageDrawing]:
    """In the order in which they were given; one that was withdrawn says so."""
    if not facts.rulings:
        return []
    words = words_in(
        request,
        title=lambda: _("Rulings of today"),
        withdrawn=lambda: pgettext("a ruling", "Withdrawn"),
    )
    flow = Flow(request, words["title"], link=facts.link)
    for one in facts.rulings:
        flow.need(24)
        flow.text(f"{one.number}. {one.question}", LARGEST, "bold")
        if one.withdrawn:
            flow.text(f"{words['withdrawn']}: {one.withdrawn}", LARGEST, indent=6)
        else:
            for text in filter(None, one.decision.splitlines()):
                flow.text(text, LARGEST, indent=6)
        flow.text(one.time, 9, indent=6)
        flow.gap(3)
    return flow.pages()


def _head(request: DocumentRequest, title: Bilingual, width: float) -> list[Label]:
    return [
        line("title", title, Box(SIDE, TOP, width, 11), 26, "slab"),
        fitted("strong", request.event.name, Box(SIDE, TOP + 11.5, width, 7), 14, "bold"),
    ]


def _fact(name: object, value: object) -> NoticeLine:
    return "fact", f"{name}\t{value}"


def _lines(request: DocumentRequest, rules: dict[str, Any]) -> Iterator[NoticeLine]:
    """What stands on the page of the rules, in the active language."""
    yield from _format(request, rules)
    yield from (("item", one) for one in departures(request.event))
    if rules["ruleset"] in EDITIONS:
        yield from _of_edition(rules["ruleset"])
    else:
        yield "title", _("Roles and hand cards")
        for row in rules["rows"]:
            yield "fact", _row(row)
        yield from _scoring(rules["points"])
    yield from _order(rules)
    yield "title", _("The lots, and how to check them")
    fingerprint = rules["commitment"]
    yield _fact(_("Fingerprint of the first lot"), f"{fingerprint[:32]} {fingerprint[32:]}")


def _format(request: DocumentRequest, rules: dict[str, Any]) -> Iterator[NoticeLine]:
    rounds, deals = rules["rounds_planned"], rules["deals_per_round"]
    yield "title", _("The format")
    yield _fact(_("Ruleset"), RULESET_NAMES.get(rules["ruleset"], rules["ruleset"]))
    played = ngettext("%(rounds)s tournament round", "%(rounds)s tournament rounds", rounds) % {
        "rounds": rounds
    }
    each = ngettext("%(deals)s deal each", "%(deals)s deals each", deals) % {"deals": deals}
    yield _fact(_("Preliminaries"), f"{played}, {each}")
    for words in semi_final_words(rules):
        yield _fact(_("Semi-final"), words)
    yield _fact(_("Final"), _final(rules))
    if words := seating_words(rules):
        yield _fact(_("Seating"), words)
    if rules["cut_size"]:
        seats = FinalSeats(rules["final_seats"]).label
        yield _fact(_("Seats of the final"), seats)
    for words in time_words(rules):
        yield _fact(_("Time"), words)
    if words := visibility_words(rules):
        yield _fact(_("Standings"), words)
    confirmed = (
        _("count once a second person has confirmed them")
        if rules["second_person"]
        else _("count as soon as they are submitted")
    )
    yield _fact(_("Score sheets"), confirmed)
    yield _fact(_("Penalty level"), rules["level"])
    if rules["minimum_age"]:
        age = _("%(age)s and over") % {"age": rules["minimum_age"]}
        yield _fact(_("Age"), age)
    if request.event.dwarf_note:
        yield _fact(_("Selfish dwarf cards"), request.event.dwarf_note)
    yield from _who(request.event)


def _who(event: Event) -> Iterator[NoticeLine]:
    """Who stands behind the event, and which text holds."""
    if event.organisers:
        yield _fact(_("Organisers"), _one_line(event.organisers))
    if event.contact:
        yield _fact(_("Questions to"), _one_line(event.contact))
    if names := event.sponsor_names:
        yield _fact(_("Sponsors"), names)
    if words := governing_words(event):
        yield "item", words


def _one_line(text: str) -> str:
    return " · ".join(filter(None, map(str.strip, text.splitlines())))


def _final(rules: dict[str, Any]) -> str:
    if not rules["cut_size"]:
        return _("none: the standings decide")
    deals = rules["final_deals"]
    size = {"size": rules["cut_size"]}
    carried = has_semi_final(rules) and rules["semi_carry"]
    best = _("the best %(size)s") % size if carried else _("the best %(size)s, from zero") % size
    each = ngettext("%(deals)s deal", "%(deals)s deals", deals) % {"deals": deals}
    return f"{best}, {each}"


def _row(row: dict[str, int]) -> str:
    """One size of table: "6 players", and its cards."""
    seats = ngettext("%(seats)s player", "%(seats)s players", row["seats"])
    cards = [
        (row["saboteur"], ngettext("saboteur", "saboteurs", row["saboteur"])),
        (row["miner"], ngettext("miner", "miners", row["miner"])),
        (row["selfish"], ngettext("selfish dwarf", "selfish dwarfs", row["selfish"])),
    ]
    dealt = ", ".join(f"{count} {word}" for count, word in cards if count)
    hand = _("%(hand)s hand cards each") % {"hand": row["hand_cards"]}
    return f"{seats % {'seats': row['seats']}}\t{dealt}; {hand}"


def _of_edition(key: str) -> Iterator[NoticeLine]:
    if rows := set_up_rows(key):
        yield "title", _("Roles and hand cards")
        yield from (("fact", words) for words in _set_ups(key, rows))
    for section in rule_sections(key):
        yield "title", section.title
        yield from (("item", words) for words in section.lines)


def _set_ups(key: str, rows: Sequence[SetUpRow]) -> Iterator[str]:
    """A line for each size; where all shuffle the same cards, these once."""
    if len({(row.cards, row.hand_cards) for row in rows}) == 1:
        at_all, left_over = _("At any table"), _("Left over, by players")
        yield f"{at_all}\t{_dealt(key, rows[0])}; {_hand(rows[0])}"
        yield f"{left_over}\t" + ", ".join(f"{row.seats}: {row.spare}" for row in rows)
        return
    for row in rows:
        seats = ngettext("%(seats)s player", "%(seats)s players", row.seats) % {"seats": row.seats}
        spare = _("%(n)d left over") % {"n": row.spare}
        yield f"{seats}\t{_dealt(key, row)} ({spare}); {_hand(row)}"


def _dealt(key: str, row: SetUpRow) -> str:
    return ", ".join(
        f"{count} {role.name if count == 1 else role.names}"
        for role, count in zip(words_for(key).roles.values(), row.cards, strict=True)
    )


def _hand(row: SetUpRow) -> str:
    return _("%(hand)s hand cards each") % {"hand": row.hand_cards}


def _scoring(points: dict[str, Any]) -> Iterator[NoticeLine]:
    yield "title", _("Points and stars in a deal")
    yield (
        "item",
        _(
            "Somebody reaches the gold: each miner gets %(miner)s points; a miner who reached it "
            "gets %(connector)s and a star."
        )
        % {"miner": points["miner"], "connector": points["connector"]},
    )
    yield (
        "item",
        _("A selfish dwarf reaches the gold: that dwarf alone gets %(selfish)s points and a star.")
        % {"selfish": points["selfish"]},
    )
    yield (
        "item",
        _("A saboteur reaches the gold: the miners win, and nobody has the third point or a star."),
    )
    paid = " ".join(
        _("%(count)s dealt: %(pay)s points each.") % {"count": count, "pay": pay}
        for count, pay in points["saboteurs"].items()
    )
    yield (
        "item",
        " ".join(
            (_("Nobody reaches the gold: the saboteurs win, each with a star."), paid),
        ),
    )
    yield (
        "item",
        _(
            "A deal loss takes that player's points and star of the deal; nobody else's score "
            "moves."
        ),
    )


def _order(rules: dict[str, Any]) -> Iterator[NoticeLine]:
    yield "title", _("Order and ties")
    yield from (("item", words) for words in order_words(rules))
