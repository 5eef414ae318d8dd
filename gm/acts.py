"""The log of the GM's acts: what the record has of them, in words, for those who were told of each.

`KINDS` is the whole list: each kind of act with its words and with the audiences that are told of it. The GM reads all,
and nobody else reads of an act that they were not told of. Rulings are read from what each audience received.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from campaign.core.memory import MB
from campaign.ending import ended_in_words
from campaign.engine.display.sentences import RULED
from campaign.engine.phases import Weight
from campaign.engine.values.ids import GM
from campaign.models import Battle, BattleAct, Campaign, Membership, Phase, Role
from campaign.people.memberships import HAND_OVER
from campaign.record.clock_changes import CLOSE
from campaign.record.reopenings import REOPEN, TOLD_BY_MAIL
from campaign.secrecy import truth
from campaign.secrecy.memory import Key, KeyedMemory
from campaign.selectors import PhaseInfo, published_phases, views_by_phase
from campaign.templatetags.fieldpost import people, titled
from campaign.viewers import Viewer
from posting.deciding import DECIDED
from stories import maps
from stories.models import Readers
from stories.telling import CHOOSE

Said = Mapping[str, Any]
"""What an entry of the record says."""


@dataclass(frozen=True)
class GmAct:
    """An act of a game master, as its readers read it."""

    at: datetime
    what: str
    reason: str = ""


@dataclass(frozen=True)
class _Kind:
    """A kind of act: what it was in words, and who is told of it besides the GM."""

    words: Callable[["_Names", Said], str]
    told: Callable[["_Names", Said], Collection[str] | None] = lambda _names, _said: ()
    """The sides; None: everybody."""
    of_gms: bool = True
    """Whether only a game master can do it; players have desks and bots too."""
    reason: Callable[[Said, str], str] = lambda said, _reader: str(said.get("reason", ""))
    """Why, for a reader of this audience."""


def gm_acts(viewer: Viewer) -> list[GmAct]:
    """The acts of which the viewer's audience was told, the newest first; all for a game master."""
    return sorted([*_on_record(viewer), *_rulings(viewer)], key=lambda act: act.at, reverse=True)


def _on_record(viewer: Viewer) -> list[GmAct]:
    truth.require(viewer.audience)
    names = _Names(viewer.campaign)
    with truth.opened("AuditEntry"):
        entries = viewer.campaign.audit.filter(act__in=KINDS).order_by("-no")
        found = list(entries.values_list("act", "at", "subject"))
        names.read_parts()
    return [_act(names, viewer, act, at, said) for act, at, said in found if _is_told(names, viewer, act, at, said)]


def _is_told(names: "_Names", viewer: Viewer, act: str, at: datetime, said: Said) -> bool:
    kind = KINDS[act]
    if not kind.of_gms and not _is_by_gm(names, at, said):
        return False
    if viewer.audience == GM:
        return True
    told = kind.told(names, said)
    return told is None or bool(viewer.side and viewer.side in told)


def _is_by_gm(names: "_Names", at: datetime, said: Said) -> bool:
    """Whether a game master did what players do too: entries name its author, or the side that they wrote for."""
    return names.was_gm(said["by"], at) if "by" in said else said.get("side") == GM


def _act(names: "_Names", viewer: Viewer, act: str, at: datetime, said: Said) -> GmAct:
    return GmAct(at, KINDS[act].words(names, said), KINDS[act].reason(said, viewer.audience))


def _rulings(viewer: Viewer) -> tuple[GmAct, ...]:
    """The GM's rulings in the reports that the viewer's audience has received, and that still stand."""
    phases = published_phases(viewer)
    if not phases:
        return ()
    key = Key(viewer.audience, viewer.campaign, phases[0])
    return _RULINGS.get(key, len(phases), lambda: tuple(_rulings_in(viewer, phases)))


_RULINGS: KeyedMemory[tuple[GmAct, ...]] = KeyedMemory(
    MB, lambda acts: 200 + sum(200 + len(act.what) + len(act.reason) for act in acts)
)
"""The rulings of all reports, of which only a few have any."""


