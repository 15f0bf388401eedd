"""The same pages for the staff, and what only they may do."""

from django.urls import path

from tournament.web.scoresheet import deals, photos, sheet, urls

app_name = urls.app_name

urlpatterns = [
    *urls.of_both,
    path("deals/<int:number>/void/", deals.void, name="void"),
    path("photos/<int:pk>/remove/", photos.remove_photo, name="remove_photo"),
    path("link/", sheet.new_link, name="new_link"),
]
