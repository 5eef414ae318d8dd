"""The names of things unseen (M23): hidden units with their formations, desks, and the sheets that name them.

Open to a side is what it has sighted or met in battle by name. No name of another side's formations and desks is.
"""

from collections.abc import Mapping

from campaign.engine.values.ids import SideId, UnitId
from campaign.engine.values.value import encode, replace
from campaign.game.store import encode_events
from campaign.models import Desk
from orders.intake import sheet_digest
from orders.models import Draft, LockedSheet, Sheet
from tests.secrecy.campaigns import SLUG
from tests.secrecy.mutators.change import Change
from tests.secrecy.mutators.others import written
from tests.secrecy.truth import Truth


def names(change: Change) -> bool:
    """Give all hidden units, their formations and the desks other names; orders that name units by id stay good."""
    truth = Truth.read(change.observer)
    if truth is None:
        return False
    for side in truth.foreign:
        renamed = truth.game.renamed(truth, side, change.chance)
        _rename_in_sheets(side, renamed)
        _rename_desks(change, side, renamed)
    truth.write()
    return True


def with_other_ids(truth: Truth, side: SideId) -> None:
    """Give the units that the observer does not know of other ids too, where no fact and no plan names them."""
    units = truth.units(side)
    truth.change(side, **{truth.game.units_are: {}})
    spoken: bytes = encode_events(truth.events) + encode(truth.state.own[side])
    truth.change(side, **{truth.game.units_are: units})
    hidden = {unit.id for unit in truth.game.hidden(truth, side) if unit.id.encode() not in spoken}
    for number, id_ in enumerate(sorted(hidden)):
        truth.take(side, id_)
        truth.put(side, replace(units[id_], id=UnitId(f"X-{number}")))


def _rename_in_sheets(side: str, renamed: Mapping[str, str]) -> None:
    """Name the units of a side in its sheets as they are called now."""
    for table in (Sheet, Draft):
        for row in table.objects.filter(phase__campaign__slug=SLUG, side=side):
            text = row.text
            for old, new in renamed.items():
                text = text.replace(old, new)
            written(row, text=text, **({"digest": sheet_digest(text, row.nonce)} if isinstance(row, Sheet) else {}))


def _rename_desks(change: Change, side: str, formations: Mapping[str, str]) -> None:
    for number, desk in enumerate(Desk.objects.filter(campaign__slug=SLUG, side=side).order_by("name"), 2):
        name = f"Tisch-{number}{change.chance.choice('abcdef')}"
        ordered = [", ".join(formations.get(part, part) for part in whole.split(", ")) for whole in desk.formations]
        written(desk, name=name, formations=ordered)
        theirs = {"phase__campaign__slug": SLUG, "side": side, "desk": desk.name}
        for table in (Sheet, LockedSheet, Draft):
            table.objects.filter(**theirs).update(desk=name)
