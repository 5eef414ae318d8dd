"""Area activation: the Ardennes by areas, with alternating activations. Wiring only."""

from campaign.engine.ruleset import Ruleset, Simulation, options_in_open, with_options_in_open
from campaign.rulesets.area_activation.bars import BARS
from campaign.rulesets.area_activation.bots import BOTS, measures, outcome
from campaign.rulesets.area_activation.evolve import evolve
from campaign.rulesets.area_activation.gm.rulings import CORRECTIONS, RULINGS, corrections
from campaign.rulesets.area_activation.model.game_data import SIDES, GameData
from campaign.rulesets.area_activation.model.options import Options
from campaign.rulesets.area_activation.model.state import State
from campaign.rulesets.area_activation.scenario.base_map import base_map, charts, figure
from campaign.rulesets.area_activation.scenario.case import read_case
from campaign.rulesets.area_activation.scenario.reading import read_scenario
from campaign.rulesets.area_activation.sequence import PHASES, moment, step
from campaign.rulesets.area_activation.sheets.choices import candidates, ways
from campaign.rulesets.area_activation.sheets.forms import forms
from campaign.rulesets.area_activation.sheets.names import formations, names
from campaign.rulesets.area_activation.show.consequences import CONSEQUENCES
from campaign.rulesets.area_activation.show.release import RELEASE
from campaign.rulesets.area_activation.show.show import show
from campaign.rulesets.area_activation.show.sight import sees_place
from campaign.rulesets.area_activation.show.statistics import STATISTICS

RULESET: Ruleset[GameData, State] = Ruleset(
    key="area_activation",
    title="Area activation",
    sides=SIDES,
    state_type=State,
    edition=1,
    state_version=1,
    upgrades={},
    phases=PHASES,
    moment=moment,
    step=step,
    evolve=evolve,
    release=RELEASE,
    read_scenario=read_scenario,
    read_case=read_case,
    options=Options,
    with_options=with_options_in_open,
    options_of=options_in_open,
    names=names,
    formations=formations,
    corrections=CORRECTIONS,
    correction_names=names,
    correct=corrections,
    rulings=RULINGS,
    candidates=candidates,
    ways=ways,
    forms=forms,
    base_map=base_map,
    charts=charts,
    figure=figure,
    show=show,
    sees_place=sees_place,
    last_day=lambda game_data: game_data.last_day,
    simulation=Simulation(bots=BOTS, options={}, measures=measures, outcome=outcome, bars=BARS),
    statistics=STATISTICS,
    consequences=CONSEQUENCES,
)
