"""The release table: each kind of fact discloses exactly what the table's words say, and to whom they say it."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from campaign.engine.dice import ScriptedDice
from campaign.engine.errors import EngineError
from campaign.engine.facts import Fact, Ledger, Rolled
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.rulesets import RULESETS
from campaign.rulesets.forum_campaign.disclosure.release import RELEASE
from campaign.rulesets.forum_campaign.model.facts.air import AirDropped, Interdicted
from campaign.rulesets.forum_campaign.model.facts.battle import BattleRuled
from campaign.rulesets.forum_campaign.model.game_data import GERMAN
from campaign.rulesets.forum_campaign.model.state import State, TankLosses, Winner, on_map
from tests.laws.games import load, play, played, scenarios

ALL = frozenset({"german", "allied", PUBLIC})
SIDES = frozenset({"german", "allied"})
OWNER = "the owner"
AS_ROLLED = "as rolled"

_TO_ALL = """
    Turned WeatherSet FuelReceived FuelSpent FuelSet DepotSet BattleOpened BattleRuled BattleFought Destroyed
    DepotCaptured Controlled CampaignEnded Forecast AirAvailable AirAllocated SuperiorityWon AirRemoved
    Demolished RetreatsBegun
"""
_TO_ITS_OWNER = """
    Moved UnitPlaced AttackCancelled Weakened StrengthSet Retreated Advanced CutOff Resupplied Noted
    MissionsPlanned AirDropped Landed CommandosGone Detached Rejoined TaskForceDenied Resized Plotted
    CloseSupport ArtilleryNamed Supported Following Followed Defeated Pursued AdvanceOrdered TanksLost Absorbed
    Reinforced Dug PositionGone DemolitionPaid UnitAdded UnitRemoved TanksSet GoodsSet LineWritten LineStruck
