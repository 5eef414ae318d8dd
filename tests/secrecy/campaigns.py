"""Campaigns to compare: bots play a small one through the service, and each of its phases is kept."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, PUBLIC
from campaign.game.loading import Loaded, find_scenario
from campaign.game.simulation import simulation_of
from campaign.game.store import decode_state, unpack
from campaign.links import PICTURES, make_link
from campaign.models import Campaign, Link, Membership, Phase, PhaseState, Role
from campaign.people.accounts import new_person
from campaign.people.desks import set_desk
from campaign.selectors import open_phase
from campaign.services import create_campaign, scenario_of
from campaign.viewers import viewer_of
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from gm.phases.prefaces import save_preface
from orders import services
from orders.desks import first_place
from tests.secrecy.chance import CHANCE
from tests.secrecy.worlds import Snapshot, World

SLUG = "st-vith"
ELSEWHERE = "elsewhere"
"""Another campaign in the same service, with another game master."""
SCENARIO = "forum_campaign/st-vith-1944"
LARGE = "forum_campaign/ardennes-1944"
SIDES = ("german", "allied")
_MASTER = bytes([16]) * 32

CAST: Mapping[str, tuple[str, str]] = {
    "gm": (Role.GM, ""),
    **{
        f"{side} {name}": (role, side)
        for side in SIDES
        for name, role in (
            ("commander", Role.COMMANDER),
            ("deputy", Role.DEPUTY),
            ("staff", Role.STAFF),
            ("tactical", Role.TACTICAL),
            ("leaver", Role.STAFF),
        )
    },
    "spectator": (Role.SPECTATOR, ""),
}
LEAVERS = tuple(f"{side} leaver" for side in SIDES)
"""Former members."""
STRANGERS = ("other gm", "outsider")
DESKS = {"german": ("Fifth", "5th Panzer Army"), "allied": ("Eighth", "First Army, VIII")}


@dataclass(frozen=True)
class Base:
    """A world at the start of a phase."""

    name: str
    snapshot: Snapshot


def bases(phases: int, scenario: str = SCENARIO) -> Iterator[Base]:
    """The first phases of a campaign in order, each before anybody has acted in it."""
    world = World.empty("base", CHANCE.now)
    with world.present():
        _create(scenario)
        for number in range(phases):
            CHANCE.of("base", number)
            sweep(worker="base")
            phase = live()
            if phase is None:
                break
            if number == 0:
                _set_desks()
            yield Base(f"{phase.no:02}-{phase.key}", _kept(world))
            _play(phase, number)
            if number == 0:
                _link_pictures(phase.no)
            CHANCE.now += timedelta(hours=7)
    world.close()


def _kept(world: World) -> Snapshot:
    held = world.kept()
    return Snapshot(held.database, CHANCE.now)


def live() -> Phase | None:
    """The current phase of the present world; None if the campaign is over."""
    return (
        Phase.objects.filter(campaign__slug=SLUG)
        .exclude(state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN])
        .first()
    )


def campaign() -> Campaign:
    return Campaign.objects.get(slug=SLUG)


def truth(phase: Phase) -> Any:
    """The state at the start of a phase."""
    rules = scenario_of(phase.campaign).rules
    return decode_state(rules, unpack(phase.start.state_before), version=phase.state_version)


def bot_sheet(loaded: Loaded, state: Any, who: str, *, style: str = "bold") -> str:
    """A bot's sheet for a phase; for the GM, lines that leave the battles to the rules."""
    if who == GM:
        return "".join(f"DECIDE {battle.at}\n" for battle in state.open.battles) + "READY\n"
    bot = simulation_of(loaded).bots[style]
    return bot(loaded.scenario.game_data, state_known_to(state, who), who)  # type: ignore[arg-type]


def _create(scenario_name: str) -> None:
    CHANCE.of("founding")
    people = {name: new_person(name, email=address(name)) for name in (*CAST, *STRANGERS)}
    scenario = find_scenario(scenario_name)
    create_campaign(slug=ELSEWHERE, title="Elsewhere", scenario=scenario, founder=people["other gm"], master=_MASTER)
    made = create_campaign(slug=SLUG, title="St. Vith", scenario=scenario, founder=people["gm"], master=_MASTER)
    for name, (role, side) in CAST.items():
        if name != "gm":
            left = CHANCE.now if name in LEAVERS else None
            Membership.objects.create(
                campaign=made, user=people[name], role=role, side=side, knows=side, joined_at=CHANCE.now, left_at=left
            )


def address(name: str) -> str:
    return f"{name.replace(' ', '.')}@example.org"


def _set_desks() -> None:
    for side, (name, formation) in DESKS.items():
        holder = Membership.objects.get(campaign__slug=SLUG, user__username=f"{side} staff")
        viewer = viewer_of(person(f"{side} commander"), SLUG)
        set_desk(viewer, name=name, formations=[formation], holder=holder, now=CHANCE.now)


def _play(phase: Phase, number: int) -> None:
    """Submit the sheets of all who act; the GM publishes the results."""
    loaded, state = scenario_of(phase.campaign), truth(phase)
    style = ("bold", "cautious")[number % 2]
    for who in phase.acts:
        send_as_a_bot(phase, who, bot_sheet(loaded, state, who, style=style))
    CHANCE.now += timedelta(days=9)
    sweep(worker="base")
    phase.refresh_from_db()
    if phase.state == PhaseState.REVIEW:
        save_preface(phase.pk, "german", "A word to the Germans.")
        assert approve(phase.pk, fence=phase.fence)


def send_as_a_bot(phase: Phase, who: str, text: str) -> None:
    """Submit the first sheet of a phase, as its commander or as the GM."""
    viewer = viewer_of(person("gm" if who == GM else f"{who} commander"), SLUG)
    opened = open_phase(viewer)
    assert opened is not None
    assert opened.phase_id == phase.pk
    services.send(viewer, opened, first_place(viewer), text=text, expected_version=0, idem_key="base")


def _link_pictures(no: int) -> None:
    """Create links to pictures of a phase: each side's for that side only, the public's for everybody with the link."""
    for who, audience in (*((f"{side} commander", side) for side in SIDES), ("gm", PUBLIC)):
        for kind in PICTURES:
            make_link(viewer_of(person(who), SLUG), no, audience, kind, now=CHANCE.now)
    Campaign.objects.filter(slug=SLUG).update(open_links=[PUBLIC])


def tokens_of(audience: str) -> list[str]:
    """The tokens of the links to an audience's pictures."""
    found = Link.objects.filter(artefact__phase__campaign__slug=SLUG, artefact__audience=audience, revoked_at=None)
    return sorted(found.values_list("token", flat=True))


def person(name: str) -> Any:
    """The member of the campaign with this name."""
    return Membership.objects.get(campaign__slug=SLUG, user__username=name).user
