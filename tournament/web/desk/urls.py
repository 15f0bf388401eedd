"""The organiser's desk, and what judges may do there: look at rounds, print."""

from django.urls import path

from tournament.web.desk import (
    absences,
    announcements,
    board,
    boxes,
    clocks,
    copies,
    documents,
    door,
    drafts,
    draws,
    entry_queue,
    erasing,
    event_files,
    events,
    exports,
    finals,
    imports,
    jobs,
    log,
    mails,
    merges,
    places,
    players,
    prints,
    prizes,
    reveals,
    rounds,
    screens,
    separations,
    series,
    sponsors,
    staff,
)

# Before the events: nothing else is called “series” there (`RESERVED_SLUGS`).
season = [
    path("desk/series/", series.my_series, name="my_series"),
    path("desk/series/new/", series.new_series, name="new_series"),
    path("desk/series/<slug:slug>/", series.desk, name="series_desk"),
    path("desk/series/<slug:slug>/settings/", series.settings, name="series_settings"),
    path("desk/series/<slug:slug>/events/<int:pk>/accept/", series.accept, name="series_accept"),
    path("desk/series/<slug:slug>/events/<int:pk>/weight/", series.weight, name="series_weight"),
    path("desk/series/<slug:slug>/events/<int:pk>/out/", series.take_out, name="series_take_out"),
    path("desk/series/<slug:slug>/standings/", series.tables, name="series_tables"),
    path("desk/series/<slug:slug>/standings/<int:pk>/", series.table, name="series_table"),
    path(
        "desk/series/<slug:slug>/standings/<int:pk>/remove/",
        series.remove_table,
        name="series_table_remove",
    ),
    path("desk/series/<slug:slug>/staff/", series.staff, name="series_staff"),
    path(
        "desk/series/<slug:slug>/staff/<int:pk>/remove/",
        series.remove_member,
        name="series_staff_remove",
    ),
    path(
        "desk/series/<slug:slug>/invitations/<int:pk>/revoke/",
        series.revoke_invitation,
        name="series_invitation_revoke",
    ),
    path("series-invitations/<token:token>/", series.invitation, name="series_invitation"),
    path("desk/series/<slug:slug>/people/", merges.merges, name="series_merges"),
    path(
        "desk/series/<slug:slug>/people/<int:pk>/withdraw/", merges.withdraw, name="merge_withdraw"
    ),
    path(
        "desk/series/<slug:slug>/people/<int:pk>/apart/", merges.take_apart, name="merge_take_apart"
    ),
    path("desk/series/<slug:slug>/penalties/", series.penalties, name="series_penalties"),
    path(
        "desk/series/<slug:slug>/penalties/<int:pk>/keep/",
        series.keep_penalty,
        name="series_penalty_keep",
    ),
    path(
        "desk/series/<slug:slug>/penalties/kept/<int:pk>/let-go/",
        series.let_penalty_go,
        name="series_penalty_let_go",
    ),
    path("desk/series/<slug:slug>/log/", series.log, name="series_log"),
]

event = [
    path("desk/", events.my_events, name="desk"),
    path("desk/new/", events.new_event, name="new_event"),
    path("desk/import/", event_files.import_event, name="event_import"),
    path("desk/<slug:slug>/", events.desk, name="event_desk"),
    path("desk/<slug:slug>/settings/", events.settings, name="settings"),
    path("desk/<slug:slug>/publish/", events.publish, name="publish"),
    path("desk/<slug:slug>/unpublish/", events.unpublish, name="unpublish"),
    path("desk/<slug:slug>/finish/", events.finish, name="finish"),
    path("desk/<slug:slug>/reopen/", events.reopen, name="reopen"),
    path("desk/<slug:slug>/poster/", events.poster, name="poster"),
    path("desk/<slug:slug>/copy/", copies.second_copy, name="second_copy"),
    path("desk/<slug:slug>/log/", log.log, name="log"),
    path("desk/<slug:slug>/event.json", event_files.export, name="export"),
    path("desk/<slug:slug>/event.zip", event_files.archive, name="event_archive"),
    path("desk/<slug:slug>/packet.zip", event_files.packet, name="packet"),
    path("desk/<slug:slug>/standings.<slug:kind>", exports.standings, name="standings_file"),
    path("desk/<slug:slug>/series/", series.of_event, name="event_series"),
    path(
        "desk/<slug:slug>/series/<int:pk>/accept/",
        series.event_accepts,
        name="event_series_accept",
    ),
    path("desk/<slug:slug>/series/<int:pk>/out/", series.event_leaves, name="event_series_out"),
]

