"""The form for a new token."""

from typing import Any

from django import forms

from api.models import Scope
from campaign.models import Membership, Role


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
        leads = any(member.role == Role.GM for member in members)
        offered = [each for each in Scope.choices if leads or each[0] != Scope.GM.value]
        self.fields["scopes"].choices = offered  # type: ignore[attr-defined]
