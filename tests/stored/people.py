"""The people of the stored campaigns: how they join one, and how they write for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from campaign.core import clock
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, Audience, SideId
from campaign.game.simulation import simulation_of
from campaign.game.store import decode_state, unpack
from campaign.models import Battle, Campaign, Phase, PhaseState, User
from campaign.people import invitations
from campaign.people.accounts import new_person
from campaign.people.desks import set_desk
from campaign.selectors import PhaseInfo, open_phase
from campaign.services import create_campaign, scenario_of
from campaign.viewers import Viewer, viewer_of
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from orders import services
from orders.battles.reporting import Which
from orders.desks import place
from orders.models import HQ
from tests.gm.campaigns import live

UMPIRE = "Umpire"
CAST: Mapping[str, tuple[str, str, str]] = {
    "Model": ("commander", "german", "Herbstnebel"),
    "Krebs": ("staff", "german", ""),
    "Bayerlein": ("tactical", "german", ""),
    "Hodges": ("commander", "allied", "First Army holds"),
    "Kean": ("staff", "allied", ""),
    "Abrams": ("tactical", "allied", ""),
    "Shirer": ("spectator", "", ""),
}
"""Who plays the Ardennes, with role, side, and the words typed when joining."""
ESTUARY_CAST: Mapping[str, tuple[str, str, str]] = {
    "Nelson": ("commander", "north", "The tide turns at noon"),
    "Soult": ("commander", "south", ""),
}
"""Who plays the estuary."""
COMMANDERS = {"german": "Model", "allied": "Hodges", "north": "Nelson", "south": "Soult", GM: UMPIRE}
MASTER_SEED = b"fieldpost: stored rows, 32 bytes"


@dataclass(frozen=True)
class Group:
    """A campaign with everybody in it."""

    slug: str

    @property
    def campaign(self) -> Campaign:
        return Campaign.objects.get(slug=self.slug)

    @property
    def phase(self) -> Phase:
        """The live phase."""
        return live(self.campaign)

    def viewer(self, name: str = UMPIRE) -> Viewer:
        return viewer_of(User.objects.get(username=name), self.slug)

    def send(self, name: str, text: str, *, desk: str = HQ) -> None:
        """Somebody submits a sheet for the open phase."""
        viewer, phase = self.viewer(name), self.open_phase()
        here = place(viewer, desk)
        before = Phase.objects.get(pk=phase.phase_id).all_sheets.filter(side=here.side, desk=desk).count()
        key = f"{phase.no}.{phase.rev} {name} {desk} {before}"
        services.send(viewer, phase, here, text=text, expected_version=before, idem_key=key)

    def open_phase(self) -> PhaseInfo:
        phase = open_phase(self.viewer())
        assert phase is not None
        return phase

    def go(self, texts: Mapping[str, str] | None = None) -> None:
        """Everybody who acts submits their sheet and is ready; what comes of it is published."""
        for who in self.open_phase().acts:
            self.send(COMMANDERS[who], (texts or {}).get(who, "READY"))
        self.resolve()

    def resolve(self) -> None:
        """What is due is done, and a draft is published as it is."""
        sweep(worker="one")
        found = self.campaign.phases.filter(state=PhaseState.REVIEW).first()
        assert found is None or approve(found.pk, fence=found.fence)

    def bot(self, who: str, style: str = "all-round") -> str:
        """What a bot would write for the live phase."""
        phase = self.phase
        loaded = scenario_of(phase.campaign)
        state = decode_state(loaded.rules, unpack(phase.start.state_before), version=phase.state_version)
        known = state_known_to(state, Audience(who))
        return simulation_of(loaded).bots[style](loaded.scenario.game_data, known, SideId(who))  # type: ignore[arg-type]

    def desk(self, name: str, formation: str, holder: str) -> None:
        """A commander hands a formation to a member of their staff."""
        member = self.viewer(holder).member
        set_desk(
            self.viewer(COMMANDERS[member.side]), name=name, formations=[formation], holder=member, now=clock.now()
        )


def gathered(
    slug: str,
    title: str,
    scenario: Path,
    *,
    options: Mapping[str, str] | None = None,
    cast: Mapping[str, tuple[str, str, str]] = CAST,
) -> Group:
    """A new campaign that all of the cast have joined, published up to its first open phase."""
    create_campaign(
        slug=slug,
        title=title,
        scenario=scenario,
        waits=True,
        options=options or {},
        founder=_person(UMPIRE),
        master=MASTER_SEED,
    )
    group = Group(slug)
    for name, (role, side, words) in cast.items():
        token = invitations.invite(group.viewer(), role=role, side=side, meant_for=name, now=clock.now())
        invitations.accept_invitation(token, _person(name), now=clock.now(), words=words)
    sweep(worker="one")
    return group


def which(battle: Battle) -> Which:
    """A battle as acts on it name it."""
    return Which(battle.phase.no, battle.phase.rev, battle.key)


def _person(name: str) -> User:
    found = User.objects.filter(username=name).first()
    return found or new_person(name, email=f"{name.lower()}@demo.invalid")
