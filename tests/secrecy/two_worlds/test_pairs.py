"""Two worlds that one side cannot distinguish. Each test is a way in which a leak would show."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from campaign.engine.values.ids import PUBLIC, Audience
from campaign.models import Bot, Phase
from campaign.rulesets.forum_campaign.day import sighting
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.options import ThirdBand
from campaign.rulesets.forum_campaign.model.state import Own, Sighting, UnitType, on_map
from campaign.secrecy.truth import machinery
from campaign.selectors import Knowledge
from campaign.services import scenario_of
from gm.phases import bots
from orders.intake import Receipt, Submission, submit
from tests.secrecy.answers import compare_answers
from tests.secrecy.campaigns import Base, truth
from tests.secrecy.oracle.ground import distance
from tests.secrecy.painting import painted
from tests.secrecy.pairs import LOCKED, OTHER_MOVES, OTHER_ORDERS, WITHDRAWN, Difference
from tests.secrecy.two_worlds.playing import ALL, LONG, played
from tests.secrecy.worlds import ANONYMOUS

GERMAN, ALLIED = Audience("german"), Audience("allied")


def test_while_a_side_plans_nothing_reveals_what_the_enemy_has(worlds: Mapping[str, Base]) -> None:
    acts = "M12, M1, M2, M4, M10, read, M7, check, send, M14, stale, M17, profile"
    figures = played(worlds, "02-german_sheet", GERMAN, acts, ["german commander", "german staff"], sure=ALL)
    assert figures.parted == 0
    assert figures.mutators["M1"]


def test_orders_by_mail_are_taken_and_answered_alike(worlds: Mapping[str, Base]) -> None:
    acts = "M12, M6, mail, M7, mail, M20, mail, M1, mail, M8, mail, lock, mail, M24, mail, read"
    figures = played(worlds, "02-german_sheet", GERMAN, acts, ["german commander", "german tactical"])
    assert figures.parted == 0
    assert figures.steps["mail"] == 7


def test_sides_that_act_at_once_learn_nothing_of_each_other(worlds: Mapping[str, Base]) -> None:
    figures = played(
        worlds,
        "01-air",
        GERMAN,
        "M6, check, M8, send, M7, tick, M6, M6, draft, M6, clock",
        ["german commander"],
        sure=ALL,
    )
    assert figures.parted == 0
    assert figures.mutators["M6"]


def test_what_the_gm_does_for_others_shows_in_no_log(worlds: Mapping[str, Base]) -> None:
    acts = "M29, read, clock, M29, send, the GM assigns, lock, adjudicate, M29, publish, read"
    figures = played(
        worlds, "02-german_sheet", ALLIED, acts, ["allied commander", "allied staff", "spectator"], sure=("/log/",)
    )
    assert figures.parted == 0
    assert figures.mutators["M29"] == 3


@LONG
@pytest.mark.parametrize("acts", ["M6, reminders", "send, M6, deadline, adjudicate, publish"])
def test_no_hour_says_whether_the_enemy_has_sent_a_sheet(worlds: Mapping[str, Base], acts: str) -> None:
    figures = played(worlds, "01-air", GERMAN, acts, ["german commander"], sure=("/stops/", "/orders/", "/log/"))
    assert figures.parted == 0
    assert figures.mutators["M6"]
    assert figures.hours


def test_a_draft_that_waits_for_the_gm_reveals_nothing(worlds: Mapping[str, Base]) -> None:
    for rest in ("read", "read, tick"):
        acts = f"send, lock, M18, M9, {rest}"
        figures = played(
            worlds,
            "02-german_sheet",
            ALLIED,
            acts,
            ["allied commander", "spectator"],
            sure=("/stops/", "/orders/", "/phases/", "/desks/", r"^/c/[^/]+/replay\."),
        )
        assert figures.parted == 0
        assert figures.mutators["M18"]
        assert figures.mutators["M9"]


def test_what_becomes_of_own_lines_shows_nowhere_before_the_publication(worlds: Mapping[str, Base]) -> None:
    """Moves meet hidden units in one of the worlds, and the draft says so."""
    acts = "M1, M1, M1, send, lock, adjudicate, read"
    figures = played(
        worlds, "02-german_sheet", GERMAN, acts, ["german commander"], sure=("/orders/", "/locked/", "/desks/")
    )
    assert figures.parted == 0
    assert figures.mutators["M1"] == 3
    assert figures.steps["send"] == 1
    assert figures.done == {LOCKED: 1}


def test_a_publication_reveals_only_what_is_disclosed_to_its_audience(worlds: Mapping[str, Base]) -> None:
    acts = "M14, M13, M11, M16, M15, lock, adjudicate, M9, publish, read, the others fight"
    figures = played(worlds, "02-german_sheet", ALLIED, acts, ["allied commander", "allied tactical"], sure=ALL)
    assert figures.parted == 0
    assert figures.mails > 0
    assert figures.mutators["M14"]


def test_what_the_gm_tries_and_answers_others_shows_nowhere(worlds: Mapping[str, Base]) -> None:
    acts = "M8, M8, M8, the others order, lock, adjudicate, M9, roll, M21, read, publish, read"
    figures = played(
        worlds, "02-german_sheet", ALLIED, acts, ["allied commander", "spectator"], sure=("/dice/", "/log/", "/stops/")
    )
    assert figures.parted == 0
    assert figures.done["published"]
    assert figures.mutators["M9"]
    assert figures.mutators["M21"]


def test_maps_and_reports_hold_nothing_of_hidden_units(worlds: Mapping[str, Base]) -> None:
    with painted():
        figures = played(
            worlds,
            "01-air",
            ALLIED,
            "M4, M2, lock, adjudicate, publish",
            ["allied commander"],
            sure=("/stops/", "/board/", "/phases/", r"^/c/[^/]+/replay\.", "^/m/"),
        )
    assert figures.parted == 0
    assert figures.done["published"]


def test_acts_of_hidden_units_are_disclosed_to_nobody_else(worlds: Mapping[str, Base]) -> None:
    """The enemy attacks as in the other world, but a hidden unit moves elsewhere."""
    acts = "M2, M12, the others order, M6, M6, lock, adjudicate, publish"
    figures = played(worlds, "02-german_sheet", ALLIED, acts, ["allied commander"], sure=("/stops/",))
    assert figures.parted == 0
    assert figures.done[OTHER_ORDERS]
    assert figures.done[OTHER_MOVES]


@LONG
def test_acts_of_either_side_are_disclosed_to_nobody_outside(worlds: Mapping[str, Base]) -> None:
    acts = "M12, the others order, M6, M6, lock, adjudicate, publish"
    figures = played(worlds, "04-allied_sheet", PUBLIC, acts, ["spectator"], sure=("/stops/",))
    assert figures.parted == 0
    assert figures.done[OTHER_ORDERS]
    assert figures.done[OTHER_MOVES]


def test_a_publication_that_discloses_the_difference_counts_for_nothing(worlds: Mapping[str, Base]) -> None:
    """Hidden units are sighted in the morning, so both worlds go back to before it."""
    acts = "M12, M2, M2, lock, adjudicate, publish"
    figures = played(worlds, "04-allied_sheet", GERMAN, acts, ["german commander"])
    assert figures.parted == 1
    assert figures.done == {LOCKED: 1}


def test_what_leaks_where_facts_are_made_does_not_explain_why_worlds_part(
    worlds: Mapping[str, Base], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sight names strong units from afar: the worlds part by it, and the oracle does not know why."""

    def by_strength(game_data: GameData, _band: ThirdBand, own: Own, enemy: Own) -> Iterator[Sighting]:
        reach = game_data.charts.sight
        for unit, place in on_map(enemy):
            far = min(distance(place, at) for _, at in on_map(own))
            if far <= (reach.type if unit.strength > 90 else reach.identity):
                yield Sighting(place, UnitType.INFANTRY, unit.id, unit.label, unit.branch, unit.echelon)

    monkeypatch.setattr(sighting, "_in_sight", by_strength)
    with pytest.raises(Difference, match=r"german.*: Scouted\.sightings"):
        played(worlds, "04-allied_sheet", GERMAN, "M4, lock, adjudicate, publish", ["german commander"])


