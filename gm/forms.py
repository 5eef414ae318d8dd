"""The GM's forms about the clock and about leaks."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator, MinLengthValidator

from campaign.core.naming import printable_name, visible_name
from campaign.models import Campaign


class ExtendForm(forms.Form):
    """Another deadline."""

    until = forms.DateTimeField(
        label="New deadline", widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    )
    reason = forms.CharField(max_length=200, required=False, help_text="Optional. All players are notified of it.")


class CloseForm(forms.Form):
    """Why the phase closes now."""

    reason = forms.CharField(max_length=200, help_text="Everyone can read it, in the report too.")


class HoldForm(forms.Form):
    """Why the clock is paused, and until when."""

    reason = forms.CharField(max_length=200, help_text="All players are notified of it.")
    until = forms.DateTimeField(
        label="Resume automatically at",
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text="Leave empty to resume by hand.",
    )


class ReopenForm(forms.Form):
    """Why a published phase is withdrawn."""

    reason = forms.CharField(max_length=200, help_text="Everyone can read it, in the report too.")


class ViewAsForm(forms.Form):
    """As whom the GM views which phase."""

    who = forms.ChoiceField(label="Person")
    phase = forms.TypedChoiceField(label="After", coerce=int)

    def __init__(
        self, *args: Any, people: Iterable[tuple[str, str]], phases: Iterable[tuple[int, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["who"].choices = list(people)  # type: ignore[attr-defined]
        self.fields["phase"].choices = list(phases)  # type: ignore[attr-defined]


class ClosingForm(forms.Form):
    """An act that ends the campaign, with a word to type against mistakes."""

    name = forms.CharField(label="Short name of the campaign, to confirm", max_length=50, widget=forms.TextInput())

    def __init__(self, *args: Any, slug: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._slug = slug
        self.fields["name"].help_text = f"Type: {slug}"

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self._slug:
            raise forms.ValidationError(f"That is not the short name. Type: {self._slug}")
        return name


class VictoryForm(ClosingForm):
    """The result of a campaign that was played to its end."""

    result = forms.ChoiceField(label="Result")
    field_order = ("result", "name")

    def __init__(self, *args: Any, results: Iterable[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["result"].choices = list(results)  # type: ignore[attr-defined]


class AbandonForm(ClosingForm):
    """Why a campaign ends without a result."""

    reason = forms.CharField(
        label="Why you end it",
        max_length=500,
        validators=[visible_name],
        help_text="Everyone who can read the campaign can read this.",
    )
    field_order = ("reason", "name")


class RematchForm(forms.Form):
    """The name of a rematch."""

    title = forms.CharField(validators=[visible_name, printable_name, MinLengthValidator(2), MaxLengthValidator(100)])
    slug = forms.SlugField(
        label="Short name",
        max_length=50,
        help_text="Part of the campaign's address: lowercase letters, digits and dashes.",
    )

    @staticmethod
    def proposed(campaign: Campaign) -> dict[str, str]:
        """A name for the rematch of a campaign."""
        return {"title": f"{campaign.title[:90]}, rematch", "slug": f"{campaign.slug[:42]}-rematch"}

    def clean_slug(self) -> str:
        """The short name in small letters."""
        return str(self.cleaned_data["slug"]).lower()


class ExposureForm(forms.Form):
    """What somebody saw wrongly, and who is told."""

    stop = forms.ChoiceField(label="Which phase")
    side = forms.ChoiceField(label="Whose map or report")
    what = forms.CharField(
        label="What happened",
        max_length=500,
        validators=[visible_name],
        help_text="That side reads this text. For example: “Your map was posted in the public thread.”",
    )
    tell_all = forms.BooleanField(
        label="Notify the other players too",
        required=False,
        initial=True,
        help_text="They do not read your text. They are asked to tell you if they saw it, and not to use it.",
    )
    hold = forms.BooleanField(label="Pause the campaign until I resume it", required=False)

    def __init__(
        self, *args: Any, phases: Iterable[tuple[str, str]], sides: Iterable[tuple[str, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["stop"].choices = list(phases)  # type: ignore[attr-defined]
        self.fields["side"].choices = list(sides)  # type: ignore[attr-defined]
