"""A forum post that is pasted into the sheet: offered to be cleaned, cleaned, undone; with scripts and without."""

import re
from html import unescape

import pytest

from orders.models import Draft, Sheet
from tests.web.conftest import Cast
from tests.web.sheets.test_sheet import fields, post

pytestmark = pytest.mark.django_db

COMMANDER = "german commander"
POST = "[quote=Model]\n> HOLD 1 SS\n> HOLD 2 Pz\n[/quote]"


def field(page: str, name: str = "text") -> str:
    found, *_ = re.findall(rf'<textarea[^>]* name="{name}"[^>]*>([^<]*)</textarea>', page)
    return unescape(found)


def test_what_looks_like_a_post_is_said_while_typing_and_by_the_check_button(cast: Cast) -> None:
    browser = cast.browser(COMMANDER)
    live = browser.post(cast.address("orders/HQ/check/"), {"text": POST}).content.decode()
    checked = post(cast, COMMANDER, act="check", text=POST).content.decode()
    for page in (live, checked):
        assert "This looks like a post or a mail: it has quote marks, forum tags." in page
        assert 'form="sheet" name="act" value="clean"' in page
    plain = browser.post(cast.address("orders/HQ/check/"), {"text": "HOLD 1 SS"}).content.decode()
    assert "looks like" not in plain


def test_it_is_cleaned_with_a_message_and_undone(cast: Cast) -> None:
    page = post(cast, COMMANDER, act="clean", text=POST).content.decode()
    assert field(page) == "HOLD 1 SS\nHOLD 2 Pz"
    assert "Taken out: quote marks, forum tags." in page
    assert field(page, "before") == POST
    assert "every line accepted" in page
    undone = post(cast, COMMANDER, act="undo", before=POST).content.decode()
    assert field(undone) == POST
    assert "Taken out" not in undone
    assert not Draft.objects.exists()
    assert not Sheet.objects.exists()


def test_a_text_without_marks_is_left_alone(cast: Cast) -> None:
    page = post(cast, COMMANDER, act="clean", text="HOLD 1 SS\n").content.decode()
    assert field(page) == "HOLD 1 SS\n"
    assert "Taken out" not in page


def test_text_with_a_nul_is_kept_through_it(cast: Cast) -> None:
    page = cast.browser(COMMANDER).post(cast.address("orders/HQ/"), fields(cast, act="undo", before="HOLD 1 SS\0"))
    assert page.status_code == 200
