"""Values, their one form in bytes, and states in three parts."""

import msgspec
import pytest

from campaign.engine.state import State, known_state, sides_seen_by, state_known_to, with_hidden, with_open, with_own
from campaign.engine.values.ids import GM, PUBLIC, Audience, SideId, audience_of
from campaign.engine.values.modifiers import Modifier, explain, total
from campaign.engine.values.value import Value, decode, encode, replace

RED, BLUE = SideId("red"), SideId("blue")


class Coin(Value, frozen=True):
    name: str
    worth: int = 1


class Coins(Value, frozen=True):
    coins: dict[str, Coin]


Game = State[Coin, Coins, Coin]
START = Game(Coin("open"), {RED: Coins({}), BLUE: Coins({"a": Coin("a")})}, Coin("hidden"))


def test_equal_values_give_equal_bytes_in_any_order_of_keys() -> None:
    both = Coins({"b": Coin("ß", 2), "a": Coin("x")}), Coins({"a": Coin("x"), "b": Coin("ß", 2)})
    first, second = map(encode, both)
    assert first == second == '{"coins":{"a":{"name":"x","worth":1},"b":{"name":"ß","worth":2}}}'.encode()
    assert decode(first, Coins) == both[0]


@pytest.mark.parametrize("data", [b'{"name":"x","weight":3}', b'{"name":5}', b"{", b'{"worth":1}'])
def test_what_is_no_such_value_is_not_decoded(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(data, Coin)


def test_a_copy_changes_nothing_else() -> None:
    assert replace(Coin("x", 2), worth=3) == Coin("x", 3)


@pytest.mark.parametrize(
    ("who", "sides"), [(GM, (RED, BLUE)), (PUBLIC, ()), (audience_of(RED), (RED,)), (audience_of(BLUE), (BLUE,))]
)
def test_an_audience_may_know_the_parts_of_its_sides(who: Audience, sides: tuple[SideId, ...]) -> None:
    assert sides_seen_by(who, (RED, BLUE)) == sides
    assert (
        state_known_to(START, who)
        == known_state(START, sides)
        == Game(START.open, {side: START.own[side] for side in sides})
    )


def test_parts_change_by_themselves() -> None:
    assert with_open(START, worth=5) == replace(START, open=Coin("open", 5))
    assert with_hidden(START, worth=5) == replace(START, hidden=Coin("hidden", 5))
    richer = with_own(START, RED, lambda own: replace(own, coins={"r": Coin("r")}))
    assert richer == replace(START, own={RED: Coins({"r": Coin("r")}), BLUE: START.own[BLUE]})


def test_a_known_state_leaves_out_what_it_lacks() -> None:
    known = known_state(START, (BLUE,))
    assert with_hidden(known, worth=5) == known
    assert with_own(known, RED, lambda _: Coins({"r": Coin("r")})) == known


def test_a_total_is_the_sum_of_its_reasons() -> None:
    modifiers = (Modifier(2, "high ground", "R1"), Modifier(-3, "across the Our", "R6.2"))
    assert total(modifiers) == -1
    assert explain(modifiers) == ("high ground: +2 (R1)", "across the Our: -3 (R6.2)")
