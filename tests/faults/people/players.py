"""Players under faults: they sign in, submit sheets over HTTP, and record each receipt."""

import html
import re
import secrets
import signal
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from pathlib import Path
from random import Random
from urllib.parse import urlencode, urlsplit

from tests.faults.checks.records import Record

AREA = "race"
"""What the names of campaigns of the area game begin with."""
PATIENCE = 3600.0
"""Seconds for which a request is repeated while the web process dies and comes back."""


class GaveUp(Exception):
    """The site did not answer for too long."""


class Answer:
    """An answer: status, redirect, page."""

    def __init__(self, status: int, location: str, text: str) -> None:
        self.status, self.location, self.text = status, location, text

    def proposed(self) -> str:
        """The orders on the page of a sheet: those that the briefing begins with, until there are others."""
        found = re.search(r'<textarea[^>]* name="text"[^>]*>([^<]*)</textarea>', self.text)
        return html.unescape(found.group(1)).strip() if found else ""

    def hidden(self) -> dict[str, str]:
        """The hidden fields of the page's last form that has one of each."""
        return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', self.text))


class Browser:
    """One person's session. A request that gets no answer or a server error is repeated unchanged."""

    def __init__(self, port: int) -> None:
        self._port, self._cookies = port, SimpleCookie()

    def get(self, path: str) -> Answer:
        return self._asked("GET", path, "")

    def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        return self._asked("POST", path, urlencode(fields))

    def enter(self, link: Callable[[], str]) -> None:
        """Sign in by a one-time link, as a person does: open it, press the button.

        If the answer is lost, the link is used up, and the person asks for another.
        """
        answer = None
        while answer is None or answer.status == HTTPStatus.GONE:
            page = self.get(urlsplit(link())._replace(scheme="", netloc="").geturl())
            answer = self.post("/enter/", page.hidden())
        if answer.status != HTTPStatus.FOUND:
            raise GaveUp(f"the one-time link was answered with {answer.status}")

    def _asked(self, method: str, path: str, body: str) -> Answer:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                answer = self.once(method, path, body)
            except (OSError, HTTPException):
                time.sleep(0.1)
                continue
            if answer.status < 500:
                return answer
            time.sleep(0.1)
        raise GaveUp(f"{method} {path}: no answer within {PATIENCE:g} s")

    def once(self, method: str, path: str, body: str = "") -> Answer:
        """The answer to one request. Raises OSError or HTTPException if there is none."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=10)
        cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in self._cookies.items())
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        try:
            connection.request(method, path, body or None, {"Cookie": cookies, **kind})
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        for cookie in response.headers.get_all("Set-Cookie") or ():
            self._cookies.load(cookie)
        return Answer(response.status, response.headers.get("Location", ""), text)


class Player:
    """Writes a side's sheets in all its player's campaigns; `marker` begins words for the side and the GM only."""

    def __init__(
        self, port: int, link: Callable[[], str], *, name: str, side: str, folder: Path, chance: Random
    ) -> None:
        self.browser, self.link, self.side, self.chance = Browser(port), link, side, chance
        self.acks = Record(folder, f"acks-{name}")
        self.running = True

    def play(self) -> None:
        """Play until SIGTERM. A sheet is acknowledged when the site has answered with the address of its receipt."""
        signal.signal(signal.SIGTERM, lambda *_: setattr(self, "running", False))
        self.browser.enter(self.link)
        while self.running:
            slugs = sorted(set(re.findall(r'href="/c/([\w-]+)/"', self.browser.get("/").text)))
            self.chance.shuffle(slugs)
            for slug in slugs:
                if self.running:
                    self._write(slug)
            time.sleep(0.05)

    def _write(self, slug: str) -> None:
        page = self.browser.get(f"/c/{slug}/orders/HQ/{'?first=1' if slug.startswith(AREA) else ''}")
        form = page.hidden()
        if page.status != 200 or "key" not in form:
            return
        text = f"NOTE marker-{self.side}-{secrets.token_hex(8)}\n" + self._orders(slug, page)
        text += "READY\n" if self.chance.random() < 0.75 else ""
        fields = {**form, "text": text, "act": "anyway"}  # whatever is ignored in the phase
        for _ in range(1 + (self.chance.random() < 0.2)):  # a double click is one submission
            answer = self.browser.post(f"/c/{slug}/orders/HQ/", fields)
            self._note(slug, fields, answer)

    def _orders(self, slug: str, page: Answer) -> str:
        """In the area game the first sheets of the briefings, and the wish to be asked; else hardly any orders."""
        if not slug.startswith(AREA):
            return "ALL OTHERS HOLD\n" * self.chance.randint(0, 1)
        first = [line for line in page.proposed().splitlines() if not line.startswith(("NOTE", "ASK", "READY"))]
        return "\n".join([*first, "ASK ME retreats", "ASK ME breakthroughs", ""])

    def _note(self, slug: str, fields: Mapping[str, str], answer: Answer) -> None:
        receipt = re.fullmatch(r"/c/[\w-]+/orders/HQ/(\d+)\.(\d+)/(\d+)/", answer.location)
        if answer.status == 302 and receipt:
            no, rev, version = map(int, receipt.groups())
            told = {"slug": slug, "no": no, "rev": rev, "version": version, "side": self.side}
            self.acks.write(**told, text=fields["text"], ready="READY" in fields["text"], key=fields["key"])
