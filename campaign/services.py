"""What can be done with a campaign as a whole."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.db import IntegrityError, transaction

from campaign.core import clock
from campaign.core.failpoints import fp
from campaign.engine.adjudication import asked
from campaign.engine.display.views import BaseMap
from campaign.engine.phases import Weight, phase_title
from campaign.engine.values.ids import Audience, PhaseKey
from campaign.engine.values.options import answers_of
from campaign.engine.values.value import encode
from campaign.game.beginning import first_state
from campaign.game.loading import (
    ENTERED,
    START,
    Loaded,
    WithStart,
    background_name,
    read_files,
    require_new,
    scenario_files,
    scenario_picture,
)
from campaign.game.store import digest, encode_state, pack
from campaign.game.turn_package import audiences
from campaign.handling import DEFAULTS, Handling, change_rows, new_rows
from campaign.models import (
    Campaign,
    CampaignDice,
    CampaignScenario,
    Membership,
    Phase,
    PhaseStart,
    Role,
    ScenarioPicture,
    User,
)
from campaign.record import audit
from campaign.record.dice_keys import anchors, new_master_seed, sealed
from campaign.record.persons import record_join
from campaign.secrecy import truth


class SlugTaken(Exception):
    """Another campaign has this address."""


@dataclass(frozen=True, kw_only=True)
class ScheduleSettings:
    """When deadlines may fall."""

    time_zone: str = "UTC"
    """The zone of weekdays and quiet hours."""
    weekdays: Sequence[int] = ()
    """Days on which deadlines may fall, Monday 0; empty: every day."""
    quiet_from: int | None = None
    quiet_to: int | None = None
    """Hours of the day between which no deadline falls."""


def create_campaign(  # noqa: PLR0913 - all that is settled when a campaign begins
    *,
    slug: str,
    title: str,
    scenario: Path,
    waits: bool = False,
    schedule: ScheduleSettings = ScheduleSettings(),
    handling: Mapping[Weight, Handling] = DEFAULTS,
    options: Mapping[str, str] = MappingProxyType({}),
    position: str = "",
    founder: User | None = None,
    master: bytes | None = None,
    settings: Mapping[str, object] = MappingProxyType({}),
    join: Callable[[Campaign], None] | None = None,
) -> Campaign:
    """A new campaign of a scenario, with its phase 0, in which nobody acts and which is due at once.

    `handling` says how to handle its phases, by weight; `options` answers its ruleset's options as text, by name.
    Defaults fill what is left out. `position`, as its ruleset writes it, is where it begins; empty: as the scenario
    does. Its creator becomes its game master. If it `waits`, it starts when every side has
    a commander or a bot. `master` is the dice's master seed, for a campaign whose dice everybody may foresee.
    `settings` are other columns of it, and `join` adds people in the same transaction. Raises ScenarioError for a
    faulty scenario, SlugTaken, and ValueError for unknown options or a faulty position.
    """
    files, picture, loaded = _read_new(scenario, position)
    start, now, master = first_state(loaded, options), clock.now(), master or new_master_seed()
    secrets = truth.opened("CampaignScenario", "CampaignDice", "ScenarioPicture", "PhaseStart")
    with transaction.atomic(durable=True), secrets:
        if picture:
            ScenarioPicture.objects.get_or_create(digest=digest(picture), defaults={"content": picture})
        campaign = _new_campaign(
            slug=slug,
            title=title,
            ruleset=loaded.rules.key,
            scenario_digest=digest(encode(files)),
            anchors=anchors(master, slug, audiences(loaded.rules)),
            opens_statistics=True,
            opens_story=True,
            from_position=bool(position),
            created_at=now,
            **(asdict(schedule) | {"weekdays": sorted(schedule.weekdays)} | dict(settings)),
        )
        CampaignScenario.objects.create(campaign=campaign, scenario_files=files)
        CampaignDice.objects.create(campaign=campaign, sealed_dice=sealed(master))
        first = new_phase(campaign, no=0, deadline_at=now, held=waits, **columns_of(loaded, start, now))
        rows = [campaign, first, *new_rows(campaign, loaded.rules, handling)]
        audit.record(campaign, "found", _created(loaded, slug, start), at=now, rows=rows)
        if founder is not None:
            member = Membership.objects.create(campaign=campaign, user=founder, role=Role.GM, joined_at=now)
            record_join(member, at=now)
        if join is not None:
            join(campaign)
        fp("found.before_commit")
    return campaign


def _read_new(folder: Path, position: str) -> tuple[dict[str, str], bytes, WithStart]:
    """The files of a scenario for a new campaign, with its picture's digest; the picture; what the files say."""
    files = scenario_files(folder) | ({ENTERED: position} if position else {})
    picture = scenario_picture(folder, files)
    with truth.opened(START):
        loaded = read_files(files, picture)
    require_new(loaded, files)
    if picture:
        files[background_name(files)] = digest(picture)
    return files, picture, loaded


def _new_campaign(**columns: object) -> Campaign:
    try:
        with transaction.atomic():
            return Campaign.objects.create(**columns)
    except IntegrityError as error:
        raise SlugTaken from error


def _created(loaded: Loaded, slug: str, start: Any) -> dict[str, str | int]:
    """What the audit records of a new campaign."""
    answers = answers_of(loaded.rules.options_of(start))
    return {
        "slug": slug,
        "ruleset": loaded.rules.key,
        "edition": loaded.rules.edition,
        **{f"option {name}": answer for name, answer in answers.items()},
    }


