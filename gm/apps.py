from django.apps import AppConfig


class GmConfig(AppConfig):
    name = "gm"

    def ready(self) -> None:
        from campaign.record import persons  # noqa: PLC0415 - models are not loaded before

        persons.watch()
