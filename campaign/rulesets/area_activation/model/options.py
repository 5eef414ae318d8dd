"""What groups may choose when a campaign is created, each with its default."""

from enum import Enum
from typing import Annotated

from campaign.engine.values.options import Asks
from campaign.engine.values.value import Value

_DAY = "How a day is played"
_SIGHT = "Sight"
_MOVES = "Movement and arrival"
_COMBAT = "Combat"
_END = "Points"


class Alternation(Enum):
    """R46 How the sides take turns."""

    SHEETS = "sheets"
    LIVE = "live"


class Fog(Enum):
    """R45 What a side sees of the enemy."""

    OFF = "off"
    ON = "on"


class Chances(Enum):
    """R26 The best and the worst hit chance after modifiers."""

    WHOLE = "0-10"
    NEVER_SURE = "1-9"

    def clamp(self, chance: int) -> int:
        least, most = (0, 10) if self is Chances.WHOLE else (1, 9)
        return max(least, min(most, chance))


class ReserveEntry(Enum):
    """R39 Where the OKW reserve arrives."""

    ANY = "any"
    MIDDLE = "middle"

    @property
    def letters(self) -> str:
        return "ABC" if self is ReserveEntry.ANY else "B"


_ALTERNATION = Asks(
    "How do the sides take turns during a day?",
    {
        "sheets": "by sheets: each side writes down its day once, and is asked only what it wants to be asked",
        "live": "live: each side is asked for every activation and every decision",
    },
    "R46",
    _DAY,
)
_QUESTIONS = Asks(
    "How many questions may the two sides be asked while the sheets of a day are played?",
    {str(n): "none" if n == 0 else f"at most {n}" for n in range(7)},
    "R48",
    _DAY,
)
_QUESTIONS_OF_A_SIDE = Asks(
    "How many of them may go to one side?",
    {str(n): "none" if n == 0 else f"at most {n}" for n in range(5)},
    "R48",
    _DAY,
)
_IDLE = Asks(
    "Do units that are out of supply or short of fuel keep a day open?",
    {"no": "no: it ends when all units that can act have acted", "yes": "yes: it then ends by two passes"},
    "R8",
    _DAY,
)
_FOG = Asks(
    "Are enemy units hidden that stand away from your units and spaces?",
    {
        "off": "no: everybody sees every unit, as in the printed game",
        "on": "yes: a side sees only what is in its own spaces and units' spaces, and one border around them",
    },
    "R45",
    _SIGHT,
    source="off",
)
_SHORT = Asks(
    "May a strategic move be shorter than three spaces?",
    {"yes": "yes: one to three spaces", "no": "no: three spaces exactly"},
    "R19",
    _MOVES,
    source="no",
)
_RESERVE = Asks(
    "Where does the OKW reserve arrive?",
    {"any": "in any German space of arrival", "middle": "in spaces with the letter B"},
    "R39",
    _MOVES,
)
_CHANCES = Asks(
    "Between what limits are hit chances held? (The supplied scenarios never come to them.)",
    {"0-10": "0 and 10: an attack may be hopeless or sure", "1-9": "1 and 9: a 1 always hits and a 10 never does"},
    "R26",
    _COMBAT,
)
_HITS_FIRST = Asks(
    "When do units that retreat take their hits?",
    {"yes": "before they move: who is lost needs no space to go to", "no": "where they have retreated to"},
    "R32",
    _COMBAT,
)
_LIMIT = Asks(
    "Does the limit of three units hold for a breakthrough?",
    {"yes": "yes", "no": "no: the unit may be the fourth there until it moves on"},
    "R33",
    _COMBAT,
)
_NEGATIVE = Asks(
    "May the German points fall below 0?",
    {"yes": "yes", "no": "no: losses below 0 are forgotten"},
    "R3",
    _END,
)


class Options(Value, frozen=True):
    """The questions in the order of the form."""

    alternation: Annotated[Alternation, _ALTERNATION] = Alternation.SHEETS
    questions: Annotated[int, _QUESTIONS] = 3
    questions_of_a_side: Annotated[int, _QUESTIONS_OF_A_SIDE] = 2
    idle_units_count: Annotated[bool, _IDLE] = False
    fog: Annotated[Fog, _FOG] = Fog.OFF
    short_strategic: Annotated[bool, _SHORT] = True
    reserve: Annotated[ReserveEntry, _RESERVE] = ReserveEntry.ANY
    chances: Annotated[Chances, _CHANCES] = Chances.WHOLE
    hits_first: Annotated[bool, _HITS_FIRST] = True
    breakthrough_limit: Annotated[bool, _LIMIT] = True
    negative_points: Annotated[bool, _NEGATIVE] = True
