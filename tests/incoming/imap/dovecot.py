"""A dovecot of our own (Debian: apt install dovecot-imapd), without any privilege, at free ports of this computer."""

import imaplib
import os
import pwd
import shutil
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any

USER, PASSWORD = "orders@example.org", "secret; 50 % @ home/é"
UNPRIVILEGED = ("nobody", "nogroup")
"""Who dovecot runs as where the tests are run by root: it refuses to be root."""
_CONFIGURATION = """
protocols = imap
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
default_login_user = {user}
default_internal_user = {user}
default_internal_group = {group}
first_valid_uid = 1
disable_plaintext_auth = no
mail_location = maildir:{folder}/mail/%u
ssl = yes
ssl_cert = <{folder}/certificate.pem
ssl_key = <{folder}/key.pem
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
passdb {{
  driver = passwd-file
  args = {folder}/users
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/home
}}
"""


class Dovecot:
    """A mail server with one mailbox, which can be stopped and started again."""

    def __init__(self) -> None:
        self.port, self.tls_port = _free_port(), _free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="dovecot-"))  # not pytest's, into which only its owner may look
        self.user, self.group = UNPRIVILEGED if os.geteuid() == 0 else (_own_name(), str(os.getegid()))
        told = {"folder": self.folder, "user": self.user, "group": self.group}
        ports = {"port": self.port, "tls_port": self.tls_port}
        (self.folder / "dovecot.conf").write_text(_CONFIGURATION.format(**told, **ports))
        (self.folder / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
        _certify(self.folder)
        if os.geteuid() == 0:
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, self.user, self.group)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        who: dict[str, Any] = {"user": self.user, "group": self.group, "extra_groups": []} if os.geteuid() == 0 else {}
        command = [_dovecot(), "-F", "-c", str(self.folder / "dovecot.conf")]
        self._process = subprocess.Popen(command, **who)
        until = monotonic() + 30
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=10) as client:
                    if client.recv(100).startswith(b"* OK"):
                        return
            except OSError:
                pass  # not yet
            assert monotonic() < until, (self.folder / "log").read_text()
            sleep(0.05)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(30)
            self._process = None

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def empty(self) -> None:
        """Begin with an empty mailbox, as a new user has."""
        shutil.rmtree(self.folder / "mail", ignore_errors=True)

    def renumber(self) -> None:
        """Lose the numbers of the mails, as a server does that was restored: there is another UIDVALIDITY."""
        sleep(1.1)  # it is the time in seconds
        for path in (self.folder / "mail" / USER).glob("dovecot*"):
            path.unlink()

    @contextmanager
    def client(self, folder: str = "INBOX") -> Iterator[imaplib.IMAP4]:
        """A conversation of a mail program."""
        client = imaplib.IMAP4("127.0.0.1", self.port, timeout=20)
        client.authenticate("PLAIN", lambda _: f"\0{USER}\0{PASSWORD}".encode())
        client.select(folder)
        yield client
        client.logout()

    def put(self, raw: bytes, at: datetime, flags: str = "") -> None:
        """Let a mail come at this time."""
        with self.client() as client:
            assert client.append("INBOX", flags, imaplib.Time2Internaldate(at), raw)[0] == "OK"

    def flags(self, folder: str = "INBOX") -> list[str]:
        """The flags of each mail in a folder."""
        with self.client(folder) as client:
            found = client.uid("FETCH", "1:*", "(FLAGS)")[1]
        flags = [each.decode().rpartition("(")[2].rstrip(")") for each in found if isinstance(each, bytes)]
        return [each.replace(r" \Recent", "") for each in flags]


def _dovecot() -> str:
    found = shutil.which("dovecot", path=f"{os.environ['PATH']}:/usr/sbin")
    assert found, "these tests need dovecot (Debian: apt install dovecot-imapd)"
    return found


def _own_name() -> str:
    return pwd.getpwuid(os.geteuid()).pw_name


def _certify(folder: Path) -> None:
    """A certificate for this computer that nobody vouches for."""
    subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    files = ("-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem"))
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *files]
    subprocess.run(command, check=True, capture_output=True)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def believing(folder: Path) -> ssl.SSLContext:
    """What a computer believes whose owner has installed the certificate."""
    return ssl.create_default_context(cafile=str(folder / "certificate.pem"))
