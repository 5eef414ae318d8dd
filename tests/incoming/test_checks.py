"""What `manage.py check` says of the settings of incoming mail, and what starts only where they are right."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from incoming.checks import check_incoming_mail


def found(settings: Any, **said: str) -> list[str]:
    for name, value in {"MAIL_IN": "smtp", "MAIL_IN_DOMAIN": "orders.example.org", **said}.items():
        setattr(settings, name, value)
    return [str(each.id) for each in check_incoming_mail()]


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ({}, []),
        ({"MAIL_IN": "", "MAIL_IN_DOMAIN": "no domain"}, []),
        ({"MAIL_IN": "pigeon"}, ["incoming.E001"]),
        ({"MAIL_IN_DOMAIN": ""}, ["incoming.E002"]),
        ({"MAIL_IN_DOMAIN": "orders@example.org"}, ["incoming.E002"]),
        ({"MAIL_IN_FORM": "minus"}, ["incoming.E003"]),
        ({"MAIL_IN_NAME": "two words"}, ["incoming.E004"]),
        ({"MAIL_IN_NAME": "two words", "MAIL_IN_FORM": "catch-all"}, []),
        ({"MAIL_IN_LISTEN": "25"}, ["incoming.E005"]),
        ({"MAIL_IN_LISTEN": "example.org:25"}, ["incoming.E005"]),
        ({"MAIL_IN_LISTEN": "127.0.0.1:99999"}, ["incoming.E005"]),
        ({"MAIL_IN_LISTEN": "[::1]:8025"}, []),
        ({"MAIL_IN_LISTEN": "localhost:8025"}, []),
        ({"MAIL_IN_LISTEN": "0.0.0.0:25"}, ["incoming.W001"]),
    ],
)
def test_what_is_missing_is_named(settings: Any, said: dict[str, str], ids: list[str]) -> None:
    assert found(settings, **said) == ids


def test_nothing_listens_where_no_mail_is_taken(settings: Any) -> None:
    settings.MAIL_IN = ""
    with pytest.raises(CommandError, match="FIELDPOST_MAIL_IN=smtp"):
        call_command("takemail")
