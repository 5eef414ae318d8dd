"""DICE-REOPEN: a GM who reopens a phase rolls nothing again, and everybody reads how often, and why."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import default
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from campaign.core import clock
from campaign.engine.dice import WITHDRAWN, KeyedDice, chain, fallen, mix
from campaign.engine.facts import Rolled
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.game import turn_package
from campaign.game.loading import find_scenario
from campaign.models import Artefact, Campaign, Membership, OutboxMessage, Phase, PhaseState, Role, User
from campaign.people.accounts import new_person
from campaign.record import audit
from campaign.record.dice_log import FILES, HEADS, canonical, script, seal_in
from campaign.record.reopenings import TOLD_BY_MAIL
from campaign.services import create_campaign, title_of
from campaign.viewers import Viewer
from gm.demo import SCENARIO
from gm.desk.reopening import reopen
from gm.machine.sweeper import sweep
from gm.phases import locking
from gm.phases.rolls import announce
from gm.phases.rows import events_of
from orders.entropy import contributions_of
from orders.models import Sheet
from tests.gm.campaigns import (
    GLOOMY,
    UNREVIEWED,
    Clock,
    blank_map,
    live,
    miss,
    opened,
    review_drafts,
    send,
    send_demo_sheets,
    sheet_texts,
)
from tests.gm.conftest import author, rundstedt
from tests.kept import kept
from tests.mails import plain_text_of
from tests.trust.dice.logs import Files, files_of, log_of
from tests.trust.dice.test_script import chained, lines_of, with_lines

__all__ = ["author"]
pytestmark = pytest.mark.django_db(transaction=True)

WEATHER = "weather/1944-12-17"
TEN = [f"reason {number}" for number in range(1, 11)]


@pytest.fixture(autouse=True)
def _blank_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_package, "draw", blank_map)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that goes on, a second each time it is read."""
    going = Clock()

    def now() -> datetime:
        going.forward(seconds=1)
        return going.now

    monkeypatch.setattr(clock, "now", now)
    return going


def created(**options: str) -> Campaign:
    return create_campaign(
        slug="bulge",
        title="The Bulge",
        scenario=find_scenario(SCENARIO),
        handling=UNREVIEWED,
        options=options,
        founder=new_person("Umpire", email="umpire@example.org"),
        master=GLOOMY,
    )


@pytest.fixture
def campaign(time: Clock) -> Campaign:
    """A campaign whose rules decide its battles: they are rolled for when a sheet is resolved."""
    restore("automatic", lambda: created(battles="automatic"), time)
    return Campaign.objects.get()


@pytest.fixture
def attacked(campaign: Campaign, time: Clock) -> Phase:
    """The first German sheet, whose attacks opened battles, published."""
    restore("attacked", lambda: attack(opened(campaign), rundstedt()), time, after="automatic")
    return newest(campaign)


@pytest.fixture
def reopened(attacked: Phase, campaign: Campaign, gm: Viewer, time: Clock) -> Phase:  # noqa: ARG001 - it is attacked's
    """The same phase, reopened once and published with the same sheet again."""
    restore("reopened", lambda: attack(reopen(gm, reason="the wrong map"), rundstedt()), time, after="attacked")
    return newest(campaign)


def restore(name: str, make: Callable[[], object], time: Clock, *, after: str = "") -> None:
    """Rows that several tests begin with; the clock goes on from the next hour, whether they are made or restored."""
    began = time.now
    kept(name, make, after=after, timeless=True)
    assert time.now < began + timedelta(hours=1)
    time.now = began + timedelta(hours=1)


@pytest.fixture
def gm(campaign: Campaign) -> Viewer:
    return game_master(campaign)


def game_master(campaign: Campaign) -> Viewer:
    member = campaign.memberships.get(role=Role.GM)
    return Viewer(campaign, member.user, member)


def fell(phase: Phase) -> dict[tuple[str, str], tuple[int, ...]]:
    phase = Phase.objects.select_related("resolution").get(pk=phase.pk)
    rolls = [event.fact for event in events_of(phase) if isinstance(event.fact, Rolled)]
    return {(roll.audience, roll.label): roll.dice for roll in rolls}


