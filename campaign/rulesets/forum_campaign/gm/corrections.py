"""R15.6 The GM's rulings as lines of orders, and the facts that they mean."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Annotated, Any

from campaign.engine.facts import Fact
from campaign.engine.orders.checking import Refused, refusal
from campaign.engine.orders.lexicon import Names, lexicon
from campaign.engine.orders.order import Help, Keyword, Order, Placed, Problem, Text
from campaign.engine.rulings import RuledFacts, facts_meant
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.battle.results import OF_A_UNIT
from campaign.rulesets.forum_campaign.model.facts import day, movement, muster
from campaign.rulesets.forum_campaign.model.facts.battle import BattleRuled, Cause, Destroyed
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, Branch, GameData, Goods
from campaign.rulesets.forum_campaign.model.game_data import Weather as Condition
from campaign.rulesets.forum_campaign.model.ledger import LedgerLine, LineKind, lines_in
from campaign.rulesets.forum_campaign.model.orders import Losses, Pursue, Result, Retreat, Tanks, Withdrawal
from campaign.rulesets.forum_campaign.model.state import DepotStatus, State, TankLosses, Unit, WeatherToday, Winner
from campaign.rulesets.forum_campaign.model.task_forces import has_rejoined
from campaign.rulesets.forum_campaign.model.words import counted


class Hands(Enum):
    """Who holds a place."""

    GERMAN = GERMAN
    ALLIED = ALLIED


class Depth(Enum):
    """R13 How deep a position is."""

    NONE = "none"
    DUG_IN = "dug-in"
    ENTRENCHED = "entrenched"


class Size(Enum):
    """R5.7 Whether a unit is small for stacking."""

    FULL = "full"
    SMALL = "small"


class TankClass(Enum):
    """R12.9"""

    MEDIUM = LineKind.MEDIUM_TANK.value
    HEAVY = LineKind.HEAVY_TANK.value


class Place(Order, frozen=True):
    """Put a unit somewhere; a destroyed one is back."""

    unit: Annotated[UnitId, Help("the unit")]
    at: Annotated[PlaceId, Keyword("at"), Help("where it is")]


class Strength(Order, frozen=True):
    """Set a unit's headcount, in percent of its establishment."""

    unit: Annotated[UnitId, Help("the unit")]
    percent: Annotated[int, Help("its strength")]


class Destroy(Order, frozen=True):
    """Destroy a unit."""

    unit: Annotated[UnitId, Help("the unit")]


class CutOff(Order, frozen=True):
    """Give a unit an unsupplied marker."""

    unit: Annotated[UnitId, Help("the unit")]


class Resupply(Order, frozen=True):
    """Remove a unit's unsupplied marker."""

    unit: Annotated[UnitId, Help("the unit")]


class Fuel(Order, frozen=True):
    """Set the German reserve."""

    points: Annotated[int, Help("points in hand")]


class Weather(Order, frozen=True):
    """Set today's weather, with the modifiers of the day's table."""

    condition: Annotated[Condition, Help("the weather")]


class Control(Order, frozen=True):
    """Set who holds an objective."""

    place: Annotated[PlaceId, Help("the objective")]
    side: Annotated[Hands, Help("who holds it")]


class Depot(Order, frozen=True):
    """Set the state of a depot, without its fuel."""

    place: Annotated[PlaceId, Help("the depot")]
    status: Annotated[DepotStatus, Help("its state")]


class Position(Order, frozen=True):
    """Set a side's prepared position in a hex where it has a unit."""

    at: Annotated[PlaceId, Help("the hex")]
    side: Annotated[Hands, Help("whose position")]
    depth: Annotated[Depth, Help("its level")]


class AddUnit(Order, frozen=True):
    """Add a unit, with its strength in percent of its establishment and its label. A full hex is no obstacle."""

    side: Annotated[Hands, Help("whose unit it is")]
    branch: Annotated[Branch, Help("its arm")]
    size: Annotated[Size, Help("its size")]
    at: Annotated[PlaceId, Help("the hex")]
    strength: Annotated[int, Help("its strength")]
    label: Annotated[Text, Help("its label")]


class RemoveUnit(Order, frozen=True):
    """Take a unit out of the campaign. Only its side is told, and nobody absorbs it."""

    unit: Annotated[UnitId, Help("the unit")]


class SetTanks(Order, frozen=True):
    """R12.9 Set the tanks that a unit has left of its own."""

    unit: Annotated[UnitId, Help("the unit")]
    medium: Annotated[int, Keyword("medium"), Help("medium tanks")]
    heavy: Annotated[int, Keyword("heavy"), Help("heavy tanks")]


class SetGoods(Order, frozen=True):
    """R14.2 Set the guns or tanks that a unit has on top of its order of battle."""

    unit: Annotated[UnitId, Help("the unit")]
    goods: Annotated[Goods, Help("which guns, or tanks")]
    amount: Annotated[int, Help("how many")]


