from django.apps import AppConfig
from django.conf import settings

from campaign.maps.drawing.disk_cache import SHELF
from campaign.maps.drawing.edition import edition


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        SHELF.folder = settings.MAP_SHEETS
        edition()  # of the code that runs, and not of a newer one that has come into the folder since
