"""The forum campaign: the Ardennes on a hex map, with battles fought in an outside tactical game. Wiring only."""

from campaign.engine.ruleset import Outside, Ruleset, Simulation, options_in_open
from campaign.rulesets.forum_campaign.bars import BARS
from campaign.rulesets.forum_campaign.battle.resolver import by_rules
from campaign.rulesets.forum_campaign.battle.results import check_report, completed, settled, shown
from campaign.rulesets.forum_campaign.bots import BOTS
from campaign.rulesets.forum_campaign.choices import candidates, ways
from campaign.rulesets.forum_campaign.disclosure.briefs import (
    battles as waiting,  # a module of the package has its name
)
from campaign.rulesets.forum_campaign.disclosure.briefs import brief, names_in, title
from campaign.rulesets.forum_campaign.disclosure.charts import charts
from campaign.rulesets.forum_campaign.disclosure.consequences import CONSEQUENCES
from campaign.rulesets.forum_campaign.disclosure.figures import figure
from campaign.rulesets.forum_campaign.disclosure.release import RELEASE
from campaign.rulesets.forum_campaign.disclosure.show import show
from campaign.rulesets.forum_campaign.disclosure.sight import sees_place
from campaign.rulesets.forum_campaign.disclosure.statistics import STATISTICS
from campaign.rulesets.forum_campaign.evolve import evolve
from campaign.rulesets.forum_campaign.gm.corrections import CORRECTIONS, correction_names, corrections
from campaign.rulesets.forum_campaign.gm.judgements import judgements
from campaign.rulesets.forum_campaign.gm.position import POSITIONS
from campaign.rulesets.forum_campaign.gm.rulings import RULINGS
from campaign.rulesets.forum_campaign.measures import measures, outcome
from campaign.rulesets.forum_campaign.model.game_data import SIDES, GameData
from campaign.rulesets.forum_campaign.model.options import Options
from campaign.rulesets.forum_campaign.model.orders import Pursue, Result, Retreat
from campaign.rulesets.forum_campaign.model.start import with_options
from campaign.rulesets.forum_campaign.model.state import State
from campaign.rulesets.forum_campaign.model.upgrades import (
    with_all_battles_outside,
    with_commandos_and_air,
    with_establishment_of_task_force,
    with_establishments,
    with_hidden_part,
)
from campaign.rulesets.forum_campaign.scenario.base_map import base_map
from campaign.rulesets.forum_campaign.scenario.case import read_case
from campaign.rulesets.forum_campaign.scenario.reading import read_scenario
from campaign.rulesets.forum_campaign.sequence import PHASES, last_day, moment, step
from campaign.rulesets.forum_campaign.sheets.formations import formations
from campaign.rulesets.forum_campaign.sheets.forms import forms
from campaign.rulesets.forum_campaign.sheets.forms.report import report_forms
from campaign.rulesets.forum_campaign.sheets.names import names

RULESET: Ruleset[GameData, State] = Ruleset(
    key="forum_campaign",
    title="Forum campaign",
    sides=SIDES,
    state_type=State,
    edition=4,
    state_version=5,
    upgrades={
        1: with_hidden_part,
        2: with_commandos_and_air,
        3: with_establishments,
        4: with_all_battles_outside,
    },
    event_version=2,
    event_upgrades={1: with_establishment_of_task_force},
    phases=PHASES,
    moment=moment,
    last_day=last_day,
    step=step,
    evolve=evolve,
    release=RELEASE,
    read_scenario=read_scenario,
    options=Options,
    with_options=with_options,
    options_of=options_in_open,
    read_case=read_case,
    names=names,
    formations=formations,
    corrections=CORRECTIONS,
    correction_names=correction_names,
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
    battles=waiting,
    outside=Outside(
        brief=brief,
        names=names_in,
        check=check_report,
        settled=settled,
        title=title,
        replies=(Result, Retreat, Pursue),
        completed=completed,
        shown=shown,
        forms=report_forms,
        by_rules=by_rules,
    ),
    judgements=judgements,
    simulation=Simulation(bots=BOTS, options={"battles": "automatic"}, measures=measures, outcome=outcome, bars=BARS),
    statistics=STATISTICS,
    consequences=CONSEQUENCES,
    positions=POSITIONS,
)
