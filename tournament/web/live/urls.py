"""What pages that follow an event ask for, kept by the lane."""

from django.urls import path

from tournament.web.live import views

urlpatterns = [
    path("live/<slug:slug>/", views.pulse, name="pulse"),
    path("live/<slug:slug>/staff/", views.staff_pulse, name="staff_pulse"),
    path("live/<slug:slug>/<str:name>/<str:language>/", views.part, name="live_part"),
]
