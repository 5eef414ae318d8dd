"""The board as SVG: all that the View shows and nothing else, in words as well, whatever things are called."""

from collections import Counter
from xml.etree.ElementTree import Element, fromstring

import pytest

from campaign.engine.display.signs import Layer
from campaign.engine.display.views import BaseMap, LogLine, Marker, View
from campaign.engine.values.ids import Audience, PlaceId
from campaign.engine.values.value import replace
from campaign.maps.base.layout import Layout
from campaign.maps.painter import sheet_of
from campaign.maps.place_descriptions import PlaceDescription, describe_places, neighbours, places_with_something
from campaign.maps.place_descriptions import flight as in_words
from campaign.maps.scene import scene
from campaign.maps.signs.counters import PLANS
from campaign.maps.stacks import SPREAD
from campaign.maps.style.schemes import DEFAULT
from campaign.maps.vector import board, legend
from campaign.rulesets.forum_campaign.model import signs
from tests.maps.examples import (
    BASE,
    BLUE,
    EMPTY,
    PLACES,
    RED,
    RED_VIEW,
    WIDTH,
    arrow,
    counter,
    flight,
    place,
    sighting,
    trace,
)

SVG = "{http://www.w3.org/2000/svg}"
SHEET = "/c/x/board/sheet.png?0f&1"
HOSTILE = '</text><script>alert("1")</script>&amp; \x00\x1b]]>'


def layout(base: BaseMap = BASE) -> Layout:
    return sheet_of(base, WIDTH).layout


def drawn(view: View, base: BaseMap = BASE) -> Element:
    return parsed(board(view, layout(base), describe_places(base, view), sheet=SHEET))


def parsed(written: str) -> Element:
    return fromstring(written)  # noqa: S314 # we wrote it


def classes(root: Element) -> Counter[str]:
    return Counter(name for each in root.iter() for name in each.get("class", "").split())


