"""Who may: game masters of the campaign alone, and their programs with the scope for it."""

import re
from typing import Any

import pytest
from django.test import Client

from api.models import ApiToken, Scope
from api.tokens import NoGameMaster, make_token
from api.urls import urlpatterns
from api.views.schema import _schema
from campaign.core import clock
from campaign.models import Membership, Phase
from campaign.people import memberships
from campaign.viewers import viewer_of
from tests.api.asking import ask_with, read_with, token_of, where
from tests.api.test_schemathesis import EXISTING
from tests.gm.campaigns import new_campaign
from tests.secrecy.asking.foreign import FORMS
from tests.web.conftest import OUTSIDER, PARTS, Cast, rows
from tests.web.desk.test_desk import mark

pytestmark = pytest.mark.django_db

GMS = {"gm", "co-gm"}
NAMES = [str(each.name) for each in urlpatterns if "/gm/" in str(each.pattern)]
GM_PATHS = {path: found for path, found in _schema()["paths"].items() if "/gm/" in path}


def address(path: str, slug: str) -> str:
    return path.format(**{**EXISTING, "slug": slug})


def form(path: str) -> Any:
    """A body that the operation of this path takes."""
    (name,) = (str(each.name) for each in urlpatterns if _plain(str(each.pattern)) == path)
    return FORMS[name](2) if name in FORMS else {}


def _plain(pattern: str) -> str:
    return "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", pattern)


def asked(send: Any, path: str, method: str, slug: str) -> Any:
    where_ = address(path, slug)
    if method == "get":
        return send(method, where_)
    return send(method, where_, form(path), content_type="application/json", HTTP_IDEMPOTENCY_KEY="some key")


@pytest.mark.usefixtures("draft")
@pytest.mark.parametrize("who", sorted({*PARTS, OUTSIDER} - GMS))
def test_nobody_else_finds_anything_whatever_they_send(cast: Cast, who: str) -> None:
    browser = cast.browser(who)
    before = rows()

    def send(method: str, *parts: Any, **more: Any) -> Any:
        return getattr(browser, method)(*parts, **more)

    count = 0
    for path, methods in GM_PATHS.items():
        for method in methods:
            here, nowhere = (asked(send, path, method, slug) for slug in (cast.campaign.slug, "no-such-campaign"))
            assert (here.status_code, here.content) == (404, nowhere.content), (path, method)
            assert dict(here.headers) == dict(nowhere.headers)
            count += 1
    assert count >= len(NAMES)
    assert rows() == before


def test_a_players_token_finds_nothing_either_and_never_has_the_scope(cast: Cast) -> None:
    token = token_of(cast, "german commander")
    ApiToken.objects.update(scopes=[each.value for each in Scope])  # as if it had been given all
    headers = {"Authorization": f"Bearer {token}"}

    def send(method: str, *parts: Any, **more: Any) -> Any:
        return getattr(Client(), method)(*parts, headers=headers, **more)

    for path, methods in GM_PATHS.items():
        for method in methods:
            assert asked(send, path, method, cast.campaign.slug).status_code == 404, (path, method)
    with pytest.raises(NoGameMaster):
        token_of(cast, "german commander", [Scope.GM])


def test_a_token_without_the_scope_reads_and_does_nothing_here(cast: Cast, draft: Phase) -> None:
    """Views as a side are acts too, and tokens that were made to read do not gain sheets and drafts."""
    token = token_of(cast, "gm", [Scope.READ, Scope.ORDERS])
    before, headers = rows(), {"Authorization": f"Bearer {token}"}

    def send(method: str, *parts: Any, **more: Any) -> Any:
        return getattr(Client(), method)(*parts, headers=headers, **more)

    for path, methods in GM_PATHS.items():
        for method in methods:
            refused = asked(send, path, method, cast.campaign.slug)
            assert refused.status_code == 403, (path, method)
            assert "needs the scope 'gm'" in refused.json()["message"]
    assert {table for table, found in rows().items() if found != before[table]} <= {"api_apitoken"}
    assert read_with(token, "/api/v1/campaigns/").status_code == 200
    allowed = ask_with(token_of(cast, "gm"), where(cast, "gm/draft/publication/"), {"seen": mark(draft)})
    assert allowed.status_code == 200


def test_a_token_with_the_scope_alone_does_all_of_this_but_lists_no_campaigns(cast: Cast, draft: Phase) -> None:
    token = token_of(cast, "gm", [Scope.GM])
    for rest in ("gm/waiting/", "gm/phase/", "gm/draft/", "gm/links/", "gm/posts/0/"):
        assert read_with(token, where(cast, rest)).status_code == 200, rest
    refused = read_with(token, "/api/v1/campaigns/")
    assert refused.status_code == 403
    assert "needs the scope 'read'" in refused.json()["message"]
    assert ask_with(token, where(cast, "gm/draft/publication/"), {"seen": mark(draft)}).status_code == 200


def test_a_gms_token_is_for_that_campaign_and_ends_with_the_role(cast: Cast) -> None:
    other = new_campaign(slug="other")
    user = cast.user("co-gm")
    Membership.objects.create(campaign=other, user=user, role="gm", side="", joined_at=clock.now())
    token = token_of(cast, "co-gm")
    assert read_with(token, where(cast, "gm/phase/")).status_code == 200
    assert read_with(token, "/api/v1/campaigns/other/gm/phase/").status_code == 404
    gm, member = viewer_of(cast.user("gm"), cast.campaign.slug), cast.member("co-gm")
    memberships.change_role(gm, member, role="spectator", side="", now=clock.now())
    assert read_with(token, where(cast, "gm/phase/")).status_code == 401
    assert make_token(viewer_of(user, "other"), label="mine", scopes=[Scope.GM])


def test_the_scope_is_offered_to_game_masters_alone(cast: Cast) -> None:
    for who, offered in (("gm", True), ("german commander", False)):
        browser = cast.browser(who)
        assert ('value="gm"' in browser.get("/profile/tokens/").content.decode()) is offered
        sent = {"act": "make", "label": "x", "campaign": cast.campaign.slug, "scopes": ["read", "gm"]}
        assert browser.post("/profile/tokens/", sent).status_code == (200 if offered else 400)
    other = new_campaign(slug="other")
    Membership.objects.create(campaign=other, user=cast.user("gm"), role="spectator", side="", joined_at=clock.now())
    sent = {"act": "make", "label": "x", "campaign": other.slug, "scopes": ["read", "gm"]}
    refused = cast.browser("gm").post("/profile/tokens/", sent)
    assert refused.status_code == 400
    assert "You are not a game master of this campaign." in refused.content.decode()
    assert ApiToken.objects.count() == 1
