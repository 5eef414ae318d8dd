"""How the service is assembled and run. No code imports this package."""

import os

if os.environ.get("FIELDPOST_BROKER_URL"):  # only a fleet notifies workers
    from deploy.celery import app as celery_app

    __all__ = ["celery_app"]
