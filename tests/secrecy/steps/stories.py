"""The players of battles write their stories, with pictures; the GM opens them, and everybody reads what they may."""

from io import BytesIO
from random import Random

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from campaign.models import Battle, Phase
from stories.models import Readers, Story
from tests.secrecy.campaigns import SLUG
from tests.secrecy.steps.plan import HERE, Plan
from tests.secrecy.worlds import Answer, World

_COLOURS = ("red", "green", "blue")


def story(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A player of the observer's side writes of a battle, and sends a picture and a file that is none."""
    found = written_of(world, plan.observer) if plan.playing else None
    if found is None:
        return []
    path, who, seen = found
    form = {"act": "save", "text": f"We held on. {chance.random()}", "seen": seen, "caption": "The bridge"}
    pictures = [picture(chance.choice(_COLOURS)), SimpleUploadedFile("map.png", b"<svg></svg>", "image/png")]
    answers = [world.ask(who, "POST", path, {**form, "picture": each}) for each in pictures]
    return [*answers, world.ask(who, "GET", path), *_read(world, plan, chance)]


def open_stories(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The GM says who may read the stories of the observer's side, mostly everyone, and watchers read them."""
    with world.present():
        own = Story.objects.filter(side=plan.observer).select_related("battle__phase").order_by("token")
        found = [(each.battle.phase.no, each.token, each.version) for each in own]
    for no, token, version in found:
        readers = chance.choice([*Readers.values, *[Readers.EVERYONE.value] * 8])
        form = {"story": token, "seen": version, "readers": readers}
        world.ask("gm", "POST", f"{HERE}stories/{no}/", form)
    return _read(world, plan, chance) if found else []


def _read(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """Some watchers read the newest phases, their stories and the pictures of the observer's side."""
    with world.present():
        numbers = list(Phase.objects.filter(campaign__slug=SLUG).order_by("-no").values_list("no", flat=True)[:3])
        own = Story.objects.filter(side=plan.observer).select_related("battle__phase").order_by("token")
        files = [f"stories/{each.battle.phase.no}/{one.name}" for each in own for one in each.pictures]
    paths = [f"{public}{rest}/{no}/" for no in numbers for rest in ("stories", "stops") for public in ("", "public/")]
    asked = chance.sample([*paths, *files], k=min(6, len(paths)))
    return [world.ask(chance.choice(plan.watchers), "GET", HERE + path) for path in asked]


def written_of(world: World, side: str) -> tuple[str, str, int] | None:
    """Where a side writes of its first battle of the newest phase with battles, who does, and the version there is."""
    with world.present():
        battles = Battle.objects.filter(phase__campaign__slug=SLUG).order_by("-phase__no", "-phase__rev", "key")
        battle = next((each for each in battles if side in (each.attacker, each.defender)), None)
        if battle is None:
            return None
        player = battle.attacking_player if side == battle.attacker else battle.defending_player
        who = player.user.username if player else f"{side} commander"
        there = Story.objects.filter(battle=battle, author__username=who).first()
        return (
            f"{HERE}stories/{battle.phase.no}.{battle.phase.rev}/{battle.key}/",
            who,
            there.version if there else 0,
        )


def picture(colour: str, name: str = "photo.jpg") -> SimpleUploadedFile:
    file = BytesIO()
    Image.new("RGB", (30, 20), colour).save(file, "JPEG")
    return SimpleUploadedFile(name, file.getvalue(), "image/jpeg")
