"""Each place in words: all that a map shows, for readers who cannot see it."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from string import Formatter
from typing import TypeVar
from urllib.parse import quote

from campaign.engine.display.signs import Signs
from campaign.engine.display.views import (
    Arrow,
    BaseMap,
    Counter,
    Flight,
    Ground,
    LogLine,
    Marker,
    Sighting,
    Trace,
    View,
)
from campaign.engine.values.ids import PlaceId, SideId
from campaign.engine.values.value import Value
from campaign.maps.drawing.geometry import knot, sides
from campaign.maps.drawing.ink import one_line
from campaign.maps.style.declared import Declared, declared
from campaign.maps.style.terms import side_title

T = TypeVar("T")


class PlaceDescription(Value, frozen=True):
    """One place in words. Each text is one line."""

    place: PlaceId
    title: str
    """Its id, and its name if it has one."""
    summary: str
    """Its units and markers in a few words, as a screen reader says them while moving across the map."""
    ground: tuple[str, ...]
    """Terrain, roads and borders: always the same, for every audience."""
    units: tuple[str, ...]
    sightings: tuple[str, ...]
    markers: tuple[str, ...]
    events: tuple[str, ...]
    """Moves and fights that begin, pass or end there, flights over it, supply routes through it that are barred."""
    front: tuple[str, ...]
    """The neighbours across the front, and who holds the place."""
    log: tuple[LogLine, ...]
    """The lines of the report about the place."""

    @property
    def key(self) -> str:
        """The place as part of an address or element id."""
        return key_of(self.place)

    @property
    def anchor(self) -> str:
        return f"at-{self.key}"

    @property
    def holds(self) -> tuple[str, ...]:
        """Everything but the ground and the log."""
        return (*self.units, *self.sightings, *self.markers, *self.events, *self.front)

    @property
    def eventful(self) -> bool:
        """Whether anything is there or happened there."""
        return bool(self.units or self.sightings or self.markers or self.events or self.log)


@lru_cache(maxsize=8192)
def key_of(place: PlaceId) -> str:
    return quote(place, safe="")


def describe_places(base: BaseMap, view: View, only: Collection[PlaceId] | None = None) -> tuple[PlaceDescription, ...]:
    """The places of the base map, all or only some, in its order, with what the View has there.

    Raises ValueError for a place that the base map lacks, as maps do; lines of the log may name one, as no map shows
    them.
    """
    contents = _Contents(base, view)
    wanted = None if only is None else frozenset(only)
    return tuple(contents.describe(ground) for ground in base.grounds if wanted is None or ground.id in wanted)


def places_with_something(view: View) -> frozenset[PlaceId]:
    """The places whose descriptions are eventful."""
    there = (each.at for kind in (view.counters, view.sightings, view.markers) for each in kind)
    happened = _happenings(view)
    reported = (place for line in view.log for place in line.at)
    return frozenset((*there, *happened, *reported))


@lru_cache(maxsize=8)
def neighbours(base: BaseMap) -> Mapping[PlaceId, tuple[PlaceId, ...]]:
    """The places that share a side with each place, or that a line leads to."""
    owners: dict[frozenset[tuple[int, int]], list[PlaceId]] = defaultdict(list)
    for ground in base.grounds:
        for p, q in sides(ground.outline) if ground.outline else ():
            owners[frozenset((knot(p), knot(q)))].append(ground.id)
    found: dict[PlaceId, list[PlaceId]] = {ground.id: [] for ground in base.grounds}
    for places in owners.values():
        for place in places:
            found[place] += [other for other in places if other != place]
    for line in base.lines:
        found[line.a].append(line.b)
        found[line.b].append(line.a)
    return {place: tuple(dict.fromkeys(others)) for place, others in found.items()}


class _Contents:
    """What a base map and a View have, by place."""

    def __init__(self, base: BaseMap, view: View) -> None:
        self._own, self._signs, self._declared = SideId(view.audience), base.signs, declared(base.signs)
        self._ways = _ways(base)
        self._counters = _by_place(base, [(each.at, each) for each in view.counters])
        self._sightings = _by_place(base, [(each.at, each) for each in view.sightings])
        self._markers = _by_place(base, [(each.at, each) for each in view.markers])
        self._events = _by_place(base, list(_happened(base.signs, view)))
        self._front = _by_place(base, [*_front(view), *_held(self._declared, view)])
        self._log = _by_place(base, list(_reported(base, view)))

    def describe(self, ground: Ground) -> PlaceDescription:
        counters, sightings = self._counters[ground.id], self._sightings[ground.id]
        markers = tuple(_marker(self._declared, each) for each in self._markers[ground.id])
        seen = tuple(self._sighting(each) for each in sightings)
        briefly = tuple(self._unit_briefly(each) for each in counters)
        return PlaceDescription(
            place=ground.id,
            title=_title(ground),
            summary=self._summary(ground, briefly, seen, markers),
            ground=(self._land(ground), *self._ways[ground.id]),
            units=tuple(map(self._unit, counters)),
            sightings=tuple(map(_capital, seen)),
            markers=tuple(map(_capital, markers)),
            events=tuple(self._events[ground.id]),
            front=tuple(self._front[ground.id]),
            log=tuple(self._log[ground.id]),
        )

    def _unit_briefly(self, counter: Counter) -> str:
        whose = "" if counter.side == self._own else f"{side_title(counter.side)} "
        figures = ", ".join((*self._declared.words_of_figures(counter, briefly=True), *self._states(counter)))
        return f"{whose}{one_line(counter.label)}" + (f": {figures}" if figures else "")

    def _unit(self, counter: Counter) -> str:
        label, name = one_line(counter.label), one_line(counter.name)
        called = f"{label} ({name})" if name and name != label else label
        what = f"{side_title(counter.side)} {called}, {self._kind(counter.branch, counter.echelon)}"
        figures = ", ".join((*self._declared.words_of_figures(counter), *self._states(counter)))
        return f"{what}: {figures}" if figures else what

    def _kind(self, arm: str | None, echelon: str) -> str:
        size = self._declared.sizes[echelon].words.lower() if echelon else ""
        if arm is None:
            return f"{size or 'unit'} of unknown arm"
        return f"{self._declared.arms[arm].words.lower()} {size}".strip()

    def _states(self, counter: Counter) -> list[str]:
        return [self._declared.conditions[key].words.lower() for key in counter.states]

    def _sighting(self, sighting: Sighting) -> str:
        """A sighting in words: what was made out, and when."""
        label, kind = one_line(sighting.label), self._kind(sighting.branch, sighting.echelon)
        what = f"{side_title(sighting.side)} {f'{label}, {kind}' if label else kind}"
        what += "" if sighting.count is None else f", {sighting.count} of them"
        return f"sighted {what}" if sighting.age is None else f"out of sight {what}, {_ago(self._signs, sighting.age)}"

    def _summary(self, ground: Ground, units: Sequence[str], sightings: Sequence[str], markers: Sequence[str]) -> str:
        parts = [f"{_title(ground)}, {self._terrain(ground).lower()}"]
        parts += [f"holds {' and '.join(units)}"] if units else []
        return "; ".join((*parts, *sightings, *markers))

    def _terrain(self, ground: Ground) -> str:
        return self._declared.lands[ground.terrain].words

    def _land(self, ground: Ground) -> str:
        worth = f"worth {ground.victory_points} VP" if ground.victory_points else ""
        fortified = self._signs.fortified.lower() if ground.fortified else ""
        note = f"{self._signs.noted[1].lower()} {ground.note}" if ground.note else ""
        return ", ".join(filter(None, (self._terrain(ground), fortified, ground.country, note, worth)))


def _reported(base: BaseMap, view: View) -> Iterator[tuple[PlaceId, LogLine]]:
    """The lines of the report, by the places that the base map has."""
    known = {ground.id for ground in base.grounds}
    for line in view.log:
        for place in dict.fromkeys(line.at):
            if place in known:
                yield place, line


def _by_place(base: BaseMap, found: Sequence[tuple[PlaceId, T]]) -> Mapping[PlaceId, list[T]]:
    parts: dict[PlaceId, list[T]] = {ground.id: [] for ground in base.grounds}
    for place, each in found:
        if place not in parts:
            raise ValueError(f"there is no place {place!r} on the map")
        parts[place].append(each)
    return parts


# --- units and markers ------------------------------------------------------------------------------------------------


def _ago(signs: Signs, age: int) -> str:
    unit = signs.age or "turn"
    if age == 0:
        return "last seen today" if unit == "day" else f"last seen this {unit}"
    return f"last seen {age} {unit}{'s' if age != 1 else ''} ago"


def _marker(known: Declared, marker: Marker) -> str:
    """A marker in words: its sign, who lost it, and its text if the sign does not say it."""
    sign, text = known.markers[marker.kind], one_line(marker.text)
    fields = {
        "side": "" if marker.side is None else side_title(marker.side),
        "people": "" if marker.side is None else known.people(marker.side),
        "winners": "" if marker.won_by is None else known.people(marker.won_by),
        "value": str(marker.value) if marker.value else "",
        "text": text,
        "level": sign.levels[min(marker.value, len(sign.levels)) - 1] if sign.levels and marker.value > 0 else "",
    }
    words = [_first_filled(patterns, fields, plural="s" if marker.value != 1 else "") for patterns in sign.reads]
    taken = f"just taken from {known.people(marker.taken_from)}" if marker.taken_from is not None else ""
    said = any("text" in _fields_of(pattern) for patterns in sign.reads for pattern in patterns)
    return ", ".join(filter(None, (*words, taken, "" if said else text)))


def _first_filled(patterns: Sequence[str], fields: Mapping[str, str], *, plural: str) -> str:
    """The first pattern whose fields all have a value, filled in; empty if there is none."""
    filled = (pattern for pattern in patterns if all(fields[name] for name in _fields_of(pattern)))
    found = next(filled, "")
    return found.format(**fields, s=plural)


@lru_cache(maxsize=256)
def _fields_of(pattern: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(pattern) if name) - {"s"}


# --- what happened there ----------------------------------------------------------------------------------------------


def _happened(signs: Signs, view: View) -> Iterator[tuple[PlaceId, str]]:
    for arrow in view.arrows:
        yield from ((place, event(signs, arrow)) for place in dict.fromkeys(arrow.path))
    for each in view.flights:
        yield each.at, _flight(declared(signs), each)
    for trace in view.traces:
        yield from ((place, barred(signs, trace)) for place in dict.fromkeys(trace.path))


def _happenings(view: View) -> Iterator[PlaceId]:
    """The places where something happened."""
    for path in (*(arrow.path for arrow in view.arrows), *(trace.path for trace in view.traces)):
        yield from path
    for each in view.flights:
        yield each.at


def event(signs: Signs, arrow: Arrow) -> str:
    """An arrow in words: its side, its text, its places in order."""
    sign, places = declared(signs).arrows[arrow.kind], [place for place, _ in groupby(arrow.path)]
    way = f"to {places[0]}" if len(places) == 1 else " – ".join(places)
    return f"{side_title(arrow.side)} {sign.reads or sign.words.lower()}: {way}"


def flight(signs: Signs, flown: Flight) -> str:
    """A flight in words: side, purpose, number, place, and its outcome if it is not obvious."""
    return f"{_flight(declared(signs), flown)}: {flown.at}"


def _flight(known: Declared, flown: Flight) -> str:
    units = f"{flown.units} air unit{'s' if flown.units != 1 else ''}" if flown.units else ""
    what = f"{side_title(flown.side)} {known.flights[flown.kind].words.lower()}"
    return ", ".join(filter(None, (what, units, known.sorties[flown.sortie].words.lower() if flown.sortie else "")))


def barred(signs: Signs, trace: Trace) -> str:
    """A barred supply route in words: whose it is, where it is barred, its places in order."""
    whose = f"{side_title(trace.side)} {one_line(trace.label)}"
    return f"{whose}, {signs.barred.lower()} at {', '.join(trace.barred)}: {' – '.join(trace.path)}"


def _front(view: View) -> Iterator[tuple[PlaceId, str]]:
    beyond: dict[PlaceId, list[PlaceId]] = defaultdict(list)
    for ours, theirs in view.front:
        beyond[ours].append(theirs)
        beyond[theirs].append(ours)
    for place, others in beyond.items():
        yield place, f"Front towards {', '.join(others)}"


def _held(known: Declared, view: View) -> Iterator[tuple[PlaceId, str]]:
    return ((place, f"Held by {known.people(side)}") for place, side in view.control)


# --- the ground -------------------------------------------------------------------------------------------------------


def _title(ground: Ground) -> str:
    return f"{ground.id}, {one_line(ground.name)}" if ground.name else ground.id


@lru_cache(maxsize=8)
def _ways(base: BaseMap) -> Mapping[PlaceId, list[str]]:
    """For each place: the roads out of it, the borders on its sides, the entries."""
    known = declared(base.signs)
    towards: dict[PlaceId, dict[str, list[str]]] = {ground.id: defaultdict(list) for ground in base.grounds}
    for line in base.lines:
        bridge = " (bridge)" if line.bridge else ""
        road = f"{known.lines[line.kind].words} to"
        towards[line.a][road].append(f"{line.b}{bridge}")
        towards[line.b][road].append(f"{line.a}{bridge}")
    for place in dict.fromkeys((each.at, each.kind) for each in base.exits):
        towards[place[0]][f"{known.lines[place[1]].words} off"].append("the map")
    for border in base.borders:
        name = f" {' and '.join(map(one_line, border.names))}" if border.names else ""
        what = f"{known.borders[border.kind].words}{name} towards"
        towards[border.a][what].append(border.b)
        towards[border.b][what].append(border.a)
    for entry in base.entries:
        towards[entry.at][f"{side_title(entry.side)} entry from"].append(one_line(entry.name))
    return {
        place: [f"{what} {', '.join(others)}" for what, others in found.items()] for place, found in towards.items()
    }


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
