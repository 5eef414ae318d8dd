"""Forum posts: each audience's own, from what was published, with pictures only where strangers may see them."""

import re
from html import unescape

import pytest

from campaign.models import Artefact, AuditEntry, Campaign, Link, Phase
from gm.phases.lifecycle import approve
from tests.web.conftest import ANONYMOUS, Cast
from tests.web.linking import allow, fetch

pytestmark = pytest.mark.django_db

AREA = re.compile(r'<textarea[^>]* id="post-(\w+)-\d+"[^>]*>(.*?)</textarea>', re.DOTALL)


def posts(cast: Cast, who: str, path: str) -> dict[str, str]:
    """The posts on a page, by audience; the parts of one in a row."""
    answer = cast.browser(who).get(cast.address(path))
    assert answer.status_code == 200, (who, path)
    found: dict[str, str] = {}
    for audience, text in AREA.findall(answer.content.decode()):
        found[audience] = found.get(audience, "") + unescape(text)
    return found


def page(cast: Cast, who: str, path: str) -> str:
    return " ".join(unescape(cast.browser(who).get(cast.address(path)).content.decode()).split())


# --- whose post ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "path", "audience", "title"),
    [
        ("german commander", "stops/0/post/", "german", "German side"),
        ("german staff", "stops/0/post/", "german", "German side"),
        ("allied tactical", "stops/0/post/", "allied", "Allied side"),
        ("spectator", "stops/0/post/", "public", "Public"),
        (ANONYMOUS, "public/stops/0/post/", "public", "Public"),
        ("german commander", "public/stops/0/post/", "public", "Public"),
    ],
)
def test_everyone_copies_the_post_of_their_audience(cast: Cast, who: str, path: str, audience: str, title: str) -> None:
    found = posts(cast, who, path)
    assert list(found) == [audience]
    assert f"[b]For: {title}[/b]" in found[audience]
    assert "Chart" in found[audience]


def test_the_gm_has_the_posts_of_all_on_one_page_and_the_record_keeps_that_they_looked(cast: Cast) -> None:
    found = posts(cast, "gm", "desk/posts/0/")
    assert list(found) == ["german", "allied", "public"]
    own = posts(cast, "german staff", "stops/0/post/") | posts(cast, "allied staff", "stops/0/post/")
    assert found == own | posts(cast, ANONYMOUS, "public/stops/0/post/")
    posts(cast, "gm", "desk/posts/0/")
    looks = AuditEntry.objects.filter(act="view as").values_list("subject__audience", flat=True)
    assert sorted(looks) == ["allied", "german", "public"]


def test_a_post_has_the_preface_of_its_audience_alone(cast: Cast, draft: Phase) -> None:
    for audience in ("german", "allied", "public"):
        draft.prefaces.create(audience=audience, text=f"A word [b] to *the* {audience} <readers>.")
    approve(draft.pk, fence=draft.fence)
    found = posts(cast, "gm", f"desk/posts/{draft.no}/")
    for audience, text in found.items():
        assert f"to *the* {audience} <readers>." in text
        assert not [other for other in found if other != audience and f"to *the* {other}" in text]
    assert posts(cast, "allied staff", f"stops/{draft.no}/post/") == {"allied": found["allied"]}


@pytest.mark.parametrize("who", ["german commander", "gm", "spectator"])
def test_a_draft_has_no_post(cast: Cast, draft: Phase, who: str) -> None:
    for path in (f"stops/{draft.no}/post/", f"public/stops/{draft.no}/post/", f"desk/posts/{draft.no}/"):
        assert cast.browser(who).get(cast.address(path), follow=True).status_code == 404


def test_a_phase_leads_to_its_post(cast: Cast) -> None:
    for who, path, to in (
        ("german staff", "stops/0/", "stops/0/post/"),
        ("gm", "stops/0/", "desk/posts/0/"),
        (ANONYMOUS, "public/stops/0/", "public/stops/0/post/"),
    ):
        assert re.search(rf'href="{cast.address(to)}"\s*>Post it on a forum', page(cast, who, path))


# --- which forum -----------------------------------------------------------------------------------------------------


def test_a_post_is_written_for_the_campaigns_forum_or_another_one(cast: Cast) -> None:
    assert "[size=150]" in posts(cast, "german staff", "stops/0/post/")["german"]
    Campaign.objects.update(forum="xenforo")
    assert "[heading=1]" in posts(cast, "german staff", "stops/0/post/")["german"]
    assert "[details=" in posts(cast, "german staff", "stops/0/post/?forum=discourse")["german"]
    assert "[heading=1]" in posts(cast, "german staff", "stops/0/post/?forum=nonsense")["german"]


