"""Nothing made from state outlives the page it was made for, but for what `campaign.secrecy.memory` keeps."""

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

import pytest
from django.db import connection
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from campaign import selectors, services
from campaign.engine.display.views import View
from campaign.forms.scenarios import supplied
from campaign.game.loading import Loaded
from campaign.viewers import Viewer
from gm.machine.sweeper import sweep
from orders.models import Sheet
from tests.gm.campaigns import Clock, live
from tests.trust.memory.remembered import OBJECTS, is_declared
from tests.trust.memory.survivors import Sizes, grown, made_from_state, place_of, sizes
from tests.web.addresses.test_outcomes import READ
from tests.web.conftest import ANONYMOUS, Cast, cast, time

__all__ = ["cast", "time"]
pytestmark = pytest.mark.django_db

READERS = (ANONYMOUS, "gm", "german staff", "allied commander", "spectator", "german commander")
KEYED = "campaign/secrecy/memory.py _MEMORIES"


def pages(cast: Cast) -> None:
    """Every page, asked for by every kind of reader; most refuse some of them. Replays, which are slow, by one."""
    for who in READERS:
        browser = cast.browser(who)
        for name in (name for name in READ if who == READERS[-1] or "replay" not in name):
            more, _ = READ[name]
            browser.get(reverse(name, kwargs={"slug": cast.campaign.slug, **more}))


def play(cast: Cast, time: Clock) -> None:
    """A sheet is checked and sent, and its phase runs and is published."""
    phase, browser = live(cast.campaign), cast.browser("german commander")
    sent = {"stop": phase.no, "rev": phase.rev, "version": 0, "key": "a key", "act": "send", "text": "HOLD 1 SS"}
    assert b"every line accepted" in browser.post(cast.address("orders/HQ/check/"), {"text": sent["text"]}).content
    assert browser.post(cast.address("orders/HQ/"), sent).status_code == 302
    assert Sheet.objects.get().text == sent["text"]
    time.now = phase.deadline_at
    sweep(worker="one")
    assert live(cast.campaign).no > phase.no


def undeclared(before: Sizes) -> list[str]:
    """What has grown that no list declares."""
    return [path for path in grown(before, sizes()) if not is_declared(place_of(path))]


@pytest.fixture
def constants(cast: Cast) -> Loaded:
    """What the service reads once is read, with the sides' first state, which is in the scenario's files."""
    supplied()
    return services.scenario_of(cast.campaign)


def owners() -> tuple[type, ...]:
    """The classes of objects with properties that are remembered as long as the object is there."""
    named = {tuple(place.rsplit(".", 1)[0].split(".py ")) for place in OBJECTS}
    return tuple(getattr(import_module(path.replace("/", ".")), name) for path, name in named)


@pytest.mark.usefixtures("constants")
def test_nothing_made_from_state_outlives_its_page(cast: Cast, time: Clock) -> None:
    before, alive = sizes(), set(made_from_state(owners()))
    play(cast, time)
    pages(cast)
    assert undeclared(before) == []
    assert KEYED in map(place_of, grown(before, sizes()))  # the boards: it looks where something is kept
    assert [type(each).__name__ for key, each in made_from_state(owners()).items() if key not in alive] == []
    assert [key for key in keys_of_djangos_cache() if "allauth:rl" not in key] == []


def keys_of_djangos_cache() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM cache")
        return [str(key) for (key,) in cursor.fetchall()]


# --- that it would be seen -------------------------------------------------------------------------------------------

Selector = Callable[[Viewer, int], View]


def _by_another_name(view: Selector, kept: dict[Any, Any]) -> Selector:
    def remembered(viewer: Viewer, no: int) -> View:
        pages = kept
        pages[viewer.campaign.slug, no] = view(viewer, no)
        return view(viewer, no)

    return remembered


def _in_a_cache(view: Selector, _: dict[Any, Any]) -> Selector:
    once = lru_cache(lambda *key: key)

    def remembered(viewer: Viewer, no: int) -> View:
        once(viewer.campaign, no)
        return view(viewer, no)

    remembered.__module__ = once.__module__ = "campaign.selectors"
    return remembered


@pytest.mark.usefixtures("constants")
@pytest.mark.parametrize("remember", [_by_another_name, _in_a_cache])
def test_what_is_remembered_elsewhere_is_seen(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, remember: Callable[[Selector, dict[Any, Any]], Selector]
) -> None:
    kept: dict[Any, Any] = {}
    monkeypatch.setattr(selectors, "_hidden", kept, raising=False)
    monkeypatch.setattr(selectors, "view", remember(selectors.view, kept))
    before, alive = sizes(), set(made_from_state())
    cast.browser("german commander").get(cast.address("board/"))
    assert undeclared(before)
    assert [each for key, each in made_from_state().items() if key not in alive]


def test_what_is_lazy_is_not_made_by_looking_at_it() -> None:
    def too_late() -> object:
        raise AssertionError

    lazy = SimpleLazyObject(too_late)
    assert id(lazy) not in made_from_state()
