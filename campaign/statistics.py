"""The statistics of a campaign: plots by day, made of the truth of its published phases.

The game master reads them at any time. Everybody else who may read any part of the campaign does once it is closed,
and who practises does once it is over, if it promised so when it was created. They are made for each page: one pass
over the phases is quick, and nothing of it is remembered.
"""

import csv
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from io import StringIO
from itertools import groupby
from typing import Any

from django.http import Http404

from campaign.engine.display.plots import Plot
from campaign.engine.ruleset import Ruleset
from campaign.engine.statistics import Course, Day, Statistic, plots
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.engine.values.moments import Moment
from campaign.game.store import decode_events, decode_state, unpack
from campaign.models import Campaign, Outcome, PhaseState
from campaign.secrecy import truth
from campaign.services import scenario_of
from campaign.story import story_is_open
from campaign.viewers import Viewer


def are_open(campaign: Campaign) -> bool:
    """Whether everybody may read them: the campaign has promised so, and is closed, or was practice and is over.

    They are a part of its story too.
    """
    if story_is_open(campaign):
        return True
    return campaign.opens_statistics and (hasattr(campaign, "closing") or _practised_to_the_end(campaign))


def _practised_to_the_end(campaign: Campaign) -> bool:
    """Nobody closes a practice campaign, and nobody reopens a phase of it: without a live one it is over."""
    over = [PhaseState.PUBLISHED, PhaseState.WITHDRAWN]
    return campaign.practice and not campaign.phases.exclude(state__in=over).exists()


def may_read(viewer: Viewer) -> bool:
    return viewer.is_gm or are_open(viewer.campaign)


def audience_of(viewer: Viewer) -> Audience:
    """For whom the plots are that this viewer reads; Http404 if they may read none."""
    if not may_read(viewer):
        raise Http404
    return PUBLIC if are_open(viewer.campaign) else GM


def statistics_of(viewer: Viewer) -> list[Plot]:
    """All plots; none before the first day. Http404 if the viewer may read none."""
    return _plots(viewer, scenario_of(viewer.campaign).rules.statistics)


def score_by_phase(viewer: Viewer) -> dict[int, tuple[int, ...]]:
    """The score of each side at the end of every published phase, by its number; none where the rules have no score.

    Http404 if the viewer may read no statistics.
    """
    audience, loaded = audience_of(viewer), scenario_of(viewer.campaign)
    rules, game_data = loaded.rules, loaded.scenario.game_data
    if rules.score is None:
        return {}
    return {
        each.no: tuple(rules.score.figures(game_data, Day(each.moment, _state(rules, each))))
        for each in _results(viewer.campaign, audience)
    }


def plot_of(viewer: Viewer, key: str) -> Plot:
    """The plot with this key; Http404 if there is none, or none for this viewer."""
    declared = [each for each in scenario_of(viewer.campaign).rules.statistics if each.key == key]
    found = _plots(viewer, declared)
    if not found:
        raise Http404
    return found[0]


def table(plots: Sequence[Plot]) -> str:
    """All figures as CSV, one a line: plot, line or bars, day, figure, unit."""
    file = StringIO()
    lines = csv.writer(file, lineterminator="\n")
    lines.writerow(("plot", "series", "day", "figure", "unit"))
    for plot in plots:
        for curve in plot.curves:
            days = zip(plot.labels, curve.figures, strict=True)
            lines.writerows((plot.title, curve.title, day, figure, plot.unit) for day, figure in days)
    return file.getvalue()


def _plots(viewer: Viewer, declared: Sequence[Statistic[Any, Any]]) -> list[Plot]:
    audience, loaded = audience_of(viewer), scenario_of(viewer.campaign)
    course = _course(loaded.rules, _results(viewer.campaign, audience)) if declared else None
    return list(plots(declared, loaded.rules.sides, loaded.scenario.game_data, course)) if course else []


# --- from the results of phases to days ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Result:
    """The result of a published phase, as it is stored."""

    no: int
    moment: Moment
    state_version: int
    event_version: int
    state: bytes
    events: bytes


_COLUMNS = (
    *("resolution__phase__no", "resolution__phase__moment", "resolution__phase__day"),
    *("resolution__state_version", "resolution__event_version", "state_after", "events"),
)


def _results(campaign: Campaign, audience: Audience) -> list[_Result]:
    """All published phases in order. What is for everybody by now is opened to any reader; the rest, the guard says."""
    phases = Outcome.objects.filter(
        resolution__phase__campaign=campaign, resolution__phase__state=PhaseState.PUBLISHED
    ).order_by("resolution__phase__no")
    with truth.opened("Outcome") if audience == PUBLIC else nullcontext():
        rows = list(phases.values_list(*_COLUMNS))
    return [_Result(no, Moment(label, date), *rest) for no, label, date, *rest in rows]


def _course(rules: Ruleset[Any, Any], results: Sequence[_Result]) -> Course[Any] | None:
    """The campaign day by day, from the end of its start; None before the first day."""
    if len(results) < 2:
        return None
    start, *others = results
    days = tuple(_days(rules, others))
    newest = days[-1]
    so_far = not rules.over(newest.state) and rules.moment(newest.state) == newest.moment
    return Course(_state(rules, start), days, so_far)


def _days(rules: Ruleset[Any, Any], results: Sequence[_Result]) -> Iterator[Day[Any]]:
    for moment, of_day in groupby(results, key=lambda result: result.moment):
        phases = list(of_day)
        events = (decode_events(rules, unpack(each.events), version=each.event_version) for each in phases)
        yield Day(moment, _state(rules, phases[-1]), tuple(event.fact for some in events for event in some))


def _state(rules: Ruleset[Any, Any], result: _Result) -> Any:
    return decode_state(rules, unpack(result.state), version=result.state_version)
