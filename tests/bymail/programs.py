"""Mail programs: each writes a reply in another form. Their reader must find the same orders in all of them."""

from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.policy import SMTP
from html import escape

from tests.bymail.mailboxes import Got

_WIDTH = 72
Program = Callable[[EmailMessage, Got, str, str], None]
"""Writes into a reply to a mail the orders and a few words."""


def above(reply: EmailMessage, asked: Got, orders: str, words: str) -> None:
    """The orders above the quoted mail."""
    reply.set_content(f"{words}\n\n{_block(orders)}\n\nFieldpost wrote:\n{_quoted(asked.text)}\n")


def filled_in(reply: EmailMessage, asked: Got, orders: str, words: str) -> None:
    """The orders between the quoted marks, in the place of the template."""
    before, _, rest = asked.text.partition("\nBEGIN ORDERS\n")
    _, _, after = rest.partition("\nEND ORDERS\n")
    quoted = f"{_quoted(before)}\n> BEGIN ORDERS\n{orders}\n> END ORDERS\n{_quoted(after)}"
    reply.set_content(f"{words}\n\nOn Sunday Fieldpost wrote:\n{quoted}\n")


def below_the_template(reply: EmailMessage, asked: Got, orders: str, words: str) -> None:
    """The orders within the quoted template, whose lines stay."""
    before, mark, after = asked.text.partition("\nEND ORDERS\n")
    reply.set_content(
        f"{words}\n\nFieldpost schrieb:\n{_quoted(before)}\n{orders}\n{_quoted((mark + after).strip())}\n"
    )


def flowed(reply: EmailMessage, asked: Got, orders: str, words: str) -> None:
    """Long lines broken as format=flowed says."""
    lines = [broken for line in f"{words}\n\n{_block(orders)}".split("\n") for broken in _broken(line)]
    reply.set_content("\n".join(lines) + f"\n\nFieldpost wrote:\n{_quoted(asked.text)}\n", params={"format": "flowed"})


def without_text(reply: EmailMessage, asked: Got, orders: str, words: str) -> None:
    """HTML alone, a block for each line."""
    lines = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in f"{words}\n\n{_block(orders)}".split("\n"))
    quoted = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in asked.text.split("\n"))
    reply.set_content(f"<html><body>{lines}<br><blockquote>{quoted}</blockquote></body></html>", subtype="html")


def unmarked(reply: EmailMessage, asked: Got, orders: str, words: str) -> None:
    """The whole mail below, without quote marks."""
    reply.set_content(f"{words}\n\n{_block(orders)}\n\n{_original(asked)}\n{asked.text}\n", cte="base64")


def edited(reply: EmailMessage, asked: Got, orders: str, words: str) -> None:
    """The same, with the orders in the place of the template."""
    before, _, rest = asked.text.partition("\nBEGIN ORDERS\n")
    _, _, after = rest.partition("\nEND ORDERS\n")
    reply.set_content(f"{words}\n\n{_original(asked)}\n{before}\n{_block(orders)}\n{after}\n")


PROGRAMS: tuple[Program, ...] = (above, filled_in, below_the_template, flowed, without_text, unmarked, edited)


def reply_with(program: Program, asked: Got, *, sender: str, message_id: str, orders: str, words: str) -> EmailMessage:
    """What somebody mails in reply."""
    reply = EmailMessage(policy=SMTP)
    reply["From"], reply["To"] = sender, asked.headers["Reply-To"]
    reply["Subject"] = f"Re: {asked.headers['Subject']}"
    reply["Message-ID"], reply["In-Reply-To"] = message_id, asked.headers["Message-ID"]
    program(reply, asked, orders.rstrip("\n"), words)
    return reply


def _original(asked: Got) -> str:
    head = f"From: {asked.headers['From']}\nSent: Sunday\nTo: a player\nSubject: {asked.headers['Subject']}"
    return f"-----Original Message-----\n{head}\n"


def _block(orders: str) -> str:
    return f"BEGIN ORDERS\n{orders}\nEND ORDERS"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _broken(line: str) -> Iterator[str]:
    """A line in parts that end with a blank, but for the last one."""
    while len(line) > _WIDTH and (at := line.rfind(" ", 0, _WIDTH)) > 0:
        yield line[: at + 1]
        line = line[at + 1 :]
    yield line.rstrip(" ")
