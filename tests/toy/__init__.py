"""The Estuary: a toy game that is in no list of rulesets and keeps the engine general. Wiring only."""

from pathlib import Path

from campaign.engine.ruleset import Ruleset, Simulation, options_in_open, with_options_in_open
from tests.toy.base_map import base_map, charts, figure, formations
from tests.toy.bots import BOTS, measures, outcome
from tests.toy.evolve import evolve
from tests.toy.gm.judgements import judgements
from tests.toy.gm.rulings import RULINGS, corrections
from tests.toy.model.game_data import SIDES, GameData
from tests.toy.model.options import Options
from tests.toy.model.orders import CORRECTIONS
from tests.toy.model.state import State
from tests.toy.rules.sighting import sees_place
from tests.toy.rules.standing import STANDING
from tests.toy.scenario import read_case, read_scenario
from tests.toy.sequence import PHASES, moment, step
from tests.toy.sheets.choices import candidates
from tests.toy.sheets.forms import forms
from tests.toy.sheets.sheet import names
from tests.toy.show.consequences import CONSEQUENCES
from tests.toy.show.release import RELEASE
from tests.toy.show.show import show
from tests.toy.show.statistics import STATISTICS

RULESET: Ruleset[GameData, State] = Ruleset(
    key="toy",
    title="The Estuary",
    sides=SIDES,
    state_type=State,
    edition=1,
    state_version=2,
    upgrades={1: dict},
    phases=PHASES,
    moment=moment,
    step=step,
    evolve=evolve,
    release=RELEASE,
    read_scenario=read_scenario,
    options=Options,
    with_options=with_options_in_open,
    options_of=options_in_open,
    read_case=read_case,
    names=names,
    formations=formations,
    corrections=CORRECTIONS,
    correction_names=names,
    correct=corrections,
    rulings=RULINGS,
    candidates=candidates,
    forms=forms,
    base_map=base_map,
    charts=charts,
    figure=figure,
    show=show,
    judgements=judgements,
    sees_place=sees_place,
    simulation=Simulation(bots=BOTS, options={}, measures=measures, outcome=outcome),
    standing=STANDING,
    statistics=STATISTICS,
    consequences=CONSEQUENCES,
)

FOLDER = Path(__file__).parent
SCENARIO = FOLDER / "estuary"
