"""Events and Views as short lines."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from campaign.engine.display.views import View
from campaign.engine.facts import Event
from campaign.engine.values.ids import Audience
from campaign.engine.values.value import Value

END = "the end"
"""The next phase of a campaign that is over."""
_NOTHING: tuple[object, ...] = ("", 0, None, [], (), {})
"""What goes without saying; `False` is 0."""


def event_lines(events: Sequence[Event[Any]], audiences: Sequence[Audience]) -> Iterator[str]:
    """Events with their audiences; an audience that does not know all of an event has a line of its own."""
    for event in events:
        fact = _filled(msgspec.to_builtins(event.fact))
        audiences_ = [who for who in audiences if who in event.disclosures]
        everybody = "all" if len(audiences_) == len(audiences) else " ".join(audiences_)
        yield f"{event.phase} {event.rule} {_json(fact)} -> {everybody}"
        for who in audiences_:
            disclosed = _filled(msgspec.to_builtins(event.disclosures[who]))
            if disclosed != fact:
                yield f"  {who}: {' '.join(_differences(fact, disclosed))}"


def _differences(fact: Any, disclosed: Any, at: str = "") -> Iterator[str]:
    """What of a fact its face lacks, and what it has instead."""
    for key in dict.fromkeys((*fact, *disclosed)):
        old, new, name = fact.get(key), disclosed.get(key), f"{at}{key}"
        if new is None:
            yield f"without {name}"
        elif isinstance(old, dict) and isinstance(new, dict):
            yield from _differences(old, new, f"{name}.")
        elif old != new:
            yield f"with {name} {_json(new)}"


class ViewLines:
    """The Views of one audience in a row: the first as a whole, each later one as what is new, changed, or gone."""

    def __init__(self) -> None:
        self._before: Mapping[str, str] = {}

    def of(self, view: View) -> Iterator[str]:
        yield " | ".join([view.audience_title, view.campaign, view.date, view.stop, view.next_stop or END])
        shown = dict(_numbered(_lasting(view)))
        changed = {key: line for key, line in shown.items() if self._before.get(key) != line}
        gone = [key for key in self._before if key not in shown]
        yield from _in_rows("-", gone)
        yield from _in_rows("+", [f"{key}{line}" for key, line in changed.items()])
        self._before = shown
        yield from passing(view)


def _in_rows(sign: str, lines: Sequence[str]) -> Iterator[str]:
    """Long lines alone, short ones of a kind in a row."""
    for kind, several in groupby(lines, key=lambda line: line.split(" ", 1)[0]):
        if kind in ("Front", "Marker"):
            yield f"{sign} {kind} {' '.join(line.removeprefix(f'{kind} ') for line in several)}"
        else:
            yield from (f"{sign} {line}" for line in several)


def _numbered(parts: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Parts of a View by name; the second of a name, as with two sightings in a hex, has a number."""
    seen: dict[str, int] = {}
    for name, line in parts:
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name} ({seen[name]})"), line


def _lasting(view: View) -> Iterator[tuple[str, str]]:
    """What is on the map and next to it: each thing's name, and everything else about it."""
    for part in (*view.counters, *view.sightings):
        yield _named(part)
    for marker in view.markers:
        passed = (marker.taken_from and f"from {marker.taken_from}", marker.won_by and f"won by {marker.won_by}")
        about = (marker.side, marker.value, marker.text, *passed)
        yield f"Marker {marker.at}:{marker.kind}", "".join(f":{part}" for part in about if part)
    yield from ((f"Front {a}|{b}", "") for a, b in view.front)
    for panel in view.panels:
        yield f"Panel {panel.key}", "".join(f" | {cell}" for cell in (panel.title, *panel.head))
        for name, *cells in panel.rows:
            yield f"{panel.key} {name}", "".join(f" | {cell}" for cell in cells).rstrip(" |")


def _named(value: Value) -> tuple[str, str]:
    parts: dict[str, Any] = msgspec.to_builtins(value)
    states: list[Any] = [parts.pop("states")] if "states" in parts else []
    figures = [figure["value"] for figure in parts.pop("figures", ())]
    first, *cells = [*parts.values(), *figures, *states]
    return f"{type(value).__name__} {first}", "".join(f" | {_cell(cell)}" for cell in cells).rstrip(" |")


def _cell(part: object) -> str:
    if isinstance(part, list | tuple):
        return " ".join(map(str, part))
    return "" if part in _NOTHING else str(part)


def passing(view: View) -> Iterator[str]:
    """What happened in the phase, as a View reports it."""
    if view.arrows:
        yield "arrows " + " ".join(f"{arrow.kind}:{'-'.join(arrow.path)}" for arrow in view.arrows)
    if view.traces:
        yield "traces " + " ".join("-".join(trace.path) for trace in view.traces)
    if view.flights:
        yield "flights " + " ".join(":".join(map(_cell, _plain(flight))) for flight in view.flights)
    for section, lines in groupby(view.log, key=lambda line: line.section):
        yield f"# {section}"
        for line in lines:
            yield f"{line.rule} {line.text}" + (f" @ {' '.join(line.at)}" if line.at else "")
            yield from (f"  because: {reason}" for reason in line.reasons)


def _plain(value: Value) -> Iterable[object]:
    cells: dict[str, object] = msgspec.to_builtins(value)
    return cells.values()


def _filled(part: Any) -> Any:
    """Without what is empty; many values of a kind, as sightings, without the names of their fields."""
    if isinstance(part, dict):
        return {key: _filled(value) for key, value in part.items() if value not in _NOTHING}
    if isinstance(part, list | tuple):
        return [":".join(map(_cell, each.values())).rstrip(":") if isinstance(each, dict) else each for each in part]
    return part


def _json(part: Any) -> str:
    return msgspec.json.encode(part).decode()
