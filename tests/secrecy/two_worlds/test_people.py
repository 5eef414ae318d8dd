"""What the people of one side do shows only to those who may see it."""

from collections.abc import Mapping
from random import Random

import pytest
from django.db import connection

from campaign.engine.values.ids import PUBLIC, Audience
from tests.secrecy.asking.crawler import ON_REQUEST
from tests.secrecy.campaigns import Base
from tests.secrecy.mutators.change import Change
from tests.secrecy.mutators.doing import caches
from tests.secrecy.pairs import OTHER_MOVES
from tests.secrecy.steps.limits import OF_ALL, OF_SHEETS
from tests.secrecy.two_worlds.playing import LONG, long, played
from tests.secrecy.worlds import ANONYMOUS, World, household_of

GERMAN, ALLIED = Audience("german"), Audience("allied")


def test_what_others_use_up_leaves_a_side_all_that_it_may_do(worlds: Mapping[str, Base]) -> None:
    acts = "M26, limits, M27, limits of sheets"
    figures = played(worlds, "02-german_sheet", GERMAN, acts, ["german commander"])
    assert figures.parted == 0
    assert set(figures.limits) == {*OF_ALL, *OF_SHEETS}


def test_a_cache_that_is_emptied_gives_the_tries_of_others_back_alone(worlds: Mapping[str, Base]) -> None:
    world = World.restored("one", worlds["02-german_sheet"].snapshot)
    browsers = (ANONYMOUS, "german commander, elsewhere", "allied commander, elsewhere", "somebody")
    for who in browsers:
        world.browsers[who] = world.stranger(who)
        world.ask(who, "POST", "/account/login/", {"login": "nobody@example.org"})
    with world.present():
        assert {who for who in browsers if _counted(who)} == set(browsers)
        assert caches(Change(world, GERMAN, Random(1)))
        assert {who for who in browsers if _counted(who)} == set(browsers[:2])
    world.close()


