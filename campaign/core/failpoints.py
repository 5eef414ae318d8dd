"""Places at which a fault can be provoked on purpose, to prove that nothing is lost there.

`fp("publish.mid")` does nothing unless the environment variable FAILPOINTS names the place and an action:
`FAILPOINTS="publish.mid=kill9,claim.after=stop:2s@3"`. Actions: kill9, stop:<seconds>s, raise, enospc, busy; with @n
only the nth time that a process comes by. Each fault that is provoked is a line on stderr: place, action, process,
Unix time.
"""

import errno
import os
import re
import signal
import sys
import time
from collections import Counter

from django.db import OperationalError


class Provoked(Exception):
    """The fault that `raise` causes."""


def fp(place: str) -> None:
    """Cause the fault that is set for this place, if any. Raises ValueError if FAILPOINTS cannot be parsed."""
    written = os.environ.get("FAILPOINTS", "")
    action, turn = _faults(written).get(place, ("", 0)) if written else ("", 0)
    if not action:
        return
    _passed[place] += 1
    if turn and _passed[place] != turn:
        return
    sys.stderr.write(f"failpoint {place} {action} {os.getpid()} {time.time():.3f}\n")
    sys.stderr.flush()
    _provoke(place, action)


_passed: Counter[str] = Counter()
"""How often this process has passed each place with a fault."""


def _provoke(place: str, action: str) -> None:
    if action == "kill9":
        os.kill(os.getpid(), signal.SIGKILL)
    elif action == "raise":
        raise Provoked(place)
    elif action == "enospc":
        raise OSError(errno.ENOSPC, f"no space left on device (provoked at {place})")
    elif action == "busy":
        raise OperationalError(f"database is locked (provoked at {place})")
    else:
        time.sleep(float(action.removeprefix("stop:").removesuffix("s")))


_ITEM = re.compile(r"(?P<place>[a-z_.]+)=(?P<action>kill9|raise|enospc|busy|stop:\d+(\.\d+)?s)(@(?P<turn>[1-9]\d*))?")


def _faults(written: str) -> dict[str, tuple[str, int]]:
    """Each place's action and its turn, 0 for every time. A mistyped fault must not look like one that was survived."""
    found = [(item, _ITEM.fullmatch(item.strip())) for item in written.split(",")]
    wrong = [item for item, match in found if match is None]
    if wrong:
        raise ValueError(
            f"FAILPOINTS: {wrong[0]!r} is no <place>=<action>[@<turn>]; actions: kill9, stop:<seconds>s, raise, enospc,"
            " busy"
        )
    return {match["place"]: (match["action"], int(match["turn"] or 0)) for _, match in found if match}
