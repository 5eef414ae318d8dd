"""While a phase is open the game master reads nothing of its sheets and of what a staff says, not even indirectly."""

from collections.abc import Iterator, Mapping, Sequence

import pytest

from campaign.engine.values.ids import Audience
from campaign.services import scenario_of
from campaign.viewers import viewer_of
from gm.desk import deadlines
from orders.models import Sheet
from tests.secrecy.campaigns import SLUG, Base, bot_sheet, campaign, live, person, truth
from tests.secrecy.pairs import plan_of
from tests.secrecy.steps.plan import HERE
from tests.secrecy.worlds import Answer, World

GERMAN = Audience("german")


@pytest.mark.parametrize("paused", [False, True])
def test_the_gm_reads_nothing_of_a_sheet_that_is_sealed(worlds: Mapping[str, Base], *, paused: bool) -> None:
    """A desk moves, or writes a note: what the GM enters for its HQ gets the same answer."""
    one, two = (World.restored(name, worlds["02-german_sheet"].snapshot) for name in ("one", "two"))
    with one.present():
        phase = live()
        assert phase is not None
        moves = bot_sheet(scenario_of(phase.campaign), truth(phase), GERMAN)
    answers = [list(_read_by_the_gm(*each, paused=paused)) for each in ((one, moves), (two, "NOTE We wait.\nREADY"))]
    assert answers[0] == answers[1]
    assert {answer.status for answer in answers[0]} == {200}
    for world in (one, two):
        world.close()


def _read_by_the_gm(world: World, text: str, *, paused: bool) -> Iterator[Answer]:
    desk = plan_of(world, GERMAN, 1).desk
    form = {"stop": 2, "rev": 0, "version": 0, "newest": 0, "act": "anyway", "text": text, "key": "a key"}
    world.ask("german staff", "POST", f"{HERE}orders/{desk}/", form)
    with world.present():
        assert Sheet.objects.filter(desk=desk, text=text).exists()
        if paused:
            deadlines.hold(viewer_of(person("gm"), SLUG), reason="A pause.")
    yield world.ask("gm", "GET", f"{HERE}desk/")
    for rest in ("", f"{desk}/"):
        yield world.ask("gm", "GET", f"{HERE}desk/enter/german/{rest}")
        yield world.ask("gm", "POST", f"{HERE}desk/enter/german/{rest}", {"act": "check", "text": "ALL OTHERS HOLD"})


def test_the_gm_reads_nothing_of_comments_that_are_sealed(worlds: Mapping[str, Base]) -> None:
    """A staff talks in one world; in the other it says less, of another hex."""
    one, two = (World.restored(name, worlds["02-german_sheet"].snapshot) for name in ("one", "two"))
    answers = [list(_heard_by_the_gm(*each)) for each in ((one, ("Draw them south.", "No.")), (two, ("Wait.",)))]
    assert answers[0] == answers[1]
    assert {answer.status for answer in answers[0]} == {200}
    for world in (one, two):
        world.close()


def _heard_by_the_gm(world: World, texts: Sequence[str]) -> Iterator[Answer]:
    with world.present():
        place = scenario_of(campaign()).base_map.grounds[len(texts)].id
    for text in texts:
        form = {"act": "write", "phase": "2.0", "text": text, "desk": "HQ", "place": place}
        assert world.ask("german staff", "POST", f"{HERE}staff/", form).status == 302
    for rest in ("", "desk/", "desk/enter/german/", "board/", "staff/", "staff/german/", "staff/allied/", "people/"):
        yield world.ask("gm", "GET", HERE + rest)
