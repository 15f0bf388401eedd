"""A player's own link."""

from django.urls import path

from tournament.web.ticket import calendar, data, persons, views

urlpatterns = [
    path("p/<token:token>/calendar.ics", calendar.calendar, name="ticket_calendar"),
    path("p/<token:token>/", views.ticket, name="ticket"),
    path("p/<token:token>/confirm/", views.confirm, name="ticket_confirm"),
    path("p/<token:token>/email/", views.email, name="ticket_email"),
    path("p/<token:token>/guardian/", views.guardian, name="ticket_guardian"),
    path("p/<token:token>/data/", data.data, name="ticket_data"),
    path("p/<token:token>/data.json", data.download, name="ticket_data_file"),
    path("p/<token:token>/erase/", data.erase, name="ticket_erase"),
    path("p/<token:token>/keep-name/", views.keep_own_name, name="ticket_keep_name"),
    path("p/<token:token>/withdraw/", views.withdraw_self, name="ticket_withdraw"),
    path("p/<token:token>/together/", persons.together, name="ticket_together"),
    path("keep/<token:token>/", persons.claim, name="claim"),
    path("me/<token:token>/", persons.me, name="me"),
    path("me/<token:token>/change/", persons.change, name="me_change"),
    path("me/<token:token>/entries/<int:pk>/let-go/", persons.let_go, name="me_let_go"),
    path("me/<token:token>/merges/<int:pk>/apart/", persons.take_apart, name="me_take_apart"),
    path("me/<token:token>/leave/", persons.leave, name="me_leave"),
    path("me/<token:token>/erase/", persons.erase, name="me_erase"),
    path("same/<token:token>/", persons.merge_answer, name="merge_answer"),
]
