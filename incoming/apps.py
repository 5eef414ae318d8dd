"""Incoming mail as a Django application."""

from django.apps import AppConfig


class IncomingConfig(AppConfig):
    name = "incoming"
    verbose_name = "incoming mail"

    def ready(self) -> None:
        from incoming import checks  # noqa: F401, PLC0415 - registers them, once settings are read
