"""The entry point for a web server. It does not start with a secret key that closes campaigns which are played."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
application = get_wsgi_application()

from campaign.dice_keys import require_key  # noqa: E402 - not before Django is ready

require_key()
