"""The form for a new campaign."""

import datetime
from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.forms.boundfield import BoundField, BoundWidget
from django.http import QueryDict
from django.utils.text import slugify

from campaign.core.naming import printable_name, visible_name
from campaign.engine.phases import Weight
from campaign.engine.positions import LONGEST_POSITION, Positions
from campaign.engine.values.ids import PUBLIC
from campaign.engine.values.options import Option, options_in
from campaign.forms.positions import Preview, positions_for, previewed
from campaign.forms.scenarios import (
    Card,
    card_of,
    cards,
    offered_rulesets,
    offered_weights,
    scenarios,
    supplied,
    usual_answers,
)
from campaign.forms.schedules import ScheduleForm, weight_fields
from campaign.game.beginning import WrongOptions
from campaign.handling import Handling, weights_of


class CreateCampaignForm(ScheduleForm):
    """A new campaign: its name, scenario, house rules and schedule."""

    title = forms.CharField(validators=[visible_name, printable_name, MinLengthValidator(2), MaxLengthValidator(100)])
    slug = forms.SlugField(
        label="Short name",
        max_length=50,
        required=False,
        widget=forms.TextInput(attrs={"data-short-name-of": "id_title"}),
        help_text="Part of the campaign's address: lowercase letters, digits and dashes. If you leave it empty, it is"
        " made from the title.",
    )
    scenario = forms.ChoiceField(choices=scenarios, widget=forms.RadioSelect)
    waits = forms.BooleanField(
        label="Start when each side has a commander",
        required=False,
        help_text="The commanders can then add passphrases that help to seed the first dice. Otherwise the"
        " campaign starts now.",
    )
    strangers_see = forms.BooleanField(
        label="Forum posts show the maps by links that work for anyone",
        required=False,
        help_text="Readers of a forum are not signed in here. A link cannot be guessed and can be revoked, but anyone"
        " who has it sees that side’s map. Otherwise you attach the maps to your posts yourself. You can change it"
        " later.",
    )
    begin_day = forms.DateField(
        label="Day on which the campaign begins",
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="A day of the scenario. The campaign begins in its morning. Leave it empty if the position names it.",
    )
    position = forms.CharField(
        label="Position",
        required=False,
        strip=False,
        max_length=LONGEST_POSITION,
        widget=forms.Textarea(attrs={"class": "sheet", "rows": 16, "spellcheck": "false", "wrap": "off"}),
        help_text="Select the cells in your spreadsheet, heading included, copy them and paste them here. Tabs, commas"
        " or semicolons may be between the cells. # starts a comment.",
    )
    field_order = ("title", "slug", "scenario", "waits", "forum", "strangers_see")
    preview: Preview | None = None
    """The position that was entered, if it has no faults."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, weights=offered_weights(), **kwargs)
        self.fields["scenario"].initial = next(iter(supplied()), None)
        for weight in set(self._weights) - set(self._weights_there()):
            for name in weight_fields(weight):
                self.fields[f"{weight.value}_{name}"].required = False
        if not self.is_bound:
            self.fields["time_zone"].widget.attrs["data-own-zone"] = "yes"
        for rules in offered_rulesets():
            usual = usual_answers(rules)
            for option in options_in(rules.options):
                self.fields[_option_field(rules.key, option.name)] = _asked(option, usual[option.name])

    @classmethod
    def filled_in(cls, sent: QueryDict) -> "CreateCampaignForm":
        """The form with all that was sent, unchecked, for its sender to send again later."""
        fields = cls(sent).fields
        form = cls(initial={name: field.widget.value_from_datadict(sent, {}, name) for name, field in fields.items()})
        del form.fields["time_zone"].widget.attrs["data-own-zone"]
        return form

    def plain_fields(self) -> list[BoundField]:
        """All fields that depend on no weight and are about no position."""
        return [field for field in super().plain_fields() if field.name not in _OF_POSITION]

    def position_fields(self) -> list[BoundField]:
        return [self[name] for name in _OF_POSITION]

    def shows_position(self) -> bool:
        """Whether anything is entered about a position."""
        return any(self[name].value() or self[name].errors for name in _OF_POSITION)

    def _weights_there(self) -> Collection[Weight]:
        """The weights of the chosen scenario; all while there is none."""
        loaded = supplied().get(str(self["scenario"].value()))
        return self._weights if loaded is None else weights_of(loaded.rules)

    def positions(self) -> Iterator[tuple[Positions[Any, Any], list[Card]]]:
        """How positions are written, each with the scenarios that it is for."""
        names = [name for name, loaded in supplied().items() if loaded.rules.positions is not None]
        for _, alike in groupby(names, lambda name: supplied()[name].rules.key):
            same = list(alike)
            if (positions := positions_for(same[0])) is not None:
                yield positions, [card_of(name) for name in same]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        text, day = data.get("position", ""), data.get("begin_day")
        if "scenario" not in data or set(_OF_POSITION) & self.errors.keys():
            return data
        if text.strip():
            self._read_position(text, day)
        elif day is not None:
            self.add_error("position", "Enter the position on the morning of this day, or leave the day empty.")
        return data

    def _read_position(self, text: str, day: datetime.date | None) -> None:
        name = self.cleaned_data["scenario"]
        if positions_for(name) is None:
            self.add_error("position", "A campaign of this scenario can only begin as the scenario does.")
            return
        try:
            self.preview, faults = previewed(name, text, day, self.options())
        except WrongOptions as why:
            self.add_error(None, f"These house rules do not work: {why}.")
            return
        more = len(faults) - MOST_FAULTS
        shown = [*map(str, faults[:MOST_FAULTS]), *([f"There are {more} more."] if more > 0 else [])]
        if shown:
            self.add_error("position", shown)

    def clean_slug(self) -> str:
        """The short name; if none was sent, one made from the title."""
        written = str(self.cleaned_data["slug"]).lower()
        proposed = written or slugify(self.cleaned_data.get("title", ""))[:50].strip("-")
        if not proposed:
            raise forms.ValidationError("Enter a short name of lowercase letters, digits and dashes.")
        return proposed

    def scenarios(self) -> Iterator[tuple[Card, list[BoundWidget]]]:
        """The scenarios that can be chosen."""
        return cards(self["scenario"])

    def house_rules(self) -> Iterator[tuple[str, list[tuple[str, list[tuple[Option, BoundField]]]]]]:
        """The house rules by ruleset and topic: the titles, and each option with its field."""
        for rules in offered_rulesets():
            options = [(option, self[_option_field(rules.key, option.name)]) for option in options_in(rules.options)]
            yield rules.title, [(topic, list(group)) for topic, group in groupby(options, lambda pair: pair[0].topic)]

    def shows_house_rules(self) -> bool:
        """Whether an answer differs from its default, or is invalid."""
        names = [
            _option_field(rules.key, each.name) for rules in offered_rulesets() for each in options_in(rules.options)
        ]
        options = [self[name] for name in names]
        return any(field.errors or field.value() not in (None, "", field.field.initial) for field in options)

    def handling(self) -> dict[Weight, Handling]:
        """How to handle the phases of the chosen scenario's ruleset."""
        return {weight: self._handling(weight) for weight in self._weights_there()}

    def settings(self) -> dict[str, object]:
        """What the campaign's columns say about forum posts, and the time to think again."""
        sides = supplied()[self.cleaned_data["scenario"]].rules.sides
        return {
            "forum": self.cleaned_data["forum"],
            "think_seconds": self.cleaned_data["think_seconds"],
            "open_links": [*sides, PUBLIC] if self.cleaned_data["strangers_see"] else [],
        }

    def options(self) -> dict[str, str]:
        """The answers to the options of the chosen scenario's ruleset; the scenario's where nothing was sent."""
        rules = supplied()[self.cleaned_data["scenario"]].rules
        names = [option.name for option in options_in(rules.options)]
        sent = {name: self.cleaned_data.get(_option_field(rules.key, name)) for name in names}
        return {name: answer for name, answer in sent.items() if answer}


_OF_POSITION = ("begin_day", "position")

MOST_FAULTS = 100
"""The most faults of a position that the page lists at once."""


def _option_field(ruleset: str, name: str) -> str:
    """The name of an option's field: two rulesets may have options of the same name."""
    return f"{ruleset}-{name}"


def _asked(option: Option, usual: str) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=option.question,
        choices=[(value, _offered(option, value, words, usual)) for value, words in option.answers],
        initial=usual,
        required=False,
        widget=forms.RadioSelect,
        help_text=option.effect,
    )


def _offered(option: Option, value: str, words: str, usual: str) -> str:
    """An answer in words, with whether it is the default and whether it departs from the published rules."""
    default = " (default)" if value == usual else ""
    published = ""
    if option.source:
        published = f" – {'departs from' if option.departs(value) else 'as in'} the published rules"
    return f"{words}{default}{published}"
