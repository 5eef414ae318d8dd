"""What an observer knows and plans to do, who may know at most as much, and what the steps of a pair reach."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from campaign.engine.orders.order import Path
from campaign.engine.values.ids import PUBLIC, Audience, SideId
from campaign.game.loading import Loaded
from tests.secrecy.campaigns import SLUG, STRANGERS, leavers
from tests.secrecy.games.game import Game
from tests.secrecy.worlds import ANONYMOUS, Answer, World

HERE = f"/c/{SLUG}/"
API = f"/api/v1/campaigns/{SLUG}/"


@dataclass(frozen=True)
class Plan:
    """The same in both worlds."""

    game: Game
    observer: Audience
    no: int
    """The phase at which it begins."""
    loaded: Loaded
    known: Any
    """The player's state at the beginning."""
    ways: Sequence[tuple[Any, Path]]
    sheets: Mapping[SideId, str]
    """The sheets of the others who act in this phase, the same in both worlds."""
    left_out: Sequence[str] = ()
    """Those who may know more: commanders, where the rest of their side may not know it."""
    reached: set[str] = field(default_factory=set)
    """The limits that the present step has reached, and the hours that have passed in it."""

    @property
    def playing(self) -> bool:
        return self.observer != PUBLIC

    @property
    def watchers(self) -> tuple[str, ...]:
        """Everybody who may know at most what the observer knows."""
        return tuple(who for who in watchers_of(self.game, self.observer) if who not in self.left_out)

    def side_of(self, watcher: str) -> str:
        """The side that a watcher is on now."""
        return self.observer if watcher.startswith(f"{self.observer} ") and watcher not in leavers(self.game) else ""

    def player(self, name: str = "commander") -> str:
        return f"{self.observer} {name}"

    @property
    def desk(self) -> str:
        """The name of a desk of the observer's side."""
        return self.game.desks[SideId(self.observer)][0]

    def lines(self, chance: Random) -> str:
        """A sheet: the planned paths, and other orders worth asking about."""
        return self.game.lines(self.ways, self.loaded.scenario.game_data.board.places, chance)

    def someone(self, chance: Random) -> str:
        """A watcher with an account."""
        return chance.choice([each for each in self.watchers if each != ANONYMOUS])


def watchers_of(game: Game, observer: Audience) -> tuple[str, ...]:
    outside = ("spectator", ANONYMOUS, *STRANGERS)
    if observer == PUBLIC:
        return (*leavers(game), *outside)
    return (
        *(f"{observer} {name}" for name in ("commander", "deputy", "staff", "second staff", "tactical", "leaver")),
        *outside,
    )


def known_side(observer: Audience) -> SideId | None:
    return None if observer == PUBLIC else SideId(observer)


Step = Callable[[World, Plan, Random], list[Answer]]
"""Does something in a world and returns the answers to the watchers; none if there was nothing to do."""

_READ = (
    "",
    "stops/",
    "orders/",
    "orders/HQ/",
    "battles/",
    "people/",
    "staff/",
    "questions/",
    "rules/",
    "public/",
    "public/stops/",
)


_READ_BY_PROGRAMS = ("", "state/", "dice/", "phases/", "phases/open/", "desks/", "desks/HQ/", "battles/")


def read(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Watchers read pages, and their programs read what these say."""
    pages = [world.ask(chance.choice(plan.watchers), "GET", HERE + chance.choice(_READ)) for _ in range(4)]
    asked = [API + chance.choice(_READ_BY_PROGRAMS) for _ in range(3)]
    return [*pages, *(world.ask(chance.choice(plan.watchers), "GET", path) for path in asked)]
