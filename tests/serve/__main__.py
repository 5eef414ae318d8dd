"""`python -m tests.serve`: how long a first start takes, and how much memory the service holds after a week of use.

It starts `manage.py serve` with an empty data folder, signs three people in by the links that it prints, plays ten
phases with them and lets them open 300 pages. Ends with status 1 if a figure is above its limit.
"""

import os
import sys
import tempfile

import django

_DATA = tempfile.TemporaryDirectory()
os.environ |= {"DJANGO_SETTINGS_MODULE": "deploy.settings", "FIELDPOST_DATA": _DATA.name}
for name in ("DATABASE_URL", "EMAIL_URL", "FIELDPOST_BROKER_URL", "FIELDPOST_URL"):
    os.environ.pop(name, None)  # the embedded mode is measured
django.setup()

from campaign.secrecy import truth  # noqa: E402 - needs Django set up
from tests.serve.week import figures  # noqa: E402

truth.trust_process()


def main() -> int:
    short = 0
    for figure in figures():
        print(figure, flush=True)
        short += not figure.ok
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
