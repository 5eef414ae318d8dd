"""The release table: what each fact discloses to whom. Players read its words on the rules page; the code obeys it.

The GM learns everything. A kind of fact that is not in the table cannot happen.
"""

from collections.abc import Mapping

from campaign.engine.facts import Fact, Noted, Release, Rolled, to_all, to_audience_of_roll, to_owner
from campaign.engine.values.ids import PUBLIC, Audience, audience_of
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.facts.air import (
    AirAllocated,
    AirAvailable,
    AirDropped,
    AirRemoved,
    CloseSupport,
    Forecast,
    Interdicted,
    Landed,
    MissionsPlanned,
    SuperiorityWon,
)
from campaign.rulesets.forum_campaign.model.facts.battle import (
    Absorbed,
    Advanced,
    AdvanceOrdered,
    ArtilleryNamed,
    AttackCancelled,
    BattleFought,
    BattleOpened,
    BattleRuled,
    Defeated,
    Destroyed,
    Pursued,
    Retreated,
    RetreatsBegun,
    Supported,
    TanksLost,
    Weakened,
)
from campaign.rulesets.forum_campaign.model.facts.day import (
    CampaignEnded,
    Controlled,
    CutOff,
    Demolished,
    DemolitionPaid,
    DepotCaptured,
    DepotSet,
    Dug,
    FuelReceived,
    FuelSet,
    FuelSpent,
    PositionGone,
    Reinforced,
    Resupplied,
    Scouted,
    Turned,
    WeatherSet,
)
from campaign.rulesets.forum_campaign.model.facts.movement import (
    COMMANDO_SEARCH,
    CommandoSearched,
    CommandosGone,
    Detached,
    Followed,
    Following,
    Moved,
    Plotted,
    Rejoined,
    Resized,
    StrengthSet,
    TaskForceDenied,
    UnitPlaced,
)
from campaign.rulesets.forum_campaign.model.facts.muster import (
    GoodsSet,
    LineStruck,
    LineWritten,
    TanksSet,
    UnitAdded,
    UnitRemoved,
)
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, enemy_of
from campaign.rulesets.forum_campaign.model.state import State


def _each_its_picture(_before: State, _after: State, fact: Scouted) -> Mapping[Audience, Fact]:
    return {
        audience_of(side): Scouted(
            {side: picture},
            {side: fact.positions[side]} if side in fact.positions else {},
            {side: fact.last_seen[side]} if side in fact.last_seen else {},
        )
        for side, picture in fact.sightings.items()
    }


def _to_both_sides(before: State, _after: State, fact: Fact) -> Mapping[Audience, Fact]:
    return {audience_of(side): fact for side in before.own}


def _roll(before: State, after: State, fact: Rolled) -> Mapping[Audience, Fact]:
    search = fact.label.startswith(COMMANDO_SEARCH)
    return _to_both_sides(before, after, fact) if search else to_audience_of_roll(before, after, fact)


def _success_to_its_victim(_before: State, _after: State, fact: Interdicted) -> Mapping[Audience, Fact]:
    disclosures: dict[Audience, Fact] = {audience_of(ALLIED): replace(fact, side=None, unit=None)}
    if fact.success and fact.side is not None:
        disclosures[audience_of(fact.side)] = fact
    return disclosures


def _price_to_all(_before: State, _after: State, fact: FuelSpent) -> Mapping[Audience, Fact]:
    price = replace(fact, reasons=())
    return {PUBLIC: price, audience_of(ALLIED): price, audience_of(GERMAN): fact}


def _each_its_losses(before: State, _after: State, fact: BattleRuled) -> Mapping[Audience, Fact]:
    """The public learns the winner; a side also learns what happens to its own units."""
    battle = next(battle for battle in before.open.battles if battle.at == fact.at)
    bare = BattleRuled(fact.at, fact.winner, minute=fact.minute)
    disclosed: dict[Audience, Fact] = {PUBLIC: bare}
    for side, fighters in ((battle.attacker, battle.attackers), (enemy_of(battle.attacker), battle.defenders)):
        units = {fighter.unit for fighter in fighters}
        disclosed[audience_of(side)] = replace(
            bare,
            advance=fact.advance if fact.advance in units else None,
            losses={unit: lost for unit, lost in fact.losses.items() if unit in units},
            retreats={unit: to for unit, to in fact.retreats.items() if unit in units},
            tanks={unit: lost for unit, lost in fact.tanks.items() if unit in units},
            pursuers={unit: to for unit, to in fact.pursuers.items() if unit in units},
        )
    return disclosed


def _modifier_to_germans(_before: State, _after: State, fact: Demolished) -> Mapping[Audience, Fact]:
    outcome = replace(fact, reasons=())
    return {PUBLIC: outcome, audience_of(ALLIED): outcome, audience_of(GERMAN): fact}


def _way_to_owner(_before: State, _after: State, fact: Plotted) -> Mapping[Audience, Fact]:
    """Without the contact: the zone of control may belong to an enemy that its side does not see."""
    return {audience_of(fact.side): replace(fact, contact=False)}


