"""What our own mail server found out about a sender: the topmost Authentication-Results, if it is ours (RFC 8601).

A sender can write the same header, with our server's name, into their mail. It is then below the one that our server
put on top, and is never looked at.
"""

import re

from incoming.reading.results import Verdict
from incoming.reading.text.message import LONGEST_FIELD, end_of_headers

_FIELD = re.compile(rb"authentication-results[ \t]*:", re.IGNORECASE)
_RESULT = re.compile(r"\s*(dmarc|spf|dkim)\s*(?:/\s*\d{1,5}\s*)?=\s*([a-z]+)", re.IGNORECASE)
_NAME = re.compile(r'\s*"?([^\s";]+)"?(?:\s+\d{1,5})?\s*')
_FAILS = {
    "dmarc": {"fail"},
    "dkim": {"fail", "hardfail"},
    "spf": {"fail", "hardfail", "softfail"},
}


def verdict(raw: bytes, authserv_id: str) -> Verdict:
    """Whether our server vouches for the sender. NONE if it says nothing, or something that we cannot read.

    FAIL if DMARC fails or, where there is no result of DMARC, if both SPF and DKIM do.
    """
    value = _topmost(raw)
    parts = _parts(value) if value is not None and authserv_id.strip() else None
    if not parts:
        return Verdict.NONE
    name = _NAME.fullmatch(parts[0])
    if name is None or name[1].casefold() != authserv_id.strip().casefold():
        return Verdict.NONE
    return _judged([(found[1].lower(), found[2].lower()) for part in parts[1:] if (found := _RESULT.match(part))])


def _judged(results: list[tuple[str, str]]) -> Verdict:
    by_method = {method: {result for name, result in results if name == method} for method in _FAILS}
    if by_method["dmarc"] & _FAILS["dmarc"]:
        return Verdict.FAIL
    if "pass" in by_method["dmarc"]:
        return Verdict.PASS
    if "pass" in by_method["spf"] | by_method["dkim"]:
        return Verdict.PASS
    return Verdict.FAIL if all(by_method[method] & _FAILS[method] for method in ("spf", "dkim")) else Verdict.NONE


def _topmost(raw: bytes) -> str | None:
    """The value of the first such header; None if there is none, or it is not one that our server would write."""
    raw = raw.replace(b"\r\n", b"\n")
    rows = raw[: end_of_headers(raw)].split(b"\n")
    for index, row in enumerate(rows):
        if _FIELD.match(row):
            unfolded = [row.partition(b":")[2]]
            for following in rows[index + 1 :]:
                if not following.startswith((b" ", b"\t")):
                    break
                unfolded.append(following)
            value = b" ".join(unfolded)
            clean = value.isascii() and len(value) <= LONGEST_FIELD and not re.search(rb"[\x00-\x08\x0b-\x1f]", value)
            return value.decode("ascii") if clean else None
    return None


def _parts(value: str) -> list[str] | None:
    """A value without its comments, cut at the semicolons that are not quoted; None if it is malformed."""
    parts, kept, depth, quoted = [], [], 0, False
    letters = iter(value)
    for letter in letters:
        if letter == "\\" and (quoted or depth):
            next(letters, "")
        elif quoted or (letter == '"' and not depth):
            quoted = letter != '"' if quoted else True
            kept.append(letter)
        elif letter in "()":
            depth += 1 if letter == "(" else -1
            kept.append(" ")
            if depth < 0:
                return None
        elif letter == ";" and not depth:
            parts.append("".join(kept))
            kept = []
        elif not depth:
            kept.append(letter)
    return None if depth or quoted else [*parts, "".join(kept)]
