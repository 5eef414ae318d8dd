"""What the GM fills in about the clock, and about what was seen where it should not be."""

from collections.abc import Iterable
from typing import Any

from django import forms

from campaign.core.naming import visible_name


class ExtendForm(forms.Form):
    """Another deadline."""

    until = forms.DateTimeField(
        label="The stop closes", widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    )


class HoldForm(forms.Form):
    """Why the clock stands still, and until when."""

    reason = forms.CharField(max_length=200, help_text="Everybody reads it.")
    until = forms.DateTimeField(
        label="Goes on by itself",
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text="Empty: when you let it.",
    )


class ReopenForm(forms.Form):
    """Why a published stop is taken back."""

    reason = forms.CharField(max_length=200, help_text="Everybody reads it.")


class ClosingForm(forms.Form):
    """That the campaign is over, said so that nobody says it by a slip of the hand."""

    name = forms.CharField(label="Its short name, to be sure", max_length=50, widget=forms.TextInput())

    def __init__(self, *args: Any, slug: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._slug = slug
        self.fields["name"].help_text = f"Type: {slug}"

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self._slug:
            raise forms.ValidationError(f"That is not its short name, which is {self._slug}.")
        return name


class ExposureForm(forms.Form):
    """What was seen where it should not be, and who is told."""

    stop = forms.ChoiceField(label="Of which stop")
    side = forms.ChoiceField(label="Whose map or report")
    what = forms.CharField(
        label="What happened",
        max_length=500,
        validators=[visible_name],
        help_text="The side concerned reads it: “Your map was posted in the public thread.”",
    )
    tell_all = forms.BooleanField(
        label="Tell the other players too",
        required=False,
        initial=True,
        help_text="Without your words: whoever has come across it is to tell you, and to make no use of it.",
    )
    hold = forms.BooleanField(label="Hold the campaign until I let it go on", required=False)

    def __init__(
        self, *args: Any, stops: Iterable[tuple[str, str]], sides: Iterable[tuple[str, str]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["stop"].choices = list(stops)  # type: ignore[attr-defined]
        self.fields["side"].choices = list(sides)  # type: ignore[attr-defined]
