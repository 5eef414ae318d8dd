"""What all pages share: times in the reader's zone, renewed session keys, and no caching in between."""

from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from campaign.core import clock
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.models import Role, User
from campaign.people.sessions import follow, remember_browser, renew
from campaign.people.visits import note_visit
from campaign.secrecy import truth
from campaign.story import is_open_to
from campaign.viewers import memberships_of

Handler = Callable[[HttpRequest], HttpResponse]


def reader_time_zone(get_response: Handler) -> Handler:
    """Show times in the reader's zone, or in UTC."""

    def middleware(request: HttpRequest) -> HttpResponse:
        chosen = getattr(request.user, "time_zone", "")
        with timezone.override(clock.zone(chosen)):
            return get_response(request)

    return middleware


def clean_logout(get_response: Handler) -> Handler:
    """Clear the campaign's data from the browser at sign-out: its next user may be somebody else.

    The session says who is signed in: a program that uses the API is the user of one request.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        was_known = request.user.is_authenticated
        response = get_response(request)
        if was_known and SESSION_KEY not in request.session:
            response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response

    return middleware


def remembered_browsers(get_response: Handler) -> Handler:
    """Mark a browser in which somebody signs in as theirs."""

    def middleware(request: HttpRequest) -> HttpResponse:
        was_known = request.user.is_authenticated
        response = get_response(request)
        if not was_known and SESSION_KEY in request.session and isinstance(request.user, User):
            remember_browser(response, request.user)
        return response

    return middleware


def followed_sessions(get_response: Handler) -> Handler:
    """Keep a session when a request began with a key that was replaced meanwhile."""

    def middleware(request: HttpRequest) -> HttpResponse:
        follow(request, request.session)
        return get_response(request)

    return middleware


def renewed_sessions(get_response: Handler) -> Handler:
    """Give a user whose part in a campaign has changed a new session key with their next page.

    Only whole pages do this: what a page fetches in the background still comes with the key it began with.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        whole_page = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
        if whole_page and isinstance(request.user, User):
            renew(request, request.user)
        return get_response(request)

    return middleware


def noted_visits(get_response: Handler) -> Handler:
    """Note when a member opens a page of their campaign in a browser: not what pages fetch, and not programs."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        whole_page = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate" and response.status_code < 400
        slug = request.resolver_match.kwargs.get("slug") if request.resolver_match else None
        if slug and whole_page and isinstance(request.user, User) and SESSION_KEY in request.session:
            note_visit(request.user, slug)
        return response

    return middleware


def guarded_truth(get_response: Handler) -> Handler:
    """Let the database give a page only what its reader may see, whatever the page asks for."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with truth.reading(cache(lambda: _reader(request))):
            return get_response(request)

    return middleware


def _reader(request: HttpRequest) -> truth.Reader:
    """The reader in the campaign of the page; an anonymous one on other pages."""
    slug = request.resolver_match.kwargs.get("slug") if request.resolver_match else None
    part = memberships_of(request.user).filter(campaign__slug=slug).values_list("role", "side").first()
    role, side = part or ("", "")
    audience = GM if role == Role.GM else Audience(side) if side else PUBLIC
    return truth.Reader(audience, request.user.pk, cache(lambda: is_open_to(slug, member=part is not None)))


def sound_text(get_response: Handler) -> Handler:
    """Refuse a NUL in names, and replace it in long texts: not every database stores it.

    What some pages are sent they alone read, as it came.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        sent = [request.path_info, *(text for _, texts in request.GET.lists() for text in texts)]
        if request.method == "POST" and request.path_info not in settings.READ_BY_THEIR_PAGES:
            sent += [text for name, texts in request.POST.lists() for text in texts if name not in _WRITTEN]
        if any("\0" in text for text in sent):
            raise BadRequest("a NUL where none can be")
        return get_response(request)

    return middleware


_WRITTEN = ("text", "before", "reply", "statement")
"""Fields with long texts, which are kept as far as possible."""


def private_pages(get_response: Handler) -> Handler:
    """Forbid caches to keep pages: each page is for one reader."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response

    return middleware
