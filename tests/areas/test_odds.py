"""The odds that sides are shown: those of the printed game's opening, and those of every throw counted out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import pytest

from campaign.engine.values.ids import PlaceId
from campaign.engine.values.modifiers import Modifier, total
from campaign.engine.values.value import replace as changed
from campaign.rulesets.area_activation.model.game_data import GERMAN, SIDES, Terrain
from campaign.rulesets.area_activation.model.options import Chances
from campaign.rulesets.area_activation.model.state import Fight, Unit
from campaign.rulesets.area_activation.rules.combat import dice_of, fight_between
from campaign.rulesets.area_activation.rules.odds import odds
from campaign.rulesets.area_activation.rules.situation import Situation
from tests.areas.board import position, scenario, unit


@dataclass(frozen=True)
class Battle:
    """A line of the table of opening and key battles."""

    day: int
    at: str
    attackers: Sequence[str]
    defenders: Mapping[str, int]
    eliminated: float
    defender_loss: float
    attacker_loss: float
    surprise: bool = False
    across: Sequence[str] = ()
    """The attackers that have come across a river."""


OPENING = [
    Battle(16, "Losheim", ["12VG"], {"14Cav": 1}, 0.69, 0.7, 0.3, surprise=True),
    Battle(16, "Losheim", ["12VG", "277VG", "3FJ"], {"14Cav": 1}, 1.00, 1.0, 0.3, surprise=True),
    Battle(16, "Bleialf", ["62VG", "18VG"], {"424-106": 2}, 0.85, 1.8, 0.6, surprise=True),
    Battle(16, "Schonberg", ["18VG"], {"106Inf": 4}, 0.00, 1.1, 1.2, surprise=True),
    Battle(16, "Clervaux", ["26VG", "560VG"], {"28Inf": 4}, 0.06, 1.6, 1.2, surprise=True, across=["560VG"]),
    Battle(16, "Vianden", ["352VG"], {"109-28": 1}, 0.69, 0.7, 0.4, surprise=True, across=["352VG"]),
    Battle(16, "Echternach", ["212VG"], {"4Inf": 4}, 0.00, 0.4, 1.6, surprise=True, across=["212VG"]),
    Battle(16, "Monschau", ["326VG", "272VG"], {"38Cav": 1}, 0.89, 0.9, 0.3),
    Battle(16, "Vianden", ["2Pz"], {"109-28": 1}, 0.97, 1.0, 0.3, across=["2Pz"]),
    Battle(16, "Clervaux", ["2Pz", "26VG", "560VG"], {"28Inf": 4}, 0.82, 3.7, 0.8, across=["2Pz"]),
    Battle(16, "Elsenborn", ["1SSPz", "277VG", "3FJ"], {"2Inf": 4, "99Inf": 4}, 0.08, 4.8, 1.6),
    Battle(17, "StVith", ["116Pz", "18VG", "62VG"], {"B-9Arm": 2, "7Arm": 4}, 0.02, 2.1, 1.8),
    Battle(19, "Bastogne", ["2Pz", "PzLehr", "26VG"], {"101Abn": 5, "R-9Arm": 1}, 0.03, 2.3, 1.3),
    Battle(19, "Bastogne", ["2Pz", "PzLehr", "26VG"], {"101Abn": 5, "10Arm": 3, "R-9Arm": 1}, 0.00, 2.3, 2.2),
]


def fought(battle: Battle) -> tuple[Situation, Fight]:
    place = PlaceId(battle.at)
    attackers = [unit(each, battle.at, across=each in battle.across) for each in battle.attackers]
    defenders = [unit(each, battle.at, strength) for each, strength in battle.defenders.items()]
    side = attackers[0].side
    situation = position([*attackers, *defenders], side=side, day=battle.day, surprise=int(battle.surprise))
    return situation, fight_between(situation, place, attackers, defenders)


@pytest.mark.parametrize("battle", OPENING, ids=lambda each: f"{each.day}-{each.at}-{len(each.attackers)}")
def test_odds_of_the_opening(battle: Battle) -> None:
    situation, fight = fought(battle)
    found = odds(situation.game_data, fight)
    assert found.eliminated == pytest.approx(battle.eliminated, abs=0.01)
    assert found.defender_loss == pytest.approx(battle.defender_loss, abs=0.1)
    assert found.attacker_loss == pytest.approx(battle.attacker_loss, abs=0.1)


# --- counted out -----------------------------------------------------------------------------------------------------

SMALL = [
    ([unit("109-28", "Vianden")], [unit("26VG", "Vianden", 2)], 17),
    ([unit("2Pz", "Vianden", 1)], [unit("109-28", "Vianden")], 16),
    ([unit("18VG", "StVith", 2), unit("116Pz", "StVith", 1)], [unit("B-9Arm", "StVith", 1)], 17),
    ([unit("A-9Arm", "Verviers", 1)], [unit("1SSPz", "Verviers", 1), unit("12VG", "Verviers", 1)], 24),
    ([unit("R-9Arm", "Marche", 2)], [unit("560VG", "Marche", 2, unsupplied=True)], 23),
    ([unit("560VG", "Monschau", 2, across=True)], [unit("38Cav", "Monschau")], 19),
]


@pytest.mark.parametrize(("attackers", "defenders", "day"), SMALL)
def test_odds_are_those_of_every_throw(attackers: list[Unit], defenders: list[Unit], day: int) -> None:
    situation = position([*attackers, *defenders], side=attackers[0].side, day=day)
    fight = fight_between(situation, attackers[0].at, attackers, defenders)
    found = odds(situation.game_data, fight)
    defender = counted_out(situation, fight, attacks=True)
    attacker = counted_out(situation, fight, attacks=False)
    assert found.eliminated == pytest.approx(defender[-1])
    assert found.attackers_lost == pytest.approx(attacker[-1])
    assert found.defender_loss == pytest.approx(mean(defender))
    assert found.attacker_loss == pytest.approx(mean(attacker))


def counted_out(situation: Situation, fight: Fight, *, attacks: bool) -> list[float]:
    """How often each number of points is lost, die by die over every throw of ten-sided dice."""
    rolling, losing = (fight.attackers, fight.defenders) if attacks else (fight.defenders, fight.attackers)
    shelter = fight.shelter if attacks else 0
    chances = [total(fighter.chance) for fighter in rolling for _ in range(dice_of(situation.game_data, fighter))]
    strength = sum(fighter.strength for fighter in losing)
    lost = [0] * (strength + 1)
    for throw in product(range(1, 11), repeat=len(chances)):
        hits = sum(die <= chance for die, chance in zip(throw, chances, strict=True))
        lost[min(strength, max(0, hits - shelter))] += 1
    return [times / 10 ** len(chances) for times in lost]


def mean(shares: Sequence[float]) -> float:
    return sum(number * share for number, share in enumerate(shares))


# --- limits ----------------------------------------------------------------------------------------------------------


def limited(chances: Chances, *, attack: int, out_of_supply: int) -> tuple[Situation, Fight]:
    """2 Pz with this figure on its counter against a unit without supply, in clear country."""
    attacker, defender = unit("2Pz", "Ouffet", 2), unit("28Inf", "Ouffet", unsupplied=True)
    there = position([attacker, defender], side=GERMAN, day=17)
    cards = {**there.game_data.cards, attacker.id: replace(there.game_data.cards[attacker.id], attack=attack)}
    game_data = replace(there.game_data, cards=cards, out_of_supply=out_of_supply)
    open_ = changed(there.open, options=changed(there.open.options, chances=chances))
    situation = replace(there, game_data=game_data, open=open_)
    return situation, fight_between(situation, attacker.at, [attacker], [defender])


@pytest.mark.parametrize(
    ("chances", "best", "worst"), [(Chances.WHOLE, 10, 0), (Chances.NEVER_SURE, 9, 1)], ids=["0-10", "1-9"]
)
def test_r26_a_campaigns_limits_hold_chances(chances: Chances, best: int, worst: int) -> None:
    """No counter of the supplied scenarios comes so far: their figures are changed."""
    situation, fight = limited(chances, attack=9, out_of_supply=0)
    (attacker,), (defender,) = fight.attackers, fight.defenders
    assert (total(attacker.chance), total(defender.chance)) == (best, worst)
    assert attacker.chance[-1] == Modifier(best - 11, "limit", "R26")
    lost = mean(counted_out(situation, fight, attacks=True))
    assert odds(situation.game_data, fight).defender_loss == pytest.approx(lost)


def test_r26_within_the_limits_nothing_is_added() -> None:
    _, fight = limited(Chances.NEVER_SURE, attack=7, out_of_supply=2)
    chances = [total(fighter.chance) for fighter in (*fight.attackers, *fight.defenders)]
    assert chances == [9, 1]
    assert "limit" not in {part.reason for fighter in (*fight.attackers, *fight.defenders) for part in fighter.chance}


def test_ruling_5_no_chance_of_the_supplied_scenarios_comes_to_a_limit() -> None:
    """R27 to R29 Even if all that helps a unit, or hinders it, came together."""
    game_data, _ = scenario()
    cards, spaces = game_data.cards.values(), game_data.spaces.values()
    german, allied = (max(card.attack for card in cards if card.side == side) for side in SIDES)
    country = max(space.artillery + (space.terrain is Terrain.CLEAR) for space in spaces)
    assert german + 1 + country + 2 <= 9  # the surprise, and defenders without supply
    assert allied + 1 + 1 + 2 <= 9  # air support, clear country
    assert min(card.attack for card in cards) - 1 >= 1
    assert max(card.defence for card in cards) + 1 + 1 <= 9
    assert min(game_data.out_of_supply, *(card.defence for card in cards)) - 1 >= 1
