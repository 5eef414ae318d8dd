"""The story of the stored campaigns: what they are, and where each is left.

| campaign | where it is left |
| --- | --- |
| vith-over | played by its rules to its end, most deadlines missed; its mails are emptied |
| ardennes-demo | the demonstration with a phase reopened, and closed |
| other | nobody is in it; its first phase is open |
| ardennes-draft | a draft waits for the GM: rulings, rolls, prefaces, sheets of several desks |
| vith-open | a phase is open: versions, drafts, a withdrawn sheet, settings that were changed |
| vith-held | a phase is paused; its map has a picture under it |
| vith-battles | battles wait: one is reported, one is disputed, one is open; saved moves and a task force |
| vith-locked | a phase is locked with the results of its battles, and no worker has it |
| vith-running | a phase is locked with sheets of several desks, and a worker has it |
| estuary | the toy: a reply phase is open, with a draft; standing orders, settings for each weight, a gathered day |
"""

import base64
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from unittest.mock import patch

from django.test import Client
from django.test.utils import override_settings

from campaign import services as campaigns
from campaign.core import clock
from campaign.engine.phases import Weight
from campaign.engine.values.ids import PUBLIC
from campaign.game import turn_package
from campaign.game.loading import find_scenario, read_files
from campaign.handling import DEFAULTS
from campaign.links import PICTURES, make_link, revoke_link
from campaign.mail.bounces import note_bounce, note_works
from campaign.mail.delivery import send_due
from campaign.models import Battle, Mailing, OutboxMessage, PhaseState, User
from campaign.people import invitations, memberships
from campaign.services import change_settings
from gm import demo
from gm.desk import deadlines
from gm.desk.corrections import write_rulings
from gm.machine.sweeper import sweep
from gm.phases import battles
from gm.phases.lifecycle import claim, undo
from gm.phases.locking import lock
from gm.phases.prefaces import save_preface
from gm.phases.rolls import announce, void
from orders import services
from orders.battles.reading import mark_of
from orders.battles.reporting import assign, dispute, report
from orders.desks import place
from orders.models import HQ
from questions.writing import ask
from tests import toy
from tests.gm.campaigns import START, UNREVIEWED, Clock, pictured, sheet_texts
from tests.laws.games import RULES
from tests.stored.people import COMMANDERS, ESTUARY_CAST, Group, gathered, which
from tests.stored.post import Killed
from tests.trust.busy import drafted, make_busy
from tests.with_air import with_air

ST_VITH = with_air()
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="
)
"""A white pixel, in the place of every map and chart."""
_MOST_PHASES = 10
"""The most phases of a day."""

GERMAN_SHEET = """\
MOVE KG Peiper S19
MOVE 116 Pz N19
MOVE 3 FJ Q20
THEN 3 FJ to R20
DETACH 1 SS
MOVE KG 1 SS to Q22
ATTACK 116 Pz O18
ATTACK 12 VG Q19
ATTACK 18 VG P20
ARTILLERY 116 Pz
NOTE The commandos have orders of their own.
READY
"""
ESTUARY_SHEETS = (
    {"north": "WHEN ATTACKED stand\nATTACK Harbour Watch marsh\nREADY\n"},
    {"south": "STAND\nREADY\n"},
    {"south": "WHEN ATTACKED evade\nPASS\nREADY\n"},
    {"north": "PASS\nREADY\n"},
    {"south": "NO STANDING ORDERS\nATTACK Blue Grenadiers marsh\nREADY\n"},
    {"north": "ATTACK Harbour Watch marsh\nREADY\n"},
)
"""Each side's sheet in the phases of the estuary's campaign."""
COMMANDO_SHEET = "MOVE Stielau 1 R19-Q18\nHOLD Stielau 2\nREADY\n"


