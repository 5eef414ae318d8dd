"""A mailbox by IMAP: its mails are read, and marked as seen or moved. Nothing here deletes a mail.

The library's own ways to flag and move a mail also expunge those that somebody else has flagged as deleted.
"""

import imaplib
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from imap_tools import BaseMailBox, ImapToolsError, MailBox, MailBoxUnencrypted
from imap_tools.errors import MailboxFolderSelectError, MailboxLoginError
from imap_tools.utils import encode_folder

from incoming.receiving import LARGEST
from incoming.ways.heads import LARGEST_HEAD, headers_only
from incoming.ways.mailbox_url import STARTTLS, TLS, Source

SECONDS = 15.0
"""How long the server may take for each answer."""


class Unreadable(Exception):
    """The mailbox cannot be read. The message says why, for the administrator; it names no address."""


class MailUnavailable(Exception):
    """The server does not give this one mail."""


@dataclass(frozen=True)
class Head:
    """What is read of a mail first."""

    uid: int
    at: datetime
    """When the mailbox took it: INTERNALDATE."""
    size: int
    headers: bytes

    @property
    def is_too_large(self) -> bool:
        """Whether only its headers are kept."""
        return self.size > LARGEST


class Folder:
    """A folder that is open for reading."""

    def __init__(self, client: imaplib.IMAP4) -> None:
        self._client = client
        _, found = client.response("UIDVALIDITY")
        if not found or not found[-1]:
            raise Unreadable("The mail server numbers no mails: it gives no UIDVALIDITY.")
        self.validity = int(found[-1])
        """Its UIDVALIDITY."""

    def uids_after(self, uid: int) -> list[int]:
        """The UIDs of the mails that came after this one, in their order."""
        status, found = self._client.uid("SEARCH", "UID", f"{uid + 1}:*")
        if status != "OK":
            raise Unreadable("The mail server does not list the mails.")
        # a server names its last mail even if that is older
        return sorted({number for part in found if part for number in map(int, part.split()) if number > uid})

    def head(self, uid: int) -> Head | None:
        """What is read of a mail first; None if it is gone. Raises MailUnavailable."""
        found = self._fetch(uid, f"(UID INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER]<0.{LARGEST_HEAD}>)")
        if found is None:
            return None
        said, headers = found
        size = re.search(r"RFC822\.SIZE (\d+)", said)
        return Head(uid, internal_date(said), int(size[1]) if size else 0, headers)

    def whole(self, head: Head) -> bytes | None:
        """A mail as it came, or its headers alone if it is too large; None if it is gone. Raises MailUnavailable."""
        if head.is_too_large:
            return headers_only(head.headers)
        found = self._fetch(head.uid, f"(UID BODY.PEEK[]<0.{LARGEST}>)")
        return None if found is None else found[1]

    def put_away(self, uid: int, folder: str) -> None:
        """Mark a mail as seen, and move it if a folder is named."""
        if self._client.uid("STORE", str(uid), "+FLAGS.SILENT", r"(\Seen)")[0] != "OK":
            raise Unreadable("Mails cannot be marked as seen in the mailbox.")
        if not folder:
            return
        if b" MOVE " not in b" %b " % b" ".join(self._client.capability()[1]).upper():  # once signed in there are more
            raise Unreadable("The mail server cannot move mails. Leave FIELDPOST_MAIL_IN_MOVE_TO empty.")
        if self._client.uid("MOVE", str(uid), encode_folder(folder))[0] != "OK":  # type: ignore[arg-type] # bytes do
            raise Unreadable("Mails cannot be moved to the folder that FIELDPOST_MAIL_IN_MOVE_TO names.")

    def _fetch(self, uid: int, parts: str) -> tuple[str, bytes] | None:
        """What the server says of a mail around its text, and the text."""
        status, found = self._client.uid("FETCH", str(uid), parts)
        if status != "OK":
            raise MailUnavailable(f"mail {uid} of the mailbox")
        for number, each in enumerate(found):
            if isinstance(each, tuple):
                after = found[number + 1] if number + 1 < len(found) else b""
                said = b" ".join([each[0], after if isinstance(after, bytes) else b""]).decode("ascii", "replace")
                if re.search(rf"\bUID {uid}\b", said):
                    return said, each[1]
        return None


@contextmanager
def opened(source: Source) -> Iterator[Folder]:
    """A mailbox's folder for a block, in which every trouble with it is Unreadable."""
    try:
        box = _connected(source)
        try:
            yield Folder(_selected(box, source))
        finally:
            with suppress(imaplib.IMAP4.error, ImapToolsError, OSError):
                box.logout()  # all that matters is done or has failed before
    except (imaplib.IMAP4.error, ImapToolsError, OSError) as error:
        raise Unreadable(in_words(error, source)) from error


def in_words(error: Exception, source: Source) -> str:
    """What is wrong, for the administrator. It does not quote the server, which may name addresses."""
    match error:
        case ssl.SSLCertVerificationError():
            return f"The certificate of {source.host} is not valid: {error.verify_message}."
        case ssl.SSLError():
            return f"{source.host} does not speak TLS at port {source.port}, or not ours."
        case TimeoutError():
            return f"{source.host} does not answer within {SECONDS:.0f} seconds."
        case OSError():
            return f"{source.host} cannot be reached at port {source.port}: {error.strerror or type(error).__name__}."
        case MailboxLoginError():
            return f"{source.host} refuses user and password."
        case MailboxFolderSelectError():
            return "The mailbox has no folder of the name that FIELDPOST_MAIL_IN_URL ends with."
    return f"{source.host} ended the conversation ({type(error).__name__})."


def _connected(source: Source) -> BaseMailBox:
    """A conversation with the server. The library would believe any certificate."""
    where: dict[str, Any] = {"host": source.host, "port": source.port, "timeout": SECONDS}
    if source.scheme == TLS:
        return MailBox(**where, ssl_context=ssl.create_default_context())
    return MailBoxUnencrypted(**where)


def _selected(box: BaseMailBox, source: Source) -> imaplib.IMAP4:
    if source.scheme == STARTTLS:
        box.client.starttls(ssl_context=ssl.create_default_context())
    try:
        signs_in = box.login if f"{source.user}{source.password}".isascii() else box.login_utf8
        signs_in(source.user, source.password, initial_folder=None)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as error:
        raise MailboxLoginError(("NO", [b""]), "OK") from error
    box.folder.set(source.folder)
    return box.client


def internal_date(said: str) -> datetime:
    found = re.search(r'INTERNALDATE " ?(\d+)-(\w{3})-(\d{4} [\d:]{8} [+-]\d{4})"', said)
    if found is None:
        raise Unreadable("The mail server does not say when it took mails: it gives no INTERNALDATE.")
    try:
        return parsedate_to_datetime(f"{found[1]} {found[2]} {found[3]}").astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise MailUnavailable("a mail of the mailbox, which has an impossible date,") from error
