"""What an audience cannot know, changed: M1 to M18. Each works on the present world and tells if it did anything."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused, SMTPSenderRefused, SMTPServerDisconnected
from typing import Any

from django.apps import apps
from django.core.cache import cache
from django.db import connection, models
from django.db.models import ForeignKey

from campaign import clock, people
from campaign.accounts import new_person
from campaign.engine.ids import GM, PUBLIC, Audience, PlaceId, SideId, UnitId
from campaign.engine.orders import Path
from campaign.engine.values import replace
from campaign.engine.views import Branch
from campaign.loading import find_scenario
from campaign.models import (
    Battle,
    BattleReport,
    Desk,
    DiceLine,
    Membership,
    OutboxMessage,
    OutboxState,
    Phase,
    PhaseState,
    Role,
)
from campaign.post import revive
from campaign.rulesets.forum_campaign.state import RuledResult, SavedMove, Target, Unit, Winner
from campaign.rulesets.forum_campaign.theatre import Box
from campaign.seats import seat_of
from campaign.services import found_campaign
from campaign.store import encode_events
from gm.corrections import Unwritten, write_rulings
from gm.lifecycle import RulingRefused, take_back
from gm.prefaces import keep_preface
from gm.sweeper import attend
from orders.intake import sheet_digest
from orders.models import HQ, Channel, Sheet
from tests.secrecy.campaigns import SCENARIO, SIDES, SLUG, address, campaign, live, tokens_of
from tests.secrecy.chance import CHANCE
from tests.secrecy.truth import Truth, hidden_units, other_dice, somewhere, unseen_moves
from tests.secrecy.worlds import World


@dataclass
class Change:
    """What a mutator is to change, and on whose behalf."""

    world: World
    observer: Audience
    chance: Random
    plans: Sequence[Path] = ()
    """Ways that the observer will write into his sheets."""
    placements: Counter[str] = field(default_factory=Counter)

    @property
    def foreign(self) -> tuple[str, ...]:
        """The sides that the observer is not on."""
        return tuple(side for side in SIDES if side != self.observer)

    @property
    def enemy(self) -> str:
        return self.chance.choice(self.foreign)


Mutator = Callable[[Change], bool]


# --- the truth -------------------------------------------------------------------------------------------------------


def _move(change: Change) -> bool:
    return _with_a_unit(change, lambda told, side, unit: _at(change, told, side, unit))


def _add(change: Change) -> bool:
    told = Truth.read(change.observer)
    if told is None:
        return False
    side, number = SideId(change.enemy), change.chance.randint(100, 999)
    like = change.chance.choice(
        [unit for unit in told.state.own[side].units.values() if unit.ground and not unit.parent]
    )
    whole = {"lent": 0, "spent": 0, "moved": False, "fought": False, "attacked": False, "strength": 100}
    new = replace(like, id=UnitId(f"{like.id}-{number}"), label=f"{like.label} {number}", at=None, **whole)
    if not _at(change, told, side, new):
        return False
    told.write()
    return True


def _delete(change: Change) -> bool:
    def delete(told: Truth, side: SideId, unit: Unit) -> bool:
        if unit.id.encode() in encode_events(told.events):  # the report of its own side speaks of it
            return False
        units = dict(told.state.own[side].units)
        del units[unit.id]
        told.change(side, units=units)
        return True

    return _with_a_unit(change, delete)


def _describe(change: Change) -> bool:
    """Name, type and strength."""

    def describe(told: Truth, side: SideId, unit: Unit) -> bool:
        chance = change.chance
        branch = chance.choice([Branch.ARMOR, Branch.INFANTRY, Branch.MECHANIZED]) if unit.ground else unit.branch
        changed = replace(
            unit,
            label=f"{chance.randint(2, 999)} Geheim",
            name="Verschwiegene Division",
            branch=branch,
            strength=chance.randint(55, 99),
        )
        return _with(told, side, changed)

    return _with_a_unit(change, describe)


def _swap(change: Change) -> bool:
    told = Truth.read(change.observer)
    if told is None:
        return False
    side = SideId(change.enemy)
    pairs = [unit for unit in hidden_units(told, side) if unit.ground]
    apart = [(a, b) for a in pairs for b in pairs if a.id < b.id and a.at != b.at and a.small == b.small]
    if not apart:
        return False
    one, two = change.chance.choice(apart)
    _with(told, side, replace(one, at=two.at))
    _with(told, side, replace(two, at=one.at))
    told.write()
    return True


def _hand(change: Change) -> bool:
    """What the enemy has in hand and plans: missions, artillery, digging, saved movement, commandos; GM's rulings."""
    told = Truth.read(change.observer)
    if told is None:
        return False
    chance, side = change.chance, SideId(change.enemy)
    own = told.state.own[side]
    places = told.loaded.scenario.theatre.board.places
    units = sorted(own.units.values(), key=lambda unit: unit.id)
    told.change(
        side,
        artillery=tuple(unit.id for unit in chance.sample(units, k=min(2, len(units)))),
        positions={**own.positions, chance.choice(places): chance.randint(1, 2)},
        drops_flown=chance.randint(0, 3),
        missions=replace(
            own.missions,
            priorities=(chance.choice(list(Box)),),
            interdictions=(Target(chance.choice(places), chance.randint(1, 3)),),
        ),
    )
    idle = [unit for unit in hidden_units(told, side) if unit.ground and unit.supplied]
    if idle and told.state.open.phase.endswith("_battles"):
        unit = chance.choice(idle)
        at = PlaceId(str(unit.at))
        near = told.loaded.scenario.theatre.open_board.neighbours(at)
        if near:
            way = at, chance.choice(sorted(near))
            told.change(side, plots=(*told.state.own[side].plots, SavedMove(unit.id, way)))
    _move_a_commando(change, told, side)
    _wear_down(change, told, side)
    if told.state.open.battles and told.state.hidden is not None and change.observer == PUBLIC:
        ruled = {told.state.open.battles[0].at: RuledResult(Winner.DEFENDERS, None, {}, {})}
        told.state = replace(told.state, hidden=replace(told.state.hidden, ruled=ruled))
    told.write()
    return True


