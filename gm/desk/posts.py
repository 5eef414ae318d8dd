"""The forum posts of a published phase, one for each audience, as their readers could write them."""

import dataclasses

from campaign.posts import Post, post_of
from campaign.reports import Forum
from campaign.selectors import PhaseInfo
from campaign.viewers import Viewer
from gm.desk.view_as import note_view_as
from gm.selectors import readers


def posts_of(viewer: Viewer, phase: PhaseInfo, forum: Forum) -> list[tuple[str, Post | None]]:
    """What each side and the public received, by audience. The record says that the GM viewed it as each of them."""
    eyes = [dataclasses.replace(viewer, viewing_as=reader) for reader in readers(viewer)]
    posts = [(str(each.audience), post_of(each, phase, forum)) for each in eyes]
    for audience, _ in posts:
        note_view_as(viewer, phase.no, audience)
    return posts
