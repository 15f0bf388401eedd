from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import include, path


@login_not_required
def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse("")


urlpatterns = [path("empty/", empty), path("", include("config.urls"))]
