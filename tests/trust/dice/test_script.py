"""The script that people download, run on the files that they download: it says OK of them, and of nothing else."""

import hashlib
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from campaign.engine.dice import mix, seed
from campaign.engine.facts import Rolled
from campaign.engine.values.ids import GM, PUBLIC, Audience, SideId
from campaign.game.turn_package import audiences
from campaign.models import Campaign, PhaseState, User
from campaign.record.dice_log import FILES, NO_LINE, canonical, script, script_path
from campaign.services import scenario_of
from gm.demo import MASTER_SEED
from gm.phases.rows import events_of
from tests.trust.dice.logs import Files, files_of, log_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demonstration")]

NAMES = ("both", "german", "allied", "gm")


def browser(name: str) -> Client:
    client = Client()
    user = User.objects.get(username=name)
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def downloaded(campaign: Campaign, who: str, log: str) -> Files:
    """A log's files as a person gets them."""
    client = browser(who)
    return {name: client.get(f"/c/{campaign.slug}/dice/{log}/{name}").content for name in FILES}


def printed_heads(campaign: Campaign, who: str) -> dict[str, str]:
    """The heads as the newest report says them."""
    newest = campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("-no")[0]
    report = browser(who).get(f"/c/{campaign.slug}/stops/{newest.no}/report.txt").content.decode()
    return dict(re.findall(r"^ *- (\w+): ([0-9a-f]{64})$", report, re.MULTILINE))


def run(folder: Path, files: Files, *arguments: str) -> tuple[str, int]:
    """What the script prints as a program of its own, and its exit status."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    command = [sys.executable, "-I", str(script_path()), *FILES, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.strip(), done.returncode


def judged(files: Files, head: str) -> tuple[str, int]:
    """The same, within this process."""
    said, status = script().verdict(*(files[name] for name in FILES), head)
    return str(said), int(status)


@pytest.mark.parametrize("name", NAMES)
def test_every_roll_of_the_demonstration_is_verified(demonstration: Campaign, tmp_path: Path, name: str) -> None:
    files, head = downloaded(demonstration, "Umpire", name), printed_heads(demonstration, "Umpire")[name]
    rolls = rolls_of(demonstration, name)
    counted = "1 roll" if len(rolls) == 1 else f"{len(rolls)} rolls"
    assert run(tmp_path, files, head) == (f"OK {counted} of {name} in ardennes-demo; head {head}", 0)
    lines = [json.loads(line) for line in files["log.jsonl"].splitlines()]
    assert [(line["label"], tuple(line["dice"])) for line in lines if line["dice"]] == rolls


def rolls_of(campaign: Campaign, name: str) -> list[tuple[str, tuple[int, ...]]]:
    """What the stored events say was rolled."""
    who = PUBLIC if name == "both" else name
    published = campaign.phases.filter(state=PhaseState.PUBLISHED).order_by("lock_no").select_related("resolution")
    events = (event for phase in published for event in events_of(phase))
    rolls = (event.fact for event in events if isinstance(event.fact, Rolled))
    return [(roll.label, roll.dice) for roll in rolls if roll.audience == who]


def test_the_demonstration_rolls_for_all_and_for_one_side_alone(demonstration: Campaign) -> None:
    assert {name: bool(rolls_of(demonstration, name)) for name in ("both", "german", "allied")} == {
        "both": True,
        "german": True,
        "allied": True,
    }


@pytest.mark.parametrize("who", ["Model", "Hodges"])
def test_each_side_checks_its_own_log_with_the_heads_of_its_own_report(
    demonstration: Campaign, tmp_path: Path, who: str
) -> None:
    heads = printed_heads(demonstration, who)
    assert set(heads) == set(NAMES)
    own = "german" if who == "Model" else "allied"
    for name in ("both", own):
        assert run(tmp_path, downloaded(demonstration, who, name), heads[name])[1] == 0
    for name in {*NAMES, "nonsense"} - {"both", own}:
        assert browser(who).get(f"/c/{demonstration.slug}/dice/{name}/log.jsonl").status_code == 404


def test_locks_at_which_the_gm_alone_acts_have_a_mix_of_what_was_sent_before(demonstration: Campaign) -> None:
    """A day's weather is rolled there: without entropy of the sides, the creator of the campaign would choose it."""
    lines = lines_of(downloaded(demonstration, "Model", "both"), "reveal.jsonl")
    alone = [line for line in lines if line["parts"][:2] == ["allied:none", "german:none"]]
    rolled = {line["n"] for line in lines_of(downloaded(demonstration, "Model", "both"), "log.jsonl")}
    assert [line["n"] for line in alone] == [4, 6, 9, 11]
    assert rolled & {line["n"] for line in alone} == {6, 11}
    assert len({line["mix"] for line in lines}) == len(lines)


