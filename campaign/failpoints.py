"""Places at which a fault can be provoked on purpose, to prove that nothing is lost there.

`fp("publish.mid")` does nothing unless the environment variable FAILPOINTS names the place and an action:
`FAILPOINTS="publish.mid=kill9,claim.after=stop:2s"`. Actions: kill9, stop:<seconds>s, raise, enospc, busy.
"""

import errno
import os
import re
import signal
import time

from django.db import OperationalError


class Provoked(Exception):
    """The fault that `raise` provokes."""


def fp(place: str) -> None:
    """Provoke the fault that is set for this place, if any. Raises ValueError if FAILPOINTS is not to be understood."""
    written = os.environ.get("FAILPOINTS", "")
    action = _actions(written).get(place) if written else None
    if action == "kill9":
        os.kill(os.getpid(), signal.SIGKILL)
    elif action == "raise":
        raise Provoked(place)
    elif action == "enospc":
        raise OSError(errno.ENOSPC, f"no space left on device (provoked at {place})")
    elif action == "busy":
        raise OperationalError(f"database is locked (provoked at {place})")
    elif action:
        time.sleep(float(action.removeprefix("stop:").removesuffix("s")))


_ITEM = re.compile(r"(?P<place>[a-z_.]+)=(?P<action>kill9|raise|enospc|busy|stop:\d+(\.\d+)?s)")


def _actions(written: str) -> dict[str, str]:
    """Each place's action. A fault that is mistyped must not look like one that was survived."""
    found = [(item, _ITEM.fullmatch(item.strip())) for item in written.split(",")]
    wrong = [item for item, match in found if match is None]
    if wrong:
        raise ValueError(
            f"FAILPOINTS: {wrong[0]!r} is no <place>=<action>; actions: kill9, stop:<seconds>s, raise, enospc, busy"
        )
    return {match["place"]: match["action"] for _, match in found if match}
