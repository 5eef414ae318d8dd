"""The game master's page of destinations and posts, and the command that tests one."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from posting.models import Destination, DispatchState, ThreadPost
from tests.gm.campaigns import Clock
from tests.posting.conftest import destination_at
from tests.posting.forums import Fault, ForumServer
from tests.posting.test_publication import published, reopened
from tests.web.conftest import Cast

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "desk/destinations/"


def filled(forum: ForumServer, **other: str) -> dict[str, str]:
    """The form, as a game master fills it."""
    form = {
        "audience": "german",
        "kind": forum.key,
        "address": forum.address + (f"/{forum.secret}" if forum.key == "discord" else "/"),
        "thread": forum.thread,
        "acts_as": forum.acts_as,
        "key": "" if forum.key == "discord" else forum.secret,
    }
    return {**form, **other}


def adds(cast: Cast, form: dict[str, str], who: str = "gm") -> Any:
    return cast.browser(who).post(cast.address(PAGE), form)


def test_a_game_master_adds_a_destination_whose_key_is_never_shown_again(forum: ForumServer, cast: Cast) -> None:
    answer = adds(cast, filled(forum))
    assert answer.status_code == 302
    made = Destination.objects.get()
    assert (made.audience, made.kind, made.address, made.no) == ("german", forum.key, forum.address, 1)
    assert forum.secret.encode() not in bytes(made.sealed_key)
    page = cast.browser("gm").get(cast.address(PAGE)).content.decode()
    assert forum.address in page
    assert forum.secret not in page


@pytest.mark.parametrize("who", ["german commander", "german staff", "allied commander", "spectator", "outsider"])
def test_nobody_else_has_the_page(cast: Cast, who: str, discourse: ForumServer) -> None:
    assert cast.browser(who).get(cast.address(PAGE)).status_code == 404
    assert adds(cast, filled(discourse), who).status_code == 404
    assert not Destination.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("address", "http://forum.example", "must begin with https://"),
        ("address", "https://forum.example:8443", "name no port"),
        ("address", "https://name:word@forum.example", "a name or a password"),
        ("address", "https://forum.example/?x=1", "without ? and #"),
        ("address", "forum", "This is no address"),
        ("thread", "", "digits only"),
        ("thread", "12/../7", "digits only"),
        ("acts_as", "a b", "name of the user"),
        ("acts_as", "x\r\nApi-Key: y", "name of the user"),
        ("key", "short", "API key"),
        ("key", "ab cd efgh\r\nX: y", "API key"),
    ],
)
def test_what_cannot_be_right_is_refused(cast: Cast, discourse: ForumServer, field: str, value: str, says: str) -> None:
    answer = adds(cast, filled(discourse, **{field: value}))
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Destination.objects.exists()


def test_a_webhook_must_be_one_of_discord(cast: Cast, discord: ForumServer, settings: Any) -> None:
    settings.POSTING_HOSTS = []
    for address in (
        f"https://evil.example/api/webhooks/1234567890/{discord.secret}",
        f"https://discord.com.evil.example/api/webhooks/1234567890/{discord.secret}",
        f"https://discord.com/api/webhooks/../{discord.secret}",
        "https://discord.com/api/webhooks/1234567890",
    ):
        answer = adds(cast, filled(discord, address=address))
        assert answer.status_code == 422
        assert "no webhook of Discord" in answer.content.decode()
    assert (
        adds(cast, filled(discord, address=f"https://discord.com/api/webhooks/1234567890/{discord.secret}")).status_code
        == 302
    )


def test_a_thread_belongs_to_one_audience_for_ever(cast: Cast, discourse: ForumServer) -> None:
    adds(cast, filled(discourse))
    answer = adds(cast, filled(discourse, audience="allied"))
    assert answer.status_code == 422
    assert "belongs to another audience" in answer.content.decode()
    cast.browser("gm").post(cast.address("desk/destinations/1/"), {"act": "withdraw"})
    assert adds(cast, filled(discourse, audience="allied")).status_code == 422
    assert adds(cast, filled(discourse)).status_code == 302
    assert set(Destination.objects.values_list("audience", flat=True)) == {"german"}


_SAME_FORUM = [
    "https://forum.example:443", "https://FORUM.Example", "https://forum.example/", "https://forum.example.",
    "https://forum.example.:443//", "HTTPS://forum.example/a/..",
]  # fmt: skip
_SAME_WEBHOOK = [
    "https://discordapp.com/api/v10/webhooks/1234567890", "https://ptb.discord.com/api/webhooks/1234567890",
    "https://canary.discord.com/api/v9/webhooks/1234567890", "https://discord.com:443/api/webhooks/1234567890",
    "https://Discord.COM/api/webhooks/1234567890", "https://discord.com./api/webhooks/1234567890",
]  # fmt: skip


@pytest.mark.parametrize("address", _SAME_FORUM)
def test_a_thread_is_the_same_however_its_forum_is_written(cast: Cast, discourse: ForumServer, address: str) -> None:
    assert adds(cast, filled(discourse, address="https://forum.example")).status_code == 302
    answer = adds(cast, filled(discourse, address=address, audience="allied"))
    assert answer.status_code == 422
    assert "belongs to another audience, or did: destination 1, for the Germans" in answer.content.decode()
    assert adds(cast, filled(discourse, address=address, thread="78")).status_code == 302
    assert set(Destination.objects.values_list("address", flat=True)) == {"https://forum.example"}


@pytest.mark.parametrize("thread", ["", "77"])
@pytest.mark.parametrize("address", _SAME_WEBHOOK)
def test_a_webhook_is_the_same_however_it_is_written(
    cast: Cast, discord: ForumServer, address: str, thread: str
) -> None:
    first = f"https://discord.com/api/webhooks/1234567890/{discord.secret}"
    assert adds(cast, filled(discord, address=first)).status_code == 302
    whole = f"{address}/{discord.secret}"
    answer = adds(cast, filled(discord, address=whole, thread=thread, audience="allied"))
    assert answer.status_code == 422
    assert "this webhook belongs to another audience" in answer.content.decode()
    own = adds(cast, filled(discord, address=whole, thread=thread))
    assert own.status_code == (302 if thread else 422), "a side may have threads of its own channel"
    assert set(Destination.objects.values_list("address", flat=True)) == {"https://discord.com/api/webhooks/1234567890"}


def test_a_destination_that_was_stored_in_another_form_counts(cast: Cast, discord: ForumServer) -> None:
    address = f"https://discord.com/api/webhooks/1234567890/{discord.secret}"
    adds(cast, filled(discord, address=address))
    Destination.objects.update(address="https://ptb.discord.com/api/v10/webhooks/1234567890", thread="5")
    assert adds(cast, filled(discord, address=address, audience="allied")).status_code == 422


def test_a_thread_has_one_number(cast: Cast, discourse: ForumServer) -> None:
    assert adds(cast, filled(discourse, thread="7٧")).status_code == 422


def test_the_gm_is_no_audience_of_a_destination(cast: Cast, discourse: ForumServer) -> None:
    assert adds(cast, filled(discourse, audience="gm")).status_code == 422


def test_the_test_button_says_what_came_back(cast: Cast, time: Clock, forum: ForumServer) -> None:
    destination_at(forum, cast, time)
    page = cast.browser("gm").post(cast.address("desk/destinations/1/"), {"act": "test"}, follow=True).content.decode()
    for said in ("Posted: the forum gave it the number 1001.", "Changed.", "Deleted."):
        assert said in page
    assert forum.posts == {}
    assert not ThreadPost.objects.exists()


@pytest.mark.parametrize("status", [401, 403, 404, 422, 429, 500])
def test_the_test_button_shows_trouble(cast: Cast, time: Clock, forum: ForumServer, status: int) -> None:
    destination_at(forum, cast, time)
    forum.faults.append(forum.refuse(status))
    page = cast.browser("gm").post(cast.address("desk/destinations/1/"), {"act": "test"}, follow=True).content.decode()
    assert "The test post did not arrive." in page
    assert str(status) in page


def test_a_withdrawn_destination_forgets_its_key(cast: Cast, time: Clock, discourse: ForumServer) -> None:
    destination_at(discourse, cast, time)
    cast.browser("gm").post(cast.address("desk/destinations/1/"), {"act": "withdraw"})
    row = Destination.objects.get()
    assert (bytes(row.sealed_key), row.withdrawn_at) == (b"", time.now)
    again = cast.browser("gm").post(cast.address("desk/destinations/1/"), {"act": "test"})
    assert again.status_code == 404


# --- what the game master decides ------------------------------------------------------------------------------------


@pytest.fixture
def doubtful(cast: Cast, time: Clock, discord: ForumServer) -> ThreadPost:
    """A post of which nobody knows whether it arrived."""
    destination_at(discord, cast, time)
    published(cast)
    ThreadPost.objects.filter(part__gt=1).delete()
    ThreadPost.objects.update(state=DispatchState.DOUBT, next_at=None, remote_id="", trouble="It may have arrived.")
    return ThreadPost.objects.get()


def presses(cast: Cast, post: ThreadPost, act: str, **form: str) -> str:
    whole = {"act": act, "seen": str(post.fence), **form}
    answer = cast.browser("gm").post(cast.address(f"desk/forum-posts/{post.mark}/"), whole, follow=True)
    assert answer.status_code == 200
    post.refresh_from_db()
    return str(answer.content.decode())


def test_the_desk_says_that_a_post_waits(cast: Cast, doubtful: ThreadPost) -> None:
    assert "1 forum post waits for your decision." in cast.browser("gm").get("/").content.decode()
    assert "forum post" not in cast.browser("german commander").get("/").content.decode()
    assert doubtful.state == DispatchState.DOUBT


def test_a_game_master_says_that_it_is_there(cast: Cast, doubtful: ThreadPost) -> None:
    assert "Noted: the post is on the forum." in presses(cast, doubtful, "there")
    assert doubtful.state == DispatchState.SENT


def test_a_game_master_lets_it_be_posted_again(cast: Cast, doubtful: ThreadPost, time: Clock) -> None:
    presses(cast, doubtful, "again")
    assert (doubtful.state, doubtful.next_at, doubtful.tries) == (DispatchState.WAITING, time.now, 0)


def test_a_decision_about_what_has_changed_since_is_refused(cast: Cast, doubtful: ThreadPost) -> None:
    page = presses(cast, doubtful, "again", seen=str(doubtful.fence + 1))
    assert "the post has changed" in page
    assert doubtful.state == DispatchState.DOUBT
    assert "the post has changed" in presses(cast, doubtful, "gone")


def test_a_post_can_be_deleted_from_the_forum(cast: Cast, doubtful: ThreadPost, time: Clock) -> None:
    ThreadPost.objects.update(state=DispatchState.SENT, remote_id="1001")
    presses(cast, doubtful, "delete")
    assert (doubtful.state, doubtful.next_at, doubtful.withdrawn_at) == (DispatchState.LEAVING, time.now, time.now)


def test_a_post_that_only_a_person_can_delete_is_said_to_be_gone(cast: Cast, doubtful: ThreadPost) -> None:
    reopened(cast)
    page = cast.browser("gm").get(cast.address(PAGE)).content.decode()
    assert "look yourself, and delete it" in page
    assert "the forum may still show what it said" in page
    doubtful.refresh_from_db()
    presses(cast, doubtful, "gone")
    assert doubtful.state == DispatchState.DELETED


def test_reopening_tells_what_the_forum_may_still_show(cast: Cast, doubtful: ThreadPost) -> None:
    phase = doubtful.phase
    form = {"act": "reopen", "reason": "A mistake", "seen": f"{phase.no + 1}.0"}
    page = cast.browser("gm").post(cast.address("desk/clock/"), form, follow=True).content.decode()
    assert "1 forum post is withdrawn" in page


@pytest.mark.parametrize("who", ["german commander", "allied commander", "spectator", "outsider"])
def test_nobody_else_decides(cast: Cast, doubtful: ThreadPost, who: str) -> None:
    form = {"act": "again", "seen": str(doubtful.fence)}
    answer = cast.browser(who).post(cast.address(f"desk/forum-posts/{doubtful.mark}/"), form)
    assert answer.status_code == 404
    doubtful.refresh_from_db()
    assert doubtful.state == DispatchState.DOUBT


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_command_posts_changes_and_deletes_a_test_post(cast: Cast, time: Clock, forum: ForumServer) -> None:
    destination_at(forum, cast, time)
    out = StringIO()
    call_command("try_destination", f"{cast.campaign.slug}/1", stdout=out)
    assert "ok: Deleted." in out.getvalue()
    assert [each.method for each in forum.asked if each.method != "GET"][-1] == "DELETE"
    assert forum.secret not in out.getvalue()


def test_the_command_fails_if_the_test_does(cast: Cast, time: Clock, forum: ForumServer) -> None:
    destination_at(forum, cast, time)
    forum.faults.append(Fault(403, forum.error(403), method="DELETE"))
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("try_destination", f"{cast.campaign.slug}/1", stdout=out)
    assert "TROUBLE: It could not be deleted" in out.getvalue()


@pytest.mark.parametrize("name", ["bulge/2", "other/1", "bulge", "bulge/x", ""])
def test_the_command_names_what_it_does_not_know(cast: Cast, time: Clock, discourse: ForumServer, name: str) -> None:
    destination_at(discourse, cast, time)
    with pytest.raises(CommandError, match="There is no destination"):
        call_command("try_destination", name)
