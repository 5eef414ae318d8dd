"""Dice: the test vector of the scheme, and what keyed, scripted and overridden dice promise."""

import hashlib
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import Entered, KeyedDice, Overridden, ScriptedDice, chain, mix, seed
from campaign.engine.errors import EngineError
from campaign.engine.values.ids import GM, PUBLIC, Audience, SideId

MASTER = bytes.fromhex("00112233445566778899aabbccddeeff" * 2)
CONTRIBUTIONS: dict[str, str] = {SideId("german"): "9f2c", SideId("allied"): "77ab"}


def vector() -> KeyedDice:
    seeds = {PUBLIC: seed(MASTER, campaign="bulge-2026", audience=PUBLIC, lock=7)}
    return KeyedDice(campaign="bulge-2026", lock=7, mix=mix(CONTRIBUTIONS), seeds=seeds)


def test_anchor_and_seed_of_the_test_vector() -> None:
    anchor = seed(MASTER, campaign="bulge-2026", audience=PUBLIC, lock=0)
    assert anchor.hex() == "0284f77bb0d5f8d169aabb8970d493148777c64172da32b6e1ee65a6757c718e"
    assert vector().seeds[PUBLIC].hex() == "97361fc6734194e2372ba1a9942aab890d4d9739387dd3667829d1cf801780cd"


def test_mix_of_the_test_vector() -> None:
    assert mix(CONTRIBUTIONS) == "7cb4b550b87624056840b94e9f61696bea9812654f208d077b15222dcaa50d3e"


@pytest.mark.parametrize(
    ("label", "count", "sides", "dice"),
    [
        ("interdict/1SS/allied", 1, 10, (6,)),
        ("interdict/1SS/german", 1, 10, (6,)),
        ("demolish/Stavelot", 1, 6, (6,)),
        ("drop/Heydte", 1, 10, (3,)),
        ("manual/1", 2, 6, (2, 1)),
    ],
)
def test_rolls_of_the_test_vector(label: str, count: int, sides: int, dice: tuple[int, ...]) -> None:
    assert vector().roll(label, count=count, sides=sides, audience=PUBLIC) == dice


@given(st.text(alphabet="abcXYZ019/_.+-", min_size=1, max_size=120), st.integers(2, 1000))
def test_a_label_always_gives_the_same_die_within_range(label: str, sides: int) -> None:
    (die,) = vector().roll(label, count=1, sides=sides, audience=PUBLIC)
    assert 1 <= die <= sides
    assert vector().roll(label, count=1, sides=sides, audience=PUBLIC) == (die,)


def test_dice_of_a_label_do_not_depend_on_what_was_rolled_before() -> None:
    dice = vector()
    alone = dice.roll("weather/1944-12-17", count=1, sides=10, audience=PUBLIC)
    dice.roll("battle/K14/2", count=3, sides=6, audience=PUBLIC)
    assert dice.roll("weather/1944-12-17", count=1, sides=10, audience=PUBLIC) == alone


def test_each_face_comes_up_about_equally_often() -> None:
    rolls = vector().roll("statistics", count=12_000, sides=6, audience=PUBLIC)
    counts = Counter(rolls)
    chi_squared = sum((counts[fact] - 2_000) ** 2 / 2_000 for fact in range(1, 7))
    assert chi_squared < 20.5  # 0.1 % of fair dice exceed this with five degrees of freedom


def test_audiences_have_chains_of_their_own() -> None:
    german, gm = (seed(MASTER, campaign="x", audience=who, lock=3) for who in (Audience("german"), GM))
    assert german != gm


def test_a_seed_gives_the_earlier_ones_and_the_chain_ends() -> None:
    later, earlier = (seed(MASTER, campaign="x", audience=GM, lock=lock) for lock in (9, 8))
    assert hashlib.sha256(later).digest() == earlier
    last = seed(MASTER, campaign="x", audience=GM, lock=4096)
    assert hashlib.sha256(last).digest() == seed(MASTER, campaign="x", audience=GM, lock=4095)