def attack(phase: Phase, author: User, *more: str) -> None:
    """The first German sheet, whose attacks open battles, and then the result is published."""
    (text,) = sheet_texts("1944-12-16-german-sheet", "german")
    send(phase, author, "\n".join([*more, text]), ready=True)
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.PUBLISHED


def newest(campaign: Campaign) -> Phase:
    return campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("-no")[0]


def verdicts(campaign: Campaign) -> dict[str, str]:
    """What the script says of every log."""
    logs = [log_of(campaign, Audience(who), over=True) for who in campaign.anchors]
    return {log.name: log.verdict for log in logs}


def sound(campaign: Campaign, capsys: pytest.CaptureFixture[str]) -> bool:
    call_command("verify", campaign.slug)
    return "sound" in capsys.readouterr().out and all(said.startswith("OK ") for said in verdicts(campaign).values())


def page(path: str) -> str:
    return " ".join(Client().get(f"/c/bulge/public/{path}").content.decode().split())


# --- what must hold ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("attacked")
def test_a_battle_phase_that_is_reopened_ten_times_has_the_same_dice_ten_times_and_each_is_named(
    campaign: Campaign, gm: Viewer, author: User, capsys: pytest.CaptureFixture[str]
) -> None:
    first = fell(newest(campaign))
    assert {label for _, label in first if label.startswith("battle/")}
    locks = [newest(campaign).lock_no]
    for reason in TEN:
        attack(reopen(gm, reason=reason), author)
        assert fell(newest(campaign)) == first
        locks.append(newest(campaign).lock_no)
    assert locks == list(range(3, 14))

    for audience in ("public", "german", "allied", "gm"):
        report = Artefact.objects.get(phase=newest(campaign), audience=audience, kind="text").content
        said = " ".join(bytes(report).decode().split())
        assert "GM interventions: 10 in this phase, 10 so far." in said
        assert f"Reopened: {'; '.join(TEN)}" in said
    reopened = f"“{title_of(newest(campaign))}” of {newest(campaign).moment} was reopened"
    for path in ("dice/", "stops/"):
        shown = page(path)
        assert all(f"{reopened}: {reason} <" in shown for reason in TEN), path
    for name, said in verdicts(campaign).items():
        named = [line for line in said.splitlines() if line.startswith("REOPENED ")]
        assert named == [
            f"REOPENED lock {lock} by gm:Umpire: {reason} (played again as lock {lock + 1})"
            for lock, reason in enumerate(TEN, 3)
        ], name
    assert sound(campaign, capsys)