def _rulings_in(viewer: Viewer, phases: Sequence[PhaseInfo]) -> Iterator[GmAct]:
    """Those of the reports that stand for all others: the full ones, which gather others, and those after the last."""
    views, last = (
        views_by_phase(viewer),
        max((each.no for each in phases if each.weight == Weight.FULL.value), default=0),
    )
    for phase in phases:
        stands = phase.weight == Weight.FULL.value or phase.no > last
        if phase.published_at is None or phase.no not in views or not stands:
            continue
        for line in views[phase.no].log:
            if line.text.startswith(RULED):
                what = f"“{phase.title}” of {phase.moment}: {line.text.removeprefix(RULED)}."
                yield GmAct(phase.published_at, what, line.reasons[-1])


class _Names:
    """What entries name by numbers: phases, people, battles. Each table is read at most once."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self._parts: dict[int, list[tuple[datetime, str]]] = {}

    def read_parts(self) -> None:
        """Who has had which role since when."""
        entries = self.campaign.audit.filter(act__in=("join", "role")).order_by("no")
        for at, said in entries.values_list("at", "subject"):
            self._parts.setdefault(said["person"], []).append((at, said["role"]))

    def was_gm(self, person: object, at: datetime) -> bool:
        if not isinstance(person, int):
            return False
        roles = [role for since, role in self._parts.get(person, ()) if since <= at]
        if roles:
            return roles[-1] == Role.GM
        return person in self._members and self._members[person].role == Role.GM

    def side_of(self, person: int) -> str:
        return self._members[person].side if person in self._members else ""

    def person(self, said: Said) -> str:
        member = self._members.get(said["person"])
        return member.user.username if member else "a former member"

    def phase(self, said: Said) -> str:
        """A phase: “German sheet” of 16 December 1944. Older entries name no revision."""
        rows = self._phases
        no, rev = said["phase"], said.get("rev")
        row = rows.get((no, rev)) if rev is not None else next((rows[key] for key in rows if key[0] == no), None)
        return f"“{titled(row)}” of {row.moment}" if row else "a phase"

    def people(self, audience: str) -> str:
        return people(audience, self.campaign)

    def of(self, said: Said) -> str:
        """To which side a part belongs."""
        return f" of {self.people(said['side'])}" if said["side"] else ""

    def sides_of_battle(self, said: Said) -> tuple[str, ...]:
        return self._battles.get((said["phase"], said["rev"], said["battle"]), ())

    @cached_property
    def _phases(self) -> dict[tuple[int, int], Phase]:
        rows = self.campaign.phases.select_related("campaign").order_by("no", "-rev")
        return {(row.no, row.rev): row for row in rows}

    @cached_property
    def _members(self) -> dict[int, Membership]:
        """All who take part or did, by user."""
        members = Membership.objects.filter(campaign=self.campaign).select_related("user")
        return {member.user_id: member for member in members}

    @cached_property
    def _battles(self) -> dict[tuple[int, int, str], tuple[str, ...]]:
        rows = Battle.objects.filter(phase__campaign=self.campaign)
        named = rows.values_list("phase__no", "phase__rev", "key", "attacker", "defender")
        return {(no, rev, key): sides for no, rev, key, *sides in named}  # type: ignore[misc] # two sides


# --- who is told -----------------------------------------------------------------------------------------------------


def _everybody(_names: _Names, _said: Said) -> None:
    """All members."""
    return


def _its_side(_names: _Names, said: Said) -> tuple[str, ...]:
    return (said["side"],)


def _side_of_person(names: _Names, said: Said) -> tuple[str, ...]:
    return (names.side_of(said["person"]),)


def _its_battle(names: _Names, said: Said) -> tuple[str, ...]:
    return names.sides_of_battle(said)


def _told_of_leak(_names: _Names, said: Said) -> Collection[str] | None:
    """As they were told then; entries of older releases do not say it, and are for the GM."""
    return {"all": None, "side": (said["side"],)}.get(said.get("told", ""), ())


# --- the words -------------------------------------------------------------------------------------------------------


def _clock(names: _Names, said: Said) -> str:
    return f"{names.phase(said)}: {said['what'].partition(' Reason: ')[0]}"


def _clock_reason(said: Said, _reader: str) -> str:
    return str(said["what"].partition(" Reason: ")[2])


def _reopened(names: _Names, said: Said) -> str:
    return f"{names.phase(said)} was opened again, and its maps and reports are withdrawn."


def _why_reopened(said: Said, _reader: str) -> str:
    return str(said["reason"]) if said.get("by") else TOLD_BY_MAIL


def _what_leaked(said: Said, reader: str) -> str:
    """The GM's text about a leak, which only the side itself and the GM read."""
    return str(said["what"]) if reader in (GM, said["side"]) else ""


