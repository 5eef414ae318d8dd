"""What the players of a battle share on its page: the battle's file, when they meet, the map of its place."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from campaign.core import clock
from campaign.fighting import Meeting, fights, meeting_of, shares
from campaign.models import Battle, BattleFile, BattleMap, PhaseState, PlayingTime
from campaign.viewers import Viewer
from orders.battles import files, maps, meetings
from orders.battles.maps import KnownMap, MapTexts
from orders.battles.reporting import Unusable, Which

FIELDS = ("file_link", "file_note", "time_1", "time_2", "time_3", "map_name", "map_link", "map_notes", "map_caption")
_TIMES = FIELDS[2:5]


@dataclass(frozen=True)
class Kit:
    """What the players of a battle and the GM read of each other, and the forms for it."""

    files: list[BattleFile]
    """The newest first."""
    meeting: Meeting
    times: list[tuple[PlayingTime, str]]
    """What is proposed or agreed, each with a warning if it comes too late; empty: it does not."""
    map: KnownMap | None
    versions: list[BattleMap]
    """Of the map, for the GM."""
    seen_map: str
    proposes: bool
    """Whether the viewer may propose times."""
    answers: bool
    """Whether they may accept one of those that the other proposes."""
    withdraws: bool
    open: bool
    written: str
    """The button that was pressed, if what it does was refused."""
    typed: Mapping[str, str]
    """What is in the fields."""
    zone: str

    @property
    def typed_times(self) -> list[tuple[str, str]]:
        """The fields for times, with what was typed."""
        return [(name, self.typed[name]) for name in _TIMES]


def kit_of(viewer: Viewer, battle: Battle, sent: Mapping[str, str]) -> Kit | None:
    """What a viewer shares in a battle, with what they have typed; None if they are not of those who share."""
    if not shares(viewer, battle):
        return None
    meeting, known = meeting_of(viewer, battle), maps.map_of(viewer, battle)
    acts = battle.phase.state == PhaseState.OPEN and fights(viewer, battle)
    agreed = meeting.agreed is not None and meeting.agreed.begins_at > clock.now()
    return Kit(
        files=files.battle_files(viewer, battle),
        meeting=meeting,
        times=[(each, _late(battle, each.begins_at)) for each in meeting.open],
        map=known,
        versions=maps.versions_of(viewer, battle),
        seen_map=known.texts.mark if known else "",
        proposes=acts and not agreed,
        answers=acts and bool(meeting.proposed) and meeting.by != viewer.side,
        withdraws=acts and (agreed or (bool(meeting.proposed) and meeting.by == viewer.side)),
        open=battle.phase.state == PhaseState.OPEN,
        written=sent.get("act", "") if sent.get("act", "") in ACTS else "",
        typed=_typed(sent, known),
        zone=timezone.get_current_timezone_name(),
    )


def _typed(sent: Mapping[str, str], known: KnownMap | None) -> dict[str, str]:
    """What is in the fields: what was sent, or the map as it is."""
    typed = {name: sent.get(name, "") for name in FIELDS}
    if known is not None and sent.get("act") != "map":
        typed |= {"map_name": known.texts.name, "map_link": known.texts.link, "map_notes": known.texts.notes}
    return typed


def _late(battle: Battle, at: datetime) -> str:
    """What happens before a time to play, if that is in time for nothing; while the campaign is paused nothing does."""
    if battle.phase.held:
        return ""
    if battle.accepts_at is not None and battle.accepts_at <= at:
        return "The report counts as accepted before then, if nobody answers it."
    return "Results are due before then." if battle.phase.deadline_at <= at else ""


# --- acts ------------------------------------------------------------------------------------------------------------


def _give_file(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    files.give(viewer, which, request.POST.get("file_link", ""), request.POST.get("file_note", ""))
    return "Link saved. The other player and the GM see it on this page."


def _propose(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    times = [_time(text) for name in _TIMES if (text := request.POST.get(name, "").strip())]
    meetings.propose(viewer, which, times, seen=request.POST.get("seen_times", ""))
    return "Proposed. The other player is notified, and accepts a time or proposes others."


def _accept(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    meetings.accept(viewer, which, request.POST.get("time", ""))
    return "Accepted. The other player is notified."


def _withdraw(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    meetings.withdraw(viewer, which, seen=request.POST.get("seen_times", ""))
    return "Withdrawn. The other player is notified."


def _keep_map(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    texts = MapTexts(*(request.POST.get(name, "") for name in ("map_name", "map_link", "map_notes")))
    maps.keep_map(viewer, which, texts, seen=request.POST.get("seen_map", ""))
    return "Map saved for this battle and later ones here."


def _withdraw_map(request: HttpRequest, viewer: Viewer, which: Which) -> str:
    maps.withdraw_map(viewer, which, seen=request.POST.get("seen_map", ""))
    return "Map withdrawn. If there was an earlier version, the page shows it again."


ACTS: Mapping[str, Callable[[HttpRequest, Viewer, Which], str]] = {
    "file": _give_file,
    "propose": _propose,
    "accept": _accept,
    "withdraw": _withdraw,
    "map": _keep_map,
    "withdraw_map": _withdraw_map,
}


def _time(text: str) -> datetime:
    """A time by the reader's clock; Unusable if it is none, or one that their clock has twice or never."""
    try:
        at: datetime = forms.DateTimeField().clean(text)
    except ValidationError as fault:
        if fault.code == "ambiguous_timezone":
            raise Unusable(f"Clocks change on {text[:50]}, so this time is not clear. Choose another.") from None
        raise Unusable(f"“{text[:50]}” is not a time. Write it like 2026-03-09 20:00.") from None
    except OverflowError:
        raise Unusable("A time to play can be at most a year ahead. Choose an earlier one.") from None
    return at
