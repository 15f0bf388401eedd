"""The site map, by duty. The pages of a scoresheet stand in it twice: for whoever opens the table's
link, and for the staff."""

from django.urls import include, path

from tournament.web import converters  # noqa: F401 - registers `token`
from tournament.web.scoresheet.outbox import carry, worker

urlpatterns = [
    path("", include("tournament.web.public.urls")),
    path("", include("tournament.web.ticket.urls")),
    path("", include("tournament.web.live.urls")),
    path("", include("tournament.web.judge.urls")),
    path("", include("tournament.web.desk.urls")),
    path("carry/", carry, name="carry"),
    path("t/worker.js", worker, name="table_worker"),
    path(
        "t/<token:token>/",
        include("tournament.web.scoresheet.urls", namespace="table_link"),
    ),
    path(
        "desk/<slug:slug>/tables/<int:table>/",
        include("tournament.web.scoresheet.staff_urls", namespace="staff_table"),
    ),
]