@contextmanager
def story(set_clock: Clock) -> Iterator[None]:
    """Time is this clock's, which moves on a little each time it is read; maps are not drawn, and mails go nowhere.

    Campaigns may be of any ruleset, the toy included.
    """

    def now() -> datetime:
        set_clock.forward(milliseconds=1)
        return set_clock.now

    with ExitStack() as patches:
        for each in (
            patch.object(clock, "now", now),
            patch.object(campaigns, "read_files", partial(read_files, rulesets=RULES)),
            patch.object(turn_package, "draw", lambda *_, **_width: PICTURE),
            patch.object(turn_package, "draw_chart", lambda *_: PICTURE),
            patch("gm.machine.sweeper.draw_one", lambda _now: 0),
            patch("gm.machine.heartbeat.OUTAGE", timedelta.max),
            patch("gm.machine.heartbeat.database_time", lambda: set_clock.now),
            override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend"),
        ):
            patches.enter_context(each)
        yield


def play(set_clock: Clock) -> None:
    """Play all of it, from two months before the present."""
    set_clock.now = START - timedelta(days=75)
    _to_its_end(set_clock)
    set_clock.now = START
    make_busy(demo.stand(lambda _line: None).campaign)
    set_clock.forward(hours=2)
    _draft_in_review(set_clock)
    _open(set_clock)
    _held(set_clock)
    set_clock.forward(hours=38)  # late enough for reminders
    sweep(worker="one")
    _waiting_battles(set_clock)
    _estuary(set_clock)
    _work(set_clock)


# --- over -------------------------------------------------------------------------------------------------------------


def _to_its_end(set_clock: Clock) -> None:
    """A bot plays the Germans and the Allies miss every deadline; the rules decide the battles."""
    group = gathered("vith-over", "St. Vith, to the end", ST_VITH, options={"battles": "automatic"})
    change_settings(group.campaign, handling=UNREVIEWED)
    while _is_live(group):
        if "german" in group.open_phase().acts:
            group.send("Model", group.bot("german"))
        set_clock.forward(hours=49)
        sweep(worker="one")
    while send_due(clock.now()):
        pass


def _is_live(group: Group) -> bool:
    return group.campaign.phases.exclude(state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN]).exists()


# --- a draft ----------------------------------------------------------------------------------------------------------


def _draft_in_review(set_clock: Clock) -> None:
    """The first German sheets of the demonstration, from two desks."""
    group = gathered("ardennes-draft", "Ardennes, a draft", find_scenario(demo.SCENARIO))
    group.go({side: next(sheet_texts(group.phase.file_stem, side)) for side in ("german", "allied")})
    _until(group, "german_sheet")
    group.desk("Fifth", "5th Panzer Army", "Krebs")
    group.desk("VIII", "First Army, VIII", "Kean")
    parts = next(sheet_texts(group.phase.file_stem, "german")).split("\n\n")
    fifth = [part for part in parts if part.startswith("# 5th")]
    group.send("Krebs", "HOLD 26 VG\n", desk="Fifth")
    group.send("Krebs", "".join(fifth) + "\nREADY\n", desk="Fifth")
    group.send("Model", "\n\n".join(part for part in parts if part not in fifth))
    sweep(worker="one")
    _review(group, set_clock)


def _review(group: Group, set_clock: Clock) -> None:
    """One ruling applies and one is undone; of two rolls of the GM one is void; two audiences get a message."""
    gm = group.viewer()
    for text, reason in (("FUEL 7", "a dump burnt"), ("FUEL 5", "and another")):
        phase = drafted(gm)
        assert write_rulings(phase, fence=phase.fence, stage=phase.key, text=text, reason=reason, author=gm.person)
        set_clock.forward(minutes=5)
        sweep(worker="one")
    phase = drafted(gm)
    assert undo(phase.pk, fence=phase.fence, seq=2)
    sweep(worker="one")
    phase = drafted(gm)
    for audience, purpose in (("german", "a bridge"), (PUBLIC, "a rumour")):
        assert announce(
            phase.pk, fence=phase.fence, audience=audience, count=2, sides=6, purpose=purpose, author=gm.person
        )
    assert void(
        phase.pk, fence=phase.fence, audience="german", label="manual/1", reason="the wrong one", author=gm.person
    )
    assert save_preface(phase.pk, "german", "The roads are full.")
    assert save_preface(phase.pk, PUBLIC, "It has begun.")