def test_a_phase_that_is_reopened_reveals_no_more_than_before(worlds: Mapping[str, Base]) -> None:
    acts = "M12, M11, the others order, M6, M6, lock, adjudicate, publish, reopen, M7, the others order"
    figures = played(
        worlds,
        "02-german_sheet",
        ALLIED,
        f"{acts}, M6, M6, lock, adjudicate, publish",
        ["spectator"],
        sure=("/stops/",),
    )
    assert figures.parted == 0
    assert figures.mutators["M11"]
    assert figures.done[WITHDRAWN] == 1
    assert figures.done["published"] == 2


def test_bots_pass_as_players_do(worlds: Mapping[str, Base], monkeypatch: pytest.MonkeyPatch) -> None:
    """One writes the same whatever its side cannot know; what one writes for the others is hidden."""
    written = Counter[str]()

    def counted(submission: Submission, **more: Any) -> Receipt:
        written[submission.side] += bool(submission.text)
        return submit(submission, **more)

    monkeypatch.setattr(bots, "submit", counted)
    acts = "M12, M1, M4, M10, a bot plays the others, a bot plays"
    figures = played(worlds, "01-air", GERMAN, acts, ["german staff"])
    assert figures.parted == 0
    assert figures.steps["a bot plays"] == figures.steps["a bot plays the others"] == 1
    assert written == {GERMAN: 2, ALLIED: 2}, "in each world"


