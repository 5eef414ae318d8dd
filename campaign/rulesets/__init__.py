"""The rulesets: a literal tuple, and the only list of them in the project."""

from typing import Any

from campaign.engine.ruleset import Ruleset
from campaign.rulesets import area_activation, forum_campaign

RULESETS: tuple[Ruleset[Any, Any], ...] = (forum_campaign.RULESET, area_activation.RULESET)


def ruleset(key: str) -> Ruleset[Any, Any]:
    """The ruleset with this key; raises KeyError."""
    return {rules.key: rules for rules in RULESETS}[key]
