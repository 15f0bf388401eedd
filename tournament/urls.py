"""The site map, by duty."""

from django.urls import path, register_converter

from tournament.views import (
    dealer,
    desk,
    door,
    drafts,
    draws,
    fairness,
    finals,
    imports,
    jobs,
    judge,
    mends,
    paper,
    players,
    prints,
    public,
    rounds,
    tables,
    tickets,
    typed,
)


class TokenConverter:
    """The secret part of a link."""

    regex = "[A-Za-z0-9_-]{8,32}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(TokenConverter, "token")

everybody = [
    path("", public.home, name="home"),
    path("events/<slug:slug>/", public.event, name="event"),
    path("events/<slug:slug>/rules/", public.rules, name="rules"),
    path("events/<slug:slug>/register/", public.registration, name="register"),
    path("events/<slug:slug>/seats/", public.seats, name="seats"),
    path("events/<slug:slug>/standings/", public.standings, name="standings"),
    path("events/<slug:slug>/fairness/", fairness.fairness, name="fairness"),
    path("events/<slug:slug>/standings.pdf", paper.standings, name="standings_pdf"),
]

player = [
    path("p/<token:token>/", tickets.ticket, name="ticket"),
    path("p/<token:token>/confirm/", tickets.confirm, name="ticket_confirm"),
    path("p/<token:token>/withdraw/", tickets.withdraw_self, name="ticket_withdraw"),
]

table = [
    path("t/<token:token>/", dealer.table, name="dealer_table"),
    path("t/<token:token>/deals/<int:number>/", dealer.deal, name="dealer_deal"),
    path("t/<token:token>/points/", dealer.points, name="dealer_points"),
    path("t/<token:token>/submit/", dealer.submit, name="dealer_submit"),
    path("t/<token:token>/confirm/", dealer.confirm, name="dealer_confirm"),
    path("t/<token:token>/reopen/", dealer.reopen, name="dealer_reopen"),
    path("t/<token:token>/photos/", dealer.add_photo, name="dealer_add_photo"),
    path("t/<token:token>/photos/<int:pk>.jpg", dealer.photo, name="dealer_photo"),
]

judges = [
    path("judge/<slug:slug>/", judge.notebook, name="notebook"),
    path("judge/<slug:slug>/players/<int:number>/", judge.penalty, name="penalty"),
    path("judge/<slug:slug>/penalties/<int:pk>/withdraw/", judge.withdraw, name="penalty_withdraw"),
]

staff = [
    path("desk/<slug:slug>/tables/<int:pk>/", tables.table, name="staff_table"),
    path("desk/<slug:slug>/tables/<int:pk>/deals/<int:number>/", tables.deal, name="staff_deal"),
    path(
        "desk/<slug:slug>/tables/<int:pk>/deals/<int:number>/void/", tables.void, name="staff_void"
    ),
    path("desk/<slug:slug>/tables/<int:pk>/points/", tables.points, name="staff_points"),
    path("desk/<slug:slug>/rounds/<int:pk>/type/", typed.stack, name="round_type"),
    path("desk/<slug:slug>/tables/<int:pk>/submit/", tables.submit, name="staff_submit"),
    path("desk/<slug:slug>/tables/<int:pk>/confirm/", tables.confirm, name="staff_confirm"),
    path("desk/<slug:slug>/tables/<int:pk>/reopen/", tables.reopen, name="staff_reopen"),
    path("desk/<slug:slug>/tables/<int:pk>/photos/", tables.add_photo, name="staff_add_photo"),
    path(
        "desk/<slug:slug>/tables/<int:pk>/photos/<int:photo>.jpg", tables.photo, name="staff_photo"
    ),
    path(
        "desk/<slug:slug>/tables/<int:pk>/photos/<int:photo>/remove/",
        tables.remove_photo,
        name="staff_remove_photo",
    ),
    path("desk/<slug:slug>/tables/<int:pk>/link/", tables.new_link, name="staff_link"),
    path("desk/<slug:slug>/tables/<int:pk>/sheet.pdf", paper.table_sheet, name="table_pdf"),
    path("desk/<slug:slug>/rounds/<int:pk>/sheets.pdf", paper.round_sheets, name="round_pdf"),
    path("desk/<slug:slug>/print/", prints.prints, name="prints"),
    path("desk/<slug:slug>/print/<slug:kind>.pdf", paper.document, name="document"),
]