def test_a_step_in_which_no_bot_writes_does_not_count(worlds: Mapping[str, Base]) -> None:
    acts = "M1, a bot plays the others, send, a bot plays"
    figures = played(worlds, "02-german_sheet", GERMAN, acts, ["german staff"])
    assert not figures.steps["a bot plays"] + figures.steps["a bot plays the others"]


def test_a_bot_that_sees_more_is_noticed(worlds: Mapping[str, Base], monkeypatch: pytest.MonkeyPatch) -> None:
    def seen(phase: Phase, _bot: Bot) -> Knowledge:
        with machinery():
            return Knowledge(scenario_of(phase.campaign), truth(phase))

    def told(known: Knowledge, _name: str, who: Audience) -> str:
        enemies = [str(unit.at) for side, own in known.state.own.items() if side != who for unit in own.units.values()]
        return f"NOTE {' '.join(sorted(enemies))}"[:150]

    monkeypatch.setattr(bots, "_known", seen)
    monkeypatch.setattr(bots, "_written", told)
    with pytest.raises(Difference):
        played(worlds, "02-german_sheet", GERMAN, "M1, M2, M5, a bot plays", ["german staff"], sure=("/orders/",))


@pytest.mark.parametrize("who", ["spectator", ANONYMOUS, "german leaver", "other gm"])
def test_the_public_learns_nothing_of_either_side(worlds: Mapping[str, Base], who: str) -> None:
    """A spectator reads all pages, the others the public ones, their accounts, and what is theirs elsewhere."""
    sure = (
        (*ALL, r"/public/replay\.")
        if who == "spectator"
        else ("/public/", "/questions/", "/map/", "^/(?:m|account|profile)/", "/desk/", "/gm/")
    )
    figures = played(worlds, "02-german_sheet", PUBLIC, "M12, M1, M2, M6, M9, M17, read", [who], sure=sure)
    assert figures.parted == 0
    assert figures.mutators["M1"]


@pytest.mark.parametrize(
    ("base", "side"), [("02-german_sheet", GERMAN), ("04-allied_sheet", ALLIED), ("01-air", GERMAN)]
)
def test_answers_are_the_same_whatever_the_enemy_has(worlds: Mapping[str, Base], base: str, side: Audience) -> None:
    compared = compare_answers(worlds[base], side, 1)
    assert compared.pairs.total() > 500
    assert compared.differing == 0, compared.first
