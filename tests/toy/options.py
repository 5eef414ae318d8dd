"""What may be chosen when a game is created."""

from typing import Annotated

from campaign.engine.values.options import Asks
from campaign.engine.values.value import Value

_ADVANCE = Asks(
    "Does an attacker move in where his opponent is gone?", {"yes": "always", "no": "he stays where he is"}, "R5.5"
)


class Options(Value, frozen=True):
    advance: Annotated[bool, _ADVANCE] = True
