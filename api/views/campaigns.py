"""Campaigns: those of the caller, and what everybody knows of one."""

from collections.abc import Iterator

from django.urls import reverse

from api.answers.campaigns import (
    CampaignDetail,
    Chapter,
    HouseRuleAnswer,
    MapOfPlaces,
    OwnPart,
    Participant,
    RulesText,
    ScenarioCharts,
    SignMeaning,
)
from api.operations import Call, reads
from api.views.phases import shown_open_phase
from api.wire import File
from campaign.core import clock
from campaign.engine.display.signs import Signs
from campaign.game.rulebook import rulebook_of
from campaign.house_rules import house_rules
from campaign.maps.drawing.sizes import BOARD
from campaign.maps.painter import bare_sheet
from campaign.maps.style.schemes import DEFAULT
from campaign.models import Membership
from campaign.people.absences import away_now
from campaign.people.bots import bots_of
from campaign.people.memberships import members
from campaign.record.dice_log import has_ended
from campaign.selectors import newest_phase, open_phase
from campaign.services import base_map_of, scenario_of, shared_digest
from campaign.viewers import memberships_of


@reads()
def campaigns(call: Call) -> tuple[OwnPart, ...]:
    """The campaigns in which the caller takes part. A token has the one that it is for."""
    found = memberships_of(call.user).order_by("campaign__title", "campaign__slug")
    if call.token is not None:
        found = found.filter(pk=call.token.member_id)
    return tuple(map(_part, found))


@reads()
def campaign(call: Call) -> CampaignDetail:
    """A campaign: the caller's part, the house rules, who takes part, and the open phase."""
    viewer = call.viewer
    of, newest, open_ = viewer.campaign, newest_phase(viewer), open_phase(viewer)
    return CampaignDetail(
        part=_part(viewer.member),
        sides=scenario_of(of).rules.sides,
        public=of.public,
        closed=has_ended(of),
        options=tuple(
            HouseRuleAnswer(each.option.name, each.option.question, each.answer, each.meaning, each.differs)
            for each in house_rules(of)
        ),
        people=tuple(_people(call)),
        open_phase=shown_open_phase(open_) if open_ else None,
        newest=newest.no if newest else None,
    )


@reads()
def base_map(call: Call) -> MapOfPlaces:
    """The map: its places with their terrain, what connects and what parts them, and what the keys in Views mean."""
    slug = call.viewer.campaign.slug
    base = base_map_of(call.viewer.campaign)
    return MapOfPlaces(
        title=base.title,
        credit=base.credit,
        kilometres=base.kilometres,
        picture=reverse("api_base_picture", args=[slug]),
        places=base.grounds,
        lines=base.lines,
        borders=base.borders,
        exits=base.exits,
        entries=base.entries,
        signs=_meanings(base.signs),
    )


@reads(files=("image/png",))
def base_picture(call: Call) -> File:
    """The map without anything that happens on it, as a picture."""
    base = base_map_of(call.viewer.campaign)
    return File(bare_sheet(base, width=BOARD, colours=DEFAULT), "image/png")


@reads()
def charts(call: Call) -> ScenarioCharts:
    """The tables of the rules, with the scenario's figures."""
    loaded = scenario_of(call.viewer.campaign)
    return ScenarioCharts(loaded.rules.charts(loaded.scenario.game_data))


@reads()
def rules(call: Call) -> RulesText:
    """The rules of the campaign, as on its rules page."""
    of = call.viewer.campaign
    book = rulebook_of(shared_digest(of), scenario_of(of))
    chapters = tuple(Chapter(each.id, each.title) for each in book.chapters)
    return RulesText(reverse("rules", args=[of.slug]), chapters, "".join([book.html]))  # a plain string


def _people(call: Call) -> Iterator[Participant]:
    absent = away_now(call.viewer, clock.now())
    for each in members(call.viewer):
        away = absent[each.pk].ends_at if each.pk in absent else None
        yield Participant(each.user.username, each.role, each.side, bot=False, away_until=away)
    for bot in bots_of(call.viewer.campaign):
        yield Participant(bot.name, bot.role, bot.side, bot=True)


def _part(member: Membership) -> OwnPart:
    of = member.campaign
    loaded = scenario_of(of)
    return OwnPart(of.slug, of.title, loaded.scenario.title, loaded.rules.key, member.role, member.side)


def _meanings(signs: Signs) -> tuple[SignMeaning, ...]:
    """What the declared keys mean, as far as they have words; of a marker, what the legend says."""
    kinds = ("lands", "lines", "borders", "arms", "sizes", "conditions", "figures", "flights", "sorties", "arrows")
    markers = ((each.key, each.samples[0].words if each.samples else each.key) for each in signs.markers)
    return (
        *(SignMeaning(kind, each.key, each.words) for kind in kinds for each in getattr(signs, kind) if each.words),
        *(SignMeaning("markers", key, words) for key, words in markers),
    )
