"""The schema of the API: complete, valid, and shown. Whether it is true, test_schemathesis.py asks."""

import re
from html import unescape
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.validation import validate_schema

from api.wire import JSON
from tests.api.asking import address, ask
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db


def schema() -> dict[str, Any]:
    found: dict[str, Any] = Client().get("/api/v1/schema.json").json()
    return found


def test_the_schema_is_valid_and_without_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", file=None)
    validate_schema(schema())
    assert capsys.readouterr().out


def test_every_operation_says_what_it_does() -> None:
    operations = [each for path in schema()["paths"].values() for each in path.values()]
    assert len(operations) >= 4
    for each in operations:
        assert each["description"]
        assert {"200", "201"} & each["responses"].keys()
        assert {"400", "401", "403", "404", "429"} <= each["responses"].keys()
        files = not each["responses"].get("200", each["responses"].get("201"))["content"].keys() <= {JSON}
        assert ("406" in each["responses"]) is not files, "a program that asks for a file takes any"


def test_what_changes_something_takes_the_pages_csrf_token_and_reading_needs_none() -> None:
    for path in schema()["paths"].values():
        for method, each in path.items():
            parts = each.get("parameters", ())
            headers = {part["name"]: part.get("required", False) for part in parts if part["in"] == "header"}
            assert headers.get("X-CSRFToken") is (None if method == "get" else False), "programs with a token need none"


def test_an_operation_answers_only_what_the_schema_says(cast: Cast) -> None:
    """A method that the schema does not list is refused, so 405 is the answer of no operation."""
    browser = cast.browser("german commander")
    for path, operations in schema()["paths"].items():
        where = path.format(
            slug=cast.campaign.slug,
            side="german",
            desk="HQ",
            no=0,
            rev=0,
            nth=1,
            name="map.png",
            key="K16",
            audience="german",
        )
        answered = {*operations, *(["head"] if "get" in operations else [])}
        for method in {"get", "head", "put", "patch", "delete", "options", "post"} - answered:
            assert getattr(browser, method)(where).status_code == 405
        for method, each in operations.items():
            assert "405" not in each["responses"]
            if "406" not in each["responses"]:
                continue
            plain = getattr(browser, method)(where, headers={"Accept": "text/html"}, content_type="application/json")
            assert plain.status_code == 406
            assert plain.json()["error"] == "not-acceptable"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'{"text": 1}',
        b'{"text": "a", "more": 1}',
        b'{"text": "\xff"}',
        b'{"text": "a"}{"text": "b"}',
        b"[" * 100_000,
        b'{"text": ' + b"[" * 5_000,
    ],
)
def test_a_malformed_body_is_refused_with_what_is_wrong(cast: Cast, body: bytes) -> None:
    browser = cast.browser("german commander")
    answer = browser.generic("POST", address(cast, "check"), body, content_type="application/json")
    assert answer.status_code == 400, answer.content
    assert answer.json()["error"] == "malformed"
    assert answer.json()["message"].endswith(".")


def test_a_body_of_another_kind_or_size_is_refused(cast: Cast) -> None:
    browser = cast.browser("german commander")
    assert browser.post(address(cast, "check"), {"text": "a"}).status_code == 415
    long = b'{"text": "' + b"a" * 2_000_000 + b'"}'
    answer = browser.generic("POST", address(cast, "check"), long, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (413, "too-big")
    assert browser.get(address(cast, "check")).status_code == 405
    assert browser.options(address(cast, "check")).status_code == 405


def test_numbers_that_no_database_holds_are_refused(cast: Cast) -> None:
    for version in (-1, 10**12, 1.5, "1"):
        body = {"phase": "1.0", "text": "", "version": version}
        assert ask(cast, "german commander", "sheets", body).status_code == 400
    for phase in ("1", "1.0.0", "x", "9" * 30 + ".0", "-1.0"):
        body = {"phase": phase, "text": "", "version": 0}
        assert ask(cast, "german commander", "sheets", body).status_code == 400
    absent = {"phase": "999999999.0", "text": "", "version": 0}
    assert ask(cast, "german commander", "sheets", absent).status_code == 404


def test_a_text_may_hold_anything(cast: Cast) -> None:
    for text in ("\0", "\u202e", "é" * 2_000):
        assert ask(cast, "german commander", "check", {"text": text}).status_code == 200


def test_the_page_lists_every_operation_and_type_without_style_or_script_of_its_own() -> None:
    answer, found = Client().get("/api/"), schema()
    page = answer.content.decode()
    for path, operations in found["paths"].items():
        for method, each in operations.items():
            assert f"{method.upper()} {path}" in page
            assert f'id="{each["operationId"]}"' in page
    for name, each in found["components"]["schemas"].items():
        assert f'id="{name}"' in page
        assert each["description"] in unescape(page)
    assert "<style" not in page
    assert " style=" not in page
    assert len(re.findall("<script", page)) == len(re.findall("<script", Client().get("/glossary/").content.decode()))
    assert "unsafe-inline" not in answer.headers["Content-Security-Policy"]


def test_the_schema_says_what_every_type_and_field_means() -> None:
    types = schema()["components"]["schemas"]
    assert types["OfferedWay"]["properties"]["path"]["description"].startswith("The places entered")
    assert [name for name, each in types.items() if not each.get("description")] == []
    silent = [
        f"{name}.{field}"
        for name, each in types.items()
        for field, meaning in each["properties"].items()
        if not meaning.get("description")
    ]
    assert silent == [], "write below the field what it means"
