"""Files of pictures are written whole, missed when they are gone, and deleted when no story names them."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from campaign.models import Membership
from gm.machine.sweeper import sweep as sweep_all
from stories import keeping
from stories.erasing import Erased, erase
from stories.models import Story
from tests.stories.conftest import ALLIED, GERMAN, TALE, Tales, file
from tests.stories.hostile import photo, saved

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: object) -> None:
    settings.PICTURES = tmp_path / "pictures"  # type: ignore[attr-defined] # pytest-django's


def kept() -> set[str]:
    return {path.name for path in Path(settings.PICTURES).glob("??/*")}


def named(story: Story) -> set[str]:
    return {path.name for picture in story.pictures for path in keeping.paths_of(picture)}


def test_files_are_named_by_their_digests_and_only_the_owner_reads_them(tales: Tales) -> None:
    story = tales.written(picture=file())
    assert kept() == named(story)
    for path in Path(settings.PICTURES).glob("??/*"):
        assert path.stat().st_mode & 0o077 == 0


def test_a_picture_that_two_have_is_there_once(tales: Tales) -> None:
    first, second = (tales.written(who, picture=file()) for who in (GERMAN, ALLIED))
    assert named(first) == named(second) == kept()
    assert first.pictures[0].token != second.pictures[0].token


def test_verify_misses_a_file_that_is_gone_or_changed(tales: Tales) -> None:
    story = tales.written(picture=file())
    whole, small = keeping.paths_of(story.pictures[0])
    assert tales.faults() == []
    small.write_bytes(b"something else")
    assert [fault.partition(": ")[2] for fault in tales.faults()] == [f"its file {small.name} was changed"]
    whole.unlink()
    assert [fault.partition(": ")[2] for fault in tales.faults()] == [f"its file {whole.name} is missing"]
    assert tales.browser(GERMAN).get(f"{tales.all}{story.pictures[0].name}").status_code == 404


def test_verify_notices_a_story_that_was_edited_and_a_reader_who_was_added(tales: Tales) -> None:
    story = tales.written()
    Story.objects.update(text="Another text")
    assert tales.faults() != []
    Story.objects.update(text=TALE)
    assert tales.faults() == []
    story.all_tellings.create(audience="allied")
    assert tales.faults() != []


def test_the_sweep_deletes_what_no_story_names_after_an_hour(tales: Tales, monkeypatch: pytest.MonkeyPatch) -> None:
    story = tales.written(picture=file())
    other = tales.written(ALLIED, picture=file(saved(photo((70, 50)), "JPEG")))
    tales.browser(ALLIED).post(tales.page, {"act": "remove"})
    now = tales.field.time.now = tales.field.time.now + timedelta(days=365 * 20)
    with monkeypatch.context() as patch:
        patch.setattr(keeping, "KEPT_UNNAMED", timedelta(days=365 * 40))
        assert keeping.sweep(now) == 0
    assert kept() == named(story) | named(other)
    assert keeping.sweep(now) == 1
    assert kept() == named(story)
    assert tales.faults() == []


def test_the_sweeper_tidies_pictures_and_interrupted_uploads(tales: Tales) -> None:
    left = Path(settings.FILE_UPLOAD_TEMP_DIR) / "tmpleft.upload"
    left.write_bytes(b"half a picture")
    os.utime(left, (1, 1))
    tales.field.time.now += timedelta(hours=2)
    sweep_all(worker="one")
    assert not left.exists()


def test_a_sweep_leaves_it_for_later_while_somebody_adds_pictures(
    tales: Tales, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "PATIENCE", 0.05)
    with keeping.alone():
        assert keeping.sweep(tales.field.time.now) == 0


def test_a_picture_that_cannot_be_written_is_refused_with_its_text(
    tales: Tales, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    answer = tales.writes(picture=file())
    assert answer.status_code == 503
    assert TALE in answer.content.decode()
    assert kept() == set()
    assert not Story.objects.exists()


# --- erasing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [False, True])
@pytest.mark.django_db(transaction=True)
def test_erasing_a_person_deletes_their_pictures_and_their_name(tales: Tales, left: bool) -> None:  # noqa: FBT001
    own, other = tales.written(picture=file()), tales.written(ALLIED, picture=file(saved(photo((70, 50)), "JPEG")))
    tales.publish()
    tales.opens("sides")
    if left:
        Membership.objects.filter(user__username=GERMAN).update(left_at=tales.field.time.now)
    assert erase(tales.cast.user(GERMAN)) == Erased(stories=1, of_maps=0)
    assert kept() == named(other)
    page = tales.reads(ALLIED)
    assert "Someone whose account was erased" in page
    assert GERMAN not in page.partition("<main")[2]
    assert "We crossed the Our" in page
    assert "<img" not in page.partition("<article")[2]
    assert tales.faults() == []
    assert tales.browser("gm").get(f"{tales.all}{own.pictures[0].name}").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_picture_that_somebody_else_has_too_stays_theirs(tales: Tales) -> None:
    tales.written(picture=file())
    other = tales.written(ALLIED, picture=file())
    erase(tales.cast.user(GERMAN))
    assert kept() == named(other)
    assert tales.faults() == []


@pytest.mark.django_db(transaction=True)
def test_an_account_that_is_deleted_takes_its_pictures_along(tales: Tales) -> None:
    tales.field.assign(GERMAN, "german tactical")
    tales.written("german tactical", picture=file())
    tales.cast.user("german tactical").delete()
    assert kept() == set()
    assert Story.objects.get().author is None
    assert tales.faults() == []


@pytest.mark.django_db(transaction=True)
def test_the_operator_erases_by_a_command(tales: Tales, capsys: pytest.CaptureFixture[str]) -> None:
    tales.written(picture=file())
    call_command("erase_stories", GERMAN)
    assert "Done for german commander: 1 story has no name and no pictures any more." in capsys.readouterr().out
    assert kept() == set()
    with pytest.raises(CommandError, match="nobody called"):
        call_command("erase_stories", "nobody at all")
