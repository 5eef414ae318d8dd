"""The glossary: the same words for everyone, with or without an account."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.locks import ROOT
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db

NEEDED = ("Turn", "Phase", "Order sheet", "Desk", "HQ", "Draft results", "GM ruling", "Publish", "Resolver", "READY")


def test_a_stranger_reads_what_the_words_mean() -> None:
    page = Client().get(reverse("glossary"))
    assert page.status_code == 200
    for word in NEEDED:
        assert f"<strong>{word}" in page.content.decode()


def test_the_rules_page_and_the_readme_lead_to_it(cast: Cast) -> None:
    page = cast.browser("gm").get(cast.address("rules/")).content.decode()
    assert f'<a href="{reverse("glossary")}">Glossary' in page.split("</nav>")[2]
    assert "(GLOSSARY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_nobody_changes_it_by_a_request() -> None:
    assert Client().post(reverse("glossary")).status_code == 405
