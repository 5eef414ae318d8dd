"""The stories of battles as a Django application."""

from django.apps import AppConfig


class StoriesConfig(AppConfig):
    name = "stories"
    verbose_name = "stories of battles"

    def ready(self) -> None:
        from stories import erasing  # noqa: PLC0415 - its models are not known before

        erasing.watch()
