"""R12, R15.4 The set-up sheet of a battle: all that two players set in the tactical game, section by section.

What everybody knows of the battle comes first; a unit's own sheet is for its side alone. What the rules leave open is
in rulings 74 to 78.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.forum_campaign.battle.template import is_platoon, items_of, ledger_lines, men_of
from campaign.rulesets.forum_campaign.day.digging import works
from campaign.rulesets.forum_campaign.model.game_data import GameData, Purchases, Terrain, Weather, enemy_of
from campaign.rulesets.forum_campaign.model.options import Options
from campaign.rulesets.forum_campaign.model.state import Battle, Open, Unit
from campaign.rulesets.forum_campaign.model.words import PEOPLES, listed

Rows = Iterator[tuple[str, ...]]

SKIES: Mapping[Weather, tuple[str, str]] = {
    Weather.SUNNY: ("clear", "dry"),
    Weather.GLOOMY: ("overcast", "damp"),
    Weather.SNOW: ("light snow", "snow"),
    Weather.WET: ("rain", "mud"),
    Weather.STORM: ("heavy snow and strong wind", "deep snow"),
}
"""Ruling 76: the sky and the ground in the tactical game."""
HOUR = "10:00"
"""Ruling 76: when a battle begins."""
MINUTES = 45
"""Ruling 76: how long it lasts."""
COMPASS: Mapping[tuple[int, int], str] = {
    (1, 0): "east",
    (0, 1): "north-east",
    (-1, 1): "north-west",
    (-1, 0): "west",
    (0, -1): "south-west",
    (1, -1): "south-east",
}
EDGES: Mapping[str, str] = {
    "north-west": "the western half of the north edge",
    "north-east": "the eastern half of the north edge",
    "east": "the east edge",
    "south-east": "the eastern half of the south edge",
    "south-west": "the western half of the south edge",
    "west": "the west edge",
}
"""Ruling 77: the part of the tactical map that faces a neighbouring hex, in their order around it."""
MORTARS = ("Off-map battery of medium mortars", "1", "81 mm")
"""R15.3 Ruling 78: for each unit."""
CALIBRE = "105 mm, unless the GM names another calibre"
"""R15.3 Ruling 78: of a battery of heavy artillery for which the GM has named none."""

# --- what both sides know ---------------------------------------------------------------------------------------------


def field(game_data: GameData, open_: Open, battle: Battle) -> Rows:
    """R12.1, R13 Where and when a battle is fought, in what weather, and what is dug in there."""
    here = game_data.hexes[battle.at]
    in_town = game_data.is_town(battle.at) and here.terrain is not Terrain.CITY
    yield "Hex", game_data.place_name(battle.at)
    yield "Ground", f"town, {here.terrain.value}" if in_town else here.terrain.value
    yield "Date", f"{open_.date:%-d %B %Y}"
    if open_.weather is not None:
        sky, ground = SKIES[open_.weather.condition]
        yield "Weather", f"{open_.weather.condition.value}: sky {sky}, ground {ground}"
    for kind, gives in works(game_data, battle):
        yield kind, f"{gives}: for the defenders, once for the hex, however many units they have"
    yield "Objective", "the centre of the map; the attackers win if only they hold it at the end"


def settings(game_data: GameData, open_: Open, battle: Battle) -> Rows:
    """R12.1-R12.6 What the players set besides their units, and how the battle ends."""
    attackers, defenders = PEOPLES[battle.attacker], PEOPLES[enemy_of(battle.attacker)]
    yield "Game", GAME
    yield "Map", "one that both players accept, with this ground and room for these units; north is at the top"
    yield "Who prepares it", PREPARES
    yield "Time", f"begins at {HOUR}, by day, and lasts {MINUTES} minutes, unless both players choose otherwise"
    yield "Troops", "regular, rested, with full ammunition, on both sides, whatever their supply in the campaign"
    yield "All else", "as your game proposes it, the same for both sides"
    yield f"{attackers} set up", "with all units at once, in the outer fifth of the map, each at its own edge"
    yield f"{defenders} set up", "with all units at once, anywhere else"
    yield f"Own edges of the {defenders}", own_edges(game_data, battle)
    yield "Planned fire", "only the attackers may plan fire before the start, also of off-map mortars"
    yield "Withdrawal", withdrawal(open_.options)


GAME = (
    "the one that your campaign names, else any that both players have; what your game lacks, take what comes nearest"
    " and say so"
)
PREPARES = (
    "the attackers’ player, with map, objective, weather and positions; then each player adds their own units, which"
    " are secret, and does not look at the other’s"
)
"""Ruling 76."""


def edge_of(game_data: GameData, at: PlaceId, comes_from: PlaceId) -> str:
    """R12.1 The part of the tactical map on which an attacker enters."""
    return EDGES[direction(game_data, at, comes_from)]


def direction(game_data: GameData, at: PlaceId, comes_from: PlaceId) -> str:
    """Where a neighbouring hex lies, by compass."""
    (q, r), (from_q, from_r) = (game_data.grid.coordinates[place] for place in (at, comes_from))
    return COMPASS[from_q - q, from_r - r]


def own_edges(game_data: GameData, battle: Battle) -> str:
    """R12.6 Ruling 77: where the defenders are on friendly ground."""
    places = [each.comes_from for each in battle.attackers if each.comes_from]
    left = _friendly({edge_of(game_data, battle.at, place) for place in places})
    return listed(list(_whole(left))) if left else "none: attackers come from all around, so nobody can withdraw"


def _friendly(taken: AbstractSet[str]) -> list[str]:
    """The parts that are neither an attacker's nor next to one's; if there are none, all that are not an attacker's."""
    around = list(EDGES.values())
    free = [edge for edge in around if edge not in taken]
    next_to = {edge: {around[n - 1], around[(n + 1) % len(around)]} for n, edge in enumerate(around)}
    return [edge for edge in free if next_to[edge].isdisjoint(taken)] or free


