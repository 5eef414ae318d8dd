"""Scenarios on disk: the supplied ones are valid, and a corrupt one is refused with file, line and fix."""

import shutil
from collections.abc import Callable
from math import prod
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from PIL import Image

from campaign.engine.board.hexes import corners
from campaign.engine.errors import ScenarioError
from campaign.engine.values.ids import PlaceId
from campaign.engine.values.value import replace
from campaign.game.loading import (
    MOST_BYTES,
    MOST_PICTURE_BYTES,
    Loaded,
    find_scenario,
    load_scenario,
    read_files,
    require_maps,
    scenario_files,
    supplied_scenarios,
)
from campaign.maps import size_of
from campaign.maps.drawing.sizes import WIDTHS
from campaign.maps.style import theme

ARDENNES = find_scenario("forum_campaign/ardennes-1944")
FILES = scenario_files(ARDENNES)
CHARTS = "charts/ardennes.toml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy = tmp_path / "ardennes"
    shutil.copytree(ARDENNES, copy)
    return copy


def edit(file: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def edited(file: str, old: str, new: str) -> dict[str, str]:
    """The files of the Ardennes, with a change in one of them."""
    assert old in FILES[file]
    return {**FILES, file: FILES[file].replace(old, new, 1)}


def line_of(file: str, text: str) -> int:
    lines = FILES[file].splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize("supplied", list(supplied_scenarios()), ids=lambda path: path.name)
def test_supplied_scenarios_are_sound(supplied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("check_scenario", f"{supplied.parent.name}/{supplied.name}")
    assert "a sound scenario of" in capsys.readouterr().out


Q19 = '"id": "Q19"'
ROADS, OUT = '"roads": [', '"roads_out": [{"hex": "%s", "to": "%s", "class": "primary"}],\n "roads": ['
FIRST_ROAD = '"a": "Z10", "b": "Y10"'


@pytest.mark.parametrize(
    ("file", "old", "new", "at", "said"),
    [
        ("scenario.toml", "first_day = 1944-12-16", 'first_day = "soon"', "first_day", "first_day"),
        ("scenario.toml", 'ruleset = "forum_campaign"', 'ruleset = "chess"', "ruleset", "no ruleset 'chess'"),
        (CHARTS, "roll = [2, 5]", "roll = [3, 5]", "[[weather.day]]", "must cover each roll"),
        (CHARTS, 'weather = "Snow"', 'weather = "Hail"', 'weather = "Snow"', "Invalid enum value 'Hail'"),
        (CHARTS, "clear = { sunny = 1", "clear = { sunny = 0", "[movement.terrain]", "Expected 'int' >= 1"),
        (
            CHARTS,
            "infantry_per_point = 5",
            "infantry_per_point = 0",
            "infantry_per_point",
            "Expected 'int' >= 1",
        ),
        (CHARTS, "enter_zone_of_control = 1", "enter_zone_of_control = -1", "enter_zone", "Expected 'int' >= 0"),
        ("scenario.toml", "players = [2, 12]", "players = [12, 2]", "players", "the fewest come first"),
        ("scenario.toml", "players = [2, 12]", "players = [1, 12]", "players", "players"),
        ("scenario.toml", "last_day = 1944-12-31", "last_day = 1944-12-01", "last_day", "is before the first day"),
        ("units.csv", "G-272VG,272 VG", "G-272VG,272 #1", "G-272VG,", "cannot be written in an order"),
        ("units.csv", "G-272VG,272 VG", "G-272VG,!!!", "G-272VG,", "cannot be written in an order"),
        ("units.csv", "G-272VG,272 VG", "G-272VG,272\x7f", "G-272VG,", "a character that cannot be shown"),
        ("map.json", '"town": "Manderfeld"', '"town": "Mander\\ud800feld"', Q19, "a character that cannot be shown"),
        (CHARTS, ", storm = 2 }", " }", "clear = {", "a cost for every weather"),
        (CHARTS, 'goods = "aa"', 'goods = "at"', "ware = [", "at is offered 2 times"),
        (CHARTS, "{ at = 50,", "{ at = 80,", "odds = [", "must begin at 0 and rise"),
        (CHARTS, "airborne = 120, ", "", "arms = {", "no line for airborne"),
        (CHARTS, "sides = { german", "sides = { germans", "sides = {", "there is no side 'germans'"),
        (CHARTS, "allied = 51 }", "allied = 0 }", "sides = {", "Expected 'int' >= 1"),
        ("map.json", f'{Q19}, "row": "Q"', '"id": "Q99x", "row": "Q"', Q19, "'Q99x' is not a hex number"),
        ("map.json", f'{Q19}, "row": "Q"', '"id": "Q18", "row": "Q"', Q19, "Q18 is in the file twice"),
        ("map.json", FIRST_ROAD, '"a": "Z10", "b": "A1"', FIRST_ROAD, "Z10 and A1 are not neighbours"),
        (
            "map.json",
            ROADS,
            OUT % ("Z10", "Y10"),
            ROADS,
            "does not lead from a hex of this map to one that is not",
        ),
        ("map.json", ROADS, OUT % ("A1", "B27"), ROADS, "A1 to B27 leads to a hex that is no neighbour"),
        ("map.json", ROADS, OUT % ("A1", "south"), ROADS, "does not lead from a hex of this map"),
        ("map.json", '"hex": "Z13"', '"hex": "ZZ"', '"name": "Maastricht"', "the entry Maastricht is at ZZ"),
        ("map.json", '"hexes": [', '"hexes": [[', "", "not valid JSON"),
        ("units.csv", "G-12VG,12 VG", "G-277VG,12 VG", "G-12VG,12 VG", "is in the file twice"),
        ("units.csv", "setup,Q20,", "setup,ZZ9,", "G-12VG,", "12 VG is at ZZ9"),
        ("units.csv", "setup,Q20,", "setup,Q21,", "G-3FJ,", "holds too many units"),
        ("units.csv", "setup,Q20,", "setup,Q19,", "U-14CAV,", "holds units of both sides"),
        ("units.csv", "german,DE,infantry,full", "german,DE,cavalry,full", "G-272VG,", "Invalid enum value 'cavalry'"),
        (
            "units.csv",
            "Kampfgruppe von der Heydte (Fallschirmjäger),german",
            "KG,allied",
            "G-HEYDTE",
            "only German units can jump",
        ),
        (
            "units.csv",
            "1944-12-17,reinforcement,N25",
            "1944-12-17,airdrop,",
            "G-FBB,",
            "another unit jumps on the same day",
        ),
        ("units.csv", "division,3,1944-12-16", "division,30,1944-12-16", "G-272VG,", "movement must be 1 to 12"),
    ],
)
def test_a_corrupt_file_is_named_with_line_and_cure(file: str, old: str, new: str, at: str, said: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        read_files(edited(file, old, new))
    error = refused.value
    assert error.file == file
    assert said in error.message
    assert error.cure
    assert not at or error.line == line_of(file, at)


TOWNS, WET = "town = { sunny = 1, gloomy = 1, snow = 1, wet = 1", 'Wet = { german = ["superiority", "cas"'


@pytest.mark.parametrize(
    ("file", "old", "new", "at", "fix"),
    [
        ("units.csv", "setup,Q20,", "setup,,", "G-12VG,", "12 VG is not on the map. Name a hex of this map."),
        (
            "units.csv",
            "1944-12-17,reinforcement,N25",
            "1944-12-17,airdrop,",
            "G-FBB,",
            "FBB: another unit jumps on the same day. Change its date.",
        ),
        (
            CHARTS,
            f"{TOWNS}, storm = 1",
            TOWNS,
            TOWNS,
            "movement.town needs a cost for every weather. Add the missing weather.",
        ),
        (
            CHARTS,
            WET,
            f'{WET}, "interdiction"',
            WET,
            "Wet: the Germans fly no interdiction and no air drops. Delete them.",
        ),
        (
            CHARTS,
            "Storm = { german = [], allied = [] }",
            "",
            "",
            "air.missions has no line for Storm. Add its line of missions.",
        ),
        (
            CHARTS,
            "date = 1944-12-20",
            "date = 1944-12-19",
            "",
            "1944-12-19 has 2 weather tables. Give each day one [[weather.day]].",
        ),
        (
            CHARTS,
            "roll = [2, 5]",
            "roll = [3, 5]",
            "[[weather.day]]",
            (
                "the weather lines of 1944-12-16 must cover each roll from 1 to 10 exactly once."
                " Correct the roll ranges of that day."
            ),
        ),
        (
            "map.json",
            '"supply": {"german": ["A20"',
            '"supply": {"german": ["ZZ9"',
            '"supply": {"german"',
            "supply of german: ZZ9 is not on this map. Name hexes of this map.",
        ),
    ],
)
def test_an_error_names_its_fix(file: str, old: str, new: str, at: str, fix: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        read_files(edited(file, old, new))
    line = f", line {line_of(file, at)}" if at else ""
    assert str(refused.value) == f"{file}{line}: {fix}"


def test_a_scenario_may_be_for_one_number_of_players_alone() -> None:
    assert read_files(edited("scenario.toml", "players = [2, 12]", "players = [4, 4]")).scenario.players == (4, 4)


@pytest.mark.parametrize(
    ("date", "air", "message"),
    [
        ("1944-12-16", "air_on_first_day = false\n", "KG Heydte would jump on the first day, on which nothing flies"),
        ("1944-12-15", "", "KG Heydte would jump before the first day, 1944-12-16"),
    ],
)
def test_nobody_may_be_due_to_jump_when_nobody_can(folder: Path, date: str, air: str, message: str) -> None:
    edit("units.csv", "1944-12-17,airdrop,", "1944-12-16,airdrop,")(folder)
    load_scenario(folder)
    edit("units.csv", "1944-12-16,airdrop,", f"{date},airdrop,")(folder)
    scenario = folder / "scenario.toml"
    scenario.write_text(air + scenario.read_text(encoding="utf-8"), encoding="utf-8")
    read_files(scenario_files(folder))  # as for a campaign that an older release created
    with pytest.raises(ScenarioError, match=message) as refused:
        load_scenario(folder)
    assert (refused.value.file, refused.value.line) == ("units.csv", line_of("units.csv", "G-HEYDTE"))
    assert refused.value.cure


@pytest.mark.parametrize("file", ["scenario.toml", "map.json", "units.csv", "tables.toml"])
def test_a_missing_file_is_named(folder: Path, file: str) -> None:
    (folder / file).unlink()
    with pytest.raises(ScenarioError, match=f"{file}: the file is missing"):
        load_scenario(folder)


def test_another_encoding_is_named_with_its_line(folder: Path) -> None:
    path = folder / "units.csv"
    path.write_bytes(path.read_text(encoding="utf-8").encode("latin-1"))
    with pytest.raises(ScenarioError, match="no UTF-8 text") as refused:
        load_scenario(folder)
    assert refused.value.line == line_of("units.csv", "Fallschirmjäger")


@pytest.mark.parametrize(("file", "text"), [("map.json", "[" * 100_000), ("map.json", "9" * 5_000)])
def test_a_monstrous_file_is_refused(folder: Path, file: str, text: str) -> None:
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match="cannot be read"):
        load_scenario(folder)


def test_a_huge_file_is_refused_unread(folder: Path) -> None:
    (folder / "map.json").write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(ScenarioError, match="too large"):
        load_scenario(folder)


def test_the_command_names_the_fault_and_fails(folder: Path) -> None:
    edit("units.csv", "setup,Q20,", "setup,ZZ9,")(folder)
    with pytest.raises(
        CommandError, match=r"units\.csv, line 6: 12 VG is at ZZ9, which is not on this map\. Name a hex"
    ):
        call_command("check_scenario", str(folder))
    with pytest.raises(CommandError, match="no such folder"):
        call_command("check_scenario", str(folder / "nowhere"))


# --- the picture under the map ----------------------------------------------------------------------------------------

ST_VITH = find_scenario("forum_campaign/st-vith-1944")
PICTURE = """
[background]
file = "country.png"
[background.hexes]
L12 = [60, 480]
P18 = [476, 240]
S23 = [857, 60]
"""


@pytest.fixture
def illustrated(tmp_path: Path) -> Path:
    """A small scenario with a picture under its map."""
    copy = tmp_path / "st-vith"
    shutil.copytree(ST_VITH, copy)
    with (copy / "scenario.toml").open("a", encoding="utf-8") as file:
        file.write(PICTURE)
    Image.new("RGB", (920, 540), "green").save(copy / "country.png")
    return copy


def refused(folder: Path) -> ScenarioError:
    with pytest.raises(ScenarioError) as error:
        load_scenario(folder)
    assert error.value.file == "scenario.toml"
    lines = (folder / "scenario.toml").read_text(encoding="utf-8").splitlines()
    assert lines[error.value.line - 1].startswith(("file", "[background.hexes]", "Q99", "strength", "shows", "north"))
    return error.value


def test_a_scenario_may_have_a_picture_under_its_map(illustrated: Path) -> None:
    loaded = load_scenario(illustrated)
    backdrop = loaded.base_map.backdrop

    assert backdrop is not None
    assert backdrop.picture == loaded.picture == (illustrated / "country.png").read_bytes()
    assert backdrop.pixel == pytest.approx((1 / 40, 1 / 40), rel=0.01)
    assert load_scenario(ST_VITH).base_map.backdrop is None


def test_a_picture_next_to_a_scenario_that_does_not_name_it_is_not_one_of_its_files(illustrated: Path) -> None:
    shutil.copy(ST_VITH / "scenario.toml", illustrated)
    shutil.copy(illustrated / "country.png", illustrated / "preview.png")

    assert load_scenario(illustrated).picture == b""
    assert not {"country.png", "preview.png"} & set(scenario_files(illustrated))


@pytest.mark.parametrize(
    "name",
    ["../country.png", "/etc/hostname.png", "sub/country.png", "..\\\\country.png", "a\\u0000.png", "a" * 200 + ".png"],
)
def test_a_picture_from_elsewhere_is_refused(illustrated: Path, name: str) -> None:
    shutil.copy(illustrated / "country.png", illustrated.parent)
    edit("scenario.toml", '"country.png"', f'"{name}"')(illustrated)
    error = refused(illustrated)

    assert "this is no name of a file in the scenario's folder" in error.message
    assert error.cure == "Put the picture next to scenario.toml, and write only its name."


def test_a_link_to_a_picture_is_refused(illustrated: Path) -> None:
    (illustrated / "country.png").rename(illustrated.parent / "elsewhere.png")
    (illustrated / "country.png").symlink_to(illustrated.parent / "elsewhere.png")
    error = refused(illustrated)

    assert (error.message, error.cure) == (
        "background 'country.png': this is a link",
        "Put the picture itself into the scenario's folder.",
    )


@pytest.mark.parametrize("how", ["missing", "a folder", "in capitals"])
def test_a_missing_picture_is_named(illustrated: Path, how: str) -> None:
    picture = illustrated / "country.png"
    picture.rename(illustrated / "COUNTRY.PNG")
    if how == "a folder":
        picture.mkdir()
    if how == "missing":
        (illustrated / "COUNTRY.PNG").unlink()
    error = refused(illustrated)

    assert error.message == "background 'country.png': there is no such picture in the scenario's folder"
    assert error.cure == "Put it there, or correct the name: capitals count."


def test_a_picture_that_its_name_calls_something_else_is_refused(illustrated: Path) -> None:
    edit("scenario.toml", '"country.png"', '"map.json"')(illustrated)
    assert "by its name this is no picture" in refused(illustrated).message


def test_a_huge_picture_is_refused_unread(illustrated: Path) -> None:
    with (illustrated / "country.png").open("ab") as file:
        file.truncate(MOST_PICTURE_BYTES + 1)
    error = refused(illustrated)

    assert error.message == "background 'country.png': the file is too large; 8 MB are the most"
    assert error.cure == "Make it smaller, or save it as JPEG."


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ((5001, 4000), "it has 5,001 × 4,000 pixels; the limit is 20,000,000"),
        ((700, 540), "it does not reach "),
        ((920, 300), "it does not reach "),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_refused(illustrated: Path, size: tuple[int, int], said: str) -> None:
    Image.new("1", size).save(illustrated / "country.png")
    error = refused(illustrated)

    assert error.message.startswith(f"background 'country.png': {said}")
    assert error.cure


def test_text_that_is_called_a_picture_is_refused(illustrated: Path) -> None:
    (illustrated / "country.png").write_text("this is none", encoding="utf-8")
    assert refused(illustrated).message == "background 'country.png': it is not a PNG, JPEG or WebP file"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("S23 =", "Q99 =", "background.hexes: Q99 is not on this map"),
        ("S23 = [857, 60]", "S23 = [60, 857]", "S23 is not above L12 in the background"),
        ('file = "country.png"', 'file = "country.png"\nstrength = 2', "background.strength: Expected 'float' <= 1"),
        ('file = "country.png"', 'file = "country.png"\nshows = ["hills"]', "background.shows"),
        ('file = "country.png"', 'file = "country.png"\nnorth = 90', "unknown field 'north'"),
        ('file = "country.png"', "file = 7", "background.file: Expected 'str'"),
    ],
)
def test_what_is_wrong_with_the_pins_of_a_picture_is_named(illustrated: Path, old: str, new: str, said: str) -> None:
    edit("scenario.toml", old, new)(illustrated)
    assert said in refused(illustrated).message


def test_the_command_draws_the_map_of_a_scenario(illustrated: Path) -> None:
    drawn = {}
    for colours in ("default", "dark"):
        call_command("check_scenario", str(illustrated), "--map", str(illustrated / "out.png"), "--colours", colours)
        with Image.open(illustrated / "out.png") as picture:
            drawn[colours] = picture.convert("RGB")
    (illustrated / "country.png").unlink()
    with pytest.raises(CommandError, match=r"scenario\.toml, line \d+: background 'country\.png': there is no such"):
        call_command("check_scenario", str(illustrated), "--map", str(illustrated / "none.png"))

    assert {picture.width for picture in drawn.values()} == {1600}
    assert drawn["default"].tobytes() != drawn["dark"].tobytes()
    assert not (illustrated / "none.png").exists()


def test_where_a_map_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(
        CommandError, match=r"^The map cannot be written to .*/no/map\.png: No such file or directory\.$"
    ):
        call_command("check_scenario", "forum_campaign/st-vith-1944", "--map", str(tmp_path / "no" / "map.png"))


# --- letters ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("scenario.toml", 'title = "Ardennes', 'title = "第三軍', "title: maps cannot print '第' (U+7B2C)"),
        ("map.json", '"town": "Manderfeld"', '"town": "הגנה"', "Q19: maps cannot print 'ה' (U+05D4)"),
        ("map.json", '"name": "Maastricht"', '"name": "Maas🐅"', "the entry at Z13: maps cannot print '🐅' (U+1F405)"),
        ("map.json", '"names": ["', '"names": ["ก', "rivers: maps cannot print 'ก' (U+0E01)"),
        ("units.csv", "G-272VG,272 VG", "G-272VG,272 V\u0361G", "G-272VG: maps cannot print '\u0361' (U+0361)"),
    ],
)
def test_letters_that_maps_cannot_print_are_refused(folder: Path, file: str, old: str, new: str, said: str) -> None:
    edit(file, old, new)(folder)
    with pytest.raises(ScenarioError) as error:
        load_scenario(folder)

    assert (error.value.file, error.value.message) == (file, said)
    assert error.value.line
    assert error.value.cure == "Write it in Latin, Greek or Cyrillic letters."