def _exposed(names: _Names, said: Said) -> str:
    received = f"What {names.people(said['side'])} received of “{said['title']}” was seen by people who should not see"
    return f"{received} it. The links to it are revoked."


def _ruled(names: _Names, said: Said) -> str:
    return f"{said['count']} GM ruling{'' if said['count'] == 1 else 's'} on the draft of {names.phase(said)}."


def _settings(_names: _Names, said: Said) -> str:
    return f"New settings: {', '.join(f'{name} {value}' for name, value in said.items())}."


def _viewed(names: _Names, said: Said) -> str:
    as_whom = names.person(said) if "person" in said else names.people(said["audience"])
    return f"{names.phase(said)} was viewed as {as_whom}."


def _of_battle(what: str, done: str = "") -> _Kind:
    """What a game master did about something that the players of a battle share: for game masters alone."""
    return _Kind(
        lambda names, said: f"{what} of the battle of {said['battle']} in {names.phase(said)} {done}".rstrip() + ".",
        of_gms=False,
    )


def _story(names: _Names, said: Said) -> str:
    readers = Readers(said["readers"]).label
    whose = f"story of {names.people(said['side'])} about the battle of {said['battle']} in {names.phase(said)}"
    return f"{readers} can read the {whose}."


def _answered(names: _Names, said: Said) -> str:
    """An answer to a player's question, or to one that a draft asks."""
    if "question" in said:
        return f"An answer to {_question(names, said)}."
    return f"An answer to a question of the draft of {names.phase(said)}."


def _of_post(what: str) -> _Kind:
    """A decision about a forum post."""
    return _Kind(lambda names, said: f"Destination {said['destination']}, {names.phase(said)}: {what}")


def _question(names: _Names, said: Said) -> str:
    return f"question {said['question']} of {names.people(said['side'])}"


def _role(said: Said) -> str:
    return Role(said["role"]).label.lower()


