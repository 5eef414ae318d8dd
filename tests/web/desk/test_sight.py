"""The GM's page that says who can see a hex."""

from html import unescape

import pytest

from campaign.models import Phase
from tests.web.conftest import PARTS, Cast

pytestmark = pytest.mark.django_db


def page(cast: Cast, place: str, *, status: int = 200) -> str:
    answer = cast.browser("gm").get(cast.address("desk/sight/"), {"place": place})
    assert answer.status_code == status
    return unescape(answer.content.decode().partition("<main")[2])


def test_the_gm_reads_for_each_side_whether_it_sees_a_hex_and_by_whom(cast: Cast) -> None:
    text = page(cast, "clervaux")
    assert "Clervaux (K16)" in text
    assert text.index("German side") < text.index("Allied side")
    assert "110/28 at Clervaux (K16), in the hex itself" in text
    assert "It sees units by name, prepared positions, and commandos." in text
    assert 'rules/#R15.2"' in text
    assert page(cast, "k16") == text.replace("clervaux", "k16")


def test_a_hex_far_behind_is_not_seen(cast: Cast) -> None:
    text = page(cast, "L12")
    assert "does not see it" in text
    assert "No unit of it is within" in text


def test_the_draft_counts_as_the_latest_state(cast: Cast, draft: Phase) -> None:
    text = page(cast, "S22")
    assert "which is not published" in text
    assert "12 SS at S22, in the hex itself" in text
    assert draft.published_at is None


@pytest.mark.parametrize("place", ["ZZ99", "<b>", "Berlin"])
def test_an_unknown_hex_is_named_in_the_answer(cast: Cast, place: str) -> None:
    text = page(cast, place, status=422)
    assert f"The map has no hex “{place}”." in text


def test_the_gms_pages_lead_there_and_nobody_elses(cast: Cast) -> None:
    link = cast.address("desk/sight/")
    board = cast.browser("gm").get(cast.address("board/")).content.decode()
    assert f'{link}?place=K16"' in board
    assert f'action="{link}"' in cast.browser("gm").get(cast.address("desk/")).content.decode()
    for name in set(PARTS) - {"gm", "co-gm"}:
        assert link not in cast.browser(name).get(cast.address("board/")).content.decode(), name
        assert cast.browser(name).get(link, {"place": "K16"}).status_code == 404
