"""Error pages: for faults of the site, and for settings that only its operator can give."""

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
    """A plain page with a number that finds the error in the log, and no details."""
    incident = secrets.token_hex(4)
    log.error("incident %s: %s %s", incident, request.method, request.path)
    return HttpResponseServerError(render_to_string("500.html", {"incident": incident}))


def opens_dice(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a page that opens a campaign's master seed: it reports a missing key."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except KeyMissing as missing:
            log.error("%s: %s", request.path, missing)
            return render(request, "campaign/key_missing.html", status=503)

    return answer
