"""Whether the site is well, for monitors.

Plain text for everybody: it says nothing of campaigns, not even how many are late.
"""

import logging
from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign.core import clock
from campaign.core.workers import answers
from gm.machine import heartbeat
from gm.machine.health_alerts import NO_WORKER, troubles

log = logging.getLogger(__name__)


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """200 while this process answers and nothing is long overdue; else 503 with what is."""
    try:
        return _answer([trouble.what for trouble in troubles(clock.now())])
    except DatabaseError:
        log.exception("the database does not answer")
        return _answer(["the database does not answer"])


@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """200 if all that the site needs is there; else 503 with what is missing."""
    try:
        return _answer(list(_missing()))
    except DatabaseError:
        log.exception("the database does not answer")
        return _answer(["the database does not answer"])


def _missing() -> Iterator[str]:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        yield "the database is not migrated"
        return
    if not heartbeat.clocks_agree(clock.now(), heartbeat.database_time()):
        yield "the clocks of this computer and of the database differ: sheets would be received at a wrong time"
    if heartbeat.is_silent(clock.now()):
        yield NO_WORKER
    if settings.BROKER_URL and not answers():
        yield "the broker does not answer"


def _answer(wrong: list[str]) -> HttpResponse:
    text = "\n".join(wrong or ["ok"]) + "\n"
    return HttpResponse(text, status=503 if wrong else 200, content_type="text/plain; charset=utf-8")
