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
        truth.guard_parts()
        DISK_CACHE.folder = settings.MAP_SHEETS
        edition()  # pin the edition of the code that runs now, before the folder can change