people = [
    path("desk/<slug:slug>/mails/", mails.mails, name="mails"),
    path("desk/<slug:slug>/mails/test/", mails.test, name="mail_test"),
    path("desk/<slug:slug>/mails/<int:pk>/again/", mails.again, name="mail_again"),
    path("invitations/<token:token>/", staff.invitation, name="invitation"),
    path("desk/<slug:slug>/staff/", staff.staff, name="staff"),
    path("desk/<slug:slug>/staff/<int:pk>/remove/", staff.remove_staff, name="staff_remove"),
    path(
        "desk/<slug:slug>/invitations/<int:pk>/revoke/",
        staff.revoke_invitation,
        name="invitation_revoke",
    ),
    path("desk/<slug:slug>/players/", players.players, name="players"),
    path("desk/<slug:slug>/players.<slug:kind>", exports.players, name="players_file"),
    path("desk/<slug:slug>/players/add/", players.add, name="player_add"),
    path("desk/<slug:slug>/players/import/", imports.import_players, name="player_import"),
    path("desk/<slug:slug>/players/tickets/", players.mail_tickets, name="mail_tickets"),
    path("desk/<slug:slug>/players/<int:number>/", players.player, name="player"),
    path("desk/<slug:slug>/players/<int:number>/erase/", erasing.erase, name="player_erase"),
    path("desk/<slug:slug>/players/<int:number>/<slug:verb>/", players.move, name="player_move"),
    path("desk/<slug:slug>/messages/", announcements.announcements, name="announcements"),
    path(
        "desk/<slug:slug>/messages/<int:pk>/take-down/",
        announcements.withdraw,
        name="announcement_withdraw",
    ),
    path("desk/<slug:slug>/door/", door.door, name="door"),
    path("desk/<slug:slug>/door/walk-in/", door.walk_in, name="walk_in"),
    path("desk/<slug:slug>/door/everybody/", door.everybody, name="door_everybody"),
    path("desk/<slug:slug>/door/everybody/undo/", door.undo_everybody, name="door_everybody_undo"),
]

draw = [
    path("desk/<slug:slug>/rounds/draw/", draws.draw, name="round_draw"),
    path("desk/<slug:slug>/rounds/<int:pk>/redraw/", draws.redraw, name="round_redraw"),
    path("desk/<slug:slug>/apart/", separations.separate, name="separation_add"),
    path(
        "desk/<slug:slug>/apart/<int:pk>/withdraw/",
        separations.withdraw,
        name="separation_withdraw",
    ),
    path("desk/<slug:slug>/rounds/<int:pk>/swap/", drafts.swap, name="round_swap"),
    path("desk/<slug:slug>/rounds/<int:pk>/undo/", drafts.undo, name="round_undo"),
    path("desk/<slug:slug>/rounds/<int:pk>/redo/", drafts.redo, name="round_redo"),
    path("desk/<slug:slug>/rounds/<int:pk>/pin/", drafts.pin, name="round_pin"),
    path("desk/<slug:slug>/rounds/<int:pk>/improve/", drafts.improve, name="round_improve"),
]

