"""Forms about a campaign: a new one, its schedule, its settings."""

import datetime
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

from django import forms
from django.conf import settings
from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.forms.boundfield import BoundField, BoundWidget
from django.http import QueryDict
from django.utils.text import slugify

from campaign.core.naming import printable_name, visible_name
from campaign.engine.phases import Weight
from campaign.engine.positions import LONGEST_POSITION, Positions
from campaign.engine.values.ids import PUBLIC
from campaign.engine.values.options import Option, options_in
from campaign.forms.accounts import time_zones
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
from campaign.game.beginning import WrongOptions
from campaign.handling import DEFAULTS, Handling, all_handling, weights_of
from campaign.models import Campaign, Mailing
from campaign.reports.forums import DEFAULT, FORUMS
from campaign.services import ScheduleSettings

WEEKDAYS = list(enumerate(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")))
LONGEST_PHASE = 24 * 30
"""In hours: a month."""
LONGEST_THOUGHT = 600
"""In seconds: ten minutes."""
USUAL_THOUGHT = 60


TITLES = {
    Weight.FULL: ("Full phases", "Each has a report of its own."),
    Weight.IMPULSE: ("Impulses", "Many within a turn. The next full phase’s report gathers them."),
    Weight.REPLY: ("Replies", "Short questions to one side in the middle of another phase. Reports gather them too."),
}
"""The titles of phases of each weight in forms, and a sentence about them."""


_MAILINGS = {
    Mailing.REPORTS: "reports, and requests to those who must act",
    Mailing.QUESTIONS: "only requests to those who must act",
    Mailing.DIGEST: "nothing; the next full phase’s mail gathers it",
}


def _weight_fields(weight: Weight) -> dict[str, forms.Field]:
    """The fields for handling phases of a weight, by the names of its settings."""
    usual = DEFAULTS[weight]
    mailings = [each for each in Mailing if (weight, each) != (Weight.FULL, Mailing.DIGEST)]
    return {
        "hours": forms.IntegerField(
            label="Hours for each phase", min_value=1, max_value=LONGEST_PHASE, initial=usual.hours
        ),
        "reviewed": forms.BooleanField(
            label="I review every draft before it is published",
            required=False,
            initial=usual.reviewed,
            help_text="Otherwise each phase is published as soon as it is resolved.",
        ),
        "mailing": forms.ChoiceField(
            label="Mails", choices=[(each.value, _MAILINGS[each]) for each in mailings], initial=usual.mailing.value
        ),
        "pictures": forms.BooleanField(
            label="Draw maps and charts when a phase is published",
            required=False,
            initial=usual.pictures,
            help_text="Otherwise the phase is published as text, and its map is drawn when someone asks for it.",
        ),
    }


def _forums() -> list[tuple[str, str]]:
    """The kinds of forums as choices."""
    return [(forum.key, forum.title) for forum in FORUMS.values()]


class ScheduleForm(forms.Form):
    """The schedule of a campaign, how it handles its phases, and for which forum its posts are written."""

    weekdays = forms.TypedMultipleChoiceField(
        label="Days for deadlines",
        choices=WEEKDAYS,
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="If you choose none, deadlines can fall on any day.",
    )
    quiet_from = forms.IntegerField(label="Quiet hours (no deadlines), from", min_value=0, max_value=23, required=False)
    quiet_to = forms.IntegerField(
        label="to",
        min_value=0,
        max_value=23,
        required=False,
        help_text="Hours of the day, for example 22 to 8.",
    )
    time_zone = forms.ChoiceField(label="Time zone for these days and hours", choices=time_zones, initial="UTC")
    forum = forms.ChoiceField(
        label="Forum posts are written for",
        choices=_forums,
        initial=DEFAULT,
        required=False,
        help_text="On the page of a post you can choose another kind of forum.",
    )
    think_seconds = forms.IntegerField(
        label="Time to think again",
        min_value=0,
        max_value=LONGEST_THOUGHT,
        initial=USUAL_THOUGHT,
        required=False,
        help_text="Seconds before a READY, your publishing or an invitation takes effect. Until then it can be"
        " cancelled, and nobody else notices. 0 for live evenings.",
    )

    def __init__(self, *args: Any, weights: Iterable[Weight], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._weights = tuple(weights)
        for weight in self._weights:
            for name, field in _weight_fields(weight).items():
                self.fields[f"{weight.value}_{name}"] = field

    def weights(self) -> Iterator[tuple[str, str, list[BoundField]]]:
        """The settings of each weight with its title and its sentence."""
        for weight in self._weights:
            fields = [self[f"{weight.value}_{name}"] for name in _weight_fields(weight)]
            yield *TITLES[weight], fields

    def plain_fields(self) -> list[BoundField]:
        """All fields that do not depend on a weight."""
        return [self[name] for name in self.fields if name in self.base_fields]

    def handling(self) -> dict[Weight, Handling]:
        """How to handle phases, by weight."""
        return {weight: self._handling(weight) for weight in self._weights}

    def _handling(self, weight: Weight) -> Handling:
        chosen = {name: self.cleaned_data[f"{weight.value}_{name}"] for name in _weight_fields(weight)}
        return Handling(**chosen | {"mailing": Mailing(chosen["mailing"])})

    def clean_forum(self) -> str:
        """The chosen kind of forum; if none was sent, the one of before."""
        return str(self.cleaned_data["forum"] or self.get_initial_for_field(self.fields["forum"], "forum"))

    def clean_think_seconds(self) -> int:
        """The time to think again; if none was sent, the one of before."""
        sent: int | None = self.cleaned_data["think_seconds"]
        before: int = self.get_initial_for_field(self.fields["think_seconds"], "think_seconds")
        return before if sent is None else sent

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        start, end = data.get("quiet_from"), data.get("quiet_to")
        if (start is None) != (end is None) and not {"quiet_from", "quiet_to"} & set(self.errors):
            self.add_error("quiet_to", "Enter both hours of the quiet time, or neither.")
        if start is not None and start == end:
            self.add_error("quiet_to", "Enter two different hours. Otherwise no deadline would be possible.")
        return data

    def schedule(self) -> ScheduleSettings:
        """The fields about time."""
        names = ("time_zone", "weekdays", "quiet_from", "quiet_to")
        return ScheduleSettings(**{name: self.cleaned_data[name] for name in names})


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
            for name in _weight_fields(weight):
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


class SettingsForm(ScheduleForm):
    """What the GM may change while the campaign runs, from the next phase on."""

    reminder_hours = forms.IntegerField(
        label="Remind players without a sheet",
        min_value=0,
        max_value=LONGEST_PHASE,
        help_text="Hours before the deadline. 0 means never.",
    )
    battle_hours = forms.IntegerField(
        label="A reported battle result is accepted after",
        min_value=1,
        max_value=LONGEST_PHASE,
        help_text="Hours without an answer from the other side.",
    )
    absent_hours = forms.IntegerField(
        label="Publish draft results automatically if nothing is flagged",
        min_value=1,
        max_value=LONGEST_PHASE,
        required=False,
        help_text="Hours to wait for you first. Leave empty to wait until you publish. Flagged are ignored lines, notes"
        " without an answer of yours, and bots that failed. Anything else that the rules leave to you does not wait:"
        " without an answer the result stands.",
    )
    confirms_mail = forms.BooleanField(
        label="Orders by mail count once their author confirms them on the site",
        required=False,
        help_text="Otherwise they count at once, unless the mail server says that the sender is forged.",
    )
    public = forms.BooleanField(
        label="Anyone with the address can read the public pages",
        required=False,
    )
    open_links = forms.MultipleChoiceField(
        label="Pictures whose links work without signing in",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Needed for pictures in forum posts, because their readers are not signed in here. Nobody can guess a"
        " link, and you can revoke it. Otherwise a link works only for that audience and the GM.",
    )

    def __init__(self, *args: Any, audiences: Iterable[tuple[str, str]], outside: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if outside:
            self.fields["absent_hours"].help_text += " Battles without a result, and disputes, are flagged too."
        else:
            del self.fields["battle_hours"]
        if not settings.MAIL_IN:
            del self.fields["confirms_mail"]
        self.fields["open_links"].choices = list(audiences)  # type: ignore[attr-defined]

    @staticmethod
    def present(campaign: Campaign, weights: Iterable[Weight]) -> dict[str, Any]:
        """The present settings, by field."""
        now = {name: getattr(campaign, name) for name in SettingsForm.base_fields}
        handled = all_handling(campaign)
        return now | {
            f"{weight.value}_{name}": value for weight in weights for name, value in asdict(handled[weight]).items()
        }

    def others(self) -> dict[str, Any]:
        """All settings but the handling of phases, by the campaign's columns."""
        return {name: self.cleaned_data[name] for name in self.base_fields if name in self.fields}
