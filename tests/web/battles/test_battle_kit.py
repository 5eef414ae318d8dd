"""The page of a battle and the calendar: the battle's file, when its players meet, the map of its place."""

import re
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from campaign.models import BattleFile, BattleMap, Campaign, Membership, PhaseState, PlayingTime, Role, User
from stories import maps as pictures
from tests.battles import KEY, Field, field
from tests.stories.hostile import photo, saved
from tests.web.reading.test_calendar import address_of, at, read

__all__ = ["field"]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any) -> None:
    settings.PICTURES = tmp_path / "pictures"


LINK = "https://example.org/save.zip"
GERMAN, ALLIED = "german commander", "allied commander"
MAP = {"map_name": "Clervaux", "map_link": "https://example.org/map.png", "map_notes": "The mill burns."}
HEADINGS = ("When to play", "Battle file", "Battle map")


def get(field: Field, name: str, key: str = KEY) -> str:
    page = field.cast.browser(name).get(field.cast.address(f"battles/{key}/"))
    assert page.status_code == 200
    return page.content.decode()


def post(field: Field, name: str, act: str, key: str = KEY, **sent: str) -> Any:
    """As the form of the page sends it."""
    hidden = dict(re.findall(r'name="(seen_\w+)" value="([^"]*)"', get(field, name, key)))
    form = {"stop": str(field.phase.no), "rev": str(field.phase.rev), **hidden, "act": act, **sent}
    return field.cast.browser(name).post(field.cast.address(f"battles/{key}/"), form)


def without_token(page: str) -> str:
    return re.sub(r"[A-Za-z0-9]{64}", "", page)


def in_zone(field: Field, name: str, zone: str) -> None:
    user = field.cast.user(name)
    user.time_zone = zone
    user.save()


def local(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M}"


def test_a_link_is_given_and_read_by_the_other_player_and_the_gm(field: Field) -> None:
    assert post(field, GERMAN, "file", file_link=LINK, file_note="after turn 3").status_code == 302
    for name in (GERMAN, ALLIED, "gm"):
        page = get(field, name)
        assert f'<a href="{LINK}"' in page
        assert "after turn 3" in page
        assert "german commander (German side)" in page
    assert LINK not in get(field, "allied staff")
    post(field, ALLIED, "file", file_link=f"{LINK}?2")
    assert get(field, GERMAN).index(f"{LINK}?2") < get(field, GERMAN).index("Earlier files")


def test_those_who_do_not_fight_a_battle_see_no_kit_and_get_none(field: Field) -> None:
    field.assign(ALLIED, "allied tactical")
    post(field, GERMAN, "map", **MAP)
    before = get(field, "allied staff")
    for name in (ALLIED, "allied staff", "german staff"):
        page = get(field, name)
        assert not any(heading in page for heading in HEADINGS)
        assert post(field, name, "file", file_link=LINK).status_code == 404
        assert post(field, name, "map", **MAP).status_code == 404
        assert post(field, name, "withdraw_map").status_code == 404
        assert post(field, name, "propose", time_1="2099-01-01T10:00").status_code == 404
        assert post(field, name, "accept", time="x").status_code == 404
    post(field, "allied tactical", "file", file_link=LINK)
    assert without_token(get(field, "allied staff")) == without_token(before)
    assert all(heading in get(field, "allied tactical") for heading in HEADINGS)


def test_strangers_find_nothing(field: Field) -> None:
    for name in ("spectator", "outsider"):
        form = {"stop": str(field.phase.no), "rev": str(field.phase.rev), "act": "file", "file_link": LINK}
        assert field.cast.browser(name).post(field.cast.address(f"battles/{KEY}/"), form).status_code == 404
    assert not BattleFile.objects.exists()


