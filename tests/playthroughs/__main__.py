"""Writes the transcript of the demonstration anew."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from tests.playthroughs.transcript import FILE, transcript  # noqa: E402 - needs Django set up

FILE.write_text("\n".join(transcript()) + "\n", encoding="utf-8")
