#!/usr/bin/env python3
"""Check a dice log of a Fieldpost campaign. Needs Python 3.8 or newer and nothing else.

    python3 verify_dice.py anchors.txt reveal.jsonl log.jsonl HEAD [MASTER]

anchors.txt   the campaign, its sides, and the log's anchor: words of the line that was published when it was made
reveal.jsonl  for each lock its seed, and what went into it
log.jsonl     the rolls
HEAD          the head of the log, as your newest report prints it
MASTER        the master seed, once the campaign is closed

When the game master reopens a published phase, its lock is withdrawn. What was rolled there falls the same when it is
rolled again, and the log names the reopening. This program prints each one.

Compare anchors.txt with what your invitation said, and find your own sheet's digest in reveal.jsonl: this
program cannot do that for you.
"""

import hashlib
import hmac
import json
import pathlib
import re
import sys

SCHEME = "fieldpost-dice-1"
CHAIN = 4096
ROLL = {"campaign", "audience", "n", "label", "sides", "dice", "purpose", "rule", "actor", "void", "prev"}
AGAIN = ROLL | {"fell"}
REVEAL = {"audience", "n", "seed", "parts", "mix"}
ANCHORS = rf"{SCHEME}: ([\w-]+) \| sides ([\w -]+?)(?: \| carried from lock (\d+))? \| ([\w-]+) ([0-9a-f]{{64}})\n"
PREVIOUS = "previous lock"
WITHDRAWN = "withdrawn locks"
REOPENED = r"reopened/([1-9][0-9]*)"


class Broken(Exception):
    """What does not fit, and where."""


def verdict(*given):
    """What is printed, and the exit status: 0 if everything fits."""
    try:
        return check(*given), 0
    except Broken as fault:
        return f"BROKEN {fault}", 1
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        return f"BROKEN these are no files of a dice log: {fault!r}", 1


def check(anchors, reveals, log, head="", master=""):
    """What can be said of three files, given as bytes. Raises Broken."""
    campaign, sides, carried, audience, anchor = read_anchors(anchors)
    locks, bare = read_reveals(reveals, audience, anchor, sides, carried)
    heads, rolled, reopened = read_log(log, campaign, audience, locks)
    said = [f"OK {counted(len(rolled), 'roll')} of {audience} in {campaign}; head {heads[-1]}"]
    if not head:
        said.append("The head was not compared with a report: lines may have been cut off.")
    elif head not in heads:
        raise Broken(f"THE HEAD IS NOT THE ONE PUBLISHED: {head} is not in this log, which ends with {heads[-1]}")
    elif head != heads[-1]:
        said.append(f"{counted(len(heads) - 1 - heads.index(head), 'line')} came after the head that you gave.")
    said += reopened
    alone = sorted(bare.intersection(set().union(*rolled)))
    if alone:
        locks = ", ".join(map(str, alone))
        said.append(f"No side had a part in the rolls of lock {locks}: the creator of the master seed chose them.")
    if carried > 2:
        said.append(f"Locks before {carried} were made by an older release, and carry no lock before them.")
    if master:
        check_master(master, campaign, audience, anchor)
        said.append("The anchor was made from the master seed.")
    return "\n".join(said)


def read_anchors(data):
    """The campaign, its sides, the first lock that carries the one before, the audience and its anchor."""
    found = re.fullmatch(ANCHORS, data.decode(), re.ASCII)
    if not found:
        raise Broken("ANCHOR: not one line with a campaign, its sides, an audience and 64 hexadecimal digits")
    campaign, sides, carried, audience, anchor = found.groups()
    return campaign, sides.split(" "), int(carried or 2), audience, bytes.fromhex(anchor)


def read_reveals(data, audience, anchor, sides, carried):
    """Every lock's seed, mix and withdrawn locks whose dice stay, and the locks to which, and before which, no side had
    brought anything."""
    locks, bare, seed, mix = {}, set(), anchor, ""
    for n, (_, reveal) in enumerate(json_lines(data, REVEAL, "reveal"), 1):
        where = f"lock {n} of {audience}"
        if reveal["audience"] != audience or reveal["n"] != n:
            raise Broken(f"REVEAL: {where} is missing or out of order")
        seed = read_seed(reveal, seed, where)
        before = {PREVIOUS: mix} if n >= carried else {}
        mix, withdrawn, brought = read_mix(reveal, sides, before, where)
        locks[n] = (seed, mix, withdrawn)
        if not brought and (not before or n - 1 in bare):
            bare.add(n)
    return locks, bare