def test_a_time_is_proposed_by_ones_own_clock_and_read_by_the_others(field: Field) -> None:
    in_zone(field, GERMAN, "Europe/Berlin")
    in_zone(field, ALLIED, "America/New_York")
    meets = (field.time.now + timedelta(days=2)).replace(hour=19, minute=30, second=0, microsecond=0)
    berlin = meets.astimezone(ZoneInfo("Europe/Berlin"))
    assert "Europe/Berlin" in get(field, GERMAN)
    assert post(field, GERMAN, "propose", time_1=local(berlin)).status_code == 302
    assert PlayingTime.objects.get().begins_at == meets
    page = get(field, ALLIED)
    assert "German side) proposes" in page
    assert "19:30 UTC" in page
    (mark,) = re.findall(r'name="time" value="([^"]+)"', page)
    assert post(field, ALLIED, "accept", time=mark).status_code == 302
    for name in (GERMAN, ALLIED, "gm"):
        assert "allied commander accepted what german commander proposed" in get(field, name)
    assert "Propose" not in get(field, GERMAN)
    assert post(field, ALLIED, "withdraw").status_code == 302
    assert "No time is agreed or proposed." in get(field, GERMAN)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tomorrow", "is not a time"),
        ("2000-01-01T10:00", "must be in the future"),
        ("2026-03-29T02:30", "Clocks change"),
        ("9999-12-31T23:59", "at most a year ahead"),
        ("", "Give at least one time."),
    ],
)
def test_times_that_cannot_be_taken_are_shown_again_with_the_reason(field: Field, text: str, says: str) -> None:
    in_zone(field, GERMAN, "Europe/Berlin")
    page = post(field, GERMAN, "propose", time_1=text, time_2="2026-04-02T20:00" if text else "")
    assert page.status_code == 422
    assert says in page.content.decode()
    if text:
        assert 'value="2026-04-02T20:00"' in page.content.decode()
        assert f'value="{text}"' in page.content.decode()
    assert not PlayingTime.objects.exists()


def test_the_page_warns_of_times_that_come_too_late(field: Field) -> None:
    due = field.phase.deadline_at
    post(field, GERMAN, "propose", time_1=local(due - timedelta(hours=1)), time_2=local(due + timedelta(hours=1)))
    assert get(field, ALLIED).count("Results are due before then.") == 1
    field.report()
    field.phase.refresh_from_db()
    assert "counts as accepted before then" in get(field, ALLIED)
    field.phase.held = True
    field.phase.save()
    assert "before then" not in get(field, ALLIED)


def test_a_map_is_read_by_the_players_of_its_place_without_who_wrote_it(field: Field) -> None:
    assert post(field, GERMAN, "map", **MAP).status_code == 302
    page = get(field, ALLIED)
    assert "The mill burns." in page
    assert MAP["map_link"] in page
    section = page[page.index('id="map"') :]
    section = section[: section.index("</section>")]
    assert GERMAN not in section
    assert "<time" not in section
    assert "Withdraw this map" not in section
    assert "Withdraw this map" in get(field, GERMAN)
    assert GERMAN in get(field, "gm")[get(field, "gm").index('id="map"') :]
    assert "The mill burns." not in get(field, GERMAN, "G20")


def test_refused_texts_are_given_back(field: Field) -> None:
    sent = {**MAP, "map_link": "nowhere"}
    page = post(field, GERMAN, "map", **sent)
    assert page.status_code == 422
    assert all(text in page.content.decode() for text in ("nowhere", "The mill burns.", "not a web address"))
    page = post(field, GERMAN, "file", file_link="nowhere", file_note="a note")
    assert page.status_code == 422
    assert all(text in page.content.decode() for text in ("nowhere", "a note"))
    post(field, ALLIED, "map", **MAP)
    stale = post(field, GERMAN, "map", map_name="Mine", seen_map="")
    assert stale.status_code == 409
    assert 'value="Mine"' in stale.content.decode()
    assert BattleMap.objects.count() == 1


