"""What the players of a battle do, and their commanders."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from random import Random

from django.db.models import QuerySet

from campaign.core import clock
from campaign.engine.values.ids import Audience
from campaign.fighting import meeting_of
from campaign.models import Battle, BattleState, PhaseState
from campaign.people.throttles import MINUTE
from campaign.viewers import viewer_of
from orders.battles.maps import map_of
from orders.battles.reading import mark_of
from stories.models import MapPicture
from tests.secrecy.campaigns import SLUG, live, person, truth
from tests.secrecy.games.game import Position
from tests.secrecy.steps.plan import API, HERE, Plan
from tests.secrecy.steps.stories import picture
from tests.secrecy.worlds import Answer, World


def battle(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The players of a battle check, answer with a line that cannot be read, then report, confirm or dispute."""
    checked = of_a_battle(world, plan, chance, "check")
    refused = of_a_battle(world, plan, chance, "confirm", reply="RETREAT nobody to nowhere")
    return checked + refused + of_a_battle(world, plan, chance, chance.choice(["report", "confirm", "dispute"]))


def assign(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """A commander names who fights a battle, or the GM. The enemy learns it as soon as both have named somebody."""
    by_commander = of_a_battle(world, plan, chance, "assign")
    return by_commander + of_a_battle(world, plan, chance, "assign", by="gm")


def the_others_fight(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The other side reports a battle, or answers its report, in the same words in both worlds."""
    if not plan.playing:
        return []
    theirs = replace(plan, observer=Audience(plan.game.others(plan.observer)[0]))
    act = chance.choice(["report", "confirm", "dispute"]) if reported(world) else "report"
    if not of_a_battle(world, theirs, chance, act):
        return []
    return [world.ask(plan.player(), "GET", f"{HERE}battles/")]


def share(world: World, plan: Plan, chance: Random) -> list[Answer]:
    """The players of a battle tell each other of its file, times to play, its map and pictures, and agree on a time.

    The others name theirs first: a page says who wrote what, so it must be the same person in both worlds.
    """
    world.now += MINUTE  # the others may have added as many pictures as are allowed in one
    battle = one_to_play(world, chance) if plan.playing else None
    if battle is None:
        return []
    own, others = players_of(world, plan, battle)
    one, two = chance.sample([own, others], k=2)
    ends = chance.choice(["withdraw", "withdraw_map", "propose", "file"])
    acts = [(one, "file"), (one, "propose"), (two, "accept"), (two, "map"), (one, "map"), (two, "propose"), (one, ends)]
    done = [(who, tell(world, who, battle, act, chance)) for who, act in acts]
    done += [(who, add_picture(world, who, battle, colour)) for who, colour in ((two, "red"), (one, "green"))]
    pages = ("battles/", f"battles/{battle.key}/", "calendar/", "", *_pictures(world, battle))
    readers = [own, plan.player("commander"), plan.player("staff"), plan.player("tactical"), "spectator"]
    return [
        *(answer for who, answer in done if who == own),
        *(world.ask(who, "GET", HERE + page) for who in readers for page in pages),
    ]


def one_to_play(world: World, chance: Random) -> Battle | None:
    """A battle that waits for its result."""
    battles = _open_battles(world)
    return chance.choice(battles) if battles else None


def players_of(world: World, plan: Plan, battle: Battle) -> tuple[str, str]:
    """Who plays a battle for the observer's side, and for the others, who name their player here."""
    other = plan.game.others(plan.observer)[0]
    named = {"act": "assign", "player": f"{other} tactical"}
    world.ask(f"{other} commander", "POST", f"{HERE}battles/{battle.key}/", {**_of(battle), **named})
    return plan.player("tactical" if _is_named(battle, plan.observer) else "commander"), f"{other} tactical"


def tell(world: World, who: str, battle: Battle, act: str, chance: Random) -> Answer:
    """A player of a battle uses one of the forms for what its players share, as its page shows it."""
    with world.present():
        battle = _battles().get(pk=battle.pk)  # who fights it may have changed
        viewer = viewer_of(person(who), SLUG)
        meeting, known = meeting_of(viewer, battle), map_of(viewer, battle)
        noon = (world.now + timedelta(days=chance.randint(2, 9))).replace(hour=12)
        local = noon.astimezone(clock.zone(viewer.person.time_zone))  # mutators change the zones of others
    form = {
        **_of(battle),
        "act": act,
        "file_link": f"https://example.org/{chance.random()}",
        "file_note": f"A note {chance.random()}",
        "time_1": f"{local:%Y-%m-%dT%H:%M}",
        "time": meeting.open[0].mark if meeting.open else "",
        "seen_times": meeting.mark,
        "map_name": f"A map {chance.random()}",
        "map_notes": f"Notes {chance.random()}",
        "seen_map": known.texts.mark if known else "",
    }
    return world.ask(who, "POST", f"{HERE}battles/{battle.key}/", form)


def add_picture(
    world: World, who: str, battle: Battle, colour: str, *, name: str = "photo.jpg", caption: str | None = None
) -> Answer:
    """A player of a battle adds a picture to the map of its place, from a file of this name."""
    words = f"All {colour}" if caption is None else caption
    form = {**_of(battle), "act": "map_picture", "picture": picture(colour, name), "map_caption": words}
    return world.ask(who, "POST", f"{HERE}battles/{battle.key}/map/", form, draws=f"{battle.key} {colour}")


def _pictures(world: World, battle: Battle) -> list[str]:
    """The addresses of the pictures of the map of a battle's place."""
    with world.present():
        rows = MapPicture.objects.filter(campaign__slug=SLUG, place=battle.key)
        names = sorted(name for row in rows for name in (row.picture.name, row.picture.small_name))
    return [f"battles/{battle.key}/map/{name}" for name in names]


def _of(battle: Battle) -> Mapping[str, object]:
    return {"stop": battle.phase.no, "rev": battle.phase.rev}


def _open_battles(world: World) -> list[Battle]:
    with world.present():
        return list(_battles().filter(phase__state=PhaseState.OPEN).order_by("key"))


def _battles() -> QuerySet[Battle]:
    here = Battle.objects.filter(phase__campaign__slug=SLUG)
    return here.select_related("phase", "attacking_player", "defending_player")


def of_a_battle(world: World, plan: Plan, chance: Random, act: str, *, reply: str = "", by: str = "") -> list[Answer]:
    """The observer's side acts in one of the battles that wait; or the GM does for it, whose answer is left out."""
    with world.present():
        waiting = Battle.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN).order_by("key")
        found = [(each, each.phase.no, each.phase.rev, mark_of(each)) for each in waiting]
        phase = live()
    if not found or not plan.playing or phase is None:
        return []
    battle, no, rev, seen = chance.choice(found)
    key, player = battle.key, "tactical" if _is_named(battle, plan.observer) else "commander"
    with world.present():
        text = plan.game.report(Position(plan.game, plan.loaded, truth(phase), plan.observer), key, chance)
    form = {"stop": no, "rev": rev, "seen": seen, "act": act, "key": f"{act} {chance.random()}",
            "text": text, "reply": reply, "link": "",
            "statement": "We were not there.", "player": plan.player("tactical")}  # fmt: skip
    who, rest = (plan.player(), "") if act == "assign" else (plan.player(player), "check/" if act == "check" else "")
    answer = world.ask(by or who, "POST", f"{HERE}battles/{key}/{rest}", form)
    return [
        *([] if by else [answer]),
        world.ask(plan.player(chance.choice(["commander", "staff"])), "GET", f"{HERE}battles/{key}/"),
        world.ask(plan.player(), "GET", f"{HERE}battles/"),
        world.ask(plan.player(chance.choice(["commander", "staff"])), "GET", f"{API}battles/{key}/"),
        world.ask(plan.player(player), "POST", f"{API}battles/{key}/check/", {"text": text}, json=True),
    ]


def reported(world: World) -> Battle | None:
    """A battle that waits for an answer to its report."""
    with world.present():
        waiting = Battle.objects.filter(phase__campaign__slug=SLUG, phase__state=PhaseState.OPEN)
        return waiting.filter(state=BattleState.REPORTED).order_by("key").first()


def _is_named(battle: Battle, side: str) -> bool:
    """Whether a side has named its player, who alone reports and answers then."""
    return (battle.attacking_player_id if side == battle.attacker else battle.defending_player_id) is not None
