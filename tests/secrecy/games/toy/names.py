"""What a scenario of the toy and a side's part hold that another side may not know.

Open to everybody by rule are scenario.toml, areas.toml and cards.toml. forces.csv and the briefings are
each side's own.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from campaign.engine.values.ids import SideId
from campaign.engine.values.value import replace
from tests.secrecy.games.game import Position, with_ids
from tests.secrecy.games.toy.forces import hidden
from tests.toy.model.game_data import SIDE_NAMES
from tests.toy.model.state import FULL_STRENGTH, Own

_FORCES = "forces.csv"

Row = dict[str, str]


def set_up(files: Mapping[str, str], sides: Sequence[SideId], chance: Random) -> dict[str, str]:
    """Other names, brigades and strengths for these sides' forces, in each other's places, and other briefings."""
    rows = _rows(files)
    for side in sides:
        own = [row for row in rows if row["side"] == side]
        places = chance.sample([row["at"] for row in own], k=len(own))
        for number, (row, place) in enumerate(zip(own, places, strict=True), 2):
            row |= {"name": f"Secret Company {number}", "brigade": f"Brigade {number}", "at": place}
            row["strength"] = str(chance.randint(1, FULL_STRENGTH))
    text = io.StringIO()
    lines = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    lines.writeheader()
    lines.writerows(rows)
    briefings = {f"briefing-{side}.md": f"# Our plan\n\nWe attack on day {chance.randint(1, 9)}.\n" for side in sides}
    guides = {f"guide-{side}.toml": f"# Day {chance.randint(1, 9)}\nsteps = []\n" for side in sides}
    return {**files, **briefings, **guides, _FORCES: text.getvalue()}


def listed(files: Mapping[str, str], side: SideId) -> Iterator[str]:
    for row in _rows(files):
        if row["side"] == side:
            yield from (row["id"], row["name"])


def _rows(files: Mapping[str, str]) -> list[Row]:
    return list(csv.DictReader(io.StringIO(files[_FORCES])))


def renamed(position: Position, side: SideId, chance: Random) -> dict[str, str]:
    own: Own = position.state.own[side]
    brigades = sorted({force.brigade for force in own.forces.values() if force.brigade})
    others = {brigade: f"Brigade {number}{chance.choice('abcdef')}" for number, brigade in enumerate(brigades, 2)}
    unseen = {force.id: f"Secret Company {number}{chance.choice('abcdef')}"
              for number, force in enumerate(hidden(position, side), 2)}  # fmt: skip
    for force in own.forces.values():
        name, brigade = unseen.get(force.id, force.name), others.get(force.brigade, "")
        position.put(side, replace(force, name=name, brigade=brigade))
    return {own.forces[unit].name: name for unit, name in unseen.items()} | others


def names(own: Own) -> Iterator[str]:
    for force in own.forces.values():
        yield from (force.id, force.name, force.brigade)
        if force.brigade:
            yield from (f"{name}, {force.brigade}" for name in SIDE_NAMES.values())


def by_id(text: str, own: Own) -> str:
    return with_ids(text, {force.name: force.id for force in own.forces.values()})