def test_a_chain_lists_the_seeds_that_rolls_were_made_with() -> None:
    links = [seed(MASTER, campaign="x", audience=GM, lock=lock) for lock in range(5)]
    assert chain(MASTER, "x", GM, 4) == links


@pytest.mark.parametrize("lock", [-1, 4097])
def test_there_is_no_seed_outside_the_chain(lock: int) -> None:
    with pytest.raises(EngineError, match=f"^lock {lock} lies outside the chain of 4096 seeds$"):
        seed(MASTER, campaign="x", audience=GM, lock=lock)


@pytest.mark.parametrize("label", ["", "a|b", "ä", "x" * 121])
def test_labels_outside_the_charset_are_refused(label: str) -> None:
    with pytest.raises(EngineError, match=f"^a roll cannot be labelled {re.escape(repr(label))}$"):
        vector().roll(label, count=1, sides=6, audience=PUBLIC)


@pytest.mark.parametrize("sides", [1, 1001])
def test_impossible_dice_are_refused(sides: int) -> None:
    with pytest.raises(EngineError, match=f"^x: a die can have 2 to 1000 sides, not {sides}$"):
        vector().roll("x", count=1, sides=sides, audience=PUBLIC)


def test_coins_and_dice_of_a_thousand_sides_are_possible() -> None:
    assert vector().roll("x", count=5, sides=2, audience=PUBLIC) == (2, 1, 2, 2, 2)
    assert vector().roll("x", count=2, sides=1000, audience=PUBLIC) == (520, 795)


def test_scripted_dice_refuse_what_is_not_written_and_name_what_is_left() -> None:
    dice = ScriptedDice({"a": (3,), "b": (1, 2)})
    assert dice.roll("a", count=1, sides=6, audience=PUBLIC) == (3,)
    with pytest.raises(EngineError, match=r"^the roll 'c' is not scripted$"):
        dice.roll("c", count=1, sides=6, audience=PUBLIC)
    with pytest.raises(EngineError, match=r"^b takes 1 dice of 6 sides, not \[1, 2\]$"):
        dice.roll("b", count=1, sides=6, audience=PUBLIC)
    assert dice.left_over() == ("b",)


def test_an_entered_roll_replaces_one_label_only_and_is_marked() -> None:
    dice = Overridden(vector(), {"drop/Heydte": Entered((9,), "thrown at the club")})
    assert dice.roll("drop/Heydte", count=1, sides=10, audience=PUBLIC) == (9,)
    assert dice.entered("drop/Heydte") == Entered((9,), "thrown at the club")
    assert dice.roll("demolish/Stavelot", count=1, sides=6, audience=PUBLIC) == (6,)
    assert dice.entered("demolish/Stavelot") is None


def test_an_entered_roll_must_be_possible() -> None:
    with pytest.raises(EngineError, match=r"^x takes 1 dice of 10 sides, not \[11\]$"):
        Overridden(vector(), {"x": Entered((11,), "a slip")}).roll("x", count=1, sides=10, audience=PUBLIC)


def test_words_that_would_favour_low_faces_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """2^64 is no multiple of 6: the last words are rejected, and the counter of the message goes up."""
    messages: list[bytes] = []

    def words(_seed: bytes, message: bytes, _hash: str) -> bytes:
        messages.append(message)
        word = 2**64 - 2**64 % 6 if len(messages) <= 2 else 8
        return word.to_bytes(8, "big") + bytes(24)

    dice = vector()
    monkeypatch.setattr("campaign.engine.dice.hmac.digest", words)
    assert dice.roll("x", count=1, sides=6, audience=PUBLIC) == (1 + 8 % 6,)
    assert [message.rsplit(b"|", 2)[1:] for message in messages] == [[b"0", b"0"], [b"0", b"1"], [b"0", b"2"]]


def test_a_roll_entered_further_down_is_marked_too() -> None:
    x, y = Entered((3,), "first"), Entered((4,), "second")
    dice = Overridden(Overridden(vector(), {"x": x}), {"y": y})
    assert dice.entered("x") == x
    assert dice.entered("y") == y
    assert dice.entered("z") is None
    assert dice.left_over() == ("y", "x")
