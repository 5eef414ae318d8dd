"""The form for the settings of a campaign that runs."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from django import forms
from django.conf import settings

from campaign.engine.phases import Weight
from campaign.forms.schedules import LONGEST_PHASE, ScheduleForm
from campaign.handling import all_handling
from campaign.models import Campaign


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
