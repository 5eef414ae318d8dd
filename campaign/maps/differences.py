"""What changed between two Views of the same phase for one audience: in words, and the places where it changed."""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from campaign.engine.display.views import BaseMap, Counter, LogLine, Panel, View
from campaign.engine.values.ids import Audience, PlaceId
from campaign.engine.values.value import Value, replace
from campaign.maps.place_descriptions import describe_places, places_with_something
from campaign.maps.style.declared import Declared, declared
from campaign.maps.style.terms import side_title

VERSION = 1
"""Raised by each change of `Differences` that older stored ones do not fit."""


class Change(Value, frozen=True, omit_defaults=True):
    """One thing that changed. Before or after is empty where there was nothing, or is nothing any longer."""

    subject: str
    """What it is about: a unit, a place, a line of a table, the section of an event."""
    before: str = ""
    after: str = ""

    @property
    def kind(self) -> str:
        """New, gone or changed."""
        if not self.before:
            return "new"
        return "changed" if self.after else "gone"


class Differences(Value, frozen=True, omit_defaults=True):
    """All that changed for one audience."""

    audience: Audience
    events: tuple[Change, ...] = ()
    units: tuple[Change, ...] = ()
    places: tuple[Change, ...] = ()
    tables: tuple[Change, ...] = ()
    at: tuple[PlaceId, ...] = ()
    """The places where something changed."""

    @property
    def groups(self) -> tuple[tuple[str, tuple[Change, ...]], ...]:
        """The changes under their titles, without empty groups."""
        titled = (
            ("What happened", self.events),
            ("Units", self.units),
            ("Places", self.places),
            ("Tables", self.tables),
        )
        return tuple((title, changes) for title, changes in titled if changes)

    @property
    def count(self) -> int:
        """The number of changes."""
        return sum(len(changes) for _, changes in self.groups)


def differences(base: BaseMap, before: View, after: View) -> Differences:
    """What changed from one View to the other; both are the same audience's."""
    known, map_ = declared(base.signs), {ground.id for ground in base.grounds}
    events, told = _events(before.log, after.log)
    units, moved = _units(known, before, after)
    places, changed = _places(base, before, after)
    return Differences(
        audience=after.audience,
        events=events,
        units=units,
        places=places,
        tables=(*_titles(before, after), *_tables(before, after)),
        at=tuple(sorted({*told, *moved, *changed} & map_)),
    )


# --- events ----------------------------------------------------------------------------------------------------------


def _events(before: Sequence[LogLine], after: Sequence[LogLine]) -> tuple[tuple[Change, ...], set[PlaceId]]:
    """The lines of the report that are new, gone, or differ in their reasons alone; and their places."""
    said = [(line.section, line.text, line.reasons) for line in before]
    says = [(line.section, line.text, line.reasons) for line in after]
    changes: list[Change] = []
    places: set[PlaceId] = set()
    for tag, i, j, k, m in SequenceMatcher(None, said, says, autojunk=False).get_opcodes():
        if tag != "equal":
            changes += _replaced(before[i:j], after[k:m])
            places.update(place for line in (*before[i:j], *after[k:m]) for place in line.at)
    return tuple(changes), places


def _replaced(gone: Sequence[LogLine], new: Sequence[LogLine]) -> Iterator[Change]:
    """Lines in the place of others. A line that says the same for other reasons is one that changed."""
    left = list(new)
    for line in gone:
        same = next((each for each in left if (each.section, each.text) == (line.section, line.text)), None)
        if same is None:
            yield Change(line.section, before=line.text)
        else:
            left.remove(same)
            yield Change(f"{line.section}: {line.text}", "; ".join(line.reasons) or "-", "; ".join(same.reasons) or "-")
    for line in left:
        yield Change(line.section, after=line.text)


# --- units and places ------------------------------------------------------------------------------------------------


def _units(known: Declared, before: View, after: View) -> tuple[tuple[Change, ...], set[PlaceId]]:
    """Units that are new or gone, and what changed of the others; and where they were and are."""
    was, is_ = ({counter.unit: counter for counter in view.counters} for view in (before, after))
    units = [unit for unit in dict.fromkeys((*was, *is_)) if was.get(unit) != is_.get(unit)]
    changes = (_unit(known, was.get(unit), is_.get(unit)) for unit in units)
    places = {counter.at for unit in units for counter in (was.get(unit), is_.get(unit)) if counter is not None}
    return tuple(changes), places