def _wear_down(change: Change, told: Truth, side: SideId) -> None:
    """How strong they are who fight in a battle that waits: all see who they are, and no more."""
    for battle in told.state.open.battles:
        for fighter in (*battle.attackers, *battle.defenders):
            if unit := told.state.own[side].units.get(fighter.unit):
                _with(told, side, replace(unit, strength=change.chance.randint(55, 99)))


def _move_a_commando(change: Change, told: Truth, side: SideId) -> None:
    commandos = [unit for unit in hidden_units(told, side) if not unit.ground]
    if commandos:
        _at(change, told, side, change.chance.choice(commandos))


def _dice(change: Change) -> bool:
    """What has fallen for others, in the stop that waits to be published, and in the logs of all before."""
    logs = _other_logs(change)
    told = Truth.read(change.observer)
    if told is None:
        return logs
    before = told.events
    told.events = other_dice(before, change.observer, change.chance)
    told.write()
    return logs or told.events != before


def _other_logs(change: Change) -> bool:
    """Their heads stay: that these are salted is proven in `two_worlds/test_digests.py`."""
    lines = DiceLine.objects.filter(campaign__slug=SLUG).exclude(audience__in=[change.observer, PUBLIC])
    for row in lines:
        said = json.loads(row.line)
        fallen = [change.chance.randint(1, said["sides"]) for _ in said["dice"]]
        row.line = json.dumps(said | {"dice": fallen, "purpose": f"what nobody else may know: {sum(fallen)}"})
        row.save(update_fields=["line"])
    return bool(lines)


def _with_a_unit(change: Change, act: Callable[[Truth, SideId, Unit], bool]) -> bool:
    told = Truth.read(change.observer)
    if told is None:
        return False
    side = SideId(change.enemy)
    hidden = hidden_units(told, side)
    if not hidden or not act(told, side, change.chance.choice(hidden)):
        return False
    told.write()
    return True


def _at(change: Change, told: Truth, side: SideId, unit: Unit) -> bool:
    found = somewhere(told, side, unit, change.chance, change.plans)
    if found is None or found[1] == unit.at:
        return False
    kind, place = found
    change.placements[kind] += 1
    return _with(told, side, replace(unit, at=PlaceId(place)))


def _with(told: Truth, side: SideId, unit: Unit) -> bool:
    told.change(side, units={**told.state.own[side].units, unit.id: unit})
    return True


# --- what the enemy and the GM do ------------------------------------------------------------------------------------

_TEXTS = (
    "ALL OTHERS HOLD\nREADY",
    "MOVE nobody nowhere\nNONSENSE\n# ",
    "NOTE we come at night",
    "",
    "HOLD 1 SS\nHOLD 1 SS\nATTACK 106 HQ contact\n" * 20,
    "AIR superiority 1\nREADY",
)
_NOTES = (
    "NOTE \u202eevil\u202c \U0001f480 \u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u00e4\u00f6\u00fc",
    "NOTE " + "x" * 3000,
    "NOTE <script>alert(1)</script> & \u0000 \ud7ff",
)


