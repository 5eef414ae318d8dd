"""The release table: what each fact discloses to whom. The GM learns everything."""

from collections.abc import Mapping

from campaign.engine.facts import Fact, Noted, Release, Rolled, to_all, to_audience_of_roll, to_nobody, to_owner
from campaign.engine.values.ids import Audience, audience_of
from campaign.engine.values.value import replace
from tests.toy.model import facts
from tests.toy.model.state import State


def _card_to_owner(before: State, after: State, fact: facts.Drawn) -> Mapping[Audience, Fact]:
    return {**to_all(before, after, replace(fact, card=None)), audience_of(fact.side): fact}


def _each_its_sum(before: State, after: State, fact: facts.Fought) -> Mapping[Audience, Fact]:
    own = {audience_of(side): replace(fact, sums={side: part}) for side, part in fact.sums.items()}
    return {**to_all(before, after, replace(fact, sums={})), **own}


def _each_its_picture(_before: State, _after: State, fact: facts.Scouted) -> Mapping[Audience, Fact]:
    return {audience_of(side): facts.Scouted({side: picture}) for side, picture in fact.pictures.items()}


_TO_ALL = Release("everybody", to_all)
_TO_OWNER = Release("the force's side only", to_owner)

RELEASE: Mapping[type[Fact], Release] = {
    Rolled: Release("the audience that the roll was announced for", to_audience_of_roll),
    Noted: Release("the side that wrote it", to_owner),
    facts.Turned: _TO_ALL,
    facts.Shuffled: Release("no side", to_nobody),
    facts.Rested: _TO_ALL,
    facts.Opened: _TO_ALL,
    facts.Drawn: Release("everyone: that a card was drawn; its side: which card", _card_to_owner),
    facts.Played: _TO_ALL,
    facts.Passed: _TO_ALL,
    facts.Acted: _TO_ALL,
    facts.Moved: _TO_OWNER,
    facts.Attacked: _TO_ALL,
    facts.AttackLapsed: _TO_OWNER,
    facts.Answered: _TO_ALL,
    facts.StandingOrdersGiven: _TO_OWNER,
    facts.Fought: Release("everyone: who won; each side: its own sum", _each_its_sum),
    facts.Weakened: _TO_OWNER,
    facts.FellBack: _TO_OWNER,
    facts.Advanced: _TO_OWNER,
    facts.Destroyed: _TO_ALL,
    facts.Scouted: Release("each side: its own picture of the enemy", _each_its_picture),
    facts.Taken: _TO_ALL,
    facts.Ended: _TO_ALL,
    facts.ForcePlaced: _TO_OWNER,
    facts.StrengthSet: _TO_OWNER,
}
