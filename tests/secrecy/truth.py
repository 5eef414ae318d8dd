"""The truth of the current phase, for mutators to change where an audience cannot see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from campaign.engine.facts import Event, Rolled
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.engine.values.value import encode, replace
from campaign.game.artefacts import chart_texts, report_texts
from campaign.game.rulebook import rule_url
from campaign.game.store import decode_events, digest, encode_events, encode_state, pack, unpack
from campaign.game.turn_package import view_of
from campaign.links import PICTURES
from campaign.models import Artefact, Outcome, Phase, PhaseStart, PhaseState, Resolution
from campaign.reports import chart, report
from campaign.services import scenario_of
from tests.secrecy.campaigns import SLUG, game, live, truth
from tests.secrecy.games.game import Position


@dataclass
class Truth(Position):
    """The state at the start of the current phase, and the events before it."""

    phase: Phase
    events: tuple[Event[Any], ...]

    @classmethod
    def read(cls, observer: Audience) -> "Truth | None":
        """The truth of the present world; None before the campaign begins and after it is over."""
        phase, last = live(), _last_published()
        if phase is None or last is None:
            return None
        loaded = scenario_of(phase.campaign)
        events = decode_events(loaded.rules, unpack(last.outcome.events), version=last.event_version)
        return cls(game(), loaded, truth(phase), observer, phase, events)

    def write(self) -> None:
        """Store it, and what everybody but the observer and the public received of it."""
        assert state_known_to(self.state, self.observer) == state_known_to(truth(self.phase), self.observer)
        packed, last = pack(encode_state(self.state)), _last_published()
        assert last is not None
        PhaseStart.objects.filter(phase=self.phase).update(state_before=packed)
        Outcome.objects.filter(resolution=last).update(state_after=packed, events=pack(encode_events(self.events)))
        for audience in (GM, *map(Audience, self.foreign)):
            self._send_anew(last, audience)

    def _send_anew(self, last: Resolution, audience: Audience) -> None:
        rules, game_data = self.loaded.rules, self.loaded.scenario.game_data
        view = view_of(rules, game_data, self.state, self.events, audience)
        contents = {"slice": encode(state_known_to(self.state, audience)), "view": encode(view)}
        contents |= {**dict(report_texts(report(view), rule_url(SLUG))), **dict(chart_texts(chart(view)))}
        for kind, content in contents.items():
            rows = Artefact.objects.filter(phase=last.phase_id, audience=audience, kind=kind)
            rows.update(content=content, sha256=digest(content))
        pictures = Artefact.objects.filter(phase=last.phase_id, audience=audience, kind__in=PICTURES)
        for row in pictures:
            content = bytes(row.content) + digest(contents["slice"]).encode()
            pictures.filter(pk=row.pk).update(content=content, sha256=digest(content))


def _last_published() -> Resolution | None:
    published = Resolution.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.PUBLISHED)
    return published.order_by("-phase__no").first()


def other_dice(
    events: Sequence[Event[Any]], observer: Audience, shared: tuple[str, ...], chance: Random
) -> tuple[Event[Any], ...]:
    """The same events, with other results for every roll of other audiences, but those with such `shared` labels."""

    def changed(event: Event[Any]) -> Event[Any]:
        roll = event.fact
        if not isinstance(roll, Rolled) or roll.audience in (observer, PUBLIC) or roll.label.startswith(shared):
            return event
        fallen = replace(roll, dice=tuple(chance.randint(1, roll.sides) for _ in roll.dice))
        return replace(event, fact=fallen, disclosures=dict.fromkeys(event.disclosures, fallen))

    return tuple(map(changed, events))
