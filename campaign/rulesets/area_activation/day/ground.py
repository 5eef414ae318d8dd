"""R13, R14, R23, R45: what follows from where units are."""

from collections.abc import Iterable

from campaign.engine.facts import Ledger
from campaign.engine.values.ids import PlaceId, SideId
from campaign.rulesets.area_activation.model.facts import BritishFreed, ContestedNow, Sighted, Taken
from campaign.rulesets.area_activation.model.game_data import GERMAN, SIDES, GameData
from campaign.rulesets.area_activation.model.options import Fog
from campaign.rulesets.area_activation.model.state import State, Unit, all_units
from campaign.rulesets.area_activation.rules.situation import picture


def settle(ledger: Ledger[GameData, State]) -> None:
    """R13 Let every space have the holder that its units give it."""
    held = {side: {unit.at for unit in ledger.state.own[side].units.values()} for side in SIDES}
    for side, other in ((GERMAN, SIDES[1]), (SIDES[1], GERMAN)):
        for place in ledger.game_data.spaces:
            if place in held[side] and place not in held[other]:
                take(ledger, place, side, rule="R13")
    contested = tuple(place for place in ledger.game_data.spaces if place in held[GERMAN] & held[SIDES[1]])
    if contested != ledger.state.open.contested:
        ledger.emit(ContestedNow(contested), rule="R13")
    free_british(ledger, held[GERMAN])


def take(ledger: Ledger[GameData, State], place: PlaceId, side: SideId, *, rule: str) -> None:
    """R13, R42 A space changes hands, if it is not the side's already."""
    if ledger.state.open.control[place] != side:
        points = ledger.game_data.spaces[place].points
        ledger.emit(Taken(place, side, points if side == GERMAN else -points), rule=rule)


def free_british(ledger: Ledger[GameData, State], entered: Iterable[PlaceId]) -> None:
    """R23 British units may cross the Meuse once a German unit has been next to it."""
    if not ledger.state.open.british_free and any(map(ledger.game_data.touches_meuse, entered)):
        ledger.emit(BritishFreed(), rule="R23")


def scout(ledger: Ledger[GameData, State]) -> None:
    """R45 Update what each side sees."""
    state = ledger.state
    pictures = {side: picture(ledger.game_data, state, side) for side in SIDES}
    shown = shown_to_all(state)
    if shown != state.open.shown or any(pictures[side] != state.own[side].seen for side in SIDES):
        ledger.emit(Sighted(pictures, shown), rule="R45")


def shown_to_all(state: State) -> tuple[Unit, ...]:
    """R45 All units on the map, where nothing is hidden, in the order of their ids."""
    if state.open.options.fog is Fog.ON:
        return ()
    return tuple(unit for _, unit in sorted(all_units(state).items()))