class Extra(Order, frozen=True):
    """R12.10 Write teams or vehicles that a unit gets into its ledger."""

    unit: Annotated[UnitId, Help("the unit")]
    text: Annotated[Text, Keyword("gets"), Help("what it gets")]


class NameTank(Order, frozen=True):
    """R12.9 Write the name or number of one of a unit's tanks into its ledger."""

    unit: Annotated[UnitId, Help("the unit")]
    tank: Annotated[TankClass, Help("which of its tanks")]
    text: Annotated[Text, Keyword("called"), Help("its name")]


class Ledger(Order, frozen=True):
    """Write a line of your own into a unit's ledger."""

    unit: Annotated[UnitId, Help("the unit")]
    text: Annotated[Text, Keyword("says"), Help("the line")]


class Strike(Order, frozen=True):
    """Strike a line from a unit's ledger."""

    unit: Annotated[UnitId, Help("the unit")]
    number: Annotated[int, Help("the number of the line")]


CORRECTIONS: tuple[type[Order], ...] = (
    Place,
    Strength,
    Destroy,
    CutOff,
    Resupply,
    Fuel,
    Weather,
    Control,
    Depot,
    Position,
    AddUnit,
    RemoveUnit,
    SetTanks,
    SetGoods,
    Extra,
    NameTank,
    Ledger,
    Strike,
    Result,
    Withdrawal,
    Losses,
    Tanks,
    Retreat,
    Pursue,
)


def correction_names(game_data: GameData, known: State) -> Names:
    """What a ruling may name: every unit of both sides, destroyed ones too, and every place."""
    units = _units(known)
    called = {id_: (unit.label, unit.name, id_) for id_, unit in units.items()}
    forces = {id_ for id_, unit in units.items() if unit.parent is not None}
    return Names(lexicon("a unit of the campaign", called, unabridged=forces), game_data.place_names)


def corrections(game_data: GameData, known: State, lines: Sequence[Placed]) -> RuledFacts:
    """What these lines mean. RESULT or WITHDRAWAL, with LOSSES, TANKS, RETREAT and PURSUE, decide a battle together."""
    desk = _Desk(game_data, known, lines)
    alone = [each for each in lines if not isinstance(each.order, OF_A_UNIT) and not _is_told_by_result(each, lines)]
    ruled, problems = facts_meant(alone, {kind: partial(meaning, desk) for kind, meaning in _FACTS.items()})
    return ruled, (*problems, *_stray(known, lines))


def _refused(message: str, hint: str = "") -> Refused:
    return Refused("ruling", message, "R15.6", hint=hint)


class _Desk:
    """The ruling's lines, and what they are read with."""

    def __init__(self, game_data: GameData, known: State, lines: Sequence[Placed]) -> None:
        self.game_data, self.known, self.lines = game_data, known, lines

    def owner(self, unit: UnitId) -> SideId:
        return next(side for side, own in self.known.own.items() if unit in own.units or unit in own.lost)

    def unit(self, unit: UnitId) -> Unit:
        return _units(self.known)[unit]


def _units(known: State) -> dict[UnitId, Unit]:
    """Units that a ruling may name: also destroyed ones, but no task force that has rejoined its unit."""
    return {
        id_: unit
        for own in known.own.values()
        for id_, unit in {**own.lost, **own.units}.items()
        if not has_rejoined(own, id_)
    }


def _destroyed(desk: _Desk, order: Destroy) -> Fact:
    unit = desk.unit(order.unit)
    if unit.at is None or unit.id not in desk.known.own[desk.owner(unit.id)].units:
        raise _refused(f"{unit.label} is not on the map")
    return Destroyed(desk.owner(unit.id), unit.id, unit.label, unit.at, Cause.RULING)


def _weather(desk: _Desk, order: Weather) -> Fact:
    bands = desk.game_data.charts.weather[desk.known.open.date]
    for band in bands:
        if band.weather is order.condition:
            return day.WeatherSet(WeatherToday(band.weather, band.allied, band.german))
    possible = ", ".join(band.weather.value for band in bands)
    message = f"{order.condition.value} is not on the table of {desk.known.open.date:%-d %B}"
    raise _refused(message, f"That day can have: {possible}.")


def _is_told_by_result(line: Placed, lines: Sequence[Placed]) -> bool:
    """Whether it is a withdrawal next to the RESULT line of its battle: the two are one ruling."""
    results = {placed.order.at for placed in lines if isinstance(placed.order, Result)}
    return isinstance(line.order, Withdrawal) and line.order.at in results


def _withdrawn(desk: _Desk, order: Withdrawal) -> Fact:
    return _battle(desk, Result(order.at, Winner.ATTACKERS))


