"""2.10 What the options were found to change, for the page on which they are chosen.

Measured in games of bots with `python -m tests.rulesets.effects`; NOTES.md of the large scenario says with which.
"""

from collections.abc import Mapping

EFFECTS: Mapping[str, str] = {
    "outside": "In 40 games of earlier bots there were 170 battles in 16 days: 6.4 a day after German moves, 4.4"
    " after Allied ones. With up to 3 and 1 outside, 63 are left to fight there.",
    "separate_attacks": "Adds up to two phases to a day. In 40 games of earlier bots: German points −2.1 ± 1.3,"
    " units lost 30.9 instead of 32.5.",
    "movement_scale": "In 40 games of earlier bots, three quarters: German points −0.2 ± 1.0, units lost 27.0"
    " instead of 32.5. Half: German points −3.5 ± 1.0, units lost 16.3, depots captured 3.3 instead of 6.3.",
    "friends_keep_supply": "In 40 games of earlier bots: German points +0.8 ± 1.3, units without supply in an"
    " evening 1.4 instead of 4.2, German fuel at the end 5 instead of 11.",
    "raiders_fade": "In 40 games of earlier bots: German points −1.4 ± 1.5, units without supply in an evening 1.9"
    " instead of 4.2. Those bots did not raid on purpose.",
    "costly_demolition": "In 40 games of earlier bots: no difference, because they have points to spare; 7.1 depots"
    " destroyed instead of 7.2.",
    "advances_burn_fuel": "In 40 games of earlier bots: German points +0.2 ± 0.5, German fuel at the end 4 instead"
    " of 11.",
    "whole_drop_zone": "In 40 games of earlier bots: German points +0.3 ± 0.9, Germans at the Meuse on 17 December"
    " in 7 games instead of 1.",
}
"""By the name of the option; both sides' numbers of battles outside share one. ± is the standard error."""
