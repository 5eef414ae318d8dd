"""`python -m tests.stored`: play the stored campaigns at today's schema and store their rows next to the older ones."""

import os
import sys
import tempfile
from pathlib import Path

import django

from campaign.secrecy import truth

SECRET_KEY = "an invented key, which seals nothing but the stored campaigns"  # noqa: S105 # known to everybody


def store() -> Path:
    """Play and store; where it was stored."""
    from django.conf import settings  # noqa: PLC0415 - needs Django set up
    from django.core.management import call_command  # noqa: PLC0415

    from tests.gm.campaigns import Clock  # noqa: PLC0415
    from tests.stored import campaigns, files  # noqa: PLC0415
    from tests.stored.database import present_schema, rows_at  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    clock = Clock()
    with campaigns.story(clock):
        campaigns.play(clock)
    schema = present_schema()
    path = files.file_for(schema)
    pictures = files.pictures_in(Path(settings.PICTURES))
    files.write(path, files.Stored(schema, SECRET_KEY, clock.now, rows_at(schema), pictures))
    return path


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DJANGO_SETTINGS_MODULE="deploy.settings", FIELDPOST_DATA=folder)
        os.environ.update(FIELDPOST_SECRET_KEY=SECRET_KEY, FIELDPOST_URL="http://localhost:8000")
        os.environ.pop("DATABASE_URL", None)
        django.setup()
        truth.trust_process()
        stored = store()
    sys.stdout.write(f"{stored.name}: {stored.stat().st_size:,} bytes\n")
