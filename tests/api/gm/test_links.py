"""Links and posts through the API, and what each audience received."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import Artefact, AuditEntry, Link, Phase
from tests.api.asking import read, where, write
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db


def test_a_link_is_made_once_and_revoked(cast: Cast) -> None:
    picture = {"number": 0, "audience": "german", "kind": "map"}
    made = write(cast, "gm", "gm/links/", picture).json()
    assert write(cast, "gm", "gm/links/", picture).json() == made, "the picture has one already"
    (listed,) = read(cast, "gm", "gm/links/")
    assert (listed["link"], listed["audience"], listed["revoked_at"]) == (made["link"], "german", None)
    assert cast.browser("german staff").get(made["address"].removeprefix("http://localhost:8000")).status_code == 200
    (revoked,) = write(cast, "gm", "gm/links/revoked/", {"link": made["link"]}).json()
    assert revoked["revoked_at"]
    assert Link.objects.get().revoked_at


@pytest.mark.parametrize(
    "body",
    [
        {"number": 0, "audience": "gm"},
        {"number": 9, "audience": "german"},
        {"number": 0, "audience": "german", "kind": "slice"},
    ],
)
def test_only_published_pictures_have_links(cast: Cast, body: dict[str, object]) -> None:
    assert write(cast, "gm", "gm/links/", body).status_code == 404
    assert write(cast, "gm", "gm/links/revoked/", {"link": "0" * 32}).status_code == 404


def test_posts_are_those_of_the_page_and_the_record_says_who_viewed_them(cast: Cast) -> None:
    posts = read(cast, "gm", "gm/posts/0/")
    assert [each["audience"] for each in posts] == ["german", "allied", "public"]
    page = cast.browser("gm").get(cast.address("desk/posts/0/")).context["posts"]
    assert [(each["audience"], tuple(each["parts"])) for each in posts] == [(who, post.parts) for who, post in page]
    (picture,) = posts[0]["attachments"]
    stored = Artefact.objects.get(phase__no=0, audience="german", kind="map")
    assert cast.browser("gm").get(picture["address"]).content == bytes(stored.content)
    assert AuditEntry.objects.filter(act="view as").count() == 3, "each once"


def test_the_gm_reads_what_an_audience_will_receive(cast: Cast, draft: Phase) -> None:
    view = read(cast, "gm", f"gm/received/{draft.no}/allied/")
    assert view["audience"] == "allied"
    report = cast.browser("gm").get(where(cast, f"gm/received/{draft.no}/allied/files/report.txt"))
    assert report.headers["Content-Type"].startswith("text/plain")
    for rest in (f"gm/received/{draft.no}/nobody/", f"gm/received/{draft.no}/allied/files/slice", "gm/posts/99/"):
        assert cast.browser("gm").get(where(cast, rest)).status_code == 404
    assert not AuditEntry.objects.filter(act="view as").exists(), "a draft is for them to review"


def test_more_links_need_no_more_queries(cast: Cast) -> None:
    browser = cast.browser("gm")

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            assert browser.get(where(cast, "gm/links/")).status_code == 200
        return len(found)

    write(cast, "gm", "gm/links/", {"number": 0, "audience": "german"})
    queries()
    before = queries()
    for audience, kind in (("german", "chart"), ("allied", "map"), ("public", "map")):
        write(cast, "gm", "gm/links/", {"number": 0, "audience": audience, "kind": kind})
    assert queries() == before
