"""The demonstration: two days of the Ardennes, played from the order sheets next to their scenario.

It uses the same services as everybody: it submits sheets, locks phases, approves drafts and writes mails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from django.db import transaction

from campaign.core import clock
from campaign.game.loading import find_scenario
from campaign.models import Campaign, JoiningWords, Membership, Phase, PhaseState, Role, User
from campaign.people.accounts import new_person
from campaign.people.desks import set_desk
from campaign.record.persons import record_join
from campaign.selectors import PhaseInfo, open_phase
from campaign.services import create_campaign
from campaign.viewers import Viewer, viewer_of
from gm import selectors
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from gm.phases.prefaces import save_preface
from orders import services
from orders.desks import first_place

SCENARIO = "forum_campaign/ardennes-1944"
CAMPAIGN = "ardennes-demo"
MASTER_SEED = b"fieldpost: the demonstration, 5244"
"""Public on purpose: every demonstration has the same dice, with the weather that its sheets were written for."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Demo:
    """The demonstration's campaign, and its leaders."""

    campaign: Campaign
    gm: User
    german: User
    allied: User


@dataclass(frozen=True)
class _Part:
    name: str
    role: Role
    side: str = ""
    words: str = ""
    """What they typed when they joined: a commander's text goes into the first dice."""


_GM = _Part("Umpire", Role.GM)
_CAST = (
    _GM,
    _Part("Model", Role.COMMANDER, "german", "Herbstnebel"),
    _Part("Krebs", Role.STAFF, "german"),
    _Part("Bayerlein", Role.TACTICAL, "german"),
    _Part("Hodges", Role.COMMANDER, "allied", "First Army holds"),
    _Part("Kean", Role.STAFF, "allied"),
    _Part("Abrams", Role.TACTICAL, "allied"),
)
_DESK = ("Fifth", "5th Panzer Army", "Krebs")
"""Assigned before the two days are over, so a reader who plays on has a staff officer."""

_LAST_DAY = date(1944, 12, 17)
_LAST_PHASE = f"{_LAST_DAY}-allied-battles"
_PREFACE = "The second day is over. Mind the weather of the morning, and the road through St. Vith."


def standing() -> bool:
    """Whether the demonstration is complete and ready to play on."""
    return Phase.objects.filter(campaign__slug=CAMPAIGN, day__gt=_LAST_DAY).exists()


def stand(say: Say) -> Demo:
    """Play the demonstration up to the morning of its third day. Continues one that was interrupted."""
    say("The campaign is created and its first maps are drawn")
    campaign = Campaign.objects.filter(slug=CAMPAIGN).first() or _found()
    viewers = {part.name: viewer_of(_person(campaign, part), CAMPAIGN) for part in _CAST}
    sweep(worker="demonstration")
    while (phase := open_phase(viewers[_GM.name])) is not None and _play(phase, viewers, say):
        pass
    return Demo(campaign, *(viewers[name].person for name in (_GM.name, "Model", "Hodges")))


def sheets_of(phase: PhaseInfo, who: str) -> list[Path]:
    """The versions of a sheet for a phase, in order; the last one counts."""
    return sorted((find_scenario(SCENARIO) / "demo").glob(f"{phase.file_stem}-{who}.*.txt"))


def phases_to_play() -> int:
    """The number of phases with sheets."""
    sheets = (find_scenario(SCENARIO) / "demo").glob("*.txt")
    return len({path.name.rpartition("-")[0] for path in sheets})


def _found() -> Campaign:
    return create_campaign(
        slug=CAMPAIGN,
        title="Ardennes, December 1944",
        scenario=find_scenario(SCENARIO),
        founder=_user(_GM.name),
        master=MASTER_SEED,
    )


def _user(name: str) -> User:
    found = User.objects.filter(username=name).first()
    return found or new_person(name, email=f"{name.lower()}@demo.invalid")


def _person(campaign: Campaign, part: _Part) -> User:
    user = _user(part.name)
    defaults = {"role": part.role, "side": part.side, "joined_at": clock.now()}
    with transaction.atomic():
        member, joined = Membership.objects.get_or_create(campaign=campaign, user=user, defaults=defaults)
        if joined:
            JoiningWords.objects.create(membership=member, words=part.words)
            record_join(member, at=member.joined_at)
    return user


def _play(phase: PhaseInfo, viewers: dict[str, Viewer], say: Say) -> bool:
    """Submit the sheets of a phase and publish the result; False if there are no sheets for it."""
    if phase.open:
        if not all(sheets_of(phase, who) for who in phase.acts):
            return False
        for who in phase.acts:
            _send(phase, who, _speaker(viewers, who))
        sweep(worker="demonstration")
    _publish(viewers, phase)
    say(f"{phase.moment}: {phase.title}")
    return True


def _speaker(viewers: dict[str, Viewer], who: str) -> Viewer:
    """The viewer who submits the sheets of a side, or the GM's."""
    return next(
        viewer
        for viewer in viewers.values()
        if (viewer.is_gm if who == "gm" else viewer.commands and viewer.side == who)
    )


def _send(phase: PhaseInfo, who: str, viewer: Viewer) -> None:
    for number, path in enumerate(sheets_of(phase, who), 1):
        services.send(
            viewer,
            phase,
            first_place(viewer),
            text=path.read_text(encoding="utf-8"),
            expected_version=number - 1,
            idem_key=path.name,
        )


def _publish(viewers: dict[str, Viewer], phase: PhaseInfo) -> None:
    draft = selectors.draft(viewers[_GM.name])
    if draft is None:
        state = Phase.objects.values_list("state", flat=True).get(pk=phase.phase_id)
        raise RuntimeError(f"{phase.moment}: {phase.title} is {state}, not {PhaseState.REVIEW}: see the log")
    if phase.file_stem == _LAST_PHASE:
        name, formation, holder = _DESK
        set_desk(viewers["Model"], name=name, formations=[formation], holder=viewers[holder].member, now=clock.now())
        save_preface(draft.phase.pk, "public", _PREFACE)
    approve(draft.phase.pk, fence=draft.phase.fence)
