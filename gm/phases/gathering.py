"""What a report gathers: all events since the last full phase, each phase with its number for players."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from campaign.engine.facts import Event
from campaign.engine.phases import Weight, heaviest, key_and_occurrence, phase_name
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.ids import PhaseKey
from campaign.engine.values.value import replace
from campaign.models import Phase, PhaseState
from campaign.services import scenario_of, title_of
from gm.phases.rows import events_of

Events = tuple[Event[Any], ...]


def phases_in(events: Iterable[Event[Any]]) -> tuple[PhaseKey, ...]:
    """The phases that ran, by their names in the run, in order. Each has an event: at least the one that ends it."""
    return tuple(dict.fromkeys(event.phase for event in events))


def weight_of(rules: Ruleset[Any, Any], state: Any, ran: Iterable[PhaseKey]) -> Weight:
    """The weight of a run that led to this state: that of its heaviest phase; full if the game is over.

    A run that stops for a reply is in the middle of a phase, whose report comes when that phase is over: it is no full
    one.
    """
    if rules.over(state):
        return Weight.FULL
    weight = heaviest(rules.phase(key_and_occurrence(name)[0]).weight for name in ran)
    is_halfway = rules.phase(rules.now(state)).weight is Weight.REPLY
    return Weight.REPLY if is_halfway and weight is Weight.FULL else weight


def numbered(events: Iterable[Event[Any]], before: Mapping[str, int]) -> Events:
    """Events with the phase names that players see, whose numbers count on from earlier runs."""
    return tuple(replace(event, phase=_counted(event.phase, before)) for event in events)


def _counted(name: PhaseKey, before: Mapping[str, int]) -> PhaseKey:
    key, occurrence = key_and_occurrence(name)
    return phase_name(key, occurrence + before.get(key, 0))


def since_the_last_report(phase: Phase) -> list[Phase]:
    """The phases published since the last full one, the oldest first."""
    published = phase.campaign.phases.filter(state=PhaseState.PUBLISHED, no__lt=phase.no)
    last = published.filter(weight=Weight.FULL.value).order_by("-no").values_list("no", flat=True).first()
    later = published if last is None else published.filter(no__gt=last)
    return list(later.select_related("campaign", "resolution__outcome").order_by("no"))


def gathered(earlier: Iterable[Phase]) -> Events:
    """All events of published phases, in order."""
    return tuple(event for phase in earlier for event in numbered(events_of(phase), phase.occurrences))


def report_title(phase: Phase, earlier: list[Phase], *, moment: str) -> str:
    """The title of a phase's report that gathers earlier ones: Turn 1 to Turn 9.

    With the phase's own moment if it led to another one: Turn 1 to Turn 9 of 3 August 1809.
    """
    title = f"{title_of(earlier[0])} to {title_of(phase)}" if earlier else title_of(phase)
    return title if moment == phase.moment else f"{title} of {phase.moment}"


def counts_after(phase: Phase, ran: Iterable[PhaseKey], *, weight: Weight, moment: str) -> dict[str, int]:
    """How often each impulse and reply has come up when the next phase opens.

    Numbers restart after a full phase that leads to another moment, so the impulses of a moment or of a report all
    have different names.
    """
    if weight is Weight.FULL and moment != phase.moment:
        return {}
    rules = scenario_of(phase.campaign).rules
    keys = (key_and_occurrence(name)[0] for name in ran)
    return dict(Counter(phase.occurrences) + Counter(str(key) for key in keys if _is_light(rules, key)))


def _is_light(rules: Ruleset[Any, Any], key: PhaseKey) -> bool:
    return rules.phase(key).weight is not Weight.FULL
