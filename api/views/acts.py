"""The log of the game master's acts."""

from api.answers.acts import GmActTold
from api.operations import Call, reads
from gm.acts import gm_acts


@reads()
def gm_log(call: Call) -> tuple[GmActTold, ...]:
    """What the game masters did, the newest first, as far as the caller's side was told of it."""
    return tuple(GmActTold(each.at, each.what, each.reason) for each in gm_acts(call.viewer))
