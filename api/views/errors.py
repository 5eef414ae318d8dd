"""Errors before an operation is reached, for programs in JSON and for people as pages."""

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from api.problems import ABSENT, BROKEN, FORBIDDEN, UNREADABLE, ApiProblem
from api.wire import JSON
from campaign.engine.values.value import encode
from campaign.views import errors

_OF_PROGRAMS = "/api/v1/"


def absent(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to an address that leads nowhere."""
    return _problem(404, ABSENT) if _is_programs(request) else defaults.page_not_found(request, exception)


def unreadable(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to a request that cannot be read."""
    return _problem(400, UNREADABLE) if _is_programs(request) else defaults.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to a request that nobody may make."""
    return _problem(403, FORBIDDEN) if _is_programs(request) else defaults.permission_denied(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    """The answer to a fault of the site, with its line in the log."""
    page = errors.broken(request)
    return _problem(500, BROKEN) if _is_programs(request) else page


def _is_programs(request: HttpRequest) -> bool:
    return request.path.startswith(_OF_PROGRAMS)


def _problem(status: int, problem: ApiProblem) -> HttpResponse:
    return HttpResponse(encode(problem), status=status, content_type=JSON)
