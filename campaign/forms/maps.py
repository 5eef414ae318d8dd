"""Forms about pictures of maps."""

from collections.abc import Iterable
from typing import Any

from django import forms

from campaign.engine.display.signs import Layer
from campaign.maps.drawing.sizes import FORUM, FULL, THUMBNAIL
from campaign.maps.style.adaptive import ADAPTIVE
from campaign.maps.style.schemes import DEFAULT, SCHEMES, Scheme


class ColoursForm(forms.Form):
    """The colours of a map; empty: the colours of the published maps."""

    colours = forms.ChoiceField(
        choices=[(scheme.name, scheme.title) for scheme in SCHEMES.values()], required=False, initial=DEFAULT.name
    )

    def clean_colours(self) -> Scheme:
        return SCHEMES[self.cleaned_data["colours"] or DEFAULT.name]


class BoardForm(ColoursForm):
    """The colours of a board, by default those of the reader's device; and the page of a list too long for one."""

    colours = forms.ChoiceField(
        choices=[(scheme.name, scheme.title) for scheme in (ADAPTIVE, *SCHEMES.values())], required=False
    )
    page = forms.IntegerField(min_value=1, required=False)

    def clean_colours(self) -> Scheme:
        return {**SCHEMES, "": ADAPTIVE, ADAPTIVE.name: ADAPTIVE}[self.cleaned_data["colours"]]

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
