"""Two worlds that one side cannot distinguish. Each test is a way in which a leak would show."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
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
from tests.secrecy.examples import Act, Example, example, shrunk
from tests.secrecy.oracle.ground import distance
from tests.secrecy.pairs import (
    LOCKED,
    OTHER_MOVES,
    OTHER_ORDERS,
    WITHDRAWN,
    Difference,
    Figures,
)
from tests.secrecy.runs import count_for_the_run, counted_before
from tests.secrecy.steps.limits import OF_ALL, OF_SHEETS
from tests.secrecy.two_worlds.playing import ALL, played
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


def test_what_others_use_up_leaves_a_side_all_that_it_may_do(worlds: Mapping[str, Base]) -> None:
    acts = "M26, limits, M27, limits of sheets"
    figures = played(worlds, "02-german_sheet", GERMAN, acts, ["german commander"])
    assert figures.parted == 0
    assert set(figures.limits) == {*OF_ALL, *OF_SHEETS}


def test_what_the_enemys_staff_says_shows_nowhere(worlds: Mapping[str, Base]) -> None:
    acts = "M28, comment, read, M12, tidy comments, comment, M28, lock, adjudicate, publish, comment, tidy comments"
    readers = ["german commander", "german staff", "german leaver", "spectator"]
    figures = played(worlds, "02-german_sheet", GERMAN, acts, readers, sure=("/staff/",))
    assert figures.parted == 0
    assert figures.mutators["M28"] == 2
    assert figures.steps["comment"] == 3
    assert figures.steps["tidy comments"] == 2


def test_what_the_players_of_a_battle_share_shows_nowhere_else(worlds: Mapping[str, Base]) -> None:
    acts = "M12, M31, share, read, M17, M20, share, calendar, tick, M7, share, acceptance, lock, adjudicate, publish"
    readers = ["german commander", "german staff", "german tactical", "german leaver", "spectator"]
    figures = played(worlds, "03-german_battles", GERMAN, acts, readers, sure=("/battles/", "/calendar/"))
    assert figures.parted == 0
    assert figures.steps["share"] == 3
    assert figures.mutators["M31"] == 1
    figures = played(
        worlds,
        "03-german_battles",
        PUBLIC,
        "M31, read, tick, M31, read, lock, publish, read",
        ["spectator"],
        sure=("/battles/", "/calendar/"),
    )
    assert figures.parted == 0
    assert figures.mutators["M31"] == 2


@pytest.mark.parametrize("observer", [GERMAN, ALLIED])
def test_what_others_write_of_battles_shows_nowhere_until_it_is_opened(
    worlds: Mapping[str, Base], observer: Audience
) -> None:
    acts = (
        "M32, story, read, M12, M32, limits of battles, lock,"
        " adjudicate, publish, M32, open stories, story, open stories"
    )
    readers = [f"{observer} commander", f"{observer} staff", f"{observer} leaver", "spectator"]
    figures = played(worlds, "03-german_battles", observer, acts, readers, sure=("/stories/",))
    assert figures.parted == 0
    assert figures.mutators["M32"] == 3
    assert figures.steps["story"] == 2
    assert figures.steps["open stories"] == 2
    assert figures.reached["c/<slug:slug>/public/stories/<int:no>/"] >= 2
    assert figures.reached["c/<slug:slug>/public/stories/<int:no>/<str:name>"] >= 2


def test_what_the_enemy_asks_and_is_answered_shows_nowhere(worlds: Mapping[str, Base]) -> None:
    acts = (
        "M33, ask, read, M12, the GM answers, M33, the GM answers everyone, ask, the GM answers, lock, M33, adjudicate,"
        " publish, ask, the GM answers everyone, the GM answers, an evening, read"
    )
    readers = ["german commander", "german staff", "german tactical", "german leaver", "spectator"]
    figures = played(worlds, "02-german_sheet", GERMAN, acts, readers, sure=("/questions/",))
    assert figures.parted == 0
    assert figures.mutators["M33"] == 3
    assert figures.steps["ask"] == 3
    assert figures.steps["the GM answers everyone"] == 2


def test_what_others_hear_of_elsewhere_shows_nowhere(worlds: Mapping[str, Base]) -> None:
    acts = "M12, M37, read, tick, M37, lock, adjudicate, publish, M37, tick, read, reopen, M37, an evening, read"
    readers = ["german commander", "german staff", "german leaver", "spectator"]
    figures = played(worlds, "02-german_sheet", GERMAN, acts, readers, sure=("^/profile/discord/",))
    assert figures.parted == 0
    assert figures.mutators["M37"] == 4


@pytest.mark.parametrize("observer", [GERMAN, ALLIED, PUBLIC])
def test_what_a_side_keeps_to_itself_stays_hidden_after_the_end(worlds: Mapping[str, Base], observer: Audience) -> None:
    acts = "M12, M28, M32, M33, share, end, read, an evening, read"
    side = GERMAN if observer == PUBLIC else observer
    readers = ["spectator", ANONYMOUS] if observer == PUBLIC else [f"{side} commander", f"{side} leaver", "spectator"]
    figures = played(
        worlds, "03-german_battles", observer, acts, readers, sure=("/staff/", "/stories/", "/questions/", "/result/")
    )
    assert figures.parted == 0
    assert figures.steps["end"] == 1
    assert all(figures.mutators[name] for name in ("M28", "M32", "M33"))


@pytest.mark.parametrize("observer", [GERMAN, ALLIED, PUBLIC])
def test_what_one_player_was_answered_stays_hidden_when_their_side_opens_its_questions(
    worlds: Mapping[str, Base], observer: Audience
) -> None:
    acts = "the GM answers everyone, M34, read, end, the others open their questions, M34, read"
    readers = ["spectator", ANONYMOUS, "german leaver" if observer == PUBLIC else f"{observer} commander"]
    figures = played(worlds, "03-german_battles", observer, acts, readers, sure=("/questions/",))
    assert figures.parted == 0
    assert figures.steps["the others open their questions"] == 1
    assert figures.mutators["M34"]
    assert figures.reached["c/<slug:slug>/public/questions/<str:side>/"]


@pytest.mark.parametrize("observer", [GERMAN, ALLIED, PUBLIC])
def test_offers_of_a_draw_and_consents_to_a_story_show_to_commanders_alone(
    worlds: Mapping[str, Base], observer: Audience
) -> None:
    acts = "an older campaign, M35, read, tick, M35, an evening, read, end, M36, read, an evening, read"
    inside, commander = ("deputy", "staff", "tactical", "leaver"), f"{observer} commander"
    outside = ["spectator", ANONYMOUS, "german leaver", "allied leaver"]
    readers = outside if observer == PUBLIC else ["spectator", *(f"{observer} {role}" for role in inside)]
    figures = played(
        worlds,
        "03-german_battles",
        observer,
        acts,
        readers,
        sure=("/closing/", "/result/", "/stories/", "/log/"),
        left_out=[commander],
    )
    assert figures.parted == 0
    assert figures.mutators["M35"] == 2
    assert figures.mutators["M36"] == figures.steps["end"] == 1


def test_a_calendar_has_the_same_bytes_whatever_the_enemy_has_and_does(worlds: Mapping[str, Base]) -> None:
    acts = "M12, M1, M2, M20, M6, calendar, clock, M6, calendar, lock, M9, calendar"
    figures = played(worlds, "01-air", GERMAN, acts, ["german commander", "spectator"], sure=("/calendar/",))
    assert figures.parted == 0
    assert figures.mutators["M20"]
    assert figures.mutators["M6"]
    assert figures.steps["calendar"] == 3


@pytest.mark.parametrize("base", ["02-german_sheet", "01-air"])
def test_an_absence_is_for_the_own_side_alone(worlds: Mapping[str, Base], base: str) -> None:
    acts = "M12, M20, read, calendar, be away, M20, reminders, calendar, be away, lock, adjudicate, publish, calendar"
    figures = played(
        worlds,
        base,
        GERMAN,
        acts,
        ["german commander", "german staff", "spectator"],
        sure=("/people/$", "/calendar/$", "/orders/$", "/battles/$"),
    )
    assert figures.parted == 0
    assert figures.mutators["M20"] == 2
    assert figures.steps["be away"] == 2


def test_what_the_gm_does_for_others_shows_in_no_log(worlds: Mapping[str, Base]) -> None:
    acts = "M29, read, clock, M29, send, the GM assigns, lock, adjudicate, M29, publish, read"
    figures = played(
        worlds, "02-german_sheet", ALLIED, acts, ["allied commander", "allied staff", "spectator"], sure=("/log/",)
    )
    assert figures.parted == 0
    assert figures.mutators["M29"] == 3


@pytest.mark.parametrize("acts", ["M6, reminders", "send, M6, deadline, adjudicate, publish"])
def test_no_hour_says_whether_the_enemy_has_sent_a_sheet(worlds: Mapping[str, Base], acts: str) -> None:
    figures = played(worlds, "01-air", GERMAN, acts, ["german commander"])
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
            sure=("/stops/", "/orders/", "/phases/", "/desks/"),
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
    figures = played(
        worlds,
        "01-air",
        ALLIED,
        "M4, M2, lock, adjudicate, publish",
        ["allied commander"],
        sure=("/stops/", "/board/", "/phases/", r"/replay\.", "^/m/"),
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


def test_whoever_leaves_a_side_gets_none_of_its_mails_that_wait(worlds: Mapping[str, Base]) -> None:
    acts = "M2, M12, the others order, M6, M6, lock, adjudicate, publish to a leaver, an evening"
    figures = played(worlds, "02-german_sheet", ALLIED, acts, ["spectator"])
    assert figures.parted == 0
    assert figures.done[OTHER_MOVES]
    assert figures.steps["an evening"]


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


def test_links_that_lead_nowhere_name_nobody(worlds: Mapping[str, Base]) -> None:
    figures = played(worlds, "02-german_sheet", ALLIED, "M24, old link", [ANONYMOUS])
    assert figures.parted == 0
    assert figures.steps["old link"]


def test_members_are_listed_in_an_order_that_nobody_learns_from(worlds: Mapping[str, Base]) -> None:
    figures = played(
        worlds, "02-german_sheet", ALLIED, "M7, M20, new spectator", ["allied second staff"], sure=("/people/",)
    )
    assert figures.parted == 0


def test_a_mail_that_comes_back_concerns_nobody_else(worlds: Mapping[str, Base]) -> None:
    """Even the public page about the site's health does not show it."""
    acts = "M14, a quarter of an hour, lock, M14, a quarter of an hour, M14, a quarter of an hour, M14"
    figures = played(worlds, "04-allied_sheet", ALLIED, acts, [ANONYMOUS], sure=("^/healthz", "^/readyz"))
    assert figures.parted == 0
    assert figures.mutators["M14"]


