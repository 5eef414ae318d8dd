"""Options of a ruleset: choices that groups argue about, made when a campaign is created.

A ruleset's options are one struct. Each field has a default and is annotated with what it asks and what each answer
means, so that forms, rules pages and messages come out of the type.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from campaign.engine.values.value import Value

Chosen = TypeVar("Chosen", bound=Value)


class Asks(Value, frozen=True):
    """What an option decides, in plain words, and what each answer means, by its value as text."""

    question: str
    answers: Mapping[str, str]
    rule: str = ""
    topic: str = ""
    """The heading of a form under which it is asked; options in a row share one."""
    before: str = ""
    """The answer of campaigns that are older than the question; empty: the default."""
    source: str = ""
    """The answer of the published rules that the ruleset follows; empty: they leave it open."""
    effect: str = ""
    """What was measured of the answers that are not the default."""


@dataclass(frozen=True)
class Option:
    """A field of an options struct."""

    name: str
    topic: str
    question: str
    rule: str
    answers: tuple[tuple[str, str], ...]
    """Each value that may be chosen, as text, with what it means."""
    default: str
    before: str
    """What campaigns have that were created before it was asked."""
    source: str
    """The answer of the published rules; empty: they leave it open."""
    effect: str
    """What was measured of the other answers; empty: nothing."""

    def meaning(self, answer: str) -> str:
        """What an answer means, in words."""
        return dict(self.answers)[answer]

    def departs(self, answer: str) -> bool:
        """Whether an answer departs from the published rules."""
        return bool(self.source) and answer != self.source


class NoOptions(Value, frozen=True):
    """For rulesets that leave nothing to choose."""


def options_in(kind: type[Value]) -> tuple[Option, ...]:
    """The options of a struct in their order."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_option(info, hints[info.name]) for info in msgspec.structs.fields(kind))


def chosen(kind: type[Chosen], answers: Mapping[str, str]) -> Chosen:
    """The options that these answers choose, text by name. An option that is left out has its default.

    Raises ValueError for an unknown option and for an answer that it does not offer.
    """
    known = {option.name: option for option in options_in(kind)}
    types = {info.name: info.type for info in msgspec.structs.fields(kind)}
    for name, answer in answers.items():
        if name not in known:
            raise ValueError(f"there is no option {name!r}")
        if answer not in dict(known[name].answers):
            offered = ", ".join(value for value, _ in known[name].answers)
            raise ValueError(f"{name} must be one of {offered}, not {answer!r}")
    return kind(**{name: _from_text(types[name], answer) for name, answer in answers.items()})


def answers_of(options: Value) -> dict[str, str]:
    """The inverse of `chosen`: every option's answer as text."""
    return {option.name: _to_text(getattr(options, option.name)) for option in options_in(type(options))}


def _option(info: msgspec.structs.FieldInfo, hint: Any) -> Option:
    asks = next(extra for extra in get_args(hint)[1:] if isinstance(extra, Asks))
    answers = tuple(asks.answers.items())
    default = _to_text(info.default)
    return Option(
        info.name,
        asks.topic,
        asks.question,
        asks.rule,
        answers,
        default,
        asks.before or default,
        asks.source,
        asks.effect,
    )


def _to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value.value if isinstance(value, Enum) else value)


def _from_text(kind: Any, text: str) -> Any:
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if kind is bool:
        return text == "yes"
    return kind(text)
