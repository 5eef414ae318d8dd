"""R3, R14 Forms of the air sheet: air units and their missions, removals, purchases."""

from campaign.engine.choices import Draft
from campaign.engine.orders.forms import Blank, Budget, Choice, Form, Row
from campaign.engine.orders.order import Placed
from campaign.engine.values.ids import PlaceId
from campaign.rulesets.forum_campaign.air.airdrop import PAIR, pairs_left
from campaign.rulesets.forum_campaign.air.checking import boxes_of, check_air
from campaign.rulesets.forum_campaign.air.paratroops import due_today
from campaign.rulesets.forum_campaign.day.purchases import offered, points_of
from campaign.rulesets.forum_campaign.model.game_data import Box, GameData, Ware, enemy_of
from campaign.rulesets.forum_campaign.model.orders import Air, Airdrop, Buy, Interdict, Paradrop, Remove
from campaign.rulesets.forum_campaign.model.state import AirDay, State, Unit
from campaign.rulesets.forum_campaign.model.words import BOX_NAMES, counted, plural, received
from campaign.rulesets.forum_campaign.model.zoc import seen_hexes

AirDraft = Draft[GameData, State]


def air_units(draft: AirDraft) -> Form | None:
    """R3.5 The day's air units, for the missions that the weather allows."""
    sheet, weather = draft.sheet, draft.sheet.known.open.weather
    day = sheet.known.open.air.get(sheet.side)
    if day is None or not day.available or weather is None:
        return None
    allowed = sheet.game_data.charts.air.missions[weather.condition][sheet.side]
    boxes = [box for box in boxes_of(sheet.game_data, sheet.side) if box in allowed]
    blanks = tuple(Blank(name=box.value, label=BOX_NAMES[box], most=day.available) for box in boxes)
    return Form(
        key="air",
        title="Air units",
        help="Air units without a mission are lost today. Air superiority and air drops count them in pairs.",
        rows=(Row(kind=Air, label="Missions", blanks=blanks),) if blanks else (),
        budget=Budget("air units", day.available),
        main=True,
    )


def removals(draft: AirDraft) -> Form:
    """R3.7 The enemy's boxes in the order of their turn; in the removals' own phase, one for each air unit."""
    sheet, of_its_own = draft.sheet, Air not in draft.phase.orders
    enemy = enemy_of(sheet.side)
    held = sheet.known.open.air.get(enemy, AirDay(0)).boxes
    flies = sheet.known.open.air.get(sheet.side, AirDay(0)).available
    times = held if of_its_own else dict.fromkeys(boxes_of(sheet.game_data, enemy), 1 if flies else 0)
    boxes = [box for box in boxes_of(sheet.game_data, enemy) if times.get(box, 0)]
    choices = tuple(Choice({"box": box}, BOX_NAMES[box], times=times[box]) for box in boxes)
    count = min(sheet.known.open.removals, sum(held.values())) if of_its_own else len(boxes)
    blank = Blank(name="box", label="box", choices=choices)
    return Form(
        key="remove",
        title="Removals of enemy air units",
        help="If you win in the air, enemy air units are removed from these boxes in this order.",
        rows=tuple(Row(kind=Remove, label=_rank(n), blanks=(blank,)) for n in range(count if choices else 0)),
        main=of_its_own,
    )


def _rank(number: int) -> str:
    return "First" if not number else "Then"


def interdiction(draft: AirDraft) -> Form:
    """R3.9 The hexes in which German units are seen, for the air units of the AIR line."""
    sheet = draft.sheet
    most = check_air(sheet).boxes.get(Box.INTERDICTION, 0)
    places = sorted(seen_hexes(sheet.known.own[sheet.side].sightings)) if most else []
    blank = Blank(name="air_units", label="air units", most=most)
    rows = (
        Row(kind=Interdict, label=sheet.game_data.place_name(place), fixed={"at": place}, blanks=(blank,))
        for place in places
    )
    return Form(
        key="interdict", title="Interdiction", rows=tuple(rows), budget=Budget("air units for interdiction", most)
    )


def air_drops(draft: AirDraft) -> Form:
    """R3.8 Unsupplied units, if a pair of air units is left for drops."""
    sheet = draft.sheet
    of_the_day = Air in draft.phase.orders
    left = check_air(sheet).boxes.get(Box.DROP, 0) // PAIR if of_the_day else pairs_left(sheet.known, sheet.side)
    needy = [unit for unit in _own(draft) if unit.at is not None and not unit.supplied] if left else []
    rows = tuple(Row(kind=Airdrop, label=_at(sheet.game_data, unit), fixed={"unit": unit.id}) for unit in needy)
    return Form(
        key="airdrop", title="Supply from the air", help=f"At most {counted(left, 'unit')}.", rows=rows, most=left
    )


def jumps(draft: AirDraft) -> Form:
    """R11.8 The paratroops that can jump today, with the hexes that are open as far as is known."""
    sheet = draft.sheet
    zone = sheet.game_data.charts.commandos.zone(whole=sheet.known.open.options.whole_drop_zone)
    rows = []
    for unit in due_today(sheet.known, sheet.side):
        line = next((each for each in draft.lines(Paradrop) if each.order.unit == unit.id), None)
        free = [place for place in sorted(zone) if draft.less(line).allows(Paradrop(unit.id, place))]
        choices = tuple(_choice_of(sheet.game_data, place) for place in free)
        blank = Blank(name="at", label="jumps over", choices=choices, on_map=True)
        if choices:
            rows.append(Row(kind=Paradrop, label=unit.label, fixed={"unit": unit.id}, blanks=(blank,)))
    return Form(key="paradrop", title="Paratroops", rows=tuple(rows))


def _choice_of(game_data: GameData, place: PlaceId) -> Choice:
    return Choice({"at": place}, game_data.place_name(place))


def purchases(draft: AirDraft) -> Form | None:
    """R14 Units that rested yesterday, with what each may receive: a row for each line, and one more."""
    points = points_of(draft.sheet)
    if not points:
        return None
    rows = tuple(row for unit in _own(draft) for row in _purchases_of(draft, unit))
    prices = {ware.goods.value: ware.points for ware in draft.sheet.game_data.charts.purchases.wares}
    return Form(
        key="buy",
        title="Purchases",
        help="For units in supply that neither moved nor fought yesterday. Points cannot be saved.",
        rows=rows,
        budget=Budget("purchase points", points, prices),
    )


def _purchases_of(draft: AirDraft, unit: Unit) -> list[Row]:
    lines: list[Placed | None] = [each for each in draft.own_lines(Buy) if each.order.unit == unit.id]
    rows = []
    for line in (*lines, None):
        wares = offered(draft.less(line).sheet, unit.id)
        if wares:
            choices = tuple(_ware(draft, ware) for ware in wares)
            blank = Blank(name="goods", label="receives", choices=choices)
            label = _at(draft.sheet.game_data, unit)
            rows.append(Row(kind=Buy, label=label, fixed={"unit": unit.id}, blanks=(blank,)))
    return rows


def _ware(draft: AirDraft, ware: Ware) -> Choice:
    words = f"{received(ware, draft.sheet.side, ware.amount)}: {ware.points} {plural('point', ware.points)}"
    return Choice({"goods": ware.goods}, words, cost=ware.points)


def _own(draft: AirDraft) -> list[Unit]:
    return list(draft.sheet.known.own[draft.sheet.side].units.values())


def _at(game_data: GameData, unit: Unit) -> str:
    """A unit with its strength and hex."""
    where = f", {game_data.place_name(unit.at)}" if unit.at else ""
    return f"{unit.label}, {unit.strength} %{where}"
