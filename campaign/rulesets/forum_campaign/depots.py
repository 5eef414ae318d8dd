"""R9 Depots and their capture."""

from campaign.engine.facts import Ledger
from campaign.rulesets.forum_campaign.facts import DepotCaptured
from campaign.rulesets.forum_campaign.state import DepotStatus, State
from campaign.rulesets.forum_campaign.theatre import GERMAN, Theatre
from campaign.rulesets.forum_campaign.zoc import occupied_hexes


def capture_depots(ledger: Ledger[Theatre, State]) -> None:
    """R9.2 A German ground unit that ends its movement or advance on a depot takes it; its fuel counts at once.

    The marker stays as captured: worth nothing more, but it still supplies whoever stands on it.
    """
    german = occupied_hexes(ledger.state.own[GERMAN])
    for place, status in sorted(ledger.state.open.depots.items()):
        if status is DepotStatus.INTACT and place in german:
            ledger.emit(DepotCaptured(place, ledger.theatre.hexes[place].depot), rule="R9.2")