def test_battles_reveal_no_more_than_their_reports_may(worlds: Mapping[str, Base]) -> None:
    for rest, who in (("M17", "allied commander"), ("assign, battle, M7", "allied tactical")):
        acts = f"M12, M10, battle, the others fight, M8, {rest}, an evening"
        figures = played(worlds, "03-german_battles", ALLIED, acts, [who], sure=("/battles/",))
        assert figures.parted == 0
        assert figures.mutators["M8"]
        assert figures.steps["an evening"]


def test_a_refused_confirmation_shows_nothing_of_the_enemys_retreat(worlds: Mapping[str, Base]) -> None:
    figures = played(
        worlds, "03-german_battles", GERMAN, "the others fight, M25, battle", ["german commander"], sure=("/battles/",)
    )
    assert figures.parted == 0
    assert figures.mutators["M25"]


@pytest.mark.parametrize("who", ["spectator", ANONYMOUS, "german leaver", "other gm"])
def test_the_public_learns_nothing_of_either_side(worlds: Mapping[str, Base], who: str) -> None:
    figures = played(worlds, "02-german_sheet", PUBLIC, "M12, M1, M2, M6, M9, M17, read", [who], sure=ALL)
    assert figures.parted == 0
    assert figures.mutators["M1"]


@pytest.mark.parametrize(
    ("base", "side"), [("02-german_sheet", GERMAN), ("04-allied_sheet", ALLIED), ("01-air", GERMAN)]
)
def test_answers_are_the_same_whatever_the_enemy_has(worlds: Mapping[str, Base], base: str, side: Audience) -> None:
    compared = compare_answers(worlds[base], side, 1)
    assert compared.pairs.total() > 500
    assert compared.differing == 0, compared.first