def _whole(edges: Sequence[str]) -> Iterator[str]:
    """Parts of edges, with the two halves of one as one."""
    halves = {end: [each for each in edges if each.endswith(f"of the {end} edge")] for end in ("north", "south")}
    for edge in edges:
        end = edge.split()[-2]
        both = halves.get(end, [])
        if len(both) < 2:
            yield edge
        elif edge == both[0]:
            yield f"the {end} edge"


def withdrawal(options: Options) -> str:
    """R12.6 How the defenders break off."""
    return (
        f"from minute {options.withdrawal_minute.value} on, if all units of the defenders are at their own edges: they"
        " ask the GM, who decides by the latest saved game. There is no exit zone. A withdrawal is a defeat; the losses"
        " up to then count"
    )


# --- a side's own units -----------------------------------------------------------------------------------------------

UNIT = ("Item", "Number", "In your game")


def unit_rows(wares: Purchases, side: SideId, unit: Unit) -> Rows:
    """R15.4, R14.2 A unit's company or platoon, its men, and all else that it brings, one by one."""
    company, *others = (
        (f"{item.name[0].upper()}{item.name[1:]}", str(item.count), item.note) for item in items_of(wares, side, unit)
    )
    yield company
    yield from _men(unit)
    yield from others
    yield MORTARS
    yield from (("Also", "", line) for line in ledger_lines(unit))


def _men(unit: Unit) -> Rows:
    """R12.7 Ruling 74: how many there are, how they are set, and what their loss counts for."""
    men, of = men_of(unit), "platoon" if is_platoon(unit) else "company"
    few = f"; then remove teams until about {men.now} men are left" if men.too_few else ""
    yield "Men", f"{men.now} of {men.most}", f"the unit has {unit.strength} % of its establishment"
    yield "Headcount setting", f"{men.setting} %", f"of the {of} alone, all else is complete{few}"
    yield "Losses to report", f"up to {men.percent} %", f"{men.percent} × men lost ÷ men at the start"


def reporting() -> Rows:
    """R12.2, R12.7-R12.9 What the players report, and how it is counted."""
    yield "Who won", WON
    yield "Moving in", "if the attackers won, one of their units may move into the hex; their side says which"
    yield "Men", MEN_LOST
    yield "Tanks", "each one destroyed or abandoned; other vehicles and guns are not counted"
    yield (
        "How",
        "one player reports on the page of this battle; the other confirms or disputes; the GM decides a dispute",
    )


WON = (
    "the attackers, if they alone hold the objective at the end or the defenders gave up or withdrew; anything else is"
    " a successful defence"
)
MEN_LOST = (
    "killed, wounded, missing and captured, in whole percent as on the unit’s sheet; each player tells the other their"
    " own."
    " If your game shows only the total of your side, share it out by the men of each unit"
)
"""R12.7 Ruling 74."""
