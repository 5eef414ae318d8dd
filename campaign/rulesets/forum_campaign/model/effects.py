"""2.10 What the options were found to change, for the page on which they are chosen.

Measured in games of bots with `python -m tests.rulesets.effects`; NOTES.md of the large scenario says with which.
"""

from collections.abc import Mapping

EFFECTS: Mapping[str, str] = {
    "outside": "In 40 games of bots there were 120 battles in 16 days: 5.9 a day after German moves, 1.6 after Allied"
    " ones. With up to 3 and 1 outside, 58 are left to fight there.",
    "separate_attacks": "Adds up to two phases to a day. In 40 games of bots: German points +1.9 ± 1.7, units lost"
    " 19.7 instead of 17.4.",
    "movement_scale": "In 40 games of bots, three quarters: German points +0.8 ± 2.0, units lost 20.4 instead of 17.4."
    " Half: German points −15.0 ± 2.0, units lost 15.6, depots captured 1.5 instead of 7.8.",
    "friends_keep_supply": "In 40 games of bots: German points −2.9 ± 2.1, units lost 26.0 instead of 17.4, units"
    " without supply in an evening 3.2 instead of 4.1.",
    "raiders_fade": "In 40 games of bots: German points +2.2 ± 2.2, units without supply in an evening 1.9 instead of"
    " 4.1. Those bots did not raid on purpose.",
    "costly_demolition": "In 40 games of bots: German points +1.4 ± 2.0, depots destroyed 5.2 instead of 6.6.",
    "advances_burn_fuel": "In 40 games of bots: German points −0.1 ± 1.6.",
    "retreat_length": "In 40 games of bots, always one hex instead of up to three: German points +2.6 ± 2.2, Allied"
    " units lost 22.5 instead of 14.6, German ones 8.0 instead of 2.8.",
    "whole_drop_zone": "In 40 games of bots: German points −0.7 ± 1.8.",
}
"""By the name of the option; both sides' numbers of battles outside share one. ± is the standard error."""
