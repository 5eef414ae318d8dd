"""2.10 A scenario's first state under the options that a campaign has chosen."""

from collections.abc import Mapping

from campaign.engine.state import in_every_own, with_open
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.options import MovementScale, Options
from campaign.rulesets.forum_campaign.model.state import Own, State

_QUARTERS: Mapping[MovementScale, int] = {
    MovementScale.FULL: 4,
    MovementScale.THREE_QUARTERS: 3,
    MovementScale.HALF: 2,
}


def with_options(start: State, options: Options) -> State:
    """2.10, 2.11 The first state of a campaign with these options; printed movement is scaled and rounded up."""
    quarters = _QUARTERS[options.movement_scale]
    return in_every_own(with_open(start, options=options), lambda own: _scaled(own, quarters))


def _scaled(own: Own, quarters: int) -> Own:
    return replace(
        own, units={id_: replace(unit, movement=-(-unit.movement * quarters // 4)) for id_, unit in own.units.items()}
    )
