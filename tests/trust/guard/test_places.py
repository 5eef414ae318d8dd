"""The places in code that open a secret table, say who is answered, or read the true state, each with its reason."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from unicodedata import normalize

from tests.locks import ROOT

OPENED = {
    "campaign/briefings.py _file": "one side's briefing or guide, of all that the scenario's files hold",
    "campaign/record/audit.py _as_stored": "an act's rows are sealed whole, and only their digests are kept",
    "campaign/record/audit.py _newest": "an entry carries the digest of the one before; the head goes to the GM alone",
    "campaign/record/audit.py has": "whether the people of a campaign are on record yet; nobody is told",
    "campaign/record/audit.py record": "what anybody does is written down, and not read",
    "campaign/record/dice_keys.py master_seed": "nonces of one's own sheets, and published seeds, follow from it",
    "campaign/record/dice_keys.py require_key": "a server asks whether its key opens them before it answers anybody",
    "campaign/record/dice_log.py _revealed": "what the sides brought to a lock is told when its phase is published",
    "campaign/record/dice_log.py first_carrying": "it says since when locks carry a mix, not what anybody brought",
    "campaign/record/clock_changes.py clock_changes": "what all players are told of a deadline, for members",
    "campaign/record/clock_changes.py closed_early": "that a phase was closed early, and why, is public",
    "campaign/record/reopenings.py reopenings": "that a phase was reopened, by whom and why, is public",
    "campaign/house_rules.py _known_to_all": "before anything is published the options stand in the first state alone",
    "campaign/forms/positions.py previewed": "who creates a campaign is its GM, and is shown what it begins with",
    "campaign/forms/positions.py start_in_words": "the start of a supplied scenario, a blank for any new campaign's GM",
    "campaign/forms/scenarios.py supplied": "a form for a new campaign names scenarios, and keeps none of their starts",
    "campaign/statistics.py _results": "the statistics are everybody's once the campaign is closed, if it promised so",
    "campaign/story.py _written": "notes that an open story leaves out are looked for, and not told",
    "campaign/story.py open_rulings": "the GM's rulings are everybody's once the campaign's story is open",
    "campaign/ending.py draw_offers": "the GM and those who speak for a side are told who offers a draw",
    "gm/desk/closing.py _end": "mails about the withdrawn phase are stopped, and not read",
    "gm/desk/draws.py offer_draw": "a side is told whether it offers a draw itself",
    "gm/desk/draws.py withdraw_offer": "the same",
    "campaign/links.py _found": "whoever comes by a link has its address",
    "campaign/links.py links_to": "the links of the viewer's own audience",
    "campaign/links.py make_link": "whoever makes a link to a picture is given the one that there is",
    "campaign/links.py revoke_link": "whoever revokes a link names it by its address",
    "campaign/links.py watched": "the links of the audiences that the viewer governs",
    "campaign/mail/bounces.py own_mail_comes_back": "a person is told that mails to themselves come back",
    "campaign/mail/outbox.py _is_written": "the same mail is written once; nobody is told whether this was the time",
    "campaign/mail/news.py keep": "news is kept for its reader, with what waits for them already",
    "campaign/mail/news.py release": "the news of a mail that never went out waits again, unread",
    "campaign/mail/news.py take_back": "news that is no longer true is deleted, unread",
    "campaign/mail/outbox.py _note_gathered": "a mail is written that brings this news, which is not read",
    "campaign/mail/outbox.py _write": "a mail is written, and not read",
    "campaign/people/invitation_mails.py stop_mails": "a mail is stopped, and not read",
    "campaign/people/invitations.py _join": "what somebody types when they join is kept, and not read",
    "campaign/people/visits.py note_visit": "that a member is here is written down, and told nobody",
    "campaign/people/memberships.py played": "a person who takes over is told whether they were ever on a side",
    "campaign/services.py create_campaign": "a new campaign is written, and nothing of it read",
    "campaign/services.py _read_new": "the scenario's folder is read, and no campaign",
    "campaign/services.py scenario_of": "the board and the rules are read from the files, once for all readers",
    "campaign/services.py shared_digest": "the files are digested without a position, and nothing else is read of them",
    "gm/acts.py _on_record": "of the GM's acts a side reads those that it was told of; one table says which",
    "gm/machine/health_alerts.py _mailbox_trouble": "whether the site's mailbox is read, whoever asks for its health",
    "gm/machine/health_alerts.py _unsent": "whether any mail of the site is overdue, whoever asks for its health",
    "incoming/addresses.py _keep": "a member's own reply address is kept for a mail to them, and not read",
    "incoming/battles.py noted": "what became of a player's own mail is noted with the act",
    "incoming/confirming.py noted": "what became of the member's own mail is noted",
    "incoming/confirming.py unconfirmed": "a member reads the sheet that they have mailed themselves",
    "orders/selectors.py lock_of": "a side is shown its own part of what was brought to a lock, and later all parts",
    "orders/battles/reading.py _lines": "a reply is judged with the report, and of that is shown what is released",
    "orders/battles/reporting.py change": "a result is put in the place of the one that was read",
    "campaign/fighting.py meeting_of": "who fights a battle, and the GM, read when its players meet",
    "orders/battles/files.py battle_files": "who fights a battle, and the GM, read where its file is",
    "orders/battles/files.py give": "a link is written, and not read",
    "orders/battles/maps.py _versions": "who fights a battle, and the GM, read the map of its place",
    "orders/battles/maps.py keep_map": "a map is written, and not read",
    "orders/battles/maps.py withdraw_map": "the version that its author has read is withdrawn",
    "posting/calling.py _write": "a call is written, and not read",
    "posting/calling.py newest_call": "a person is shown what became of the last call to themselves",
    "posting/calling.py remove_webhook": "a person's own webhook is deleted, and not read",
    "posting/calling.py set_webhook": "a person's own webhook is written, and not read",
    "posting/calling.py webhook_of": "a person is shown their own webhook, without its key",
    "posting/writing.py _write": "a post of an audience is written, and not read",
    "posting/writing.py withdraw_posts": "who ends a campaign withdraws the posts of its open phase, and reads none",
    "stories/erasing.py _campaigns": "a person's account is erased; nobody is answered",
    "stories/erasing.py erase": "the same",
    "stories/keeping.py _named": "files that no row names are deleted; nobody is answered",
    "stories/maps.py _add": "a picture is written, and not read",
    "stories/maps.py _recaption": "a caption is written, and not read",
    "stories/maps.py _remove": "a picture is removed that its reader may see",
    "stories/maps.py _rows": "who fights a battle, and the GM, see the pictures of the map of its place",
    "orders/battles/meetings.py _ended": "times end that the player has read",
    "orders/battles/meetings.py accept": "a time is accepted that the player has read",
    "orders/battles/meetings.py propose": "times are written, and not read",
    "orders/entropy.py words_of": "a side is shown what its own commanders typed",
}
"""The places that read more than is for their reader, and why they may."""

TRUSTED = {
    "archive/editions.py _edition": "which files an archive has, as its audience reads the campaign",
    "archive/editions.py _first_page": "each side's part of an open story, as everybody reads it after the end",
    "archive/editions.py _written": "a file of an archive, as its audience reads the campaign",
    "posting/writing.py write_posts": "each audience's own posts",
    "questions/opened.py opened_questions": "answers to a side, which it has opened to everybody after the end",
    "campaign/people/invitation_mails.py mail_invitation": "as on the page that its link opens",
    "campaign/game/artefacts.py contents": "what each audience receives",
    "campaign/game/turn_package.py _package": "each audience's report and pictures",
    "campaign/game/turn_package.py view_of": "each audience's view",
    "campaign/secrecy/memory.py made": "what is remembered for an audience, whoever asks first",
    "campaign/mail/messages.py written_to": "a mail to a game master",
    "campaign/mail/outbox.py _as_news": "a mail that was made for its reader, as an item of their digest",
    "campaign/management/commands/play.py _play_all": "a process of a command",
    "campaign/management/commands/play.py _results": "a process of a command",
    "campaign/middleware.py middleware": "a page for a game master",
    "gm/phases/bots.py _text": "what a bot knows: as much as its side",
    "gm/phases/prefaces.py finished_reports": "each audience's final report",
    "gm/phases/rolls.py write_rolls": "the heads of all dice logs, for the public",
    "gm/tasks.py run_phase": "a worker's",
    "gm/tasks.py send_mail": "a worker's",
    "gm/tasks.py sweep_task": "a worker's",
    "incoming/smtp.py _with_database": "a mail is stored; its sender is told only whether it was taken",
    "incoming/ways/webhook.py _take": "a mail is stored; its provider is not told whether it was for anybody",
    "manage.py": "a command's, the loop's among them",
}
"""The places that say who is answered or written to."""


def _callers(*names: str) -> list[str]:
    """The functions that speak of one of these functions of the guard, once for each time."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [
        f"{path.relative_to(ROOT)} {function}".strip()
        for path in (*paths, ROOT / "manage.py")
        if path.name != "truth.py"
        for function, node in _nodes_by_function(parsed(path, ("truth",)))
        if _speaks_of(node, names)
    ]


