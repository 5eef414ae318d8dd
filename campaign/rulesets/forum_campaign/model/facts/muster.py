"""R15.6 What the GM can set of a side's units: whether they are in the campaign, their tanks, guns and ledgers."""

from campaign.engine.facts import Fact
from campaign.engine.values.ids import PlaceId, SideId, UnitId
from campaign.rulesets.forum_campaign.model.game_data import Branch, Goods
from campaign.rulesets.forum_campaign.model.ledger import LedgerLine


class UnitAdded(Fact, frozen=True):
    """The GM adds a unit; its id is its label."""

    side: SideId
    label: str
    branch: Branch
    small: bool
    at: PlaceId
    strength: int


class UnitRemoved(Fact, frozen=True):
    """The GM takes a unit out of the campaign: no loss, and nobody absorbs it."""

    side: SideId
    unit: UnitId


class TanksSet(Fact, frozen=True):
    """R12.9 The GM sets the tanks that a unit has of its own."""

    side: SideId
    unit: UnitId
    medium: int
    heavy: int


class GoodsSet(Fact, frozen=True):
    """R14.2 The GM sets the guns or tanks that a unit has on top of its order of battle."""

    side: SideId
    unit: UnitId
    goods: Goods
    amount: int


class LineWritten(Fact, frozen=True):
    """The GM writes a line into a unit's ledger."""

    side: SideId
    unit: UnitId
    line: LedgerLine


class LineStruck(Fact, frozen=True):
    """The GM strikes a line from a unit's ledger."""

    side: SideId
    unit: UnitId
    line: LedgerLine
