"""The fleet's Celery: `celery -A deploy.celery worker -Q phase,mail` and `celery -A deploy.celery beat`.

A single-computer installation has no broker and never imports this.
"""

import os

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("fieldpost")
app.set_default()  # for every thread of this process
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["gm"])


@worker_init.connect
def require_key(**_: object) -> None:
    """Exit at once if the secret key cannot open campaigns in play, before anything fails."""
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 - not before Django is ready
    from django.db import connections  # noqa: PLC0415

    from campaign.record import dice_keys  # noqa: PLC0415

    try:
        dice_keys.require_key()
    except ImproperlyConfigured as error:  # Celery would only log it and go on
        raise SystemExit(str(error)) from error
    finally:
        connections.close_all()  # its children open their own
