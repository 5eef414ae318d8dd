"""How states that older versions have stored are brought forward, as plain JSON."""

from typing import Any

from campaign.rulesets.forum_campaign.model.game_data import Branch
from campaign.rulesets.forum_campaign.model.state import tanks_at_start


def with_hidden_part(raw: dict[str, Any]) -> dict[str, Any]:
    """The upgrade from state version 1, in which nothing was hidden."""
    return {**raw, "hidden": {}}


def with_commandos_and_air(raw: dict[str, Any]) -> dict[str, Any]:
    """The upgrade from state version 2: newer fields have defaults, and armour has its tanks."""
    for own in raw["own"].values():
        for unit in (*own["units"].values(), *own["lost"].values()):
            unit["tanks"], unit["heavy_tanks"] = tanks_at_start(Branch(unit["branch"]))
    return raw


def with_establishments(raw: dict[str, Any]) -> dict[str, Any]:
    """The upgrade from state version 3, whose percentages were all of full formations (ruling 68)."""
    for own in raw["own"].values():
        for unit in (*own["units"].values(), *own["lost"].values()):
            unit["establishment"] = 100
    return raw


def with_all_battles_outside(raw: dict[str, Any]) -> dict[str, Any]:
    """The upgrade from state version 4, which had no number of battles that are fought outside (R12.11)."""
    raw["open"]["options"] = {**raw["open"].get("options", {}), "outside_german": "all", "outside_allied": "all"}
    return raw


def with_establishment_of_task_force(raw: dict[str, Any]) -> dict[str, Any]:
    """The upgrade from event version 1: the same for a task force that is created."""
    for fact in (raw["fact"], *raw["faces"].values()):
        if fact["type"] == "Detached":
            fact["task_force"]["establishment"] = 100
    return raw
