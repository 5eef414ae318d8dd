"""What the GM fills in about the clock."""

from django import forms


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
