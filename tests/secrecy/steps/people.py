"""What people do outside battles: sign in, write sheets, join, open links that lead nowhere any more."""

import json
from datetime import timedelta
from random import Random
from typing import Any

from campaign.links import make_link, revoke_link
from campaign.models import Link, PhaseState, Role, User
from campaign.people import entrances, invitations
from campaign.people.accounts import new_person
from campaign.people.desks import desks_of, drop_desk, set_desk
from campaign.viewers import viewer_of
from gm.machine.sweeper import sweep
from orders.models import Sheet
from tests.secrecy.campaigns import SLUG, address, cast, invitation_of, live, person, tokens_of
from tests.secrecy.chance import CHANCE
from tests.secrecy.knowledge import all_ready
from tests.secrecy.steps.machinery import deliver, running
from tests.secrecy.steps.plan import API, HERE, Plan, read
from tests.secrecy.worlds import ANONYMOUS, Answer, World


def log_in(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Sign in by a one-time link."""
    who = plan.someone(chance)
    with world.present():
        CHANCE.of("link", who)
        query = entrances.entrance_link(User.objects.get(username=who)).partition("?")[2]
    world.browsers[who] = world.stranger(who)
    world.ask(who, "GET", f"/enter/?{query}")  # the link itself is private
    return [world.ask(who, "POST", "/enter/", {"sesame": query.partition("=")[2]}), world.ask(who, "GET", "/")]


def log_out(world: World, plan: Plan, chance: Random) -> list[Answer]:
    who = plan.someone(chance)
    answers = [world.ask(who, "POST", "/account/logout/", {})]
    del world.browsers[who]
    return answers


def profile(world: World, plan: Plan, chance: Random) -> list[Answer]:
    who = plan.someone(chance)
    zone = chance.choice(["Europe/Berlin", "America/New_York", "Asia/Tokyo"])
    return [world.ask(who, "POST", "/profile/", {"time_zone": zone}), world.ask(who, "GET", "/profile/")]


def check(world: World, plan: Plan, chance: Random) -> list[Answer]:
    if not plan.playing:
        return []
    desk = chance.choice(["HQ", plan.desk])
    who = plan.player("commander" if desk == "HQ" else "staff")
    read = [world.ask(who, "POST", f"{HERE}orders/{desk}/check/", {"text": plan.lines(chance)}) for _ in range(2)]
    return [*read, *_choose(world, plan, chance, who, desk)]


def _choose(world: World, plan: Plan, chance: Random, who: str, desk: str) -> list[Answer]:
    """A program asks how a sheet is read, and what may be added to it: for a unit, and for none."""
    here, text = f"{API}desks/{desk}", plan.lines(chance)
    unit = chance.choice(sorted(getattr(plan.known.own[plan.observer], plan.game.units_are)))
    asked: list[tuple[str, dict[str, Any]]] = [
        ("check", {"text": text}),
        *(("choices", {"text": text, "unit": each}) for each in (unit, None)),
    ]
    return [world.ask(who, "POST", f"{here}/{what}/", body, json=True) for what, body in asked]


def draft(world: World, plan: Plan, chance: Random) -> list[Answer]:
    return _write(world, plan, chance, "draft") + _draft_by_program(world, plan, chance) + _read_sheet(world, plan)


def _draft_by_program(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A program of the commander reads their sheet, replaces their draft, and tries to replace it once more."""
    if not plan.playing:
        return []
    who, here = plan.player(), f"{API}desks/HQ/"
    found = world.ask(who, "GET", here)
    if found.status != 200:
        return [found]
    sheet = json.loads(found.body)
    body = {
        "phase": sheet["phase"],
        "text": plan.lines(chance),
        "version": sheet["desk"]["version"],
        "replaces": sheet["draft"] and sheet["draft"]["saved_at"],
    }
    return [found, *(world.ask(who, "PUT", f"{here}draft/", body, json=True) for _ in range(2))]


def send(world: World, plan: Plan, chance: Random) -> list[Answer]:
    return _write(world, plan, chance, "send") + _read_sheet(world, plan)


def ready(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Submit as READY; what is asked about ignored lines is answered with yes."""
    answers = _write(world, plan, chance, "ready")
    if any(answer.status == 200 and b'value="anyway"' in answer.body for answer in answers):
        answers += _write(world, plan, chance, "anyway", more="\nREADY\n")
    return answers + _read_sheet(world, plan)


def withdraw(world: World, plan: Plan, chance: Random) -> list[Answer]:
    return _write(world, plan, chance, "withdraw") + _read_sheet(world, plan)


def stale(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Submit from an outdated page, twice with the same key."""
    return [each for _ in range(2) for each in _write(world, plan, Random("stale"), "send", behind=1)] or [
        world.ask(chance.choice(plan.watchers), "GET", HERE)
    ]


def _write(world: World, plan: Plan, chance: Random, act: str, *, behind: int = 0, more: str = "") -> list[Answer]:
    if not plan.playing:
        return []
    desk = chance.choice(["HQ", "HQ", plan.desk])
    who = plan.player("staff") if desk != "HQ" else plan.player(chance.choice(["commander", "deputy"]))
    with world.present():
        phase = live()
        if phase is None:
            return []
        newest = Sheet.objects.filter(phase=phase, side=plan.observer, desk=desk).count()
    form = {
        "stop": phase.no,
        "rev": phase.rev,
        "version": max(newest - behind, 0),
        "newest": newest,
        "act": act,
        "text": plan.lines(chance) + more,
        "key": f"{act} {newest}",
    }
    answer = world.ask(who, "POST", f"{HERE}orders/{desk}/", form)
    moved = [world.ask(who, "GET", answer.header("Location"))] if answer.status == 302 else []
    return [answer, *moved]


def _read_sheet(world: World, plan: Plan) -> list[Answer]:
    return [world.ask(plan.player(), "GET", f"{HERE}orders/HQ/")] if plan.playing else []


def the_others_order(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The other sides submit their sheets, the same in both worlds; another may follow in the second."""
    with world.present():
        phase = live()
        if phase is None or phase.no != plan.no or phase.state != PhaseState.OPEN:
            return []
        newest = {side: Sheet.objects.filter(phase=phase, side=side, desk="HQ").count() for side in plan.sheets}
    for side, text in plan.sheets.items():
        form = {"stop": phase.no, "rev": phase.rev, "version": newest[side], "newest": newest[side], "act": "anyway"}
        world.ask(f"{side} commander", "POST", f"{HERE}orders/HQ/", {**form, "text": text, "key": f"{chance.random()}"})
    return read(world, plan, chance)


def the_others_wait(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Time passes while a phase waits for the others; the observer's side is READY if it acts too."""
    phase = running(world)
    if phase is None or not set(plan.game.others(plan.observer)) & set(phase.acts):
        return []
    written = ready(world, plan, chance) if plan.observer in phase.acts else []
    with world.present():
        if list(all_ready()):  # nobody waits: it closes with the next sweep, and everybody reads that
            return []
        deliver()
    world.now += max(phase.deadline_at - world.now, timedelta()) / 3
    with world.present():
        CHANCE.of("wait", world.now)
        sweep(worker="secrecy")
    return [*written, *read(world, plan, chance)]


# --- people come and go ----------------------------------------------------------------------------------------------


def new_spectator(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Somebody new joins as a spectator, and looks around."""
    who = f"newcomer {chance.randrange(10**6)}"
    link = f"/invitation/{invited(world, chance)}/"
    with world.present():
        new_person(who, email=address(who))
    joined = world.ask(who, "POST", link, {})
    pages = [world.ask(who, "GET", HERE + page) for page in ("", "stops/", "people/", "battles/")]
    return [joined, *pages, world.ask(plan.someone(chance), "GET", f"{HERE}people/")]


def old_link(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Links are opened that lead nowhere any more: invitations, a picture's, that of a desk which is closed."""
    answers = _withdrawn_invitation(world, plan, chance) + _used_invitation(world, plan, chance)
    return answers + (_closed_desk(world, plan) + _revoked_picture(world, plan, chance) if plan.playing else [])


def _withdrawn_invitation(world: World, plan: Plan, chance: Random) -> list[Answer]:
    token, who = invited(world, chance), plan.someone(chance)
    with world.present():
        viewer = viewer_of(person("gm"), SLUG)
        newest = invitations.open_invitations(viewer).order_by("-created_at", "-pk")[0]
        invitations.revoke_invitation(viewer, newest.token_digest, now=world.now)
    return [world.ask(each, method, f"/invitation/{token}/") for each in (who, ANONYMOUS) for method in ("GET", "POST")]


def _used_invitation(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Another one came by it."""
    others = [name for name, (role, _) in cast(plan.game).items() if name not in plan.watchers and role != Role.GM]
    with world.present():
        token = invitation_of(chance.choice(others))
    who = plan.someone(chance)
    return [world.ask(each, method, f"/invitation/{token}/") for each in (who, ANONYMOUS) for method in ("GET", "POST")]


def _revoked_picture(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Another link to it is made at once."""
    with world.present():
        token = chance.choice(tokens_of(plan.observer) or [""])
        link = Link.objects.filter(token=token).values_list("artefact__phase__no", "artefact__kind").first()
        if link is None:
            return []
        viewer = viewer_of(person(plan.player()), SLUG)
        CHANCE.of("link again", token)
        revoke_link(viewer, token, now=world.now)
        make_link(viewer, link[0], plan.observer, link[1], now=world.now)
    return [world.ask(chance.choice(plan.watchers), "GET", f"/m/{token}.png") for _ in range(2)]


def _closed_desk(world: World, plan: Plan) -> list[Answer]:
    """It is opened again at once."""
    with world.present():
        viewer = viewer_of(person(plan.player()), SLUG)
        desk = desks_of(viewer).filter(name=plan.desk, holder__isnull=False).first()
        if desk is None or desk.holder is None:
            return []
        drop_desk(viewer, side=plan.observer, name=desk.name, now=world.now)
    answers = [world.ask(plan.player(who), "GET", f"{HERE}orders/{desk.name}/") for who in ("staff", "commander")]
    with world.present():
        set_desk(viewer, name=desk.name, formations=desk.formations, holder=desk.holder, now=world.now)
    return answers


def invited(world: World, chance: Random) -> str:
    """The secret of an invitation for a spectator that the GM has just made."""
    with world.present():
        CHANCE.of("invitation", chance.random())
        return invitations.invite(
            viewer_of(person("gm"), SLUG), role=Role.SPECTATOR, side="", meant_for="a friend", now=world.now
        )
