"""What `manage.py check` says of the settings of incoming mail, and what starts only where they are right."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from incoming.checks import check_incoming_mail
from incoming.ways.mailbox_url import source
from incoming.ways.providers import PROVIDERS

IMAP: dict[str, Any] = {"MAIL_IN": "imap", "MAIL_IN_URL": "imaps://orders%40example.org:p%3Aw@imap.example.org"}
WEBHOOK: dict[str, Any] = {"MAIL_IN": "webhook", "MAIL_IN_PROVIDER": "mailgun", "MAIL_IN_SECRET": "key"}


def found(settings: Any, **said: Any) -> list[str]:
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
        (IMAP, []),
        (IMAP | {"MAIL_IN_LISTEN": "25"}, []),
        (IMAP | {"MAIL_IN_DOMAIN": ""}, ["incoming.E002"]),
        (IMAP | {"MAIL_IN_EVERY": 4}, ["incoming.E006"]),
        (IMAP | {"MAIL_IN_URL": ""}, ["incoming.E007"]),
        (IMAP | {"MAIL_IN_URL": "pop3://a:b@example.org/"}, ["incoming.E007"]),
        (IMAP | {"MAIL_IN_URL": "imaps://example.org/INBOX"}, ["incoming.E007"]),
        (IMAP | {"MAIL_IN_URL": "imaps://a:b@example.org:port/"}, ["incoming.E007"]),
        (IMAP | {"MAIL_IN_URL": "imaps://a:pass#word@example.org/"}, ["incoming.E007"]),
        (IMAP | {"MAIL_IN_MOVE_TO": "INBOX"}, ["incoming.E008"]),
        (IMAP | {"MAIL_IN_MOVE_TO": "inbox"}, ["incoming.E008"]),
        (IMAP | {"MAIL_IN_URL": "imap://a:b@example.org/"}, ["incoming.W002"]),
        (IMAP | {"MAIL_IN_URL": "imap://a:b@127.0.0.1/"}, []),
        (IMAP | {"MAIL_IN_URL": "imap+tls://a:b@example.org/Orders"}, []),
        (WEBHOOK, []),
        (WEBHOOK | {"MAIL_IN_PROVIDER": ""}, ["incoming.E009"]),
        (WEBHOOK | {"MAIL_IN_PROVIDER": "pigeon"}, ["incoming.E009"]),
        (WEBHOOK | {"MAIL_IN_SECRET": ""}, ["incoming.E010"]),
        (WEBHOOK | {"MAIL_IN_PROVIDER": "postmark"}, ["incoming.E011"]),
        (WEBHOOK | {"MAIL_IN_PROVIDER": "postmark", "MAIL_IN_SECRET": "postmark:0123456789abcdef"}, []),
        (WEBHOOK | {"MAIL_IN_SECRET": "schlüssel"}, ["incoming.E011"]),
    ],
)
def test_what_is_missing_is_named(settings: Any, said: dict[str, Any], ids: list[str]) -> None:
    assert found(settings, **said) == ids


@pytest.mark.parametrize(
    ("writes", "domain", "ids"),
    [
        ("fieldpost@example.org", "example.org", []),
        ("fieldpost@example.org", "orders.example.org", []),
        ("Fieldpost <fieldpost@Example.org>", "orders.example.org", []),
        ("fieldpost@mail.example.org", "example.org", []),
        ("fieldpost@mail.example.org", "orders.example.org", []),
        ("fieldpost@club.co.uk", "orders.club.co.uk", []),
        ("fieldpost@localhost", "orders.example.org", []),
        ("fieldpost@example.org", "orders.example.com", ["incoming.W003"]),
        ("fieldpost@example.org", "myexample.org", ["incoming.W003"]),
        ("fieldpost@club.co.uk", "orders.co.uk", ["incoming.W003"]),
        ("fieldpost@club.co.uk", "other.co.uk", ["incoming.W003"]),
        ("fieldpost@example.org", "no domain", ["incoming.E002"]),
    ],
)
def test_return_paths_fit_the_domain_that_mails_come_from(
    settings: Any, writes: str, domain: str, ids: list[str]
) -> None:
    said = {"DEFAULT_FROM_EMAIL": writes, "MAIL_IN_DOMAIN": domain}
    assert found(settings, MAIL_RETURN_PATHS=True, **said) == ids
    assert found(settings, MAIL_RETURN_PATHS=False, **said) == [each for each in ids if each != "incoming.W003"]


def test_the_warning_says_what_to_do(settings: Any) -> None:
    found(settings, MAIL_RETURN_PATHS=True, DEFAULT_FROM_EMAIL="fieldpost@example.com")
    (warning,) = check_incoming_mail()
    assert warning.msg == "Mails come from example.com, and their return paths are at orders.example.org."
    for part in ("FIELDPOST_MAIL_IN_DOMAIN to example.com", "FIELDPOST_MAIL_RETURN_PATHS to off", "DKIM"):
        assert part in (warning.hint or "")


def test_nothing_listens_where_no_mail_is_taken(settings: Any) -> None:
    settings.MAIL_IN = ""
    with pytest.raises(CommandError, match="FIELDPOST_MAIL_IN=smtp"):
        call_command("takemail")


def test_no_problem_of_a_mailbox_repeats_its_password(settings: Any) -> None:
    settings.MAIL_IN, settings.MAIL_IN_DOMAIN = "imap", "orders.example.org"
    for wrong in (
        "imaps://a:secret@",
        "pop3://a:secret@example.org/",
        "imaps://a:secret@example.org:x",
        "imaps://[a:secret",
    ):
        settings.MAIL_IN_URL = wrong
        assert "secret" not in str(check_incoming_mail())


def test_a_mailbox_is_named_by_its_url(settings: Any) -> None:
    settings.MAIL_IN_URL = "imaps://orders%40example.org:p%3Aw%2F%25@imap.example.org/Orders%2FNew"
    where = source()
    assert (where.user, where.password, where.host) == ("orders@example.org", "p:w/%", "imap.example.org")
    assert (where.port, where.folder) == (993, "Orders/New")
    assert "p:w/%" not in repr(where)


def test_every_provider_is_one_that_the_library_knows(settings: Any) -> None:
    settings.MAIL_IN_SECRET = "postmark:0123456789abcdef"  # noqa: S105 - of a test
    assert {name: provider.reader().http_method_names[0] for name, provider in PROVIDERS.items()} == dict.fromkeys(
        PROVIDERS, "post"
    )
