"""Time passes, with a worker that does what is due."""

from datetime import datetime, timedelta
from random import Random

from gm.machine.sweeper import sweep
from tests.secrecy.chance import CHANCE
from tests.secrecy.steps import machinery
from tests.secrecy.steps.plan import Plan, read
from tests.secrecy.worlds import Answer, World

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
HEALTH = ("/healthz", "/readyz")


def past(world: World, plan: Plan, chance: Random, at: datetime) -> list[Answer]:
    """Read just before a moment and just after it."""
    return [answer for moment in (at - SECOND, at + SECOND) for answer in swept(world, plan, chance, moment)]


def swept(world: World, plan: Plan, chance: Random, at: datetime) -> list[Answer]:
    """Read once a worker has done all that is due at a moment."""
    world.now = max(world.now, at)
    with world.present():
        CHANCE.of("hour", world.now)
        sweep(worker="secrecy")
        machinery.deliver()
    return read(world, plan, chance)
