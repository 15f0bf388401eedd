"""What everybody may open."""

from django.urls import path

from tournament.web.public import (
    documents,
    fairness,
    guidance,
    pictures,
    places,
    privacy,
    registration,
    screens,
    series,
    sponsors,
    standing,
    views,
)

urlpatterns = [
    path("", views.home, name="home"),
    path("events/", views.archive, name="archive"),
    path("events/<slug:slug>/", views.event, name="event"),
    path("events/<slug:slug>/rules/", views.rules, name="rules"),
    path("events/<slug:slug>/errors/", guidance.errors, name="errors"),
    path("events/<slug:slug>/questions/", guidance.questions, name="questions"),
    path("events/<slug:slug>/privacy/", privacy.privacy, name="privacy"),
    path("events/<slug:slug>/register/", registration.register, name="register"),
    path("events/<slug:slug>/ticket/", registration.lost_ticket, name="lost_ticket"),
    path("events/<slug:slug>/seats/", views.seats, name="seats"),
    path("events/<slug:slug>/standings/", views.standings, name="standings"),
    path("events/<slug:slug>/standings/<int:number>/", standing.standing, name="standing"),
    path("events/<slug:slug>/pictures/", pictures.pictures, name="pictures"),
    path("events/<slug:slug>/fairness/", fairness.fairness, name="fairness"),
    path("events/<slug:slug>/standings.pdf", documents.standings, name="standings_pdf"),
    path("events/<slug:slug>/sponsors/<int:pk>.jpg", sponsors.logo, name="sponsor_logo"),
    path("events/<slug:slug>/places/", places.event_places, name="event_places"),
    path("places/<token:token>/", places.place, name="place"),
    path("places/<token:token>/accept/", places.accept, name="place_accept"),
    path("places/<token:token>/decline/", places.decline, name="place_decline"),
    path("series/", series.all_series, name="series_list"),
    path("series/<slug:slug>/", series.series, name="series"),
    path("series/<slug:slug>/standings/<int:pk>/", series.standings, name="series_standings"),
    path("people/<int:pk>/", series.person, name="person"),
    path("screen/<token:token>/", screens.screen, name="screen"),
]
