"""What is published, to show elsewhere: links to pictures, and forum posts."""

from datetime import datetime
from typing import Annotated

import msgspec

from campaign.engine.values.value import Value

PhaseNumber = Annotated[int, msgspec.Meta(ge=0, le=999_999_999)]
Kind = Annotated[str, msgspec.Meta(pattern="^[a-z]{1,20}$")]
Secret = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]


class LinkVisitor(Value, frozen=True):
    """Somebody who fetched a picture by its link."""

    who: str
    """The forum name of a member, or a mark."""
    first_at: datetime
    """When they came first."""
    last_at: datetime
    """When they came last."""
    times: int
    """How often they came."""


class LinkToPicture(Value, frozen=True):
    """A link to a published picture."""

    link: str
    """The secret part of its address, by which it is revoked."""
    address: str
    """The address, to paste into a post."""
    number: int
    """The number of the phase."""
    title: str
    """What players call the phase."""
    audience: str
    """For whom the picture was published."""
    kind: str
    """map, chart or thumbnail."""
    made_at: datetime
    """When it was made."""
    revoked_at: datetime | None
    """When it was revoked; null: it shows its picture."""
    visitors: int
    """The number of visitors."""
    visits: tuple[LinkVisitor, ...]
    """Visitors, those with names first if there are too many."""


class NewLink(Value, frozen=True):
    """The picture for which a link is wanted."""

    number: PhaseNumber
    """The number of the phase."""
    audience: str
    """For whom the picture was published."""
    kind: Kind = "map"
    """map, chart or thumbnail."""


class MadeLink(Value, frozen=True):
    """The link to a picture: a new one, or the one that it has already."""

    link: str
    """The secret part of its address, by which it is revoked."""
    address: str
    """The address, to paste into a post."""


class LinkToRevoke(Value, frozen=True):
    """A link to revoke. Posts that use it no longer show the picture."""

    link: Secret
    """The secret part of its address."""


class PostAttachment(Value, frozen=True):
    """A picture to attach to a post."""

    kind: str
    """What it shows: map."""
    file: str
    """The name of the file, which the post says too."""
    address: str
    """Where it is."""


class ForumPost(Value, frozen=True):
    """What an audience received of a phase, to post in the forum of the campaign."""

    audience: str
    """The audience."""
    forum: str
    """For what kind of forum it is written."""
    parts: tuple[str, ...]
    """Each one post; several where the forum has a limit. Empty if an older release published the phase."""
    attachments: tuple[PostAttachment, ...]
    """The pictures to attach."""
    unlinked: tuple[str, ...]
    """The kinds of pictures that would be in the post if they had links."""
