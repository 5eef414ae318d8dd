"""2.10 Units and states as they begin under the options that a campaign has chosen."""

from collections.abc import Mapping

from campaign.engine.state import in_every_own, with_open
from campaign.engine.values.ids import PlaceId, UnitId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.game_data import Branch, Echelon
from campaign.rulesets.forum_campaign.model.options import MovementScale, Options
from campaign.rulesets.forum_campaign.model.state import COMMANDO, ON_FOOT, Own, State, Unit, is_small, tanks_at_start

_QUARTERS: Mapping[MovementScale, int] = {
    MovementScale.FULL: 4,
    MovementScale.THREE_QUARTERS: 3,
    MovementScale.HALF: 2,
}


def with_options(start: State, options: Options) -> State:
    """2.10, 2.11 The first state of a campaign with these options; printed movement is scaled and rounded up."""
    return in_every_own(with_open(start, options=options), lambda own: _scaled(own, options))


def _scaled(own: Own, options: Options) -> Own:
    units = own.units.items()
    return replace(own, units={id_: replace(unit, movement=scaled(unit.movement, options)) for id_, unit in units})


def scaled(movement: int, options: Options) -> int:
    return -(-movement * _QUARTERS[options.movement_scale] // 4)


def new_unit(label: str, branch: Branch, *, small: bool, at: PlaceId, strength: int, options: Options) -> Unit:
    """R15.6 A unit that the GM adds, as a scenario's units of its kind begin; its id is its label."""
    tanks, heavy_tanks = tanks_at_start(branch)
    unit = Unit(
        id=UnitId(label),
        label=label,
        name=label,
        branch=branch,
        echelon=Echelon.TEAM if branch is COMMANDO else Echelon.REGIMENT if small else Echelon.DIVISION,
        small=small,
        small_from_start=small,
        movement=scaled(_ON_FOOT if branch in ON_FOOT else _MECHANIZED, options),
        strength=strength,
        at=at,
        tanks=tanks,
        heavy_tanks=heavy_tanks,
    )
    return replace(unit, small=is_small(unit))


_ON_FOOT, _MECHANIZED = 3, 4
"""2.3 Printed movement of most units of these classes."""
