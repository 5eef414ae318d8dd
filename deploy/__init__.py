"""How the service is put together and run. Nobody imports this package."""

import os

if os.environ.get("FIELDPOST_BROKER_URL"):  # only a fleet rings
    from deploy.celery import app as celery_app

    __all__ = ["celery_app"]