_CLOCK = _Kind(_clock, _everybody, reason=_clock_reason)
KINDS: Mapping[str, _Kind] = {
    **dict.fromkeys(("extend", "hold", "resume", CLOSE), _CLOCK),
    REOPEN: _Kind(_reopened, _everybody, reason=_why_reopened),
    "close": _Kind(lambda names, _said: f"The end. {ended_in_words(names.campaign.closing)}", _everybody),
    "exposure": _Kind(_exposed, _told_of_leak, reason=_what_leaked),
    f"battle {BattleAct.DECIDE}": _Kind(
        lambda names, said: f"The battle of {said['battle']} in {names.phase(said)} was decided.", _its_battle
    ),
    "assign": _Kind(
        lambda names, said: (
            f"{names.person(said)} is the player of the battle of {said['battle']} in {names.phase(said)}."
        ),
        _its_side,
        of_gms=False,
    ),
    "desk": _Kind(
        lambda names, said: (
            f"{names.person(said)} writes the sheet of the desk {said['desk']} of {names.people(said['side'])}."
        ),
        _its_side,
        of_gms=False,
    ),
    "drop_desk": _Kind(
        lambda names, said: f"The desk {said['desk']} of {names.people(said['side'])} is closed.",
        _its_side,
        of_gms=False,
    ),
    "role": _Kind(lambda names, said: f"{names.person(said)} is now {_role(said)}{names.of(said)}.", _its_side),
    "remove": _Kind(lambda names, said: f"{names.person(said)} no longer takes part.", _side_of_person),
    HAND_OVER: _Kind(
        lambda names, said: (
            f"{names.person({'person': said['by']})} has taken over as game master from {names.person(said)}."
        ),
        _everybody,
    ),
    "bot": _Kind(lambda names, said: f"The bot {said['name']} plays for {names.people(said['side'])}.", _everybody),
    "no bot": _Kind(
        lambda names, said: f"The bot {said['name']} no longer plays for {names.people(said['side'])}.",
        _everybody,
        of_gms=False,
    ),
    # the rest is for game masters alone
    "ruling": _Kind(_ruled),
    "approve": _Kind(lambda names, said: f"The draft of {names.phase(said)} was approved for publication."),
    "cancel publishing": _Kind(lambda names, said: f"The publication of {names.phase(said)} was cancelled."),
    "take back": _Kind(lambda names, said: f"A GM ruling on the draft of {names.phase(said)} was undone."),
    "roll": _Kind(lambda names, said: f"A roll for {names.people(said['audience'])} in {names.phase(said)}."),
    "void": _Kind(lambda names, said: f"A roll for {names.people(said['audience'])} in {names.phase(said)} is void."),
    "try": _Kind(lambda names, said: f"A GM ruling was tried on the draft of {names.phase(said)}."),
    "answer": _Kind(_answered),
    "withdraw answer": _Kind(lambda names, said: f"An answer to {_question(names, said)} was withdrawn."),
    CHOOSE: _Kind(_story),
    "battle file": _of_battle("A link to the file"),
    "battle map": _of_battle("A new version of the map"),
    "battle map withdrawn": _of_battle("A version of the map", "was withdrawn"),
    maps.ADD: _of_battle("A new picture of the map"),
    maps.RECAPTION: _of_battle("A new caption of a picture of the map"),
    maps.REMOVE: _of_battle("A picture of the map", "was removed"),
    "destination": _Kind(
        lambda names, said: f"Forum destination {said['destination']}, for {names.people(said['audience'])}."
    ),
    "withdraw destination": _Kind(lambda _, said: f"Forum destination {said['destination']} was withdrawn."),
    **{act: _of_post(what) for act, what in DECIDED.items()},
    "away": _Kind(lambda names, said: f"{names.person(said)} is marked as away.", of_gms=False),
    "back": _Kind(lambda names, said: f"An absence of {names.person(said)} was ended.", of_gms=False),
    "agree": _Kind(lambda _names, _said: "The game masters agree that everyone reads the story.", of_gms=False),
    "preface": _Kind(lambda names, said: f"A message to {names.people(said['audience'])} with {names.phase(said)}."),
    "retry": _Kind(lambda names, said: f"Another attempt to resolve {names.phase(said)}."),
    "settings": _Kind(_settings),
    "view as": _Kind(_viewed),
    "link": _Kind(
        lambda names, said: f"A link to a picture for {names.people(said['audience'])} of {names.phase(said)}.",
        of_gms=False,
    ),
    "revoke link": _Kind(
        lambda names, said: (
            f"A link to a picture for {names.people(said['audience'])} of {names.phase(said)} was revoked."
        ),
        of_gms=False,
    ),
    "invite": _Kind(
        lambda names, said: (
            f"An invitation: {_role(said)}{names.of(said)}{' who takes over' if said.get('takes over') else ''}."
        ),
        of_gms=False,
    ),
    "revoke": _Kind(lambda _names, _said: "An invitation was revoked.", of_gms=False),
}
"""Every kind of act that is in the log."""
_MACHINES = ("adjudicate", "claim", "error", "fail", "lock", "mail", "open", "publish", "start")
_PLAYERS = ("ask", "join", "leave", "story", "submit")
SILENT: Mapping[str, str] = {
    **dict.fromkeys(_MACHINES, "what the machinery does"),
    **dict.fromkeys(("forum posts", "withdraw forum posts"), "with a publication, and with its withdrawal"),
    **dict.fromkeys(("battle accept", "battle results", "mails kept", "put off"), "the same"),
    "answers dropped": "with a publication, or with a ruling that is in the log",
    "battle overrule": "the decision that replaces what the players agreed on is in the log",
    **dict.fromkeys(_PLAYERS, "what players do; a sheet that a GM enters for a side is on its page"),
    **dict.fromkeys((f"battle {act}" for act in BattleAct if act != BattleAct.DECIDE), "what players do"),
    **dict.fromkeys((f"battle times {act}" for act in ("accept", "propose", "withdraw")), "what players do"),
    **dict.fromkeys(("offer draw", "story removed", "withdraw draw"), "what players do"),
    **dict.fromkeys(("people", "person", "stories erased"), "what becomes of accounts"),
    "found": "the campaign itself, with its first settings",
}
"""Every other kind of act that the record knows, with the reason."""