# --- what was tampered with -------------------------------------------------------------------------------------------


def lines_of(files: Files, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in files[name].splitlines()]


def with_lines(files: Files, name: str, lines: list[dict[str, Any]]) -> Files:
    return {**files, name: "".join(f"{canonical(line)}\n" for line in lines).encode()}


def chained(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines with every `prev` made to fit: what a forger with a clear head does."""
    head, found = NO_LINE, []
    for line in lines:
        found.append({**line, "prev": head})
        head = hashlib.sha256(canonical(found[-1]).encode()).hexdigest()
    return found


def changed_die(files: Files) -> Files:
    lines = lines_of(files, "log.jsonl")
    die = lines[2]["dice"][0]
    lines[2]["dice"] = [die % lines[2]["sides"] + 1]
    return with_lines(files, "log.jsonl", chained(lines))


def removed_line(files: Files) -> Files:
    lines = lines_of(files, "log.jsonl")
    del lines[3]
    return with_lines(files, "log.jsonl", lines)


def removed_line_chained_anew(files: Files) -> Files:
    return with_lines(files, "log.jsonl", chained(lines_of(removed_line(files), "log.jsonl")))


def cut_tail(files: Files) -> Files:
    return with_lines(files, "log.jsonl", lines_of(files, "log.jsonl")[:-1])


def rolled_twice(files: Files) -> Files:
    lines = lines_of(files, "log.jsonl")
    return with_lines(files, "log.jsonl", chained([*lines, lines[0]]))


def changed_seed(files: Files) -> Files:
    lines = lines_of(files, "reveal.jsonl")
    lines[4]["seed"] = hashlib.sha256(b"another").hexdigest()
    return with_lines(files, "reveal.jsonl", lines)


def changed_anchor(files: Files) -> Files:
    named, _, _ = files["anchors.txt"].decode().rpartition(" ")
    return {**files, "anchors.txt": f"{named} {hashlib.sha256(b'another').hexdigest()}\n".encode()}


def changed_contribution(files: Files) -> Files:
    lines = lines_of(files, "reveal.jsonl")
    lines[1]["parts"][0] = "allied:none"
    return with_lines(files, "reveal.jsonl", lines)


def changed_contribution_mixed_anew(files: Files) -> Files:
    lines, carried = lines_of(files, "reveal.jsonl"), list[str]()
    for line in lines:
        parts = [*line["parts"][:2], *carried]
        if line["n"] == 1:
            parts[0] = f"allied:{hashlib.sha256(b'another').hexdigest()}"
        line |= {"parts": parts, "mix": hashlib.sha256("|".join(parts).encode()).hexdigest()}
        carried = [f"previous lock:{line['mix']}"]
    return with_lines(files, "reveal.jsonl", lines)


def forged_part(files: Files, number: int, *parts: str) -> Files:
    """Another contribution to a lock, with a mix that fits: how a holder of the seeds would search for better dice."""
    lines = lines_of(files, "reveal.jsonl")
    lines[number]["parts"] = sorted(parts)
    lines[number]["mix"] = hashlib.sha256("|".join(lines[number]["parts"]).encode()).hexdigest()
    return with_lines(files, "reveal.jsonl", lines)


def part_of_nobody(files: Files) -> Files:
    return forged_part(files, 0, *lines_of(files, "reveal.jsonl")[0]["parts"], "x:3")


def short_part(files: Files) -> Files:
    return forged_part(files, 0, "allied:77ab", lines_of(files, "reveal.jsonl")[0]["parts"][1])


def part_of_one_side(files: Files) -> Files:
    return forged_part(files, 0, lines_of(files, "reveal.jsonl")[0]["parts"][0])


def lock_before_left_out(files: Files) -> Files:
    return forged_part(files, 3, *lines_of(files, "reveal.jsonl")[3]["parts"][:2])


def another_lock_before(files: Files) -> Files:
    lines = lines_of(files, "reveal.jsonl")
    return forged_part(files, 3, *lines[3]["parts"][:2], f"previous lock:{lines[1]['mix']}")


def rolled(files: Files, n: object, label: str, campaign: str = "ardennes-demo") -> dict[str, Any]:
    """A roll of lock 1 as its seed gives it, whatever the line calls the lock."""
    line: dict[str, Any] = {**lines_of(files, "log.jsonl")[0], "n": n, "label": label, "campaign": campaign}
    first = lines_of(files, "reveal.jsonl")[0]
    return {**line, "dice": [script().die(bytes.fromhex(first["seed"]), first["mix"], line, 0)]}


def rolled_late(files: Files) -> Files:
    lines = lines_of(files, "log.jsonl")
    return with_lines(files, "log.jsonl", chained([*lines, rolled(files, 1, "battle/late")]))


def numbered_otherwise(files: Files) -> Files:
    lines = lines_of(files, "log.jsonl")
    return with_lines(files, "log.jsonl", chained([rolled(files, True, lines[0]["label"]), *lines[1:]]))  # noqa: FBT003


def renamed(files: Files) -> Files:
    lines = lines_of(files, "log.jsonl")
    lines = [rolled(files, line["n"], line["label"], "ardennes-7") for line in lines if line["n"] == 1]
    return with_lines(files, "log.jsonl", chained(lines))


def unrevealed(files: Files) -> Files:
    return with_lines(files, "reveal.jsonl", lines_of(files, "reveal.jsonl")[:-1])


def spaced(files: Files) -> Files:
    return {**files, "log.jsonl": files["log.jsonl"].replace(b'","', b'", "', 1)}


@pytest.mark.parametrize(
    ("forged", "found"),
    [
        (changed_die, r"FALSE ROLL: line 3, air/allied/1944-12-16"),
        (removed_line, r"LOG CUT OR CHANGED: line 4, air/german/1944-12-17 does not follow the line before"),
        (removed_line_chained_anew, r"THE HEAD IS NOT THE ONE PUBLISHED: "),
        (cut_tail, r"THE HEAD IS NOT THE ONE PUBLISHED: "),
        (rolled_twice, r"ROLLED TWICE: line 10, weather/1944-12-16"),
        (changed_seed, r"SEED CHANGED: lock 5 of both"),
        (changed_anchor, r"SEED CHANGED: lock 1 of both"),
        (changed_contribution, r"CONTRIBUTION CHANGED: lock 2 of both"),
        (changed_contribution_mixed_anew, r"FALSE ROLL: line 1, weather/1944-12-16"),
        (part_of_nobody, r"PARTS: lock 1 of both must have one of each side$"),
        (short_part, r"PARTS: lock 1 of both "),
        (part_of_one_side, r"PARTS: lock 1 of both "),
        (lock_before_left_out, r"PARTS: lock 4 of both must have one of each side and the mix of the lock before$"),
        (another_lock_before, r"PARTS: lock 4 of both "),
        (rolled_late, r"ROLLED LATE: line 10, battle/late is of lock 1, whose seed was known when lock 11 rolled"),
        (numbered_otherwise, r"LOG: line 1, weather/1944-12-16 is no roll that Fieldpost makes"),
        (renamed, r"LOG: line 1, weather/1944-12-16 is of another log"),
        (unrevealed, r"SEED MISSING: line 7, weather/1944-12-18 is of lock 11"),
        (spaced, r"LOG: line 1 is not as Fieldpost writes it"),
    ],
    ids=lambda each: each.__name__ if callable(each) else "",
)
def test_what_was_forged_is_named(
    demonstration: Campaign, tmp_path: Path, forged: Callable[[Files], Files], found: str
) -> None:
    files, head = downloaded(demonstration, "Model", "both"), printed_heads(demonstration, "Model")["both"]
    said, status = run(tmp_path, forged(files), head)
    assert status == 1
    assert re.match(f"BROKEN {found}", said), said


def test_a_thousand_edits_of_a_single_byte_are_all_detected(demonstration: Campaign) -> None:
    dice = random.Random("a thousand edits")
    logs = {name: downloaded(demonstration, "Umpire", name) for name in NAMES}
    heads = printed_heads(demonstration, "Umpire")
    assert {name: judged(files, heads[name])[1] for name, files in logs.items()} == dict.fromkeys(NAMES, 0)
    edited = dict.fromkeys(FILES, 0)
    for _ in range(1000):
        log, name = dice.choice(NAMES), dice.choice(FILES)
        forged = one_byte_edited(logs[log][name], dice)
        said, status = judged({**logs[log], name: forged}, heads[log])
        assert (status, said.split()[0]) == (1, "BROKEN"), (log, name, forged)
        edited[name] += 1
    assert min(edited.values()) > 250


def one_byte_edited(content: bytes, dice: random.Random) -> bytes:
    """A byte changed, taken away or put in."""
    at = dice.randrange(len(content))
    another = bytes([dice.choice([byte for byte in range(256) if byte != content[at]])])
    kind = dice.choice(("change", "remove", "insert"))
    edited = content[:at] + (b"" if kind == "remove" else another) + content[at + (kind != "insert") :]
    assert edited != content
    return edited


def test_an_older_head_says_how_many_lines_came_after_it(demonstration: Campaign, tmp_path: Path) -> None:
    files = downloaded(demonstration, "Model", "both")
    older = hashlib.sha256(files["log.jsonl"].splitlines()[2]).hexdigest()
    said, status = run(tmp_path, files, older)
    assert status == 0
    assert said.endswith("\n6 lines came after the head that you gave.")


def test_without_a_head_it_says_what_it_could_not_check(demonstration: Campaign, tmp_path: Path) -> None:
    said, status = run(tmp_path, downloaded(demonstration, "Model", "both"))
    assert status == 0
    assert said.endswith("\nThe head was not compared with a report: lines may have been cut off.")


@pytest.mark.parametrize("log", [b"[1]\n", b'{"dice":[1]}\n', b"\xff\n", b"{}", b"null\n" * 3, b"[" * 100_000 + b"\n"])
def test_what_is_no_log_is_refused_in_a_line(demonstration: Campaign, tmp_path: Path, log: bytes) -> None:
    said, status = run(tmp_path, {**downloaded(demonstration, "Model", "both"), "log.jsonl": log})
    assert (status, said.count("\n"), said.split()[0]) == (1, 0, "BROKEN")


# --- who can compute what ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "own"), [("Model", "german"), ("Hodges", "allied")])
def test_what_is_revealed_to_a_side_computes_no_roll_of_another(demonstration: Campaign, who: str, own: str) -> None:
    """All seeds that it has or can derive, each way the scheme allows, against every seed that others roll with."""
    newest = demonstration.phases.filter(state=PhaseState.PUBLISHED).order_by("-lock_no")[0].lock_no or 0
    given = [line for name in ("both", own) for line in lines_of(downloaded(demonstration, who, name), "reveal.jsonl")]
    known = {bytes.fromhex(line["seed"]) for line in given}
    for _ in range(newest):
        known |= {hashlib.sha256(link).digest() for link in known}
    secret = {
        seed(MASTER_SEED, campaign=demonstration.slug, audience=audience, lock=lock)
        for audience in audiences(scenario_of(demonstration).rules)
        for lock in range(1, 2 * newest)
        if audience not in (PUBLIC, own) or lock > newest
    }
    assert len(secret) == 2 * (2 * newest - 1) + 2 * (newest - 1)
    assert not known & secret


def test_another_audiences_seed_gives_other_dice() -> None:
    """Even with a seed in hand: the audience is part of what is hashed."""
    key, roll = b"k" * 32, {"campaign": "x", "audience": "german", "n": 1, "label": "a", "sides": 1000}
    fell = [script().die(key, "mix", {**roll, "audience": name}, 0) for name in NAMES]
    assert len(set(fell)) == len(NAMES)


def test_secret_logs_grow_with_every_lock_whether_anything_was_rolled_or_not(demonstration: Campaign) -> None:
    locks = demonstration.phases.filter(published_at__isnull=False).count()
    for name in ("german", "allied", "gm"):
        lines = lines_of(downloaded(demonstration, "Umpire", name), "log.jsonl")
        salts = [line["n"] for line in lines if line["label"] == "salt"]
        assert salts == list(range(1, locks + 1))
        assert len({line["purpose"] for line in lines if line["label"] == "salt"}) == locks


# --- the scheme -------------------------------------------------------------------------------------------------------

MASTER = "00112233445566778899aabbccddeeff" * 2


@pytest.mark.parametrize(
    ("label", "sides", "fell"),
    [
        ("interdict/1SS/allied", 10, [6]),
        ("interdict/1SS/german", 10, [6]),
        ("demolish/Stavelot", 6, [6]),
        ("drop/Heydte", 10, [3]),
        ("manual/1", 6, [2, 1]),
    ],
)
def test_the_script_reproduces_the_schemes_test_vector(label: str, sides: int, fell: list[int]) -> None:
    mixed = mix({SideId("german"): "9f2c", SideId("allied"): "77ab"})
    key = bytes.fromhex("97361fc6734194e2372ba1a9942aab890d4d9739387dd3667829d1cf801780cd")
    roll = {"campaign": "bulge-2026", "audience": "both", "n": 7, "label": label, "sides": sides}
    assert [script().die(key, mixed, roll, index) for index in range(len(fell))] == fell


def test_the_master_seed_leads_to_the_anchor_of_the_test_vector() -> None:
    anchor = bytes.fromhex("0284f77bb0d5f8d169aabb8970d493148777c64172da32b6e1ee65a6757c718e")
    script().check_master(MASTER, "bulge-2026", "both", anchor)
    with pytest.raises(script().Broken, match="THE MASTER SEED DOES NOT LEAD TO THE ANCHOR of gm"):
        script().check_master(MASTER, "bulge-2026", "gm", anchor)


def test_the_published_master_seed_fits_every_anchor(demonstration: Campaign, tmp_path: Path) -> None:
    for audience in (PUBLIC, GM, Audience("german"), Audience("allied")):
        log = log_of(demonstration, audience, over=True)
        said, status = run(tmp_path, files_of(log), log.head, log.master)
        assert (status, said.splitlines()[-1]) == (0, "The anchor was made from the master seed.")
