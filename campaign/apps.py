from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created

from campaign.maps.drawing.disk_cache import DISK_CACHE
from campaign.maps.drawing.edition import edition
from campaign.secrecy import truth


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        connection_created.connect(truth.watch)
        DISK_CACHE.folder = settings.MAP_SHEETS
        edition()  # of the code that runs, and not of a newer one that has come into the folder since