def _sheets(change: Change) -> bool:
    """Enemy sheets: sent through the pages where he acts; where he does not, what he sent for earlier stops.

    What has orders in it keeps them. Most of those that are sent lead a unit where nobody else sees it.
    """
    return _reorder(change) or _send(change, _TEXTS) or _rewrite(change, _TEXTS)


_ELSEWHERE = "# Somebody goes elsewhere."


def _reorder(change: Change) -> bool:
    told, phase, enemy = Truth.read(change.observer), live(), _acting(change)
    if told is None or phase is None or enemy is None or change.chance.random() < 0.2:
        return False
    sent = _newest(phase, enemy, HQ)
    if _ELSEWHERE in sent:  # one alone: the fuel that it takes is mostly paid for others already
        return False
    moves = unseen_moves(told, SideId(enemy), change.chance)
    idle = [unit for unit in sorted(moves) if f" {unit} " not in sent.replace("\n", " \n")]
    if not idle:
        return False
    move = moves[change.chance.choice(idle)]
    return _write(change, enemy, f"{enemy} commander", HQ, "send", f"{_ELSEWHERE}\n{move}\n{sent}")


def _acting(change: Change) -> str | None:
    """One of the others whose orders the open stop waits for."""
    phase = live()
    acting = [side for side in change.foreign if side in phase.acts] if phase and phase.state == PhaseState.OPEN else []
    return change.chance.choice(acting) if acting else None


def _newest(phase: Phase, side: str, desk: str) -> str:
    sheets = Sheet.objects.filter(phase=phase, side=side, desk=desk).order_by("-version")
    return sheets.values_list("text", flat=True).first() or ""


def _notes(change: Change) -> bool:
    """In sheets, and in what the others wrote of battles."""
    reworded = _reword(change)
    return _send(change, _NOTES) or _rewrite(change, _NOTES) or reworded


def _reword(change: Change) -> bool:
    reports = BattleReport.objects.filter(battle__phase__campaign__slug=SLUG, side__in=change.foreign)
    for report in reports:
        report.text += f"\n# {change.chance.choice(_NOTES)}"
        report.save(update_fields=["text"])
    return bool(reports)


def _send(change: Change, texts: Sequence[str]) -> bool:
    phase, enemy, chance = live(), _acting(change), change.chance
    if phase is None or enemy is None:
        return False
    for _ in range(chance.randint(1, 3)):
        who, desk = chance.choice(
            [(f"{enemy} commander", "HQ"), (f"{enemy} deputy", "HQ"), (f"{enemy} staff", _desk(enemy))]
        )
        sent = _newest(phase, enemy, desk)
        ordered = "READY" in sent
        act = chance.choice(["send", "draft", "send", "withdraw"] if sent and not ordered else ["send", "draft"])
        text = chance.choice(texts)
        _write(change, enemy, who, desk, act, f"{sent}\n{text}" if ordered else text)
    return True


def _write(change: Change, side: str, who: str, desk: str, act: str, text: str) -> bool:
    phase = live()
    if phase is None or phase.state != PhaseState.OPEN:
        return False
    newest = Sheet.objects.filter(phase=phase, side=side, desk=desk).count()
    form = {"stop": phase.no, "rev": phase.rev, "version": newest, "newest": newest, "act": act, "text": text}
    change.world.ask(who, "POST", f"/c/{SLUG}/orders/{desk}/", {**form, "key": f"{act} {newest} {who}"})
    return True


def _desk(side: str) -> str:
    return Desk.objects.filter(campaign__slug=SLUG, side=side).values_list("name", flat=True).first() or "HQ"


def _rewrite(change: Change, texts: Sequence[str]) -> bool:
    chance = change.chance
    earlier = Sheet.objects.exclude(phase__state=PhaseState.OPEN)
    sheets = earlier.filter(phase__campaign__slug=SLUG, side__in=[*change.foreign, GM])
    changed = 0
    for sheet in sheets:
        text = chance.choice(texts)
        channel = chance.choice([Channel.WEB, Channel.MAIL, Channel.GM])
        changed += sheets.filter(pk=sheet.pk).update(
            text=text, digest=sheet_digest(text, sheet.nonce), channel=channel, version=sheet.version + 3
        )
    return changed > 0


