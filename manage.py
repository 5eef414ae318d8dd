#!/usr/bin/env python
"""Fieldpost's command line: `python manage.py help` lists what it can do."""

import os
import sys

from django.core.management import execute_from_command_line

from campaign.core.frames import with_room
from campaign.secrecy import truth

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    truth.trust_process()
    with_room(execute_from_command_line, sys.argv)
