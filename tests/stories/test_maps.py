"""Pictures of battle maps: the players of a battle in a hex see, add and remove them, and nothing says who did."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.messages import get_messages
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.models import Battle, PhaseState
from campaign.people import throttles
from gm.desk.reopening import reopen
from gm.verification import faults
from stories import keeping, maps, views
from stories.erasing import Erased, erase
from stories.models import MapPicture, Picture
from tests.battles import KEY, Field, field
from tests.gm.campaigns import live
from tests.stories.conftest import file
from tests.stories.hostile import CANARY, HOSTILE, KEPT, exif, photo, saved
from tests.web.battles.test_battle_kit import get, without_token
from tests.web.conftest import ANONYMOUS, OUTSIDER, rows

__all__ = ["field"]
pytestmark = pytest.mark.django_db

GERMAN, ALLIED, NAMED = "german commander", "allied commander", "german tactical"
OTHER = "G20"
GONE = "0" * 32


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any) -> None:
    settings.PICTURES = tmp_path / "pictures"


def form(field: Field, act: str, **more: Any) -> dict[str, Any]:
    return {"stop": field.phase.no, "rev": field.phase.rev, "act": act, **more}


def sends(field: Field, who: str, act: str, key: str = KEY, **more: Any) -> Any:
    return field.cast.browser(who).post(field.cast.address(f"battles/{key}/map/"), form(field, act, **more))


def adds(field: Field, who: str = GERMAN, size: tuple[int, int] = (600, 400), key: str = KEY, **more: Any) -> Any:
    return sends(field, who, "map_picture", key, **{"picture": file(saved(photo(size), "JPEG")), **more})


def there(field: Field, who: str = "gm", key: str = KEY) -> tuple[Picture, ...]:
    return maps.pictures_of(field.viewer(who), field.battle(key))


def fetches(field: Field, who: str, name: str, key: str = KEY) -> Any:
    return field.cast.browser(who).get(field.cast.address(f"battles/{key}/map/{name}"))


def said(answer: Any) -> list[str]:
    """The messages that the next page shows."""
    return [str(each) for each in get_messages(answer.wsgi_request)]


def section(page: str) -> str:
    return page.partition('id="map"')[2].partition("</section>")[0]


def kept() -> set[str]:
    return {path.name for path in Path(settings.PICTURES).glob("??/*")}


def stored(field: Field) -> tuple[list[Any], list[str], set[str]]:
    return list(MapPicture.objects.values()), field.acts(), kept()


def unlike_the_record(field: Field) -> list[str]:
    return [str(each) for each in faults(field.cast.campaign) if each.where.startswith("mappicture")]


# --- adding and seeing -----------------------------------------------------------------------------------------------


def test_a_picture_is_added_and_seen_by_the_players_of_the_battle_and_the_gm(field: Field) -> None:
    assert adds(field, map_caption="The north edge").status_code == 302
    (picture,) = there(field)
    for who in (GERMAN, ALLIED, "gm"):
        assert f"/battles/{KEY}/map/{picture.name}" in get(field, who)
        assert "The north edge" in section(get(field, who))
        answer = fetches(field, who, picture.name)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/jpeg")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "Last-Modified" not in answer.headers
        assert fetches(field, who, picture.small_name).status_code == 200
    assert picture.token not in get(field, GERMAN, OTHER)
    assert unlike_the_record(field) == []
    assert field.acts()[-1] == "map picture"


@pytest.mark.parametrize("who", [NAMED, "german staff", "allied staff", "spectator", OUTSIDER, ANONYMOUS])
def test_nobody_else_finds_or_adds_or_removes_a_picture(field: Field, who: str) -> None:
    adds(field)
    (picture,) = there(field)
    answers = [fetches(field, who, name) for name in (picture.name, picture.small_name, f"{GONE}.jpg")]
    assert len({(answer.status_code, answer.content) for answer in answers if who != ANONYMOUS}) <= 1
    assert all(answer.status_code == (302 if who == ANONYMOUS else 404) for answer in answers)
    before = stored(field)
    refused = (adds(field, who, (70, 40)), sends(field, who, "remove_map_picture", map_picture=picture.token))
    expected = (400, 302) if who == ANONYMOUS else (404, 404)
    assert tuple(answer.status_code for answer in refused) == expected
    assert stored(field) == before
    assert len(kept()) == 2


def test_a_picture_is_found_under_its_own_hex_alone(field: Field) -> None:
    adds(field)
    (picture,) = there(field)
    assert fetches(field, GERMAN, picture.name, OTHER).status_code == 404
    assert sends(field, GERMAN, "remove_map_picture", OTHER, map_picture=picture.token).status_code == 409
    assert there(field) == (picture,)


def test_who_gives_up_a_battle_sees_its_pictures_no_more_and_their_successor_does(field: Field) -> None:
    adds(field)
    (picture,) = there(field)
    field.assign(GERMAN, NAMED)
    assert fetches(field, GERMAN, picture.name).status_code == 404
    assert fetches(field, NAMED, picture.name).status_code == 200


def test_once_the_phase_is_published_nobody_finds_them(field: Field) -> None:
    adds(field)
    (picture,) = there(field)
    field.phase.state, field.phase.published_at = PhaseState.PUBLISHED, field.time.now
    field.phase.save()
    for who in (GERMAN, ALLIED, "gm"):
        assert fetches(field, who, picture.name).status_code == 404


def test_the_next_battle_there_has_them_whoever_fights_it(field: Field) -> None:
    adds(field)
    reopen(field.viewer("gm"), reason="the wrong map")
    again = Battle.objects.create(phase=live(field.cast.campaign), key="later", attacker="german", defender="allied")
    MapPicture.objects.update(place="later")
    assert len(maps.pictures_of(field.viewer(ALLIED), again)) == 1


# --- what they do not say --------------------------------------------------------------------------------------------


def test_a_picture_does_not_say_who_added_it_when_or_what_its_file_was_called(field: Field) -> None:
    named = file(saved(photo(), "JPEG", exif=exif(), comment=CANARY) + CANARY, name="bayerlein-day-3.jpg")
    assert adds(field, picture=named).status_code == 302
    (picture,) = there(field)
    for name in (picture.name, picture.small_name):
        assert CANARY not in fetches(field, ALLIED, name).content
    assert "bayerlein" not in str(rows())
    page = section(get(field, ALLIED))
    assert GERMAN not in page
    assert "<time" not in page


def test_their_order_follows_from_the_pictures_alone(field: Field) -> None:
    sizes = [(60 + n, 40) for n in range(4)]
    for size in sizes:
        adds(field, size=size)
    first = [picture.digest for picture in there(field)]
    for picture in there(field):
        maps.remove_picture(field.viewer("gm"), field.which(), picture.token)
    for size in reversed(sizes):
        adds(field, ALLIED, size)
    assert [picture.digest for picture in there(field)] == first
    page = section(get(field, GERMAN))
    found = [page.index(picture.small_name) for picture in there(field)]
    assert found == sorted(found)


def test_the_other_side_sees_no_change_elsewhere(field: Field) -> None:
    field.assign(ALLIED, "allied tactical")
    pages = ["", "battles/", "stops/", "gm/log/", "calendar/", "questions/"]

    def read(who: str) -> list[str]:
        browser = field.cast.browser(who)
        return [without_token(browser.get(field.cast.address(page)).content.decode()) for page in pages]

    before = {who: read(who) for who in (ALLIED, "allied staff", "spectator")}
    adds(field)
    assert {who: read(who) for who in before} == before


# --- removing --------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("who", [GERMAN, ALLIED, "gm"])
def test_any_player_of_the_battle_and_the_gm_remove_a_picture_from_the_disk(field: Field, who: str) -> None:
    adds(field, GERMAN)
    (picture,) = there(field)
    assert len(kept()) == 2
    assert sends(field, who, "remove_map_picture", map_picture=picture.token).status_code == 302
    assert there(field) == ()
    assert kept() == set()
    assert fetches(field, GERMAN, picture.name).status_code == 404
    assert field.acts()[-1] == "map picture removed"
    assert unlike_the_record(field) == []
    again = sends(field, who, "remove_map_picture", map_picture=picture.token)
    assert again.status_code == 409


def test_a_file_that_another_hex_has_too_stays(field: Field) -> None:
    adds(field)
    field.assign(GERMAN, NAMED, key=OTHER)
    adds(field, NAMED, key=OTHER)
    (picture,), (other,) = there(field), there(field, key=OTHER)
    assert picture.digest == other.digest
    assert picture.token != other.token
    maps.remove_picture(field.viewer(GERMAN), field.which(), picture.token)
    assert len(kept()) == 2
    assert keeping.sweep(field.time.now) == 0
    assert unlike_the_record(field) == []


def test_verify_misses_a_file_that_is_gone(field: Field) -> None:
    adds(field)
    (picture,) = there(field)
    whole, _ = keeping.paths_of(picture)
    whole.unlink()
    assert [each.partition(": ")[2] for each in unlike_the_record(field)] == [f"its file {whole.name} is missing"]
    assert fetches(field, GERMAN, picture.name).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_erasing_an_account_deletes_its_pictures_of_maps(field: Field) -> None:
    adds(field, GERMAN)
    adds(field, ALLIED, (70, 40))
    assert erase(field.cast.user(GERMAN)) == Erased(stories=0, of_maps=1)
    (left,) = there(field)
    assert kept() == {path.name for path in keeping.paths_of(left)}
    assert unlike_the_record(field) == []


@pytest.mark.django_db(transaction=True)
def test_an_account_that_is_deleted_takes_its_pictures_of_maps_along(field: Field) -> None:
    field.assign(GERMAN, NAMED)
    adds(field, NAMED)
    field.cast.user(NAMED).delete()
    assert kept() == set()
    assert not MapPicture.objects.exists()
    assert unlike_the_record(field) == []


@pytest.mark.django_db(transaction=True)
def test_an_account_is_erased_while_others_add_pictures_and_the_sweep_deletes_the_files(
    field: Field, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    adds(field, GERMAN)
    monkeypatch.setattr(keeping, "PATIENCE", 0.05)
    with keeping.alone():
        erase(field.cast.user(GERMAN))
    assert not MapPicture.objects.exists()
    assert len(kept()) == 2
    assert "the next sweep deletes" in caplog.text
    assert keeping.sweep(timezone.now() + keeping.KEPT_UNNAMED * 2) == 2
    assert kept() == set()


@pytest.mark.django_db(transaction=True)
def test_the_command_says_what_it_has_deleted_of_maps(field: Field, capsys: pytest.CaptureFixture[str]) -> None:
    adds(field, GERMAN)
    call_command("erase_stories", GERMAN)
    assert capsys.readouterr().out == f"Done for {GERMAN}: 1 picture of battle maps is deleted.\n"
    call_command("erase_stories", GERMAN)
    assert capsys.readouterr().out == f"{GERMAN} has no stories and no pictures of battle maps.\n"


def test_a_removal_reads_no_more_rows_than_those_with_its_files(field: Field) -> None:
    for size in ((60, 40), (61, 40), (62, 40)):
        adds(field, size=size)
    before, (first, *_) = kept(), there(field)
    with CaptureQueriesContext(connection) as run:
        keeping.delete([first])
    (query,) = [each["sql"] for each in run if "stories_mappicture" in each["sql"]]
    assert first.digest in query
    assert kept() == before


# --- what is refused -------------------------------------------------------------------------------------------------

REFUSED = [name for name, (_, said) in HOSTILE.items() if said != KEPT]


@pytest.mark.parametrize("name", ["nothing", "half a JPEG", "a WebP that says that it is huge", "8 MB and a byte",
                                  "a line of 20,001 pixels", "SVG with a script", "an archive", "a PDF"])  # fmt: skip
def test_a_file_that_is_no_picture_is_refused_and_the_caption_is_kept(field: Field, name: str) -> None:
    assert name in REFUSED
    make, said = HOSTILE[name]
    before = stored(field)
    answer = adds(field, picture=file(make(), "photo.png", "image/png"), map_caption="The north edge")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert said in page
    assert 'value="The north edge"' in section(page)
    assert "<details" in section(page)
    assert stored(field) == before
    assert kept() == set()
    assert not list(Path(settings.FILE_UPLOAD_TEMP_DIR).iterdir())


def test_captions_that_cannot_be_taken_come_back(field: Field) -> None:
    for caption, said in (("x" * 201, "200 are the most"), ("a\u202eb", "Character 2 of line 1 of the caption")):
        answer = adds(field, map_caption=caption)
        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert f'value="{caption}"' in answer.content.decode()
    assert adds(field, picture="").status_code == 422
    assert not MapPicture.objects.exists()


def test_a_map_has_at_most_ten_pictures_and_the_same_one_once(field: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "MOST", 2)
    adds(field, map_caption="The north edge")
    (first,) = there(field)
    again = adds(field, ALLIED)
    assert again.status_code == 302
    assert said(again) == ["This picture is there already."]
    assert there(field) == (first,), "no caption was sent, so its caption stays"
    again = adds(field, ALLIED, map_caption="The mill")
    assert said(again) == ["This picture is there already. It has your caption now."]
    (second,) = there(field)
    assert (second.token, second.caption) == (first.token, "The mill")
    assert unlike_the_record(field) == []
    assert kept() == {path.name for path in keeping.paths_of(first)}
    adds(field, size=(61, 40))
    answer = adds(field, size=(62, 40), map_caption="A third")
    assert answer.status_code == 422
    assert "a map has at most 2" in answer.content.decode()
    assert 'value="A third"' in answer.content.decode()
    assert len(there(field)) == 2


def test_the_phase_must_be_open(field: Field) -> None:
    adds(field)
    (picture,) = there(field)
    field.phase.state = PhaseState.LOCKED
    field.phase.save()
    answer = adds(field, size=(61, 40), map_caption="Too late")
    assert answer.status_code == 409
    assert 'value="Too late"' in answer.content.decode()
    assert sends(field, GERMAN, "remove_map_picture", map_picture=picture.token).status_code == 409
    assert there(field) == (picture,)
    assert fetches(field, GERMAN, picture.name).status_code == 200


def _full(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(keeping, "ROOM", 10**18)


def _failing(patch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    patch.setattr(os, "fsync", full)


@pytest.mark.parametrize("break_", [_full, _failing])
def test_a_full_disk_is_said_and_the_caption_kept(
    field: Field, monkeypatch: pytest.MonkeyPatch, break_: Callable[[pytest.MonkeyPatch], None]
) -> None:
    break_(monkeypatch)
    answer = adds(field, map_caption="The north edge")
    assert answer.status_code == 422
    assert "disk is nearly full" in answer.content.decode()
    assert 'value="The north edge"' in answer.content.decode()


def test_who_finds_the_pictures_locked_is_asked_to_wait(field: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    adds(field)
    (picture,) = there(field)
    monkeypatch.setattr(keeping, "PATIENCE", 0.05)
    with keeping.alone():
        answers = [adds(field, size=(61, 40)), sends(field, ALLIED, "remove_map_picture", map_picture=picture.token)]
    for answer in answers:
        assert answer.status_code == 422
        assert "Wait a minute" in answer.content.decode()
    assert there(field) == (picture,)


@pytest.mark.parametrize("limit", [throttles.PICTURES, throttles.PICTURES_A_DAY, throttles.STORIES])
def test_nobody_sends_pictures_of_maps_without_end(field: Field, limit: Any) -> None:
    before = limit.most
    object.__setattr__(limit, "most", 1)
    try:
        answers = [adds(field, size=(62 + n, 40), map_caption="Kept") for n in range(2)]
    finally:
        object.__setattr__(limit, "most", before)
    assert [answer.status_code for answer in answers] == [302, 429]
    assert 'value="Kept"' in answers[-1].content.decode()


def test_refusals_speak_of_maps_and_not_of_stories(field: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [adds(field, picture=file(HOSTILE["a PDF"][0](), "photo.png", "image/png"))]
    monkeypatch.setattr(keeping, "PATIENCE", 0.05)
    with keeping.alone():
        pages.append(adds(field))
    for limit in (throttles.STORIES, throttles.PICTURES, throttles.PICTURES_A_DAY):
        with monkeypatch.context() as patch:
            patch.setattr(views, "may", lambda _request, asked, limit=limit: asked is not limit)
            pages.append(adds(field))
    monkeypatch.setattr(keeping, "ROOM", 10**18)
    pages.append(adds(field))
    for page in pages:
        shown = page.content.decode().partition('role="alert">')[2].partition("</p>")[0]
        assert shown.strip().startswith("Not added:") or "picture was not added" in shown
        assert not any(
            word in shown for word in ("save again", "Save now", "else was saved", "Not saved", "takes text")
        )


def test_two_files_are_one_too_many(field: Field) -> None:
    assert adds(field, picture=[file(), file()]).status_code == 400


def test_an_act_that_there_is_not_is_not_found(field: Field) -> None:
    assert sends(field, GERMAN, "anything").status_code == 404
