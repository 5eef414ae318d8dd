"""A state in three parts: what a side may know is decided by the keys it is given.

Everybody knows `open`. A side knows `own[side]`: its units and plans, and what it knows of the enemy. Nobody
knows `hidden` yet, not even the GM's pages. Rules change states through facts only (see `facts.Ledger`).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from campaign.engine.values.ids import GM, PUBLIC, Audience, SideId
from campaign.engine.values.value import Value, replace

Opened = TypeVar("Opened")
Owned = TypeVar("Owned")
Kept = TypeVar("Kept")
S = TypeVar("S", bound="State[Any, Any, Any]")


class State(Value, Generic[Opened, Owned, Kept], frozen=True):
    """The truth; or, with fewer keys in `own` and nothing in `hidden`, a player's state."""

    open: Opened
    own: Mapping[SideId, Owned]
    hidden: Kept | None = None


def known_state(state: S, sides: Iterable[SideId]) -> S:
    """What these sides may know: the open part and their own parts. The GM is given every side, the public none."""
    return replace(state, own={side: state.own[side] for side in sorted(sides)}, hidden=None)


def sides_seen_by(audience: Audience, sides: Iterable[SideId]) -> tuple[SideId, ...]:
    """The sides whose own parts an audience may know."""
    if audience == PUBLIC:
        return ()
    return tuple(side for side in sides if audience in (GM, side))


def state_known_to(state: S, audience: Audience) -> S:
    """The state as one audience knows it, from a complete state."""
    return known_state(state, sides_seen_by(audience, state.own))


def with_open(state: S, **changes: Any) -> S:
    """The state with parts of `open` changed."""
    return replace(state, open=replace(state.open, **changes))


def with_hidden(state: S, **changes: Any) -> S:
    """The state with parts of `hidden` changed. A player's state has none and stays as it is."""
    return state if state.hidden is None else replace(state, hidden=replace(state.hidden, **changes))


def with_part(state: S, side: SideId, **changes: Any) -> S:
    """The state with fields of one side's part changed. A player's state without that part stays as it is."""
    return with_own(state, side, lambda own: replace(own, **changes))


def in_every_own(state: S, change: Callable[[Any], Any]) -> S:
    """The state with the part of each side changed, as far as the state has it."""
    for side in state.own:
        state = with_own(state, side, change)
    return state


def with_own(state: S, side: SideId, change: Callable[[Any], Any]) -> S:
    """The state with one side's part changed. A player's state without that part stays as it is."""
    if side not in state.own:
        return state
    return replace(state, own={**state.own, side: change(state.own[side])})
