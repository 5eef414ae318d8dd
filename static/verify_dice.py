#!/usr/bin/env python3
"""Check a dice log of a Fieldpost campaign. Needs Python 3.8 or newer and nothing else.

    python3 verify_dice.py anchors.txt reveal.jsonl log.jsonl HEAD [MASTER]

anchors.txt   whose log it is, and the anchor that was published when the campaign was made
reveal.jsonl  for each lock its seed, and what the sides brought to it
log.jsonl     the rolls
HEAD          the head of the log, as your newest report prints it
MASTER        the master seed, once the campaign has ended

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
REVEAL = {"audience", "n", "seed", "parts", "mix"}


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
    audience, anchor = read_anchor(anchors)
    seeds, mixes = read_reveals(reveals, audience, anchor)
    heads, rolls, campaign = read_log(log, audience, seeds, mixes)
    said = [f"OK {rolls} rolls of {audience}; head {heads[-1]}"]
    if not head:
        said.append("The head was not compared with a report: lines may have been cut off.")
    elif head not in heads:
        raise Broken(f"THE HEAD IS NOT THE ONE PUBLISHED: {head} is not in this log, which ends with {heads[-1]}")
    elif head != heads[-1]:
        said.append(f"{len(heads) - 1 - heads.index(head)} lines came after the head that you gave.")
    if master:
        check_master(master, campaign, audience, anchor)
        said.append("The anchor was made from the master seed.")
    return "\n".join(said)


def read_anchor(data):
    found = re.fullmatch(rb"([a-z0-9_-]+) ([0-9a-f]{64})\n", data)
    if not found:
        raise Broken("ANCHOR: not one line with an audience and 64 hexadecimal digits")
    return found[1].decode(), bytes.fromhex(found[2].decode())


def read_reveals(data, audience, anchor):
    """Each seed's SHA-256 is the seed before; the first one's is the anchor."""
    seeds, mixes = {0: anchor}, {}
    for n, (_, reveal) in enumerate(json_lines(data, REVEAL, "reveal"), 1):
        where = f"lock {n} of {audience}"
        if reveal["audience"] != audience or reveal["n"] != n:
            raise Broken(f"REVEAL: {where} is missing or out of order")
        if not re.fullmatch("[0-9a-f]{64}", str(reveal["seed"])):
            raise Broken(f"SEED CHANGED: {where}")
        seeds[n] = bytes.fromhex(reveal["seed"])
        if hashlib.sha256(seeds[n]).digest() != seeds[n - 1]:
            raise Broken(f"SEED CHANGED: {where}")
        if sha256("|".join(map(str, reveal["parts"]))) != reveal["mix"]:
            raise Broken(f"CONTRIBUTION CHANGED: {where}")
        mixes[n] = reveal["mix"]
    return seeds, mixes


def read_log(data, audience, seeds, mixes):
    """The head after every line, the number of rolls, and the campaign."""
    heads, seen, rolls, campaigns = ["0" * 64], set(), 0, set()
    for number, (line, roll) in enumerate(json_lines(data, ROLL, "log"), 1):
        where = f"line {number}, {roll['label']}"
        campaigns.add(roll["campaign"])
        if roll["prev"] != heads[-1]:
            raise Broken(f"LOG CUT OR CHANGED: {where} does not follow the line before")
        if roll["audience"] != audience or len(campaigns) > 1:
            raise Broken(f"LOG: {where} is of another log")
        if roll["n"] not in mixes:
            raise Broken(f"SEED MISSING: {where} is of lock {roll['n']}, which is not revealed")
        if (roll["n"], roll["label"]) in seen:
            raise Broken(f"ROLLED TWICE: {where}")
        check_form(roll, where)
        if roll["dice"] != [die(seeds[roll["n"]], mixes[roll["n"]], roll, i) for i in range(len(roll["dice"]))]:
            raise Broken(f"FALSE ROLL: {where}")
        seen.add((roll["n"], roll["label"]))
        rolls += bool(roll["dice"])
        heads.append(sha256(line))
    return heads, rolls, campaigns.pop() if campaigns else ""


def check_form(roll, where):
    label, sides = roll["label"], roll["sides"]
    if not re.fullmatch("[A-Za-z0-9/_.+-]{1,120}", label) or type(sides) is not int or not 2 <= sides <= 1000:
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


def json_lines(data, keys, what):
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
        if written != line or not isinstance(value, dict) or set(value) != keys:
            raise Broken(f"{what.upper()}: line {number} is not as Fieldpost writes it")
        yield line, value


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
