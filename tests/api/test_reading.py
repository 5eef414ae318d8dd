"""What programs read: the same as the pages say, for the same people."""

from typing import Any

import msgspec
import pytest
from django.test import Client

from api.models import Scope
from campaign import selectors
from campaign.core import clock
from campaign.engine.display.views import View
from campaign.game.store import decode_state, encode_state, encode_view
from campaign.models import Membership
from campaign.record.dice_log import logs_for
from campaign.selectors import knowledge
from campaign.services import base_map_of
from campaign.viewers import viewer_of
from tests.api.asking import read, read_with, token_of, where
from tests.gm.campaigns import new_campaign
from tests.web.conftest import ANONYMOUS, OUTSIDER, PARTS, Cast, rows

pytestmark = pytest.mark.django_db

GERMAN, ALLIED = "german commander", "allied commander"
FOR_ALL = (
    *("", "map/", "map.png", "charts/", "rules/", "state/", "dice/", "phases/", "phases/open/"),
    *("phases/1/", "phases/1/view/", "phases/1/events/", "phases/1/dice/", "phases/1/files/report.md"),
    *("phases/1/files/map.png", "phases/1/files/report.html"),
)
"""What all members read, each as their side knows it."""
FOR_WRITERS = ("desks/", "desks/HQ/", "desks/HQ/sheets/2.0/")
FOR_PLAYERS = ("battles/",)
WRITERS = {"gm", "co-gm", GERMAN, "german deputy", "german staff", ALLIED, "allied staff"}
PLAYERS = {*WRITERS, "german tactical", "allied tactical"}


def audience(who: str) -> Any:
    return {"gm": "gm", "co-gm": "gm", "spectator": "public"}.get(who) or who.partition(" ")[0]


@pytest.mark.parametrize("who", sorted({*PARTS, OUTSIDER, ANONYMOUS}))
def test_everyone_reads_what_is_for_them_and_nothing_else(cast: Cast, who: str) -> None:
    browser, before = cast.browser(who), rows()
    for rest in (*FOR_ALL, *FOR_WRITERS, *FOR_PLAYERS):
        readers = PARTS if rest in FOR_ALL else WRITERS if rest in FOR_WRITERS else PLAYERS
        expected = 401 if who == ANONYMOUS else 200 if who in readers else 404
        answer = browser.get(where(cast, rest))
        assert answer.status_code == expected, rest
        assert answer.headers["Cache-Control"] == "private, no-store"
        head = browser.head(where(cast, rest))
        assert (head.status_code, head.content) == (expected, b""), rest
    assert rows() == before, "reading writes nothing"


def test_what_is_not_for_somebody_looks_like_what_is_not_there(cast: Cast) -> None:
    browser = cast.browser(OUTSIDER)
    for rest in (*FOR_ALL, *FOR_WRITERS, *FOR_PLAYERS):
        here, nowhere = where(cast, rest), where(cast, rest).replace(cast.campaign.slug, "nowhere")
        theirs, nobodys = browser.get(here), browser.get(nowhere)
        assert (theirs.status_code, theirs.content) == (404, nobodys.content)
        assert dict(theirs.headers) == dict(nobodys.headers)
    member = cast.browser(GERMAN)
    assert member.get(where(cast, "phases/2/view/")).content == member.get(where(cast, "phases/99/view/")).content
    for rest in ("phases/1/files/slice", "phases/1/files/view.json", "phases/99/files/map.png", "phases/2/events/"):
        assert member.get(where(cast, rest)).status_code == 404, rest


