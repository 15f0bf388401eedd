"""The judge's notebook, calls, and who is late."""

from django.urls import path

from tournament.web.judge import calls, rulings, views

urlpatterns = [
    path("judge/<slug:slug>/", views.notebook, name="notebook"),
    path("judge/<slug:slug>/players/<int:number>/", views.penalty, name="penalty"),
    path("judge/<slug:slug>/penalties/<int:pk>/withdraw/", views.withdraw, name="penalty_withdraw"),
    path("judge/<slug:slug>/rulings/", rulings.rulings, name="rulings"),
    path("judge/<slug:slug>/rulings/<int:pk>/withdraw/", rulings.withdraw, name="ruling_withdraw"),
    path("judge/<slug:slug>/calls/", calls.calls, name="calls"),
    path("judge/<slug:slug>/calls/<int:pk>/answer/", calls.answer, name="call_answer"),
    path("judge/<slug:slug>/calls/<int:pk>/end/", calls.end, name="call_end"),
    path("judge/<slug:slug>/calls/<int:pk>/reopen/", calls.reopen, name="call_reopen"),
    path("judge/<slug:slug>/late/<int:pk>/arrived/", calls.arrived, name="late_arrived"),
    path("judge/<slug:slug>/late/<int:pk>/missing/", calls.still_missing, name="late_missing"),
    path("judge/<slug:slug>/late/<int:pk>/withdraw/", calls.not_late, name="late_withdraw"),
]
