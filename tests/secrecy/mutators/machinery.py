"""What the machinery notes of its work for others (M24): tries, errors, mails, the record, and other rows.

Open to everybody is what the health pages say: whether a worker has been alive lately, and whether mail is overdue.
"""

from datetime import timedelta
from zlib import compress

from django.core.cache import cache

from campaign.core import clock
from campaign.engine.values.ids import GM
from campaign.links import PICTURES
from campaign.models import (
    Artefact,
    Battle,
    BattleReport,
    BattleResult,
    Gathering,
    Invitation,
    MailNews,
    OutboxMessage,
    Phase,
    Role,
    Statement,
)
from campaign.record import audit
from incoming.models import ReturnedMail, ReturnState
from orders.models import HQ, LockedSheet, Sheet
from tests.secrecy.campaigns import SLUG, campaign
from tests.secrecy.mutators.change import Change
from tests.secrecy.mutators.others import others, parts_of_others, written
from tests.secrecy.mutators.past import remembered


def toil(change: Change) -> bool:
    """Another history of the same work: other workers, more tries, more mails, and a past that nobody else was told."""
    remembered(change)
    _phases(change)
    _mails(change)
    _news(change)
    _packages(change)
    _sheets(change)
    _battles(change)
    _invitations(change)
    if campaign().absent_hours is None:  # only the GM's pages name it, and no step waits so long
        written(campaign(), absent_hours=change.chance.randint(9_000, 9_999))
    for _ in range(change.chance.randint(1, 3)):
        subject = {"phase": 0, "by": change.chance.choice(others(change)).pk}
        audit.record(campaign(), "read as", subject, at=clock.now())
    cache.set(f"of-somebody-else-{change.chance.random()}", b"something", 60)
    return True


def _phases(change: Change) -> None:
    for phase in Phase.objects.filter(campaign__slug=SLUG, published_at__isnull=False):
        written(
            phase,
            fence=phase.fence + change.chance.randint(1, 9),
            errors=phase.errors + change.chance.randint(1, 9),
            leases_lost=phase.leases_lost + change.chance.randint(1, 9),
            claimed_by=f"worker {change.chance.randint(2, 99)}",
            lease_until=phase.published_at,
            drafted_at=phase.published_at,
        )


def _mails(change: Change) -> None:
    """Others got other mails, later and after more tries."""
    for mail in OutboxMessage.objects.filter(campaign__slug=SLUG, user__in=others(change)):
        written(
            mail,
            subject=f"{mail.subject}, and what nobody else may know",
            stored=mail.message + b"\r\nA word more.",
            packed=False,
            picture=None,
            digest=f"{change.chance.getrandbits(256):064x}",
            message_id=f"<{change.chance.getrandbits(64)}@example.org>",
            kind="notice",
            audience=change.chance.choice([*change.foreign, GM]),
            lease_until=mail.sent_at,
            tries=mail.tries + 1,
            fence=mail.fence + 1,
            sent_at=mail.sent_at and mail.sent_at + timedelta(seconds=9),
            return_token=f"{change.chance.getrandbits(128):032x}",
            return_digest=f"{change.chance.getrandbits(256):064x}",
            bounced_at=clock.now(),
            bounce_status=change.chance.choice(["5.1.1", "5.2.2"]),
            bounced_onward=not mail.bounced_onward,
            delayed_at=clock.now(),
        )
        _report(change, mail)


def _report(change: Change, mail: OutboxMessage) -> None:
    """A mail server has reported that it could not deliver a mail of others."""
    ReturnedMail.objects.create(
        about=mail,
        digest=f"{change.chance.getrandbits(256):064x}",
        stored=compress(f"words that nobody else knows {change.chance.random()}".encode()),
        received_at=clock.now(),
        state=change.chance.choice([ReturnState.LOST, ReturnState.NOTHING]),
        tries=change.chance.randint(1, 9),
        lease_until=clock.now(),
    )


def _news(change: Change) -> None:
    """Other news waits for others, until another time, and some was in a mail."""
    chance, mine = change.chance, MailNews.objects.filter(member__campaign__slug=SLUG)
    for nth, news in enumerate(mine.filter(member__in=parts_of_others(change)).order_by("pk")):
        later = timedelta(minutes=chance.randint(1, 99))
        text, page = f"{news.text}, and what nobody else may know", f"{news.page}?{chance.random()}"
        for_another = {"audience": chance.choice(sorted({*change.foreign, GM} - {news.audience}))} if not nth else {}
        moved = {"created_at": news.created_at - later, "leaves_at": news.leaves_at + later}
        written(news, key=f"news/{chance.getrandbits(64)}", text=text, page=page, **moved, **for_another)
    theirs, now = parts_of_others(change), clock.now()
    MailNews.objects.create(
        key=f"news/{chance.getrandbits(64)}",
        member=chance.choice([each for each in theirs if not mine.filter(member=each).exists()] or theirs),
        audience=chance.choice(change.foreign),
        phase=Phase.objects.filter(campaign__slug=SLUG).latest("no"),
        kind="disputed",
        battle=f"B{chance.getrandbits(32)}",
        text="A battle of which nobody else may know.",
        page=f"https://example.org/{chance.getrandbits(32)}",
        into=Gathering.BATTLES,
        created_at=now,
        leaves_at=now,
        gathered_at=now,
        mail=OutboxMessage.objects.filter(campaign__slug=SLUG, user__in=others(change)).first(),
    )


