"""Campaigns to compare: bots play each through the service, and its first phases are kept."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any
from unittest import mock

from campaign import services as campaigns
from campaign.engine.phases import Weight
from campaign.engine.values.ids import GM, PUBLIC, PhaseKey
from campaign.game.loading import Loaded
from campaign.game.simulation import simulation_of
from campaign.game.store import decode_state, unpack
from campaign.handling import handling_of
from campaign.links import PICTURES, make_link
from campaign.models import Artefact, Campaign, Link, Membership, Phase, PhaseState, Role, User
from campaign.people import invitations, memberships
from campaign.people.accounts import new_person
from campaign.people.desks import set_desk
from campaign.selectors import open_phase
from campaign.services import create_campaign, scenario_of, writers_of
from campaign.viewers import viewer_of
from gm.machine.sweeper import sweep
from gm.phases.lifecycle import approve
from gm.phases.prefaces import save_preface
from orders import services
from orders.desks import first_place
from tests.secrecy.chance import CHANCE
from tests.secrecy.games import GAMES
from tests.secrecy.games.game import Game, Opening
from tests.secrecy.worlds import Snapshot, World

SLUG = "st-vith"
ELSEWHERE = "elsewhere"
"""Another campaign in the same service, with another game master, and another scenario if the ruleset has one."""

STRANGERS = ("other gm", "outsider")
SECOND = "second gm"
"""A game master of the other campaign, too, who compares nothing."""


def cast(of: Game) -> Mapping[str, tuple[str, str]]:
    """The members of a campaign, each with a role and a side."""
    roles = {
        "commander": Role.COMMANDER,
        "deputy": Role.DEPUTY,
        "staff": Role.STAFF,
        "second staff": Role.STAFF,
        "tactical": Role.TACTICAL,
        "leaver": Role.STAFF,
    }
    players = {f"{side} {name}": (role, str(side)) for side in of.sides for name, role in roles.items()}
    return {"gm": (Role.GM, ""), **players, "spectator": (Role.SPECTATOR, "")}


def leavers(of: Game) -> tuple[str, ...]:
    """Former players: the first has left the campaign, and the others look on now, as spectators."""
    return tuple(f"{side} leaver" for side in of.sides)


AT_ONCE = (Role.COMMANDER, Role.DEPUTY)
"""The roles whose members are mailed reports at once."""


@dataclass(frozen=True)
class Base:
    """A world at the start of a phase."""

    name: str
    ruleset: str
    opening: str
    """The campaign that it belongs to, by the name of its opening."""
    key: PhaseKey
    """Of the phase."""
    acts: tuple[str, ...]
    """Those whom the phase waits for."""
    writers: tuple[str, ...]
    """Those who may submit a sheet."""
    reviewed: bool
    """Whether the GM reviews its results."""
    snapshot: Snapshot

    @property
    def game(self) -> Game:
        return GAMES[self.ruleset]

    @property
    def fights(self) -> bool:
        """Whether it waits for battles that are played outside."""
        return GM in self.acts


def bases(of: Game, opening: Opening) -> Iterator[Base]:
    """The first phases of a campaign in order, each before anybody has acted in it."""
    world = World.restored("base", no_campaign())
    with world.present():
        _create(of, opening)
        for number in range(opening.phases):
            CHANCE.of("base", number)
            sweep(worker="base")
            phase = live()
            if phase is None:
                break
            if number == 0:
                _set_desks()
            yield _base(of, opening, phase, _kept(world))
            if number == opening.phases - 1:
                break
            styles = opening.styles or list(simulation_of(scenario_of(phase.campaign)).bots)
            _play(phase, styles[number % len(styles)])
            if number == 0:
                _link_pictures()
            CHANCE.now += timedelta(hours=7)
    world.close()


@cache
def no_campaign() -> Snapshot:
    """A world with nobody and nothing in it."""
    world = World.empty("nothing", CHANCE.now)
    kept = world.kept()
    world.close()
    return kept


def _base(of: Game, opening: Opening, phase: Phase, snapshot: Snapshot) -> Base:
    name = f"{opening.prefix}{phase.no:02}-{phase.key}"
    reviewed = handling_of(phase.campaign, Weight(phase.weight)).reviewed
    return Base(
        name, of.key, opening.name, PhaseKey(phase.key), tuple(phase.acts), writers_of(phase), reviewed, snapshot
    )


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


def game() -> Game:
    """The game that is played in the present world."""
    return GAMES[campaign().ruleset]


def truth(phase: Phase) -> Any:
    """The state at the start of a phase."""
    rules = scenario_of(phase.campaign).rules
    return decode_state(rules, unpack(phase.start.state_before), version=phase.state_version)


def bot_sheet(loaded: Loaded, state: Any, who: str, *, style: str = "") -> str:
    """A sensible sheet for a phase; for the GM, lines that leave the battles to the rules."""
    return GAMES[loaded.rules.key].sheet(loaded, state, who, style or next(iter(simulation_of(loaded).bots)))


def _create(of: Game, opening: Opening) -> None:
    CHANCE.of("founding")
    people = {name: new_person(name, email=address(name)) for name in (*cast(of), *STRANGERS, SECOND)}
    scenario, handling = opening.scenario, opening.handling
    other = next((each.scenario for each in of.openings if each.scenario != scenario), scenario)
    away = create_campaign(
        slug=ELSEWHERE, title="Elsewhere", scenario=other, founder=people["other gm"], master=opening.master
    )
    Membership.objects.create(campaign=away, user=people[SECOND], role=Role.GM, knows=GM, joined_at=CHANCE.now)
    gm, title = people["gm"], "St. Vith"
    with _begun(opening):
        made = create_campaign(
            slug=SLUG, title=title, scenario=scenario, handling=handling, founder=gm, master=opening.master
        )
    for name, (role, side) in cast(of).items():
        if name != "gm":
            _join(made, people[name], role, side)
    # receipts by mail are compared too; some read reports at once, the others in their digest
    here = Membership.objects.filter(campaign=made)
    here.update(mail_choices={"receipts": "now"})
    here.filter(role__in=[Role.GM, *AT_ONCE]).update(mail_choices={"receipts": "now", "reports": "now"})
    gone, *looking_on = leavers(of)
    memberships.leave(viewer_of(people[gone], SLUG), now=CHANCE.now)
    for name in looking_on:
        master = viewer_of(gm, SLUG)
        memberships.change_role(master, here.get(user=people[name]), role=Role.SPECTATOR, side="", now=CHANCE.now)


def _join(made: Campaign, user: User, role: str, side: str) -> None:
    """Come by an invitation of the GM's."""
    gm = viewer_of(User.objects.get(username="gm"), made.slug)
    CHANCE.of("invited", user.username)
    token = invitations.invite(gm, role=role, side=side, meant_for=f"a friend of {user.username}", now=CHANCE.now)
    invitations.accept_invitation(token, user, now=CHANCE.now)