"""
AUDIENCES: Mapping[str, Any] = {
    **dict.fromkeys(_TO_ALL.split(), ALL),
    **dict.fromkeys(_TO_ITS_OWNER.split(), OWNER),
    "Scouted": SIDES,
    "CommandoSearched": SIDES,
    "Interdicted": "the Allies, and its victim if it succeeds",
    "Rolled": AS_ROLLED,  # but the search for a commando: both sides
}
"""The audiences of a kind of fact, by the words of the table."""

WITHHELD: Mapping[str, Mapping[str, frozenset[str]]] = {
    "FuelSpent": {"allied": frozenset({"reasons"}), PUBLIC: frozenset({"reasons"})},
    "Demolished": {"allied": frozenset({"reasons"}), PUBLIC: frozenset({"reasons"})},
    "BattleFought": {side: frozenset({"reasons"}) for side in ALL},
    "BattleRuled": {side: frozenset({"advance", "losses", "retreats", "tanks", "pursuers"}) for side in ALL},
    "Scouted": {side: frozenset({"sightings", "positions", "last_seen"}) for side in SIDES},
    "Plotted": {side: frozenset({"contact"}) for side in SIDES},
    "Interdicted": {"allied": frozenset({"side", "unit"})},
}
"""Fields that are disclosed only in part."""


def test_the_table_has_every_kind_of_fact_and_its_audiences() -> None:
    assert {kind.__name__ for kind in RELEASE} == set(AUDIENCES)
    for rules in RULESETS:
        assert all(release.words for release in rules.release.values())


def test_each_audience_gets_the_fields_that_the_table_says() -> None:
    seen = set()
    for fact, disclosures, sides, truth in _events():
        name = type(fact).__name__
        seen.add(name)
        assert set(disclosures) - {GM} == _expected(fact, sides), fact
        assert disclosures[GM] == fact
        for audience, disclosed in disclosures.items():
            assert _differing(fact, disclosed) <= WITHHELD.get(name, {}).get(audience, frozenset()), (audience, fact)
            _assert_own_alone(name, audience, disclosed, truth)
    assert len(seen) > 30


def test_a_kind_of_fact_that_is_not_in_the_table_cannot_happen() -> None:
    class Whispered(Fact, frozen=True):
        """A fact that is not in the table."""

    (phase,) = play(load(scenarios()[0]), 0, 1)
    ledger = Ledger(phase.game_data, phase.before, phase.rules.evolve, phase.rules.release, ScriptedDice({}))
    with pytest.raises(EngineError, match="release table"):
        ledger.emit(Whispered(), rule="R1")


def _events() -> Any:
    """All events of some random games, with their disclosures, the sides, and the state before."""
    for folder in scenarios():
        if folder.parent.name != "forum_campaign":
            continue
        for game in range(6):
            for phase in played(folder, game, 14):
                truth = phase.before
                for fact in possible(truth):
                    disclosures = {GM: fact, **phase.rules.release[type(fact)].disclosures(truth, truth, fact)}
                    yield fact, disclosures, phase.rules.sides, truth
                for event in phase.resolution.events:
                    yield event.fact, event.disclosures, phase.rules.sides, truth
                    truth = phase.rules.evolve(truth, event.fact)


def possible(truth: State) -> Iterator[Fact]:
    """Facts that random games need not bring.

    R15.6 A ruling for each pending battle, in which something happens to every unit; a search for a commando, air units
    that meet a unit or miss it, and supply from the air.
    """
    yield Rolled("commando/C1", Audience("allied"), 6, (3, 4), "search")
    for unit, at in on_map(truth.own[GERMAN])[:1]:
        yield from (Interdicted(at, 2, success, GERMAN, unit.id) for success in (True, False))
        yield AirDropped(GERMAN, unit.id, at)
    for battle in truth.open.battles:
        fighters = [fighter.unit for fighter in (*battle.attackers, *battle.defenders)]
        places, tanks = dict.fromkeys(fighters, battle.at), dict.fromkeys(fighters, TankLosses(1))
        losses = dict.fromkeys(fighters, 5)
        yield BattleRuled(battle.at, Winner.ATTACKERS, battle.attackers[0].unit, losses, places, tanks, places)


def _expected(fact: Any, sides: Any) -> frozenset[str]:
    audiences = AUDIENCES[type(fact).__name__]
    if audiences == OWNER:
        return frozenset({fact.side})
    if audiences == AS_ROLLED:
        if fact.label.startswith("commando/"):
            return SIDES
        return ALL if fact.audience == PUBLIC else frozenset({fact.audience}) - {GM}
    if isinstance(audiences, frozenset):
        return audiences
    assert set(sides) == SIDES
    return frozenset({"allied", fact.side}) if fact.success and fact.side else frozenset({"allied"})


def _differing(fact: Any, disclosed: Any) -> frozenset[str]:
    assert type(disclosed) is type(fact)
    return frozenset(name for name in fact.__struct_fields__ if getattr(fact, name) != getattr(disclosed, name))


def _assert_own_alone(name: str, audience: str, disclosed: Any, truth: Any) -> None:
    """Check that withheld fields are really empty."""
    if audience == GM:
        return
    if name in ("FuelSpent", "Demolished"):
        assert audience == "german" or not disclosed.reasons
    if name == "BattleFought":
        assert set(disclosed.reasons) <= {audience}
    if name == "Scouted":
        assert {*disclosed.sightings, *disclosed.positions, *disclosed.last_seen} <= {audience}
    if name == "Plotted":
        assert not disclosed.contact
    if name == "Interdicted" and audience == "allied":
        assert disclosed.side is None
        assert disclosed.unit is None
    if name == "BattleRuled":
        named = {
            *disclosed.losses,
            *disclosed.retreats,
            *disclosed.tanks,
            *disclosed.pursuers,
            *filter(None, [disclosed.advance]),
        }
        assert named <= set(() if audience == PUBLIC else truth.own[audience].units)
