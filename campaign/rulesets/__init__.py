"""The rulesets: a literal tuple, and the only list of them in the project."""

from typing import Any

from campaign.engine.ruleset import Ruleset
from campaign.rulesets import forum_campaign

RULESETS: tuple[Ruleset[Any, Any], ...] = (forum_campaign.RULESET,)


def ruleset(key: str) -> Ruleset[Any, Any]:
    """The ruleset with this key; raises KeyError."""
    return {rules.key: rules for rules in RULESETS}[key]