def within(root: Element, name: str) -> list[Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


def words(root: Element) -> list[str]:
    return [each.text or "" for each in root.iter(f"{SVG}text")]


def account(view: View, at: str, base: BaseMap = BASE) -> PlaceDescription:
    return next(each for each in describe_places(base, view) if each.place == at)


# --- what is drawn ----------------------------------------------------------------------------------------------------


def test_everything_of_the_view_is_on_the_board_once() -> None:
    found = classes(drawn(RED_VIEW))
    assert found["counter"] == len(RED_VIEW.counters)
    assert found["sighting"] == len(RED_VIEW.sightings)
    assert found["marker"] == len(RED_VIEW.markers)
    assert found["arrow"] == len(RED_VIEW.arrows)
    assert found["flight"] == len(RED_VIEW.flights)
    assert (found["trace"], found["barred"]) == (3, 2)
    for kind in (sign.key for sign in BASE.signs.markers):
        assert found[kind] == sum(each.kind == kind for each in RED_VIEW.markers)


def test_what_is_not_in_the_view_is_not_on_the_board() -> None:
    bare = drawn(EMPTY)
    assert set(classes(bare)) == {"board", "names", "places"}
    assert sorted(words(bare)) == sorted(ground.name for ground in BASE.grounds if ground.name)
    assert {each.text for each in bare.iter(f"{SVG}title")} == {each.summary for each in describe_places(BASE, EMPTY)}


def test_the_sheet_is_one_picture_under_everything() -> None:
    root = drawn(RED_VIEW)
    (picture,) = root.iter(f"{SVG}image")
    assert picture.get("href") == SHEET
    assert next(each for each in root.iter() if each.tag not in (f"{SVG}svg", f"{SVG}g")) is picture
    projection = layout().projection
    assert (picture.get("width"), picture.get("height")) == (str(projection.width), str(projection.height))


def test_things_are_where_the_picture_has_them() -> None:
    was_at = [each.get("transform") for each in drawn(RED_VIEW).iter() if each.get("class") in ("counter", "sighting")]
    pieces = scene(RED_VIEW, layout()).pieces
    assert [_point(each or "") for each in was_at] == [pytest.approx(piece.at, abs=0.01) for piece in pieces]


def _point(transform: str) -> tuple[float, ...]:
    return tuple(float(number) for number in transform.removeprefix("translate(").split(")")[0].split())


def test_a_counter_says_what_the_one_on_the_picture_says() -> None:
    (own,) = within(drawn(replace(EMPTY, counters=(counter("B2", "1 Pz", strength=85, movement=6),))), "counter")
    assert sorted(words(own)) == ["1 Pz", "6", "85"]
    (seen,) = within(drawn(replace(EMPTY, sightings=(sighting("B2", "4 Inf"),))), "sighting")
    assert words(seen) == ["4 Inf"]
    (gone,) = within(drawn(replace(EMPTY, sightings=(replace(sighting("B2", "4 Inf"), age=3),))), "sighting")
    assert sorted(words(gone)) == ["3d", "4 Inf"]
    (contact,) = within(drawn(replace(EMPTY, sightings=(sighting("B2", branch=None),))), "sighting")
    assert words(contact) == ["?"]


def test_sides_differ_by_colour_and_by_frame() -> None:
    ours, theirs = (
        within(drawn(replace(EMPTY, counters=(counter("B2", side=side),))), "counter")[0] for side in (RED, BLUE)
    )
    outlines = [{each.get("d") for each in one.iter(f"{SVG}path")} for one in (ours, theirs)]
    fills = [{each.get("fill") for each in one.iter()} for one in (ours, theirs)]
    both = [DEFAULT.side_colours(BASE.sides, side) for side in (RED, BLUE)]
    assert outlines[0] != outlines[1]
    assert [[_hue(side_colours.pale) in fill for side_colours in both] for fill in fills] == [
        [True, False],
        [False, True],
    ]


def _hue(colour: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{level:02x}" for level in colour)


def test_print_stays_within_its_counter_in_any_font() -> None:
    long = counter("B2", "The Long Range Reconnaissance Group of Nobody")
    (own,) = within(drawn(replace(EMPTY, counters=(long,))), "counter")
    runs = [float(each.get("textLength", "nan")) for each in own.iter(f"{SVG}text")]
    assert max(runs) <= PLANS[scene(replace(EMPTY, counters=(long,)), layout()).pieces[0].size].size[0]


def test_each_layer_is_a_group_that_can_be_switched_off() -> None:
    root = drawn(RED_VIEW)
    names = {layer.value for layer in Layer}
    assert names <= set(classes(root))
    inside = {name: sum(map(classes, within(root, name)), Counter[str]()) for name in names}
    assert inside["counters"]["counter"] + inside["counters"]["sighting"] == 6
    assert inside["moves"]["move"] == inside["moves"]["stopped"] == 1
    assert [inside["fights"][kind] for kind in ("attack", "advance", "retreat", "battle")] == [1, 1, 1, 1]
    assert inside["markers"]["marker"] == len(RED_VIEW.markers) - 1
    assert inside["air"]["flight"] == len(RED_VIEW.flights)
    assert (inside["supply"]["trace"], inside["supply"]["barred"]) == (3, 2)


def crowded() -> View:
    """An attack out of every place on the one in the middle, a stack there with a battle, a depot and a flag.

    One more attack is over the name of a town.
    """
    ways = [*((word, "C3") for word in ("C2", "C4", "D3", "D4", "B3", "B4")), ("A4", "B4")]
    kinds = (signs.OBJECTIVE.key, signs.DEPOT.key, signs.BATTLE.key, signs.POSITION.key)
    return replace(
        EMPTY,
        counters=(*(counter("C3", f"Unit {n}", side=BLUE) for n in range(3)), counter("C2"), counter("D3")),
        markers=tuple(Marker(place("C3"), kind, BLUE, 2) for kind in kinds),
        arrows=tuple(arrow(signs.ATTACK.key, *way) for way in ways),
    )


def test_words_and_names_that_something_lies_on_come_again_at_the_end_as_on_the_picture() -> None:
    shown, root = scene(crowded(), layout()), drawn(crowded())
    assert shown.words
    assert shown.last
    order = [each.get("class", "") for each in root[0]][1:]
    assert order[-2:] == ["counters", "names"]
    assert order.index("names") < order.index("counters") < order.index("fights") < len(order) - 2
    again = [each for each in root[0][-2] if each.get("class") == "words"]
    assert [_point(each.get("transform") or "") for each in again] == [
        pytest.approx(piece.at, abs=0.01) for piece in shown.words
    ]
    assert [words(each)[0] for each in again] == [piece.style.label for piece in shown.words]
    assert words(root[0][-1]) == [name.text for name in shown.last]
    everywhere = [text for group in within(root, "names") for text in words(group)]
    assert len(everywhere) == len(set(everywhere))


def test_ids_that_counters_or_the_front_touch_come_again_over_them() -> None:
    shown, root = scene(RED_VIEW, layout()), drawn(RED_VIEW)
    (ids,) = within(root, "ids")
    assert words(ids) == [number.text for number in shown.ids] != []
    order = [each.get("class", "") for each in root[0]]
    assert max(order.index(under) for under in ("front", "counters")) < order.index("ids")


def test_names_are_tied_to_their_places_as_on_the_picture() -> None:
    view = replace(EMPTY, counters=(counter("C2"), counter("D3"), counter("B4")))
    shown, root = scene(view, layout()), drawn(view)
    lines, pins = (len(list(group)) for group in within(root, "leaders"))
    assert lines == len(shown.leaders) == 3
    assert pins == sum(leader.pinned for leader in shown.leaders) == 3
    order = [each.get("class", "") for each in root[0]]
    assert order.index("leaders") < order.index("names") < order.index("counters")
    assert order.index("counters") < len(order) - 1 - order[::-1].index("leaders")


def test_no_element_carries_a_script_or_a_style() -> None:
    root = drawn(RED_VIEW)
    assert not {each.tag for each in root.iter()} & {f"{SVG}script", f"{SVG}style", f"{SVG}foreignObject"}
    assert not [name for each in root.iter() for name in each.attrib if name == "style" or name.startswith("on")]


def test_equal_views_give_equal_bytes() -> None:
    again = replace(RED_VIEW, counters=tuple(replace(each) for each in RED_VIEW.counters))
    one, two = (board(view, layout(), describe_places(BASE, view), sheet=SHEET) for view in (RED_VIEW, again))
    assert one == two


def test_the_legend_is_cut_out_of_the_same_sheet() -> None:
    wide = sheet_of(BASE, 1600).layout.projection
    root = parsed(legend(wide, sheet=SHEET))
    assert [each.get("href") for each in root.iter(f"{SVG}image")] == [SHEET]
    left, top, width, height = (float(number) for number in root.get("viewBox", "").split())
    assert wide.legend[1] < top < wide.legend[1] + 8
    assert (left, left + width, top + height) == pytest.approx((0, *wide.legend[2:]))


# --- hostile names ----------------------------------------------------------------------------------------------------


def test_names_are_shown_and_never_obeyed() -> None:
    named = replace(BASE.grounds[0], name=HOSTILE)
    base = replace(BASE, grounds=(named, *BASE.grounds[1:]))
    view = replace(
        RED_VIEW,
        audience_title=HOSTILE,
        counters=(counter(named.id, HOSTILE),),
        sightings=(sighting(named.id, HOSTILE),),
        markers=(Marker(named.id, signs.BATTLE.key, RED, text=HOSTILE),),
    )
    root = drawn(view, base)
    assert not [each for each in root.iter() if "script" in each.tag]
    (title,) = [each.text or "" for each in root.iter(f"{SVG}title") if "script" in (each.text or "")]
    assert title.count('</text><script>alert("1")</script>&amp; ]]>') == 4


def test_places_of_any_name_are_addresses() -> None:
    odd = PlaceId('two words "& <more>')
    base = replace(BASE, grounds=(replace(BASE.grounds[0], id=odd), *BASE.grounds[1:]), entries=(), lines=())
    base = replace(base, borders=())
    root = drawn(EMPTY, base)
    (link,) = [each for each in root.iter(f"{SVG}a") if each.get("id") == "place-two%20words%20%22%26%20%3Cmore%3E"]
    assert link.get("href") == f"#{account(EMPTY, odd, base).anchor}"


# --- walking ----------------------------------------------------------------------------------------------------------


def test_every_place_is_a_link_with_a_name_and_one_is_the_tab_stop() -> None:
    links = list(drawn(RED_VIEW).iter(f"{SVG}a"))
    assert [link.get("href") for link in links] == [f"#at-{word}" for word in PLACES]
    assert [link.get("href") for link in links if link.get("tabindex") == "0"] == ["#at-C4"]
    assert {link.get("tabindex") for link in links} == {"0", "-1"}
    assert all((link.findtext(f"{SVG}title") or "").startswith(word) for link, word in zip(links, PLACES, strict=True))


def test_a_place_leads_to_its_neighbours_both_ways() -> None:
    around = neighbours(BASE)
    assert set(around[place("C3")]) == {"C2", "C4", "D3", "D4", "B3", "B4"}
    assert all(here in around[there] for here, others in around.items() for there in others)
    links = {each.get("id"): each.get("data-next", "").split() for each in drawn(EMPTY).iter(f"{SVG}a")}
    assert links["place-C3"] == list(around[place("C3")])


# --- in words ---------------------------------------------------------------------------------------------------------


def test_a_place_is_named_with_everything_in_it() -> None:
    arm = counter("B4", "7 Arm", movement=8)
    view = replace(
        EMPTY, audience=Audience(RED), counters=(arm,), markers=(Marker(place("B4"), signs.OBJECTIVE.key, BLUE, 10),)
    )
    summary = account(view, "B4").summary
    assert summary == "B4, Großstadt, city; holds 7 Arm: 100 %, moves 8; objective 10 VP, held by the Blue side"


def test_sightings_are_described_by_what_was_made_out_and_when() -> None:
    described = {
        "Sighted Blue 4 Inf, infantry": sighting("B2", "4 Inf"),
        "Sighted Blue infantry": sighting("B2"),
        "Sighted Blue unit of unknown arm": sighting("B2", branch=None),
        "Out of sight Blue armour, last seen 2 days ago": replace(sighting("B2", branch="armor"), age=2),
        "Out of sight Blue armour, last seen 1 day ago": replace(sighting("B2", branch="armor"), age=1),
    }
    for words_, seen in described.items():
        assert account(replace(EMPTY, sightings=(seen,)), "B2").sightings == (words_,)


def test_stacks_too_high_to_be_drawn_are_described_in_full() -> None:
    many = tuple(counter("B2", f"Unit {n}") for n in range(SPREAD + 3))
    view = replace(EMPTY, counters=many)
    root = drawn(view)
    assert (classes(root)["counter"], classes(root)["crowd"]) == (1, 1)
    assert [unit for unit, each in zip(account(view, "B2").units, many, strict=True) if each.label not in unit] == []


def test_what_happened_is_described_where_it_happened() -> None:
    line = LogLine("Battles", "A bridge is blown.", "R4.2", at=(place("B2"), place("B2"), place("C2")))
    view = replace(EMPTY, log=(line,), arrows=(arrow(signs.RETREAT.key, "B2", "B3", "B2"),))
    assert [each.place for each in describe_places(BASE, view) if each.log == (line,)] == ["C2", "B2"]
    assert account(view, "B3").events == ("Red retreat: B2 – B3 – B2",)
    assert account(view, "A1").events == ()


def test_flights_are_described_where_they_flew() -> None:
    described = {
        "Blue interdiction, 2 air units": flight("B2"),
        "Blue interdiction, 1 air unit, without success": flight("B2", units=1, sortie=signs.FAILED.key),
        "Red close air support, 3 air units": flight("B2", signs.CLOSE_SUPPORT.key, RED, units=3),
        "Red supply by air, 2 air units, planned": flight("B2", signs.SUPPLY_DROP.key, RED, sortie=signs.PLANNED.key),
        "Red paratroops": flight("B2", signs.PARADROP.key, RED, units=0),
    }
    for words_, flown in described.items():
        view = replace(EMPTY, flights=(flown,))
        assert account(view, "B2").events == (words_,)
        assert account(view, "B2").eventful
        assert in_words(BASE.signs, flown) == f"{words_}: B2"


def test_supply_that_does_not_arrive_is_described_along_its_route() -> None:
    view = replace(EMPTY, traces=(trace("A5", "B5", "B4"),))
    for word in ("A5", "B5", "B4"):
        assert account(view, word).events == ("Red 1 Pz, supply blocked at B4: A5 – B5 – B4",)
    assert account(view, "A4").events == ()
    twice = replace(EMPTY, traces=(trace("A5", "B5", "B4", "A3", barred=("B5", "B4")),))
    assert account(twice, "A3").events == ("Red 1 Pz, supply blocked at B5, B4: A5 – B5 – B4 – A3",)


def test_a_place_that_was_just_taken_is_described_with_its_marker() -> None:
    flag = Marker(place("B4"), signs.OBJECTIVE.key, RED, 4, taken_from=BLUE)
    described = account(replace(EMPTY, markers=(flag,)), "B4").markers
    assert described == ("Objective 4 VP, held by the Red side, just taken from the Blue side",)


def test_a_battle_is_described_with_its_attackers_and_its_winner() -> None:
    waits, fought = (Marker(place("B4"), signs.BATTLE.key, RED, won_by=won_by) for won_by in (None, BLUE))
    assert account(replace(EMPTY, markers=(waits,)), "B4").markers == ("Battle, attacked by the Red side",)
    described = account(replace(EMPTY, markers=(fought,)), "B4")
    assert described.markers == ("Battle, attacked by the Red side, won by the Blue side",)
    assert described.eventful


def test_the_front_is_described_from_both_of_its_sides() -> None:
    view = replace(EMPTY, front=((place("C4"), place("C3")),))
    assert account(view, "C4").front == ("Front towards C3",)
    assert account(view, "C3").front == ("Front towards C4",)


def test_roads_rivers_and_entries_are_described() -> None:
    assert account(EMPTY, "C2").ground == (
        "Clear, worth 2 VP",
        "Main road to B2 (bridge), D3",
        "Great river Strom towards B2, B3",
    )
    assert "Red entry from Osten" in account(EMPTY, "C5").ground


@pytest.mark.parametrize(
    "stray",
    [
        replace(EMPTY, counters=(counter("Z9"),)),
        replace(EMPTY, markers=(Marker(place("Z9"), signs.DEPOT.key),)),
        replace(EMPTY, arrows=(arrow(signs.MOVE.key, "A1", "Z9"),)),
        replace(EMPTY, traces=(trace("A1", "Z9"),)),
        replace(EMPTY, flights=(flight("Z9"),)),
    ],
)
def test_a_place_that_is_not_on_the_map_is_an_error(stray: View) -> None:
    with pytest.raises(ValueError, match="Z9"):
        describe_places(BASE, stray)


def test_a_line_of_the_log_may_speak_of_a_place_that_is_not_on_the_map() -> None:
    line = LogLine("s", "Far away", "R1.1", at=(place("Z9"), place("B2")))
    view = replace(EMPTY, log=(line,))
    assert [each.place for each in describe_places(BASE, view) if each.log] == ["B2"]
    assert drawn(view) is not None


def test_some_places_of_a_map_can_be_described_alone() -> None:
    every = {each.place: each for each in describe_places(BASE, RED_VIEW)}
    some = describe_places(BASE, RED_VIEW, [place("B3"), place("C4"), place("Z9")])
    assert some == (every[place("C4")], every[place("B3")])


@pytest.mark.parametrize("view", [EMPTY, RED_VIEW, replace(EMPTY, log=(LogLine("s", "x", "R1.1", at=(place("A1"),)),))])
def test_where_there_is_something_is_known_without_all_accounts(view: View) -> None:
    assert {each.place for each in describe_places(BASE, view) if each.eventful} == places_with_something(view)


def test_what_does_not_change_is_found_out_once() -> None:
    assert neighbours(BASE) is neighbours(BASE)
    assert Layout.of(BASE, WIDTH, DEFAULT) is Layout.of(BASE, WIDTH, DEFAULT) is layout()


def test_a_layout_that_was_in_use_gives_the_same_board_as_a_fresh_one() -> None:
    views = (EMPTY, RED_VIEW, replace(RED_VIEW, arrows=(), front=()))
    fresh = [board(view, Layout.made(BASE, WIDTH, DEFAULT), describe_places(BASE, view), sheet=SHEET) for view in views]
    for view, expected in (*zip(views, fresh, strict=True), *zip(views[::-1], fresh[::-1], strict=True)):
        assert board(view, Layout.of(BASE, WIDTH, DEFAULT), describe_places(BASE, view), sheet=SHEET) == expected
