"""The supplied scenarios as they are offered, and the form for a practice campaign."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from django import forms
from django.forms.boundfield import BoundField, BoundWidget

from campaign.engine.phases import Weight
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.options import answers_of, chosen, options_in
from campaign.game.guide import guide_file
from campaign.game.loading import SCENARIOS, START, Loaded, load_scenario, supplied_scenarios
from campaign.handling import weights_of
from campaign.maps.drawing.edition import version_of
from campaign.secrecy import truth


@cache
def supplied() -> Mapping[str, Loaded]:
    """The supplied scenarios, by the names that forms use."""
    with truth.opened(START):
        return {str(folder.relative_to(SCENARIOS)): load_scenario(folder).open for folder in supplied_scenarios()}


def scenarios() -> list[tuple[str, str]]:
    """The supplied scenarios as choices: their names with their rulesets."""
    return [(name, f"{loaded.scenario.title} ({loaded.rules.title})") for name, loaded in supplied().items()]


@dataclass(frozen=True)
class Card:
    """A scenario for people who choose one: everybody may know all of it."""

    ruleset: str
    slug: str
    title: str
    facts: str
    """Its days, their number, and the size of its map, in words."""
    players: str
    """How many it suits; empty: it does not say."""
    about: str
    version: str
    """The edition of its map: another one whenever it would be drawn differently."""
    guided: bool
    """Whether a guide leads every side through its first day."""


def card_of(name: str) -> Card:
    """A supplied scenario as people choose it; KeyError if there is none of this name."""
    loaded = supplied()[name]
    scenario, base = loaded.scenario, loaded.base_map
    ruleset, _, slug = name.partition("/")
    turns = _counted(len(base.turns), "turn", "turns") if base.turns else ""
    size = _counted(len(base.grounds), *base.signs.place)
    return Card(
        ruleset=ruleset,
        slug=slug,
        title=scenario.title,
        facts=" · ".join(filter(None, (base.subtitle, turns, size))),
        players=_players(*scenario.players) if scenario.players else "",
        about=scenario.about,
        version=version_of(base),
        guided=_is_guided(name),
    )


def _is_guided(name: str) -> bool:
    return all((SCENARIOS / name / guide_file(side)).exists() for side in supplied()[name].rules.sides)


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _players(fewest: int, most: int) -> str:
    return f"{fewest} players" if fewest == most else f"{fewest} to {most} players"


def cards(field: BoundField) -> Iterator[tuple[Card, list[BoundWidget]]]:
    """The choices of a field by their scenario, with whose name each value begins."""
    for name, choices in groupby(field, lambda each: "/".join(str(each.data["value"]).split("/")[:2])):
        yield card_of(name), list(choices)


class PracticeForm(forms.Form):
    """The scenario of a practice campaign, and the side that its player commands."""

    part = forms.ChoiceField(label="What you play", widget=forms.RadioSelect)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        titles = {part: f"{loaded.scenario.title}: {part[1].capitalize()}" for part, loaded in self._parts().items()}
        self.fields["part"].choices = [("/".join(part), title) for part, title in titles.items()]  # type: ignore[attr-defined]
        self.fields["part"].initial = next(("/".join(part) for part in titles), None)

    def scenarios(self) -> list[tuple[Card, list[BoundWidget]]]:
        """The parts that a newcomer is led through, by scenario."""
        return [each for each in cards(self["part"]) if each[0].guided]

    def larger(self) -> list[tuple[Card, list[BoundWidget]]]:
        """The other parts that can be played, by scenario."""
        return [each for each in cards(self["part"]) if not each[0].guided]

    def chosen(self) -> tuple[str, str]:
        """The name of the scenario, and the side."""
        name, _, side = self.cleaned_data["part"].rpartition("/")
        return name, side

    @staticmethod
    def _parts() -> dict[tuple[str, str], Loaded]:
        """Every side of every supplied scenario that bots can play: with a guide first, then the smallest map first."""
        by_size = sorted(
            supplied().items(), key=lambda each: (not _is_guided(each[0]), len(each[1].base_map.grounds), each[0])
        )
        played = [(name, loaded) for name, loaded in by_size if loaded.rules.simulation]
        return {(name, str(side)): loaded for name, loaded in played for side in loaded.rules.sides}


def offered_rulesets() -> list[Ruleset[Any, Any]]:
    """The rulesets of the supplied scenarios that have options."""
    by_key = {loaded.rules.key: loaded.rules for loaded in supplied().values()}
    return [rules for rules in by_key.values() if options_in(rules.options)]


def usual_answers(rules: Ruleset[Any, Any]) -> dict[str, str]:
    """The answers to a ruleset's options, by name, that its supplied scenarios are made for.

    They agree, as the form for a campaign asks each question once for all of them.
    """
    (made_for,) = {tuple(sorted(each.scenario.options.items())) for each in supplied().values() if each.rules is rules}
    return answers_of(chosen(rules.options, dict(made_for)))


def offered_weights() -> list[Weight]:
    """The weights that phases have in the rulesets of the supplied scenarios."""
    there = {weight for loaded in supplied().values() for weight in weights_of(loaded.rules)}
    return [weight for weight in Weight if weight in there]
