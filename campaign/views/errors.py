"""What is said when something of ours broke: nothing of what it was, and a number under which the log has it."""

import logging
import secrets

from django.http import HttpRequest, HttpResponseServerError
from django.template.loader import render_to_string

log = logging.getLogger(__name__)


def broken(request: HttpRequest) -> HttpResponseServerError:
    """A plain page."""
    incident = secrets.token_hex(4)
    log.error("incident %s: %s %s", incident, request.method, request.path)
    return HttpResponseServerError(render_to_string("500.html", {"incident": incident}))
