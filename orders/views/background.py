"""Answers to the background requests of a page while somebody writes, and their refusals."""

from django.http import HttpRequest, HttpResponse
from django.utils.html import escape


def refused(request: HttpRequest, trouble: str, status: int) -> HttpResponse:
    """A refusal in place of the answer. Its status is 200 for htmx, which shows only successes."""
    return HttpResponse(escape(trouble), status=200 if request.headers.get("HX-Request") else status)


def unchecked(request: HttpRequest) -> HttpResponse:
    """The refusal for somebody who types too fast; their text is still in the field."""
    return refused(request, "Not checked: too many requests within a minute. Fieldpost checks again in a minute.", 429)
