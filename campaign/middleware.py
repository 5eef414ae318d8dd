"""What every page has in common: times in the reader's zone, fresh keys, and nothing kept by anybody in between."""

from collections.abc import Callable
from functools import cache

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from campaign.core import clock
from campaign.engine.ids import GM, PUBLIC, Audience
from campaign.models import Role, User
from campaign.people.sessions import follow, renew
from campaign.secrecy import truth
from campaign.viewers import memberships_of

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


def followed_sessions(get_response: Handler) -> Handler:
    """A request that began with a session key which was replaced meanwhile is not its sender's last."""

    def middleware(request: HttpRequest) -> HttpResponse:
        follow(request, request.session)
        return get_response(request)

    return middleware


def renewed_sessions(get_response: Handler) -> Handler:
    """Whoever has become somebody else in a campaign goes on under another session key, from his next page on.

    Only when a whole page is asked for: what a page fetches beside itself still comes with the key it began with.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        whole_page = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
        if whole_page and isinstance(request.user, User):
            renew(request, request.user)
        return get_response(request)

    return middleware


def guarded_truth(get_response: Handler) -> Handler:
    """Whatever a page does, the database gives it nothing that is not for its reader."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with truth.reading(cache(lambda: _reader(request))):
            return get_response(request)

    return middleware


def _reader(request: HttpRequest) -> truth.Reader:
    """Who asks, in the campaign whose page it is; nobody in particular on a page that is no campaign's."""
    slug = request.resolver_match.kwargs.get("slug") if request.resolver_match else None
    part = memberships_of(request.user).filter(campaign__slug=slug).values_list("role", "side").first()
    role, side = part or ("", "")
    audience = GM if role == Role.GM else Audience(side) if side else PUBLIC
    return truth.Reader(audience, request.user.pk)


def sound_text(get_response: Handler) -> Handler:
    """A NUL, which no name here holds and not every database keeps, is refused; in what people write it is replaced."""

    def middleware(request: HttpRequest) -> HttpResponse:
        sent = [request.path_info, *(text for _, texts in request.GET.lists() for text in texts)]
        if request.method == "POST":
            sent += [text for name, texts in request.POST.lists() for text in texts if name not in _WRITTEN]
        if any("\0" in text for text in sent):
            raise BadRequest("a NUL where none can be")
        return get_response(request)

    return middleware


_WRITTEN = ("text", "reply", "statement")
"""Fields for what people write, which is kept as far as it can be kept."""


def private_pages(get_response: Handler) -> Handler:
    """Pages are for one reader: no cache may keep them, none may be shown to another."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response

    return middleware
