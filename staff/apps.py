"""The staff rooms as a Django application."""

from django.apps import AppConfig


class StaffConfig(AppConfig):
    name = "staff"
    verbose_name = "staff rooms"
