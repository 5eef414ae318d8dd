"""Pages of stories: its author writes one; the GM says who reads it; these read it with its pictures.

The pictures of battle maps too, which the page of a battle shows.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.core.requests import number
from campaign.people.throttles import PICTURES, PICTURES_A_DAY, STORIES, Limit, may
from campaign.viewers import Viewer, public_viewer, viewer_of
from orders.battles.reporting import Unusable
from orders.battles.reporting import Which as OfBattle
from orders.views.battles import TooFast, attempt
from stories import keeping, maps, words
from stories.decoding import LONGEST_SIDE, MOST_BYTES, MOST_PIXELS
from stories.models import SMALL, Picture, Readers, Story
from stories.reading import battle_to_write, own_stories, own_story, picture_to_read, stories_to_read
from stories.receiving import Refused
from stories.telling import choose
from stories.writing import MOST_PICTURES, Draft, Which, remove, save

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shown:
    """A story on a page."""

    story: Story
    html: SafeString
    pictures: tuple[Picture, ...]


# --- reading ---------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def stories(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """The stories of a phase that the viewer may read; the GM says by POST who may read one."""
    viewer = viewer_of(request.user, slug)
    if request.method == "POST":
        return _choose(request, viewer, no)
    return _stories(request, viewer, no)


@require_safe
def public_stories(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """Those that everybody with the address may read."""
    return _stories(request, public_viewer(request.user, slug), no)


@login_required
@require_safe
def picture(request: HttpRequest, slug: str, no: int, name: str) -> HttpResponse:
    """A picture of a story that the viewer has written or may read, or its thumbnail."""
    return _picture(viewer_of(request.user, slug), no, name)


@require_safe
def public_picture(request: HttpRequest, slug: str, no: int, name: str) -> HttpResponse:
    return _picture(public_viewer(request.user, slug), no, name)


def _stories(request: HttpRequest, viewer: Viewer, no: int, *, trouble: str = "", status: int = 200) -> HttpResponse:
    found = stories_to_read(viewer, no)
    if not found:
        raise Http404
    context = {
        "viewer": viewer,
        "no": no,
        "stories": [Shown(story, words.shown(story.text), story.pictures) for story in found],
        "readers": Readers.choices,
        "picture_route": "story_picture" if viewer.membership else "public_story_picture",
        "trouble": trouble,
    }
    return render(request, "stories/stories.html", context, status=status)


def _picture(viewer: Viewer, no: int, name: str) -> HttpResponse:
    token, small = _named(name)
    return _file(picture_to_read(viewer, no, token), small=small)


def _named(name: str) -> tuple[str, bool]:
    """The token of a picture in the last part of an address, and whether its thumbnail is meant; Http404 for others."""
    parts = re.fullmatch(rf"([0-9a-f]{{32}})({SMALL})?\.(?:jpg|webp)", name)
    if parts is None:
        raise Http404
    return parts[1], bool(parts[2])


def _file(found: Picture, *, small: bool) -> HttpResponse:
    whole, thumbnail = keeping.paths_of(found)
    try:
        content = (thumbnail if small else whole).read_bytes()
    except OSError:
        log.exception("a picture cannot be read")
        raise Http404 from None
    response = HttpResponse(content, content_type=f"image/{found.kind}")
    response.headers["Content-Disposition"] = "inline"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _choose(request: HttpRequest, viewer: Viewer, no: int) -> HttpResponse:
    if not viewer.is_gm:
        raise Http404
    try:
        told = choose(
            viewer, request.POST.get("story", ""), request.POST.get("readers", ""), seen=number(request, "seen")
        )
    except Refused as refusal:
        return _stories(request, viewer, no, trouble=str(refusal), status=refusal.status)
    messages.success(request, f"Saved. {_SAID[Readers(told.readers)]}")
    return redirect("stories", viewer.campaign.slug, no)


_SAID: Mapping[Readers, str] = {
    Readers.NOBODY: "Only its author and the game masters can read it now. Others may have read it before.",
    Readers.SIDE: "Its author’s side can read the story once the phase is published.",
    Readers.SIDES: "The players of all sides can read the story once the phase is published.",
    Readers.EVERYONE: "Everyone who can read the campaign can read the story once the phase is published.",
}


# --- writing ---------------------------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def story(request: HttpRequest, slug: str, no: int, rev: int, key: str) -> HttpResponse:
    """What the viewer writes of a battle that they fight; POST saves or removes it."""
    viewer, which = viewer_of(request.user, slug), Which(no=no, rev=rev, key=key)
    battle_to_write(viewer, no, rev, key)
    if request.method != "POST":
        return _page(request, viewer, which)
    try:
        messages.success(request, _act(request, viewer, which))
    except Refused as refusal:
        return _page(request, viewer, which, trouble=str(refusal), status=refusal.status)
    return redirect("story", slug, no, rev, key)


class _TooOften(Refused):
    status = 429


def _act(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    """Do what a button says, and say so."""
    _require_pace(request)
    act = request.POST.get("act")
    if act == "remove":
        remove(viewer, which)
        return "Your story is removed. Its pictures are deleted within two hours."
    if act != "save":
        raise Http404
    save(viewer, which, _draft(request))
    return "Saved. Besides you, only the game masters can read it until they say who else may."


def _require_pace(request: HttpRequest) -> None:
    if (limit := _passed(request)) is not None:
        waits = "Save now without it, or wait a day." if limit is PICTURES_A_DAY else "Wait a minute, then save again."
        raise _TooOften(f"Not saved: {_too_much(limit)}. {waits}")


def _passed(request: HttpRequest) -> Limit | None:
    """The limit that a request passes, if it passes one."""
    limits = (STORIES, PICTURES, PICTURES_A_DAY) if request.FILES else (STORIES,)
    return next((limit for limit in limits if not may(request, limit)), None)


def _too_much(limit: Limit) -> str:
    if limit is PICTURES_A_DAY:
        return f"you can send {limit.number} pictures a day"
    return f"too many {'pictures' if limit is PICTURES else 'requests'} within a minute"


def _draft(request: HttpRequest) -> Draft:
    sent = request.POST
    captions = {name.removeprefix(_CAPTION): sent.get(name, "") for name in sent if name.startswith(_CAPTION)}
    return Draft(
        text=sent.get("text", ""),
        captions=captions,
        removed=sent.getlist("gone"),
        caption=sent.get("caption", ""),
        picture=request.FILES.get("picture"),
        seen=number(request, "seen"),
    )


_CAPTION = "caption-"


def _page(request: HttpRequest, viewer: Viewer, which: Which, *, trouble: str = "", status: int = 200) -> HttpResponse:
    """The page of a story, with what was typed if it was refused."""
    battle = battle_to_write(viewer, which.no, which.rev, which.key)
    there, typed = own_story(viewer, battle), _draft(request) if trouble else None
    earlier = own_stories(viewer).filter(battle__phase__no=which.no, battle__key=which.key).exclude(battle=battle)
    context: dict[str, Any] = {
        "viewer": viewer,
        "battle": battle,
        "story": there,
        "shown": words.shown(there.text) if there else "",
        "text": typed.text if typed else there.text if there else "",
        "new_caption": typed.caption if typed else "",
        "pictures": _rows(there, typed),
        "seen": _seen(there, typed, status),
        "earlier": earlier,
        "trouble": trouble,
        "closed": hasattr(viewer.campaign, "closing"),
        "limits": {"pictures": MOST_PICTURES, "bytes": MOST_BYTES // 1024 // 1024, "side": LONGEST_SIDE,
                   "pixels": MOST_PIXELS // 1_000_000, "text": words.LONGEST, "caption": words.LONGEST_CAPTION},
    }  # fmt: skip
    return render(request, "stories/story.html", context, status=status)


def _rows(there: Story | None, typed: Draft | None) -> list[tuple[Picture, str, bool]]:
    """The pictures, each with its caption and whether it is to go, as typed if something was."""
    pictures = there.pictures if there else ()
    if typed is None:
        return [(each, each.caption, False) for each in pictures]
    return [(each, typed.captions.get(each.token, each.caption), each.token in typed.removed) for each in pictures]


def _seen(there: Story | None, typed: Draft | None, status: int) -> int:
    """The version that a form replaces: once its author has been shown both, the saved one."""
    now = there.version if there else 0
    return typed.seen if typed and status != _BOTH_SHOWN else now


_BOTH_SHOWN = 409


# --- battle maps -----------------------------------------------------------------------------------------------------


@login_required
@require_POST
def battle_map(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Add a picture to the map of a battle, or remove one; refused, the page of the battle says why."""
    act = {"map_picture": _add_picture, "remove_map_picture": _remove_picture}.get(request.POST.get("act", ""))
    if act is None:
        raise Http404
    return attempt(request, viewer_of(request.user, slug), key, act)


