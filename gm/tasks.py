"""Tasks that wake a fleet's workers: each calls a part of the sweep, so a lost or repeated one does no harm."""

import os
import socket

from celery import shared_task

from campaign.core import clock
from campaign.core.frames import with_room
from campaign.mail.delivery import send_due
from campaign.secrecy import truth
from gm.machine.sweeper import attend, sweep


@shared_task(name="gm.sweep")
def sweep_task() -> None:
    """Do all due work."""
    with truth.machinery():
        with_room(sweep, worker=_name())


@shared_task(name="gm.run_phase")
def run_phase(phase_id: int) -> None:
    """Do the due work of one phase."""
    with truth.machinery():
        with_room(attend, phase_id, worker=_name())


@shared_task(name="gm.send_mail")
def send_mail(_phase_id: int) -> None:
    """Send the outbox."""
    with truth.machinery():
        with_room(send_due, clock.now())


def _name() -> str:
    return f"{socket.gethostname()[:30]}-{os.getpid()}"
