"""Requests to addresses that people typed: only to public hosts, over TLS, once, within a time and a size.

A host name is resolved here, its addresses are checked, and the connection goes to an address that was checked, so no
second answer of a name server can lead elsewhere. Redirects are not followed and proxies of the environment are not
used. Hosts that the admin's setting names may be anywhere, also without TLS.
"""

import ipaddress
import re
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError

PATIENCE = 20.0
"""Seconds that one request may take as a whole."""
LARGEST = 4_000_000
"""The most bytes of an answer that are read."""

Form = Sequence[tuple[str, str]]
Files = Mapping[str, tuple[str, bytes, str]]
"""By field: the name of a file, its content and its type."""


class AddressRefused(Exception):
    """No request goes to this address. The message says why, and what to do."""


class NotReached(Exception):
    """The request was not sent."""


class NoAnswer(Exception):
    """The request was sent, and what became of it is not known."""


@dataclass(frozen=True)
class Request:
    """What is sent."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Form = ()
    json: Any = None
    form: Form = ()
    files: Files = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    content: bytes


def send(request: Request, *, patience: float = PATIENCE) -> Answer:
    """The answer to a request, whatever its status. Raises AddressRefused, NotReached and NoAnswer."""
    check_address(request.url)
    with _line(patience) as line, requests.Session() as client:
        client.trust_env = False
        client.mount("https://", _ToChecked())
        client.mount("http://", _ToChecked())
        try:
            answer = client.request(
                request.method,
                request.url,
                headers={**request.headers, **_HEADERS},
                params=list(request.query),
                json=request.json,
                data=list(request.form) or None,
                files=dict(request.files) or None,
                timeout=patience,
                allow_redirects=False,
                stream=True,
            )
            with answer:
                content = answer.raw.read(LARGEST + 1, decode_content=False)
        except requests.exceptions.RequestException as error:
            raise _failure(line, error) from None  # its own words hold the address, with the key of a webhook
        except (OSError, HTTPError) as error:  # while the answer is read
            raise _failure(line, error) from None
    if line.cut_off or len(content) > LARGEST:
        raise NoAnswer("the answer is too long, or came too slowly")
    return Answer(answer.status_code, answer.headers, content)


_HEADERS = {
    "User-Agent": "Fieldpost",
    "Accept": "application/json",
    "Accept-Encoding": "identity",
    "Connection": "close",
}


def _failure(line: "_Line", error: Exception) -> Exception:
    """What a failed request means. No words of the library: they may hold the address of a webhook, with its key."""
    if line.refused:
        return AddressRefused(line.refused)
    if line.reached:
        return NoAnswer("the connection ended, or no answer came in time")
    return NotReached(f"nobody could be reached there ({type(error).__name__})")


# --- which addresses -------------------------------------------------------------------------------------------------


def check_address(url: str) -> None:
    """Raise AddressRefused unless requests may go to this address, as far as it can be told without asking."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AddressRefused("This is no address. It begins with https:// and the name of the forum.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise AddressRefused("This is no address. It begins with https:// and the name of the forum.")
    if parts.username is not None or parts.password is not None:
        raise AddressRefused("The address holds a name or a password. Leave out what is in front of the @.")
    if is_allowed(parts.hostname, port or _PORTS[parts.scheme]):
        return
    if parts.scheme != "https" or port not in (None, 443):
        raise AddressRefused("The address must begin with https:// and name no port.")


def normal_address(url: str) -> str:
    """The one form of all addresses that lead to the same place. Raises AddressRefused if it cannot be asked."""
    try:
        parts = urlsplit(
            requests.Request("GET", url).prepare().url or ""
        )  # as it would be asked, so no name is foreign
    except (requests.exceptions.RequestException, ValueError):
        raise AddressRefused("This is no address. It begins with https:// and the name of the forum.") from None
    host = (parts.hostname or "").rstrip(".")
    port = "" if parts.port in (None, _PORTS[parts.scheme]) else f":{parts.port}"
    path = re.sub("/{2,}", "/", parts.path).rstrip("/")
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{path}"


_PORTS = {"https": 443, "http": 80}


def is_allowed(host: str, port: int) -> bool:
    """Whether the admin's setting allows this host wherever it is."""
    return f"{host.lower()}:{port}" in {
        name.lower() if ":" in name else f"{name.lower()}:443" for name in settings.POSTING_HOSTS
    }


