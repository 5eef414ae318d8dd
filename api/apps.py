"""The API as a Django application."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_save

_ROLE = frozenset({"role", "side"})


class ApiConfig(AppConfig):
    name = "api"
    verbose_name = "API"

    def ready(self) -> None:
        from api.tokens import end_with_the_role  # noqa: PLC0415 - models are not loaded before

        def saved(instance: Any, *, created: bool, update_fields: frozenset[str] | None, **_more: Any) -> None:
            may_have_changed = update_fields is None or not _ROLE.isdisjoint(update_fields)
            if may_have_changed and not created:
                end_with_the_role(instance)

        post_save.connect(saved, sender="campaign.Membership", weak=False, dispatch_uid="api.end_with_the_role")
