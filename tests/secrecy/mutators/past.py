"""Earlier phases: what nobody else was ever told of them (M24)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from campaign.engine.values.ids import Audience
from campaign.game.store import decode_events, digest, encode_events, encode_state, pack, unpack
from campaign.models import Outcome, Phase, PhaseStart, Resolution
from campaign.services import scenario_of
from tests.secrecy.campaigns import SLUG, game, truth
from tests.secrecy.mutators.change import Change
from tests.secrecy.truth import Truth


@dataclass
class Earlier(Truth):
    """The state at the start of a phase that was published, which is also that at the end of the phase before it."""

    def store(self) -> None:
        packed = pack(encode_state(self.state))
        PhaseStart.objects.filter(phase=self.phase).update(state_before=packed)
        for before in Outcome.objects.filter(resolution__phase=_before(self.phase)):
            events = unpack(before.events)
            Outcome.objects.filter(pk=before.pk).update(
                state_after=packed, digest=digest(encode_state(self.state) + events)
            )

    def spoken_of(self) -> bytes:
        """All facts of the phase before it and of its own."""
        return encode_events(self.events)


def _before(phase: Phase) -> Phase | None:
    return Phase.objects.filter(campaign=phase.campaign, no=phase.no - 1, published_at__isnull=False).first()


def earlier_starts(observer: Audience) -> Iterator[Earlier]:
    """The state at the start of each phase that was published, in order."""
    results = Resolution.objects.filter(phase__campaign__slug=SLUG, phase__published_at__isnull=False)
    events: tuple[Any, ...] = ()
    for result in results.select_related("phase__campaign", "outcome").order_by("phase__no", "phase__rev"):
        loaded = scenario_of(result.phase.campaign)
        own = decode_events(loaded.rules, unpack(result.outcome.events), version=result.event_version)
        yield Earlier(game(), loaded, truth(result.phase), observer, result.phase, (*events, *own))
        events = own


def remembered(change: Change) -> bool:
    """Change units of which the observer did not know in earlier phases, and which no fact of these phases names."""
    changed = False
    for start in earlier_starts(change.observer):
        facts = start.spoken_of()
        for side in start.foreign:
            for unit in start.game.hidden(start, side):
                if unit.id.encode() not in facts:
                    start.put(side, start.game.from_afar(unit, change.chance))
                    changed = True
        start.store()
    return changed