# --- open phases ------------------------------------------------------------------------------------------------------


def _open(set_clock: Clock) -> None:
    """The Allies write: their HQ has sent two versions and begun a third, a desk has withdrawn its own."""
    group = gathered("vith-open", "St. Vith, open", ST_VITH)
    _to_battles(group)
    for battle in _battles(group):
        battles.decide(group.viewer(), which(battle), f"RESULT {battle.key} defenders")
    group.resolve()
    _until(group, "allied_sheet")
    group.desk("V", "First Army, V", "Kean")
    group.send("Hodges", "HOLD CCB/9\n")
    group.send("Hodges", "HOLD CCB/9\nMOVE CCB/7 to P18\n")
    _keep_draft(group, "Hodges", HQ, "HOLD CCB/9\nMOVE CCB/7 to", base=2)
    group.send("Kean", "HOLD 26/1\nREADY\n", desk="V")
    kean, phase = group.viewer("Kean"), group.open_phase()
    services.withdraw(kean, phase, place(kean, "V"), expected_version=1, idem_key="withdrawn")
    _keep_draft(group, "Kean", "V", "MOVE 26/1", base=2)
    set_clock.forward(hours=1)
    change_settings(group.campaign, quiet_from=22, quiet_to=8, time_zone="Europe/Brussels", open_links=["german"])
    deadlines.extend(group.viewer(), clock.now() + timedelta(hours=46))
    memberships.leave(group.viewer("Abrams"), now=clock.now())
    memberships.change_role(group.viewer(), group.viewer("Krebs").member, role="deputy", side="german", now=clock.now())


def _keep_draft(group: Group, name: str, desk: str, text: str, *, base: int) -> None:
    viewer = group.viewer(name)
    services.save_draft(viewer, group.open_phase(), place(viewer, desk), text=text, base_version=base)


def _visitors(group: Group) -> None:
    """Links that are followed by a member and by a stranger, and one that is revoked; invitations that are not used."""
    gm, now = group.viewer(), clock.now()
    no = group.open_phase().no - 1
    for kind in PICTURES:
        make_link(gm, no, PUBLIC, kind, now=now)
    german = make_link(group.viewer("Model"), no, "german", now=now)
    revoked = make_link(gm, no, "allied", now=now)
    revoke_link(gm, revoked.token, now=now)
    member, stranger = browser_of("Model"), Client(headers={"host": "localhost"})
    for client in (member, stranger, stranger):
        assert client.get(f"/m/{german.token}.png").status_code == 200
    assert member.post(f"/c/{group.slug}/orders/HQ/check/", {"text": "HOLD"}).status_code < 500
    token = invitations.invite(gm, role="spectator", side="", meant_for="a friend", now=now)
    invitations.revoke_invitation(gm, invitations.invitation_of(token, now=now).token_digest, now=now)
    invitations.invite(gm, role="staff", side="allied", meant_for="another", now=now)


def browser_of(name: str) -> Client:
    """A browser in which somebody is signed in."""
    client = Client(headers={"host": "localhost"})
    backend = "allauth.account.auth_backends.AuthenticationBackend"
    client.force_login(User.objects.get(username=name), backend=backend)
    return client


def _held(set_clock: Clock) -> None:
    """The GM has paused the purchases and air missions of the first day; one side has sent its sheet.

    Its map has a picture under it.
    """
    with tempfile.TemporaryDirectory() as folder:
        group = gathered("vith-held", "St. Vith, paused", pictured(Path(folder) / "st-vith"))
    group.send("Model", group.bot("german"))
    set_clock.forward(hours=1)
    deadlines.hold(group.viewer(), reason="a holiday", until=clock.now() + timedelta(days=7))


# --- another game -----------------------------------------------------------------------------------------------------


