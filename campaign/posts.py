"""Forum posts: a phase as one audience received it, in the words of a kind of forum, with its pictures.

They are written from what was published to that audience, and from links to its pictures. A picture is in the post
only if everybody who has its link sees it. Otherwise the post says where to attach the picture.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from campaign import links, selectors
from campaign.engine.values.ids import Audience
from campaign.game.artefacts import DOCUMENT
from campaign.game.store import decode_document, decode_view
from campaign.models import Link
from campaign.reports import Block, Forum, Paragraph, Picture, Spoiler, chart, parts, with_pictures
from campaign.viewers import Viewer


@dataclass(frozen=True)
class Attachment:
    """A picture that is not in the post: they attach its file."""

    kind: str
    file: str
    """The name of the file, which the post says too."""
    name: str


@dataclass(frozen=True)
class Post:
    """What one audience received of a phase, to post in a forum."""

    audience: Audience
    parts: tuple[str, ...]
    """Each one post; several where the forum has a limit."""
    attachments: tuple[Attachment, ...]
    open: bool
    """Whether everybody who has a link sees this audience's pictures."""
    linked: bool
    """Whether the post shows a picture."""
    unlinked: tuple[str, ...]
    """The kinds of pictures that would be in the post if they had links."""


def post_of(viewer: Viewer, phase: selectors.PhaseInfo, forum: Forum, *, attached: bool = False) -> Post | None:
    """The post of the viewer's audience on a published phase; None if an older release published it.

    `attached`: whether pictures that are not in its text go with it, so that nobody has to attach them.
    """
    kinds = selectors.kinds_of(viewer, phase.no)
    if DOCUMENT not in kinds:
        return None
    found = selectors.artefacts(viewer, phase.no, (DOCUMENT, "view"))
    live = {kind: link for kind, link in links.links_to(viewer, phase).items() if kind in links.IN_POSTS}
    is_open = links.is_open(viewer.campaign, viewer.audience)
    shown = {kind: link for kind, link in live.items() if link and is_open}
    attachments = _attachments(viewer, phase, kinds, shown)
    words = Spoiler("Chart", chart(decode_view(found["view"])).blocks[1:])
    places = [] if attached else map(_place, attachments)
    blocks = [*_shown(viewer, shown), *places, *([] if "chart" in shown else [words])]
    return Post(
        audience=viewer.audience,
        parts=parts(with_pictures(decode_document(found[DOCUMENT]), blocks), forum),
        attachments=attachments,
        open=is_open,
        linked=bool(shown),
        unlinked=tuple(kind for kind in live if is_open and kind not in shown),
    )


def _file_name(viewer: Viewer, phase: selectors.PhaseInfo, name: str) -> str:
    """The name under which a browser saves a picture of the viewer's audience."""
    return f"{viewer.campaign.slug}-{phase.file_stem}-{viewer.audience}-{name}"


def _shown(viewer: Viewer, shown: Mapping[str, Link]) -> list[Block]:
    title = viewer.campaign.title
    return [Picture(links.link_address(link), f"{kind.capitalize()} of {title}") for kind, link in shown.items()]


def _attachments(
    viewer: Viewer, phase: selectors.PhaseInfo, kinds: set[str], shown: Mapping[str, Link]
) -> tuple[Attachment, ...]:
    """The map, if it is not in the post. The chart is in the post in words then."""
    missing = [kind for kind in ("map",) if kind in kinds and kind not in shown]
    return tuple(Attachment(kind, _file_name(viewer, phase, f"{kind}.png"), f"{kind}.png") for kind in missing)


def _place(attachment: Attachment) -> Paragraph:
    return Paragraph((f"{attachment.kind.capitalize()}: attach {attachment.file} here",))
