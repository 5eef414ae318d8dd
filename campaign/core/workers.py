"""Wakes a fleet's workers when there is something to do. Without this they would find it at the next sweep.

Without a broker nothing happens, and nothing of Celery is imported.
"""

import logging
from enum import StrEnum
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction

from campaign.core.failpoints import fp

log = logging.getLogger(__name__)


class Job(StrEnum):
    """What a worker is woken for: the task's name."""

    PHASE = "gm.run_phase"
    MAIL = "gm.send_mail"


def wake_workers(job: Job, pk: int) -> None:
    """Wake a worker once the current transaction is committed, for the row with this id. Never fails its caller."""
    if settings.BROKER_URL:
        transaction.on_commit(partial(_try_send, job, pk), robust=True)


def answers() -> bool:
    """Whether the broker can be reached."""
    try:
        with _connection() as connection:
            connection.default_channel.client.ping()
    except Exception as error:  # whatever the error, workers cannot be reached
        log.warning("the broker does not answer: %s", error)
        return False
    return True


def _try_send(job: Job, pk: int) -> None:
    try:
        fp("ring.before")
        _send(job, pk)
    except Exception as error:  # whatever the error, the next sweep finds the task
        log.warning("nobody heard the bell: %s", error)


_IMPATIENT = {
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "retry_on_timeout": False,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0,
    "interval_max": 0,
}
"""Someone is waiting for a page meanwhile."""


def _send(job: Job, pk: int) -> None:
    with _connection() as connection:
        _app().send_task(job.value, args=[pk], connection=connection, retry=False, ignore_result=True, expires=300)


def _connection() -> Any:
    return _app().connection_for_write(transport_options=_IMPATIENT)


def _app() -> Any:
    from celery import current_app  # noqa: PLC0415 - nothing is loaded where there is no broker

    return current_app