def _estuary(set_clock: Clock) -> None:
    """On the first day an attack is answered in a reply phase, and both sides give standing orders.

    On the second day those of one side answer an attack, the others are withdrawn, and the next reply phase is open.
    Phases of each weight have settings of their own.
    """
    group = gathered("estuary", "The estuary", toy.SCENARIO, cast=ESTUARY_CAST)
    light = DEFAULTS[Weight.IMPULSE]
    change_settings(
        group.campaign,
        handling={
            Weight.FULL: replace(DEFAULTS[Weight.FULL], hours=36, pictures=False),
            Weight.IMPULSE: replace(light, hours=12, mailing=Mailing.DIGEST),
            Weight.REPLY: replace(light, hours=6),
        },
    )
    for sheets in ESTUARY_SHEETS:
        for side, text in sheets.items():
            group.send(COMMANDERS[side], text)
        set_clock.forward(minutes=30)
        group.resolve()
    assert (group.phase.key, group.phase.weight) == ("answer", "reply")
    _keep_draft(group, "Soult", HQ, "STAND with", base=0)


# --- battles, and what workers find -----------------------------------------------------------------------------------


def _waiting_battles(set_clock: Clock) -> None:
    group = gathered("vith-battles", "St. Vith, battles", ST_VITH)
    _to_battles(group)
    first, second, third = _battles(group)
    for battle in (first, second, third):
        assign(group.viewer("Model"), which(battle), group.viewer("Bayerlein").member)
        assign(group.viewer("Hodges"), which(battle), group.viewer("Abrams").member)
    for battle in (first, second):
        report(group.viewer("Bayerlein"), which(battle), f"RESULT {battle.key} attackers", idempotent=battle.key)
    set_clock.forward(minutes=20)
    seen = mark_of(Battle.objects.get(pk=second.pk))
    dispute(group.viewer("Abrams"), which(second), "We held.", "https://example.org/save", seen=seen)


def _work(set_clock: Clock) -> None:
    """One phase is locked with the results of its battles, one with the sheets of two desks, which a worker claims.

    Nothing is swept any more, or they would be resolved.
    """
    results = gathered("vith-locked", "St. Vith, locked", ST_VITH)
    _to_battles(results)
    sheets = gathered("vith-running", "St. Vith, running", ST_VITH)
    _until(sheets, "german_sheet")
    set_clock.forward(minutes=5)
    for battle in _battles(results):
        battles.decide(results.viewer(), which(battle), f"RESULT {battle.key} defenders")
    _german_sheets(sheets)
    _visitors(Group("vith-open"))
    _post()
    assert lock(results.phase.pk)
    assert lock(sheets.phase.pk)
    set_clock.forward(minutes=1)
    assert claim(sheets.phase.pk, worker="a worker that is gone") is not None


def _to_battles(group: Group) -> None:
    """The Germans have attacked three hexes, with a task force made and a move saved."""
    _until(group, "german_sheet")
    _german_sheets(group)
    group.resolve()
    assert group.phase.key == "german_battles"


def _german_sheets(group: Group) -> None:
    group.desk("Greif", "6th Panzer Army, 150 Pz Bde", "Krebs")
    group.send("Krebs", COMMANDO_SHEET, desk="Greif")
    group.send("Model", GERMAN_SHEET)


def _until(group: Group, key: str) -> None:
    for _ in range(_MOST_PHASES):
        if group.phase.key == key:
            return
        group.go()
    raise AssertionError(f"{group.slug} does not come to {key}")


def _battles(group: Group) -> list[Battle]:
    return list(group.phase.battles.order_by("key"))


def _post() -> None:
    """One mail is refused, and in the middle of another, which brings the GM a question, its worker dies.

    Two others that had left came back. Somebody has said that mail to them works.
    """
    for nth, mail in enumerate(OutboxMessage.objects.filter(sent_at__isnull=False).order_by("pk")[:2]):
        note_bounce(mail, "5.2.2", now=clock.now(), passed_on=bool(nth))
    note_works(User.objects.get(username="Model"), since=clock.now())
    ask(Group("vith-running").viewer("Model"), "Are the bridges mined?", rule="", line="", now=clock.now())
    with override_settings(EMAIL_BACKEND="tests.stored.post.FaultyServer"):
        try:
            send_due(clock.now())
        except Killed:
            return
    raise AssertionError("no mail was under way")
