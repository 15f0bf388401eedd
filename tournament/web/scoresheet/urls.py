"""The pages of one scoresheet, as the table's own link opens them."""

from django.urls import path

from tournament.web.scoresheet import calls, deals, offline, outbox, photos, points, sheet

app_name = "scoresheet"

of_both = [  # by the table's link, and by the staff
    path("", sheet.sheet, name="sheet"),
    path("deals/<int:number>/", deals.deal, name="deal"),
    path("points/", points.points, name="points"),
    path("submit/", sheet.submit, name="submit"),
    path("confirm/", sheet.confirm, name="confirm"),
    path("reopen/", sheet.reopen, name="reopen"),
    path("photos/", photos.add_photo, name="add_photo"),
    path("photos/<int:pk>.jpg", photos.photo, name="photo"),
    path("missing/", calls.missing, name="missing"),
    path("missing/<int:pk>/arrived/", calls.arrived, name="arrived"),
]
urlpatterns = [
    *of_both,
    path("deals/", outbox.send, name="outbox"),
    path("steps/", offline.steps, name="steps"),
    path("call/", calls.call, name="call"),
    path("call/withdraw/", calls.withdraw_call, name="call_withdraw"),
]