def port_of(url: str) -> tuple[str, int]:
    """The host of a checked address, and its port."""
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or _PORTS[parts.scheme]


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet, also if another kind of address is wrapped in it."""
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.teredo is not None or ip.sixtofour is not None or ip in _TRANSLATED:
            return False
        ip = ip.ipv4_mapped or ip
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that a gateway turns into any IPv4 address."""


def checked_addresses(host: str, port: int, *, patience: float = PATIENCE) -> list[str]:
    """The IP addresses of a host, all of them checked. Raises AddressRefused, and OSError if it has none."""
    addresses = list(dict.fromkeys(_looked_up(host, port, patience)))
    if not is_allowed(host, port) and not all(map(is_public, addresses)):
        raise AddressRefused(
            f"{host} is an address within a private network, and Fieldpost posts only to public forums. If this forum"
            " is yours, ask the person who runs this site to allow it (FIELDPOST_POSTING_HOSTS)."
        )
    return addresses


def _looked_up(host: str, port: int, patience: float) -> list[str]:
    """What the name server says. Raises OSError if it knows no such host, or says nothing in time.

    Nothing can end a look-up: it has a thread of its own, which is left behind when the time is over.
    """
    answer: Future[list[str]] = Future()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answer.set_result([str(each[4][0]).partition("%")[0] for each in found])
        except (OSError, ValueError) as error:
            answer.set_exception(error)

    threading.Thread(target=look_up, daemon=True).start()
    return answer.result(patience)


# --- the connection --------------------------------------------------------------------------------------------------


@dataclass
class _Line:
    """What is known of the one connection of a request."""

    ends: float
    """When its time is over, by the monotonic clock."""
    reached: bool = False
    """Whether the server was reached, so that it may have got the request."""
    refused: str = ""
    cut_off: bool = False
    handle: socket.socket | None = None

    def left(self) -> float:
        """Seconds that are left, more than 0. Raises TimeoutError if there are none."""
        left = self.ends - time.monotonic()
        if self.cut_off or left <= 0:
            raise TimeoutError("the time is over")
        return left

    def hold(self, sock: socket.socket) -> None:
        """Take over a connection, so that it can be cut. Raises TimeoutError if it comes too late for that."""
        self.handle = sock.dup()
        sock.settimeout(self.left())  # after the handle is there: from now on cut() finds it

    def cut(self) -> None:
        """End the connection, wherever it is."""
        self.cut_off = True
        if self.handle is not None:
            try:
                self.handle.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # it has ended already


_LINE: ContextVar[_Line] = ContextVar("line")


@contextmanager
def _line(patience: float) -> Iterator[_Line]:
    """A line for one request, which is cut when the time is over, however slowly bytes keep coming."""
    line = _Line(time.monotonic() + patience)
    before, timer = _LINE.set(line), threading.Timer(patience, line.cut)
    timer.daemon = True
    timer.start()
    try:
        yield line
    finally:
        timer.cancel()
        _LINE.reset(before)
        if line.handle is not None:
            line.handle.close()


def _connect(host: str, port: int) -> socket.socket:
    """A connection to one of the checked addresses of a host, which share the time that is left."""
    line = _LINE.get()
    try:
        addresses = checked_addresses(host, port, patience=line.left())
    except AddressRefused as why:
        line.refused = str(why)
        raise OSError(line.refused) from why
    trouble: OSError | None = None
    for tried, address in enumerate(addresses):
        try:
            sock = socket.create_connection((address, port), timeout=line.left() / (len(addresses) - tried))
        except OSError as error:
            trouble = error
        else:
            return _held(line, sock)
    raise trouble or OSError("no address")


def _held(line: _Line, sock: socket.socket) -> socket.socket:
    try:
        line.hold(sock)
    except OSError:
        sock.close()
        raise
    return sock


class _Checked(HTTPConnection):
    """A connection to a checked address, known to its request."""

    def _new_conn(self) -> socket.socket:
        return _connect(self.host, self.port or _PORTS["http"])

    def connect(self) -> None:
        super().connect()
        _LINE.get().reached = True


class _CheckedTLS(HTTPSConnection):
    """The same over TLS; the certificate must be that of the host's name."""

    def _new_conn(self) -> socket.socket:
        return _connect(self.host, self.port or _PORTS["https"])

    def connect(self) -> None:
        super().connect()
        _LINE.get().reached = True


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Checked


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls = _CheckedTLS


class _ToChecked(HTTPAdapter):
    """Sends by connections to checked addresses, once."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}
