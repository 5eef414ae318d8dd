"""Who reads a story: its author and the GM, and once its phase is published those whom the GM has chosen."""

import pytest
from django.test import Client

from campaign.models import Membership, Phase, PhaseState, Role
from gm.inbox import inbox
from stories.models import Story, Telling
from tests.stories.conftest import ALLIED, GERMAN, Tales, file
from tests.stories.hostile import photo, saved
from tests.web.conftest import ANONYMOUS, OUTSIDER, rows

pytestmark = pytest.mark.django_db

EVERYBODY = ("gm", "german staff", "german tactical", ALLIED, "allied staff", "spectator", OUTSIDER, ANONYMOUS)
WORDS = "crossed the Our"
OWN_SIDE = {"german staff", "german tactical"}
PLAYERS = OWN_SIDE | {ALLIED, "allied staff"}


@pytest.fixture
def told(tales: Tales) -> Tales:
    """A published phase with a story that has a picture."""
    tales.written(picture=file(), caption="The bridge")
    tales.publish()
    return tales


def readers(tales: Tales) -> set[str]:
    """Those who read the story; each reads the picture exactly if they read the story, and finds its page linked."""
    story = Story.objects.get()
    found = set()
    no, picture = tales.field.phase.no, story.pictures[0].name
    for who in EVERYBODY:
        browser = tales.browser(who)
        for public in ("", "public/"):
            page, phase, one = (
                browser.get(tales.cast.address(f"{public}{rest}"))
                for rest in (f"stories/{no}/", f"stops/{no}/", f"stories/{no}/{picture}")
            )
            reads = page.status_code == 200 and WORDS in page.content.decode()
            assert (one.status_code == 200) == reads, who
            if phase.status_code == 200:
                assert (f"{public}stories/{no}/" in phase.content.decode()) == reads, who
            if reads:
                found.add(f"{who} ({public})" if public else who)
    return found


PUBLIC_TOO = {f"{who} (public/)" for who in EVERYBODY}


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("", set()),
        ("nobody", set()),
        ("side", OWN_SIDE),
        ("sides", PLAYERS),
        ("everyone", PLAYERS | {"spectator"} | PUBLIC_TOO),
    ],
)
def test_a_published_story_is_read_by_those_whom_the_gm_chose(told: Tales, choice: str, expected: set[str]) -> None:
    if choice:
        assert told.opens(choice).status_code == 302
    assert readers(told) == {"gm"} | expected
    assert told.faults() == []


@pytest.mark.parametrize("state", sorted(set(PhaseState) - {PhaseState.PUBLISHED}))
def test_before_publication_nobody_else_reads_it_whatever_was_chosen(tales: Tales, state: str) -> None:
    story = tales.written(picture=file())
    tales.opens("everyone")
    Phase.objects.filter(pk=tales.field.phase.pk).update(state=state)
    picture = f"{tales.all}{story.pictures[0].name}"
    for who in EVERYBODY[1:-1]:
        assert tales.reads(who) == "404", who
        assert tales.browser(who).get(picture).status_code == 404
    assert tales.public().status_code == tales.public(story.pictures[0].name).status_code == 404
    assert WORDS in tales.reads("gm")
    assert tales.browser(GERMAN).get(picture).status_code == 200


def test_what_is_for_others_looks_like_what_does_not_exist(told: Tales) -> None:
    name = Story.objects.get().pictures[0].name
    for who in (ALLIED, "spectator", OUTSIDER):
        browser = told.browser(who)
        for there, absent in (
            (told.all, told.cast.address("stories/99/")),
            (f"{told.all}{name}", f"{told.all}{'0' * 32}.jpg"),
            (told.page, told.page.replace("K16", "A1")),
        ):
            found = [browser.get(address) for address in (there, absent)]
            if there == told.page and who == ALLIED:
                continue  # they fight it too
            assert found[0].status_code == found[1].status_code == 404
            assert found[0].content == found[1].content
            assert dict(found[0].headers) == dict(found[1].headers)


def test_a_change_by_its_author_shuts_it_until_the_gm_chooses_again(told: Tales) -> None:
    told.opens("everyone")
    assert "it is shut until they choose again" in told.reads(GERMAN, told.page)
    told.writes(text="We crossed the Our at noon, I mean.")
    assert readers(told) == {"gm"}
    assert told.opens("everyone").status_code == 302
    assert ALLIED in readers(told)


def test_the_gm_opens_only_what_they_have_read(told: Tales) -> None:
    story = Story.objects.get()
    told.writes(text="We crossed the Our. Our reserve is in Wiltz.")
    answer = told.browser("gm").post(told.all, {"story": story.token, "seen": story.version, "readers": "everyone"})
    assert answer.status_code == 409
    assert "changed the story since you read it" in answer.content.decode()
    assert "Our reserve is in Wiltz" in answer.content.decode()
    assert readers(told) == {"gm"}


