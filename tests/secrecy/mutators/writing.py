"""Change what others write: orders, notes, reports, retreats, comments, stories (M6, M8, M25, M28, M32, M38)."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db.models import F, QuerySet

from campaign.core import clock
from campaign.engine.values.ids import GM, PUBLIC, Audience, SideId
from campaign.models import Battle, BattleReport, BattleResult, BattleState, Desk, Membership, Phase, PhaseState
from campaign.services import scenario_of, writers_of
from orders.battles.reading import mark_of
from orders.intake import sheet_digest
from orders.models import HQ, Channel, Sheet
from staff.models import Agreement, Comment, Visit
from stories.models import Readers, Story, Telling
from tests.secrecy.campaigns import SLUG, game, live, truth
from tests.secrecy.games.game import Position
from tests.secrecy.mutators.change import Change
from tests.secrecy.truth import Truth

_NOTES = (
    "NOTE \u202eevil\u202c \U0001f480 \u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u00e4\u00f6\u00fc",
    "NOTE " + "x" * 3000,
    "NOTE <script>alert(1)</script> & \u0000 \ud7ff",
)


def sheets(change: Change) -> bool:
    """Change enemy sheets: submit them through the pages if the enemy acts, else change sheets of earlier phases.

    Sheets with orders keep having orders. Most new ones move a unit where nobody else sees it. All that wait for the
    deadline came at other times.
    """
    texts = game().texts
    return (_reorder(change) or _send(change, texts) or _rewrite(change, texts)) | _at_another_time(change)


_ELSEWHERE = "# Somebody goes elsewhere."


def _reorder(change: Change) -> bool:
    now, phase, enemy = Truth.read(change.observer), live(), _acting(change)
    if now is None or phase is None or enemy is None or change.chance.random() < 0.2:
        return False
    sent = _newest(phase, enemy, HQ)
    if _ELSEWHERE in sent:  # only one: there is rarely fuel for more
        return False
    moves = now.game.unseen_moves(now, SideId(enemy), change.chance)
    idle = [unit for unit in sorted(moves) if f" {unit} " not in sent.replace("\n", " \n")]
    if not idle:
        return False
    move = moves[change.chance.choice(idle)]
    return _write(change, enemy, f"{enemy} commander", HQ, "anyway", f"{_ELSEWHERE}\n{move}\n{sent}")


def _at_another_time(change: Change) -> bool:
    phase, earlier = live(), timedelta(minutes=change.chance.randint(1, 500))
    theirs = Sheet.objects.filter(phase=phase, side__in=change.foreign)
    return bool(theirs.update(received_at=F("received_at") - earlier))


def _acting(change: Change) -> str | None:
    """Another side that may submit a sheet for the open phase."""
    phase = live()
    writers = writers_of(phase) if phase and phase.state == PhaseState.OPEN else ()
    acting = [side for side in change.foreign if side in writers]
    return change.chance.choice(acting) if acting else None


def _newest(phase: Phase, side: str, desk: str) -> str:
    sheets = Sheet.objects.filter(phase=phase, side=side, desk=desk).order_by("-version")
    return sheets.values_list("text", flat=True).first() or ""


def notes(change: Change) -> bool:
    """Change notes in others' sheets and reports of battles; for those outside, players report and dispute one."""
    reworded = _reword(change) or _dispute(change)
    return _send(change, _NOTES) or _rewrite(change, _NOTES) or reworded


def notes_with_orders(change: Change) -> bool:
    """Add a note to each sheet that others have sent. Its version and its orders stay the same."""
    sheets = Sheet.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN, side__in=change.foreign)
    changed = 0
    for sheet in sheets.exclude(text="").order_by("pk"):
        text = f"{sheet.text}\nNOTE We have {change.chance.random()} left."
        changed += sheets.filter(pk=sheet.pk).update(text=text, digest=sheet_digest(text, sheet.nonce))
    return changed > 0


def comments(change: Change) -> bool:
    """Others comment on their plans in all phases, remove comments and read them, and would open their rooms."""
    for side in change.foreign:
        members = Membership.objects.filter(campaign__slug=SLUG, side=side, left_at=None).order_by("user__username")
        for phase in Phase.objects.filter(campaign__slug=SLUG).order_by("-no", "-rev")[:3]:
            _comment(change, phase, side, members)
        for member in members:
            columns = {"side": side, "seen_at": clock.now() - timedelta(minutes=change.chance.randint(0, 500))}
            Visit.objects.update_or_create(member=member, defaults=columns)
            agreed = {"campaign": member.campaign, "agreed_at": columns["seen_at"]}
            Agreement.objects.update_or_create(member=member, side=side, defaults=agreed)
    return True


def _comment(change: Change, phase: Phase, side: str, members: QuerySet[Membership]) -> None:
    chance, there = change.chance, Comment.objects.filter(phase=phase, side=side).count()
    for no in range(there + 1, there + 1 + chance.randint(1, 3)):
        written_at = phase.opens_at + timedelta(minutes=chance.randint(0, 500))
        removed = chance.random() < 0.3
        Comment.objects.create(
            phase=phase,
            side=side,
            audience=side,
            no=no,
            author=chance.choice([None, *(member.user for member in members)]),
            written_at=written_at,
            text="" if removed else f"{chance.choice(_NOTES)} {chance.random()}",
            desk=chance.choice(["HQ", _desk(side)]),
            version=no,
            line=chance.randint(1, 9),
            quote="" if removed else chance.choice(_NOTES)[:200],
            place=chance.choice(["K16", ""]),
            removed_at=written_at if removed else None,
        )