def _each_its_strength(before: State, _after: State, fact: BattleFought) -> Mapping[Audience, Fact]:
    disclosed: dict[Audience, Fact] = {PUBLIC: replace(fact, reasons={})}
    for side in before.own:
        own = {side: fact.reasons[side]} if side in fact.reasons else {}
        disclosed[audience_of(side)] = replace(fact, reasons=own)
    return disclosed


_OWNER = "the unit's side only"

RELEASE: Mapping[type[Fact], Release] = {
    Rolled: Release(
        "the audience that was named before the roll was made; the search for a commando: both sides", _roll
    ),
    Turned: Release("everyone", to_all),
    WeatherSet: Release("everyone", to_all),
    FuelReceived: Release("everyone", to_all),
    FuelSpent: Release("everyone: the points; the Germans: also the number of units", _price_to_all),
    FuelSet: Release("everyone", to_all),
    Scouted: Release(
        "each side: its own view of the enemy (name and prepared position at 1 hex, type at 2 and 3), and which enemies"
        " it saw before",
        _each_its_picture,
    ),
    Moved: Release(
        "the unit's side only: its path and cost, where and why it stopped, and the hex of an enemy that it ran into",
        to_owner,
    ),
    UnitPlaced: Release(_OWNER, to_owner),
    DepotSet: Release("everyone", to_all),
    AttackCancelled: Release(_OWNER, to_owner),
    BattleOpened: Release(
        "everyone: the hex, name, arm and size of the units on both sides, the hex from which each attacker comes,"
        " and the prepared position of the defenders",
        to_all,
    ),
    BattleRuled: Release(
        "everyone: that the GM decides the battle, who holds the objective in the hex, and whether the defenders"
        " withdrew; each side: the losses, retreats, advance and pursuit of its own units",
        _each_its_losses,
    ),
    BattleFought: Release(
        "everyone: who holds the objective in the hex; each side, if the resolver decided it: how its own strength was"
        " worked out",
        _each_its_strength,
    ),
    Weakened: Release(_OWNER, to_owner),
    StrengthSet: Release(_OWNER, to_owner),
    Destroyed: Release(
        "everyone: the unit's name, where it was destroyed, and whether by losses or because it could not retreat",
        to_all,
    ),
    Retreated: Release(_OWNER, to_owner),
    Advanced: Release(_OWNER, to_owner),
    CutOff: Release(_OWNER, to_owner),
    Resupplied: Release(_OWNER, to_owner),
    DepotCaptured: Release("everyone", to_all),
    Controlled: Release("everyone", to_all),
    Noted: Release("the side that wrote it and the GM", to_owner),
    CampaignEnded: Release("everyone", to_all),
    Forecast: Release("everyone", to_all),
    AirAvailable: Release("everyone", to_all),
    MissionsPlanned: Release("the side that ordered them", to_owner),
    AirAllocated: Release("everyone, once both sides have allocated", to_all),
    SuperiorityWon: Release("everyone", to_all),
    AirRemoved: Release("everyone", to_all),
    AirDropped: Release(_OWNER, to_owner),
    Interdicted: Release(
        "the Allies: the hex and whether it succeeded; the Germans, only if it did: which unit it was, and how many air"
        " units attacked",
        _success_to_its_victim,
    ),
    Landed: Release(_OWNER, to_owner),
    CommandoSearched: Release("both sides: the commando's name, where, and whether it was found", _to_both_sides),
    CommandosGone: Release(_OWNER, to_owner),
    Demolished: Release(
        "everyone: whether it succeeded; the Germans: also the die and its modifier", _modifier_to_germans
    ),
    DemolitionPaid: Release("the Allies", to_owner),
    Detached: Release(_OWNER, to_owner),
    Rejoined: Release(_OWNER, to_owner),
    TaskForceDenied: Release(_OWNER, to_owner),
    Resized: Release(_OWNER, to_owner),
    Plotted: Release("the unit's side only: its path", _way_to_owner),
    CloseSupport: Release(_OWNER, to_owner),
    ArtilleryNamed: Release("the side that named it", to_owner),
    Supported: Release("the side that is supported", to_owner),
    Following: Release(_OWNER, to_owner),
    Followed: Release(_OWNER, to_owner),
    Defeated: Release(_OWNER, to_owner),
    RetreatsBegun: Release(
        "everyone: which units of a lost battle are left (destroyed units are known anyway)", to_all
    ),
    Pursued: Release(_OWNER, to_owner),
    AdvanceOrdered: Release("the side that won", to_owner),
    TanksLost: Release(_OWNER, to_owner),
    Absorbed: Release(_OWNER, to_owner),
    Reinforced: Release(_OWNER, to_owner),
    Dug: Release("the side that dug; the enemy once it sees the position, at 1 hex", to_owner),
    PositionGone: Release("the side that dug", to_owner),
    UnitAdded: Release(_OWNER, to_owner),
    UnitRemoved: Release(_OWNER, to_owner),
    TanksSet: Release(_OWNER, to_owner),
    GoodsSet: Release(_OWNER, to_owner),
    LineWritten: Release(_OWNER, to_owner),
    LineStruck: Release(_OWNER, to_owner),
}