def new_phase(campaign: Campaign, *, state_before: bytes, **columns: Any) -> Phase:
    """A row for a phase, and one for the state at its start."""
    phase = Phase.objects.create(campaign=campaign, **columns)
    PhaseStart.objects.create(phase=phase, state_before=state_before)
    return phase


def columns_of(loaded: Loaded, state: object, now: datetime) -> dict[str, Any]:
    """The columns for `new_phase` that follow from the state at a phase's start."""
    rules, moment = loaded.rules, loaded.rules.moment(state)
    return {
        "key": rules.now(state),
        "weight": rules.phase(rules.now(state)).weight.value,
        "acts": sorted(asked(rules, state)),
        "moment": moment.label,
        "day": moment.date,
        "opens_at": now,
        "state_version": rules.state_version,
        "state_before": pack(encode_state(state)),
    }


def title_of(phase: Phase) -> str:
    """The name of a phase in players' words: German sheet, German impulse 3."""
    return phase_title(scenario_of(phase.campaign).rules.phase(PhaseKey(phase.key)), phase.occurrence)


def battle_title(campaign: Campaign, key: str) -> str:
    """The name of a battle in players' words: Battle of Clervaux (K16), Battle near St. Vith (O18)."""
    loaded = scenario_of(campaign)
    return str(loaded.rules.outside.title(loaded.scenario.game_data, key)) if loaded.rules.outside else key


def fights_outside(campaign: Campaign) -> bool:
    """Whether the campaign's ruleset has battles that are fought outside, with pages and settings for them."""
    return scenario_of(campaign).rules.outside is not None


def writers_of(phase: Phase) -> tuple[str, ...]:
    """Who may write a sheet for a phase: those who must act, and every side that has standing orders to change.

    Nobody writes for a campaign's start.
    """
    return tuple(sorted(scenario_of(phase.campaign).rules.writers(map(Audience, phase.acts)))) if phase.no else ()


def scenario_of(campaign: Campaign) -> Loaded:
    """What everybody knows of a campaign's scenario: map and charts, read once for each scenario.

    Campaigns of a scenario share it, whatever positions they began with.
    """
    shared = shared_digest(campaign)
    found = _READ.get(shared)
    if found is None:
        with truth.opened("CampaignScenario", "ScenarioPicture", START):
            files = files_of(campaign)
            found = _READ[shared] = read_files(files, picture_in(files)).open
    return found


def shared_digest(campaign: Campaign) -> str:
    """The digest of a campaign's scenario without the position that its GM entered, if they did.

    Campaigns with the same digest share map, charts and rules, so all that is made of these is remembered by it.
    """
    if not campaign.from_position:
        return campaign.scenario_digest
    found = _SHARED.get(campaign.scenario_digest)
    if found is None:
        with truth.opened("CampaignScenario"):
            files = files_of(campaign)
        found = digest(encode({name: text for name, text in files.items() if name != ENTERED}))
        _SHARED[campaign.scenario_digest] = found
    return found


def whole_scenario_of(campaign: Campaign) -> WithStart:
    """The whole scenario of a campaign, with what both sides begin with, read each time.

    Raises Breach while somebody other than the GM is answered or written to.
    """
    files = files_of(campaign)
    return read_files(files, picture_in(files))


def files_of(campaign: Campaign) -> dict[str, str]:
    """The files of a campaign's scenario, by name. The campaign does not keep them, so no page that has it does."""
    files: dict[str, str] = CampaignScenario.objects.values_list("scenario_files", flat=True).get(campaign=campaign)
    return files


def picture_in(files: Mapping[str, str]) -> bytes:
    """The picture under the map of a campaign's scenario; empty if it has none, or if it is gone."""
    kept = ScenarioPicture.objects.filter(digest=files.get(background_name(files), ""))
    return bytes(kept.values_list("content", flat=True).first() or b"")


def base_map_of(campaign: Campaign) -> BaseMap:
    """The base map under all maps of a campaign, the same for every audience; made once for each scenario."""
    return scenario_of(campaign).base_map


def takes_effect(campaign: Campaign, now: datetime) -> datetime | None:
    """When an act of now that can be cancelled takes effect; None: at once."""
    return now + timedelta(seconds=campaign.think_seconds) if campaign.think_seconds else None


_READ: dict[str, Loaded] = {}
"""Scenarios without their start, by their digests without a position. They are few and never change."""
_SHARED: dict[str, str] = {}
"""The digests of scenarios without the position that a GM entered, by those with it."""


def change_settings(
    campaign: Campaign, *, handling: Mapping[Weight, Handling] = MappingProxyType({}), **settings: object
) -> None:
    """Change the settings of a running campaign; the open phase keeps its deadline."""
    with transaction.atomic(durable=True):
        Campaign.objects.select_for_update(no_key=True).only("pk").get(pk=campaign.pk)
        Campaign.objects.filter(pk=campaign.pk).update(**settings)
        rows = [campaign, *change_rows(campaign, handling)]
        audit.record(campaign, "settings", _changed(handling, settings), at=clock.now(), rows=rows)
        fp("settings.before_commit")


def _changed(handling: Mapping[Weight, Handling], settings: Mapping[str, object]) -> dict[str, str]:
    """What the audit records of a change of settings."""
    of_phases = {
        f"{weight.value} {name}": value for weight, chosen in handling.items() for name, value in asdict(chosen).items()
    }
    return {name: str(value) for name, value in {**settings, **of_phases}.items()}