round_ = [
    path("desk/<slug:slug>/rounds/<int:pk>/", rounds.round_page, name="round"),
    path("desk/<slug:slug>/rounds/<int:pk>/publish/", rounds.publish, name="round_publish"),
    path("desk/<slug:slug>/rounds/<int:pk>/unpublish/", rounds.unpublish, name="round_unpublish"),
    path("desk/<slug:slug>/rounds/<int:pk>/cancel/", rounds.cancel, name="round_cancel"),
    path("desk/<slug:slug>/rounds/<int:pk>/close/", rounds.close, name="round_close"),
    path("desk/<slug:slug>/rounds/<int:pk>/reopen/", rounds.reopen, name="round_reopen"),
    path("desk/<slug:slug>/rounds/<int:pk>/restore/", rounds.restore, name="round_restore"),
    path("desk/<slug:slug>/rounds/<int:pk>/mend/", absences.absences, name="round_absences"),
    path("desk/<slug:slug>/rounds/<int:pk>/mend/pick/", absences.pick, name="round_absences_pick"),
    path(
        "desk/<slug:slug>/rounds/<int:pk>/sheets/", absences.replaced, name="round_sheets_replaced"
    ),
    path("desk/<slug:slug>/rounds/<int:pk>/type/", entry_queue.enter_sheets, name="round_type"),
]

clock = [
    path("desk/<slug:slug>/day/", board.day, name="day"),
    path("desk/<slug:slug>/board/", board.board, name="board"),
    path("desk/<slug:slug>/clock/", clocks.clock, name="clock"),
    path("desk/<slug:slug>/clock/start/", clocks.start, name="clock_start"),
    path("desk/<slug:slug>/clock/pause/", clocks.pause, name="clock_pause"),
    path("desk/<slug:slug>/clock/resume/", clocks.resume, name="clock_resume"),
    path("desk/<slug:slug>/clock/add/", clocks.add, name="clock_add"),
    path("desk/<slug:slug>/clock/table/", clocks.table, name="clock_table"),
    path("desk/<slug:slug>/clock/table/resume/", clocks.resume_table, name="clock_table_resume"),
    path(
        "desk/<slug:slug>/clock/table/<int:number>/take-back/",
        clocks.take_table_time_back,
        name="clock_table_back",
    ),
    path("desk/<slug:slug>/clock/hand-in/", clocks.hand_in, name="clock_hand_in"),
    path("desk/<slug:slug>/clock/break/", clocks.pause_event, name="break"),
    path("desk/<slug:slug>/clock/break/end/", clocks.end_break, name="break_end"),
]

hall = [
    path("desk/<slug:slug>/screens/", screens.screens, name="screens"),
    path("desk/<slug:slug>/screens/say/", screens.say, name="screens_say"),
    path("desk/<slug:slug>/screens/unsay/", screens.unsay, name="screens_unsay"),
    path("desk/<slug:slug>/screens/<int:pk>/steer/", screens.steer, name="screen_steer"),
    path("desk/<slug:slug>/screens/<int:pk>/turn/", screens.turn, name="screen_turn"),
    path("desk/<slug:slug>/screens/<int:pk>/change/", screens.change, name="screen_change"),
    path("desk/<slug:slug>/screens/<int:pk>/revoke/", screens.revoke, name="screen_revoke"),
]

final = [
    path("desk/<slug:slug>/cut/", finals.cut, name="cut"),
    path("desk/<slug:slug>/cut/make/", finals.make, name="cut_make"),
    path("desk/<slug:slug>/cut/undo/", finals.undo, name="cut_undo"),
    path("desk/<slug:slug>/cut/lot/", finals.lot, name="cut_lot"),
    path("desk/<slug:slug>/cut/place/<int:rank>/", finals.place_lot, name="place_lot"),
    path("desk/<slug:slug>/cut/seats/<int:pk>/decline/", finals.decline, name="seat_decline"),
    path("desk/<slug:slug>/cut/seats/<int:pk>/take-back/", finals.take_back, name="seat_take_back"),
    path("desk/<slug:slug>/cut/final/", finals.draw, name="final_draw"),
]

support = [
    path("desk/<slug:slug>/sponsors/", sponsors.sponsors, name="sponsors"),
    path("desk/<slug:slug>/sponsors/<int:pk>/", sponsors.sponsor, name="sponsor"),
    path("desk/<slug:slug>/sponsors/<int:pk>/remove/", sponsors.remove, name="sponsor_remove"),
]

box = [
    path("desk/<slug:slug>/boxes/", boxes.boxes, name="boxes"),
    path("desk/<slug:slug>/boxes/<int:pk>/", boxes.box, name="box"),
    path("desk/<slug:slug>/boxes/<int:pk>/check/", boxes.check, name="box_check"),
    path("desk/<slug:slug>/boxes/<int:pk>/remove/", boxes.remove, name="box_remove"),
]

