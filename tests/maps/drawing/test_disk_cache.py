"""Sheets in files: the same maps come out of them, whatever happens to the files."""

import os
import pickle
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PIL import features

from campaign.engine.display.views import BaseMap
from campaign.engine.values.value import replace
from campaign.maps import painter
from campaign.maps.base import layout
from campaign.maps.drawing import disk_cache
from campaign.maps.drawing import edition as editions
from campaign.maps.drawing.disk_cache import DISK_CACHE, DiskCache
from campaign.maps.drawing.edition import digest_of, edition, version_of
from campaign.maps.painter import SHEETS, bare_sheet, draw, draw_ahead, sheet_of
from campaign.maps.style.schemes import DARK, DEFAULT, SCHEMES
from tests.maps.examples import BASE, RED_VIEW, WIDTH

PLATE = f"{digest_of(BASE)}-{WIDTH}-default"
SURVEY = f"{digest_of(BASE)}-{WIDTH}"


def forget() -> None:
    """As if the process had just begun."""
    for memory in (SHEETS, layout._SURVEYS, layout._LAYOUTS):
        memory.clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(DISK_CACHE, "folder", tmp_path / "sheets")
    forget()
    yield tmp_path / "sheets" / edition()
    forget()


def forbidden(*_: object) -> None:
    raise AssertionError("it was drawn")


@pytest.fixture
def pressless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be drawn but from files."""
    monkeypatch.setattr(painter, "render_base", forbidden)
    monkeypatch.setattr(layout, "_surveyed", forbidden)


# --- the same from a file ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "scheme"), [(300, "default"), (WIDTH, "dark"), (1600, "print")])
def test_a_sheet_from_its_file_gives_the_same_bytes_as_one_just_drawn(
    folder: Path, monkeypatch: pytest.MonkeyPatch, width: int, scheme: str
) -> None:
    colours = SCHEMES[scheme]
    monkeypatch.setattr(DISK_CACHE, "folder", None)
    never_kept = [draw(BASE, RED_VIEW, width=width, colours=colours), bare_sheet(BASE, width=width, colours=colours)]
    assert not folder.exists()
    monkeypatch.setattr(DISK_CACHE, "folder", folder.parent)
    for drawing in (True, False):
        forget()
        if not drawing:
            monkeypatch.setattr(painter, "render_base", forbidden)
            monkeypatch.setattr(layout, "_surveyed", forbidden)
        got = [draw(BASE, RED_VIEW, width=width, colours=colours), bare_sheet(BASE, width=width, colours=colours)]
        assert got == never_kept


def test_what_is_drawn_ahead_nobody_draws_again(folder: Path, request: pytest.FixtureRequest) -> None:
    assert draw_ahead(BASE, WIDTH, DARK)
    assert not draw_ahead(BASE, WIDTH, DARK)
    assert (folder / f"{digest_of(BASE)}-{WIDTH}-dark").is_file()
    forget()
    request.getfixturevalue("pressless")
    assert draw(BASE, RED_VIEW, width=WIDTH, colours=DARK)


@pytest.mark.parametrize("name", [PLATE, SURVEY])
def test_what_is_missing_of_a_sheet_is_drawn_ahead(folder: Path, name: str) -> None:
    draw_ahead(BASE, WIDTH, DEFAULT)
    (folder / name).unlink()
    assert draw_ahead(BASE, WIDTH, DEFAULT)
    assert (folder / name).is_file()
    assert not draw_ahead(BASE, WIDTH, DEFAULT)


def test_drawing_ahead_keeps_neither_sheet_nor_layout_in_memory(folder: Path) -> None:
    draw_ahead(BASE, WIDTH, DEFAULT)
    assert (SHEETS.weight, layout._LAYOUTS.weight, folder.is_dir()) == (0, 0, True)


def test_the_contents_of_a_map_leave_no_trace_in_its_files(folder: Path) -> None:
    draw(BASE, replace(RED_VIEW, counters=()), width=WIDTH)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    shutil.rmtree(folder)
    forget()
    draw(BASE, RED_VIEW, width=WIDTH)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_scheme_of_somebody_s_own_is_kept_under_no_name(folder: Path) -> None:
    class Own(type(DEFAULT)):  # type: ignore[misc]
        """Another value of the same name."""

    own = Own(**vars(DEFAULT))
    assert sheet_of(BASE, WIDTH, own).rows == sheet_of(BASE, WIDTH, DEFAULT).rows
    assert sorted(path.name for path in folder.iterdir()) == [SURVEY, PLATE]


# --- files that cannot be used ----------------------------------------------------------------------------------------


def flipped(path: Path) -> bytes:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    return bytes(content)


def of_another(path: Path) -> bytes:
    """A sound file under a name that is not its own."""
    draw_ahead(replace(BASE, title="Another"), WIDTH, DEFAULT)
    (other,) = (each for each in path.parent.glob("*-default") if each.name != PLATE)
    return other.read_bytes()


HARM: Mapping[str, Callable[[Path], bytes]] = {
    "a bit is wrong": flipped,
    "half of it is missing": lambda path: path.read_bytes()[:1000],
    "it is empty": lambda _: b"",
    "it is another's": of_another,
    "it is a pickle": lambda _: pickle.dumps({"rows": b""}),
    "it is sealed nonsense": lambda path: disk_cache._digest(path.name, b"nonsense") + b"nonsense",
}


@pytest.mark.parametrize("name", [PLATE, SURVEY])
@pytest.mark.parametrize("harm", HARM)
def test_a_damaged_file_is_drawn_again_and_reported(
    folder: Path, caplog: pytest.LogCaptureFixture, name: str, harm: str
) -> None:
    first = draw(BASE, RED_VIEW, width=WIDTH)
    sound = (folder / name).read_bytes()
    (folder / name).write_bytes(HARM[harm](folder / name))
    forget()

    assert draw(BASE, RED_VIEW, width=WIDTH) == first
    assert f"{name} is damaged" in caplog.text
    assert (folder / name).read_bytes() == sound


def test_where_nothing_can_be_written_maps_are_still_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(DISK_CACHE, "folder", tmp_path / "file" / "sheets")
    forget()
    assert draw(BASE, RED_VIEW, width=WIDTH)
    assert "cannot be written" in caplog.text
    with pytest.raises(OSError, match="is not in its file"):
        draw_ahead(BASE, WIDTH, DEFAULT)


def test_the_last_of_the_disk_is_not_for_sheets(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(disk_cache, "ROOM", 2**80)
    assert draw(BASE, RED_VIEW, width=WIDTH)
    assert list(folder.iterdir()) == []
    assert "the disk is nearly full" in caplog.text


def test_a_file_that_was_not_finished_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            draw_ahead(BASE, WIDTH, DEFAULT)
    assert all(path.name.startswith(".") for path in folder.iterdir())
    assert draw_ahead(BASE, WIDTH, DEFAULT)


# --- editions ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def upgraded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another Pillow."""
    monkeypatch.setattr(features, "version", lambda library: f"99 {library}")
    editions.edition.cache_clear()
    yield
    monkeypatch.undo()
    editions.edition.cache_clear()


