"""`python -m tests.faults.verify FOLDER`: do the invariants hold of the site that FIELDPOST_DATA and DATABASE_URL name?

Prints each breach, and exits with 1 if there is one.
"""

import os
import sys
from pathlib import Path

import django

from campaign.secrecy import truth

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    truth.trust_process()
    from tests.faults.checks.invariants import Evidence, breaches

    found = list(breaches(Evidence(Path(sys.argv[1]))))
    sys.stdout.write("".join(f"{breach}\n" for breach in found) or "all invariants hold\n")
    sys.exit(bool(found))
