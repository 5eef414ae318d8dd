"""Which mailbox is polled: the setting FIELDPOST_MAIL_IN_URL."""

import hashlib
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from django.conf import settings

TLS, STARTTLS, PLAIN = "imaps", "imap+tls", "imap"
_PORTS = {TLS: 993, STARTTLS: 143, PLAIN: 143}
INBOX = "INBOX"


@dataclass(frozen=True, kw_only=True)
class Source:
    """A folder of a mailbox."""

    scheme: str
    host: str
    port: int
    user: str
    password: str = field(repr=False)
    folder: str

    @property
    def name(self) -> str:
        """What it is known by in the database; it gives neither user nor server away."""
        return hashlib.sha256("\n".join([self.user, self.host, self.folder]).encode()).hexdigest()

    @property
    def encrypted(self) -> bool:
        return self.scheme != PLAIN


def source() -> Source:
    """The mailbox that the settings name. Raises ValueError, which never repeats the password."""
    try:
        url = urlsplit(settings.MAIL_IN_URL)
        port = url.port
    except ValueError:
        raise ValueError("FIELDPOST_MAIL_IN_URL is no URL.") from None
    if not settings.MAIL_IN_URL:
        raise ValueError("FIELDPOST_MAIL_IN_URL is missing.")
    if url.scheme not in _PORTS:
        raise ValueError("FIELDPOST_MAIL_IN_URL does not begin with imaps://, imap+tls:// or imap://.")
    if not url.hostname or not url.username or not url.password:
        raise ValueError("FIELDPOST_MAIL_IN_URL does not name user, password and server.")
    if url.query or url.fragment:
        raise ValueError("FIELDPOST_MAIL_IN_URL has a ? or a #, which must be written as %3F or %23.")
    return Source(
        scheme=url.scheme,
        host=url.hostname,
        port=port or _PORTS[url.scheme],
        user=unquote(url.username),
        password=unquote(url.password),
        folder=unquote(url.path.strip("/")) or INBOX,
    )
