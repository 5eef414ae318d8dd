"""The forms of a page, with what a browser would send by each of their buttons."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

WRITTEN = {
    "number": "12",
    "email": "somebody.else@example.org",
    "url": "https://example.org/film",
    "datetime-local": "2026-03-09T12:00",
}
"""What is put into empty fields, by their kind; into all others a word."""


_CONTROL = re.compile(r"</?(?:form|button|input|select|option|textarea)\b(?:\"[^\"]*\"|[^\">])*>[^<]*")
"""A tag of a form, and the text after it: pages with a board have a hundred times as many others."""


@dataclass
class Form:
    """A form that is sent by POST, with every empty field filled in and every box ticked."""

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[dict[str, str]] = field(default_factory=list)

    def presses(self) -> Iterator[dict[str, list[str]]]:
        """What is sent by each button."""
        for button in self.buttons:
            yield self.fields | {name: [value] for name, value in button.items()}


def forms_of(page: str, path: str) -> list[Form]:
    """The forms of a page at this address."""
    reader = _Reader(path)
    reader.feed("".join(_CONTROL.findall(page)))
    return reader.forms


class _Reader(HTMLParser):
    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._named: dict[str, Form | None] = {}
        self._control: tuple[Form, str] | None = None
        """The list or the text that is being read, and its form."""
        self._bare = False
        """Of a list, the entry that is sent is called as it is written."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._begin(found)
        elif tag == "option" and self._control:
            into, name = self._control
            self._bare = "value" not in found and ("selected" in found or name not in into.fields)
            if "value" in found and ("selected" in found or name not in into.fields):
                into.fields[name] = [found["value"]]
        elif form := self._named.get(found["form"]) if "form" in found else self._open:
            self._take(form, tag, found)

    def handle_data(self, data: str) -> None:
        text = self.lasttag == "textarea" or (self.lasttag == "option" and self._bare)
        if text and self._control and data.strip():
            form, name = self._control
            form.fields[name] = [data]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag in ("select", "textarea"):
            self._control = None

    def _begin(self, found: dict[str, str]) -> None:
        self._open = None
        if found.get("method", "").casefold() == "post":
            self._open = Form(found.get("action") or self._path)
            self.forms.append(self._open)
        if "id" in found:
            self._named[found["id"]] = self._open

    def _take(self, form: Form, tag: str, found: dict[str, str]) -> None:
        name, value = found.get("name", ""), found.get("value", "")
        if tag == "button" and found.get("type", "submit") == "submit":
            form.buttons.append({name: value} if name else {})
        elif tag in ("select", "textarea"):
            self._control = form, name
            if tag == "textarea":
                form.fields[name] = ["words"]
        elif tag == "input":
            self._fill(form, name, found.get("type", "text"), found)

    def _fill(self, form: Form, name: str, kind: str, found: dict[str, str]) -> None:
        value = found.get("value", "")
        if kind == "checkbox":
            form.fields.setdefault(name, []).append(value or "on")
        elif kind != "radio" or "checked" in found or name not in form.fields:
            form.fields[name] = [value or WRITTEN.get(kind, "words")]
