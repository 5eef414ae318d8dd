"""The signs that a ruleset declares, by their keys."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol, TypeVar

from campaign.engine.display.signs import Condition, Corner, Signs
from campaign.engine.display.views import Counter
from campaign.engine.values.ids import SideId
from campaign.maps.style.terms import side_title


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


K = TypeVar("K", bound=_Keyed)


class _ByKey(dict[str, K]):
    """Signs of one kind; raises ValueError for a key that is not declared."""

    def __init__(self, what: str, signs: Iterable[K]) -> None:
        super().__init__((sign.key, sign) for sign in signs)
        self._what = what

    def __missing__(self, key: str) -> K:
        raise ValueError(f"no {self._what} {key!r} is declared; there are {', '.join(self) or 'none'}")


class Declared:
    """The signs of a ruleset by kind and key. A key that is not declared raises ValueError."""

    def __init__(self, signs: Signs) -> None:
        self.lands = _ByKey("land", signs.lands)
        self.lines = _ByKey("line", signs.lines)
        self.borders = _ByKey("border", signs.borders)
        self.arms = _ByKey("arm", signs.arms)
        self.sizes = _ByKey("size", signs.sizes)
        self.conditions = _ByKey("condition", signs.conditions)
        self.figures = _ByKey("figure", signs.figures)
        self.markers = _ByKey("marker", signs.markers)
        self.flights = _ByKey("flight", signs.flights)
        self.sorties = _ByKey("sortie", signs.sorties)
        self.arrows = _ByKey("arrow", signs.arrows)
        self._people = dict(signs.people)
        self._rank = {sign.key: n for n, sign in enumerate(signs.conditions)}
        self._states: dict[tuple[str, ...], tuple[Condition, ...]] = {}

    def people(self, side: SideId) -> str:
        """A side by its name: the Germans."""
        return self._people.get(side) or f"the {side_title(side)} side"

    def size(self, key: str) -> str:
        """The symbol of a size; empty if it is unknown."""
        return self.sizes[key].symbol if key else ""

    def states(self, keys: tuple[str, ...]) -> tuple[Condition, ...]:
        """The conditions of a counter in the order in which they are shown."""
        found = self._states.get(keys)
        if found is None:
            known = [self.conditions[key] for key in keys]
            found = self._states[keys] = tuple(sorted(known, key=lambda sign: self._rank[sign.key]))
        return found

    def corners(self, counter: Counter) -> tuple[str, float | None, str]:
        """What a counter has printed on its left, how full its gauge is, and what is printed on its right.

        A figure that is full is not printed, and needs no gauge.
        """
        left, gauge, right = "", None, ""
        for figure in counter.figures:
            sign = self.figures[figure.key]
            lacks = sign.full is None or figure.value < sign.full
            if sign.corner is Corner.LEFT and lacks:
                left, gauge = str(figure.value), None if sign.full is None else figure.value / sign.full
            elif sign.corner is Corner.RIGHT and lacks:
                right = str(figure.value)
        return left, gauge, right

    def words_of_figures(self, counter: Counter, *, briefly: bool = False) -> list[str]:
        """The figures of a counter in words."""
        signs = ((self.figures[figure.key], figure.value) for figure in counter.figures)
        return [(sign.briefly if briefly else sign.words).format(value) for sign, value in signs]


@lru_cache(maxsize=64)
def declared(signs: Signs) -> Declared:
    """The signs of a declaration, by their keys."""
    return Declared(signs)