@login_required
@require_safe
def map_picture(request: HttpRequest, slug: str, key: str, name: str) -> HttpResponse:
    """A picture of a battle map for the players of the battle and the GM, or its thumbnail."""
    token, small = _named(name)
    return _file(maps.picture_named(viewer_of(request.user, slug), key, token), small=small)


def _add_picture(request: HttpRequest, viewer: Viewer, which: OfBattle) -> str:
    file = request.FILES.get("picture")
    if file is None:
        raise Unusable("Choose a picture first.")
    _require_pace_of_map(request, "added")
    return _ADDED[maps.add_picture(viewer, which, file, request.POST.get("map_caption", ""))]


_ADDED: Mapping[maps.Done, str] = {
    maps.Done.ADDED: "Picture added for this battle and later ones here.",
    maps.Done.RECAPTIONED: "This picture is there already. It has your caption now.",
    maps.Done.THERE: "This picture is there already.",
}


def _remove_picture(request: HttpRequest, viewer: Viewer, which: OfBattle) -> str:
    _require_pace_of_map(request, "removed")
    maps.remove_picture(viewer, which, request.POST.get("map_picture", ""))
    return "Picture removed. Its files are deleted."


def _require_pace_of_map(request: HttpRequest, done: str) -> None:
    if (limit := _passed(request)) is not None:
        again = "Wait a day" if limit is PICTURES_A_DAY else "Wait a minute"
        raise TooFast(f"Not {done}: {_too_much(limit)}. {again}, then try again.")