def _battle(desk: _Desk, order: Result) -> Fact:
    battle = next((each for each in desk.known.open.battles if each.at == order.at), None)
    if battle is None:
        raise _refused(f"there is no battle for {desk.game_data.place_name(order.at)}")
    units = {fighter.unit for fighter in (*battle.attackers, *battle.defenders)}
    about = [placed.order for placed in desk.lines]
    return BattleRuled(
        order.at,
        order.winner,
        order.advance,
        {each.unit: each.percent for each in about if isinstance(each, Losses) and each.unit in units},
        {each.unit: each.to for each in about if isinstance(each, Retreat) and each.unit in units},
        {
            each.unit: TankLosses(each.medium, each.heavy)
            for each in about
            if isinstance(each, Tanks) and each.unit in units
        },
        {each.unit: each.to for each in about if isinstance(each, Pursue) and each.unit in units},
        next((each.minute for each in about if isinstance(each, Withdrawal) and each.at == order.at), None),
    )


def _position(_desk: _Desk, order: Position) -> Fact:
    side, level = SideId(order.side.value), list(Depth).index(order.depth)
    return day.Dug(side, order.at, level) if level else day.PositionGone(side, order.at)


def _added(_desk: _Desk, order: AddUnit) -> Fact:
    label, small = " ".join(order.label.split()), order.size is Size.SMALL
    return muster.UnitAdded(SideId(order.side.value), label, order.branch, small, order.at, order.strength)


def _goods_set(desk: _Desk, order: SetGoods) -> Fact:
    if order.goods is Goods.MEN:
        raise _refused("headcount is no goods", "Write STRENGTH instead.")
    return muster.GoodsSet(desk.owner(order.unit), order.unit, order.goods, order.amount)


def _writes(kind: Callable[[Any], LineKind]) -> Callable[[_Desk, Any], Fact]:
    """What a line means that writes a line of this kind into a ledger."""

    def written(desk: _Desk, order: Extra | NameTank | Ledger) -> Fact:
        line = LedgerLine(kind(order), " ".join(order.text.split()))
        return muster.LineWritten(desk.owner(order.unit), order.unit, line)

    return written


def _struck(desk: _Desk, order: Strike) -> Fact:
    unit = desk.unit(order.unit)
    lines = lines_in(unit.ledger)
    if not 1 <= order.number <= len(lines):
        raise _refused(f"the ledger of {unit.label} has {counted(len(lines), 'line')}; it has no line {order.number}")
    return muster.LineStruck(desk.owner(order.unit), order.unit, lines[order.number - 1])


def _stray(known: State, lines: Sequence[Placed]) -> list[Problem]:
    """Problems of lines about units whose battle these lines do not decide."""
    decided = {placed.order.at for placed in lines if isinstance(placed.order, Result | Withdrawal)}
    fighting = {
        fighter.unit
        for battle in known.open.battles
        if battle.at in decided
        for fighter in (*battle.attackers, *battle.defenders)
    }
    hint = "Add the battle's RESULT line, or write STRENGTH, SET TANKS or PLACE instead."
    return [
        refusal(placed.where, _refused(f"{placed.order.unit} is in no battle that these lines decide", hint))
        for placed in lines
        if isinstance(placed.order, OF_A_UNIT) and placed.order.unit not in fighting
    ]


_FACTS: Mapping[type[Order], Callable[[_Desk, Any], Fact]] = {
    Place: lambda desk, order: movement.UnitPlaced(desk.owner(order.unit), order.unit, order.at),
    Strength: lambda desk, order: movement.StrengthSet(desk.owner(order.unit), order.unit, order.percent),
    Destroy: _destroyed,
    CutOff: lambda desk, order: day.CutOff(desk.owner(order.unit), order.unit),
    Resupply: lambda desk, order: day.Resupplied(desk.owner(order.unit), order.unit),
    Fuel: lambda _desk, order: day.FuelSet(order.points),
    Weather: _weather,
    Control: lambda _desk, order: day.Controlled(order.place, SideId(order.side.value)),
    Depot: lambda _desk, order: day.DepotSet(order.place, order.status),
    Position: _position,
    AddUnit: _added,
    RemoveUnit: lambda desk, order: muster.UnitRemoved(desk.owner(order.unit), order.unit),
    SetTanks: lambda desk, order: muster.TanksSet(desk.owner(order.unit), order.unit, order.medium, order.heavy),
    SetGoods: _goods_set,
    Extra: _writes(lambda _order: LineKind.EXTRA),
    NameTank: _writes(lambda order: LineKind(order.tank.value)),
    Ledger: _writes(lambda _order: LineKind.REMARK),
    Strike: _struck,
    Result: _battle,
    Withdrawal: _withdrawn,
}