def test_what_tests_have_compared_is_read_only_when_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDPOST_SECRECY_BASES", str(tmp_path))

    def begun(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:5])
            file.flush()
            found.append(counted_before().examples)
            return file.write(content[5:])

    found = list[int]()
    monkeypatch.setattr(Path, "write_bytes", begun)
    for examples in (2, 3):
        count_for_the_run(Figures(examples=examples))
    assert [*found, counted_before().examples] == [0, 2, 5]


def test_an_example_is_plain_data_and_the_same_every_time(worlds: Mapping[str, Base]) -> None:
    made = [example(number, worlds) for number in range(50)]
    assert [example(number, worlds) for number in range(50)] == made
    assert [Example.from_json(each.to_json()) for each in made] == made


def test_what_fails_is_made_as_small_as_still_fails() -> None:
    acts = tuple(Act(f"M{number}", number) for number in range(20))
    small = shrunk(Example("a", GERMAN, 0, acts), lambda each: {acts[3], acts[11]} <= set(each.acts))
    assert small.acts == (acts[3], acts[11])


def test_what_fails_keeps_a_change_of_the_second_world() -> None:
    acts = tuple(Act("M7" if number == 3 else "read", number) for number in range(20))
    small = shrunk(Example("a", GERMAN, 0, acts), lambda each: acts[11] in each.acts)
    assert small.acts == (acts[3], acts[11])
