"""Threats to the dice, each with the test that would notice: commitment, no second roll, order, labels, closed seeds,
the sides' part in the mix, no peeking; and that the dice are fair."""

import hashlib
import json
import re
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from campaign.engine import dice as engine_dice
from campaign.engine.dice import PREVIOUS, KeyedDice, block, chain, mix
from campaign.engine.facts import Rolled
from campaign.engine.values.ids import PUBLIC, Audience, SideId
from campaign.game import turn_package
from campaign.game.loading import find_scenario
from campaign.game.turn_package import audiences
from campaign.models import (
    Artefact,
    AuditEntry,
    Campaign,
    DiceLine,
    ManualRoll,
    Membership,
    Phase,
    PhaseState,
    Role,
    User,
    VoidedRoll,
)
from campaign.people import invitations, memberships
from campaign.people.accounts import new_person
from campaign.record import audit
from campaign.record.dice_keys import anchors, master_seed
from campaign.record.dice_log import anchors_line, logs_for
from campaign.services import create_campaign, scenario_of
from campaign.viewers import Viewer
from gm.demo import SCENARIO
from gm.desk.corrections import enter_roll
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.phases import locking
from gm.phases.lifecycle import approve
from gm.phases.rolls import RollRefused, SeedRevealed, announce, dice_of, require_unrevealed, void
from gm.phases.rows import events_of
from orders.entropy import contributions_of, empty_sheet, frozen_words, older_contributions_of
from orders.intake import sheet_digest
from tests.gm.campaigns import AIRBORNE, Clock, blank_map, live, miss, reviewed_campaign, send
from tests.gm.conftest import author, time
from tests.kept import kept
from tests.trust.dice.logs import log_of

__all__ = ["author", "time"]
pytestmark = pytest.mark.django_db(transaction=True)

WEATHER = "weather/1944-12-17"


@pytest.fixture(autouse=True)
def _blank_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_package, "draw", blank_map)


@pytest.fixture
def campaign(time: Clock) -> Campaign:  # noqa: ARG001 - created by the test's clock
    kept("reviewed", reviewed_campaign)
    return Campaign.objects.get()


@pytest.fixture
def gm(campaign: Campaign, time: Clock) -> Viewer:
    user = new_person("Umpire", email="umpire@example.org")
    member = Membership.objects.create(campaign=campaign, user=user, role=Role.GM, joined_at=time.now)
    return Viewer(campaign, user, member)


@pytest.fixture
def draft(campaign: Campaign) -> Phase:
    """The phase in which the next day's weather is rolled, resolved and not published. Nobody has sent anything."""
    kept("draft of the next day", lambda: _to_the_next_day(campaign), after="reviewed")
    return drafted(campaign)


def _to_the_next_day(campaign: Campaign) -> None:
    sweep(worker="one")
    miss(live(campaign))
    miss(live(campaign))
    Phase.objects.filter(pk=live(campaign).pk).update(deadline_at=live(campaign).opens_at)
    sweep(worker="one")


def drafted(campaign: Campaign) -> Phase:
    return campaign.phases.select_related("resolution", "campaign").get(state=PhaseState.REVIEW)


def fell(phase: Phase) -> dict[str, tuple[int, ...]]:
    """What a phase's events say was rolled, by label."""
    phase = Phase.objects.select_related("resolution").get(pk=phase.pk)
    return {event.fact.label: event.fact.dice for event in events_of(phase) if isinstance(event.fact, Rolled)}


def lines(campaign: Campaign, audience: str) -> list[dict[str, object]]:
    rows = DiceLine.objects.filter(campaign=campaign, audience=audience).order_by("no")
    return [json.loads(line) for line in rows.values_list("line", flat=True)]


def asked(phase: Phase, gm: Viewer, *, audience: str = "german", purpose: str = "which bridge holds") -> bool:
    return announce(phase.pk, fence=phase.fence, audience=audience, count=2, sides=6, purpose=purpose, author=gm.person)


# --- DICE-COMMIT: the seeds are fixed before anybody can act --------


def test_dice_commit_anchors_are_public_before_the_first_phase_and_never_change(campaign: Campaign) -> None:
    master, everybody = master_seed(campaign), audiences(scenario_of(campaign).rules)
    assert campaign.anchors == anchors(master, campaign.slug, everybody)
    assert campaign.phases.get().state == PhaseState.OPEN
    page = Client().get(f"/c/{campaign.slug}/public/dice/").content.decode()
    assert all(anchor in page for anchor in campaign.anchors.values())
    miss(live(campaign))
    sweep(worker="one")
    assert Campaign.objects.get().anchors == campaign.anchors


