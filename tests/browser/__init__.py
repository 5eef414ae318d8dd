"""Pages in a real browser. They need Chromium, so they run apart: `make browser`."""

import os
from pathlib import Path

_INSTALLED = ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
"""The first is the same engine without windows: it needs three quarters of the time."""

CHROMIUM = os.environ.get("CHROMIUM") or next((each for each in _INSTALLED if Path(each).exists()), _INSTALLED[0])
