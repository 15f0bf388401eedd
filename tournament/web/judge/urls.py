"""The judge's notebook."""

from django.urls import path

from tournament.web.judge import views

urlpatterns = [
    path("judge/<slug:slug>/", views.notebook, name="notebook"),
    path("judge/<slug:slug>/players/<int:number>/", views.penalty, name="penalty"),
    path("judge/<slug:slug>/penalties/<int:pk>/withdraw/", views.withdraw, name="penalty_withdraw"),
]
