"""A player's own link."""

from django.urls import path

from tournament.web.ticket import calendar, views

urlpatterns = [
    path("p/<token:token>/calendar.ics", calendar.calendar, name="ticket_calendar"),
    path("p/<token:token>/", views.ticket, name="ticket"),
    path("p/<token:token>/confirm/", views.confirm, name="ticket_confirm"),
    path("p/<token:token>/email/", views.email, name="ticket_email"),
    path("p/<token:token>/withdraw/", views.withdraw_self, name="ticket_withdraw"),
]