def test_the_list_has_the_callers_campaigns_and_a_token_its_own(cast: Cast) -> None:
    other, user = new_campaign(slug="other"), cast.user(GERMAN)
    Membership.objects.create(campaign=other, user=user, role="spectator", side="", joined_at=clock.now())
    found = cast.browser(GERMAN).get("/api/v1/campaigns/").json()
    assert [(each["slug"], each["role"], each["side"]) for each in found] == [
        ("bulge", "commander", "german"),
        ("other", "spectator", ""),
    ]
    assert found[0]["scenario"] == "Ardennes, December 1944"
    token = token_of(cast, GERMAN, [Scope.READ])
    assert [each["slug"] for each in read_with(token, "/api/v1/campaigns/").json()] == ["bulge"]
    assert read_with(token, "/api/v1/campaigns/other/").status_code == 404
    assert read_with(token, where(cast)).status_code == 200
    assert cast.browser(OUTSIDER).get("/api/v1/campaigns/").json() == []


def test_a_token_reads_pictures_and_files_like_its_owner(cast: Cast) -> None:
    token, viewer = token_of(cast, GERMAN, [Scope.READ]), viewer_of(cast.user(GERMAN), cast.campaign.slug)
    detail = read_with(token, where(cast, "phases/1/")).json()
    kinds = {"map.png": "map", "report.md": "markdown", "report.html": "html", "chart.bbcode.txt": "chart_bbcode"}
    addresses = {each["name"]: each for each in detail["files"]}
    assert kinds.keys() <= addresses.keys()
    for name, kind in kinds.items():
        answer = read_with(token, addresses[name]["address"])
        assert answer.content == selectors.artefact(viewer, 1, kind)
        assert answer.headers["Content-Type"] == addresses[name]["media_type"]
    base = read_with(token, read(cast, GERMAN, "map/")["picture"])
    assert (base.headers["Content-Type"], base.content[:4]) == ("image/png", b"\x89PNG")
    assert Client().get(addresses["map.png"]["address"]).status_code == 401


@pytest.mark.parametrize("who", [GERMAN, ALLIED, "gm", "spectator"])
def test_the_view_and_the_state_are_the_bytes_that_the_audience_received(cast: Cast, who: str) -> None:
    viewer = viewer_of(cast.user(who), cast.campaign.slug)
    content = cast.browser(who).get(where(cast, "phases/1/view/")).content
    assert content == encode_view(selectors.view(viewer, 1))
    assert msgspec.json.decode(content, type=View).audience == audience(who)
    said, known = read(cast, who, "state/"), knowledge(viewer)
    rules = known.loaded.rules
    assert (said["ruleset"], said["version"], said["after"]) == (rules.key, rules.state_version, 1)
    sent = msgspec.json.encode(said["state"])
    assert decode_state(rules, sent, version=said["version"]) == known.state
    assert encode_state(decode_state(rules, sent, version=said["version"])) == encode_state(known.state)
    assert set(said["state"]["own"]) == {"gm": {"german", "allied"}, "public": set()}.get(
        audience(who), {audience(who)}
    )


