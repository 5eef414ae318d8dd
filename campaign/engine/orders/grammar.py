"""The grammar of an order: its fields as they are written, and its usage."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from campaign.engine.orders.order import Help, Keyword, Order, Path, Text, verb_of
from campaign.engine.values.ids import PlaceId, UnitId


@dataclass(frozen=True)
class Part:
    """A field of an order as it is written."""

    name: str
    type: Any
    keyword: str
    help: str
    optional: bool

    @property
    def words(self) -> tuple[str, ...]:
        """The fixed words that may begin it: its keyword, or its choices."""
        if self.keyword or not is_enum(self.type):
            return (self.keyword,) if self.keyword else ()
        return tuple(str(choice.value) for choice in self.type)


@cache
def grammar_of(kind: type[Order]) -> tuple[Part, ...]:
    """The fields of an order type in the order they are written."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_part(info, hints[info.name]) for info in msgspec.structs.fields(kind))


def units_named(order: Order) -> tuple[UnitId, ...]:
    """The units that a line is about: the values of its fields that name one."""
    named = (getattr(order, part.name) for part in grammar_of(type(order)) if part.type is UnitId)
    return tuple(unit for unit in named if unit is not None)


def places_named(order: Order) -> tuple[PlaceId, ...]:
    """The places that a line names, in the order of its fields."""
    found: list[PlaceId] = []
    for part in grammar_of(type(order)):
        value = getattr(order, part.name)
        if part.type == Path:
            found += value
        elif part.type is PlaceId and value is not None:
            found.append(value)
    return tuple(found)


def _part(info: msgspec.structs.FieldInfo, hint: Any) -> Part:
    keyword, help_ = "", info.name
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        for extra in extras:
            keyword = extra.word if isinstance(extra, Keyword) else keyword
            help_ = extra.text if isinstance(extra, Help) else help_
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (choice for choice in get_args(hint) if choice is not NoneType)
    return Part(info.name, hint, keyword, help_, optional=not info.required)


def usage(kind: type[Order]) -> str:
    """How a line of this kind is written: `MOVE <unit> [<path>] [to <place>]`."""
    grammar = grammar_of(kind)
    keywords = sum(bool(part.keyword) for part in grammar)
    order = "" if keywords < 2 else ", in any order" if keywords == len(grammar) else ", keywords in any order"
    return "Write: " + " ".join([verb_of(kind), *map(_written, grammar)]) + f"{order}."


_BLANKS: Mapping[Any, str] = {
    UnitId: "<unit>",
    PlaceId: "<place>",
    Path: "<path>",
    int: "<number>",
    Text: "<text>",
    bool: "",
}
"""The placeholder of a field in a line's usage, by its type."""


def _written(part: Part) -> str:
    value = _choices(part.type) if is_enum(part.type) else _BLANKS[part.type]
    text = " ".join(filter(None, [part.keyword, value]))
    return f"[{text}]" if part.optional else text


def is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _choices(kind: type[Enum]) -> str:
    return "|".join(str(choice.value) for choice in kind)
