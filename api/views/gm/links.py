"""What is published, to show elsewhere: links to pictures, forum posts, and what each audience received."""

import dataclasses

from django.http import Http404
from django.urls import reverse

from api.answers.gm.links import (
    ForumPost,
    LinkToPicture,
    LinkToRevoke,
    LinkVisitor,
    MadeLink,
    NewLink,
    PostAttachment,
)
from api.models import Scope
from api.operations import Call, operation, reads
from api.wire import File
from campaign import links as service
from campaign import selectors as published
from campaign.core import clock
from campaign.engine.display.views import View
from campaign.game.store import decode_view
from campaign.links import Watched, link_address
from campaign.people.throttles import REPORTS
from campaign.posts import Post, post_of
from campaign.reports import FORUMS, Forum
from campaign.views.reading import FILES
from gm import selectors
from gm.desk.view_as import note_view_as


@reads()
def links(call: Call) -> tuple[LinkToPicture, ...]:
    """All links to published pictures, the newest first, with who fetched them."""
    return tuple(map(_link, service.watched(call.game_master)))


@operation(scope=Scope.GM, limit=REPORTS)
def make_link(call: Call, body: NewLink) -> MadeLink:
    """The link to a published picture: the one that it has, else a new one."""
    made = service.make_link(call.game_master, body.number, body.audience, body.kind, now=clock.now())
    return MadeLink(made.token, link_address(made))


@operation(scope=Scope.GM, limit=REPORTS)
def revoke_link(call: Call, body: LinkToRevoke) -> tuple[LinkToPicture, ...]:
    """Revoke a link. Posts that use it no longer show the picture."""
    service.revoke_link(call.game_master, body.link, now=clock.now())
    return links.act(call)  # type: ignore[no-any-return]


@reads()
def forum_posts(call: Call, no: int) -> tuple[ForumPost, ...]:
    """What each side and the public received of a published phase, as posts for the forum of the campaign.

    The record says that you viewed it as each of them.
    """
    viewer = call.game_master
    phase, forum = published.published_phase(viewer, no), FORUMS[viewer.campaign.forum]
    eyes = [dataclasses.replace(viewer, viewing_as=reader) for reader in selectors.readers(viewer)]
    posts = [(each.audience, post_of(each, phase, forum)) for each in eyes]
    for audience, _ in posts:
        note_view_as(viewer, no, audience)
    return tuple(_post(call.slug, no, audience, post, forum) for audience, post in posts)


@reads()
def received_view(call: Call, no: int, audience: str) -> View:
    """All that an audience was shown of a phase, or will be shown of the draft results.

    The record says that you viewed a published phase as this audience.
    """
    viewer = call.game_master
    found = decode_view(selectors.received(viewer, no, audience, "view"))
    note_view_as(viewer, no, audience)
    return found


@reads(files=tuple(sorted({media.partition(";")[0] for _, media in FILES.values()})))
def received_file(call: Call, no: int, audience: str, name: str) -> File:
    """A picture or a text of a phase, as an audience received it, or will receive it of the draft results.

    The record says that you viewed a published phase as this audience.
    """
    viewer = call.game_master
    if name not in FILES:
        raise Http404
    kind, media = FILES[name]
    content = selectors.received(viewer, no, audience, kind)
    note_view_as(viewer, no, audience)
    return File(content, media)


# --- as answers ------------------------------------------------------------------------------------------------------


def _link(each: Watched) -> LinkToPicture:
    return LinkToPicture(
        link=each.link.token,
        address=each.address,
        number=each.phase.no,
        title=each.phase.title,
        audience=each.audience,
        kind=each.kind,
        made_at=each.link.made_at,
        revoked_at=each.link.revoked_at,
        visitors=each.visitors,
        visits=tuple(LinkVisitor(one.who, one.first_at, one.last_at, one.times) for one in each.visits),
    )


def _post(slug: str, no: int, audience: str, post: Post | None, forum: Forum) -> ForumPost:
    attachments = post.attachments if post else ()
    return ForumPost(
        audience=audience,
        forum=forum.key,
        parts=post.parts if post else (),
        attachments=tuple(
            PostAttachment(each.kind, each.file, reverse("api_gm_received_file", args=[slug, no, audience, each.name]))
            for each in attachments
        ),
        unlinked=post.unlinked if post else (),
    )
