"""A mail from bytes to what its writer says: the orders, the words, and what could not be read."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from email.message import Message

from incoming.reading.kinds import Judged, kind_of
from incoming.reading.orders.blocks import Orders, orders_of
from incoming.reading.orders.template import Template
from incoming.reading.quotation import Quotation
from incoming.reading.results import Kind, Reading
from incoming.reading.text.message import (
    TooComplicated,
    headers_of,
    message_id_of,
    normal,
    only_headers,
    sender_of,
    subject_of,
    take_apart,
)
from incoming.reading.text.parts import Body, body_of
from incoming.reading.words import words_of

MOST_NAMED = 3
"""Attachments that are named in a sentence."""
LONGEST_WORDS = 20_000
"""Characters of their own words that are kept."""


def read(raw: bytes, *, sent: Sequence[str]) -> Reading:
    """What a mail says. `sent`: the lines between the marks of the template that we sent to its writer.

    Never raises, whatever the bytes are: what cannot be read is a problem.
    """
    raw = normal(raw)
    try:
        message = take_apart(raw)
    except TooComplicated as why:
        return _refused(raw, str(why))
    headers = headers_of(message)
    sender, subject = sender_of(headers), subject_of(headers)
    judged = kind_of(raw, message, headers, sender=sender, subject=subject)
    reading = Reading(judged.kind, sender, message_id_of(headers), subject, bounced=judged.bounced)
    return reading if judged.kind is Kind.BOUNCE else _with_text(reading, message, judged, Template(sent))


def _refused(raw: bytes, why: str) -> Reading:
    """A mail that would take too long to read, by its headers alone."""
    headers = headers_of(only_headers(raw))
    sentence = f"We did not read your mail: {why}. Send it again as plain text, with your orders in the mail itself."
    return Reading(Kind.REPLY, sender_of(headers), message_id_of(headers), subject_of(headers), problems=(sentence,))


def _with_text(reading: Reading, message: Message, judged: Judged, template: Template) -> Reading:
    body = body_of(message)
    quotation = Quotation(body.text.lines)
    orders = orders_of(quotation, template)
    words = words_of(quotation, orders.lines)
    whole = body.text.whole and len(words) <= LONGEST_WORDS
    words = words[:LONGEST_WORDS].rstrip()
    if reading.kind is Kind.AUTOMATIC:
        sentence = f"A program seems to have written this mail, so we took no orders from it. {judged.why}."
        return replace(reading, words=words, problems=(sentence,))
    problems = (*orders.problems, *_problems_of(body, orders, whole=whole))
    return replace(reading, orders=orders.text, words=words, problems=problems)


def _problems_of(body: Body, orders: Orders, *, whole: bool) -> Iterator[str]:
    """What of a mail could not be read, apart from its orders."""
    if body.encrypted:
        yield "Your mail is encrypted, and we have no key to read it. Send it again without encryption."
    elif body.attached and orders.text is None:
        named = ", ".join(body.attached[:MOST_NAMED])
        yield (
            f"We do not read attachments ({named}). If your orders are there, copy them into the mail itself, between"
            " BEGIN ORDERS and END ORDERS, and reply again."
        )
    elif not any(line.text.strip() for line in body.text.lines):
        yield "Your mail has no text that we can read. Send it again as plain text, without pictures of text."
    if not whole:
        yield "Your mail is very long, and we read only its beginning. Delete what you quote, and send it again."
    if not body.certain:
        yield (
            "Some letters of your mail could not be read, because it does not say correctly how they are encoded. Check"
            " our answer; if it shows a word wrongly, send your mail again as plain text in UTF-8."
        )