def test_files_of_another_edition_are_drawn_again(folder: Path, request: pytest.FixtureRequest) -> None:
    draw_ahead(BASE, WIDTH, DEFAULT)
    before = version_of(BASE)
    request.getfixturevalue("upgraded")
    forget()
    assert version_of(BASE) != before
    assert draw_ahead(BASE, WIDTH, DEFAULT)
    assert edition() != folder.name


@pytest.mark.parametrize(
    "part", ["maps/land/terrain.py", "engine/board/hexes.py", "DejaVuSansCondensed.ttf", "jpg", "python"]
)
def test_the_edition_is_of_all_that_has_a_part_in_the_look_of_a_sheet(part: str) -> None:
    assert [line for line in editions._parts() if part in line]


@pytest.mark.parametrize("other", [replace(BASE, title="x"), replace(BASE, grounds=BASE.grounds[:-1])])
def test_every_base_map_has_its_own_files(other: BaseMap) -> None:
    assert digest_of(other) != digest_of(BASE)
    assert version_of(other) != version_of(BASE)


# --- keeping order ----------------------------------------------------------------------------------------------------


def test_what_nobody_uses_is_deleted_and_what_somebody_uses_stays(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for colours in (DEFAULT, DARK):
        draw_ahead(BASE, WIDTH, colours)
    (folder.parent / "older edition").mkdir()
    (folder.parent / "older edition" / "sheet").write_bytes(b"")
    long_ago = datetime.now().astimezone() - timedelta(days=40)
    for path in folder.parent.glob("*/*"):
        os.utime(path, (long_ago.timestamp(), long_ago.timestamp()))
    forget()
    draw(BASE, RED_VIEW, width=WIDTH, colours=DARK)

    assert DISK_CACHE.forget(long_ago + timedelta(days=1)) == 2
    assert sorted(path.name for path in folder.iterdir()) == [SURVEY, f"{SURVEY}-dark"]
    assert [path for path in folder.parent.iterdir() if path.is_dir()] == [folder]
    assert caplog.text == ""


def test_one_draws_ahead_at_a_time(tmp_path: Path) -> None:
    one, another = DiskCache(tmp_path / "sheets"), DiskCache(tmp_path / "sheets")
    with one.alone() as first, another.alone() as second:
        assert (first, second) == (True, False)
    with another.alone() as again:
        assert again


def test_without_a_folder_nothing_is_kept() -> None:
    assert DISK_CACHE.folder is None
    assert not DISK_CACHE.use(PLATE)
    assert DISK_CACHE.forget(datetime.now().astimezone()) == 0
    with DISK_CACHE.alone() as alone:
        assert not alone
