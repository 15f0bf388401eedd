"""Words for the codes of `scoring`: infractions and their examples, winners, tie-breaks."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.games import words_for

RULESET_NAMES: dict[str, Promise | str] = {
    "es-2026": _("Spain 2026 (es-2026)"),
    "en-2023": _("English and Dutch 2023 (en-2023)"),
    "base-classic": _("Base game, a card for each player (base-classic)"),
    "base-new": _("Base game, new printing, a card for each miner (base-new)"),
    "saboteur-2": _("Saboteur 2 (saboteur-2)"),
    "duel": _("Saboteur: The Duel (duel)"),
}

# When the card that goes to the gap in the middle of the mat is turned up.
MIDDLE_CARDS: dict[str, Promise | str] = {
    "es-2026": _(
        "After the hands are dealt, the starting player turns up cards until a path card comes: it "
        "goes to the gap in the middle. Shuffle the others back."
    ),
    "en-2023": _(
        "Before roles and hands are dealt, the starting player turns up cards until a path card "
        "comes: it goes to the gap in the middle. Shuffle the others back."
    ),
}

INFRACTION_NAMES: dict[str, Promise | str] = {
    "1.1": _("1.1 Play error, minor"),
    "1.2": _("1.2 Play error, major"),
    "1.3": _("1.3 Play error, severe"),
    "2.1": _("2.1 Conduct, minor"),
    "2.2": _("2.2 Conduct, major"),
    "3.0": _("3.0 Unsporting conduct"),
    "unclassified": _("Unclassified error"),
}

INFRACTION_EXAMPLES: dict[str, Promise | str] = {
    "forgot_to_draw": _("forgot to draw a card"),
    "path_with_broken_tool": _("laid a path card with a broken tool"),
    "impossible_action_card": _("played an impossible action card"),
    "other": _("another small error"),
    "discards_face_up": _("discards face up"),
    "plays_out_of_turn": _("plays out of turn"),
    "two_cards_in_a_turn": _("two cards in one turn"),
    "draws_too_many": _("draws too many cards"),
    "moves_laid_path_cards": _("moves path cards that lie"),
    "shows_hand_cards": _("shows hand cards"),
    "removes_broken_tool_by_accident": _("removes a broken tool by accident"),
    "shows_goal_or_role_cards": _("shows goal or role cards before the end"),
    "fills_score_sheet_in_wrongly": _("fills in the score sheet wrongly"),
    "looks_at_others_cards": _("looks at others' cards on purpose"),
    "removes_broken_tool_on_purpose": _("removes a broken tool on purpose"),
    "removes_path_without_rockfall": _("removes path cards without a rockfall"),
    "staff_only_areas": _("goes where only staff may"),
    "interrupts_staff": _("interrupts the staff"),
    "late_up_to_five_minutes": _("late by up to 5 minutes"),
    "late_over_five_minutes": _("late by more than 5 minutes"),
    "cheating": _("cheating"),
    "verbal_abuse": _("verbal abuse"),
    "theft": _("theft"),
    "assault": _("assault"),
    "draws_from_discard_pile": _("draws from the discard pile"),
}

DECIDED_BY: dict[str, Promise | str] = {
    "points": "",
    "stars": _("by stars"),
    "semi_final_points": _("by points of the semi-final"),
    "semi_final_stars": _("by stars of the semi-final"),
    "preliminary_points": _("by preliminary points"),
    "preliminary_stars": _("by preliminary stars"),
    "lot": _("by lot"),
}

OUTCOMES: dict[str, Promise | str] = {
    "miners": _("miners"),
    "saboteurs": _("saboteurs"),
    "selfish": _("selfish dwarf"),
    "saboteur_connects": _("a saboteur reached the gold"),
}


def decided_words(ruleset: str, step: str) -> str:
    """What parts a finalist from their neighbours; "" where what ranks first did."""
    game = words_for(ruleset)
    if not game.edition or step == "lot":
        return str(DECIDED_BY.get(step, ""))
    stage, _name, sums = step.rpartition("_")
    first = "stars" if game.stars_first else "points"
    if not step or step == first:
        return ""
    told = {"what": game.stars_name if sums == "stars" else game.points_name}
    words = {
        "": _("by %(what)s"),
        "semi_final": _("by %(what)s of the semi-final"),
        "preliminary": _("by %(what)s of the preliminaries"),
    }
    return str(words[stage] % told)


# What rests on standings that a correction changes.
TOUCHED: dict[str, Promise | str] = {
    "record": _("The cut is made: its record stays as it was frozen."),
    "lot": _("A lot was drawn in this event: look whether it still decides anything."),
    "level": _("Players are level on the line then: a lot decides."),
    "draw": _("Rounds were seated by the old standings; their tables stay."),
    "champion": _("Who stands first in the final is another one then."),
    "prints": _("Printed standings show the old order: whoever scans their code is told."),
    "public": _("The public standings change at once."),
    "hidden": _("The standings change at once; the public sees it where they are shown."),
    "later": _("It counts, for the public too, once the sheet is confirmed again."),
}

# What the table reads when its time is over.
AT_ZERO: dict[str, Promise | str] = {
    "finish": _("Time is over: finish the running deal, begin no new one."),
    "stop": _("Time is over: stop. The running deal does not count."),
    "remind": _("The time is over."),
}

SEATING_METHODS: dict[str, Promise | str] = {
    "fewest": _("As few people as possible meet again."),
    "lot": _("Chance alone seats everybody."),
    "standings": _("Those next to each other in the standings sit together."),
}

LOG_KIND_NAMES: dict[str, Promise | str] = {
    "people": _("People"),
    "rounds": _("Rounds"),
    "sheets": _("Sheets"),
    "penalties": _("Penalties"),
    "final": _("Cut and final"),
    "rulings": _("Rulings"),
    "prizes": _("Prizes"),
    "places": _("Places"),
    "event": _("Event and staff"),
}

LOG_VERBS: dict[str, Promise | str] = {
    "event.created": _("Event created"),
    "event.imported": _("Event imported from a file"),
    "event.changed": _("Settings changed"),
    "event.published": _("Event published"),
    "event.unpublished": _("Event hidden again"),
    "event.finished": _("Event finished"),
    "event.reopened": _("Event opened again"),
    "staff.invited": _("Invited"),
    "staff.joined": _("Joined the staff"),
    "staff.uninvited": _("Invitation taken back"),
    "staff.removed": _("Left the staff"),
    "player.registered": _("Registered"),
    "player.added": _("Added by the organiser"),
    "player.walked_in": _("Walk-in"),
    "player.email_changed": _("E-mail changed by the player"),
    "player.edited": _("Entry changed"),
    "guardian.agreed": _("A parent or guardian has agreed"),
    "guardian.changed": _("Parent or guardian changed on the ticket"),
    "guardian.taken_back": _("Agreement of a parent or guardian taken back"),
    "player.withdrew": _("Withdrew"),
    "player.withdrawal_undone": _("Withdrawal undone"),
    "player.checked_in": _("Checked in"),
    "players.checked_in": _("Checked in together"),
    "players.check_in_undone": _("Check-in of several undone"),
    "player.check_in_undone": _("Check-in undone"),
    "player.no_show": _("Not here"),
    "player.dropped": _("Dropped out"),
    "player.came_back": _("Came back"),
    "player.new_ticket": _("New ticket link"),
    "players.imported": _("Players imported"),
    "player.invited": _("Registered by a place"),
    "players.promoted": _("Moved up from the waiting list"),
    "tickets.mailed": _("Tickets mailed"),
    "announcement.sent": _("Message sent"),
    "announcement.withdrawn": _("Message taken down"),
    "separation.added": _("Two people kept apart"),
    "separation.withdrawn": _("Two people no longer kept apart"),
    "results.frozen": _("Results frozen"),
    "person.asked": _("Asked to keep the result with others of the same person"),
    "person.joined": _("Result kept with others of the same person"),
    "person.unlinked": _("Result no longer kept with others"),
    "person.erased": _("Name erased"),
    "person.erasure_asked": _("Asked for the name to be erased"),
    "person.erasure_taken_back": _("Does not want the name erased any more"),
    "contacts.erased": _("Contacts erased: their time had come"),
    "names.erased": _("Names erased: their time had come"),
    "series.asked": _("To be in a series: asked"),
    "series.entered": _("In a series"),
    "series.taken_out": _("Taken out of a series"),
    "series.weight_changed": _("Weight in a series changed"),
    "prize.added": _("Prize promised"),
    "prize.changed": _("Prize changed"),
    "prize.moved": _("Prize moved up"),
    "prize.removed": _("Prize taken off the list"),
    "prize.given": _("Prize given"),
    "prize.handed_out": _("Prize handed out"),
    "prize.not_handed_out": _("Prize not handed out yet"),
    "prize.taken_back": _("Prize taken back"),
    "prize.passed_over": _("Passed over on the podium"),
    "prize.pass_undone": _("Not passed over any more"),
    "place.promised": _("Places promised"),
    "place.promise_changed": _("Promise of places changed"),
    "place.promise_withdrawn": _("Places not promised any more"),
    "place.agreed": _("Places of another event let in"),
    "place.offered": _("Place offered"),
    "place.given": _("Place given directly"),
    "place.accepted": _("Place accepted"),
    "place.declined": _("Place declined"),
    "place.expired": _("Place not answered in time"),
    "place.withdrawn": _("Place taken back"),
    "place.passed_over": _("Passed over for a place"),
    "place.pass_undone": _("Not passed over for a place any more"),
    "round.drawn": _("Round drawn"),
    "round.seats_swapped": _("Two seats swapped"),
    "round.player_moved": _("Player moved"),
    "round.rest_improved": _("The rest of the tables improved"),
    "round.repaired": _("Tables changed for somebody missing or late"),
    "round.change_undone": _("Change of the tables undone"),
    "round.change_redone": _("Change of the tables done again"),
    "round.sheets_replaced": _("New sheets put on the tables"),
    "round.published": _("Round published"),
    "round.unpublished": _("Round back to draft"),
    "round.cancelled": _("Round cancelled"),
    "round.closed": _("Round closed"),
    "round.restored": _("Cancelled round brought back"),
    "round.reopened": _("Round reopened"),
    "table.new_link": _("New table link"),
    "clock.announced": _("Start announced"),
    "clock.started": _("Clock started"),
    "clock.paused": _("Clock paused"),
    "clock.resumed": _("Clock goes on"),
    "clock.lengthened": _("Time of the round changed"),
    "clock.table_time": _("Extra time for a table"),
    "clock.table_time_back": _("Extra time of a table taken back"),
    "clock.table_stopped": _("A table's clock stopped"),
    "clock.table_resumed": _("A table's clock goes on"),
    "clock.break_announced": _("Break announced"),
    "clock.break_ended": _("Break ended"),
    "call.made": _("Judge called"),
    "call.withdrawn": _("Judge's call taken back"),
    "call.answered": _("A judge goes to the table"),
    "call.ended": _("Judge's call done"),
    "call.reopened": _("Judge's call open again"),
    "late.reported": _("Not at the table"),
    "late.arrived": _("Came late"),
    "late.arrival_undone": _("Not at the table after all"),
    "late.withdrawn": _("Was not late"),
    "screen.added": _("Screen added"),
    "screen.opened": _("Screen opened for the first time"),
    "screen.steered": _("Screen shows something else"),
    "screen.paused": _("Screen stands still"),
    "screen.resumed": _("Screen goes on"),
    "screen.turned": _("Screen's page turned"),
    "screen.message": _("Message on a screen"),
    "screen.message_ended": _("Message off a screen"),
    "screen.changed": _("Screen changed"),
    "screen.revoked": _("Screen switched off"),
    "deal.entered": _("Deal entered"),
    "deal.corrected": _("Deal corrected"),
    "deal.voided": _("Deal voided"),
    "deal.declined": _("Deal set aside for the one that stands"),
    "deal.replayed": _("Deal to be played again"),
    "sheet.typed": _("Sheet typed in"),
    "sheet.submitted": _("Sheet submitted"),
    "sheet.confirmed": _("Sheet confirmed"),
    "sheet.reopened": _("Sheet reopened"),
    "sheet.photo_added": _("Photo of the sheet attached"),
    "sheet.photo_removed": _("Photo of the sheet removed"),
    "penalty.given": _("Penalty given"),
    "penalty.withdrawn": _("Penalty withdrawn"),
    "box.added": _("Box added"),
    "box.changed": _("Box changed"),
    "box.removed": _("Box taken out"),
    "box.checked": _("Box counted"),
    "sponsor.added": _("Sponsor added"),
    "sponsor.changed": _("Sponsor changed"),
    "sponsor.removed": _("Sponsor removed"),
    "ruling.given": _("Ruling given"),
    "ruling.withdrawn": _("Ruling withdrawn"),
    "cut.made": _("Cut made"),
    "cut.undone": _("Cut undone"),
    "seat.taken_back": _("Declined seat taken after all"),
    "lot.drawn": _("Lot drawn"),
    "seat.declined": _("Seat declined"),
    "semi_final.drawn": _("Semi-final drawn"),
    "final.drawn": _("Final drawn"),
    "standings.revealed": _("Ranks revealed"),
    "standings.hidden_again": _("Ranks hidden again"),
}


def infraction_name(code: str) -> str:
    return str(INFRACTION_NAMES[code])


# How a badge looks that names a status; every other status is "quiet".
BADGE_TONES: dict[str, str] = {
    "running": "live",
    "finished": "done",
    "published": "live",
    "closed": "done",
    "cancelled": "done",
    "open": "live",
    "submitted": "wait",
    "confirmed": "ok",
    "waiting": "wait",
    "checked_in": "ok",
    "no_show": "bad",
    "disqualified": "bad",
    "in": "ok",
    "offered": "wait",
    "accepted": "ok",
}

SERIES_VERBS: dict[str, Promise | str] = {
    "series.created": _("Series made"),
    "series.changed": _("Series changed"),
    "series.left": _("A series below it left"),
    "series.asked": _("Event asked for"),
    "series.entered": _("Event in the series"),
    "series.taken_out": _("Event taken out, or not taken in"),
    "series.weight_changed": _("Weight of an event changed"),
    "staff.invited": _("Invited"),
    "staff.uninvited": _("Invitation taken back"),
    "staff.joined": _("Joined the staff"),
    "staff.removed": _("Left the staff"),
    "table.added": _("Standings added"),
    "table.changed": _("Standings changed"),
    "table.removed": _("Standings taken away"),
    "merge.proposed": _("Two entries: asked whether they are one person"),
    "merge.agreed": _("One side said yes"),
    "merge.refused": _("One side said no"),
    "merge.withdrawn": _("Question taken back"),
    "merge.done": _("Both sides said yes: results stand together"),
    "merge.taken_apart": _("Results taken apart again"),
    "penalty.kept": _("Penalty kept beyond the season"),
    "penalty.let_go": _("Penalty no longer kept"),
}

# What went with a name, by what its entry in the log counts (`queries/erasing.py`).
ERASED: dict[str, Promise] = {
    "contact": _("Contact"),
    "guardian": _("Name and contact of a parent or guardian"),
    "note": _("Note for the organiser"),
    "mails_waiting": _("Mails that were waiting"),
    "mails_sent": _("Words of mails that were sent"),
    "texts": _("Texts that named the person"),
    "photos": _("Photos of their sheets"),
}