def _speaks_of(node: ast.AST, names: Sequence[str]) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="truth"), attr=attr):
            return attr in names
        case ast.ImportFrom(module="campaign.secrecy.truth"):
            return True
        case ast.alias(name="truth" | "campaign.secrecy.truth", asname=other):
            return other is not None
    return False


PACKAGES = (
    "api",
    "archive",
    "campaign",
    "gm",
    "incoming",
    "orders",
    "posting",
    "questions",
    "staff",
    "stories",
    "deploy",
)


def parsed(path: Path, words: Iterable[str]) -> ast.Module:
    """A file's syntax tree; an empty one if none of these names is in its text, as Python reads names."""
    text = path.read_text(encoding="utf-8")
    names = normalize("NFKC", text)
    return ast.parse(text if any(word in names for word in words) else "")


def _nodes_by_function(tree: ast.AST, function: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Every node with the name of the innermost function around it."""
    for node in ast.iter_child_nodes(tree):
        yield function, node
        inner = node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else function
        yield from _nodes_by_function(node, inner)


def test_every_place_that_opens_something_is_known() -> None:
    assert set(_callers("opened")) == set(OPENED)


def test_every_place_that_says_who_is_answered_is_known() -> None:
    assert set(_callers("reading", "writing", "machinery", "trust_process")) == set(TRUSTED)


def _name(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


TRUTH = {"state_before", "state_after", "sealed_dice", "unpack", "decode_events"}
"""Columns of the truth, and what opens them: states and events are kept packed."""
READERS = {
    "archive/export.py": "the game master's own export of what is published",
    "campaign/record/dice_keys.py": "the one place where a master seed is opened",
    "campaign/house_rules.py": "before anything is published the options stand in the first state alone",
    "campaign/models/campaigns.py": "the columns themselves",
    "campaign/models/phases.py": "the same",
    "campaign/statistics.py": "the figures of published phases, for the GM, and for everybody once they are open",
    "campaign/story.py": "the notes that an open story leaves out, from the events of published phases",
    "campaign/services.py": "a new campaign gets its first state and its master seed",
    "campaign/game/store.py": "how they are packed, unpacked and decoded",
}
"""Where the truth is spoken of below the services of the game master, and why."""


def test_nobody_else_opens_what_the_truth_is_kept_in() -> None:
    """Not one page does, the GM's neither: the services give it what it shows."""
    paths = [
        path
        for package in (
            "archive",
            "campaign",
            "incoming",
            "orders",
            "orders",
            "posting",
            "questions",
            "staff",
            "stories",
            "deploy",
            "gm/views",
        )
        for path in (ROOT / package).rglob("*.py")
    ]
    found = {str(path.relative_to(ROOT)) for path in paths if "migrations" not in path.parts and TRUTH & _words(path)}
    assert found == set(READERS)


def _words(path: Path) -> set[str]:
    """All names in a file: of variables, attributes, arguments, imports, and those that are in strings alone."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {_name(node) for node in nodes if isinstance(node, ast.Attribute | ast.Name)}
    names |= {node.arg for node in nodes if isinstance(node, ast.keyword | ast.arg) and node.arg}
    names |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.alias)}
    return names | {part for node in nodes if isinstance(node, ast.Constant) for part in str(node.value).split("__")}
