"""What a scenario and a side's part hold that another side may not know: set-up, arrivals and names.

Open to everybody by rule are scenario.toml (title, dates, scale), map.json (the map with its entries, depots and first
control), tables.toml and shared charts: maps, rules and reports print them. units.csv and the briefings are each side's
own.
"""

import csv
import datetime
import io
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from campaign.engine.values.ids import SideId
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign.model.game_data import Branch
from campaign.rulesets.forum_campaign.model.state import Own, Unit
from tests.secrecy.games.forum_campaign.units import hidden
from tests.secrecy.games.game import Position, with_ids

_UNITS = "units.csv"
_NOT_YET = datetime.timedelta(days=2)
"""Whoever arrives sooner may be seen in the phases that are played."""

Row = dict[str, str]


# --- files -----------------------------------------------------------------------------------------------------------


def set_up(files: Mapping[str, str], sides: Sequence[SideId], chance: Random) -> dict[str, str]:
    rows = _rows(files)
    others = [row for row in rows if row["side"] not in sides]
    changed = [row for side in sides for row in _of_a_side([row for row in rows if row["side"] == side], chance)]
    briefings = {f"briefing-{side}.md": f"# Our plan\n\nWe attack on day {chance.randint(1, 9)}.\n" for side in sides}
    guides = {f"guide-{side}.toml": f"# Day {chance.randint(1, 9)}\nsteps = []\n" for side in sides}
    return {**files, **briefings, **guides, _UNITS: _csv([*others, *changed])}


def listed(files: Mapping[str, str], side: SideId) -> Iterator[str]:
    for row in _rows(files):
        if row["side"] == side:
            yield from (row["id"], row["label"])


def _rows(files: Mapping[str, str]) -> list[Row]:
    return list(csv.DictReader(io.StringIO(files[_UNITS])))


def _of_a_side(rows: Sequence[Row], chance: Random) -> list[Row]:
    """Other names, establishments and dates for all, other places for those of a size, and one unit more."""
    changed = [
        row
        | {
            "label": f"{number} Geheim",
            "name": f"Verschwiegene {number}. Division",
            "corps": f"{chance.randint(2, 99)} Korps",
            "army": f"{chance.randint(2, 99)}. Armee",
            "establishment": str(chance.randint(55, 99)),
            "arrives": _a_day_later(row["arrives"]) if row["how"] == "reinforcement" else row["arrives"],
        }
        for number, row in enumerate(rows, 2)
    ]
    for size in ("full", "small"):
        alike = [row for row in changed if row["how"] == "setup" and row["size"] == size and row["class"] != "commando"]
        places = chance.sample([row["hex"] for row in alike], k=len(alike))
        for row, place in zip(alike, places, strict=True):
            row["hex"] = place
    like = chance.choice([row for row in changed if row["class"] != "commando" and row["how"] != "airdrop"])
    last = max(row["arrives"] for row in changed)
    return [*changed, like | {"id": f"{like['id']}-X", "label": "X Geheim", "how": "reinforcement", "arrives": last}]


def _a_day_later(date: str) -> str:
    return str(datetime.date.fromisoformat(date) + datetime.timedelta(days=1))


def _csv(rows: Sequence[Row]) -> str:
    text, columns = io.StringIO(), list(dict.fromkeys(column for row in rows for column in row))
    lines = csv.DictWriter(text, columns, restval="100", lineterminator="\n")
    lines.writeheader()
    lines.writerows(rows)
    return text.getvalue()


# --- states ----------------------------------------------------------------------------------------------------------


def arrivals(position: Position, side: SideId, chance: Random) -> None:
    today = position.state.open.date
    waiting = [unit for unit in position.units(side).values() if _arrives_after(unit, today)]
    entries = sorted({unit.entry for unit in waiting if unit.entry})
    for unit in waiting:
        position.put(
            side,
            replace(
                unit,
                label=f"{chance.randint(2, 999)} Spaeter",
                name="Verschwiegene Division",
                strength=chance.randint(55, 99),
                establishment=chance.randint(55, 99),
                branch=chance.choice([Branch.ARMOR, Branch.INFANTRY]) if unit.entry else unit.branch,
                entry=chance.choice(entries) if unit.entry else None,
                arrives=today + _NOT_YET + datetime.timedelta(days=chance.randint(0, 3)),
            ),
        )


def _arrives_after(unit: Unit, today: datetime.date) -> bool:
    return unit.at is None and unit.arrives is not None and unit.arrives > today


def renamed(position: Position, side: SideId, chance: Random) -> dict[str, str]:
    own: Own = position.state.own[side]
    unseen = [*hidden(position, side), *(unit for unit in own.units.values() if unit.at is None)]
    formations = _formations(own)
    labels = {unit.id: f"{number}{chance.choice('abcdef')} Geheim" for number, unit in enumerate(unseen, 2)}
    for unit in own.units.values():
        fresh = replace(unit, army=formations.get(unit.army, ""), corps=formations.get(unit.corps, ""))
        if unit.id in labels:
            fresh = replace(fresh, label=labels[unit.id], name=f"Verschwiegene Division {labels[unit.id]}")
        position.put(side, fresh)
    lost = {id_: replace(unit, name="Aufgeloeste Division") for id_, unit in own.lost.items()}
    position.change(side, lost=lost)
    return {unit.label: labels[unit.id] for unit in unseen} | formations


def _formations(own: Own) -> dict[str, str]:
    """Other names for the armies and corps of a side."""
    known = sorted({name for unit in own.units.values() for name in (unit.army, unit.corps) if name})
    return {name: f"{number}. Verband" for number, name in enumerate(known, 2)}


def names(own: Own) -> Iterator[str]:
    for unit in own.units.values():
        yield from (unit.id, unit.label, unit.name, unit.army, unit.corps)
        if unit.army and unit.corps:
            yield f"{unit.army}, {unit.corps}"


def by_id(text: str, own: Own) -> str:
    return with_ids(text, {unit.label: unit.id for unit in own.units.values()})