def _unit(known: Declared, before: Counter | None, after: Counter | None) -> Change:
    counter = after or before
    assert counter is not None  # noqa: S101 # one of them is there
    was, is_ = (_parts(known, each) if each else () for each in (before, after))
    only = [(a or "", b or "") for a, b in _unlike(was, is_)]
    gone, new = (", ".join(filter(None, parts)) for parts in zip(*only, strict=True)) if only else ("", "")
    subject = f"{side_title(counter.side)} {counter.label}"
    return Change(subject, gone or ("-" if before and after else ""), new or ("-" if before and after else ""))


def _unlike(was: Sequence[str], is_: Sequence[str]) -> Iterator[tuple[str | None, str | None]]:
    """The parts of a list that are not in the other one, next to each other."""
    gone, new = Tally(was) - Tally(is_), Tally(is_) - Tally(was)
    return zip_longest(gone.elements(), new.elements())


def _parts(known: Declared, counter: Counter) -> tuple[str, ...]:
    """Where a unit is, its figures and conditions, in words."""
    conditions = (known.conditions[key].words.lower() for key in counter.states)
    return (f"at {counter.at}", *known.words_of_figures(counter), *conditions)


def _places(base: BaseMap, before: View, after: View) -> tuple[tuple[Change, ...], set[PlaceId]]:
    """What changed at places apart from known units: sightings, markers, holders."""
    was, is_ = (_there(base, view) for view in (before, after))
    changes = {place: (was.get(place, ()), is_.get(place, ())) for place in (ground.id for ground in base.grounds)}
    titles = {ground.id: f"{ground.id}, {ground.name}" if ground.name else ground.id for ground in base.grounds}
    found = {place: _change(titles[place], *each) for place, each in changes.items() if each[0] != each[1]}
    return tuple(found.values()), set(found)


def _there(base: BaseMap, view: View) -> Mapping[PlaceId, tuple[str, ...]]:
    still = replace(view, counters=(), arrows=(), flights=(), traces=(), front=(), log=())
    places = places_with_something(still) | {place for place, _ in view.control}
    return {each.place: each.holds for each in describe_places(base, still, places)}


def _change(subject: str, was: Sequence[str], is_: Sequence[str]) -> Change:
    gone, new = Tally(was) - Tally(is_), Tally(is_) - Tally(was)
    return Change(subject, "; ".join(gone.elements()), "; ".join(new.elements()))


# --- tables ----------------------------------------------------------------------------------------------------------


def _titles(before: View, after: View) -> Iterator[Change]:
    if before.next_stop != after.next_stop:
        yield Change("Opens next", before.next_stop or "nothing", after.next_stop or "nothing")


def _tables(before: View, after: View) -> Iterator[Change]:
    """The lines of tables that changed: those of the report first, then those of the chart that it lacks."""
    was, is_ = ({panel.key: panel for panel in (*view.chart, *view.panels)} for view in (before, after))
    for key in dict.fromkeys((*was, *is_)):
        if was.get(key) != is_.get(key):
            yield from _rows(was.get(key), is_.get(key))


def _rows(before: Panel | None, after: Panel | None) -> Iterator[Change]:
    panel = after or before
    assert panel is not None  # noqa: S101 # one of them is there
    was, is_ = (_named(each.rows) if each else {} for each in (before, after))
    for name in dict.fromkeys((*was, *is_)):
        gone, new = was.get(name), is_.get(name)
        if gone != new:
            subject = ": ".join(filter(None, (panel.title, name[0])))
            yield Change(subject, _cells(panel, gone, new), _cells(panel, new, gone))


def _named(rows: Iterable[tuple[str, ...]]) -> Mapping[tuple[str, int], tuple[str, ...]]:
    """Lines by their first cell; equal ones are counted."""
    seen: Tally[str] = Tally()
    named: dict[tuple[str, int], tuple[str, ...]] = {}
    for row in rows:
        name = row[0] if row else ""
        named[name, seen[name]] = row[1:]
        seen[name] += 1
    return named


def _cells(panel: Panel, row: tuple[str, ...] | None, other: tuple[str, ...] | None) -> str:
    """The cells of a line that the other one does not have, each with the title of its column."""
    if row is None:
        return ""
    heads = panel.head[1:] if len(panel.head) == len(row) + 1 else ("",) * len(row)
    cells = zip_longest(heads, row, other or (), fillvalue="")
    unlike = ((head, cell) for head, cell, old in cells if cell and (other is None or cell != old))
    return ", ".join(": ".join(filter(None, each)) for each in unlike) or "-"