def test_a_closed_phase_gives_the_text_back(field: Field) -> None:
    get(field, GERMAN)
    field.phase.state = PhaseState.LOCKED
    field.phase.save()
    page = post(field, GERMAN, "file", file_link=LINK)
    assert page.status_code == 409
    assert f'value="{LINK}"' in page.content.decode()
    field.phase.state, field.phase.published_at = PhaseState.PUBLISHED, field.time.now
    field.phase.save()
    form = {"stop": str(field.phase.no), "rev": str(field.phase.rev), "act": "map", "map_notes": "The mill burns."}
    gone = field.cast.browser(GERMAN).post(field.cast.address(f"battles/{KEY}/"), form)
    assert gone.status_code == 409
    assert "The mill burns." in gone.content.decode()


def test_a_text_with_markup_is_shown_as_text(field: Field) -> None:
    post(field, GERMAN, "map", map_name="<b>x</b>", map_notes="<script>y</script>", map_link="")
    assert "<script>y" not in get(field, ALLIED)
    assert "&lt;b&gt;x" in get(field, ALLIED)


def test_an_agreed_time_is_in_the_calendars_of_its_two_players_alone(field: Field) -> None:
    names = (GERMAN, ALLIED, "german staff", "gm")
    paths = {name: address_of(field.cast, name) for name in names}
    before = {name: read(path) for name, path in paths.items()}
    meets = (field.time.now + timedelta(days=2)).replace(second=0, microsecond=0)
    post(field, GERMAN, "propose", time_1=local(meets))
    assert {name: read(path) for name, path in paths.items()} == before
    post(field, ALLIED, "accept", time=meets.isoformat())
    for name in names:
        more = [each for each in read(paths[name]) if each not in before[name]]
        assert [at(each) for each in more] == ([meets] if name in (GERMAN, ALLIED) else [])
        page = field.cast.browser(name).get(field.cast.address("calendar/")).content.decode()
        assert (f"battle of Clervaux ({KEY})" in page) == (name in (GERMAN, ALLIED))
    post(field, GERMAN, "withdraw")
    assert {name: read(path) for name, path in paths.items()} == before


# --- who, when and where, on the printed page -------------------------------------------------------------------------


def people(field: Field, name: str, key: str = KEY) -> str:
    return " ".join(get(field, name, key).partition('id="who-and-when"')[2].partition("</section>")[0].split())


def test_those_who_do_not_fight_a_battle_are_not_told_what_its_players_do(field: Field) -> None:
    field.assign(GERMAN, "german tactical")
    for_players = ("here you agree when to play", "what you propose or report here", "use the page Questions")
    shown = people(field, "german tactical")
    assert all(words in shown for words in for_players)
    for name in (GERMAN, "german staff", ALLIED.replace("commander", "staff")):
        shown = people(field, name)
        assert not any(words in shown for words in for_players)
        assert "Game master" in shown
        assert "is accepted" in shown


def test_every_present_game_master_is_named_with_an_address_or_without(field: Field) -> None:
    User.objects.filter(username="co-gm").update(email="")
    assert "co-gm, gm" in people(field, GERMAN)
    field.cast.member("co-gm").delete()
    assert "co-gm" not in people(field, GERMAN)
    Membership.objects.filter(role=Role.GM).update(left_at=field.time.now)
    shown = people(field, GERMAN)
    assert "Game master" not in shown
    assert "Deadlines" in shown


def test_nobody_is_named_as_game_master_in_practice(field: Field) -> None:
    Campaign.objects.update(practice=True)
    assert "Game master" not in people(field, GERMAN)


def test_a_map_with_pictures_and_no_name_is_remembered(field: Field) -> None:
    assert f"none is remembered for {KEY}" in people(field, GERMAN)
    with TemporaryFile() as sent:
        sent.write(saved(photo((60, 40)), "JPEG"))
        sent.seek(0)
        assert pictures.add_picture(field.viewer(ALLIED), field.which(), sent, "") is pictures.Done.ADDED
    shown = people(field, GERMAN)
    assert "none is remembered" not in shown
    assert "1 picture of it is on this page" in shown
    post(field, GERMAN, "map", **MAP)
    shown = people(field, GERMAN)
    assert "Clervaux" in shown
    assert "1 picture of it" in shown
