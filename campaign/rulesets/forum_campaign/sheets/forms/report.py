"""R12 Forms of a report of a battle: the result, losses, and where victors and defeated units go."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from campaign.engine.orders.forms import Blank, Choice, Form, Row
from campaign.engine.orders.order import Order, Placed
from campaign.engine.values.ids import GM, Audience, PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.battle.casualties import medium_tanks
from campaign.rulesets.forum_campaign.battle.pursuit import beyond, may_pursue
from campaign.rulesets.forum_campaign.battle.result_lines import fighters, is_gone, read_results, side_of
from campaign.rulesets.forum_campaign.battle.retreat_hexes import retreat_hexes
from campaign.rulesets.forum_campaign.model.game_data import Branch, GameData, enemy_of
from campaign.rulesets.forum_campaign.model.options import BattleMode
from campaign.rulesets.forum_campaign.model.orders import Decide, Losses, Pursue, Result, Retreat, Tanks, Withdrawal
from campaign.rulesets.forum_campaign.model.state import Battle, Combatant, State, Unit, Winner
from campaign.rulesets.forum_campaign.model.words import PEOPLES

_ALL = 100
"""Percent of an establishment."""


def report_forms(game_data: GameData, known: State, who: Audience, key: str, lines: Sequence[Placed]) -> Iterator[Form]:
    """The forms of a report of one battle, with what is legal after the lines so far, as far as their reader knows."""
    battle = next((battle for battle in known.open.battles if battle.at == key), None)
    if battle is None:
        return
    said = (each.order for each in lines if not each.line)
    reported = next((order for order in said if isinstance(order, Result | Withdrawal)), None)
    result = _result_of(game_data, known, battle, lines, answered=reported is not None)
    report = _Report(game_data, known, who, battle, reported, result, lines)
    yield Form(key="result", title="Result", rows=tuple(report.results()), main=True)
    yield Form(
        key="losses",
        title="Losses",
        help="In percent of the establishment, and in tanks.",
        rows=tuple(report.losses()),
        main=True,
    )
    yield Form(key="pursuit", title="Pursuit", help=_PURSUIT, rows=tuple(report.pursuits()), main=True)
    yield Form(key="retreats", title="Retreats", rows=tuple(report.retreats()), main=True)


def _result_of(
    game_data: GameData, known: State, battle: Battle, lines: Sequence[Placed], *, answered: bool
) -> Result | None:
    """Who won by some lines; an answer to a report may add who advances."""
    added = (each.order for each in lines if answered and each.line and isinstance(each.order, Result))
    return next(added, read_results(game_data, known, lines, only=battle.at).results.get(battle.at))


_PURSUIT = "A mechanized victor that does not advance may go on, into the hex that was won or one hex beyond it."


@dataclass(frozen=True)
class _Report:
    """A report so far."""

    game_data: GameData
    known: State
    who: Audience
    battle: Battle
    reported: Order | None
    """Who won by the report that these lines answer, if they do."""
    result: Result | None
    """Who won by the lines so far."""
    lines: Sequence[Placed]

    @property
    def at(self) -> PlaceId:
        return self.battle.at

    @property
    def attackers_won(self) -> bool:
        return self.result is not None and self.result.winner is Winner.ATTACKERS

    # who won

    def results(self) -> Iterator[Row]:
        """R12.1 Who won; in an answer to a report, at most which unit advances."""
        outcomes = tuple(self._outcomes())
        if self.reported:
            named = isinstance(self.reported, Result) and self.reported.advance is not None
            outcomes = tuple(each for each in outcomes if each.values["advance"] is not None)
            outcomes = outcomes if self.attackers_won and not named else ()
        blank = Blank(name="winner", label="", choices=outcomes, spread=True)
        if outcomes:
            label = "Which unit advances" if self.reported else "Who won"
            yield Row(kind=Result, label=label, fixed={"at": self.at}, blanks=(blank,))
        earliest = int(self.known.open.options.withdrawal_minute.value)
        minute = Blank(name="minute", label="minute", least=earliest)
        label = f"If the defenders withdrew, in minute {earliest} or later"
        if self.result is None or self.attackers_won:
            yield Row(kind=Withdrawal, label=label, fixed={"at": self.at}, blanks=(minute,))
        if self.who == GM and self.known.open.options.battles is BattleMode.BY_CHOICE:
            yield Row(kind=Decide, label="The rules decide, in place of a result", fixed={"at": self.at})

    def _outcomes(self) -> Iterator[Choice]:
        """R12.2 The attackers' side says which of its units advances."""
        attackers, defenders = PEOPLES[self.battle.attacker], PEOPLES[enemy_of(self.battle.attacker)]
        if self._owns(self.battle.attacker):
            for fighter in self._there(self.battle.attackers):
                words = f"The {attackers} win; {fighter.label} advances"
                yield Choice({"winner": Winner.ATTACKERS, "advance": fighter.unit}, words)
        rest = "; nobody advances" if self._owns(self.battle.attacker) else ""
        yield Choice({"winner": Winner.ATTACKERS, "advance": None}, f"The {attackers} win{rest}")
        if not any(isinstance(each.order, Withdrawal) for each in self.lines):
            yield Choice({"winner": Winner.DEFENDERS, "advance": None}, f"The {defenders} hold")

    def _owns(self, side: SideId) -> bool:
        return side in self.known.own

    # what it cost

    def losses(self) -> Iterator[Row]:
        for fighter in self._there(fighters(self.battle)):
            unit = self._unit(fighter)
            strength = unit.strength if unit else None
            label = f"{fighter.label}, {PEOPLES[side_of(self.battle, fighter.unit)]}"
            blank = Blank(name="percent", label="lost", most=strength or _ALL, before=strength, unit="%")
            yield Row(kind=Losses, label=label, fixed={"unit": fighter.unit}, blanks=(blank,))
            blanks = tuple(_tanks(fighter, unit))
            if blanks:
                yield Row(kind=Tanks, label=f"Tanks of {fighter.label}", fixed={"unit": fighter.unit}, blanks=blanks)

    def _there(self, fighters: Sequence[Combatant]) -> Iterator[Combatant]:
        """Those that still exist, as far as the reader knows."""
        return (each for each in fighters if not is_gone(self.known, self.battle, each.unit))

    def _unit(self, fighter: Combatant) -> Unit | None:
        return next((own.units[fighter.unit] for own in self.known.own.values() if fighter.unit in own.units), None)

    # who goes where

    def pursuits(self) -> Iterator[Row]:
        """R12.3 The units that may pursue, each to the hexes that are open as far as their side knows."""
        if not self.attackers_won or not self._owns(self.battle.attacker):
            return
        chosen = {each.order.unit: each.order.to for each in self.lines if isinstance(each.order, Pursue)}
        for fighter in self._there(self.battle.attackers):
            others = {unit: to for unit, to in chosen.items() if unit != fighter.unit}
            places = [to for to in beyond(self.game_data, self.battle) if self._may_pursue(fighter.unit, to, others)]
            if places:
                yield self._to(Pursue, fighter, "pursues to", places)

    def _may_pursue(self, unit: UnitId, to: PlaceId, others: Mapping[UnitId, PlaceId]) -> bool:
        return self.result is not None and may_pursue(
            self.game_data, self.known, self.battle, self.result, Pursue(unit, to), others=others
        )

    def retreats(self) -> Iterator[Row]:
        """R12.5 The defeated units, each with the hexes that are open as far as their side knows."""
        defenders = enemy_of(self.battle.attacker)
        if not self.attackers_won or not self._owns(defenders) or self.known.open.options.separate_retreats:
            return
        for fighter in self.battle.defenders:
            if fighter.unit in self.known.own[defenders].units:
                places = retreat_hexes(self.game_data, self.known, self.battle, fighter.unit)
                if places:
                    yield self._to(Retreat, fighter, "retreats to", places)

    def _to(self, kind: type[Order], fighter: Combatant, label: str, places: Sequence[PlaceId]) -> Row:
        choices = tuple(Choice({"to": place}, self.game_data.place_name(place)) for place in places)
        blank = Blank(name="to", label=label, choices=choices, on_map=True, spread=True)
        return Row(kind=kind, label=fighter.label, fixed={"unit": fighter.unit}, blanks=(blank,))


def _tanks(fighter: Combatant, unit: Unit | None) -> Iterator[Blank]:
    """R12.9 Tanks are counted one by one. Of the enemy's armour nobody knows how many there are."""
    if unit is None and fighter.branch is Branch.ARMOR:
        yield Blank(name="medium", label="medium tanks lost", most=_ALL)
        yield Blank(name="heavy", label="heavy tanks lost", most=_ALL)
    if unit is not None and medium_tanks(unit):
        yield Blank(name="medium", label="medium tanks lost", most=medium_tanks(unit), before=medium_tanks(unit))
    if unit is not None and unit.heavy_tanks:
        yield Blank(name="heavy", label="heavy tanks lost", most=unit.heavy_tanks, before=unit.heavy_tanks)
