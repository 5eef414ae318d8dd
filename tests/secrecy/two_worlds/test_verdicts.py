"""Orders that name hidden things read like orders that name nothing; and it would be seen if they did not."""

import difflib
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from random import Random

import pytest

from campaign.engine.display.outcomes import Outcomes
from campaign.engine.orders import notation
from campaign.engine.orders.checking import Refused
from campaign.engine.orders.order import Note
from campaign.engine.values.ids import Audience
from campaign.models import Desk, PhaseState
from campaign.rulesets.forum_campaign.model.orders import Attack, Follow, Move, Result
from campaign.selectors import outcomes
from campaign.services import files_of
from campaign.viewers import viewer_of
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from tests.secrecy.answers import compare_names
from tests.secrecy.campaigns import SLUG, Base, campaign, game, live, person, send_as_a_bot, truth
from tests.secrecy.chance import CHANCE
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
    """What became of its lines says nothing of things of these names, which the enemy has in one of the worlds."""
    one, two = (World.restored(name, worlds[base].snapshot) for name in ("one", "two"))
    rename(two, side, 1)
    text = "\n".join(f"MOVE {name} {name}" for name in hidden_names(one, two, side, Random(1)))
    found = [_judged(world, side, text) for world in (one, two)]
    assert found[0] == found[1]
    assert len(found[0].lines) > 5
    for world in (one, two):
        world.close()


def _judged(world: World, side: Audience, text: str) -> Outcomes:
    """What becomes of the lines of a sheet when its phase is published."""
    with world.present():
        phase = live()
        assert phase is not None
        send_as_a_bot(phase, side, text)
    for pause in (max(phase.deadline_at - world.now, timedelta()), timedelta(minutes=10), timedelta(minutes=10)):
        world.now += pause + timedelta(seconds=1)
        with world.present():
            CHANCE.of("judged", world.now)
            sweep(worker="secrecy")
            phase.refresh_from_db()
            if phase.state == PhaseState.REVIEW:
                approve(phase.pk, fence=phase.fence)
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


@pytest.mark.parametrize("named", [_labels, _rows, _desks])
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
