"""What may be chosen when a game is created."""

from typing import Annotated

from campaign.engine.values.options import Asks
from campaign.engine.values.value import Value

_ADVANCE = Asks(
    "Does an attacker move into an area that the defender has left?",
    {"yes": "always", "no": "the attacker stays"},
    "R5.5",
)


class Options(Value, frozen=True):
    advance: Annotated[bool, _ADVANCE] = True
