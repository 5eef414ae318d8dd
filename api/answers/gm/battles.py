"""Battles on the desk of the game master: to decide, or to leave to the rules."""

from api.answers.battles import BattleLine
from api.answers.sheets import PhaseMark
from campaign.engine.values.value import Value


class BattleToDecide(Value, frozen=True):
    """A battle for whose result the open phase waits."""

    line: BattleLine
    """The battle."""
    seen: str
    """The mark under which it is decided; another one once somebody has changed the battle."""
    by_rules: bool
    """Whether you may let the rules decide it."""


class BattleDecision(Value, frozen=True):
    """The result of a battle, as the game master decides it."""

    phase: PhaseMark
    """The phase that waits for it."""
    seen: str
    """The mark of the battle."""
    text: str
    """The lines of the result."""


class ChosenBattle(Value, frozen=True):
    """A battle to leave to the rules."""

    battle: str
    """Its key."""
    seen: str
    """The mark of the battle."""


class BattlesByRules(Value, frozen=True):
    """Battles to leave to the rules."""

    phase: PhaseMark
    """The phase that waits for their results."""
    battles: tuple[ChosenBattle, ...]
    """The battles: one, several or all."""


class DecidedByRules(Value, frozen=True):
    """What became of battles to leave to the rules."""

    decided: tuple[str, ...]
    """The names of those that the rules decide."""
    unchanged: tuple[str, ...]
    """The keys of those that stay as they are, because somebody else changed them or the rules cannot decide them."""