def _habits(change: Change) -> bool:
    """The enemy logs in, reads, fetches his pictures, drafts, changes his time zone."""
    enemy, chance = change.enemy, change.chance
    tokens = tokens_of(enemy)
    for who in chance.sample([f"{enemy} {name}" for name in ("commander", "deputy", "staff", "tactical")], k=2):
        for path in chance.sample(["", "stops/", "orders/", "battles/", "people/", "rules/", "links/", "dice/"], k=2):
            change.world.ask(who, "GET", f"/c/{SLUG}/{path}")
        for token in tokens:
            change.world.ask(who, "GET", f"/m/{token}.png")
        zone = chance.choice(["Europe/Berlin", "Asia/Tokyo", "America/New_York"])
        change.world.ask(who, "POST", "/profile/", {"time_zone": zone})
    phase = live()
    if phase is not None and enemy in phase.acts:
        form = {"stop": phase.no, "rev": phase.rev, "version": 0, "text": "NOTE a draft"}
        change.world.ask(f"{enemy} commander", "POST", f"/c/{SLUG}/orders/HQ/draft/", form)
    return True


def _gm_at_work(change: Change) -> bool:
    """Where a draft waits: prefaces for others, and rulings that are not published.

    Reports tell how many rulings there were, so that most are taken back: only then can the publication be compared.
    """
    phase = live()
    if phase is None or phase.state != PhaseState.REVIEW:
        return False
    for audience in (*change.foreign, GM):
        keep_preface(phase.pk, audience, f"For {audience} alone: {change.chance.random()}")
    told = Truth.read(change.observer)
    if told is not None:
        hidden = [unit for unit in hidden_units(told, SideId(change.enemy)) if unit.ground]
        author = seat_of(gm(), SLUG).person
        for unit in hidden[:1]:
            text = f"STRENGTH {unit.id} {change.chance.randint(52, 98)}"
            try:
                write_rulings(
                    phase, fence=phase.fence, stage=phase.key, text=text, reason="A secret reason.", author=author
                )
            except (Unwritten, RulingRefused):
                continue
            attend(phase.pk, worker="m9")
            if change.chance.random() < 0.75:
                _take_back(phase)
    return True


def _take_back(phase: Phase) -> None:
    phase.refresh_from_db()
    seq = phase.rulings.filter(taken_back_at=None).order_by("-seq").values_list("seq", flat=True)[0]
    assert take_back(phase.pk, fence=phase.fence, seq=seq)
    attend(phase.pk, worker="m9")


def gm() -> Any:
    """Who leads the campaign."""
    return Membership.objects.get(campaign__slug=SLUG, user__username="gm").user


def _refusal(chance: Random, reader: str) -> SMTPException:
    no = {reader: (550, b"no such mailbox")}
    large = SMTPSenderRefused(552, b"too large", "fieldpost@example.org")
    return chance.choice([SMTPRecipientsRefused(no), large, SMTPDataError(554, b"no"), SMTPServerDisconnected("gone")])


def _bounces(change: Change) -> bool:
    """The enemy's mails come back, the GM has some tried again, and somebody fails to log in as one of his."""
    for side in change.foreign:
        names = [f"{side} {name}" for name in ("commander", "deputy", "staff", "tactical")]
        change.world.refused |= {address(name): _refusal(change.chance, address(name)) for name in names}
        dead = OutboxMessage.objects.filter(campaign__slug=SLUG, user__username__in=names)
        dead.update(state=OutboxState.DEAD, tries=9, trouble="550 no", refused=True)
        for pk in dead.order_by("key").values_list("pk", flat=True):
            if change.chance.random() < 0.3:
                revive(campaign(), pk)
        visitor = f"visitor {side}"
        change.world.browsers[visitor] = change.world.stranger()
        for _ in range(2):
            change.world.ask(visitor, "POST", "/account/login/", {"login": address(names[0])})
            change.world.ask(visitor, "POST", "/account/login/code/confirm/", {"code": "ABC-DEF"})
    return True


def _other_campaigns(change: Change) -> bool:
    name = f"another-{change.chance.randint(1, 9999)}"
    founder = new_person(name, email=address(name))
    made = found_campaign(slug=name, title="Another", scenario=find_scenario(SCENARIO), founder=founder)
    member = new_person(f"{name} player", email=address(f"{name} player"))
    Membership.objects.create(campaign=made, user=member, role=Role.COMMANDER, side="german", joined_at=clock.now())
    attend(made.phases.get().pk, worker="m15")
    return True


def _caches(change: Change) -> bool:
    if change.chance.random() < 0.5:
        cache.clear()
    else:
        cache.set(f"warm-{change.chance.random()}", 1)
        for who in [f"{change.enemy} commander", "gm"]:
            change.world.ask(who, "GET", f"/c/{SLUG}/")
            change.world.ask(who, "GET", f"/c/{SLUG}/stops/0/map.png")
    return True


