"""The site's addresses and an empty view, the yardstick of a page's time."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from deploy.urls import urlpatterns as site


def empty(_request: HttpRequest) -> HttpResponse:
    return HttpResponse()


urlpatterns = [path("empty/", empty), *site]
