"""The entry point for a web server. It refuses to start if its secret key cannot open campaigns in play."""

import logging
import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

from campaign.core.frames import with_room

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
_application = get_wsgi_application()

from django.db import DatabaseError, connections  # noqa: E402 - not before Django is ready

from campaign.record.dice_keys import require_key  # noqa: E402


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer a request, with room for the frames of its calls."""
    return with_room(_application, environ, start_response)


try:
    require_key()
except DatabaseError:  # /healthz reports it, if the process starts
    logging.getLogger(__name__).exception("whether the secret key opens the dice is not known: no database")
finally:
    connections.close_all()  # the processes that answer open their own
