"""`manage.py play --through`: bots play over HTTP, and their campaign is the one that is played in process."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from api import resources
from api.tokens import make_token
from campaign.engine.dice import KeyedDice, seed
from campaign.engine.values.ids import GM, PUBLIC, Audience, SideId
from campaign.game import through, turn_package
from campaign.game.loading import find_scenario, load_scenario
from campaign.game.simulation import play_phases, simulation_of
from campaign.game.store import digest, encode_events, encode_state, unpack
from campaign.management.commands import play
from campaign.models import Campaign, Membership, Outcome, Role
from campaign.people.accounts import new_person
from campaign.services import create_campaign
from campaign.viewers import viewer_of
from gm.machine.sweeper import sweep
from orders.models import Channel, LockedSheet
from tests.api.asking import PLAYS
from tests.api.wsgi import through_wsgi
from tests.gm.campaigns import GLOOMY, UNREVIEWED, Clock, blank_map

pytestmark = pytest.mark.django_db

SMALL = "forum_campaign/st-vith-1944"
SITE = "http://localhost"
PLAYERS = {SideId("german"): "cutter", SideId("allied"): "fist"}
BOTS = [f"{side}={bot}" for side, bot in PLAYERS.items()]
LOADED = load_scenario(find_scenario(SMALL))
NEEDED = simulation_of(LOADED).options


@pytest.fixture
def campaign(time: Clock, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """The small scenario, with a commander for each side."""
    monkeypatch.setattr(turn_package, "draw", blank_map)
    monkeypatch.setattr(through, "over_http", through_wsgi)
    made = create_campaign(
        slug="small", title="Small", scenario=find_scenario(SMALL), handling=UNREVIEWED, options=NEEDED, master=GLOOMY
    )
    for side in PLAYERS:
        user = new_person(f"{side} bot", email=f"{side}@example.org")
        Membership.objects.create(campaign=made, user=user, role=Role.COMMANDER, side=side, joined_at=time.now)
    return made


@pytest.fixture
def tokens(campaign: Campaign, tmp_path: Path) -> Path:
    """A file with the tokens of both commanders."""
    file = tmp_path / "tokens"
    members = Membership.objects.filter(campaign=campaign).order_by("side").select_related("user")
    made = (make_token(viewer_of(each.user, "small"), label="bot", scopes=PLAYS) for each in members)
    file.write_text("".join(f"{token}\n" for token in made), encoding="utf-8")
    return file


def run(*words: str) -> list[str]:
    out = StringIO()
    call_command("play", *words, stdout=out)
    return out.getvalue().splitlines()


def results(campaign: Campaign) -> Iterator[tuple[int, str, str, str]]:
    """Of each lock: its number, its mix, and the digests of the events and of the state after it."""
    outcomes = Outcome.objects.filter(resolution__phase__campaign=campaign).select_related("resolution__phase__proof")
    for each in outcomes.order_by("resolution__phase__lock_no"):
        phase = each.resolution.phase
        yield phase.lock_no or 0, phase.proof.mix, digest(unpack(each.events)), digest(unpack(each.state_after))


def test_a_campaign_of_bots_over_http_is_the_one_that_is_played_in_process(
    campaign: Campaign, tokens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "sleep", lambda _seconds: sweep(worker="one"))
    monkeypatch.setattr(resources, "allows", lambda *_, **__: True)  # a minute of the test has a whole campaign
    sent = run(SMALL, "--through", SITE, "--tokens", str(tokens), "--bots", *BOTS)
    played = list(results(campaign))
    mixes = {lock: mix for lock, mix, _, _ in played}
    audiences = (GM, PUBLIC, *map(Audience, PLAYERS))

    def dice(lock: int) -> KeyedDice:
        seeds = {who: seed(GLOOMY, campaign="small", audience=who, lock=lock) for who in audiences}
        return KeyedDice(campaign="small", lock=lock, mix=mixes[lock], seeds=seeds)

    in_process = list(play_phases(LOADED, seed=0, players=PLAYERS, options=NEEDED, dice=dice))
    assert [(events, state) for _, _, events, state in played] == [
        (digest(encode_events(each.resolution.events)), digest(encode_state(each.resolution.state)))
        for each in in_process
    ]
    sheets = [sheet.text for phase in in_process for sheet in phase.sheets]
    locked = LockedSheet.objects.filter(phase__campaign=campaign).order_by("phase__lock_no", "side")
    assert [each.sheet.text for each in locked] == sheets
    assert {each.sheet.channel for each in locked} == {Channel.API}
    assert len(sent) == len(sheets)
    assert len(played) == 12, "three phases on each of four days"


# --- what the command refuses ----------------------------------------------------------------------------------------


def refused(*words: str) -> str:
    with pytest.raises(CommandError) as error:
        run(SMALL, *words)
    return str(error.value)


def test_a_token_is_sent_only_where_nobody_listens(tokens: Path) -> None:
    assert "https only" in refused("--through", "http://fieldpost.example.org", "--tokens", str(tokens))
    assert "no address of a site" in refused("--through", "fieldpost", "--tokens", str(tokens))
    assert through.site_of("https://fieldpost.example.org/") == "https://fieldpost.example.org"
    assert through.site_of("http://127.0.0.1:8000") == "http://127.0.0.1:8000"


def test_the_command_says_what_is_missing(tokens: Path, tmp_path: Path) -> None:
    assert "needs --tokens FILE" in refused("--through", SITE)
    assert "only --through uses it" in refused("--tokens", str(tokens))
    assert "plays a campaign that is running" in refused("--through", SITE, "--tokens", str(tokens), "--games", "2")
    empty = tmp_path / "empty"
    empty.write_text("\n")
    assert "no token" in refused("--through", SITE, "--tokens", str(empty))


def test_a_wrong_token_is_refused_without_being_shown(tokens: Path) -> None:
    tokens.write_text("f" * 64)
    said = refused("--through", SITE, "--tokens", str(tokens))
    assert "answered 401" in said
    assert "f" * 20 not in said


def test_a_campaign_of_another_scenario_is_refused(tokens: Path) -> None:
    with pytest.raises(CommandError, match="small has another map than Ardennes"):
        run("forum_campaign/ardennes-1944", "--through", SITE, "--tokens", str(tokens))


def test_somebody_without_a_side_is_refused(campaign: Campaign, tokens: Path) -> None:
    Membership.objects.filter(campaign=campaign, side="allied").update(role=Role.SPECTATOR, side="")
    token = make_token(viewer_of(Membership.objects.get(role=Role.SPECTATOR).user, "small"), label="x", scopes=PLAYS)
    tokens.write_text(token)
    assert "a token is for a spectator" in refused("--through", SITE, "--tokens", str(tokens))


def test_a_bot_plays_one_side_and_waits_for_the_other(tokens: Path) -> None:
    german = tokens.read_text(encoding="utf-8").split()[1]
    (player,) = through.players_with(SITE, [german], LOADED.open, PLAYERS, send=through_wsgi)
    assert player.side == "german"
    assert player.play() == "", "nobody acts at the start"
    sweep(worker="one")
    done = []
    for _ in range(3):
        done.append(player.play())
        sweep(worker="one")
    assert done[0]
    assert done[1:] == ["", ""], "the other side has no sheet"
    assert set(LockedSheet.objects.values_list("side", flat=True)) <= {"german"}


def test_a_bot_waits_when_it_is_told_to() -> None:
    answers: list[Any] = [
        through.Reply(429, {"retry-after": "60"}, b""),
        through.Reply(200, {}, b"[]"),
        through.Reply(302, {"location": "https://elsewhere.example.org/"}, b""),
    ]
    waited: list[float] = []
    api = through.Api(SITE, "token", lambda *_: answers.pop(0), waited.append)
    assert (api.read("campaigns/"), waited) == ([], [60.0])
    with pytest.raises(through.Refused, match="answered 302"):
        api.read("campaigns/")
    assert answers == []
