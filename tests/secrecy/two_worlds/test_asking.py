"""What is remembered without its audience is found because others ask first; what exists looks like what does not."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest
from django.core.exceptions import BadRequest, PermissionDenied

from campaign import links, selectors
from campaign.engine.values.ids import Audience
from campaign.models import Desk, Link
from campaign.secrecy import truth
from orders import desks
from tests.secrecy import worlds as of_worlds
from tests.secrecy.asking import foreign
from tests.secrecy.asking.crawler import Lot, fillings, reversed_with, routes
from tests.secrecy.asking.first import ask_first
from tests.secrecy.asking.memories import MEMORIES
from tests.secrecy.asking.order import Order, order_of
from tests.secrecy.campaigns import SLUG, Base
from tests.secrecy.examples import Act, Example
from tests.secrecy.figures import Figures
from tests.secrecy.painting import painted
from tests.secrecy.pairs import Difference, compare, plan_of
from tests.secrecy.runs import count_for_the_run
from tests.secrecy.steps import STEPS
from tests.secrecy.two_worlds.playing import LONG, long
from tests.secrecy.worlds import Answer, World

ALLIED = Audience("allied")


@pytest.fixture
def pair(worlds: Mapping[str, Base]) -> Iterator[tuple[World, World]]:
    """Two worlds that are the same, in which people have signed in."""
    one, two = (World.restored(name, worlds["02-german_sheet"].snapshot) for name in ("one", "two"))
    for world in (one, two):
        for who in ("allied commander", "outsider"):
            world.ask(who, "GET", "/")
    yield one, two
    for world in (one, two):
        world.close()


def remember(monkeypatch: pytest.MonkeyPatch, name: str, key: Callable[..., object]) -> None:
    """Let a selector remember its answers under a key."""
    kept: dict[Any, Any] = {}
    made = getattr(selectors, name)

    def remembered(*args: Any) -> Any:
        if key(*args) not in kept:
            kept[key(*args)] = made(*args)
        return kept[key(*args)]

    monkeypatch.setattr(selectors, name, remembered)
    monkeypatch.setattr(selectors, "_kept_here", kept, raising=False)
    monkeypatch.setattr(of_worlds, "MEMORIES", MEMORIES.looked_again(selectors.__name__))


BOARD = f"/c/{SLUG}/stops/1/board/"


@pytest.mark.parametrize("order", Order)
def test_what_is_remembered_without_its_audience_is_found_if_others_ask_first(
    pair: tuple[World, World], monkeypatch: pytest.MonkeyPatch, order: Order
) -> None:
    remember(monkeypatch, "view", lambda viewer, no: (viewer.campaign.slug, no))
    one, two = pair
    two.keeps = order is Order.NOTHING_EMPTIED
    right = one.ask("allied commander", "GET", BOARD)
    if order.others_first:
        ask_first(two, ALLIED, [BOARD, BOARD], Random(1))
    assert (two.ask("allied commander", "GET", BOARD) == right) is (order is Order.READERS_ONLY)


@LONG
def test_the_others_go_first_in_a_whole_example(worlds: Mapping[str, Base], monkeypatch: pytest.MonkeyPatch) -> None:
    remember(monkeypatch, "view", lambda viewer, no: (viewer.campaign.slug, no))
    example = Example("02-german_sheet", ALLIED, 0, (Act("M8", 0), Act("read", 1)))
    assert order_of(example.seed) is Order.OTHERS_FIRST
    with pytest.raises(Difference, match="allied commander at "):
        compare(
            example,
            worlds,
            Figures(),
            readers=lambda _plan, _example: {"allied commander": Lot("others first", 1 / 12, ("/board/",))},
        )


@pytest.mark.parametrize("seed", [0, long(3)])
def test_whoever_asks_first_changes_nothing_for_the_readers(worlds: Mapping[str, Base], seed: int) -> None:
    example, figures = Example("02-german_sheet", ALLIED, seed, (Act("M8", 0), Act("read", 1))), Figures()
    assert order_of(seed).others_first
    lots = {who: Lot(who, 1 / 8, (r"/drawn\.png", "/board/", "/rules/")) for who in ("allied commander", "other gm")}
    with painted():
        compare(example, worlds, figures, readers=lambda _plan, _example: lots)
    assert figures.examples == 1
    count_for_the_run(figures)


@pytest.mark.parametrize("keeps", [False, True])
def test_what_is_remembered_without_its_phase_is_found_if_nothing_is_emptied(
    pair: tuple[World, World], monkeypatch: pytest.MonkeyPatch, *, keeps: bool
) -> None:
    remember(monkeypatch, "newest_phase", lambda viewer: (viewer.campaign.slug, viewer.audience))
    one, two = pair
    two.keeps = keeps
    plan, answers = plan_of(one, ALLIED, 1), list[list[Answer]]()
    for act in ("read", "lock", "adjudicate", "publish", "read"):
        for world in (one, two):
            STEPS[act](world, plan, Random(1))
            answers.append([world.ask("allied commander", "GET", f"/c/{SLUG}/")])
    assert (answers[-1] == answers[-2]) is not keeps


@pytest.mark.parametrize(("who", "side"), [("allied commander", "allied"), ("outsider", "")])
def test_each_method_is_tried_on_what_is_not_for_a_reader(pair: tuple[World, World], who: str, side: str) -> None:
    world, methods = pair[0], set()
    with world.present():
        requests = list(foreign.requests(who, side, Random(1)))
    for method, (theirs, nobodys) in requests:
        assert foreign.ask(world, who, method, theirs) == foreign.ask(world, who, method, nobodys)
        methods.add(method)
    assert methods == set(foreign.METHODS)


def test_an_answer_that_only_a_form_gives_away_is_found(
    pair: tuple[World, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    revoke = links.revoke_link

    def revoked(viewer: Any, token: str, **more: Any) -> None:
        with truth.opened("Link"):
            if Link.objects.filter(token=token).exclude(artefact__audience=viewer.audience).exists():
                raise BadRequest("not yours")
        revoke(viewer, token, **more)

    monkeypatch.setattr(links, "revoke_link", revoked)
    assert {method for method, _ in _told_apart(pair[0], "/links/")} == {"POST"}


def test_a_method_that_is_refused_otherwise_is_found(
    pair: tuple[World, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The desk of the enemy exists, so the page says which methods it takes."""
    place = desks.place

    def placed(viewer: Any, name: str) -> Any:
        with truth.opened("Desk"):
            if Desk.objects.filter(campaign=viewer.campaign, name=name).exclude(side=viewer.side).exists():
                raise PermissionDenied
        return place(viewer, name)

    monkeypatch.setattr("orders.views.sheet.place", placed)
    assert {method for method, _ in _told_apart(pair[0], "/orders/")} >= {"POST", "POST without a form", "HEAD"}


def _told_apart(world: World, part: str) -> Iterator[tuple[str, str]]:
    """By which methods, and at which addresses, the Allies' commander would find what is not theirs."""
    with world.present():
        every = foreign.pairs("allied commander", "allied")
        pairs = [pair for pair in every if SLUG in pair[0].path and part in pair[0].path]
    for theirs, nobodys in pairs:
        for method in foreign.METHODS:
            a, b = (foreign.ask(world, "allied commander", method, each) for each in (theirs, nobodys))
            if a != b:
                yield method, theirs.path


def test_every_route_that_takes_a_form_has_one(worlds: Mapping[str, Base]) -> None:
    world = World.restored("forms", worlds["03-german_battles"].snapshot)
    refused = set()
    for who in ("gm", "german commander"):
        with world.present():
            known = fillings(who, "german" if who != "gm" else "", 1)
            pages = {str(p.name): next(reversed_with(p, known), "") for route, p in routes() if "<slug:slug>" in route}
        for name, page in pages.items():
            if page and name not in foreign.FORMS and world.ask(who, "POST", page, {}).status != 405:
                refused.add(name)
    world.close()
    assert refused == set()
