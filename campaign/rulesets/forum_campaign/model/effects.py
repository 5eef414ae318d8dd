"""2.10 What the options were found to change, for the page on which they are chosen.

Measured in games of bots with `python -m tests.rulesets.effects`; NOTES.md of the large scenario says with which.
"""

from collections.abc import Mapping

EFFECTS: Mapping[str, str] = {
    "outside": "In 40 games of bots there were 110 battles in 16 days: 5.0 a day after German moves, 1.8 after Allied"
    " ones. With up to 3 and 1 outside, 56 are left to fight there.",
    "separate_attacks": "Adds up to two phases to a day. In 40 games of bots: German points +1.2 ± 2.2, units lost"
    " 16.5 instead of 15.1.",
    "movement_scale": "In 40 games of bots, three quarters: German points +1.0 ± 2.5, units lost 17.5 instead of 15.1."
    " Half: German points −8.4 ± 2.2, units lost 18.1, depots captured 3.4 instead of 8.4.",
    "friends_keep_supply": "In 40 games of bots: German points −0.9 ± 2.6, units lost 30.3 instead of 15.1, units"
    " without supply in an evening 2.5 instead of 3.5.",
    "raiders_fade": "In 40 games of bots: German points −0.3 ± 1.9, units without supply in an evening 1.6 instead of"
    " 3.5. Those bots did not raid on purpose.",
    "costly_demolition": "In 40 games of bots: German points +0.6 ± 2.3, depots destroyed 4.8 instead of 6.0.",
    "advances_burn_fuel": "In 40 games of bots: German points −0.2 ± 1.6.",
    "retreat_length": "In 40 games of bots, one hex instead of until clear: German points +5.6 ± 2.2, Allied units lost"
    " 20.8 instead of 11.0, German ones 8.3 instead of 4.1.",
    "whole_drop_zone": "In 40 games of bots: German points −1.6 ± 2.3.",
}
"""By the name of the option; both sides' numbers of battles outside share one. ± is the standard error."""
