"""Orders that name hidden things read like orders that name nothing; and it would be seen if they did not."""

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest

from campaign.engine.display.outcomes import Effect, Outcomes
from campaign.engine.orders import notation
from campaign.engine.orders.checking import Refused
from campaign.engine.orders.order import Note
from campaign.engine.outcomes import outcomes_of
from campaign.engine.sheets import SideSheet
from campaign.engine.values.ids import Audience
from campaign.models import Desk
from campaign.rulesets.forum_campaign.model.orders import Attack, Follow, Move, Result
from campaign.selectors import outcomes
from campaign.services import files_of
from campaign.viewers import viewer_of
from tests.secrecy.answers import compare_names
from tests.secrecy.campaigns import SLUG, Base, campaign, game, live, person, send_as_a_bot, truth
from tests.secrecy.knowledge import known_to
from tests.secrecy.pairs import plan_of
from tests.secrecy.steps import STEPS
from tests.secrecy.two_worlds.playing import long
from tests.secrecy.verdicts import Words, hidden_names, lines, rename
from tests.secrecy.worlds import World

GERMAN, ALLIED = Audience("german"), Audience("allied")


ASKED = (("02-german_sheet", GERMAN), ("01-air", GERMAN), ("03-german_battles", ALLIED))


@pytest.mark.parametrize(("base", "side"), ASKED)
def test_hidden_names_read_like_names_of_nothing(worlds: Mapping[str, Base], base: str, side: Audience) -> None:
    compared = compare_names(worlds[base], side, 1)
    assert compared.names.total() > 200
    assert compared.differing == 0, compared.first


@pytest.mark.parametrize(("base", "side"), [("02-german_sheet", GERMAN), ("toy-03-turn", Audience("north"))])
def test_a_locked_sheet_that_names_hidden_things_is_judged_alike(
    worlds: Mapping[str, Base], base: str, side: Audience
) -> None:
    """The enemy has things by these names in one world only; what is said of the lines is the same."""
    one, two = (World.restored(name, worlds[base].snapshot) for name in ("one", "two"))
    try:
        rename(two, side, 1)
        assert known_to(one, side) == known_to(two, side), "mutators change what is hidden"
        text = "\n".join(f"MOVE {name} {name}" for name in hidden_names(one, two, side, Random(1)))
        found, other = (_judged(world, side, text) for world in (one, two))
    finally:
        one.close()
        two.close()
    assert [line.effect for line in found.lines] == [Effect.IGNORED] * (text.count("\n") + 1)
    assert all(line.because for line in found.lines)
    assert found == other


def test_what_becomes_of_lines_is_worked_out_from_what_their_side_knows(
    worlds: Mapping[str, Base], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Counter[str]()

    def worked_out(rules: Any, game_data: Any, sheet: SideSheet, *, before: Any, after: Any, told: Any) -> Outcomes:
        for state in (before, after):
            assert set(state.own) == {sheet.who}
            assert state.hidden is None
        asked[sheet.who] += 1
        return outcomes_of(rules, game_data, sheet, before=before, after=after, told=told)

    monkeypatch.setattr("gm.phases.adjudication.outcomes_of", worked_out)
    world = World.restored("one", worlds["02-german_sheet"].snapshot)
    try:
        _judged(world, GERMAN, "ALL OTHERS HOLD")
    finally:
        world.close()
    assert asked[GERMAN]


def _judged(world: World, side: Audience, text: str) -> Outcomes:
    """What becomes of the lines of a sheet when its phase is published."""
    with world.present():
        phase = live()
        assert phase is not None
        send_as_a_bot(phase, side, text)
    plan = plan_of(world, side, 1)
    for step in ("lock", "adjudicate", "publish"):
        STEPS[step](world, plan, Random(1))
    with world.present():
        found = outcomes(viewer_of(person(f"{side} commander"), SLUG), phase.pk)
    assert found is not None
    return found


def test_a_name_is_tried_in_every_place_of_an_order() -> None:
    words = Words("1 SS", "P18")
    said = {kind: list(lines(kind, "12 VG", words)) for kind in (Move, Attack, Follow, Result, Note)}
    assert said == {
        Move: ["MOVE 12 VG to P18", "MOVE 1 SS 12 VG", "MOVE 1 SS to 12 VG"],
        Attack: ["ATTACK 12 VG contact", "ATTACK 1 SS 12 VG", "ATTACK 1 SS contact prefer 12 VG"],
        Follow: ["FOLLOW 12 VG 1 SS", "FOLLOW 1 SS 12 VG", "FOLLOW 1 SS 1 SS to 12 VG"],
        Result: ["RESULT 12 VG attackers", "RESULT P18 attackers advance 12 VG"],
        Note: [],
    }


# --- that it would be seen -------------------------------------------------------------------------------------------


def _labels() -> Iterator[str]:
    phase = live()
    assert phase is not None
    yield from (unit.label for side in game().sides for unit in truth(phase).own[side].units.values())


def _rows() -> Iterator[str]:
    yield from (line.split(",")[1] for line in files_of(campaign())["units.csv"].splitlines())


def _desks() -> Iterator[str]:
    yield from Desk.objects.filter(campaign__slug=SLUG).values_list("name", flat=True)


@pytest.mark.parametrize("named", [long(_labels), long(_rows), _desks])
def test_a_suggestion_from_what_the_side_does_not_know_is_seen(
    worlds: Mapping[str, Base], monkeypatch: pytest.MonkeyPatch, named: Callable[[], Iterator[str]]
) -> None:
    def nearest(word: str, _known: Mapping[str, object]) -> str:
        close = difflib.get_close_matches(word, [name.lower().replace(" ", "") for name in named()], cutoff=0.9)
        return f"Did you mean {close[0]}?" if close else ""

    monkeypatch.setattr(notation, "nearest", nearest)
    assert compare_names(worlds["04-allied_sheet"], GERMAN, 1).differing


def test_another_code_for_what_exists_is_seen(worlds: Mapping[str, Base], monkeypatch: pytest.MonkeyPatch) -> None:
    refuse = notation._unread

    def unread(code: str, column: int, message: str, hint: str = "") -> Refused:
        hidden = code == "unknown" and any(f"'{label}'" in message for label in _labels())
        return refuse("not-yours" if hidden else code, column, message, hint)

    monkeypatch.setattr(notation, "_unread", unread)
    assert compare_names(worlds["04-allied_sheet"], GERMAN, 1).differing