def _packages(change: Change) -> None:
    """What others received of phases before the last one."""
    newest = Phase.objects.filter(campaign__slug=SLUG, published_at__isnull=False).order_by("-no").first()
    theirs = Artefact.objects.filter(phase__campaign__slug=SLUG, audience__in=[*change.foreign, GM])
    for row in theirs.exclude(phase=newest).filter(kind__in=[*PICTURES, "report.txt"]):
        written(row, content=bytes(row.content) + b"secret", sha256=f"{change.chance.getrandbits(256):064x}")


def _sheets(change: Change) -> None:
    theirs = {"phase__campaign__slug": SLUG, "side__in": change.foreign, "phase__published_at__isnull": False}
    first = Sheet.objects.filter(**theirs, desk=HQ).order_by("pk").first()
    for sheet in Sheet.objects.filter(**theirs):
        earlier = sheet.received_at - timedelta(minutes=change.chance.randint(1, 999))
        key, nonce = (f"{change.chance.getrandbits(bits):x}" for bits in (256, 128))
        whole = sheet == first
        ready = {"ready": whole or not sheet.ready, "ready_at": earlier, "for_side": whole}
        written(sheet, received_at=earlier, idem_key=key, nonce=nonce, **ready)
    for hq in Sheet.objects.filter(**theirs, desk=HQ, version=1):
        _from_another_desk(change, hq)
    for locked in LockedSheet.objects.filter(**theirs):
        written(locked, formations=["nothing"], digest=f"{change.chance.getrandbits(256):064x}")


def _from_another_desk(change: Change, hq: Sheet) -> None:
    """One more sheet that counted."""
    chance = change.chance
    sheet = Sheet.objects.create(
        phase=hq.phase,
        side=hq.side,
        desk=f"Tisch-{chance.randint(2, 10**6)}",
        version=1,
        author=hq.author,
        channel=hq.channel,
        text="NOTE We had a desk more.",
        digest=f"{chance.getrandbits(256):064x}",
        received_at=hq.received_at,
        idem_key=f"{chance.getrandbits(256):x}",
    )
    LockedSheet.objects.create(
        phase=hq.phase, side=hq.side, desk=sheet.desk, sheet=sheet, formations=["nothing"], digest=sheet.digest
    )


def _battles(change: Change) -> None:
    """What others wrote about battles that are over, and its results, which reports do not quote."""
    over = {"battle__phase__campaign__slug": SLUG, "battle__phase__published_at__isnull": False}
    for battle in Battle.objects.filter(phase__campaign__slug=SLUG, phase__published_at__isnull=False):
        earlier = battle.phase.deadline_at - timedelta(hours=change.chance.randint(1, 99))
        written(battle, settled_at=earlier, accepts_at=earlier)
    for report in BattleReport.objects.filter(**over, side__in=[*change.foreign, GM]):
        written(report, text=f"{report.text}\n# {change.chance.random()}", at=report.at - timedelta(minutes=7))
    for statement in Statement.objects.filter(**over, side__in=change.foreign):
        written(statement, text="Something else.", link="https://example.org/other", at=clock.now())
    for result in BattleResult.objects.filter(**over):
        written(result, report=f"{result.report}\n# {change.chance.random()}")


def _invitations(change: Change) -> None:
    """Invitations for others were made earlier, for another part, are used, or withdrawn."""
    for invitation in Invitation.objects.filter(campaign__slug=SLUG, side__in=change.foreign):
        by = change.chance.choice(others(change))
        earlier = invitation.created_at - timedelta(hours=change.chance.randint(1, 9))
        role = change.chance.choice([Role.DEPUTY, Role.STAFF, Role.TACTICAL, Role.GM])
        written(
            invitation,
            created_at=earlier,
            opens_at=earlier,
            created_by=by,
            role=role,
            side="" if role == Role.GM else change.chance.choice(change.foreign),
            takes_over=role == Role.GM,
            used_at=earlier + timedelta(hours=1),
            used_by=by,
            address=f"{change.chance.randrange(10**6)}@example.org",
            revoked_at=change.chance.choice([None, earlier]),
        )
