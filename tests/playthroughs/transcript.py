"""The demonstration as text: everything that happens in it and everything each audience is shown, line by line.

`python -m tests.playthroughs` writes it again, after a change that is meant to show.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from campaign.engine.display.views import BaseMap, Marker, View
from campaign.game.loading import find_scenario, load_scenario
from campaign.reports import to_text
from gm.demo import SCENARIO
from tests.demonstration import PlayedPhase, play

FILE = Path(__file__).parent / "forum_campaign-demo.txt"


@cache
def demo_phases() -> tuple[PlayedPhase, ...]:
    """The demonstration, played once for all tests of a process."""
    return tuple(play())


def transcript() -> Iterator[str]:
    yield from base_map()
    for open_phase in demo_phases():
        yield f"=== {open_phase.date} {open_phase.key}"
        for answer in open_phase.answers:
            yield f"--- the answer to {answer.audience}, version {answer.version}"
            yield from answer.answer.splitlines()
        yield "--- events"
        for event in open_phase.resolution.events:
            yield f"{event.phase} {event.rule} {_line(event.fact)} -> {' '.join(sorted(event.disclosures))}"
        for package in open_phase.packages:
            yield f"--- the report for {package.audience}"
            yield from to_text(package.report).splitlines()
            yield f"--- the view of {package.audience}"
            yield from _view(package.view)


def base_map() -> Iterator[str]:
    """The map that the demonstration is played on, as it is drawn before anything is on it."""
    loaded = load_scenario(find_scenario(SCENARIO))
    base: BaseMap = loaded.rules.base_map(loaded.scenario.game_data)
    yield "=== base map"
    yield f"{base.title} | {base.credit} | {base.scale} | {' '.join(base.sides)}"
    yield "margin " + " ".join(f"{label.text}@{label.at[0]:.2f},{label.at[1]:.2f}" for label in base.margin)
    for ground in base.grounds:
        corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in ground.outline[:2])
        yield f"{_line(msgspec.structs.replace(ground, outline=(), at=(0, 0)))} {corners}"
    for part in (*base.lines, *base.borders, *base.entries):
        yield f"{type(part).__name__} {_line(part)}"


def _view(view: View) -> Iterator[str]:
    yield f"{view.audience_title} | {view.campaign} | {view.date} | {view.stop} | {view.next_stop}"
    for counter in (*view.counters, *view.sightings):
        yield f"{type(counter).__name__} {_line(counter)}"
    yield "markers " + " ".join(_marker(marker) for marker in view.markers)
    yield "arrows " + " ".join(f"{arrow.kind}:{'-'.join(arrow.path)}" for arrow in view.arrows)
    yield from (f"Trace {_line(trace)}" for trace in view.traces)
    yield from (f"Flight {_line(flight)}" for flight in view.flights)
    yield "front " + " ".join(f"{a}|{b}" for a, b in view.front)
    yield "places " + " ".join("-".join(line.at) for line in view.log if line.at)


def _marker(marker: Marker) -> str:
    taken = f":from {marker.taken_from}" if marker.taken_from else ""
    won = f":won by {marker.won_by}" if marker.won_by else ""
    return f"{marker.at}:{marker.kind}:{marker.side or ''}:{marker.value}{taken}{won}"


def _line(value: msgspec.Struct) -> str:
    """A value in one line, without what is empty."""
    parts = msgspec.to_builtins(value)
    states = {"states": parts.pop("states")} if "states" in parts else {}
    parts |= {figure["key"]: figure["value"] for figure in parts.pop("figures", ())} | states
    filled = {key: part for key, part in parts.items() if part not in ("", 0, None, [], (), {})}
    return msgspec.json.encode(filled).decode()
