"""What is said when something of ours broke, or lacks what only who runs the site can give."""

import logging
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template.loader import render_to_string

from campaign.record.dice_keys import KeyMissing

log = logging.getLogger(__name__)


def broken(request: HttpRequest) -> HttpResponseServerError:
    """A plain page: nothing of what it was, and a number under which the log has it."""
    incident = secrets.token_hex(4)
    log.error("incident %s: %s %s", incident, request.method, request.path)
    return HttpResponseServerError(render_to_string("500.html", {"incident": incident}))


def opens_dice(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page for which a campaign's master seed is opened; it says so where the key for that is missing."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except KeyMissing as missing:
            log.error("%s: %s", request.path, missing)
            return render(request, "campaign/key_missing.html", status=503)

    return answer