paper = [
    path("desk/<slug:slug>/print/", prints.prints, name="prints"),
    path("desk/<slug:slug>/print/<slug:kind>.pdf", documents.document, name="document"),
    path("desk/<slug:slug>/rounds/<int:pk>/sheets.pdf", documents.round_sheets, name="round_pdf"),
    path("desk/<slug:slug>/tables/<int:pk>/sheet.pdf", documents.table_sheet, name="table_pdf"),
    path("desk/<slug:slug>/jobs/<int:pk>/", jobs.job_page, name="job"),
    path("desk/<slug:slug>/jobs/<int:pk>/cancel/", jobs.cancel, name="job_cancel"),
]

standings = [
    path("desk/<slug:slug>/standings/", reveals.standings, name="desk_standings"),
    path("desk/<slug:slug>/standings/reveal/", reveals.reveal, name="reveal"),
    path("desk/<slug:slug>/standings/hide/", reveals.hide_again, name="hide_again"),
]

prize = [
    path("desk/<slug:slug>/prizes/", prizes.prizes, name="prizes"),
    path("desk/<slug:slug>/prizes/podium/", prizes.podium, name="podium"),
    path(
        "desk/<slug:slug>/prizes/podium/<int:number>/give/",
        prizes.podium_give,
        name="podium_give",
    ),
    path(
        "desk/<slug:slug>/prizes/podium/<int:number>/pass/",
        prizes.pass_over,
        name="podium_pass",
    ),
    path("desk/<slug:slug>/prizes/passes/<int:pk>/undo/", prizes.undo_pass, name="pass_undo"),
    path("desk/<slug:slug>/prizes/raffle/", prizes.raffle, name="raffle"),
    path("desk/<slug:slug>/prizes/<int:pk>/", prizes.prize, name="prize"),
    path("desk/<slug:slug>/prizes/<int:pk>/up/", prizes.move_up, name="prize_up"),
    path("desk/<slug:slug>/prizes/<int:pk>/remove/", prizes.remove, name="prize_remove"),
    path("desk/<slug:slug>/prizes/<int:pk>/give/", prizes.give, name="prize_give"),
    path("desk/<slug:slug>/prizes/gifts/<int:pk>/hand/", prizes.hand_out, name="gift_hand"),
    path("desk/<slug:slug>/prizes/gifts/<int:pk>/back/", prizes.take_back, name="gift_back"),
]

place = [
    path("desk/<slug:slug>/places/", places.places, name="places"),
    path("desk/<slug:slug>/places/offer/", places.offer, name="places_offer"),
    path("desk/<slug:slug>/places/pass-on/", places.pass_on, name="places_pass_on"),
    path("desk/<slug:slug>/places/give/", places.give, name="place_give"),
    path("desk/<slug:slug>/places/promises/<int:pk>/", places.promise, name="place_promise"),
    path(
        "desk/<slug:slug>/places/promises/<int:pk>/remove/",
        places.remove,
        name="place_promise_remove",
    ),
    path(
        "desk/<slug:slug>/places/promises/<int:pk>/agree/",
        places.agree,
        name="place_promise_agree",
    ),
    path("desk/<slug:slug>/places/promises/<int:pk>/skip/", places.skip, name="place_skip"),
    path("desk/<slug:slug>/places/skips/<int:pk>/undo/", places.undo_skip, name="place_skip_undo"),
    path("desk/<slug:slug>/places/<int:pk>/accept/", places.accept, name="place_tick"),
    path("desk/<slug:slug>/places/<int:pk>/decline/", places.decline, name="place_tick_decline"),
    path("desk/<slug:slug>/places/<int:pk>/withdraw/", places.withdraw, name="place_withdraw"),
    path("desk/<slug:slug>/places/<int:pk>/register/", places.enter, name="place_register"),
]

urlpatterns = [
    *season,
    *event,
    *people,
    *draw,
    *round_,
    *clock,
    *hall,
    *final,
    *prize,
    *place,
    *standings,
    *support,
    *box,
    *paper,
]
