"""Forms about people, campaigns and members."""

import zoneinfo
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import datetime, time
from functools import cache
from itertools import groupby
from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from django import forms
from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.forms.boundfield import BoundField
from django.utils import timezone

from campaign.core.naming import printable_name, visible_name
from campaign.engine.display.signs import Layer
from campaign.engine.phases import Weight
from campaign.engine.ruleset import Ruleset
from campaign.engine.values.options import Option, options_in
from campaign.game.loading import SCENARIOS, START, Loaded, load_scenario, supplied_scenarios
from campaign.handling import DEFAULTS, Handling, all_handling, weights_of
from campaign.maps.drawing.sizes import FORUM, FULL, THUMBNAIL
from campaign.maps.style.schemes import DEFAULT, SCHEMES, Scheme
from campaign.models import Campaign, Mailing, Role
from campaign.people.desks import LONGEST_DESK_NAME
from campaign.people.throttles import MINUTE, refused_code
from campaign.secrecy import truth
from campaign.services import ScheduleSettings

WEEKDAYS = list(enumerate(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")))
LONGEST_PHASE = 24 * 30
"""In hours: a month."""


class LoginForm(allauth.LoginForm):  # type: ignore[misc]
    """The address to which a code is mailed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "E-mail address"
        self.fields["login"].widget.attrs.pop("placeholder", None)

    def clean_login(self) -> str:
        """The address. Everybody who asks too often reads the same, whether it has an account or not."""
        address = str(super().clean_login())
        limit = refused_code(self.request, address)
        if limit is not None:
            raise get_adapter().validation_error(
                "too_many_login_attempts" if limit.window == MINUTE else "too_many_codes"
            )
        return address


class SignupForm(allauth.SignupForm):  # type: ignore[misc]
    """What a guest says about themselves."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name, email = self.fields["username"], self.fields["email"]
        name.label, email.label = "Forum name", "E-mail address"
        name.help_text = "Everyone in your campaigns sees it."
        email.help_text = "For sign-in codes and mails of your campaigns. Nobody else sees it."
        for field in (name, email):
            field.widget.attrs.pop("placeholder", None)


@cache
def time_zones() -> list[tuple[str, list[tuple[str, str]]]]:
    """All time zones as choices, by continent, with UTC first."""
    by_area: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(zoneinfo.available_timezones()):
        area, stroke, place = name.partition("/")
        if stroke and area != "Etc":
            by_area.setdefault(area, []).append((name, place.replace("_", " ")))
    return [("Everywhere", [("UTC", "UTC")]), *by_area.items()]


class ProfileForm(forms.Form):
    """What a person may set about themselves."""

    time_zone = forms.ChoiceField(
        label="Time zone", choices=time_zones, help_text="Pages show times in this time zone and in UTC."
    )


class ColoursForm(forms.Form):
    """The colours of a map; empty: the colours of the published maps."""

    colours = forms.ChoiceField(
        choices=[(scheme.name, scheme.title) for scheme in SCHEMES.values()], required=False, initial=DEFAULT.name
    )

    def clean_colours(self) -> Scheme:
        return SCHEMES[self.cleaned_data["colours"] or DEFAULT.name]


class BoardForm(ColoursForm):
    """The colours of a board, and the page of a list that is too long for one."""

    page = forms.IntegerField(min_value=1, required=False)

    def clean_page(self) -> int:
        return self.cleaned_data["page"] or 1


class DrawingForm(ColoursForm):
    """How to draw a map. Empty fields: as in the published maps."""

    width = forms.ChoiceField(
        choices=[
            (str(THUMBNAIL), f"{THUMBNAIL} pixels, a thumbnail"),
            (str(FORUM), f"{FORUM:,} pixels, for forums"),
            (str(FULL), f"{FULL:,} pixels, in full"),
        ],
        required=False,
        initial=str(FORUM),
    )
    without = forms.TypedMultipleChoiceField(
        label="Leave out",
        coerce=Layer,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, layers: Iterable[Layer] = Layer, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["without"].choices = [(layer.value, layer.title) for layer in layers]  # type: ignore[attr-defined]

    def clean_width(self) -> int:
        return int(self.cleaned_data["width"] or FORUM)


class PartForm(forms.Form):
    """A role, and a side for players."""

    role = forms.ChoiceField(choices=Role.choices, initial=Role.STAFF)
    side = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, sides: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "none"), *((side, side.capitalize()) for side in sides)]
        self.fields["side"].choices = choices  # type: ignore[attr-defined]


class InvitationForm(PartForm):
    """Who the GM invites."""

    meant_for = forms.CharField(
        label="For whom",
        max_length=100,
        required=False,
        validators=[visible_name],
        help_text="A note to yourself. The person who opens the link does not see it.",
    )


class AwayForm(forms.Form):
    """Until when a member is away."""

    until = forms.DateField(
        label="Back on",
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="You are away from now on, and everyone in the campaign can see it. A bot that is deputy of your side"
        " submits its sheet in the last hour before a deadline, if all your side's commanders are away and none has"
        " submitted or is writing. Leave it empty if you are here.",
    )

    def moment(self) -> datetime | None:
        """When that day begins for the reader."""
        day = self.cleaned_data["until"]
        return timezone.make_aware(datetime.combine(day, time.min)) if day else None


class BotForm(forms.Form):
    """A bot that commands a side, or stands in for its commanders."""

    side = forms.ChoiceField()
    role = forms.ChoiceField(
        choices=[(Role.COMMANDER.value, "Commander"), (Role.DEPUTY.value, "Deputy, while all commanders are away")]
    )
    name = forms.ChoiceField(
        label="Bot",
        help_text="A commander submits its sheet as soon as a phase opens, a deputy in the last hour. It knows only"
        " what its side knows, and always plays alike: an opponent who practises against it can learn its first"
        " sheet. Everyone can see that a bot plays. It does not report battles: those fought outside need a person, or"
        " your decision.",
    )

    def __init__(self, *args: Any, sides: Iterable[str], names: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["side"].choices = [(side, side.capitalize()) for side in sides]  # type: ignore[attr-defined]
        self.fields["name"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]


class DeskForm(forms.Form):
    """A desk that a commander assigns to one of their staff."""

    name = forms.CharField(
        label="Name of the desk",
        max_length=LONGEST_DESK_NAME,
        validators=[visible_name],
        help_text="For example: 5 Pz Army.",
    )
    holder = forms.ChoiceField(label="Who writes its orders")
    formations = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, holders: Iterable[str], formations: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["holder"].choices = [(name, name) for name in holders]  # type: ignore[attr-defined]
        self.fields["formations"].choices = [(name, name) for name in formations]  # type: ignore[attr-defined]


@cache
def supplied() -> Mapping[str, Loaded]:
    """The supplied scenarios, by the names that forms use."""
    with truth.opened(START):
        return {str(folder.relative_to(SCENARIOS)): load_scenario(folder).open for folder in supplied_scenarios()}


def scenarios() -> list[tuple[str, str]]:
    """The supplied scenarios as choices: their names with their rulesets."""
    return [(name, f"{loaded.scenario.title} ({loaded.rules.title})") for name, loaded in supplied().items()]


class PracticeForm(forms.Form):
    """The scenario of a practice campaign, and the side that its player commands."""

    part = forms.ChoiceField(label="What you play", widget=forms.RadioSelect)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        titles = {part: f"{loaded.scenario.title}: {part[1].capitalize()}" for part, loaded in self._parts().items()}
        self.fields["part"].choices = [("/".join(part), title) for part, title in titles.items()]  # type: ignore[attr-defined]
        self.fields["part"].initial = next(("/".join(part) for part in titles), None)

    def chosen(self) -> tuple[str, str]:
        """The name of the scenario, and the side."""
        name, _, side = self.cleaned_data["part"].rpartition("/")
        return name, side

    @staticmethod
    def _parts() -> dict[tuple[str, str], Loaded]:
        """Every side of every supplied scenario that bots can play, the smallest map first."""
        by_size = sorted(supplied().items(), key=lambda each: len(each[1].base_map.grounds))
        played = [(name, loaded) for name, loaded in by_size if loaded.rules.simulation]
        return {(name, str(side)): loaded for name, loaded in played for side in loaded.rules.sides}


def offered_rulesets() -> list[Ruleset[Any, Any]]:
    """The rulesets of the supplied scenarios that have options."""
    by_key = {loaded.rules.key: loaded.rules for loaded in supplied().values()}
    return [rules for rules in by_key.values() if options_in(rules.options)]


def offered_weights() -> list[Weight]:
    """The weights that phases have in the rulesets of the supplied scenarios."""
    there = {weight for loaded in supplied().values() for weight in weights_of(loaded.rules)}
    return [weight for weight in Weight if weight in there]


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


class ScheduleForm(forms.Form):
    """The schedule of a campaign, and how it handles its phases."""

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
        help_text="Part of the campaign's address: lowercase letters, digits and dashes.",
    )
    scenario = forms.ChoiceField(choices=scenarios)
    waits = forms.BooleanField(
        label="Start when each side has a commander",
        required=False,
        help_text="The commanders can then add passphrases that help to seed the first dice. Otherwise the"
        " campaign starts now.",
    )
    field_order = ("title", "slug", "scenario", "waits")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, weights=offered_weights(), **kwargs)
        for rules in offered_rulesets():
            for option in options_in(rules.options):
                self.fields[_option_field(rules.key, option.name)] = _asked(option)

    def clean_slug(self) -> str:
        return str(self.cleaned_data["slug"]).lower()

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
        return any(field.errors or field.value() not in (None, "", field.initial) for field in options)

    def handling(self) -> dict[Weight, Handling]:
        """How to handle the phases of the chosen scenario's ruleset."""
        there = weights_of(supplied()[self.cleaned_data["scenario"]].rules)
        return {weight: handling for weight, handling in super().handling().items() if weight in there}

    def options(self) -> dict[str, str]:
        """The answers to the options of the chosen scenario's ruleset; the default where nothing was sent."""
        rules = supplied()[self.cleaned_data["scenario"]].rules
        names = [option.name for option in options_in(rules.options)]
        sent = {name: self.cleaned_data[_option_field(rules.key, name)] for name in names}
        return {name: answer for name, answer in sent.items() if answer}


def _option_field(ruleset: str, name: str) -> str:
    """The name of an option's field: two rulesets may have options of the same name."""
    return f"{ruleset}-{name}"


def _asked(option: Option) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=option.question,
        choices=[(value, _offered(option, value, words)) for value, words in option.answers],
        initial=option.default,
        required=False,
        widget=forms.RadioSelect,
        help_text=option.effect,
    )


def _offered(option: Option, value: str, words: str) -> str:
    """An answer in words, with whether it is the default and whether it departs from the published rules."""
    default = " (default)" if value == option.default else ""
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
        help_text="Hours to wait for you first. Leave empty to wait until you publish.",
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

    def __init__(self, *args: Any, audiences: Iterable[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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
        return {name: self.cleaned_data[name] for name in self.base_fields}