def stories(change: Change) -> bool:
    """Others write stories of battles, with pictures; the GM has chosen for some, and opened none to the observer."""
    found = False
    for battle in Battle.objects.filter(phase__campaign__slug=SLUG).order_by("pk"):
        for side in {battle.attacker, battle.defender} & set(change.foreign):
            found |= _tell(change, battle, side)
    return found


def _tell(change: Change, battle: Battle, side: str) -> bool:
    chance = change.chance
    readers = chance.choice(["", Readers.NOBODY] if change.observer == PUBLIC else ["", Readers.NOBODY, Readers.SIDE])
    author = Membership.objects.get(campaign__slug=SLUG, user__username=f"{side} tactical").user
    story, _ = Story.objects.update_or_create(
        battle=battle,
        author=author,
        defaults={
            "side": side,
            "token": chance.randbytes(16).hex(),
            "text": f"{chance.choice(_NOTES)} {chance.random()}",
            "stored_pictures": [_picture(change) for _ in range(chance.randint(0, 3))],
            "version": chance.randint(1, 9),
            "written_at": clock.now() - timedelta(minutes=chance.randint(0, 500)),
            "readers": readers,
            "told_at": clock.now() if readers else None,
        },
    )
    for audience in {GM, side} if readers == Readers.SIDE else {GM}:
        Telling.objects.get_or_create(story=story, audience=audience)
    return True


def _picture(change: Change) -> dict[str, object]:
    token, whole, small = (change.chance.randbytes(length).hex() for length in (16, 32, 32))
    size = {"width": 40, "height": 30, "size": change.chance.randint(500, 900)}
    return {"token": token, "kind": "jpeg", "digest": whole, "thumbnail": small, **size, "caption": "Ours"}


def retreats(change: Change) -> bool:
    """Change where others' defeated units retreat to by a report that waits: only their own side may read it."""
    changed = False
    waiting = Battle.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN)
    for battle in waiting.filter(defender__in=change.foreign).order_by("key"):
        results = BattleResult.objects.filter(battle=battle)
        reports = BattleReport.objects.filter(battle=battle, side=battle.defender)
        changed |= _choose_anew(change, battle, results, "report") | _choose_anew(change, battle, reports, "text")
    return changed


def _choose_anew(change: Change, battle: Battle, rows: QuerySet[Any], column: str) -> bool:
    position, changed = _position(battle, battle.defender), False
    for pk, text in rows.values_list("pk", column):
        other = game().chosen_anew(position, battle.key, text, change.chance)
        if other != text:
            changed = bool(rows.filter(pk=pk).update(**{column: other}))
    return changed


def _position(battle: Battle, side: str) -> Position:
    return Position(game(), scenario_of(battle.phase.campaign), truth(battle.phase), Audience(side))


def _reword(change: Change) -> bool:
    reports = BattleReport.objects.filter(battle__phase__campaign__slug=SLUG, side__in=change.foreign)
    for report in reports:
        report.text += f"\n# {change.chance.choice(_NOTES)}"
        report.save(update_fields=["text"])
    return bool(reports)


def _dispute(change: Change) -> bool:
    """A side reports its battle, and the other disputes it: what they state is theirs, and nobody's outside (R12.1)."""
    battle = Battle.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN, state="open").first()
    if battle is None or change.observer != PUBLIC:
        return False
    report = game().report(_position(battle, battle.attacker), battle.key, change.chance)
    _play(change, battle, battle.attacker, "report", text=report)
    battle.refresh_from_db()
    _play(change, battle, battle.defender, "dispute", statement="We held the hex to the end.")
    battle.refresh_from_db()
    return battle.state == BattleState.DISPUTED


def _play(change: Change, battle: Battle, side: str, act: str, **written: str) -> None:
    form = {
        "stop": battle.phase.no,
        "rev": battle.phase.rev,
        "seen": mark_of(battle),
        "act": act,
        "key": f"{act} {side}",
    }
    empty = {"text": "", "reply": "", "link": "", "statement": "", "player": ""}
    change.world.ask(f"{side} commander", "POST", f"/c/{SLUG}/battles/{battle.key}/", {**form, **empty, **written})


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
    change.world.ask(who, "POST", f"/c/{SLUG}/orders/{desk}/", {**form, "key": f"{act} {newest}"})
    return True


def _desk(side: str) -> str:
    return Desk.objects.filter(campaign__slug=SLUG, side=side).values_list("name", flat=True).first() or "HQ"


def _rewrite(change: Change, texts: Sequence[str]) -> bool:
    chance = change.chance
    earlier = Sheet.objects.exclude(phase__state=PhaseState.OPEN)
    sheets = earlier.filter(phase__campaign__slug=SLUG, side__in=[*change.foreign, GM])
    changed = 0
    for sheet in sheets.order_by("-version", "pk"):  # none takes the number of another
        text = chance.choice(texts)
        channel = chance.choice([Channel.WEB, Channel.MAIL, Channel.GM])
        changed += sheets.filter(pk=sheet.pk).update(
            text=text, digest=sheet_digest(text, sheet.nonce), channel=channel, version=sheet.version + 3
        )
    return changed > 0
