"""Forms about members of a campaign: parts, invitations, absences, bots, desks."""

import re
from collections.abc import Collection, Iterable
from datetime import date, datetime, time
from typing import Any

from django import forms
from django.utils import timezone

from campaign.core.naming import visible_name
from campaign.mail.choices import REPORTS, When, choice, kinds_for
from campaign.mail.outbox import is_address
from campaign.models import Membership, Role
from campaign.people.absences import LONGEST_WHY, Booking
from campaign.people.desks import LONGEST_DESK_NAME
from campaign.people.substitutes import LONGEST_OFFER

MOST_INVITED = 10
"""The most addresses of one invitation."""


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

    takes_over = forms.BooleanField(
        label="They take over from me",
        required=False,
        help_text="Only for a game master who has never played in this campaign. When they join, you leave it, and"
        " players and game masters get a mail. Until then nothing changes. Your invitations to players stay valid.",
    )
    meant_for = forms.CharField(
        label="For whom",
        max_length=100,
        required=False,
        validators=[visible_name],
        help_text="A note to yourself. The person who opens the link does not see it.",
    )
    addresses = forms.CharField(
        label="Mail addresses",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=f"Up to {MOST_INVITED}, separated by commas or new lines. Fieldpost mails each a link of its own."
        " Leave it empty to get one link that you pass on yourself.",
    )

    def clean_addresses(self) -> tuple[str, ...]:
        """The addresses, each once; empty: a link to pass on."""
        addresses = tuple(dict.fromkeys(re.split(r"[\s,;]+", self.cleaned_data["addresses"].strip(" \r\n\t,;"))))
        found = tuple(filter(None, addresses))
        for address in found:
            if not is_address(address):
                raise forms.ValidationError(
                    f"“{address[:100]}” is not a mail address. Separate addresses by commas or new lines."
                )
        if len(found) > MOST_INVITED:
            raise forms.ValidationError(f"These are {len(found)} addresses. Invite {MOST_INVITED} at a time.")
        if len(found) > 1 and self.cleaned_data.get("takes_over"):
            raise forms.ValidationError("Only one person can take over from you. Enter one address.")
        return found


class AwayForm(forms.Form):
    """From when until when a member is away, who stands in, and why."""

    since = forms.DateField(
        label="Away from",
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="Empty: from now on.",
    )
    until = forms.DateField(
        label="Back on",
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="Your side and the GM can see it, nobody else. Leave it empty if you are here.",
    )
    deputy = forms.ChoiceField(
        label="Who stands in",
        required=False,
        help_text="They can write and submit the sheets of your desks in that time. With nobody, a bot that is deputy"
        " of your side submits its sheet in the last hour before a deadline, if all your side's commanders are away and"
        " none has submitted or is writing.",
    )
    why = forms.CharField(
        label="Why",
        required=False,
        max_length=LONGEST_WHY,
        validators=[visible_name],
        help_text="A word for your side and the GM, if you like.",
    )

    def __init__(self, *args: Any, deputies: Iterable[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["deputy"].choices = [("", "nobody"), *((name, name) for name in deputies)]  # type: ignore[attr-defined]

    def booking(self) -> Booking | None:
        """What is booked: days begin at midnight for the reader. None: they are here."""
        since, until = (_midnight(self.cleaned_data[name]) for name in ("since", "until"))
        if until is None:
            return None
        return Booking(since=since, until=until, deputy=self.cleaned_data["deputy"], why=self.cleaned_data["why"])


def _midnight(day: date | None) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time.min)) if day else None


class OfferForm(forms.Form):
    """Somebody offers to step in."""

    words = forms.CharField(
        label="What the GM should know",
        required=False,
        max_length=LONGEST_OFFER,
        validators=[visible_name],
        help_text="For example: which side, which hours of the day.",
    )


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
        " sheet. Everyone can see that a bot plays.",
    )

    def __init__(self, *args: Any, sides: Iterable[str], names: Iterable[str], outside: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if outside:
            self.fields[
                "name"
            ].help_text += " It does not report battles: those fought outside need a person, or your decision."
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


_WHEN = ((When.NOW, "at once"), (When.DIGEST, "in the digest"), (When.NEVER, "never"))
_HOURS = [("", "–"), *((hour, f"{hour:02}:00") for hour in range(24))]


class ReportsForm(forms.Form):
    """When a member gets reports: all that somebody who only has a link from a mail can choose."""

    names: Collection[str] | None = (REPORTS,)
    """The kinds of mail to choose about; None: all."""

    def __init__(self, *args: Any, member: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._member = member
        self._kinds = [kind for kind in kinds_for(member) if self.names is None or kind.name in self.names]
        for kind in self._kinds:
            self.fields[kind.name] = forms.ChoiceField(
                label=kind.label, choices=_WHEN, initial=choice(member, kind).value
            )

    @property
    def wanted(self) -> dict[str, When]:
        """When each kind of mail comes, by its name."""
        return {kind.name: When(self.cleaned_data[kind.name]) for kind in self._kinds}

    @property
    def quiet_hours(self) -> dict[str, int | None]:
        """The hours without mail, as they are."""
        return {"quiet_from": self._member.mails_quiet_from, "quiet_to": self._member.mails_quiet_to}


class MailsForm(ReportsForm):
    """Which mails a member gets, and when."""

    names = None

    quiet_from = forms.TypedChoiceField(
        label="No mail from", choices=_HOURS, coerce=int, empty_value=None, required=False
    )
    quiet_to = forms.TypedChoiceField(label="until", choices=_HOURS, coerce=int, empty_value=None, required=False)

    def __init__(self, *args: Any, member: Membership, **kwargs: Any) -> None:
        super().__init__(*args, member=member, **kwargs)
        self.fields["quiet_from"].initial = member.mails_quiet_from
        self.fields["quiet_to"].initial = member.mails_quiet_to
        self.order_fields([kind.name for kind in self._kinds])

    def clean(self) -> dict[str, Any]:
        """Quiet hours need both ends, and between equal ones there would be none."""
        said = super().clean() or self.cleaned_data
        if (said.get("quiet_from") is None) != (said.get("quiet_to") is None):
            raise forms.ValidationError("Quiet hours need a beginning and an end. Choose both, or neither.")
        if said.get("quiet_from") is not None and said.get("quiet_from") == said.get("quiet_to"):
            raise forms.ValidationError("Quiet hours need two different hours. For none, choose neither.")
        return said

    @property
    def quiet_hours(self) -> dict[str, int | None]:
        """The hours without mail, as they were entered."""
        return {name: self.cleaned_data[name] for name in ("quiet_from", "quiet_to")}
