"""What a page asks for by itself while somebody writes, and how he is told that it was refused."""

from django.http import HttpRequest, HttpResponse
from django.utils.html import escape


def refused(request: HttpRequest, trouble: str, status: int) -> HttpResponse:
    """A refusal, in place of the answer: htmx shows only what succeeds, and the writer must see this."""
    return HttpResponse(escape(trouble), status=200 if request.headers.get("HX-Request") else status)


def unchecked(request: HttpRequest) -> HttpResponse:
    """The same for who types too fast; his text is still in the field."""
    return refused(request, "Not checked: too many requests within a minute. Fieldpost checks again in a minute.", 429)
