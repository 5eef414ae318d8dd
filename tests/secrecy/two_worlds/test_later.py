"""What takes effect later, or lasts for a time, shows a side nothing of what others have and do meanwhile."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from campaign.engine.values.ids import PUBLIC, Audience
from campaign.models import Phase, PhaseState
from campaign.viewers import viewer_of
from gm.desk.corrections import try_out, write_rulings
from gm.machine.sweeper import attend
from gm.phases.judging import answer, questions
from gm.phases.prefaces import save_preface
from gm.phases.rolls import announce, void
from gm.phases.rows import events_of
from tests.secrecy.asking.crawler import Lot, crawl
from tests.secrecy.campaigns import SLUG, Base, game, live, person
from tests.secrecy.pairs import plan_of
from tests.secrecy.steps import STEPS
from tests.secrecy.steps.hours import HOURS
from tests.secrecy.steps.plan import HERE, known_side
from tests.secrecy.two_worlds.playing import long, played
from tests.secrecy.two_worlds.test_single_acts import pair_of
from tests.secrecy.worlds import ANONYMOUS

GERMAN, ALLIED = Audience("german"), Audience("allied")


@pytest.mark.parametrize(
    ("observer", "reader"),
    [long(ALLIED, "allied commander"), long(GERMAN, "german staff"), (PUBLIC, ANONYMOUS)],
)
def test_a_publication_that_waits_reveals_only_what_is_disclosed(
    worlds: Mapping[str, Base], observer: Audience, reader: str
) -> None:
    """The others have other units and lives, and one of them has rolled; before it takes effect nobody reads of it."""
    acts = "M12, M4, M20, ready and wait, lock, M18, adjudicate, approve and wait, tick"
    figures = played(worlds, "01-air", observer, acts, [reader], sure=(r"/stops/\d+/$",))
    assert not figures.explained
    assert figures.steps["ready and wait"] == (observer != PUBLIC)
    assert figures.hours["gm.models.Approval.publishes_at"] == 1


@pytest.mark.parametrize("observer", [long(ALLIED), GERMAN])
def test_what_lasts_for_a_time_is_for_those_alone_whom_it_concerns(
    worlds: Mapping[str, Base], observer: Audience
) -> None:
    twice = ("an invitation opens", "many mails", "an absence ends", "a token ends")
    acts = f"M12, M20, {', '.join(twice)}, M30, M20, M14, {', '.join(twice)}, a bot stands in"
    figures = played(worlds, "01-air", observer, acts, [f"{observer} deputy"], sure=("/people/$", "^/profile/tokens/"))
    assert not figures.explained
    assert {name: figures.steps[name] for name in twice} == dict.fromkeys(twice, 2)
    assert figures.steps["a bot stands in"] == 1


def test_a_sheet_that_nobody_cancels_ends_a_phase_at_the_same_time(worlds: Mapping[str, Base]) -> None:
    """The bot of a side has submitted, and then its commander is READY: nobody else acts."""
    acts = "M12, M20, a bot stands in, M30, ready and wait, adjudicate, approve and wait"
    figures = played(worlds, "02-german_sheet", GERMAN, acts, ["german commander"], sure=("/orders/HQ/$",))
    assert not figures.explained
    for name in ("a bot stands in", "ready and wait", "approve and wait"):
        assert figures.steps[name] == 1
        assert all(figures.hours[each] == 1 for each in HOURS[name][1])


def test_a_time_to_play_is_for_its_players_alone(worlds: Mapping[str, Base]) -> None:
    acts = "M12, M20, M31, a time to play, M20, a time to play, M31, a time to play"
    figures = played(worlds, "03-german_battles", GERMAN, acts, ["german tactical"], sure=("/battles/", "/calendar/"))
    assert not figures.explained
    assert figures.steps["a time to play"] == 3


@pytest.mark.parametrize(("who", "audience"), [("allied commander", ALLIED), long("spectator", PUBLIC)])
def test_what_the_gm_does_on_a_draft_is_told_with_the_publication(
    worlds: Mapping[str, Base], who: str, audience: Audience
) -> None:
    """Rolls, one of them void, a message, a ruling that was tried, and answers: all for the one who reads."""
    with pair_of(worlds["02-german_sheet"]) as (one, two):
        for world in (one, two):
            plan = plan_of(world, ALLIED, 1)
            for name in ("lock", "adjudicate"):
                STEPS[name](world, plan, Random(1))
        with two.present():
            _do_everything(audience)
            assert Phase.objects.filter(campaign__slug=SLUG, state=PhaseState.REVIEW).exists()
        lot = Lot(who, 0.2, (f"^{HERE}(?:public/)?$", "/log/", "/dice/", "/stops/$", "/battles/"))
        found = [crawl(world, who, own_side=known_side(audience) or "", lot=lot) for world in (one, two)]
        assert found[0].answers == found[1].answers


def _do_everything(audience: Audience) -> None:
    """All that a game master can do on a draft for an audience and for everybody."""
    phase, author = live(), viewer_of(person("gm"), SLUG).person
    assert phase is not None
    draft: dict[str, Any] = {"fence": phase.fence}
    announce(phase.pk, **draft, audience=audience, count=2, sides=6, purpose="a bridge", author=author)
    announce(phase.pk, **draft, audience=audience, count=1, sides=6, purpose="a rumour", author=author)
    rolled = phase.manual_rolls.filter(audience=audience).order_by("-number")[0]
    assert void(phase.pk, **draft, audience=audience, label=rolled.label, reason="No rumour.", author=author)
    for reader in (audience, PUBLIC):
        assert save_preface(phase.pk, reader, "You will hear of this.")
    text = game().ruling(Random(1))
    try_out(phase, **draft, stage=phase.key, text=text, reason="A try.", author=author)
    for each in questions(phase, events_of(phase)):
        assert answer(phase.pk, **draft, key=each.key, text="It is as they say.", author=author)
    assert write_rulings(phase, **draft, stage=phase.key, text=text, reason="It rained.", author=author)
    attend(phase.pk, worker="again")
