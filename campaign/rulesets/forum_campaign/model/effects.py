"""2.10 What the options were found to change, for the page on which they are chosen.

Measured in games of bots with `python -m tests.rulesets.effects`; NOTES.md of the large scenario says with which.
"""

from collections.abc import Mapping

EFFECTS: Mapping[str, str] = {
    "outside": "In 40 games of bots there were 117 battles in 16 days: 5.5 a day after German moves, 1.9 after Allied"
    " ones. With up to 3 and 1 outside, 57 are left to fight there.",
    "separate_attacks": "Adds up to two phases to a day. In 40 games of bots: German points +0.1 ± 1.8, units lost"
    " 18.3 instead of 17.4.",
    "movement_scale": "In 40 games of bots, three quarters: German points +1.5 ± 1.9, units lost 20.5 instead of 17.4."
    " Half: German points −11.0 ± 2.3, units lost 21.8, depots captured 2.8 instead of 8.4.",
    "friends_keep_supply": "In 40 games of bots: German points 0.0 ± 2.2, units lost 32.4 instead of 17.4, units"
    " without supply in an evening 3.2 instead of 3.7.",
    "raiders_fade": "In 40 games of bots: German points +2.2 ± 1.9, units without supply in an evening 1.6 instead of"
    " 3.7. Those bots did not raid on purpose.",
    "costly_demolition": "In 40 games of bots: German points +1.9 ± 2.0, depots destroyed 4.6 instead of 5.8.",
    "advances_burn_fuel": "In 40 games of bots: German points −1.1 ± 1.7.",
    "retreat_length": "In 40 games of bots, always one hex instead of up to three: German points +1.4 ± 2.0, Allied"
    " units lost 21.4 instead of 13.2, German ones 8.2 instead of 4.2.",
    "whole_drop_zone": "In 40 games of bots: German points +2.8 ± 2.0.",
}
"""By the name of the option; both sides' numbers of battles outside share one. ± is the standard error."""
