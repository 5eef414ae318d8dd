"""What is written in a mail, decoded: raw bytes have encodings, boundaries and ids in which short words may occur."""

from email import message_from_bytes
from email.policy import default


def text_of(mail: bytes) -> str:
    """All texts of a mail, plain and HTML."""
    parts = message_from_bytes(mail, policy=default).walk()
    return "\n".join(part.get_content() for part in parts if part.get_content_maintype() == "text")


def plain_text_of(mail: bytes) -> str:
    """The plain text of a mail."""
    body = message_from_bytes(mail, policy=default).get_body(("plain",))
    assert body is not None
    return str(body.get_content())
