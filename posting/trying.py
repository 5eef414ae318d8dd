"""A test of a destination: one test post is written, changed and deleted, and what came back is told."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from campaign.core.sealing import SealBroken
from posting.adapters import Adapter, Outgoing, Trouble
from posting.destinations import adapter_of, why_closed
from posting.models import Destination

IMPATIENCE = 8.0
"""Seconds for a request while somebody waits for a page."""
_FIRST = "This is a test of Fieldpost, which deletes it at once."
_SECOND = "This is a test of Fieldpost, changed once. It is deleted at once."


@dataclass(frozen=True)
class Step:
    """What one request of a test came to."""

    worked: bool
    said: str


def try_destination(destination: Destination) -> list[Step]:
    """Post, change and delete a test post there."""
    try:
        adapter = adapter_of(destination, patience=IMPATIENCE)
    except SealBroken:
        return [Step(worked=False, said=why_closed(destination))]
    return list(_steps(adapter))


def _steps(adapter: Adapter) -> Iterator[Step]:
    mark = secrets.token_hex(8)
    try:
        remote = adapter.post(Outgoing(_FIRST, mark))
    except Trouble as why:
        yield Step(worked=False, said=f"The test post did not arrive. {why}")
        return
    if not remote:
        yield Step(worked=False, said="A moderator of the forum must approve the test post. Delete it there.")
        return
    yield Step(worked=True, said=f"Posted: the forum gave it the number {remote}.")
    try:
        adapter.edit(remote, Outgoing(_SECOND, mark))
        yield Step(worked=True, said="Changed.")
    except Trouble as why:
        yield Step(worked=False, said=f"It could not be changed. {why}")
    try:
        if adapter.readable:
            found = adapter.find(mark)
            yield Step(worked=found == remote, said="Found in its topic." if found == remote else _NOT_FOUND)
    except Trouble as why:
        yield Step(worked=False, said=f"Its topic could not be read. {why}")
    try:
        adapter.delete(remote)
        yield Step(worked=True, said="Deleted.")
    except Trouble as why:
        yield Step(worked=False, said=f"It could not be deleted: delete it on the forum yourself. {why}")


_NOT_FOUND = (
    "It was not found in its topic. Check the name or number of the person who posts: Fieldpost looks for posts of"
    " theirs."
)
