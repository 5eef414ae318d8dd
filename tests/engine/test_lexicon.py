"""Names: how they are compared and shortened, and what they may not contain."""

import pytest

from campaign.engine.orders.lexicon import lexicon, plain, unlettered, unprintable
from campaign.engine.values.ids import UnitId

PEIPER, BOEHM, TWELVE = UnitId("P"), UnitId("B"), UnitId("12")
NAMES = {PEIPER: ("KG Peiper", "Peiper's group"), BOEHM: ("KG von Böhm",), TWELVE: ("12", "KG twelve")}


@pytest.mark.parametrize(
    ("name", "compared"),
    [
        ("KG Peiper", "kgpeiper"),
        ("Malmédy", "malmedy"),
        ("ST. VITH", "stvith"),
        ("26/1", "26/1"),
        ("Straße", "strasse"),
    ],
)
def test_names_are_compared_without_capitals_accents_and_punctuation(name: str, compared: str) -> None:
    assert plain(name) == compared


@pytest.mark.parametrize(
    ("word", "units"),
    [
        ("kgpeiper", (PEIPER,)),
        ("peiper", (PEIPER,)),
        ("peipersgroup", (PEIPER,)),
        ("kgvonbohm", (BOEHM,)),
        ("kgvonboehm", (BOEHM,)),
        ("kgvon", (BOEHM,)),
        ("vonbohm", (BOEHM,)),
        ("bohm", (BOEHM,)),
        ("kg", (PEIPER, BOEHM)),
        ("kgtwelve", (TWELVE,)),
    ],
)
def test_the_usual_name_may_be_shortened_to_its_beginning_or_its_end(word: str, units: tuple[UnitId, ...]) -> None:
    assert lexicon("unit", NAMES).meanings[word] == units


@pytest.mark.parametrize("word", ["", "von", "twelve", "peipers"])
def test_nothing_else_means_a_unit(word: str) -> None:
    assert word not in lexicon("unit", NAMES).meanings


def test_a_full_name_wins_over_a_shortened_one_and_two_full_ones_are_both_meant() -> None:
    brigade, division, twin = UnitId("brigade"), UnitId("division"), UnitId("twin")
    units = lexicon("unit", {brigade: ("Lehr brigade",), division: ("Lehr", "LEHR"), twin: ("Twin", "Lehr brigade")})
    assert units.meanings["lehr"] == (division,)
    assert units.meanings["lehrbrigade"] == (brigade, twin)


def test_each_unit_is_called_by_its_usual_name_and_each_name_is_kept_as_written() -> None:
    units = lexicon("unit", NAMES)
    assert units.kind == "unit"
    assert units.usual == {PEIPER: "KG Peiper", BOEHM: "KG von Böhm", TWELVE: "12"}
    assert units.full == {
        "kgpeiper": "KG Peiper",
        "peipersgroup": "Peiper's group",
        "kgvonbohm": "KG von Böhm",
        "12": "12",
        "kgtwelve": "KG twelve",
    }


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 0),
        ("to Malmédy\t→ 10\u00a0km", 0),
        ("a\x00", 2),
        ("\x1b[1m", 1),
        ("a\nb", 2),
        ("ab\ud800", 3),
        ("\u0378", 1),
        ("\t\x7f", 2),
    ],
)
def test_the_first_character_that_cannot_be_shown_is_found(text: str, column: int) -> None:
    assert unprintable(text) == column


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("", ""),
        ("12 VG “Großdeutschland” – 1re Armée, № 5…", ""),
        ("Łódź, Đà Nẵng, Şırnak, Ķekava", ""),
        ("Αθήνα Ἀθῆναι", ""),
        ("2-й Белорусский", ""),
        ("E\u0301lie", ""),
        ("x\u0301", "'\u0301' (U+0301)"),
        ("第三軍", "'第' (U+7B2C)"),
        ("הגנה", "'ה' (U+05D4)"),
        ("جيش", "'ج' (U+062C)"),
        ("Tigers 🐅", "'🐅' (U+1F405)"),
        ("a\u202eb", "'\\u202e' (U+202E)"),
        ("a\u200db", "'\\u200d' (U+200D)"),
        ("two\nlines", "'\\n' (U+000A)"),
    ],
)
def test_the_first_letter_that_maps_cannot_print_is_named(text: str, letter: str) -> None:
    assert unlettered(text) == letter


def test_the_unabridged_leave_short_names_to_others() -> None:
    whole = lexicon("unit", {PEIPER: ("KG Peiper",), BOEHM: ("KG Böhm",)}, unabridged={BOEHM})
    assert whole.meanings["kg"] == (PEIPER,)
    assert whole.meanings["kgbohm"] == (BOEHM,)
    assert "bohm" not in whole.meanings
