"""What may be added to a sheet that is being written, from what its side knows and nothing else."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from campaign.engine.choices import Draft, Way, no_ways
from campaign.engine.orders.forms import Form
from campaign.engine.orders.grammar import Part, grammar_of, places_named, units_named
from campaign.engine.orders.lexicon import Names, lexicon
from campaign.engine.orders.order import Order, Path, Submission
from campaign.engine.ruleset import Ruleset
from campaign.engine.sheets import DeskSheet, SideSheet, read_side
from campaign.engine.values.ids import Audience, PhaseKey, PlaceId, UnitId
from campaign.selectors import Knowledge


@dataclass(frozen=True)
class Choices:
    """What may be added to a sheet."""

    ways: tuple[Way, ...]
    """Where the unit can go."""
    orders: tuple[Order, ...]
    """All lines of other kinds that may come next, as far as the side can name their units."""
    names: Names
    """For writing them."""


NO_CHOICES = Choices((), (), Names(lexicon("", {}), lexicon("", {})))


def choices(
    known: Knowledge,
    phase: PhaseKey,
    sheets: Sequence[DeskSheet],
    *,
    side: str,
    unit: UnitId | None,
    instead: bool = False,
) -> Choices:
    """What the first of a side's desks may add to its sheet for a unit; without one: lines that name none.

    `instead`: what may replace all lines about the unit. Nothing, if the phase has closed or the desk does not have
    the unit.
    """
    rules = known.loaded.rules
    names = known.names
    draft = draft_for(known, phase, sheets, side=side, names=names)
    own = draft.sheet.desks.units.get(sheets[0].desk) if draft else None
    if draft is None or (own is not None and unit not in own):
        return Choices((), (), names)
    if instead:
        stays = tuple(placed for placed in draft.sheet.lines if unit not in units_named(placed.order))
        draft = replace(draft, sheet=replace(draft.sheet, lines=stays))
    ways = tuple(rules.ways(draft, unit)) if unit else ()
    others = rules.candidates(draft.without({type(way.order) for way in ways}), unit)
    return Choices(ways, tuple(order for order in others if names.units.usual.keys() >= {*units_named(order)}), names)


def entering(
    known: Knowledge, phase: PhaseKey, sheets: Sequence[DeskSheet], *, side: str, units: Collection[UnitId]
) -> frozenset[UnitId]:
    """Those of some units, which are not on the map, that orders may lead to a place."""
    rules, draft = known.loaded.rules, draft_for(known, phase, sheets, side=side)
    if draft is None:
        return frozenset()
    leading = draft.without([kind for kind in draft.phase.orders if not _names_a_place(kind)])
    return frozenset(
        unit
        for unit in units
        if any(rules.ways(leading, unit)) or any(map(places_named, rules.candidates(leading, unit)))
    )


def movers(known: Knowledge, phase: PhaseKey, sheets: Sequence[DeskSheet], *, side: str) -> list[UnitId]:
    """The units of the first of a side's desks that can still move, as far as the side knows."""
    rules, draft = known.loaded.rules, draft_for(known, phase, sheets, side=side)
    if draft is None:
        return []
    marches = draft.without([kind for kind in draft.phase.orders if not any(map(_is_path, grammar_of(kind)))])
    names = known.names.units.usual
    own = draft.sheet.desks.units.get(sheets[0].desk, names.keys())
    leads = rules.candidates if rules.ways is no_ways else rules.ways
    return [unit for unit in names if unit in own and any(leads(marches, unit))]


def _is_path(part: Part) -> bool:
    return bool(part.type == Path)


def _names_a_place(kind: type[Order]) -> bool:
    return any(part.type is PlaceId or _is_path(part) for part in grammar_of(kind))


def forms_for(draft: Draft[Any, Any], read: SideSheet, rules: Ruleset[Any, Any]) -> list[Form]:
    """The forms of the lines that the draft's desk may write now."""
    desk = draft.desk
    whole_side = desk not in draft.sheet.desks.units
    return [form.for_desk(partial(read.may_write, desk), whole_side=whole_side) for form in rules.forms_of(draft)]


def draft_for(
    known: Knowledge, phase: PhaseKey, sheets: Sequence[DeskSheet], *, side: str, names: Names | None = None
) -> Draft[Any, Any] | None:
    """A side's sheets so far; None if the phase has closed. `names`: what the side can name, if it is there already."""
    found = read_for(known, phase, sheets, side=side, names=names)
    return found[0] if found else None


def read_for(
    known: Knowledge, phase: PhaseKey, sheets: Sequence[DeskSheet], *, side: str, names: Names | None = None
) -> tuple[Draft[Any, Any], SideSheet] | None:
    """The same, with all lines as read."""
    rules, game_data = known.loaded.rules, known.loaded.scenario.game_data
    if side not in rules.sides or rules.now(known.state) != phase:
        return None
    read = read_side(rules, game_data, known.state, Audience(side), sheets, phase=phase, names=names or known.names)
    sheet = Submission(game_data, known.state, read.who, read.lines, read.desks)
    return Draft(rules.phase(phase), sheet, sheets[0].desk), read
