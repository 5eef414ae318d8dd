from django.apps import AppConfig
from django.conf import settings

from campaign.maps.shelf import SHELF


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        SHELF.folder = settings.MAP_SHEETS
