"""What is told of a campaign whose story is open: its turning points, and each side's story next to the other's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from campaign import selectors
from campaign.core.memory import MB
from campaign.engine.phases import Weight
from campaign.engine.values.ids import Audience
from campaign.secrecy.memory import Key, KeyedMemory
from campaign.selectors import PhaseInfo
from campaign.services import scenario_of
from campaign.statistics import score_by_phase
from campaign.story import reading_as
from campaign.viewers import Viewer

MOST_TURNS = 5
"""The number of turning points that are named."""


@dataclass(frozen=True)
class TurningPoint:
    """A phase in which the lead changed most."""

    phase: PhaseInfo
    side: str
    """The side that gained."""
    swing: int
    """By how much its lead grew, or the other's shrank."""
    score: tuple[tuple[str, int], ...]
    """The score of each side after it."""


@dataclass(frozen=True)
class Episode:
    """A phase as its sides were told of it."""

    phase: PhaseInfo
    told: tuple[tuple[str, tuple[str, ...]], ...]
    """Each side with the headlines of its report; older reports have none."""
    score: tuple[tuple[str, int], ...]
    """The score of each side after it; empty where the rules have none."""


def episodes(viewer: Viewer) -> list[Episode]:
    """The campaign's full phases from the first on. Http404 while its story is not open."""
    sides, phases = scenario_of(viewer.campaign).rules.sides, _phases(viewer)
    headlines = [(side, _headlines(reading_as(viewer, side))) for side in sides]
    scores = score_by_phase(viewer)
    return [
        Episode(
            phase,
            tuple((side, told.get(phase.no, ())) for side, told in headlines),
            tuple(zip(sides, scores.get(phase.no, ()), strict=False)),
        )
        for phase in phases
        if phase.weight == Weight.FULL.value
    ]


def turning_points(found: Sequence[Episode]) -> list[TurningPoint]:
    """The phases with the largest changes of the lead, in their order; none without a score."""
    scored = [each for each in found if len(each.score) == 2]
    turns = [_turn(before, after) for before, after in pairwise(scored)]
    largest = sorted(turns, key=lambda turn: -turn.swing)[:MOST_TURNS]
    return sorted((turn for turn in largest if turn.swing), key=lambda turn: turn.phase.no)


def _turn(before: Episode, after: Episode) -> TurningPoint:
    """The change of the lead, which is the first side's: it is negative while the second is ahead."""
    change = _lead(after) - _lead(before)
    first, second = (side for side, _ in after.score)
    return TurningPoint(after.phase, first if change > 0 else second, abs(change), after.score)


def _lead(episode: Episode) -> int:
    (_, first), (_, second) = episode.score
    return first - second


def _phases(viewer: Viewer) -> list[PhaseInfo]:
    return selectors.published_phases(viewer)[::-1]


def _headlines(reader: Viewer) -> Mapping[int, tuple[str, ...]]:
    """The headlines of all reports that an audience received, by the numbers of their phases."""
    newest = selectors.newest_phase(reader)
    if newest is None:
        return {}
    key = Key(Audience(reader.audience), reader.campaign, newest)
    return _HEADLINES.get(key, reader.without_notes, lambda: _read(reader))


def _read(reader: Viewer) -> Mapping[int, tuple[str, ...]]:
    return {no: view.headlines for no, view in selectors.views_by_phase(reader).items()}


_HEADLINES: KeyedMemory[Mapping[int, tuple[str, ...]]] = KeyedMemory(
    MB, lambda told: 300 + sum(200 + sum(map(len, lines)) for lines in told.values()), in_story=True
)