def test_the_gm_shuts_it_again_and_reads_that_it_may_have_been_read(told: Tales) -> None:
    told.opens("sides")
    assert "may have done so" in told.reads("gm")
    told.opens("nobody")
    assert readers(told) == {"gm"}
    assert told.field.acts()[-2:] == ["story readers", "story readers"]


@pytest.mark.parametrize("who", [GERMAN, ALLIED, "german staff", "spectator", OUTSIDER])
def test_nobody_else_chooses(told: Tales, who: str) -> None:
    story = Story.objects.get()
    told.browser(who)
    before = rows()
    form = {"story": story.token, "seen": story.version, "readers": "everyone"}
    there = told.browser(who).post(told.all, form)
    absent = told.browser(who).post(told.all, {**form, "story": "0" * 32})
    assert there.status_code == absent.status_code == 404
    assert there.content == absent.content
    assert rows() == before


def test_the_gm_finds_no_story_of_another_campaign_and_no_other_choice(told: Tales) -> None:
    story = Story.objects.get()
    form = {"story": "0" * 32, "seen": 1, "readers": "everyone"}
    assert told.browser("gm").post(told.all, form).status_code == 404
    form = {"story": story.token, "seen": 1, "readers": "german"}
    assert told.browser("gm").post(told.all, form).status_code == 422


def test_a_withdrawn_phase_shuts_its_stories_and_keeps_them_for_their_author(told: Tales) -> None:
    told.opens("everyone")
    Phase.objects.filter(pk=told.field.phase.pk).update(state=PhaseState.WITHDRAWN)
    assert told.reads(ALLIED) == "404"
    assert WORDS in told.reads(GERMAN, told.page)
    assert "withdrawn" in told.reads("gm")


def test_a_campaign_that_is_not_public_opens_to_its_members_alone(told: Tales) -> None:
    told.cast.campaign.public = False
    told.cast.campaign.save(update_fields=["public"])
    told.opens("everyone")
    assert "spectator" in readers(told)
    assert told.public().status_code == 404


def test_who_leaves_reads_no_more_and_who_joins_reads_what_is_open(told: Tales) -> None:
    told.opens("side")
    Membership.objects.filter(user__username=GERMAN).update(left_at=told.field.time.now)
    assert told.reads(GERMAN) == told.reads(GERMAN, told.page) == "404"
    assert told.writes(GERMAN).status_code == 404
    user = told.cast.user(OUTSIDER)
    Membership.objects.create(
        campaign=told.cast.campaign, user=user, role=Role.STAFF, side="german", joined_at=told.field.time.now
    )
    assert WORDS in told.reads(OUTSIDER)


def test_both_stories_of_a_battle_are_read_one_by_one(told: Tales) -> None:
    told.written(ALLIED, text="They never crossed the Clerf.", picture=file(saved(photo((70, 50)), "JPEG")))
    told.opens("sides", ALLIED)
    page = told.reads("german staff")
    assert "They never crossed" in page
    assert WORDS not in page
    assert "1 story of its battles" in told.reads("german staff", told.cast.address(f"stops/{told.field.phase.no}/"))
    assert "2 stories of its battles" in told.reads("gm", told.cast.address(f"stops/{told.field.phase.no}/"))


# --- what waits for the GM -------------------------------------------------------------------------------------------


def waiting(tales: Tales, who: str = "gm") -> list[str]:
    return [each.text for part in inbox(tales.cast.user(who)) for each in part.waiting if "who may read" in each.text]


def test_stories_wait_in_the_inbox_from_the_draft_on(tales: Tales) -> None:
    tales.written()
    assert waiting(tales) == []
    Phase.objects.filter(pk=tales.field.phase.pk).update(state=PhaseState.REVIEW)
    assert waiting(tales) == ["1 story waits for you to say who may read it."]
    assert waiting(tales, GERMAN) == []
    tales.publish()  # no phase is open now
    tales.written(ALLIED)
    assert waiting(tales) == ["2 stories wait for you to say who may read them."]
    for who in (GERMAN, ALLIED):
        tales.opens("nobody", who)
    assert waiting(tales) == []
    tales.written(text="Written after publication.")
    assert waiting(tales) == ["1 story waits for you to say who may read it."]


# --- how they are served ---------------------------------------------------------------------------------------------


def test_a_picture_is_served_as_what_it_is_and_to_nobody_else(told: Tales) -> None:
    told.opens("everyone")
    name = Story.objects.get().pictures[0].name
    answer = told.public(name)
    assert answer.headers["Content-Type"] == "image/jpeg"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    for wrong in ("", name.upper(), name.replace(".jpg", ".html"), f"../{name}", "lock", name.replace(".jpg", "")):
        assert told.public(wrong).status_code == 404 or not wrong
    assert Client().get(told.cast.address(f"public/stories/7/{name}")).status_code == 404


def test_tellings_are_none_but_those_chosen(told: Tales) -> None:
    told.opens("sides")
    assert set(Telling.objects.values_list("audience", flat=True)) == {"gm", "german", "allied"}
    told.opens("everyone")
    assert set(Telling.objects.values_list("audience", flat=True)) == {"gm", "public"}
