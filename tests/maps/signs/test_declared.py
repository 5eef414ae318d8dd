"""Signs as data: maps draw and lists describe what a ruleset declares, and know of no ruleset."""

import re
from pathlib import Path

import pytest

from campaign.engine.display.signs import Corner, FigureSign, Layer, Sign, Signs
from campaign.engine.display.views import Arrow, BaseMap, Figure, Marker, View
from campaign.engine.values.ids import GM
from campaign.engine.values.value import replace
from campaign.game.loading import find_scenario, load_scenario, supplied_scenarios
from campaign.game.turn_package import view_of
from campaign.maps import draw, vector
from campaign.maps.base import legend
from campaign.maps.base.layout import Layout
from campaign.maps.drawing.symbols import ARMS, SIZES
from campaign.maps.land.lines import BORDERS, LINES
from campaign.maps.place_descriptions import describe_places
from campaign.maps.signs.arrows import ARROWS
from campaign.maps.signs.markers import FLIGHTS, MARKERS, SORTIES
from campaign.maps.style.declared import declared
from campaign.maps.style.layers import layers_of
from campaign.maps.style.schemes import DEFAULT
from campaign.maps.style.theme import LANDS
from campaign.rulesets.forum_campaign.model import signs as forum
from tests import toy
from tests.maps.examples import BASE, BLUE, EMPTY, RED, counter, place, sighting
from tests.toy.model import signs as toy_signs
from tests.toy.model.signs import MARINES

TOY = load_scenario(toy.SCENARIO, rulesets=[toy.RULESET])
START = view_of(toy.RULESET, TOY.scenario.game_data, TOY.scenario.start, (), GM)
BASE_MAPS = (TOY.base_map, *(load_scenario(folder).base_map for folder in supplied_scenarios()))


KINDS = (
    "lands", "lines", "borders", "arms", "sizes", "conditions", "figures", "markers", "flights", "sorties", "arrows"
)  # fmt: skip
"""The fields of a declaration that hold signs with keys."""


def with_arm(symbol: str) -> BaseMap:
    """The toy's map, its units drawn with another symbol."""
    return replace(TOY.base_map, signs=replace(TOY.base_map.signs, arms=(replace(MARINES, symbol=symbol),)))


def explained(base: BaseMap) -> dict[str, list[str]]:
    return {group.title: [entry.text for entry in group.entries] for group in legend._groups(base, DEFAULT)}


def board(base: BaseMap, view: View) -> str:
    return vector.board(view, Layout.of(base, 600, DEFAULT), describe_places(base, view), sheet="")


# --- a sign that one ruleset has --------------------------------------------------------------------------------------


def test_the_toy_has_a_sign_that_no_other_ruleset_has() -> None:
    others = {(sign.key, sign.symbol) for base in BASE_MAPS[1:] for sign in base.signs.arms}
    assert (MARINES.key, MARINES.symbol) == ("marines", "anchor")
    assert not {part for pair in others for part in pair} & {MARINES.key, MARINES.symbol}


def test_its_sign_is_on_the_map_and_on_the_board_as_its_drawing_is() -> None:
    plain = with_arm("infantry")
    assert all(each.branch == MARINES.key for each in START.counters)
    assert draw(TOY.base_map, START, width=600) != draw(plain, START, width=600)
    assert board(TOY.base_map, START) != board(plain, START)


def test_its_sign_is_in_the_legend_and_in_lists_as_its_words_are() -> None:
    assert explained(TOY.base_map)["Arms"] == [MARINES.words]
    units = [unit for account in describe_places(TOY.base_map, START) for unit in account.units]
    assert len(units) == len(START.counters)
    assert all("marine infantry battalion" in unit for unit in units)


def test_its_map_explains_nothing_that_it_does_not_have() -> None:
    found = explained(TOY.base_map)
    assert "Air" not in found
    assert found["States"] == ["Has acted", "Steps, in stacks"]
    assert found["Events"] == ["Move", "Stopped", "Attack"]
    assert found["Places"] == ["North objective", "South objective", "Attack"]
    assert "Front" not in found["Lines"]
    assert layers_of(TOY.base_map.signs) == (
        Layer.MOVES,
        Layer.FIGHTS,
        Layer.CONTROL,
        Layer.MARKERS,
        Layer.COUNTERS,
    )


