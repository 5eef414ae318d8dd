"""What people give the service with what they do, and no enemy is told.

That they are away, how a file is named, and what they add to a story before the game master has read it.
"""

from collections.abc import Mapping
from datetime import timedelta

from campaign.models import Absence, Battle, Membership, PhaseState
from stories.models import Readers, Story
from tests.secrecy.asking.crawler import Lot, crawl
from tests.secrecy.campaigns import SLUG, Base
from tests.secrecy.steps.battles import add_picture
from tests.secrecy.steps.plan import HERE
from tests.secrecy.steps.stories import picture, written_of
from tests.secrecy.two_worlds.test_single_acts import ALLIED, GERMAN, pair_of
from tests.secrecy.worlds import Answer, World

COMMANDER = "allied commander"


def test_that_all_enemies_are_away_shows_in_no_answer(worlds: Mapping[str, Base]) -> None:
    """While they are away nobody can accept an offer of a draw, and its sender is not told so."""
    with pair_of(worlds["03-german_battles"]) as (one, two):
        with two.present():
            for member in Membership.objects.filter(campaign__slug=SLUG, side=GERMAN):
                Absence.objects.create(
                    member=member,
                    audience=GERMAN,
                    starts_at=two.now - timedelta(hours=1),
                    ends_at=two.now + timedelta(days=9),
                    booked_at=two.now - timedelta(hours=2),
                )
        form = {"act": "offer", "name": SLUG}
        answers = [world.ask(COMMANDER, "POST", f"{HERE}desk/closing/", form) for world in (one, two)]
        assert answers[0].status == 302
        assert answers[0] == answers[1]
        read = [_read(world, COMMANDER) for world in (one, two)]
        assert read[0] == read[1]


def test_the_name_of_a_file_is_told_to_nobody(worlds: Mapping[str, Base]) -> None:
    """An enemy adds a picture without a caption to a battle map, under a name that says where they attack."""
    with pair_of(worlds["03-german_battles"]) as (one, two):
        for world, name in ((one, "photo.jpg"), (two, "Attack at dawn 2026-03-09.jpg")):
            with world.present():
                here = Battle.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN)
                battle = here.select_related("phase").earliest("key")
            assert add_picture(world, "german commander", battle, "red", name=name, caption="").status == 302
        read = [_read(world, COMMANDER) for world in (one, two)]
        assert any("/map/" in path for path in read[0]), "the picture is shown"
        assert read[0] == read[1]


def test_what_is_added_to_a_story_shuts_it_until_the_game_master_has_read_it(worlds: Mapping[str, Base]) -> None:
    with pair_of(worlds["04-allied_sheet"]) as (one, two):
        for world, colour in ((one, "red"), (two, "blue")):
            assert _write(world, {"text": "We held on."}) == 302
            _open_to_everyone(world)
            assert any("We held on." in answer.text for answer in _read(world, COMMANDER).values())
            assert _write(world, {"text": "We held on.", "picture": picture(colour), "caption": "The bridge"}) == 302
        read = [_read(world, COMMANDER) for world in (one, two)]
        assert read[0] == read[1]


def _write(world: World, words: Mapping[str, object]) -> int:
    """The player of the Germans' first battle writes of it; the status of the answer."""
    found = written_of(world, GERMAN)
    assert found is not None
    path, who, seen = found
    return world.ask(who, "POST", path, {"act": "save", "seen": seen, **words}).status


def _open_to_everyone(world: World) -> None:
    with world.present():
        story = Story.objects.select_related("battle__phase").get(side=GERMAN)
    form = {"story": story.token, "seen": story.version, "readers": Readers.EVERYONE.value}
    assert world.ask("gm", "POST", f"{HERE}stories/{story.battle.phase.no}/", form).status == 302


def _read(world: World, who: str) -> Mapping[str, Answer]:
    lot = Lot(who, 0.0, (f"^{HERE}$", "/battles/", "/closing/", "/log/", "/calendar/", "/stories/", r"/stops/\d+/$"))
    return crawl(world, who, own_side=ALLIED, lot=lot).answers
