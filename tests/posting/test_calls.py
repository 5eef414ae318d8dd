"""A person's own webhook: it says whose turn it is, and nothing else, once for each phase."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from campaign.core.sealing import seal
from campaign.mail.choices import When
from campaign.mail.mutes import choose
from campaign.models import Membership, OutboxMessage, Phase, PhaseState
from campaign.secrecy.truth import Breach, machinery, writing
from posting.calling import _write, call_turns, words
from posting.destinations import KEYS
from posting.models import DispatchState, TurnCall, TurnWebhook
from posting.sending import NO_LONGER, send_due
from tests.gm.campaigns import Clock, live, miss
from tests.posting.forums import Fault, ForumServer
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/profile/discord/"


def has_webhook(cast: Cast, who: str, discord: ForumServer, time: Clock) -> TurnWebhook:
    sealed = seal(KEYS, discord.secret.encode())
    user = cast.user(who)
    return TurnWebhook.objects.create(user=user, address=discord.address, sealed_key=sealed, created_at=time.now)


def whole_address(discord: ForumServer) -> str:
    return f"{discord.address}/{discord.secret}"


@pytest.fixture
def called(cast: Cast, time: Clock, discord: ForumServer) -> Cast:
    """The Allied commander has a webhook, and the German staff officer too."""
    has_webhook(cast, "allied commander", discord, time)
    return cast


def until_asked(cast: Cast, who: str) -> Phase:
    """Phases pass until one asks this person by mail."""
    for _ in range(8):
        miss(live(cast.campaign))
        phase = live(cast.campaign)
        if OutboxMessage.objects.filter(kind="opened", phase__no=phase.no - 1, user__username=who).exists():
            return phase
    pytest.fail(f"no phase asks {who}")


def test_who_is_asked_is_called_once(called: Cast, discord: ForumServer, time: Clock) -> None:
    phase = until_asked(called, "allied commander")
    for _ in range(5):
        send_due(time.now)
    assert list(discord.posts.values()) == ["Your turn in The Bulge."]
    call_turns(phase, [called.user("allied commander").pk], now=time.now)
    send_due(time.now)
    assert len(discord.posts) == 1


def test_there_is_no_call_without_a_mail_that_asks(called: Cast) -> None:
    while not TurnCall.objects.exists():
        miss(live(called.campaign))
    asked = OutboxMessage.objects.filter(kind="opened", user__username="allied commander").count()
    assert TurnCall.objects.count() == asked == 1


def test_a_call_says_the_title_and_nothing_else(cast: Cast) -> None:
    cast.campaign.title = "@everyone **`[Hello](https://evil.example)`** <@&1> :smile:"
    said = words(cast.campaign)
    assert "@everyone" not in said
    assert "[Hello](" not in said
    assert "\n" not in said


def test_quiet_hours_are_kept(called: Cast, time: Clock, discord: ForumServer) -> None:
    hour = time.now.hour
    choose(called.member("allied commander"), {}, quiet_from=(hour - 1) % 24, quiet_to=(hour + 2) % 24)
    until_asked(called, "allied commander")
    assert send_due(time.now) == 0
    assert discord.posts == {}
    time.now = time.now.replace(minute=0) + timedelta(hours=2)
    assert send_due(time.now) == 1
    assert len(discord.posts) == 1


def test_who_wants_no_mail_that_asks_is_not_called(called: Cast) -> None:
    choose(called.member("allied commander"), {"orders": When.NEVER}, quiet_from=None, quiet_to=None)
    for _ in range(4):
        miss(live(called.campaign))
    assert not TurnCall.objects.exists()


@pytest.mark.parametrize("how", ["left", "phase is over"])
def test_a_call_that_is_no_longer_true_is_not_made(called: Cast, time: Clock, discord: ForumServer, how: str) -> None:
    phase = live(called.campaign)
    call_turns(phase, [called.user("allied commander").pk], now=time.now)
    if how == "left":
        Membership.objects.filter(user__username="allied commander").update(left_at=time.now)
    else:
        Phase.objects.filter(pk=phase.pk).update(state=PhaseState.WITHDRAWN)
    send_due(time.now)
    call = TurnCall.objects.get()
    assert (call.state, call.trouble) == (DispatchState.DEAD, NO_LONGER)
    assert discord.posts == {}


def test_a_call_in_doubt_is_not_made_again(called: Cast, time: Clock, discord: ForumServer) -> None:
    call_turns(live(called.campaign), [called.user("allied commander").pk], now=time.now)
    discord.faults.append(Fault(500, accepts=True))
    for _ in range(10):
        send_due(time.now)
        time.forward(minutes=10)
    assert TurnCall.objects.get().state == DispatchState.DOUBT
    assert len(discord.posts) == 1


def test_a_call_is_made_again_if_it_surely_did_not_arrive(called: Cast, time: Clock, discord: ForumServer) -> None:
    call_turns(live(called.campaign), [called.user("allied commander").pk], now=time.now)
    discord.faults.append(Fault(429, {"message": "slow", "retry_after": 2.5}))
    send_due(time.now)
    time.now += timedelta(seconds=5)
    send_due(time.now)
    assert len(discord.posts) == 1


def test_a_call_can_be_written_only_in_a_block_that_writes_to_its_reader(called: Cast, time: Clock) -> None:
    member, phase = called.member("allied commander"), live(called.campaign)
    webhook = TurnWebhook.objects.get()
    for block in (machinery(), writing("allied"), writing("german")):  # type: ignore[arg-type]
        with block, pytest.raises(Breach), transaction.atomic():
            _write(webhook, member, phase, time.now)


# --- the page --------------------------------------------------------------------------------------------------------


def saves(cast: Cast, address: str) -> Any:
    return cast.browser("allied commander").post(PAGE, {"act": "save", "address": address}, follow=True)


def test_a_person_sets_and_removes_a_webhook(cast: Cast, discord: ForumServer) -> None:
    page = saves(cast, whole_address(discord)).content.decode()
    assert "Saved. A test is in your channel." in page
    assert discord.address in page
    assert discord.secret not in page
    assert list(discord.posts.values()) == ["This is a test: here Fieldpost tells you when it is your turn."]
    assert TurnWebhook.objects.get().user == cast.user("allied commander")
    assert "In use since" not in cast.browser("german commander").get(PAGE).content.decode()
    cast.browser("allied commander").post(PAGE, {"act": "remove"})
    assert not TurnWebhook.objects.exists()


def test_a_webhook_that_does_not_answer_is_not_saved(cast: Cast, discord: ForumServer) -> None:
    discord.faults.append(discord.refuse(404))
    answer = saves(cast, whole_address(discord))
    assert answer.status_code == 422
    assert "Not saved: the test did not arrive. Refused: 404" in answer.content.decode()
    assert not TurnWebhook.objects.exists()


@pytest.mark.parametrize(
    "host", ["https://evil.example", "http://127.0.0.1:25", "https://169.254.169.254", "http://discord.com"]
)
def test_other_addresses_are_refused_without_asking_them(cast: Cast, discord: ForumServer, host: str) -> None:
    answer = saves(cast, f"{host}/api/webhooks/1234567890/{discord.secret}")
    assert answer.status_code == 422
    assert discord.asked == []


def test_the_page_shows_what_became_of_the_last_call(called: Cast, time: Clock, discord: ForumServer) -> None:
    call_turns(live(called.campaign), [called.user("allied commander").pk], now=time.now)
    discord.faults.append(discord.refuse(404))
    send_due(time.now)
    page = called.browser("allied commander").get(PAGE).content.decode()
    assert "Refused: 404" in page