def test_a_legend_names_paratroops_only_where_they_may_jump() -> None:
    """The drop zone is on a chart that everybody reads, so the legend tells nobody anything new."""
    both = [load_scenario(find_scenario(f"forum_campaign/{name}")) for name in ("ardennes-1944", "st-vith-1944")]
    zones = [bool(loaded.scenario.game_data.charts.commandos.drop_zone) for loaded in both]
    named = ["Paratroops" in explained(loaded.base_map)["Air"] for loaded in both]
    assert zones == named == [True, False]


# --- the library ------------------------------------------------------------------------------------------------------


def with_line(symbol: str) -> BaseMap:
    lines = tuple(replace(sign, symbol=symbol) for sign in BASE.signs.lines[:1])
    used = tuple(line for line in BASE.lines if line.kind == lines[0].key)
    return replace(BASE, lines=used, signs=replace(BASE.signs, lines=lines))


def with_border(symbol: str) -> BaseMap:
    """The map with one kind of border, drawn with this symbol."""
    borders = tuple(replace(border, kind="edge") for border in BASE.borders)
    return replace(BASE, borders=borders, signs=replace(BASE.signs, borders=(Sign("edge", symbol, "Edge"),)))


def test_every_line_and_border_of_the_library_is_drawn_unlike_the_others() -> None:
    """On the map and in the legend, which are on one sheet."""
    for drawn in ([with_line(symbol) for symbol in LINES], [with_border(symbol) for symbol in BORDERS]):
        assert len({draw(base, EMPTY, width=900) for base in drawn}) == len(drawn)


def test_a_river_bears_its_name_and_another_border_does_not() -> None:
    named = {symbol for symbol in BORDERS if Layout.of(with_border(symbol), 900, DEFAULT).print_on.rivers}
    assert named == {symbol for symbol, drawing in BORDERS.items() if drawing.water}


def test_words_of_borders_sizes_and_arrows_are_the_rulesets() -> None:
    signs = replace(
        BASE.signs,
        borders=tuple(replace(sign, words=f"{sign.words}!") for sign in BASE.signs.borders),
        sizes=(Sign("corps", "corps", "Corps"),),
        arrows=(replace(forum.MOVE, words="March", reads="marches"),),
    )
    base = replace(BASE, signs=signs)
    groups = explained(base)
    assert [text for text in groups["Lines"] if text.endswith("!")] == [
        "River!", "Great river!", "Frontier!", "Closed side!"
    ]  # fmt: skip
    assert (groups["Sizes"], groups["Events"][:1]) == (["Corps"], ["March"])
    way = Arrow("move", RED, (place("A1"), place("B2")))
    view = replace(EMPTY, counters=(replace(counter("B2"), echelon="corps"),), arrows=(way,))
    (found,) = describe_places(base, view, [place("B2")])
    assert found.units[0].startswith("Red 1 Pz (1 Pz of red), armour corps")
    assert found.events == ("Red marches: A1 – B2",)
    assert any(line.startswith("Great river! Strom towards") for line in found.ground)


def test_lists_call_a_side_by_its_name() -> None:
    base = replace(BASE, signs=replace(BASE.signs, people=((RED, "the Reds"),)))
    taken = Marker(place("B4"), forum.OBJECTIVE.key, RED, 4, taken_from=BLUE)
    lost = Marker(place("B4"), forum.BATTLE.key, BLUE, won_by=RED)
    view = replace(EMPTY, markers=(taken, lost), control=((place("B4"), RED),))
    (found,) = describe_places(base, view, [place("B4")])
    assert found.markers == (
        "Objective 4 VP, held by the Reds, just taken from the Blue side",
        "Battle, attacked by the Blue side, won by the Reds",
    )
    assert found.front == ("Held by the Reds",)