def test_dice_commit_every_invitation_shows_the_anchors(campaign: Campaign, gm: Viewer, time: Clock) -> None:
    token = invitations.invite(gm, role=Role.COMMANDER, side="german", meant_for="", now=time.now)
    page = Client().get(f"/invitation/{token}/").content.decode()
    assert all(f"{who} {anchor}" in page for who, anchor in campaign.anchors.items() if who != PUBLIC)


def test_dice_commit_a_campaign_created_before_anchors_continues_without_logs_and_says_so(
    campaign: Campaign, gm: Viewer, time: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    older = campaign.audit.get(act="found")
    sealed = {"at": older.at.isoformat(), "act": older.act, "subject": older.subject, "rows": {}}
    AuditEntry.objects.filter(campaign=campaign).update(
        rows={}, digest=audit.entry_digest(prev=audit.FIRST, no=1, **sealed)
    )
    Campaign.objects.update(anchors={})
    sweep(worker="one")
    miss(live(campaign))
    assert not DiceLine.objects.exists()
    for page in ("public/dice/", "public/"):
        shown = Client().get(f"/c/{campaign.slug}/{page}").content.decode()
        assert "fieldpost-dice-1:" not in shown
    assert (
        "created before Fieldpost had anchors and dice logs"
        in Client().get(f"/c/{campaign.slug}/public/dice/").content.decode()
    )
    token = invitations.invite(gm, role=Role.COMMANDER, side="german", meant_for="", now=time.now)
    assert "the anchor of the campaign" not in Client().get(f"/invitation/{token}/").content.decode()
    with pytest.raises(CommandError, match="faults"):
        call_command("verify", campaign.slug)
    said = capsys.readouterr().out
    assert "dice: there are no anchors: the campaign is older than they are, or they were deleted" in said
    assert "cannot be checked" not in said


# --- DICE-REROLL: the same lock and label, the same value --------


def test_dice_reroll_a_resolution_that_is_repeated_rolls_the_same(draft: Phase, gm: Viewer) -> None:
    before = fell(draft)
    assert enter_roll(draft, fence=draft.fence, label=WEATHER, written="1", reason="thrown", author=gm.person)
    sweep(worker="one")
    assert fell(draft) == {**before, WEATHER: (1,)}


def test_dice_reroll_an_entered_roll_keeps_what_had_fallen_and_is_marked_and_counted(draft: Phase, gm: Viewer) -> None:
    before = fell(draft)[WEATHER]
    assert enter_roll(draft, fence=draft.fence, label=WEATHER, written="1", reason="thrown", author=gm.person)
    sweep(worker="one")
    again = drafted(gm.campaign)
    assert approve(again.pk, fence=again.fence)
    (line,) = [line for line in lines(gm.campaign, "public") if line["label"] == WEATHER]
    assert (line["dice"], line["actor"]) == (list(before), "gm:Umpire")
    assert line["void"] == "entered by hand: 1 (thrown)"
    report = bytes(Artefact.objects.get(phase=again, audience="allied", kind="text").content).decode()
    assert "GM interventions: 1 in this phase, 1 so far." in report
    assert sound(gm.campaign)


def test_dice_reroll_a_void_roll_stays_in_its_log_with_the_reason(draft: Phase, gm: Viewer) -> None:
    assert asked(draft, gm)
    assert void_of(draft, gm, "manual/1", "the wrong bridge")
    assert asked(draft, gm, purpose="the right bridge")
    with pytest.raises(RollRefused, match=r"^That roll is already void.$"):
        void_of(draft, gm, "manual/1", "again")
    with pytest.raises(RollRefused, match=r"^These draft results have no such roll.$"):
        void_of(draft, gm, "manual/3", "none such")
    with pytest.raises(RollRefused, match=r"^Enter a reason"):
        void_of(draft, gm, "manual/2", " ")
    assert approve(draft.pk, fence=draft.fence)
    rolls = [(line["label"], line["purpose"], line["void"]) for line in lines(gm.campaign, "german") if line["dice"]]
    assert rolls == [
        ("manual/1", "which bridge holds", "the wrong bridge"),
        ("manual/2", "the right bridge", None),
    ]
    assert sound(gm.campaign)


def test_dice_reroll_a_void_counts_only_where_its_roll_is_in_a_log(draft: Phase, gm: Viewer) -> None:
    """A roll of an earlier draft that the published one lacks is in no log: its void is published to nobody."""
    assert asked(draft, gm)
    assert void_of(draft, gm, "manual/1", "the wrong bridge")
    VoidedRoll.objects.create(
        phase=draft, audience="public", label="battle/K14/1", reason="misread", author=gm.person, at=draft.opens_at
    )
    assert approve(draft.pk, fence=draft.fence)
    report = bytes(Artefact.objects.get(phase=draft, audience="allied", kind="text").content).decode()
    assert "GM interventions: 2 in this phase, 2 so far." in report


def void_of(phase: Phase, gm: Viewer, label: str, reason: str) -> bool:
    return void(phase.pk, fence=phase.fence, audience="german", label=label, reason=reason, author=gm.person)


def sound(campaign: Campaign) -> bool:
    """Whether the script finds nothing wrong with any log."""
    logs = [log_of(campaign, Audience(who), over=True) for who in campaign.anchors]
    return all(log.verdict.startswith("OK ") for log in logs)


# --- DICE-PERM: no order of execution gives other dice --------


def test_dice_perm_rolls_come_out_alike_in_any_order() -> None:
    labels = ("battle/K14/1", "battle/K16/1", "interdiction/K14/allied", WEATHER)
    orders = [{label: one_die(label) for label in order} for order in permutations(labels)]
    assert len(orders) == 24
    assert all(order == orders[0] for order in orders)


def one_die(label: str, sides: int = 1000) -> tuple[int, ...]:
    return keyed().roll(label, count=1, sides=sides, audience=PUBLIC)


def keyed() -> KeyedDice:
    return KeyedDice(campaign="x", lock=1, mix="m", seeds={PUBLIC: b"k" * 32})


# --- DICE-LABEL: nobody words a label --------


def test_dice_label_the_gms_rolls_are_numbered_and_nothing_they_write_is_in_the_label(draft: Phase, gm: Viewer) -> None:
    for audience in ("german", "allied", "german", "public"):
        assert asked(draft, gm, audience=audience, purpose="one more, or another")
    numbered = list(ManualRoll.objects.order_by("pk").values_list("audience", "number"))
    assert numbered == [("german", 1), ("allied", 1), ("german", 2), ("public", 1)]
    assert asked(draft, gm, purpose="another wording")
    before = manual(draft, 3)
    ManualRoll.objects.filter(number=3).update(purpose="a third wording")
    assert manual(draft, 3) == before


def manual(phase: Phase, number: int) -> tuple[int, ...]:
    return dice_of(phase).roll(f"manual/{number}", count=2, sides=6, audience=Audience("german"))


def test_dice_label_every_label_of_a_played_phase_is_of_the_charset_and_its_own(draft: Phase) -> None:
    labels = list(fell(draft))
    assert labels
    assert all(re.fullmatch(r"[A-Za-z0-9/_.+-]{1,120}", label) for label in labels)


@pytest.mark.parametrize(
    ("count", "sides", "purpose"),
    [(0, 6, "x"), (21, 6, "x"), (1, 1, "x"), (1, 1001, "x"), (1, 6, " "), (1, 6, "x" * 201)],
)
def test_dice_label_an_impossible_roll_is_refused(
    draft: Phase, gm: Viewer, count: int, sides: int, purpose: str
) -> None:
    with pytest.raises(RollRefused):
        announce(
            draft.pk, fence=draft.fence, audience="gm", count=count, sides=sides, purpose=purpose, author=gm.person
        )
    assert not ManualRoll.objects.exists()


def test_dice_label_a_roll_is_for_an_audience_that_there_is(draft: Phase, gm: Viewer) -> None:
    with pytest.raises(RollRefused, match=r"^Choose who may see the roll.$"):
        asked(draft, gm, audience="french")


# --- DICE-CLOSED: nothing is rolled with a seed that is known --------


def test_dice_closed_a_lock_rolls_nothing_more_once_it_or_a_later_one_is_published(draft: Phase, gm: Viewer) -> None:
    require_unrevealed(draft)
    assert approve(draft.pk, fence=draft.fence)
    assert not asked(draft, gm), "no draft waits any more"
    earlier = Phase.objects.get(campaign=gm.campaign, no=draft.no - 1)
    with pytest.raises(SeedRevealed, match=r"^the seed of lock 3 is closed: lock 4 has been published$"):
        require_unrevealed(earlier)


def test_dice_closed_is_checked_in_the_transaction_that_publishes(draft: Phase) -> None:
    before = Phase.objects.filter(campaign=draft.campaign, state=PhaseState.PUBLISHED).order_by("-no")[0]
    Phase.objects.filter(pk=before.pk).update(lock_no=99)
    rows = DiceLine.objects.count()
    with pytest.raises(SeedRevealed, match=r"^the seed of lock 4 is closed: lock 99 has been published$"):
        approve(draft.pk, fence=draft.fence)
    assert drafted(draft.campaign).pk == draft.pk
    assert DiceLine.objects.count() == rows


def test_dice_closed_a_reopened_phase_locks_with_a_new_seed_and_its_first_rolls_stay_in_the_log(
    draft: Phase, gm: Viewer
) -> None:
    assert approve(draft.pk, fence=draft.fence)
    reopen(gm, reason="the wrong map")
    miss(live(gm.campaign))
    rolled = [line["n"] for line in lines(gm.campaign, "public") if line["label"] == WEATHER]
    assert rolled == [4, 5]
    assert sound(gm.campaign)


# --- DICE-MIX: both sides have a part in the dice --------


def test_dice_mix_another_sheet_gives_other_dice() -> None:
    german = SideId("german")
    mixes = [mix({german: digest, SideId("allied"): "none"}) for digest in ("a" * 64, "b" * 64)]
    fallen = [
        KeyedDice(campaign="x", lock=1, mix=mixed, seeds={PUBLIC: b"k" * 32}).roll(
            WEATHER, count=5, sides=1000, audience=PUBLIC
        )
        for mixed in mixes
    ]
    assert fallen[0] != fallen[1]


def test_dice_mix_the_digest_on_the_receipt_is_what_is_published_as_the_sides_part(
    campaign: Campaign, author: User
) -> None:
    sweep(worker="one")
    phase = live(campaign)
    receipt = send(phase, author, "READY", side="german")
    miss(phase)
    start, morning = revealed(campaign)
    _, unsent = empty_sheet(phase, "allied")
    carried = f"previous lock:{start['mix']}"
    assert morning["parts"] == [f"allied:{unsent}", f"german:{receipt.digest}", carried]


def revealed(campaign: Campaign) -> list[dict[str, Any]]:
    """What is published of every lock."""
    return [json.loads(line) for line in log_of(campaign, PUBLIC, over=False).reveals.splitlines()]


def test_dice_mix_nobody_learns_who_sent_no_sheet(campaign: Campaign) -> None:
    """A side that acts has a digest in any case, for the side itself to check; one that does not act has none."""
    sweep(worker="one")
    for _ in range(2):
        miss(live(campaign))
    (_, *acting), all_phases = revealed(campaign), campaign.phases.filter(no__in=(1, 2)).order_by("no")
    for lock, phase in zip(acting, all_phases, strict=True):
        for part in lock["parts"]:
            name, _, what = part.partition(":")
            assert re.fullmatch("none" if name == "allied" and phase.no == 2 else "[0-9a-f]{64}", what), part


def test_dice_mix_a_side_that_sent_nothing_still_reads_its_entropy(campaign: Campaign, time: Clock) -> None:
    user = new_person("Hodges", email="hodges@example.org")
    Membership.objects.create(campaign=campaign, user=user, role=Role.COMMANDER, side="allied", joined_at=time.now)
    sweep(worker="one")
    miss(live(campaign))
    browser = Client()
    browser.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    page = " ".join(browser.get(f"/c/{campaign.slug}/locked/1.0/").content.decode().split())
    (nonce,) = re.findall("the nonce ([0-9a-f]{32})", page)
    assert hashlib.sha256(f"\n{nonce}".encode()).hexdigest() in page
    assert f"allied:{sheet_digest('', nonce)}" in revealed(campaign)[1]["parts"]


def test_dice_mix_no_lock_is_without_the_entropy_before_it(campaign: Campaign, author: User) -> None:
    sweep(worker="one")
    send(live(campaign), author, "READY", side="german")
    for _ in range(3):
        miss(live(campaign))
    locks = list(campaign.phases.filter(lock_no__isnull=False).order_by("lock_no"))
    assert [lock.proof.contributions.get(PREVIOUS) for lock in locks] == [
        None,
        *(lock.proof.mix for lock in locks[:-1]),
    ]
    assert [lock.proof.mix for lock in locks] == [mix(lock.proof.contributions) for lock in locks]


def test_dice_mix_locks_from_before_the_chain_of_locks_are_checked_as_they_were_made(
    campaign: Campaign, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(locking, "contributions_of", older_contributions_of)
        sweep(worker="one")
        miss(live(campaign))
    assert [lock["parts"] for lock in revealed(campaign)] == [["allied:none", "german:none"]] * 2
    line = anchors_line(campaign)
    assert line.startswith("fieldpost-dice-1: bulge | sides allied german | carried from lock 3 | both ")
    for _ in range(2):
        miss(live(campaign))
        assert anchors_line(Campaign.objects.get()) == line
    assert revealed(campaign)[2]["parts"][-1] == f"previous lock:{revealed(campaign)[1]['mix']}"
    said = log_of(campaign, PUBLIC, over=False).verdict.splitlines()
    assert said[0].startswith("OK ")
    assert said[-1] == "Locks before 3 were made by an older release, and carry no lock before them."
    call_command("verify", campaign.slug)
    assert "sound" in capsys.readouterr().out


def test_dice_mix_the_words_of_commanders_go_into_the_start_of_a_campaign_that_waits_for_them(time: Clock) -> None:
    founder = new_person("Umpire", email="umpire@example.org")
    waiting = create_campaign(
        slug="waits", title="Waits", scenario=find_scenario(SCENARIO), waits=True, founder=founder, master=AIRBORNE
    )
    viewer = Viewer(waiting, founder, waiting.memberships.get())
    for name, side, words in (("Model", "german", "Herbstnebel "), ("Hodges", "allied", "")):
        sweep(worker="one")
        assert waiting.phases.get().state == PhaseState.OPEN
        token = invitations.invite(viewer, role=Role.COMMANDER, side=side, meant_for="", now=time.now)
        user = new_person(name, email=f"{name}@example.org")
        invitations.accept_invitation(token, user, now=time.now, words=words)
    sweep(worker="one")
    start = waiting.phases.get(no=0)
    assert start.state == PhaseState.PUBLISHED
    stored = start.all_locked_words.get()
    assert (stored.side, stored.name, stored.words) == ("german", "Model", "Herbstnebel")
    assert stored.digest == sheet_digest("Herbstnebel", stored.nonce)
    assert start.proof.contributions == {"german": stored.digest, "allied": "none"} == contributions_of(start, [])
    assert sound(waiting)


def test_dice_mix_the_entropy_of_the_start_stays_when_commanders_change(time: Clock) -> None:
    founder = new_person("Umpire", email="umpire@example.org")
    campaign = create_campaign(
        slug="stays", title="Stays", scenario=find_scenario(SCENARIO), founder=founder, master=AIRBORNE
    )
    viewer = Viewer(campaign, founder, campaign.memberships.get())
    first = joined(viewer, "Model", "Herbstnebel", time)
    sweep(worker="one")
    joined(viewer, "Dietrich", "later words", time)
    browser = Client()
    browser.force_login(first.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    page = browser.get("/c/stays/locked/0.0/").content.decode()
    assert "Herbstnebel" in page
    assert "later words" not in page
    memberships.leave(Viewer(campaign, first.user, first), now=time.now)
    start = campaign.phases.get(no=0)
    contribution = start.proof.contributions["german"]
    assert [stored.words for stored in frozen_words(start, "german", contribution)] == ["Herbstnebel"]
    call_command("verify", "stays")
    start.all_locked_words.all().delete()
    assert frozen_words(start, "german", contribution) == [], (
        "later words do not lead to the digest that an older release kept"
    )


def joined(viewer: Viewer, name: str, words: str, time: Clock) -> Membership:
    token = invitations.invite(viewer, role=Role.COMMANDER, side="german", meant_for="", now=time.now)
    return invitations.accept_invitation(
        token, new_person(name, email=f"{name}@example.org"), now=time.now, words=words
    )


def test_dice_mix_it_is_said_where_nobody_had_a_part(draft: Phase) -> None:
    """This campaign did not wait for commanders, so nobody has typed anything before its first dice."""
    said = log_of(draft.campaign, PUBLIC, over=False).verdict.splitlines()
    assert said[1:] == ["No side had a part in the rolls of lock 1: the creator of the master seed chose them."]
    assert approve(draft.pk, fence=draft.fence)
    log = log_of(draft.campaign, PUBLIC, over=False)
    assert {roll.lock for roll in log.rolls} == {1, 4}
    assert log.verdict.splitlines()[1:] == said[1:], "the others carry the entropy from before"


# --- DICE-PEEK: nobody sees a value before it is settled --------


def test_dice_peek_a_roll_that_is_requested_is_stored_before_it_has_a_value(draft: Phase, gm: Viewer) -> None:
    values = {field.name for field in ManualRoll._meta.fields}
    assert not values & {"dice", "value", "result"}
    assert asked(draft, gm)
    stored = ManualRoll.objects.get()
    assert (stored.purpose, stored.count, stored.sides, stored.audience) == ("which bridge holds", 2, 6, "german")
    assert not DiceLine.objects.filter(label="manual/1").exists()


def test_dice_peek_no_roll_can_be_requested_while_a_phase_is_open(campaign: Campaign, gm: Viewer) -> None:
    sweep(worker="one")
    assert live(campaign).state == PhaseState.OPEN
    assert not asked(live(campaign), gm)
    assert not ManualRoll.objects.exists()


def test_dice_peek_no_seed_of_a_phase_is_published_before_the_phase(draft: Phase, gm: Viewer) -> None:
    future = {
        link.hex()
        for who in gm.campaign.anchors
        for link in chain(master_seed(gm.campaign), gm.campaign.slug, Audience(who), 40)[draft.lock_no or 0 :]
    }
    published = b"".join(log.reveals for log in logs_for(gm)).decode()
    assert not [link for link in future if link in published]
    assert not [log.master for log in logs_for(gm) if log.master]


# --- fair dice --------

CRITICAL = {6: 20.52, 10: 27.88, 20: 43.82, 100: 148.23}
"""Chi-square with one degree of freedom less than sides: fair dice exceed this once in a thousand times."""


MILLION = 1_000_000


@pytest.fixture(scope="module")
def million() -> tuple[bytes, ...]:
    """A million words, four of each block: one block for each die would take four times as long."""
    blocks = b"".join(block(b"k" * 32, f"statistics|{each}") for each in range(MILLION // 4))
    return tuple(blocks[at : at + 8] for at in range(0, len(blocks), 8))


@pytest.mark.parametrize("sides", sorted(CRITICAL))
def test_every_face_of_a_die_comes_up_as_often_in_a_million_rolls(
    sides: int, million: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = iter(million)
    monkeypatch.setattr(engine_dice, "block", lambda _key, _message: next(words))
    rolled = Counter(keyed().roll("statistics", count=MILLION, sides=sides, audience=PUBLIC))
    assert rolled.total() == MILLION
    assert set(rolled) == set(range(1, sides + 1))
    expected = MILLION / sides
    assert sum((rolled[face] - expected) ** 2 / expected for face in rolled) < CRITICAL[sides]


@pytest.mark.parametrize("sides", sorted(CRITICAL))
def test_a_die_shows_the_remainder_of_its_word(sides: int) -> None:
    message = "fieldpost-dice-1|die|x|both|1|m|statistics|{}|0"
    words = [int.from_bytes(block(b"k" * 32, message.format(index))[:8], "big") for index in range(1000)]
    fell = keyed().roll("statistics", count=1000, sides=sides, audience=PUBLIC)
    assert fell == tuple(1 + word % sides for word in words)


def test_with_words_of_eight_bits_every_face_has_exactly_as_many_words() -> None:
    """The rule of rejection, for every word there is: those that would favour low faces are drawn again."""
    for sides in range(2, 257):
        with pytest.MonkeyPatch.context() as patch:
            _require_fair_die(sides, patch)


def _require_fair_die(sides: int, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    words = iter(range(256))

    def next_word(_key: bytes, _message: bytes, _hash: str) -> bytes:
        word = next(words, None)
        if word is None:
            raise StopIteration
        drawn.append(word)
        return word.to_bytes(8, "big")

    monkeypatch.setattr(engine_dice, "_WORD", 2**8)
    monkeypatch.setattr("campaign.engine.dice.hmac.digest", next_word)
    faces: Counter[int] = Counter()
    accepted = 256 - 256 % sides
    for label in range(accepted):
        faces.update(keyed().roll(str(label), count=1, sides=sides, audience=PUBLIC))
    assert faces == Counter(dict.fromkeys(range(1, sides + 1), accepted // sides)), sides
    assert drawn == list(range(accepted))
    with pytest.raises((StopIteration, RuntimeError)):
        keyed().roll("rest", count=1, sides=sides, audience=PUBLIC)
