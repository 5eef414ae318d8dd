"""The colours of a board that is light or dark as its reader's device is."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Self

from campaign.engine.values.value import replace
from campaign.maps.style.schemes import DARK, DEFAULT, Colour, Scheme, SideColours, Tint


class Twin(tuple[int, int, int]):
    """A colour of a light scheme, with the one that a dark scheme has in its place."""

    dark: Colour

    def __new__(cls, light: Colour, dark: Colour) -> Self:
        made = super().__new__(cls, light)
        made.dark = dark
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Twin) and super().__eq__(other) and self.dark == other.dark

    def __hash__(self) -> int:
        return hash((tuple(self), self.dark))


class _Adaptive(Scheme):
    """Two schemes in one."""

    def faded(self, one: SideColours) -> SideColours:
        light, dark = DEFAULT.faded(one).strong, DARK.faded(replace(one, strong=_dark(one.strong))).strong
        return replace(one, strong=Twin(light, dark))


def _dark(colour: Colour) -> Colour:
    if not isinstance(colour, Twin):
        raise TypeError(f"{colour} has no twin")
    return colour.dark


def _twins(light: Any, dark: Any) -> Any:
    """Values of two schemes as one: colours become twins, all else must be equal."""
    match light:
        case (int(), int(), int()):
            return Twin(light, dark)
        case tuple():
            return tuple(map(_twins, light, dark))
        case SideColours():
            return replace(light, strong=_twins(light.strong, dark.strong), pale=_twins(light.pale, dark.pale))
        case Tint():
            edge = None if light.edge is None else _twins(light.edge, dark.edge)
            return Tint(_twins(light.fill, dark.fill), _twins(light.ink, dark.ink), edge)
        case Mapping():
            return {key: _twins(light[key], dark[key]) for key in light}
    return light


ADAPTIVE: Scheme = _Adaptive(
    **{each.name: _twins(getattr(DEFAULT, each.name), getattr(DARK, each.name)) for each in fields(DEFAULT)}
    | {"name": "device", "title": "Like your device"}
)
"""`DEFAULT` and `DARK` in one, for boards in SVG. Pictures cannot have it."""
