from django.apps import AppConfig
from django.conf import settings

from campaign.maps.edition import edition
from campaign.maps.shelf import SHELF


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        SHELF.folder = settings.MAP_SHEETS
        edition()  # of the code that runs, and not of a newer one that has come into the folder since