def test_a_post_comes_in_parts_where_the_forum_has_a_limit(cast: Cast) -> None:
    shown = page(cast, "german staff", "stops/0/post/?forum=discord")
    assert "which takes 2,000 characters" in shown
    assert "Copy part 2" in shown
    assert "Copy the post" in page(cast, "german staff", "stops/0/post/")


# --- pictures --------------------------------------------------------------------------------------------------------


def test_a_picture_that_strangers_may_not_see_is_attached(cast: Cast) -> None:
    shown = page(cast, "german staff", "stops/0/post/")
    text = posts(cast, "german staff", "stops/0/post/")["german"]
    (name,) = re.findall(r"Map: attach (\S+-german-map\.png) here", text)
    assert f'download="{name}"' in shown
    saved = cast.browser("german staff").get(cast.address("stops/0/map.png"))
    assert name in saved.headers["Content-Disposition"]
    seen = cast.browser("gm").get(cast.address("desk/stops/0/german/map.png"))
    assert name in seen.headers["Content-Disposition"]
    assert "they would work only for members who are signed in" in shown
    assert "[img]" not in text
    assert not Link.objects.exists()


def test_where_the_gm_allows_it_publishing_makes_the_links(cast: Cast, draft: Phase) -> None:
    allow(cast, "german")
    approve(draft.pk, fence=draft.fence)
    made = Link.objects.order_by("artefact__kind")
    assert [(each.artefact.audience, each.artefact.kind, each.made_by) for each in made] == [
        ("german", "chart", None),
        ("german", "map", None),
    ]
    found = posts(cast, "gm", f"desk/posts/{draft.no}/")
    for each in made:
        assert f"[img]http://localhost:8000/m/{each.token}.png[/img]" in found["german"]
        assert fetch(cast, ANONYMOUS, f"/m/{each.token}.png").status_code == 200
    assert "attach" not in found["german"]
    assert "[img]" not in found["allied"] + found["public"]
    shown = page(cast, "german staff", f"stops/{draft.no}/post/")
    assert "Anyone who has the link to a picture in it sees that picture, signed in or not." in shown
    assert AuditEntry.objects.filter(act="link").count() == 2


def test_a_post_loses_its_links_when_the_gm_no_longer_allows_them(cast: Cast, draft: Phase) -> None:
    allow(cast, "german")
    approve(draft.pk, fence=draft.fence)
    allow(cast)
    text = posts(cast, "german staff", f"stops/{draft.no}/post/")["german"]
    assert "[img]" not in text
    assert "Map: attach" in text


def test_pictures_of_earlier_phases_are_put_into_the_post_with_one_button(cast: Cast) -> None:
    allow(cast, "german")
    button = "Put the pictures into the post"
    commander = cast.browser("german commander")
    assert button in page(cast, "german commander", "stops/0/post/")
    assert "Anyone who has such a link will see the picture" in page(cast, "german commander", "stops/0/post/")
    assert button not in page(cast, "german staff", "stops/0/post/")
    assert button not in page(cast, "allied commander", "stops/0/post/")
    fields = {"stop": 0, "audience": "german", "kind": ["map", "chart"], "post": "yes"}
    answer = commander.post(cast.address("links/make/"), fields)
    assert answer.headers["Location"] == cast.address("stops/0/post/")
    assert posts(cast, "german staff", "stops/0/post/")["german"].count("[img]") == 2
    assert button not in page(cast, "german commander", "stops/0/post/")
    assert cast.browser("gm").post(cast.address("links/make/"), fields).headers["Location"] == cast.address(
        "desk/posts/0/"
    )


def test_what_an_older_release_published_is_given_as_it_was(cast: Cast) -> None:
    Artefact.objects.filter(kind="document").delete()
    shown = page(cast, "german staff", "stops/0/post/")
    assert "An older release of Fieldpost published this phase." in shown
    for title in ("Report, BBCode (phpBB)", "Report, Markdown", "Chart, plain text"):
        assert title in shown
    assert "See it as the Germans do" in page(cast, "gm", "desk/posts/0/")


# --- the settings ----------------------------------------------------------------------------------------------------


def test_the_gm_chooses_the_forum_in_the_settings(cast: Cast) -> None:
    fields = {
        "full_hours": 24,
        "full_mailing": "reports",
        "time_zone": "UTC",
        "reminder_hours": 6,
        "battle_hours": 24,
        "public": "on",
    }
    browser = cast.browser("gm")
    browser.post(cast.address("desk/settings/"), fields | {"forum": "smf"})
    assert Campaign.objects.get().forum == "smf"
    browser.post(cast.address("desk/settings/"), fields)
    assert Campaign.objects.get().forum == "smf"
    assert browser.post(cast.address("desk/settings/"), fields | {"forum": "myspace"}).status_code == 422