organiser = [
    path("desk/", desk.my_events, name="desk"),
    path("desk/new/", desk.new_event, name="new_event"),
    path("invitations/<token:token>/", desk.invitation, name="invitation"),
    path("desk/<slug:slug>/", desk.desk, name="event_desk"),
    path("desk/<slug:slug>/settings/", desk.settings, name="settings"),
    path("desk/<slug:slug>/publish/", desk.publish, name="publish"),
    path("desk/<slug:slug>/unpublish/", desk.unpublish, name="unpublish"),
    path("desk/<slug:slug>/finish/", desk.finish, name="finish"),
    path("desk/<slug:slug>/reopen/", desk.reopen, name="reopen"),
    path("desk/<slug:slug>/staff/", desk.staff, name="staff"),
    path("desk/<slug:slug>/staff/<int:pk>/remove/", desk.remove_staff, name="staff_remove"),
    path(
        "desk/<slug:slug>/invitations/<int:pk>/revoke/",
        desk.revoke_invitation,
        name="invitation_revoke",
    ),
    path("desk/<slug:slug>/log/", desk.log, name="log"),
    path("desk/<slug:slug>/event.json", desk.export, name="export"),
    path("desk/<slug:slug>/players/", players.players, name="players"),
    path("desk/<slug:slug>/players/add/", players.add, name="player_add"),
    path("desk/<slug:slug>/players/import/", imports.import_players, name="player_import"),
    path("desk/<slug:slug>/players/tickets/", players.mail_tickets, name="mail_tickets"),
    path("desk/<slug:slug>/players/<int:number>/", players.player, name="player"),
    path("desk/<slug:slug>/players/<int:number>/<slug:verb>/", players.move, name="player_move"),
    path("desk/<slug:slug>/door/", door.door, name="door"),
    path("desk/<slug:slug>/door/walk-in/", door.walk_in, name="walk_in"),
    path("desk/<slug:slug>/rounds/draw/", draws.draw, name="round_draw"),
    path("desk/<slug:slug>/apart/", draws.keep_apart, name="keep_apart"),
    path("desk/<slug:slug>/apart/<int:pk>/withdraw/", draws.withdraw_pair, name="pair_withdraw"),
    path("desk/<slug:slug>/jobs/<int:pk>/", jobs.job_page, name="job"),
    path("desk/<slug:slug>/jobs/<int:pk>/cancel/", jobs.cancel, name="job_cancel"),
    path("desk/<slug:slug>/rounds/<int:pk>/", rounds.round_page, name="round"),
    path("desk/<slug:slug>/rounds/<int:pk>/swap/", drafts.swap, name="round_swap"),
    path("desk/<slug:slug>/rounds/<int:pk>/undo/", drafts.undo, name="round_undo"),
    path("desk/<slug:slug>/rounds/<int:pk>/redo/", drafts.redo, name="round_redo"),
    path("desk/<slug:slug>/rounds/<int:pk>/pin/", drafts.pin, name="round_pin"),
    path("desk/<slug:slug>/rounds/<int:pk>/improve/", drafts.improve, name="round_improve"),
    path("desk/<slug:slug>/rounds/<int:pk>/mend/", mends.mend, name="round_mend"),
    path("desk/<slug:slug>/rounds/<int:pk>/mend/pick/", mends.pick, name="round_mend_pick"),
    path("desk/<slug:slug>/rounds/<int:pk>/sheets/", mends.replaced, name="round_sheets_replaced"),
    path("desk/<slug:slug>/rounds/<int:pk>/redraw/", draws.redraw, name="round_redraw"),
    path("desk/<slug:slug>/rounds/<int:pk>/publish/", rounds.publish, name="round_publish"),
    path("desk/<slug:slug>/rounds/<int:pk>/unpublish/", rounds.unpublish, name="round_unpublish"),
    path("desk/<slug:slug>/rounds/<int:pk>/cancel/", rounds.cancel, name="round_cancel"),
    path("desk/<slug:slug>/rounds/<int:pk>/close/", rounds.close, name="round_close"),
    path("desk/<slug:slug>/rounds/<int:pk>/reopen/", rounds.reopen, name="round_reopen"),
    path("desk/<slug:slug>/rounds/<int:pk>/restore/", rounds.restore, name="round_restore"),
    path("desk/<slug:slug>/cut/", finals.cut, name="cut"),
    path("desk/<slug:slug>/cut/make/", finals.make, name="cut_make"),
    path("desk/<slug:slug>/cut/undo/", finals.undo, name="cut_undo"),
    path("desk/<slug:slug>/cut/lot/", finals.lot, name="cut_lot"),
    path("desk/<slug:slug>/cut/final-lot/<int:rank>/", finals.final_lot, name="final_lot"),
    path("desk/<slug:slug>/cut/seats/<int:pk>/decline/", finals.decline, name="seat_decline"),
    path("desk/<slug:slug>/cut/final/", finals.draw, name="final_draw"),
]

urlpatterns = [*everybody, *player, *table, *judges, *staff, *organiser]