def test_names_in_other_alphabets_are_read_as_they_are(folder: Path) -> None:
    edit("units.csv", "G-272VG,272 VG", "G-272VG,2-я гв. армия")(folder)
    edit("map.json", '"town": "Manderfeld"', '"town": "Ἀθῆναι E\\u0301toile"')(folder)
    game_data = load_scenario(folder).scenario.game_data

    assert game_data.hexes["Q19"].town == "Ἀθῆναι E\u0301toile"


# --- what can be drawn ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_a_scenario_whose_map_cannot_be_drawn_at_every_width_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """A limit between the pixels of this width and those of the next smaller one."""
    base = load_scenario(folder).base_map
    needed = {each: prod(size_of(base, each)) for each in WIDTHS}
    monkeypatch.setattr(theme, "MOST_PIXELS", needed[width] - 1)
    with pytest.raises(CommandError, match=rf"^map.json: its map cannot be drawn: {width:,} pixels wide .* wider"):
        call_command("check_scenario", str(folder))
    monkeypatch.setattr(theme, "MOST_PIXELS", max(needed.values()))
    call_command("check_scenario", str(folder))


@pytest.mark.parametrize("rows", [60, 150])
def test_a_column_of_hexes_is_refused_where_it_is_too_high(rows: int) -> None:
    require_maps(column(10), {})
    with pytest.raises(ScenarioError, match=r"scenario.toml: its map cannot be drawn: .* at most 40,000,000 pixels"):
        require_maps(column(rows), {})


def column(rows: int) -> Loaded:
    """A scenario with a column of this many hexes."""
    loaded = load_scenario(ARDENNES)
    base = loaded.base_map
    places = [(PlaceId(str(row)), (0.0, 1.5 * row)) for row in range(rows)]
    grounds = tuple(replace(base.grounds[0], id=name, at=at, outline=corners(at)) for name, at in places)
    vars(loaded)["base_map"] = replace(base, grounds=grounds, lines=(), borders=(), entries=(), margin=())
    return loaded
