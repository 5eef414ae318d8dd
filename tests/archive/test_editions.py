"""What an archive holds: what its audience received, and nothing else; links that lead to its own files only."""

import re
from pathlib import Path, PurePosixPath

import pytest
from django.core.management import CommandError, call_command
from django.http import Http404

from archive import editions, pages
from archive.editions import WHOLE, entries_for
from archive.export import game_master
from campaign.engine.values.ids import PUBLIC, Audience
from campaign.models import Agreed, Campaign, Closing, Membership, Phase, PhaseState
from campaign.secrecy.truth import Breach
from campaign.viewers import viewer_of
from gm.machine.sweeper import sweep
from tests.gm.campaigns import live, send
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db

GERMAN, ALLIED = Audience("german"), Audience("allied")
SECRETS = {"german": "the Meuse by Tuesday", "allied": "hold the crossroads"}


@pytest.fixture
def played(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Cast:
    """A campaign with a German and an Allied sheet published, each with a note of its own."""
    monkeypatch.setattr(editions, "animate", lambda *_: b"moving")
    for _ in range(4):
        phase = live(cast.campaign)
        for side in phase.acts:
            if side in SECRETS:
                text = f"NOTE {SECRETS[side]}\nALL OTHERS HOLD\nREADY"
                send(phase, cast.user(f"{side} commander"), text, side=side, ready=True)
        sweep(worker="one")
    return cast


def files_of(campaign: Campaign, audience: str) -> dict[str, bytes]:
    return {entry.path: entry.make() for entry in entries_for(game_master(campaign), audience)}


def test_each_side_finds_its_own_sheets_and_no_word_of_the_other(played: Cast) -> None:
    for side, other in ((GERMAN, ALLIED), (ALLIED, GERMAN)):
        text = b"\n".join(files_of(played.campaign, side).values()).decode(errors="replace")
        assert SECRETS[side] in text
        assert SECRETS[other] not in text
        assert f"For: <strong>{'Allied side' if other == ALLIED else 'German side'}" not in text


READS_SHEETS = {"german commander": True, "german staff": True, "german tactical": False}


@pytest.mark.parametrize("who", READS_SHEETS)
def test_a_player_finds_their_sides_sheets_only_if_they_read_them_on_pages(played: Cast, who: str) -> None:
    asker = viewer_of(played.user(who), played.campaign.slug)
    text = b"\n".join(entry.make() for entry in entries_for(asker, GERMAN)).decode(errors="replace")
    assert ('<h2 id="sheets">' in text) == READS_SHEETS[who]


def test_the_public_finds_no_sheets_and_no_people(played: Cast) -> None:
    text = b"\n".join(files_of(played.campaign, PUBLIC).values()).decode(errors="replace")
    assert not [word for word in (*SECRETS.values(), "german commander", "allied staff") if word in text]


def test_it_holds_every_published_phase_with_its_pictures_texts_and_dice(played: Cast) -> None:
    files = files_of(played.campaign, GERMAN)
    published = played.campaign.phases.filter(state=PhaseState.PUBLISHED)
    folders = {path.split("/")[1] for path in files if path.startswith("phases/")}
    assert len(folders) == published.count() > 2
    for folder in folders:
        there = {path.split("/")[2] for path in files if path.startswith(f"phases/{folder}/")}
        assert {"index.html", "map.png", "chart.png", "report.txt", "report.bbcode.txt", "replay.webp"} <= there
    assert {"index.html", "rules.html", "replay.webp", "dice/german/log.jsonl", "dice/both/verify_dice.py"} <= set(
        files
    )
    assert not [path for path in files if path.startswith("dice/allied")]


@pytest.mark.parametrize("audience", [GERMAN, PUBLIC])
def test_every_link_leads_to_a_file_of_the_archive(played: Cast, audience: str) -> None:
    assert checked_links(files_of(played.campaign, audience)) > 100


def checked_links(files: dict[str, bytes]) -> int:
    """The number of links within the archive; all lead to a file and an anchor that there are."""
    pages = {path: content.decode() for path, content in files.items() if path.endswith(".html")}
    checked = 0
    for path, page in pages.items():
        for link in re.findall(r'(?:href|src)="([^"]*)"', page):
            target, _, anchor = link.partition("#")
            if link.startswith("https://"):
                continue
            assert "//" not in link, f"{path}: {link}"
            found = _resolved(path, target) if target else path
            assert found in files, f"{path}: {link}"
            assert not anchor or f'id="{anchor}"' in pages[found], f"{path}: {link}"
            checked += 1
    return checked


def _resolved(page: str, link: str) -> str:
    parts: list[str] = []
    for part in (*PurePosixPath(page).parent.parts, *PurePosixPath(link).parts):
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def test_no_page_runs_a_script_or_loads_anything_from_elsewhere(played: Cast) -> None:
    for path, content in files_of(played.campaign, GERMAN).items():
        if path.endswith(".html"):
            assert not re.search(r'<script|<form|<iframe|src="https?:|@import', content.decode()), path


def test_the_guard_stands_while_a_file_is_made(played: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def reads_too_much(*_: object) -> bytes:
        return bytes(Phase.objects.select_related("start").first().start.state_before)  # type: ignore[union-attr]

    monkeypatch.setattr(pages, "rules", reads_too_much)
    (entry,) = [each for each in entries_for(game_master(played.campaign), GERMAN) if each.path == "rules.html"]
    with pytest.raises(Breach):
        entry.make()


def test_after_the_end_it_has_the_statistics_that_everybody_may_read(played: Cast) -> None:
    assert "statistics.html" not in files_of(played.campaign, GERMAN)
    Phase.objects.filter(pk=live(played.campaign).pk).update(state=PhaseState.WITHDRAWN)
    Closing.objects.create(campaign=played.campaign, author=played.user("gm"), at=played.campaign.created_at)
    files = files_of(Campaign.objects.get(), PUBLIC)
    assert b"Victory points" in files["statistics.html"]
    assert files["figures.csv"].startswith(b"plot,series,day,figure,unit\n")
    assert "dice/allied/log.jsonl" in files, "a closed campaign has no secret dice"


@pytest.mark.usefixtures("played")
def test_the_command_writes_a_folder_and_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "german"
    call_command("archive", "bulge", "--for", "german", "--out", str(folder))
    assert (folder / "index.html").exists()
    assert "files. Open" in capsys.readouterr().out
    for asked, why in (
        (["bulge", "--out", str(folder)], "is there already"),
        (["bulge", "--for", "gm", "--out", str(tmp_path / "x")], "Choose one of: public, german, allied"),
        (["other", "--out", str(tmp_path / "x")], "There is no campaign 'other'"),
    ):
        with pytest.raises(CommandError, match=why):
            call_command("archive", *asked)
    assert not (tmp_path / "x").exists()


# --- the whole campaign ----------------------------------------------------------------------------------------------


@pytest.fixture
def ended(played: Cast) -> Campaign:
    """The same after its end, with its story open as it was promised."""
    Phase.objects.filter(pk=live(played.campaign).pk).update(state=PhaseState.WITHDRAWN)
    Closing.objects.create(campaign=played.campaign, author=played.user("gm"), at=played.campaign.created_at)
    Campaign.objects.update(opens_story=True)
    return Campaign.objects.get()


def test_there_is_no_whole_before_its_story_is_open(played: Cast) -> None:
    with pytest.raises(Http404):
        entries_for(game_master(played.campaign), WHOLE)


def test_the_whole_has_what_each_side_received_and_ordered(ended: Campaign) -> None:
    files = files_of(ended, WHOLE)
    for audience in ("german", "allied", "public"):
        assert f"{audience}/index.html" in files
        assert f"{audience}/replay.webp" in files
        assert [path for path in files if path.startswith(f"{audience}/phases/") and path.endswith("map.png")]
    text = b"\n".join(content for path, content in files.items() if path.endswith(".html")).decode()
    assert "ALL OTHERS HOLD" in text
    assert "dice/allied/log.jsonl" in files
    assert "statistics.html" in files


def test_notes_to_the_gm_are_in_it_only_if_their_side_agrees(ended: Campaign) -> None:
    def told() -> set[str]:
        files = files_of(ended, WHOLE)
        everything = b"\n".join(content for path, content in files.items() if not path.startswith("dice/"))
        return {side for side, secret in SECRETS.items() if secret in everything.decode(errors="replace")}

    assert told() == set()
    member = Membership.objects.get(user__username="german commander")
    ended.consents.create(side="german", what=Agreed.NOTES, author=member.user, at=ended.created_at)
    assert told() == {"german"}


def test_every_link_of_the_whole_leads_to_a_file_of_it(ended: Campaign) -> None:
    assert checked_links(files_of(ended, WHOLE)) > 100
