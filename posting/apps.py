"""Posting as a Django application."""

from django.apps import AppConfig


class PostingConfig(AppConfig):
    name = "posting"
    verbose_name = "posting"
