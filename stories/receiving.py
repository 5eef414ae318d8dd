"""A picture that comes in: written again and stored before the row that names it, or refused with the reason."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from campaign.engine.values.value import replace
from stories import keeping, pictures
from stories.decoding import Unusable
from stories.models import Picture


class Refused(Exception):
    """Nothing was changed. The message says why, and what its sender can do."""

    status = 422


class Later(Refused):
    """The server cannot take a picture now."""

    status = 503


@dataclass(frozen=True)
class Sayings:
    """What its sender reads of a picture that is refused."""

    unusable: str
    """Before what is wrong with it."""
    busy: str
    full: str


OF_STORY = Sayings(
    unusable="The picture was not added, and nothing else was saved.",
    busy="Not saved: the server is busy with pictures. Wait a minute, then save again.",
    full="Not saved: the server’s disk is nearly full and takes no picture now; it takes text. Tell the person who runs"
    " this site.",
)
OF_MAP = Sayings(
    unusable="The picture was not added.",
    busy="Not added: the server is busy with pictures. Wait a minute, then add it again.",
    full="Not added: the server’s disk is nearly full and takes no picture now. Tell the person who runs this site.",
)


@contextmanager
def received(file: IO[bytes], *, caption: str, sayings: Sayings = OF_STORY) -> Iterator[Picture]:
    """A picture whose files are stored, and stay while the block writes its row; raises Refused."""
    try:
        if not keeping.has_room():
            raise keeping.Full
        with keeping.decoding_alone() as folder:
            made = pictures.remade(file, folder=folder)
        with keeping.alone() as folder:
            yield replace(keeping.keep(made, secrets.token_hex(16), folder=folder), caption=caption)
    except Unusable as refusal:
        raise Refused(f"{sayings.unusable} {refusal}") from refusal
    except keeping.Busy as error:
        raise Later(sayings.busy) from error
    except keeping.Full as error:
        raise Later(sayings.full) from error