def invitation_of(name: str) -> str:
    """The secret of the invitation by which somebody came: it is used up."""
    CHANCE.of("invited", name)
    return CHANCE.token_urlsafe(24)


@contextmanager
def _begun(opening: Opening) -> Iterator[None]:
    """In this context campaigns begin where the opening says, if it says so."""
    first = opening.first_state
    with mock.patch.object(campaigns, "first_state", lambda loaded, _: first(loaded)) if first else nullcontext():
        yield


def address(name: str) -> str:
    return f"{name.replace(' ', '.')}@example.org"


def _set_desks() -> None:
    for side, (name, formation) in game().desks.items():
        holder = Membership.objects.get(campaign__slug=SLUG, user__username=f"{side} staff")
        viewer = viewer_of(person(f"{side} commander"), SLUG)
        set_desk(viewer, name=name, formations=[formation], holder=holder, now=CHANCE.now)


def _play(phase: Phase, style: str) -> None:
    """Submit the sheets of all who act; the GM publishes the results."""
    loaded, state = scenario_of(phase.campaign), truth(phase)
    for who in writers_of(phase):
        if text := bot_sheet(loaded, state, who, style=style):
            send_as_a_bot(phase, who, text)
    CHANCE.now += timedelta(days=9)
    sweep(worker="base")
    phase.refresh_from_db()
    if phase.state == PhaseState.REVIEW:
        save_preface(phase.pk, game().sides[0], "A word to one side.")
        assert approve(phase.pk, fence=phase.fence)


def send_as_a_bot(phase: Phase, who: str, text: str) -> None:
    """Submit the first sheet of a phase, as its commander or as the GM."""
    viewer = viewer_of(person("gm" if who == GM else f"{who} commander"), SLUG)
    opened = open_phase(viewer)
    assert opened is not None
    assert opened.phase_id == phase.pk
    services.send(viewer, opened, first_place(viewer), text=text, expected_version=0, idem_key="base")


def _link_pictures() -> None:
    """Create links to the newest pictures: each side's for that side only, the public's for everybody with the link."""
    no = last_with_pictures()
    for who, audience in (*((f"{side} commander", side) for side in game().sides), ("gm", PUBLIC)):
        for kind in PICTURES:
            make_link(viewer_of(person(who), SLUG), no, audience, kind, now=CHANCE.now)
    Campaign.objects.filter(slug=SLUG).update(open_links=[PUBLIC])


def last_with_pictures() -> int:
    """The number of the last published phase of which pictures were drawn."""
    drawn = Artefact.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.PUBLISHED, kind__in=PICTURES)
    return int(drawn.latest("phase__no").phase.no)


def tokens_of(audience: str) -> list[str]:
    """The tokens of the links to an audience's pictures."""
    found = Link.objects.filter(artefact__phase__campaign__slug=SLUG, artefact__audience=audience, revoked_at=None)
    return sorted(found.values_list("token", flat=True))


def person(name: str) -> Any:
    """The member of the campaign with this name."""
    return Membership.objects.get(campaign__slug=SLUG, user__username=name).user
