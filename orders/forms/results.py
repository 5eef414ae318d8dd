"""The sheet in which the GM enters all results at once, as it begins: with the results that there are."""

from collections.abc import Iterator

from campaign.engine.orders.lexicon import Names, certain
from campaign.engine.orders.notation import format_order
from campaign.engine.sheets import read_battle
from campaign.models import Battle, BattleState
from campaign.selectors import Knowledge
from campaign.viewers import Viewer
from orders.battles.reading import battles_of, brief_of, line_kinds

_FINAL = (BattleState.CONFIRMED, BattleState.ACCEPTED, BattleState.RULED)


def results_so_far(viewer: Viewer, known: Knowledge) -> str:
    """The results of the present battles: those that are final, and as comments those that wait for an answer."""
    battles = list(battles_of(viewer).select_related("result"))
    if not battles:
        return ""
    names = certain(known.names)
    return "\n".join(line for battle in battles for line in _lines(viewer, known, battle, names)) + "\n"


def _lines(viewer: Viewer, known: Knowledge, battle: Battle, names: Names) -> Iterator[str]:
    yield f"# {brief_of(viewer, known, battle.key).title}: {battle.get_state_display()}"
    if battle.state == BattleState.OPEN:
        return
    rules, game_data, kinds = known.loaded.rules, known.loaded.scenario.game_data, line_kinds(viewer, battle)
    text = battle.result.report
    report = read_battle(rules, game_data, known.state, battle=battle.key, text=text, kinds=kinds)
    mark = "" if battle.state in _FINAL else "# "
    yield from (f"{mark}{format_order(placed.order, names)}" for placed in report.orders)