def read_seed(reveal, before, where):
    """A seed, whose SHA-256 is the seed before; that of the first is the anchor."""
    seed = bytes.fromhex(reveal["seed"])
    if reveal["seed"] != seed.hex() or hashlib.sha256(seed).digest() != before:
        raise Broken(f"SEED CHANGED: {where}")
    return seed


def read_mix(reveal, sides, before, where):
    """A lock's mix, the withdrawn locks that it names, and whether a side brought anything.

    There is one part of each side, the mix of the lock before, and a part that names withdrawn locks if there are any.
    """
    given = dict(part.split(":") for part in reveal["parts"])
    brought = {side: given.get(side, "") for side in sides}
    named = read_withdrawn(given[WITHDRAWN], reveal["n"], where) if WITHDRAWN in given else []
    kept = {WITHDRAWN: given[WITHDRAWN]} if named else {}
    parts = sorted(f"{name}:{what}" for name, what in {**brought, **before, **kept}.items())
    if reveal["parts"] != parts or not all(re.fullmatch("[0-9a-f]{64}|none", what) for what in brought.values()):
        raise Broken(f"PARTS: {where} must have one of each side{' and the mix of the lock before' * bool(before)}")
    if sha256("|".join(parts)) != reveal["mix"]:
        raise Broken(f"CONTRIBUTION CHANGED: {where}")
    return reveal["mix"], set(named), set(brought.values()) != {"none"}


def read_withdrawn(what, n, where):
    """Numbers of earlier locks, rising, joined by +."""
    locks = [int(each) for each in what.split("+")]
    if what != "+".join(map(str, sorted(set(locks)))) or not 0 < locks[0] <= locks[-1] < n:
        raise Broken(f"PARTS: {where} names withdrawn locks that there cannot be")
    return locks


def read_log(data, campaign, audience, locks):
    """The head after every line, of each roll the numbers of the locks that gave it, and what reopenings there were."""
    heads, seen, rolled, newest, fallen, reopened = ["0" * 64], set(), [], 0, {}, []
    for number, (line, roll) in enumerate(json_lines(data, ROLL, "log", AGAIN), 1):
        where = f"line {number}, {roll['label']}"
        if roll["prev"] != heads[-1]:
            raise Broken(f"LOG CUT OR CHANGED: {where} does not follow the line before")
        if (roll["campaign"], roll["audience"]) != (campaign, audience):
            raise Broken(f"LOG: {where} is of another log")
        check_form(roll, where)
        if roll["n"] not in locks:
            raise Broken(f"SEED MISSING: {where} is of lock {roll['n']}, which is not revealed")
        if (roll["n"], roll["label"]) in seen:
            raise Broken(f"ROLLED TWICE: {where}")
        if roll["n"] < newest:
            raise Broken(f"ROLLED LATE: {where} is of lock {roll['n']}, whose seed was known when lock {newest} rolled")
        given = read_fell(roll, fallen, locks[roll["n"]][2], where)
        if roll["dice"] != [die(*locks[lock][:2], {**roll, "n": lock}, i) for i, lock in enumerate(given)]:
            raise Broken(f"FALSE ROLL: {where}")
        seen.add((roll["n"], roll["label"]))
        newest = roll["n"]
        rolled += [set(given)] * bool(given)
        heads.append(sha256(line))
        reopened += read_reopening(roll, where)
    check_reopenings(reopened, {n: withdrawn for n, (_, _, withdrawn) in locks.items()})
    return heads, rolled, list(map(said_of, reopened))


