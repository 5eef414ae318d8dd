"""The lines that can be filled in: forms over the notation, with what is legal as far as a side knows."""

from collections.abc import Callable, Iterator, Mapping

from campaign.engine.choices import Draft
from campaign.engine.orders.forms import Form
from campaign.engine.orders.order import Order
from campaign.rulesets.forum_campaign.model import orders as o
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.state import State
from campaign.rulesets.forum_campaign.sheets.forms.air import (
    air_drops,
    air_units,
    interdiction,
    jumps,
    purchases,
    removals,
)
from campaign.rulesets.forum_campaign.sheets.forms.support import (
    artillery,
    battles_outside,
    close_support,
    demolition,
    pending_retreats,
)


def forms(draft: Draft[GameData, State]) -> Iterator[Form]:
    """The forms of a sheet that have something to fill in, in the order of the phase's lines."""
    for kind in draft.phase.orders:
        form = _FORMS[kind](draft) if kind in _FORMS else None
        if form is not None and form.rows:
            yield form


_FORMS: Mapping[type[Order], Callable[[Draft[GameData, State]], Form | None]] = {
    o.Air: air_units,
    o.Remove: removals,
    o.Interdict: interdiction,
    o.Airdrop: air_drops,
    o.Paradrop: jumps,
    o.Buy: purchases,
    o.Artillery: artillery,
    o.Cas: close_support,
    o.Outside: battles_outside,
    o.Demolish: demolition,
    o.Retreat: pending_retreats,
}
