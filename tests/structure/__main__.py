"""`python -m tests.structure`: print each figure with its limit and its definition."""

import os
import sys
import tempfile

import django

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "deploy.settings", "FIELDPOST_DATA": folder}
        os.environ.pop("DATABASE_URL", None)
        django.setup()
        from django.core.management import call_command

        from campaign.secrecy import truth
        from tests.structure.figures import figures, lines_of_code

        truth.trust_process()  # it makes its tables
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        found = list(figures())
    sys.stdout.write("\n".join([*map(str, found), *lines_of_code()]) + "\n")
    sys.exit(any(figure.value > figure.most for figure in found))
