"""The digests that every publication prints, and that comparisons leave out, reveal nothing."""

import re
from collections.abc import Iterator, Mapping
from contextlib import nullcontext

import pytest

from campaign.engine.values.ids import PUBLIC, Audience
from campaign.models import DiceLine, Phase
from campaign.record import dice_log
from campaign.record.dice_log import printed_heads
from gm.machine.sweeper import attend
from gm.phases.lifecycle import approve
from orders.entropy import NOTHING
from orders.intake import sheet_digest
from orders.models import Sheet
from tests.secrecy.asking.crawler import crawl
from tests.secrecy.campaigns import Base, campaign, live, send_as_a_bot
from tests.secrecy.chance import CHANCE
from tests.secrecy.digests import blanked
from tests.secrecy.worlds import World

GERMAN, ALLIED = Audience("german"), Audience("allied")
DIGEST = re.compile("[0-9a-f]{64}")


@pytest.fixture
def world(worlds: Mapping[str, Base]) -> Iterator[World]:
    """A world in a phase in which only the Germans act."""
    world = World.restored("digests", worlds["02-german_sheet"].snapshot)
    yield world
    world.close()


def published(world: World, text: str | None, observer: Audience | None = None) -> Phase:
    """The phase, published with this German sheet or with none."""
    with world.present():
        CHANCE.of("digests")
        phase = live()
        assert phase is not None
        if text is not None:
            send_as_a_bot(phase, "german", text)
        CHANCE.now = phase.deadline_at
        with blanked(observer) if observer else nullcontext():
            attend(phase.pk, worker="digests")
            phase.refresh_from_db()
            assert approve(phase.pk, fence=phase.fence)
        phase.refresh_from_db()
        assert phase.proof.contributions
    return phase


@pytest.mark.parametrize("text", [None, "", "ALL OTHERS HOLD", "NOTE " + "x" * 3000])
def test_the_entropy_of_the_enemy_is_a_digest_whatever_it_was(world: World, text: str | None) -> None:
    brought = published(world, text).proof.contributions
    assert DIGEST.fullmatch(brought["german"])
    assert brought["allied"] == NOTHING


def test_nobody_else_has_what_a_sheet_is_salted_with(world: World) -> None:
    """Without the salt nobody can test whether a guessed sheet gives the digest."""
    phase = published(world, "ALL OTHERS HOLD")
    with world.present():
        sheet = Sheet.objects.get(phase=phase)
        salts = DiceLine.objects.filter(label="salt").values_list("audience", "line")
        grains = {(whose, line.partition('"purpose":"')[2][:32]) for whose, line in salts}
        others = set(Sheet.objects.exclude(pk=sheet.pk).values_list("nonce", flat=True))
    assert phase.proof.contributions["german"] == sheet_digest("ALL OTHERS HOLD", sheet.nonce)
    assert re.fullmatch("[0-9a-f]{32}", sheet.nonce)
    assert sheet.nonce not in others
    own, foreign = (read_by(world, side) for side in (GERMAN, ALLIED))
    assert phase.proof.contributions["german"] in foreign
    assert sheet.nonce in own
    assert sheet.nonce not in foreign
    for said, side in ((own, GERMAN), (foreign, ALLIED)):
        assert {whose for whose, grain in grains if grain in said} == {side, PUBLIC} & {whose for whose, _ in grains}
    assert {GERMAN, ALLIED} <= {whose for whose, _ in grains}


def read_by(world: World, side: Audience) -> str:
    """All answers to a side's commander in the campaign."""
    crawled = crawl(world, f"{side} commander", own_side=side, accounts=False, most=4)
    return "".join(answer.text for answer in crawled.answers.values())


def test_the_head_of_a_secret_log_is_another_after_every_phase(world: World) -> None:
    with world.present():
        before = printed_heads(campaign())
    published(world, None)
    with world.present():
        after = printed_heads(campaign())
        rolled = DiceLine.objects.filter(phase__no=2, audience="allied").exclude(label="salt")
        assert not rolled.exists()
    assert DIGEST.fullmatch(after["allied"])
    assert after["allied"] != before["allied"]


def test_what_is_no_digest_is_not_blanked(world: World) -> None:
    phase = published(world, "ALL OTHERS HOLD", GERMAN)
    with world.present():
        assert phase.proof.contributions["german"] == Sheet.objects.get(phase=phase).digest
        assert phase.proof.contributions["allied"] == NOTHING
        newest = DiceLine.objects.filter(audience="german").order_by("-no").first()
        assert newest is not None
        assert printed_heads(campaign())["german"] == newest.digest


@pytest.mark.parametrize("salted", [True, False])
def test_a_log_without_salt_would_be_noticed(world: World, monkeypatch: pytest.MonkeyPatch, *, salted: bool) -> None:
    if not salted:
        monkeypatch.setattr(dice_log, "salted", lambda *_: [])
    monkeypatch.setattr("gm.phases.rolls.entries_of", lambda _: iter(()))
    heads = []
    for extra in ([], [dice_log.Entry(label="secret", sides=6, dice=(3,), purpose="a secret")]):
        other = World.restored("other", world.kept())
        monkeypatch.setattr("gm.phases.rolls.entries_of", lambda _, extra=extra: ((ALLIED, entry) for entry in extra))
        published(other, "ALL OTHERS HOLD", GERMAN)
        with other.present():
            heads.append(printed_heads(campaign())["allied"])
        other.close()
    assert (heads[0] == heads[1]) is salted
