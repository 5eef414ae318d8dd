"""The schedule of a campaign and how it handles its phases, as fields of a form."""

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from campaign.engine.phases import Weight
from campaign.forms.accounts import time_zones
from campaign.handling import DEFAULTS, Handling
from campaign.models import Mailing
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


def weight_fields(weight: Weight) -> dict[str, forms.Field]:
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
            for name, field in weight_fields(weight).items():
                self.fields[f"{weight.value}_{name}"] = field

    def weights(self) -> Iterator[tuple[str, str, list[BoundField]]]:
        """The settings of each weight with its title and its sentence."""
        for weight in self._weights:
            fields = [self[f"{weight.value}_{name}"] for name in weight_fields(weight)]
            yield *TITLES[weight], fields

    def plain_fields(self) -> list[BoundField]:
        """All fields that do not depend on a weight."""
        return [self[name] for name in self.fields if name in self.base_fields]

    def handling(self) -> dict[Weight, Handling]:
        """How to handle phases, by weight."""
        return {weight: self._handling(weight) for weight in self._weights}

    def _handling(self, weight: Weight) -> Handling:
        chosen = {name: self.cleaned_data[f"{weight.value}_{name}"] for name in weight_fields(weight)}
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