def _more_players(change: Change) -> bool:
    """Who is invited, who has left, which desks and tactical players the enemy has. The roster itself is for all."""
    chance, seat = change.chance, seat_of(gm(), SLUG)
    for side in change.foreign:
        for number in range(chance.randint(1, 3)):
            people.invite(seat, role=Role.STAFF, side=side, meant_for=f"friend {number}", now=clock.now())
            name = f"{side} gone {chance.randint(1, 10**9)}"
            user = new_person(name, email=address(name))
            Membership.objects.create(
                campaign=seat.campaign,
                user=user,
                role=Role.STAFF,
                side=side,
                knows=side,
                joined_at=clock.now(),
                left_at=clock.now(),
            )
        Desk.objects.filter(campaign=seat.campaign, side=side).update(formations=["nothing"], holder=None)
        tactical = Membership.objects.get(campaign=seat.campaign, user__username=f"{side} tactical")
        waiting = Battle.objects.filter(phase__campaign=seat.campaign, phase__state=PhaseState.OPEN, state="open")
        waiting.filter(attacker=side, defending_player=None).update(attacking_player=tactical)
        waiting.filter(defender=side, attacking_player=None).update(defending_player=tactical)
    return True


def _rolled_already(_change: Change) -> bool:
    """What is locked has been adjudicated and waits for the GM."""
    phase = live()
    if phase is None or phase.state != PhaseState.LOCKED:
        return False
    attend(phase.pk, worker="m18")  # and no mail leaves earlier than in the other world
    phase.refresh_from_db()
    return phase.state == PhaseState.REVIEW


# --- rows ------------------------------------------------------------------------------------------------------------


def _shift(change: Change) -> bool:
    """Every number of every row becomes another, as if there had been rows before that nobody has asked for."""
    for model in _numbered():
        step = 100_000 + change.chance.randint(1, 9_999)
        numbers = _numbers(model._meta.db_table, model._meta.pk.column)
        _renumber(model, {old: old + step for old in numbers})
    return True


def _shuffle(change: Change) -> bool:
    """The rows of every table lie in another order; but for mails and what people wrote, whose order is their own."""
    for model in _numbered():
        if model._meta.label in _IN_ORDER:
            continue
        numbers = _numbers(model._meta.db_table, model._meta.pk.column)
        mixed = change.chance.sample(numbers, k=len(numbers))
        base = 10 * max([*numbers, 1000])
        _renumber(model, {old: base + new for old, new in zip(numbers, mixed, strict=True)})
    return True


_IN_ORDER = ("campaign.OutboxMessage", "campaign.BattleReport", "campaign.AuditEntry")


def _numbered() -> list[Any]:
    every = apps.get_models(include_auto_created=True)
    return [model for model in every if isinstance(model._meta.pk, models.AutoField | models.BigAutoField)]


def _numbers(table: str, key: str) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT "{key}" FROM "{table}" ORDER BY "{key}"')  # noqa: S608 # the tables' own names
        return [row[0] for row in cursor.fetchall()]


def _renumber(model: Any, new: Mapping[int, int]) -> None:
    """Give rows other numbers, and all that refers to them. The new ones are beyond the old."""
    pairs = [(after, before) for before, after in new.items()]
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA foreign_keys = OFF")
        cursor.executemany(_setting(model, model._meta.pk.column), pairs)
        for other in apps.get_models(include_auto_created=True):
            for each in other._meta.local_fields:
                if isinstance(each, ForeignKey) and each.related_model is model:
                    cursor.executemany(_setting(other, each.column), pairs)
        cursor.execute("PRAGMA foreign_keys = ON")


def _setting(model: Any, column: str) -> str:
    return f'UPDATE "{model._meta.db_table}" SET "{column}" = %s WHERE "{column}" = %s'  # noqa: S608 # its own names


MUTATORS: Mapping[str, Mutator] = {
    "M1": _move,
    "M2": _add,
    "M3": _delete,
    "M4": _describe,
    "M5": _swap,
    "M6": _sheets,
    "M7": _habits,
    "M8": _notes,
    "M9": _gm_at_work,
    "M10": _hand,
    "M11": _dice,
    "M12": _shift,
    "M13": _shuffle,
    "M14": _bounces,
    "M15": _other_campaigns,
    "M16": _caches,
    "M17": _more_players,
    "M18": _rolled_already,
}
BEFOREHAND = ("M12", "M13")
"""Only before anybody has logged in: sessions know their people by number."""


def mutate(name: str, change: Change, seed: object) -> bool:
    """Change the world, which need not be the present one; whether anything came of it."""
    with change.world.present():
        CHANCE.of("mutator", name, seed)
        return MUTATORS[name](change)
