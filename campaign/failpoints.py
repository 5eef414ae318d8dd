"""Places at which a fault can be provoked on purpose, to prove that nothing is lost there.

`fp("publish.mid")` does nothing unless the environment variable FAILPOINTS names the place and an action:
`FAILPOINTS="publish.mid=kill9,claim.after=stop:2s"`. Actions: kill9, stop:<seconds>s, raise, enospc, busy.
"""

import errno
import os
import signal
import time

from django.db import OperationalError


class Provoked(Exception):
    """The fault that `raise` provokes."""


def fp(place: str) -> None:
    """Provoke the fault that is set for this place, if any."""
    action = _actions().get(place)
    if action == "kill9":
        os.kill(os.getpid(), signal.SIGKILL)
    elif action == "raise":
        raise Provoked(place)
    elif action == "enospc":
        raise OSError(errno.ENOSPC, f"no space left on device (provoked at {place})")
    elif action == "busy":
        raise OperationalError(f"database is locked (provoked at {place})")
    elif action and action.startswith("stop:"):
        time.sleep(float(action.removeprefix("stop:").removesuffix("s")))


def _actions() -> dict[str, str]:
    written = os.environ.get("FAILPOINTS", "")
    return dict(item.split("=", 1) for item in written.split(",") if "=" in item)
