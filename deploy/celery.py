"""The fleet's Celery: `celery -A deploy.celery worker -Q phase,mail` and `celery -A deploy.celery beat`.

An embedded installation has no broker and never imports this.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("fieldpost")
app.set_default()  # for every thread of this process
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["gm"])
