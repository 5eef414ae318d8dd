"""Where requests may go: to public hosts over TLS, to the very address that was checked, once, and not for long."""

import socket
import threading
import time as clock
import traceback
from collections.abc import Iterator
from typing import Any

import pytest

from posting.network import AddressRefused, NoAnswer, NotReached, Request, check_address, is_public, send
from tests.posting.forums import DiscourseServer

PRIVATE = [
    "127.0.0.1", "127.9.9.9", "0.1.2.3", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "192.0.0.1", "192.0.2.7", "198.18.0.1", "203.0.113.5", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::1", "2001:0:7f00:1::1", "::ffff:169.254.169.254",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_no_address_of_a_private_network_is_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://forum.example", "https://forum.example:8443", "ftp://forum.example", "https://", "forum.example",
        "https://name:secret@forum.example", "https://name@forum.example", "javascript:alert(1)", "https://a:b",
        "https://[::1", "file:///etc/passwd", "",
    ],
)  # fmt: skip
def test_addresses_of_other_shapes_are_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        check_address(url)


@pytest.mark.parametrize("address", [each for each in PRIVATE if "." in each][:6])
def test_a_name_that_leads_into_a_private_network_is_refused(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    _names(monkeypatch, [address])
    with pytest.raises(AddressRefused, match="private network"):
        send(Request("GET", "https://forum.example/"), patience=2)


def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    _names(monkeypatch, ["1.1.1.1", "10.0.0.1"])
    with pytest.raises(AddressRefused):
        send(Request("GET", "https://forum.example/"), patience=2)


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server that answers with a public address first, and then with one of ours, is asked once."""
    answers = iter([["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1"]])
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: _found(next(answers)))
    dialled: list[tuple[str, int]] = []

    def dial(address: tuple[str, int], **_: object) -> socket.socket:
        dialled.append(address)
        raise OSError("nobody there")

    monkeypatch.setattr(socket, "create_connection", dial)
    with pytest.raises(NotReached):
        send(Request("GET", "https://forum.example/"), patience=2)
    assert dialled == [("93.184.216.34", 443)]


def test_a_name_that_nobody_knows_is_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror("unknown")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(NotReached):
        send(Request("GET", "https://forum.example/"), patience=2)


def test_only_the_host_and_port_that_the_setting_names_are_allowed(settings: Any) -> None:
    settings.POSTING_HOSTS = ["Forum.internal:8080", "other.internal"]
    check_address("http://forum.internal:8080/api")
    check_address("https://other.internal/api")
    for url in ("http://forum.internal/", "http://forum.internal:81/", "http://other.internal/"):
        with pytest.raises(AddressRefused):
            check_address(url)


def test_proxies_and_passwords_of_the_environment_are_not_used(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    forum = DiscourseServer()
    settings.POSTING_HOSTS = [forum.host]
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login root password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    try:
        send(Request("GET", f"{forum.address}/t/77.json"), patience=2)
        assert "Authorization" not in forum.asked[0].headers
    finally:
        forum.close()


# --- slow and large answers ------------------------------------------------------------------------------------------


class Raw:
    """A server that says these bytes one by one, and then nothing."""

    def __init__(self, start: bytes, drip: bytes) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._start, self._drip, self._stop = start, drip, threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        line, _ = self._listener.accept()
        with line:
            line.recv(65536)
            try:
                line.sendall(self._start)
                while not self._stop.wait(0.05):
                    line.sendall(self._drip)
            except OSError:
                return  # the other end has gone


@pytest.fixture
def raw(request: pytest.FixtureRequest, settings: Any) -> Iterator[Raw]:
    server = Raw(*request.param)
    settings.POSTING_HOSTS = [server.host]
    yield server
    server.close()


_SLOW = [
    (b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b"x"),
    (b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n"),
    (b"HTTP/1.1 2", b""),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
]


@pytest.mark.parametrize("raw", _SLOW, indirect=True, ids=["body", "headers", "silence", "chunks"])
def test_an_answer_that_comes_byte_by_byte_is_not_waited_for(raw: Raw) -> None:
    began = clock.monotonic()
    with pytest.raises(NoAnswer):
        send(Request("GET", f"http://{raw.host}/"), patience=0.6)
    assert clock.monotonic() - began < 3


_ENDLESS = (b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", b"x" * 1_000_000)


@pytest.mark.parametrize("raw", [_ENDLESS], indirect=True)
def test_an_endless_answer_is_not_read_to_its_end(raw: Raw) -> None:
    with pytest.raises(NoAnswer):
        send(Request("GET", f"http://{raw.host}/"), patience=10)


@pytest.mark.parametrize("raw", [(b"no TLS", b"")], indirect=True)
def test_no_traceback_holds_the_key_of_a_webhook(raw: Raw) -> None:
    """Neither of a failed connection, nor of one that ends in the middle."""
    for scheme in ("https", "http"):
        with pytest.raises((NotReached, NoAnswer)) as failed:
            send(Request("POST", f"{scheme}://{raw.host}/api/webhooks/12345/W_{'t' * 60}"), patience=0.6)
        assert "W_ttt" not in "".join(traceback.format_exception(failed.value))


# --- slow ways there -------------------------------------------------------------------------------------------------

_DRIP = (b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b"x")


@pytest.fixture
def dripping(settings: Any) -> Iterator[str]:
    """The address of a host whose answer never ends, by its name."""
    server = Raw(*_DRIP)
    port = server.host.rpartition(":")[2]
    settings.POSTING_HOSTS = [f"forum.example:{port}"]
    yield f"http://forum.example:{port}/"
    with socket.socket() as guest:  # it waits for one, and there may have been none
        guest.connect(("127.0.0.1", int(port)))
    server.close()


def test_a_name_server_that_does_not_answer_is_not_waited_for(dripping: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _resolves(monkeypatch, ["127.0.0.1"], seconds=3)
    began = clock.monotonic()
    with pytest.raises(NotReached):
        send(Request("GET", dripping), patience=0.6)
    assert clock.monotonic() - began < 1.5


@pytest.mark.parametrize("dead", [1, 4])
def test_dead_addresses_share_the_time_and_leave_some_for_the_next(
    dripping: str, monkeypatch: pytest.MonkeyPatch, dead: int
) -> None:
    _resolves(monkeypatch, [*(f"192.0.2.{each}" for each in range(dead)), "127.0.0.1"])
    dialled = _swallow(monkeypatch)
    began = clock.monotonic()
    with pytest.raises(NoAnswer):  # the living one was reached
        send(Request("GET", dripping), patience=1.2)
    assert clock.monotonic() - began < 2
    assert len(dialled) == dead + 1


def test_a_host_of_dead_addresses_takes_no_longer_than_one(dripping: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _resolves(monkeypatch, [f"192.0.2.{each}" for each in range(20)])
    _swallow(monkeypatch)
    began = clock.monotonic()
    with pytest.raises(NotReached):
        send(Request("GET", dripping), patience=0.6)
    assert clock.monotonic() - began < 1.5


@pytest.mark.parametrize(("slowly", "outcome"), [(0.8, NotReached), (0.4, NoAnswer)], ids=["too late", "in time"])
def test_an_answer_after_a_slow_connection_is_not_waited_for(
    dripping: str, monkeypatch: pytest.MonkeyPatch, slowly: float, outcome: type[Exception]
) -> None:
    connect = socket.create_connection

    def dial(address: tuple[str, int], timeout: float) -> socket.socket:
        clock.sleep(slowly)
        return connect(address, timeout)

    _resolves(monkeypatch, ["127.0.0.1"])
    monkeypatch.setattr(socket, "create_connection", dial)
    began = clock.monotonic()
    with pytest.raises(outcome):
        send(Request("GET", dripping), patience=0.6)
    assert clock.monotonic() - began < 1.5


def _resolves(monkeypatch: pytest.MonkeyPatch, addresses: list[str], *, seconds: float = 0) -> None:
    """Let the name of the host mean these addresses, once the name server has taken its time."""
    resolve = socket.getaddrinfo

    def slowly(host: str, *args: Any, **kwargs: Any) -> list[Any]:
        if host != "forum.example":
            return resolve(host, *args, **kwargs)
        clock.sleep(seconds)
        return _found(addresses)

    monkeypatch.setattr(socket, "getaddrinfo", slowly)


def _swallow(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let no packet to other computers arrive; returns the addresses that are dialled."""
    connect, dialled = socket.create_connection, list[str]()

    def dial(address: tuple[str, int], timeout: float) -> socket.socket:
        dialled.append(address[0])
        if address[0] == "127.0.0.1":
            return connect(address, timeout)
        clock.sleep(timeout)
        raise TimeoutError("timed out")

    monkeypatch.setattr(socket, "create_connection", dial)
    return dialled


def _names(monkeypatch: pytest.MonkeyPatch, addresses: list[str]) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: _found(addresses))


def _found(addresses: list[str]) -> list[Any]:
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in addresses]