def _counted(who: str) -> int:
    """How many counts there are of what somebody has tried."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM cache WHERE cache_key LIKE %s", [f"%allauth:rl:%:{household_of(who)}"])
        return int(cursor.fetchone()[0])


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
    readers = ["german commander", "german tactical", "german leaver"]
    figures = played(worlds, "03-german_battles", GERMAN, acts, readers, sure=("/battles/", "/calendar/"))
    assert figures.parted == 0
    assert figures.steps["share"] == 3
    assert figures.mutators["M31"] == 1


@LONG
def test_what_the_players_of_a_battle_share_does_not_show_to_the_public(worlds: Mapping[str, Base]) -> None:
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


@pytest.mark.parametrize("observer", [GERMAN, long(ALLIED)])
def test_what_others_write_of_battles_shows_nowhere_until_it_is_opened(
    worlds: Mapping[str, Base], observer: Audience
) -> None:
    acts = (
        "M32, story, read, M12, M32, limits of battles, lock,"
        " adjudicate, publish, M32, open stories, story, open stories"
    )
    readers = [f"{observer} commander", f"{observer} leaver", "spectator"]
    figures = played(worlds, "03-german_battles", observer, acts, readers, sure=("/stories/", "/map/", r"/stops/\d+/$"))
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
    readers = ["german commander", "german tactical", "german leaver", "spectator"]
    figures = played(worlds, "02-german_sheet", GERMAN, acts, readers, sure=("/questions/",))
    assert figures.parted == 0
    assert figures.mutators["M33"] == 3
    assert figures.steps["ask"] == 3
    assert figures.steps["the GM answers everyone"] == 2


@LONG
def test_what_others_hear_of_elsewhere_shows_nowhere(worlds: Mapping[str, Base]) -> None:
    acts = "M12, M37, read, tick, M37, lock, adjudicate, publish, M37, tick, read, reopen, M37, an evening, read"
    readers = ["german commander", "german staff", "german leaver", "spectator"]
    figures = played(worlds, "02-german_sheet", GERMAN, acts, readers, sure=("^/profile/discord/",))
    assert figures.parted == 0
    assert figures.mutators["M37"] == 4


@pytest.mark.parametrize("observer", [GERMAN, long(ALLIED), long(PUBLIC)])
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


READ_AS = rf"^(?!.*{ON_REQUEST}).*\?as="
"""All pages that are read as others read them, but for pictures on request."""


@pytest.mark.parametrize(
    ("base", "observer"),
    [long("02-german_sheet", ALLIED), long("04-allied_sheet", GERMAN), ("02-german_sheet", PUBLIC)],
)
def test_notes_to_the_gm_stay_hidden_when_everybody_reads_the_sheets(
    worlds: Mapping[str, Base], base: str, observer: Audience
) -> None:
    """A side has not opened its notes, whichever release stored its results; everything else of its sheets is open."""
    acts = "the others order, M38, lock, adjudicate, publish, an older release, end, read"
    who = "spectator" if observer == PUBLIC else f"{observer} staff"
    read_as = r"/stops/\d+/\?as=" if observer == GERMAN else READ_AS
    sure = (r"/stops/\d+/$", r"^/c/[^/]+/(?:board/)?$", read_as, "/sheets/", "/statistics/")
    figures = played(worlds, base, observer, acts, [who], sure=sure)
    assert figures.parted == 0
    assert figures.done["published"] == figures.steps["end"] == figures.mutators["M38"] == 1
    assert figures.steps["an older release"] == 1


@pytest.mark.parametrize(("base", "observer"), [("04-allied_sheet", ALLIED), long("02-german_sheet", PUBLIC)])
def test_what_the_gm_took_back_stays_hidden_after_the_end(
    worlds: Mapping[str, Base], base: str, observer: Audience
) -> None:
    """A ruling that was undone before the publication, on a unit that the observer has not seen."""
    acts = "lock, adjudicate, M9, publish, end, read"
    who = "spectator" if observer == PUBLIC else f"{observer} staff"
    figures = played(worlds, base, observer, acts, [who], sure=("/result/", "/log/", r"/stops/\d+/$"))
    assert figures.parted == 0
    assert figures.done["published"] == figures.steps["end"] == figures.mutators["M9"] == 1


@pytest.mark.parametrize("observer", [GERMAN, long(PUBLIC)])
def test_the_archive_of_the_whole_campaign_holds_nothing_that_a_side_keeps(
    worlds: Mapping[str, Base], observer: Audience
) -> None:
    acts = "M12, M28, M32, M33, end, archive, M32, read, archive"
    who = "spectator" if observer == PUBLIC else f"{observer} staff"
    figures = played(worlds, "04-allied_sheet", observer, acts, [who], sure=("/archive/",))
    assert figures.parted == 0
    assert figures.steps["archive"] == figures.mutators["M32"] == 2


@pytest.mark.parametrize("observer", [GERMAN, long(ALLIED), long(PUBLIC)])
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


@pytest.mark.parametrize("observer", [GERMAN, long(ALLIED), PUBLIC])
def test_offers_of_a_draw_and_consents_to_a_story_show_to_commanders_alone(
    worlds: Mapping[str, Base], observer: Audience
) -> None:
    acts = "an older campaign, M35, read, tick, M35, an evening, read, end, M36, read, an evening, read"
    inside = ("deputy", "staff", "tactical", "leaver")
    outside = ["spectator", ANONYMOUS, "german leaver", "allied leaver"]
    readers = outside if observer == PUBLIC else ["spectator", *(f"{observer} {role}" for role in inside)]
    figures = played(
        worlds,
        "03-german_battles",
        observer,
        acts,
        readers,
        sure=("/closing/", "/result/", "/stories/", "/log/"),
    )
    assert figures.parted == 0
    assert figures.mutators["M35"] == 2
    assert figures.mutators["M36"] == figures.steps["end"] == 1


@pytest.mark.parametrize("observer", [long(GERMAN), long(ALLIED), PUBLIC])
def test_who_offered_a_draw_shows_to_nobody_else_when_it_is_accepted(
    worlds: Mapping[str, Base], observer: Audience
) -> None:
    acts = "M35, read, agree on a draw, archive, an evening, read"
    readers = ["spectator", "german leaver" if observer == PUBLIC else f"{observer} staff"]
    figures = played(worlds, "03-german_battles", observer, acts, readers, sure=("/result/", "/log/", "/archive/"))
    assert figures.parted == 0
    assert figures.mutators["M35"] == figures.steps["agree on a draw"] == figures.steps["archive"] == 1


def test_a_calendar_has_the_same_bytes_whatever_the_enemy_has_and_does(worlds: Mapping[str, Base]) -> None:
    acts = "M12, M1, M2, M20, M6, calendar, clock, M6, calendar, lock, M9, calendar"
    figures = played(worlds, "01-air", GERMAN, acts, ["german commander", "spectator"], sure=("/calendar/",))
    assert figures.parted == 0
    assert figures.mutators["M20"]
    assert figures.mutators["M6"]
    assert figures.steps["calendar"] == 3


@pytest.mark.parametrize("base", ["02-german_sheet", long("01-air")])
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


def test_whoever_leaves_a_side_gets_none_of_its_mails_that_wait(worlds: Mapping[str, Base]) -> None:
    acts = "M2, M12, M20, the others order, M6, M6, lock, adjudicate, publish to a leaver, an evening"
    figures = played(worlds, "02-german_sheet", ALLIED, acts, ["spectator"], sure=("/people/$", "/calendar/$"))
    assert figures.parted == 0
    assert figures.done[OTHER_MOVES]
    assert figures.mutators["M20"]
    assert figures.steps["an evening"]


def test_links_of_a_side_lead_a_former_player_who_looks_on_nowhere(worlds: Mapping[str, Base]) -> None:
    figures = played(worlds, "02-german_sheet", PUBLIC, "M22, read", ["allied leaver"], sure=("^/m/",))
    assert figures.parted == 0
    assert figures.methods["GET"] > 10


def test_links_that_lead_nowhere_name_nobody(worlds: Mapping[str, Base]) -> None:
    figures = played(worlds, "02-german_sheet", ALLIED, "M24, old link", [ANONYMOUS], sure=("^/account/", "/archive/"))
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
    figures = played(
        worlds, "04-allied_sheet", ALLIED, acts, [ANONYMOUS], sure=("^/healthz", "^/readyz", "^/account/", "/archive/")
    )
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