# --- what is declared -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASE_MAPS, ids=[base.title for base in BASE_MAPS])
def test_every_symbol_is_in_the_library(base: BaseMap) -> None:
    signs = base.signs
    assert {sign.symbol for sign in signs.arms} <= set(ARMS)
    assert {sign.symbol for sign in signs.sizes} <= set(SIZES)
    assert {sign.symbol for sign in signs.lands} <= set(LANDS)
    assert {sign.symbol for sign in signs.lines} <= set(LINES)
    assert {sign.symbol for sign in signs.borders} <= set(BORDERS)
    assert {sign.symbol for sign in signs.arrows} <= set(ARROWS)
    assert {sign.symbol for sign in signs.markers} <= set(MARKERS)
    assert {sign.symbol for sign in signs.flights} <= set(FLIGHTS)
    assert {sign.symbol for sign in signs.sorties} <= set(SORTIES)
    assert {ground.terrain for ground in base.grounds} <= {sign.key for sign in signs.lands}
    assert draw(base, EMPTY, width=600)


@pytest.mark.parametrize("kind", [kind.removesuffix("s") for kind in KINDS])
def test_a_key_that_is_not_declared_is_refused_by_name(kind: str) -> None:
    with pytest.raises(ValueError, match=f"no {kind} 'ghost' is declared; there are "):
        getattr(declared(BASE.signs), f"{kind}s")["ghost"]


def test_maps_name_nothing_that_one_ruleset_has() -> None:
    """Words of the forum campaign; `background.hexes` is a key of scenarios, for which pictures are refused."""
    own = re.compile(r"\b(depots?|commandos?|paratroop\w*|fuel|percent|(?<!background\.)hex(es)?)\b", re.IGNORECASE)
    code = Path(vector.__file__).parent.rglob("*.py")
    named = {path.name: own.findall(path.read_text(encoding="utf-8")) for path in code}
    assert {name: words for name, words in named.items() if words} == {}


# --- figures and counts -----------------------------------------------------------------------------------------------

CHANCE = FigureSign("chance", "hits from {}", "hits from {}", "hits from {}", 4, Corner.RIGHT)
CARGO = FigureSign("cargo", "carries {} points", "carries {}", "", 2)
AREAS = Signs(
    lands=BASE.signs.lands,
    lines=BASE.signs.lines,
    borders=BASE.signs.borders,
    arms=BASE.signs.arms,
    sizes=BASE.signs.sizes,
    figures=(replace(forum.STRENGTH, words="{} steps", full=6), CHANCE, CARGO),
)


def test_a_counter_carries_the_figures_that_its_ruleset_declares() -> None:
    base = replace(BASE, signs=AREAS)
    unit = replace(counter("B2"), figures=(Figure("strength", 3), Figure("chance", 4), Figure("cargo", 2)))
    assert declared(AREAS).corners(unit) == ("3", 0.5, "4")
    (account,) = describe_places(base, replace(EMPTY, counters=(unit,)), [place("B2")])
    assert account.units == ("Red 1 Pz (1 Pz of red), armour division: 3 steps, hits from 4, carries 2 points",)
    full = replace(unit, figures=(Figure("strength", 6),))
    assert declared(AREAS).corners(full) == ("", None, "")


def test_a_sighting_may_be_of_several() -> None:
    view = replace(EMPTY, sightings=(replace(sighting("B2"), count=3),))
    (account,) = describe_places(BASE, view, [place("B2")])
    assert account.sightings == ("Sighted Blue infantry, 3 of them",)
    assert "3 × ?" in board(BASE, view)


@pytest.mark.parametrize(("signs", "module"), [(forum.SIGNS, forum), (toy_signs.SIGNS, toy_signs)])
def test_every_sign_that_a_ruleset_names_is_declared(signs: Signs, module: object) -> None:
    declared_signs = [sign for kind in KINDS for sign in getattr(signs, kind)]
    named = [each for each in vars(module).values() if isinstance(each, tuple(map(type, declared_signs)))]
    assert named
    assert [sign for sign in named if sign not in declared_signs] == []


def test_rulesets_declare_keys_once() -> None:
    for base in BASE_MAPS:
        for kind in KINDS:
            keys = [sign.key for sign in getattr(base.signs, kind)]
            assert len(keys) == len(set(keys)), kind