def read_fell(roll, fallen, withdrawn, where):
    """For each die of a roll, the lock that gave it: the roll's own, or the withdrawn one in which it fell first.

    `fallen`: by label and place in the roll, for each lock that gave this die, all locks that rolled it. It is free as
    long as all of these locks are withdrawn.
    """
    own, given = [roll["n"]] * len(roll["dice"]), []
    for index in range(len(own)):
        firsts = fallen.setdefault((roll["label"], index), {})
        lock = min((first for first, locks in firsts.items() if locks <= withdrawn), default=roll["n"])
        firsts.setdefault(lock, set()).add(roll["n"])
        given.append(lock)
    if roll.get("fell", own) != given or ("fell" in roll and given == own):
        locks = ", ".join(map(str, sorted(set(given))))
        raise Broken(f"ROLLED AGAIN: {where} fell with lock {locks}, and that must stay")
    return given


def read_reopening(roll, where):
    """The reopening that a line names: its lock, the lock that it withdrew, who reopened it and why."""
    if not roll["label"].startswith("reopened"):
        return []
    found = re.fullmatch(REOPENED, roll["label"], re.ASCII)
    if not found or roll["dice"] or not 0 < int(found[1]) < roll["n"]:
        raise Broken(f"LOG: {where} is no reopening that Fieldpost makes")
    return [(roll["n"], int(found[1]), roll["actor"], roll["purpose"])]


def check_reopenings(reopened, withdrawn):
    """Dice stay as they fell where the log names a reopening, and nowhere else."""
    for n, lock, _, _ in {each[0]: each for each in reopened}.values():
        if lock not in withdrawn[n]:
            raise Broken(f"ROLLED AGAIN: lock {n} comes after lock {lock} was reopened, and does not keep its dice")
    for n, locks in withdrawn.items():
        for lock in locks:
            if not any(lock < at <= n for at, _, _, _ in reopened):
                raise Broken(f"REOPENING MISSING: lock {n} keeps the dice of lock {lock}, and no line says why")


def said_of(reopening):
    n, lock, actor, reason = reopening
    return f"REOPENED lock {lock} by {actor}: {' '.join(reason.split())} (played again as lock {n})"


def check_form(roll, where):
    numbers = all(type(each) is int for each in (roll["n"], roll["sides"], *roll["dice"]))
    if not re.fullmatch("[A-Za-z0-9/_.+-]{1,120}", roll["label"]) or not numbers or not 2 <= roll["sides"] <= 1000:
        raise Broken(f"LOG: {where} is no roll that Fieldpost makes")


def die(seed, mix, roll, index):
    """The die that the seed gives: 64 bits of HMAC-SHA-256, drawn again where they would favour low faces."""
    sides, counter = roll["sides"], 0
    while True:
        words = [SCHEME, "die", roll["campaign"], roll["audience"], roll["n"], mix, roll["label"], index, counter]
        message = "|".join(map(str, words)).encode()
        number = int.from_bytes(hmac.new(seed, message, "sha256").digest()[:8], "big")
        if number < 2**64 - 2**64 % sides:
            return 1 + number % sides
        counter += 1


def check_master(master, campaign, audience, anchor):
    message = f"{SCHEME}|chain|{campaign}|{audience}".encode()
    link = hmac.new(bytes.fromhex(master), message, "sha256").digest()
    for _ in range(CHAIN):
        link = hashlib.sha256(link).digest()
    if link != anchor:
        raise Broken(f"THE MASTER SEED DOES NOT LEAD TO THE ANCHOR of {audience}")


def json_lines(data, keys, what, *others):
    """Every line with what it says. There is one way only to write it."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    if lines.pop():
        raise Broken(f"{what.upper()}: the last line is not whole")
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line)
            written = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        except (ValueError, RecursionError):
            written, value = None, None
        if written != line or not isinstance(value, dict) or set(value) not in (keys, *others):
            raise Broken(f"{what.upper()}: line {number} is not as Fieldpost writes it")
        yield line, value


def counted(number, noun):
    """1 roll, 2 rolls."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def sha256(text):
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def main(arguments):
    if not 3 <= len(arguments) <= 5:
        return __doc__, 2
    files = [pathlib.Path(name).read_bytes() for name in arguments[:3]]
    return verdict(*files, *arguments[3:])


if __name__ == "__main__":
    said, status = main(sys.argv[1:])
    print(said)
    sys.exit(status)