def test_a_phase_in_which_no_side_acts_keeps_its_weather_ten_times(
    time: Clock,  # noqa: ARG001 - campaigns are created by its clock
    author: User,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The GM enters the results of the Allied battles, and then the next day begins."""
    campaign = created()
    gm = game_master(campaign)
    sweep(worker="one")
    for _ in range(5):
        send_demo_sheets(live(campaign), author)
        sweep(worker="one")
    phase = newest(campaign)
    assert phase.acts == ["gm"]
    first = fell(phase)
    assert (PUBLIC, WEATHER) in first
    for reason in TEN:
        send_demo_sheets(reopen(gm, reason=reason), author)
        sweep(worker="one")
        assert fell(newest(campaign)) == first
    lines = [line for line in lines_of(files(campaign), "log.jsonl") if line["label"] == WEATHER]
    assert [line.get("fell") for line in lines] == [None, *[[phase.lock_no]] * 10]
    assert len({tuple(line["dice"]) for line in lines}) == 1
    assert sound(campaign, capsys)


def files(campaign: Campaign, audience: str = "public") -> Files:
    return files_of(log_of(campaign, Audience(audience), over=True))


# --- ways around it ---------------------------------------------------------------------------------------------------


def test_labels_that_were_not_rolled_get_dice_of_the_new_lock(
    campaign: Campaign, gm: Viewer, author: User, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their dice in the withdrawn lock could be foreseen by everybody."""
    miss(opened(campaign))
    before, withdrawn = fell(newest(campaign)), newest(campaign)
    attack(reopen(gm, reason="no sheet had come"), author)
    again = newest(campaign)
    new = fell(again).keys() - before.keys()
    assert {label for _, label in new if label.startswith("battle/")}
    rows = campaign.all_dice_lines.filter(phase=again).values_list("audience", "label", "line")
    given = {(who, label): json.loads(line).get("fell", [again.lock_no]) for who, label, line in rows}
    assert [given[roll] for roll in new] == [[again.lock_no]] * len(new)
    assert all(given[roll] == [withdrawn.lock_no] for roll in before.keys() & fell(again).keys())
    assert sound(campaign, capsys)


@pytest.mark.usefixtures("attacked")
def test_another_sheet_in_between_brings_no_other_dice(campaign: Campaign, gm: Viewer, author: User) -> None:
    """A label that is left out once falls as before when it comes again, and so does one of another reopening."""
    first = fell(newest(campaign))
    miss(reopen(gm, reason="without the attack"))
    between = fell(newest(campaign))
    assert first.keys() - between.keys()
    attack(reopen(gm, reason="with it"), author)
    assert fell(newest(campaign)) == first


@pytest.mark.usefixtures("attacked")
def test_walking_back_further_rolls_nothing_again(
    campaign: Campaign, gm: Viewer, author: User, capsys: pytest.CaptureFixture[str]
) -> None:
    """An earlier phase is reopened while the next is open again; that next one keeps its dice too."""
    first = fell(newest(campaign))
    reopen(gm, reason="one back")
    miss(reopen(gm, reason="two back"))
    attack(live(campaign), author)
    assert fell(newest(campaign)) == first
    seals = [
        seal_in(bytes(Artefact.objects.get(phase=phase, kind=HEADS).content))
        for phase in campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("no")
    ]
    assert [(seal.interventions, seal.so_far, seal.reopened) for seal in seals[1:]] == [
        (2, 2, ("one back", "two back")),
        (1, 2, ("one back",)),
    ]
    named = [line for line in verdicts(campaign)["both"].splitlines() if line.startswith("REOPENED ")]
    assert named == [
        "REOPENED lock 3 by gm:Umpire: one back (played again as lock 4)",
        "REOPENED lock 2 by gm:Umpire: two back (played again as lock 4)",
    ]
    assert sound(campaign, capsys)


def test_a_roll_that_moves_into_another_phase_of_the_day_falls_as_it_fell(
    time: Clock,  # noqa: ARG001 - campaigns are created by its clock
    author: User,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without battles nobody waits for results, so another lock comes to the next day's weather."""
    campaign = created()
    gm = game_master(campaign)
    sweep(worker="one")
    for _ in range(3):
        miss(live(campaign))
    weather = fell(newest(campaign))[PUBLIC, WEATHER]
    reopen(gm, reason="one back")
    attack(reopen(gm, reason="two back"), author)
    for _ in range(3):
        phase = live(campaign)
        if "gm" in phase.acts:
            results = [f"RESULT {battle.key} defenders" for battle in phase.battles.all()]
            send(phase, author, "\n".join(results), side="gm", ready=True)
        miss(phase)
    rolled = next(dice for phase in campaign.phases.filter(state=PhaseState.PUBLISHED) for dice in fell_in(phase))
    assert rolled == weather
    assert sound(campaign, capsys)


def fell_in(phase: Phase) -> list[tuple[int, ...]]:
    return [dice for (_, label), dice in fell(phase).items() if label == WEATHER]


def test_a_roll_of_the_gms_own_is_numbered_on_and_counted(campaign: Campaign, gm: Viewer) -> None:
    review_drafts()
    phase = opened(campaign)
    for _ in range(2):
        miss_to_review(phase)
        assert announce(phase.pk, fence=phase.fence, audience="gm", count=1, sides=6, purpose="which", author=gm.person)
        miss(phase)
        phase = reopen(gm, reason="again")
    labels = [line["label"] for line in lines_of(files(campaign, "gm"), "log.jsonl") if line["label"] != "salt"]
    assert [label for label in labels if label.startswith("manual/")] == ["manual/1", "manual/2"]


def miss_to_review(phase: Phase) -> None:
    Phase.objects.filter(pk=phase.pk).update(deadline_at=phase.opens_at)
    sweep(worker="one")
    phase.refresh_from_db()
    assert phase.state == PhaseState.REVIEW


@pytest.mark.usefixtures("attacked")
def test_a_secret_roll_is_no_better_known_after_a_reopening(campaign: Campaign, gm: Viewer, author: User) -> None:
    secret = {label for audience, label in fell(newest(campaign)) if audience == "gm"}
    assert secret
    attack(reopen(gm, reason="again"), author)
    for who in ("public", "german", "allied"):
        log = log_of(campaign, Audience(who), over=False)
        assert not [label for label in secret if label.encode() in log.lines + log.reveals]


@pytest.mark.usefixtures("attacked")
def test_a_mail_says_where_dice_are_checked_and_keeps_the_heads_in_a_header(
    campaign: Campaign, gm: Viewer, author: User
) -> None:
    campaign.memberships.filter(role=Role.GM).update(mail_choices={"reports": "now"})
    attack(reopen(gm, reason="the wrong map"), author)
    row = OutboxMessage.objects.filter(phase=newest(campaign), kind__in=("opened", "report"), user=gm.person).get()
    heads = seal_in(bytes(Artefact.objects.get(phase=newest(campaign), kind=HEADS).content)).heads
    said = plain_text_of(bytes(row.message))
    assert not [head for head in heads.values() if head in said]
    assert "/c/bulge/dice/" in said
    assert "Reopened: the wrong map" in said
    header = message_from_bytes(bytes(row.message), policy=default)["Fieldpost-Dice"]
    assert dict(each.split("=") for each in header.split()) == heads


@pytest.mark.usefixtures("attacked")
def test_a_reason_is_one_line(campaign: Campaign, gm: Viewer, author: User) -> None:
    attack(reopen(gm, reason="first\nREOPENED lock 9"), author)
    assert "by gm:Umpire: first REOPENED lock 9 (" in verdicts(campaign)["both"]


@pytest.mark.usefixtures("attacked")
def test_pages_that_explain_dice_know_of_reopenings(campaign: Campaign, gm: Viewer, author: User) -> None:
    member = Membership.objects.create(
        campaign=campaign, user=new_person("Model"), role=Role.COMMANDER, side="german", joined_at=clock.now()
    )
    browser = Client()
    browser.force_login(member.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    before = browser.get(lock_page(newest(campaign))).content.decode()
    attack(reopen(gm, reason="the wrong map"), author)
    after = " ".join(browser.get(lock_page(newest(campaign))).content.decode().split())
    assert "withdrawn locks" not in before
    assert "<li>withdrawn locks:3</li>" in after
    assert "The withdrawn locks are those whose rolls stay as they fell." in after
    assert "used once, or again only after its phase was reopened" in page("dice/")


def lock_page(phase: Phase) -> str:
    return reverse("locked", args=[phase.campaign.slug, phase.no, phase.rev])


# --- an older release -------------------------------------------------------------------------------------------------


def older(phase: Phase, sheets: list[Sheet]) -> dict[str, str]:
    return {name: what for name, what in contributions_of(phase, sheets).items() if name != WITHDRAWN}


@contextmanager
def older_release() -> Iterator[None]:
    """Locks named no withdrawn ones, and reopenings no GM; their reasons were for the players."""
    record = audit.record

    def anonymous(campaign: Campaign, act: str, subject: dict[str, Any], **more: Any) -> None:
        record(campaign, act, {name: what for name, what in subject.items() if name != "by"}, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(locking, "contributions_of", older)
        patch.setattr(audit, "record", anonymous)
        yield


@pytest.mark.usefixtures("attacked")
def test_reopenings_of_an_older_release_stay_as_they_were_and_are_named_on_pages(
    campaign: Campaign, gm: Viewer, author: User, capsys: pytest.CaptureFixture[str]
) -> None:
    first = fell(newest(campaign))
    with older_release():
        attack(reopen(gm, reason="a slip of the Germans"), author)
    assert fell(newest(campaign)) != first
    assert sound(campaign, capsys)
    assert "REOPENED" not in verdicts(campaign)["both"]
    for address in ("dice/", "stops/"):
        assert f"was reopened: {TOLD_BY_MAIL} <" in page(address)
        assert "a slip" not in page(address)
    miss(live(campaign))
    assert WITHDRAWN not in newest(campaign).proof.contributions, "what stands has been rolled since"
    assert sound(campaign, capsys)


@pytest.mark.usefixtures("attacked")
def test_what_an_older_release_rolled_twice_falls_as_it_fell_first_when_it_is_reopened_again(
    campaign: Campaign, gm: Viewer, author: User, capsys: pytest.CaptureFixture[str]
) -> None:
    first = fell(newest(campaign))
    with older_release():
        attack(reopen(gm, reason="a slip of the Germans"), author)
    attack(reopen(gm, reason="now"), author)
    assert fell(newest(campaign)) == first
    assert newest(campaign).proof.contributions[WITHDRAWN] == "3+4"
    assert sound(campaign, capsys)


# --- the script -------------------------------------------------------------------------------------------------------


@pytest.fixture
def twice(campaign: Campaign, reopened: Phase) -> tuple[Files, str]:  # noqa: ARG001 - it is in the log
    """The GM's log of a battle phase that was reopened, and its head."""
    log = log_of(campaign, Audience("gm"), over=True)
    return files_of(log), log.head


def without_names(given: Files) -> Files:
    """The lock hides that it follows a reopening, and the log too: the forger has the seeds and mixes again."""
    lines = lines_of(given, "reveal.jsonl")
    for line in lines:
        line["parts"] = [part for part in line["parts"] if not part.startswith(WITHDRAWN)]
        line["mix"] = mix(dict(part.split(":") for part in line["parts"]))
    return rolled_again(with_lines(given, "reveal.jsonl", lines))


def rolled_again(given: Files) -> Files:
    """All rolls of the reopened phase with its own lock."""
    reveals = {line["n"]: line for line in lines_of(given, "reveal.jsonl")}
    lines = lines_of(given, "log.jsonl")
    for line in lines:
        if line.pop("fell", None):
            key, mixed = bytes.fromhex(reveals[line["n"]]["seed"]), reveals[line["n"]]["mix"]
            line["dice"] = [script().die(key, mixed, line, index) for index in range(len(line["dice"]))]
    return with_lines(given, "log.jsonl", chained(lines))


def not_marked(given: Files) -> Files:
    lines = [{name: what for name, what in line.items() if name != "fell"} for line in lines_of(given, "log.jsonl")]
    return with_lines(given, "log.jsonl", chained(lines))


def not_named(given: Files) -> Files:
    lines = [line for line in lines_of(given, "log.jsonl") if not line["label"].startswith("reopened/")]
    return with_lines(given, "log.jsonl", chained(lines))


def named_falsely(given: Files) -> Files:
    lines = [
        {**line, "label": line["label"].replace("reopened/3", "reopened/9")} for line in lines_of(given, "log.jsonl")
    ]
    return with_lines(given, "log.jsonl", chained(lines))


def withdrawn_later(given: Files) -> Files:
    lines = lines_of(given, "reveal.jsonl")
    lines[-1]["parts"] = sorted(f"{WITHDRAWN}:4" if WITHDRAWN in part else part for part in lines[-1]["parts"])
    lines[-1]["mix"] = mix(dict(part.split(":") for part in lines[-1]["parts"]))
    return with_lines(given, "reveal.jsonl", lines)


@pytest.mark.parametrize(
    ("forged", "found"),
    [
        (without_names, "ROLLED AGAIN: lock 4 comes after lock 3 was reopened, and does not keep its dice"),
        (rolled_again, "ROLLED AGAIN: line [0-9]+, battle/[A-Z0-9]+/winner fell with lock 3, and that must stay"),
        (not_marked, "ROLLED AGAIN: line [0-9]+, battle/"),
        (not_named, "REOPENING MISSING: lock 4 keeps the dice of lock 3, and no line says why"),
        (named_falsely, "LOG: line [0-9]+, reopened/9 is no reopening that Fieldpost makes"),
        (withdrawn_later, "PARTS: lock 4 of gm names withdrawn locks that there cannot be"),
    ],
)
def test_the_script_names_what_was_forged(twice: tuple[Files, str], forged: Any, found: str) -> None:
    given, head = twice
    assert judged(given, head).startswith("OK ")
    assert re.match(f"BROKEN {found}", judged(forged(given), "")), judged(forged(given), "")


def judged(given: Mapping[str, bytes], head: str) -> str:
    said, _ = script().verdict(*(given[name] for name in FILES), head)
    return str(said)


# --- which rolls fall again -------------------------------------------------------------------------------------------


def test_a_roll_falls_again_once_and_then_is_spent() -> None:
    none: frozenset[int] = frozenset()
    assert fallen([(3, none, ["a", "b"])], {3}) == {"a": 3, "b": 3}
    assert fallen([(3, none, ["a", "b"]), (4, frozenset({3}), ["a"])], {3}) == {"b": 3}
    assert fallen([(3, none, ["a", "b"]), (4, frozenset({3}), ["a"])], {3, 4}) == {"a": 3, "b": 3}
    assert fallen([(3, none, ["a"]), (4, none, ["a"])], {4}) == {"a": 4}
    assert fallen([(3, none, ["a"]), (4, none, ["a"])], {3, 4}) == {"a": 3}


def test_more_dice_of_a_roll_are_of_the_new_lock() -> None:
    """With the seed of the withdrawn lock, which is known, everybody could foresee them."""
    links = chain(bytes(32), "bulge", PUBLIC, 4)
    before = KeyedDice(campaign="bulge", lock=3, mix="a", seeds={PUBLIC: links[3]})
    (first,) = before.roll("attack/K14", count=1, sides=1000, audience=PUBLIC)
    new = KeyedDice(campaign="bulge", lock=4, mix="b", seeds={PUBLIC: links[4]})
    again = replace(new, fell={(PUBLIC, "attack/K14", 0): before})
    fresh = new.roll("attack/K14", count=3, sides=1000, audience=PUBLIC)
    assert again.roll("attack/K14", count=3, sides=1000, audience=PUBLIC) == (first, *fresh[1:])
    assert [each.lock for each in again.sources("attack/K14", count=3, audience=PUBLIC)] == [3, 4, 4]


@pytest.mark.usefixtures("reopened")
def test_the_script_knows_of_each_die_with_which_lock_it_fell(campaign: Campaign) -> None:
    """A roll of two dice in the place of a roll of one: the second is of the new lock, and nothing else is accepted."""
    given = files(campaign, "gm")
    reveals = {line["n"]: line for line in lines_of(given, "reveal.jsonl")}
    lines = lines_of(given, "log.jsonl")
    longer = next(line for line in lines if line.get("fell"))
    key, mixed = bytes.fromhex(reveals[4]["seed"]), reveals[4]["mix"]
    for fell_with in ([3, 4], [3, 3], [3]):
        source, mix_of = (key, mixed) if fell_with[-1] == 4 else (bytes.fromhex(reveals[3]["seed"]), reveals[3]["mix"])
        die = script().die(source, mix_of, {**longer, "n": fell_with[-1]}, 1)
        more = [{**line, "dice": [*line["dice"], die], "fell": fell_with} if line is longer else line for line in lines]
        said = judged(with_lines(given, "log.jsonl", chained(more)), "")
        broken = f"BROKEN ROLLED AGAIN: line {lines.index(longer) + 1}, {longer['label']} fell with lock 3, 4, and that"
        assert said.startswith("OK " if fell_with == [3, 4] else broken), (fell_with, said)


@pytest.mark.usefixtures("attacked")
def test_canonical_lines_of_other_rolls_say_nothing_of_it(campaign: Campaign) -> None:
    for line in lines_of(files(campaign, "gm"), "log.jsonl"):
        assert "fell" not in line
        assert canonical(line)
    assert not OutboxMessage.objects.filter(kind="reopen").exists()
