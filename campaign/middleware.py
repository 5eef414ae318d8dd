"""What every page has in common: times in the reader's zone, and nothing kept by anybody in between."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from campaign import clock

Handler = Callable[[HttpRequest], HttpResponse]


def reader_time_zone(get_response: Handler) -> Handler:
    """Show times in the zone that the reader has chosen; else in UTC."""

    def middleware(request: HttpRequest) -> HttpResponse:
        chosen = getattr(request.user, "time_zone", "")
        with timezone.override(clock.zone(chosen)):
            return get_response(request)

    return middleware


def clean_logout(get_response: Handler) -> Handler:
    """Whoever logs out leaves nothing of the campaign in the browser: it may be another's tomorrow."""

    def middleware(request: HttpRequest) -> HttpResponse:
        was_known = request.user.is_authenticated
        response = get_response(request)
        if was_known and not request.user.is_authenticated:
            response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response

    return middleware


def private_pages(get_response: Handler) -> Handler:
    """Pages are for one reader: no cache may keep them, none may be shown to another."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return middleware