def test_the_number_of_the_phase_comes_with_the_state(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read apart, it could be that of another phase, which is published between the two."""
    monkeypatch.setattr(selectors, "newest_phase", None)
    assert read(cast, GERMAN, "state/")["after"] == 1


def test_events_are_numbered_for_each_audience_without_gaps(cast: Cast) -> None:
    for who in (GERMAN, ALLIED, "spectator", "gm"):
        told, view = read(cast, who, "phases/1/events/"), read(cast, who, "phases/1/view/")
        assert [each["number"] for each in told["events"]] == list(range(1, len(view["log"]) + 1))
        assert [each["text"] for each in told["events"]] == [each["text"] for each in view["log"]]


def test_the_open_phase_has_its_mark_and_its_deadline(cast: Cast) -> None:
    phase = read(cast, ALLIED, "phases/open/")
    assert (phase["phase"], phase["number"], phase["key"], phase["open"]) == ("2.0", 2, "german_sheet", True)
    assert (phase["acts"], phase["paused"], phase["only_reminds"]) == (["german"], False, False)
    assert phase["deadline"] > phase["opens_at"]
    assert read(cast, ALLIED)["open_phase"] == phase
    assert [each["phase"] for each in read(cast, ALLIED, "phases/")] == ["1.0", "0.0"]


def test_a_campaign_says_its_house_rules_and_its_people(cast: Cast) -> None:
    said = read(cast, "spectator")
    assert {each["name"] for each in said["people"]} == set(PARTS)
    assert said["part"] == {**said["part"], "role": "spectator", "side": ""}
    assert (said["sides"], said["newest"], said["closed"]) == (["german", "allied"], 1, False)
    assert said["options"]
    assert all(each["meaning"] and each["question"] for each in said["options"])


def test_the_map_has_every_place_and_every_key_of_a_view_is_explained(cast: Cast) -> None:
    said, base = read(cast, GERMAN, "map/"), base_map_of(cast.campaign)
    assert [each["id"] for each in said["places"]] == [ground.id for ground in base.grounds]
    assert len(said["lines"]) == len(base.lines)
    meant: dict[str, set[str]] = {}
    for each in said["signs"]:
        meant.setdefault(each["of"], set()).add(each["key"])
        assert each["name"]
    view = read(cast, "gm", "phases/1/view/")
    assert {each["terrain"] for each in said["places"]} <= meant["lands"]
    assert {each["kind"] for each in said["lines"]} <= meant["lines"]
    assert {each["kind"] for each in said["borders"]} <= meant["borders"]
    assert {each["branch"] for each in view["counters"]} <= meant["arms"]
    assert {each["kind"] for each in view["markers"]} <= meant["markers"]
    assert {key for each in view["counters"] for key in each["states"]} <= meant["conditions"]


def test_rules_and_charts_are_those_of_the_rules_page(cast: Cast) -> None:
    rules, charts = read(cast, GERMAN, "rules/"), read(cast, GERMAN, "charts/")["charts"]
    page = cast.browser(GERMAN).get(rules["page"]).content.decode()
    assert len(rules["chapters"]) > 10
    for each in rules["chapters"]:
        assert f'id="{each["id"]}"' in rules["html"]
        assert f'id="{each["id"]}"' in page
    assert {"terrain", "weather"} <= {each["key"] for each in charts}


def test_the_dice_are_those_that_the_reader_may_know(cast: Cast) -> None:
    for who, names in (
        (GERMAN, {"both", "german"}),
        ("spectator", {"both"}),
        ("gm", {"both", "allied", "german", "gm"}),
    ):
        logs = read(cast, who, "dice/")
        assert {each["name"] for each in logs} == names
        expected = logs_for(viewer_of(cast.user(who), cast.campaign.slug))
        assert [len(each["rolls"]) for each in logs] == [len(each.rolls) for each in expected]
    lock = read(cast, GERMAN, "phases/0/")["phase"]["lock"]
    rolls = [roll for log in read(cast, GERMAN, "phases/0/dice/") for roll in log["rolls"]]
    assert rolls
    assert {roll["lock"] for roll in rolls} == {lock}


def test_no_answer_has_a_database_key(cast: Cast) -> None:
    """Of people and phases: a whole campaign is read, and none of their numbers' names is there."""
    for rest in (*FOR_ALL, *FOR_WRITERS, *FOR_PLAYERS):
        content = cast.browser("gm").get(where(cast, rest)).content
        assert b'"id":' not in content.replace(b'"id":"', b""), rest
        assert b'"pk"' not in content


def test_an_address_that_leads_nowhere_is_answered_in_json(cast: Cast) -> None:
    browser = cast.browser(GERMAN)
    for rest, status, error in (
        ("nothing/", 404, "not-found"),
        ("desks/a/b/c/", 404, "not-found"),
        ("phases/first/", 404, "not-found"),
        ("desks/%00/", 400, "malformed"),
    ):
        answer = browser.get(where(cast, rest))
        assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/json"), rest
        assert answer.json()["error"] == error
    assert browser.get("/no/such/page/").headers["Content-Type"].startswith("text/html")
    assert browser.get(where(cast, "phases/" + "9" * 40 + "/")).status_code == 404
