"""The story of a battle as it is used: written with a picture, opened by the GM, read on a phone and on a desk."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FilePayload, Page, expect

from campaign.models import Artefact, Phase, PhaseState
from tests.browser.conftest import DESK, PHONE, Site, width
from tests.gm.campaigns import START
from tests.stories.hostile import photo, saved

pytestmark = pytest.mark.django_db(transaction=True)

TALE = "We crossed the Our at dawn.\n\n- **Clervaux** held until noon\n- the bridge did not"


def payload(sent: bytes, name: str = "photo.jpg") -> FilePayload:
    return {"name": name, "mimeType": "image/jpeg", "buffer": sent}


def write(site: Site, page: Page) -> None:
    """The player follows the link on their battle, and saves a story with a picture."""
    page.goto(site.here("battles/K16/"))
    page.get_by_role("button", name="Write the story of this battle").click()
    page.get_by_label("What happened.").fill(TALE)
    page.get_by_label("JPEG, PNG or WebP").set_input_files(payload(b"<svg></svg>", "map.png"))
    page.get_by_label("Its caption").fill("The bridge at Dasburg")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("The file is not a JPEG, PNG or WebP picture")
    expect(page.get_by_label("What happened.")).to_have_value(TALE)
    page.get_by_label("JPEG, PNG or WebP").set_input_files(payload(saved(photo((900, 600)), "JPEG")))
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. Besides you")).to_be_visible()


def publish() -> None:
    """The phase with the battles is published, with what an earlier one brought to each audience."""
    phase = Phase.objects.latest("no", "rev")
    for each in Artefact.objects.filter(phase__no=0):
        each.pk, each.phase = None, phase
        each.save()
    Phase.objects.filter(pk=phase.pk).update(state=PhaseState.PUBLISHED, published_at=START)


def faults(page: Page, viewport: dict[str, int]) -> list[object]:
    violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    wide = [("width", width(page))] if width(page) > viewport["width"] else []
    return [*wide, *((each["id"], each["nodes"][0]["html"][:120]) for each in violations)]


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_story_is_written_opened_and_read(battlefield: Site, scheme: str, viewport: dict[str, int]) -> None:
    player = battlefield.visit("german commander", viewport=viewport, scheme=scheme)
    write(battlefield, player)
    battlefield.complaints.clear()  # of the answer 422
    assert faults(player, viewport) == []
    publish()
    gm = battlefield.visit("gm", viewport=viewport, scheme=scheme)
    gm.goto(f"{battlefield.address}/")
    gm.get_by_role("button", name="Stories").click()
    assert faults(gm, viewport) == []
    gm.get_by_label("Who may read it").select_option("Everyone who can read the campaign")
    gm.get_by_role("button", name="Save").click()
    expect(gm.get_by_text("Everyone who can read the campaign can read the story")).to_be_visible()
    reader = battlefield.visit("allied tactical", viewport=viewport, scheme=scheme)
    reader.goto(battlefield.here("stops/3/"))
    reader.get_by_role("link", name="1 story of its battles").click()
    assert "held until noon" in reader.locator("main").inner_text()
    picture = reader.get_by_alt_text("The bridge at Dasburg")
    picture.scroll_into_view_if_needed()
    reader.wait_for_function("each => each.complete && each.naturalWidth === 480", arg=picture.element_handle())
    assert faults(reader, viewport) == []
    assert battlefield.complaints == []
