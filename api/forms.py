"""The form for a new token."""

from typing import Any

from django import forms

from api.models import Scope
from campaign.models import Membership


class TokenForm(forms.Form):
    label = forms.CharField(label="Name", max_length=60, help_text="So that you recognise it: Discord bot, my phone.")
    campaign = forms.ChoiceField()
    scopes = forms.MultipleChoiceField(
        label="It may", choices=Scope.choices, initial=[Scope.READ.value], widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, members: list[Membership], **more: Any) -> None:
        super().__init__(*args, **more)
        choices = [(member.campaign.slug, member.campaign.title) for member in members]
        self.fields["campaign"] = forms.ChoiceField(choices=choices)
