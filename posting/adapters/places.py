"""What all adapters share: a place to post to, what goes there, and what an answer means."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from campaign.reports.layout import clean
from posting.network import PATIENCE, AddressRefused, Answer, NoAnswer, NotReached, Request, normal_address, send

LONGEST_WAIT = 24 * 3600
"""Seconds: the longest pause that a forum can ask for."""
USUAL_WAIT = 60
"""Seconds, if it asks to wait and does not say how long."""
LONGEST_WORDS = 200
"""Characters of an answer that are shown."""


class Trouble(Exception):
    """A post did not go as it should. The message says why, for the GM."""


class NotSent(Trouble):
    """Nothing arrived. The same can be tried again."""


class Wait(NotSent):
    """Nothing was taken: the forum asks to wait."""

    def __init__(self, words: str, seconds: int) -> None:
        super().__init__(words)
        self.seconds = seconds


class PostRefused(Trouble):
    """It was refused, and would be again: a person must do something first."""

    def __init__(self, words: str, code: str = "") -> None:
        super().__init__(words)
        self.code = code
        """The forum's own word or number for the reason; empty if it gave none."""


class InDoubt(Trouble):
    """It may have arrived."""


@dataclass(frozen=True)
class Place:
    """Where posts go, and as whom."""

    address: str
    """Without a slash at its end."""
    thread: str
    """The number of a topic or thread; empty for a channel of Discord."""
    acts_as: str
    """The forum's name or number of the person who posts."""
    key: str
    patience: float = PATIENCE
    """Seconds that a request may take."""


@dataclass(frozen=True)
class Outgoing:
    """A post that goes out."""

    text: str
    mark: str
    """By which it is found again in its topic."""
    picture: bytes = b""
    """PNG; empty for none."""
    picture_name: str = ""

    @property
    def marked(self) -> str:
        """The text with its mark as its last line."""
        return f"{self.text}\n\n{mark_line(self.mark)}"


def mark_line(mark: str) -> str:
    """The line at the end of a post by which it is found again."""
    return f"Fieldpost {mark}"


class Adapter(ABC):
    """A kind of destination. Every method raises Trouble."""

    key: ClassVar[str]
    title: ClassVar[str]
    readable: ClassVar[bool]
    """Whether its topic can be read, so that a post in doubt can be looked up."""
    threads_are_apart: ClassVar[bool] = True
    """Whether threads at the same address may have different readers."""

    def __init__(self, place: Place) -> None:
        self.place = place

    @classmethod
    def normal(cls, address: str) -> str:
        """The one form of all addresses that lead to the same place. Raises AddressRefused."""
        return normal_address(address)

    @abstractmethod
    def post(self, post: Outgoing) -> str:
        """Post it; returns its number there, empty if the forum does not say one yet."""

    @abstractmethod
    def edit(self, remote: str, post: Outgoing) -> None:
        """Put this text in the place of a post's."""

    @abstractmethod
    def delete(self, remote: str) -> None:
        """Delete a post; nothing happens if it is gone already."""

    @abstractmethod
    def find(self, mark: str) -> str:
        """The number of the post of ours with this mark; empty if it is not there."""

    @abstractmethod
    def headers(self) -> dict[str, str]:
        """Those that say who asks."""

    def ask(self, request: Request) -> Any:
        """The JSON of a good answer, None for an empty one. Raises Trouble."""
        request = replace(request, headers={**request.headers, **self.headers()})
        try:
            answer = send(request, patience=self.place.patience)
        except AddressRefused as why:
            raise PostRefused(str(why)) from why
        except NotReached as why:
            raise NotSent(f"Not reached: {why}.") from why
        except NoAnswer as why:
            raise InDoubt(f"It may have arrived: {why}.") from why
        return self._understood(answer)

    def _understood(self, answer: Answer) -> Any:
        words = f"{answer.status} {self._hidden(said(answer))}".strip()
        if answer.status == 429:
            seconds = pause(answer)
            raise Wait(f"It asks to wait {seconds} s ({words}).", seconds)
        if 300 <= answer.status < 400:
            raise PostRefused(
                f"It answers with a redirect ({answer.status}), which Fieldpost does not follow. Enter the address that"
                " the forum's pages show in the browser."
            )
        if 400 <= answer.status < 500 and answer.status != 408:
            raise PostRefused(f"Refused: {words}.{_CURES.get(answer.status, '')}", code_of(answer))
        if not 200 <= answer.status < 300:
            raise InDoubt(f"It may have arrived: the forum answered {words}.")
        return _read(answer)

    def _hidden(self, words: str) -> str:
        return words.replace(self.place.key, "…") if self.place.key else words


_CURES = {
    401: " Check the key.",
    403: " Check what the key, and the person it posts as, may do there.",
    404: " Check the address and the number of the thread.",
    413: " The forum takes no file as large as this.",
    422: " The forum does not take this content.",
}


def said(answer: Answer) -> str:
    """What an answer with an error says, as the three kinds of forums write it, in one line."""
    return clean(" ".join(_sentences(_read(answer))))[:LONGEST_WORDS]


def code_of(answer: Answer) -> str:
    """The forum's own word or number for an error; empty if it gives none."""
    found = _read(answer)
    if not isinstance(found, dict):
        return ""
    errors = found.get("errors")
    first = errors[0] if isinstance(errors, list) and errors and isinstance(errors[0], dict) else {}
    return str(found.get("error_type") or found.get("code") or first.get("code") or "")


def _read(answer: Answer) -> Any:
    try:
        return json.loads(answer.content)
    except (ValueError, RecursionError):  # the latter if it is nested too deeply
        return None


def _sentences(found: Any) -> Iterator[str]:
    if not isinstance(found, dict):
        return
    if isinstance(found.get("message"), str):
        yield found["message"]
    errors = found.get("errors")
    for each in errors if isinstance(errors, list) else ():
        words = each.get("message") if isinstance(each, dict) else each
        if isinstance(words, str):
            yield words


def pause(answer: Answer) -> int:
    """Seconds that an answer asks to wait, at least 1."""
    found = _read(answer)
    extras = found.get("extras") if isinstance(found, dict) else None
    asked = [
        answer.headers.get("Retry-After", ""),
        found.get("retry_after") if isinstance(found, dict) else "",
        extras.get("wait_seconds") if isinstance(extras, dict) else "",
    ]
    numbers = [float(each) for each in map(str, asked) if re.fullmatch(r"\d{1,9}(\.\d+)?", each)]
    return min(max(int(max(numbers, default=USUAL_WAIT)) + 1, 1), LONGEST_WAIT)


@contextmanager
def nothing_posted() -> Iterator[None]:
    """A block before a post goes out: whatever is in doubt in it, the post itself has not arrived."""
    try:
        yield
    except InDoubt as why:
        raise NotSent(f"Nothing was posted yet: {why}") from why


_REMOTE = re.compile(r"[0-9]{1,20}")


def number_in(found: Any, *path: str) -> str:
    """A number in an answer, as text of 1 to 20 digits. Raises InDoubt if there is none."""
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    number = str(found) if isinstance(found, int | str) and not isinstance(found, bool) else ""
    if _REMOTE.fullmatch(number):
        return number
    raise InDoubt("It may have arrived: the answer names no post.")


def listed(found: Any, *path: str) -> list[dict[str, Any]]:
    """A list of objects in an answer. Raises InDoubt if there is none."""
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, list):
        raise InDoubt("The answer is not one of this kind of forum.")
    return [each for each in found if isinstance(each, dict)]
