"""Maps drawn on demand: what the reader's audience received, in the requested colours and size."""

import re
from html import unescape

import pytest

from campaign.engine.display.signs import Layer
from campaign.engine.display.views import View
from campaign.engine.values.value import decode
from campaign.maps import draw
from campaign.maps.style.layers import without
from campaign.maps.style.schemes import SCHEMES
from campaign.models import Artefact, Phase, PhaseState
from campaign.people.throttles import DRAWINGS
from campaign.services import scenario_of
from tests.gm.campaigns import live
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db

PICTURE = "stops/0/drawn.png?width=480"


def received(audience: str) -> View:
    found: View = decode(bytes(Artefact.objects.get(phase__no=0, audience=audience, kind="view").content), View)
    return found


@pytest.mark.parametrize("colours", SCHEMES)
@pytest.mark.parametrize(
    ("who", "where", "audience"),
    [
        ("german staff", "", "german"),
        ("allied commander", "", "allied"),
        ("gm", "", "gm"),
        ("spectator", "", "public"),
        ("anonymous", "public/", "public"),
        ("german staff", "public/", "public"),
    ],
)
def test_a_map_is_drawn_out_of_what_the_reader_s_audience_received(
    cast: Cast, who: str, where: str, audience: str, colours: str
) -> None:
    response = cast.browser(who).get(cast.address(f"{where}{PICTURE}&colours={colours}"))

    loaded = scenario_of(cast.campaign)
    base = loaded.rules.base_map(loaded.scenario.game_data)
    assert response.content == draw(base, received(audience), width=480, colours=SCHEMES[colours])
    assert response.headers["Content-Type"] == "image/png"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert f"-{audience}-map-{colours}-480.png" in response.headers["Content-Disposition"]


@pytest.mark.parametrize("left_out", [[layer] for layer in Layer] + [[Layer.FRONT, Layer.COUNTERS]])
def test_a_layer_can_be_left_out(cast: Cast, left_out: list[Layer]) -> None:
    asked = "".join(f"&without={layer.value}" for layer in left_out)
    response = cast.browser("german staff").get(cast.address(PICTURE + asked))

    loaded = scenario_of(cast.campaign)
    base = loaded.rules.base_map(loaded.scenario.game_data)
    assert response.content == draw(base, without(base.signs, received("german"), left_out), width=480)
    named = "".join(f"-without-{layer.value}" for layer in left_out)
    assert f"-german-map-default-480{named}.png" in response.headers["Content-Disposition"]


@pytest.mark.parametrize(
    "asked",
    [
        "without=names",
        "without=moves&without=MOVES",
        "colours=mauve",
        "colours=DEFAULT",
        "width=481",
        "width=99999999999",
        "width=-480",
        "width=wide",
    ],
)
def test_what_cannot_be_drawn_is_not_there(cast: Cast, asked: str) -> None:
    assert cast.browser("german staff").get(cast.address(f"stops/0/drawn.png?{asked}")).status_code == 404


@pytest.mark.parametrize("who", ["gm", "german commander", "spectator"])
def test_a_phase_that_is_not_published_is_not_drawn(cast: Cast, who: str) -> None:
    browser, phase = cast.browser(who), live(cast.campaign)
    absent = browser.get(cast.address("stops/99/drawn.png"))
    unpublished = browser.get(cast.address(f"stops/{phase.no}/drawn.png"))
    Phase.objects.filter(no=0).update(state=PhaseState.WITHDRAWN)
    withdrawn = browser.get(cast.address("stops/0/drawn.png"))

    assert {found.status_code for found in (absent, unpublished, withdrawn)} == {404}
    assert absent.content == unpublished.content == withdrawn.content


def test_a_visitor_who_requests_too_many_waits(cast: Cast) -> None:
    browser = cast.browser("german staff")
    codes = [browser.get(cast.address(PICTURE)).status_code for _ in range(DRAWINGS.number + 1)]

    assert set(codes[:-1]) == {200}
    assert codes[-1] == 429
    assert browser.get(cast.address("stops/0/")).status_code == 200
    assert cast.browser("allied staff").get(cast.address(PICTURE)).status_code == 200


def test_strangers_wait_sooner_and_members_at_their_address_do_not(cast: Cast) -> None:
    assert DRAWINGS.strangers is not None
    assert DRAWINGS.strangers < DRAWINGS.number
    address = cast.address(f"public/{PICTURE}")
    codes = [cast.browser("anonymous").get(address).status_code for _ in range(DRAWINGS.strangers + 1)]

    assert codes == [200] * DRAWINGS.strangers + [429]
    assert cast.browser("german staff").get(address).status_code == 200


@pytest.mark.parametrize("asked", ["", "&colours=mauve"])
def test_nothing_that_was_received_is_read_for_who_must_wait(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    monkeypatch.setattr("campaign.views.maps.drawings.may", lambda *_: False)
    monkeypatch.setattr("campaign.selectors.view", lambda *_: 1 / 0)
    expected = 404 if asked else 429
    assert cast.browser("german staff").get(cast.address(PICTURE + asked)).status_code == expected


@pytest.mark.parametrize(
    ("who", "page"), [("german staff", ""), ("german staff", "stops/0/"), ("anonymous", "public/stops/0/")]
)
def test_every_scheme_is_a_link_next_to_the_map(cast: Cast, who: str, page: str) -> None:
    browser = cast.browser(who)
    written = browser.get(cast.address(page)).content.decode()
    links = [unescape(link) for link in re.findall(r'href="([^"]*drawn\.png\?[^"]*)"', written)]

    assert [link.rpartition("=")[2] for link in links] == [name for name in SCHEMES if name != "default"]
    assert browser.get(f"{links[0]}&width=480").status_code == 200
