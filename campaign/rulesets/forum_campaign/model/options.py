"""2.10 The options of a campaign: the points that forum groups argue about."""

from enum import Enum
from typing import Annotated

from campaign.engine.options import Asks
from campaign.engine.values import Value

_STOPS = "The stops of a day"
_SKY = "Weather and air"
_MARCH = "Movement"
_FUEL = "Fuel"
_SIGHT = "Sight and commandos"
_BATTLE = "Battles"


def _yes_no(question: str, no: str, yes: str, rule: str, topic: str) -> Asks:
    return Asks(question, {"no": no, "yes": yes}, rule, topic)


class Parity(Enum):
    """R3 G2 How air superiority is compared."""

    EVEN_FIRST = "even_first"
    RAW = "raw"


class FuelGrouping(Enum):
    """R10.4 How moved units share fuel points."""

    SEPARATE = "separate"
    POOLED = "pooled"


class Shortage(Enum):
    """R10 G1 What happens when the fuel does not suffice."""

    CAP = "cap"
    DEBT = "debt"
    INFANTRY_FREE = "infantry_free"


class ZoneCost(Enum):
    """R5.2 What an enemy zone of control costs."""

    NONE = "none"
    ENTER = "enter"
    BOTH = "both"
    STOP = "stop"


class CommandoDie(Enum):
    """R11.3 The die that finds a commando on 1 to 3."""

    D6 = "6"
    D10 = "10"


class ThirdBand(Enum):
    """R15.2 What is made out at the edge of sight."""

    TYPE = "type"
    CONTACT = "contact"


class LastKnown(Enum):
    """What becomes of an enemy who is out of sight again."""

    NONE = "none"
    KEPT = "kept"


class RetreatLength(Enum):
    """R12 G3 How far the beaten retreat."""

    ONE = "one"
    CLEAR = "clear"


class WipedOut(Enum):
    """R12.8 How the further 30 percent are counted."""

    CUMULATIVE = "cumulative"
    REMAINDER = "remainder"


class WithdrawalMinute(Enum):
    """R12.6 From which minute of a battle its defender may withdraw."""

    TEN = "10"
    FIFTEEN = "15"
    TWENTY = "20"


class BattleMode(Enum):
    """R12.1 Where battles are decided."""

    OUTSIDE = "outside"
    AUTOMATIC = "automatic"
    BY_CHOICE = "by_choice"


class MovementScale(Enum):
    """2.11 Printed movement as a part of what the scenario prints."""

    FULL = "full"
    THREE_QUARTERS = "three_quarters"
    HALF = "half"


class Options(Value, frozen=True):
    """2.10 What a campaign has chosen. Everything else is a default that the GM can overrule by a ruling."""

    battles: Annotated[
        BattleMode,
        Asks(
            "Where are battles decided?",
            {
                "outside": "in a tactical game outside; their results are entered",
                "automatic": "by the rules' own resolver",
                "by_choice": "outside, or by the resolver where the GM says so",
            },
            "R12.1",
            _STOPS,
        ),
    ] = BattleMode.OUTSIDE
    separate_attacks: Annotated[
        bool,
        _yes_no(
            "When are attacks named?",
            "on the movement sheet",
            "at a stop of their own, when all have moved",
            "R4.4",
            _STOPS,
        ),
    ] = False
    separate_removals: Annotated[
        bool,
        _yes_no(
            "When does the winner in the air name the air units he removes?",
            "by priorities on his air sheet",
            "at a stop of its own, when both allocations lie open",
            "R3.7",
            _STOPS,
        ),
    ] = False
    separate_retreats: Annotated[
        bool,
        _yes_no(
            "When do the beaten say where they retreat to?",
            "in the report of the battle",
            "at a stop of their own, when the battles are decided",
            "R12.5",
            _STOPS,
        ),
    ] = False
    forecast: Annotated[
        bool,
        _yes_no(
            "Is there a weather forecast?",
            "no: each morning's weather is rolled on that morning",
            "yes: it is rolled, and known to all, a day before",
            "R2.2",
            _SKY,
        ),
    ] = False
    parity: Annotated[
        Parity,
        Asks(
            "How is air superiority compared?",
            {
                "even_first": "each side's units are evened down to pairs first",
                "raw": "as they are; only the difference is counted in pairs",
            },
            "R3.7",
            _SKY,
        ),
    ] = Parity.EVEN_FIRST
    movement_scale: Annotated[
        MovementScale,
        Asks(
            "How far do units move?",
            {
                "full": "as far as their counters say",
                "three_quarters": "three quarters of the scenario's printed movement, rounded up",
                "half": "half of it, rounded up",
            },
            "R4",
            _MARCH,
        ),
    ] = MovementScale.FULL
    zone_cost: Annotated[
        ZoneCost,
        Asks(
            "What does an enemy zone of control cost?",
            {
                "none": "nothing extra",
                "enter": "extra points to enter",
                "both": "extra points to enter and to leave",
                "stop": "nothing extra, but whoever enters one stops there",
            },
            "R5.2",
            _MARCH,
        ),
    ] = ZoneCost.BOTH
    fuel_grouping: Annotated[
        FuelGrouping,
        Asks(
            "How do moved units share fuel points?",
            {
                "separate": "infantry and mechanized units each by themselves, each rounded up",
                "pooled": "together, rounded up once",
            },
            "R10.4",
            _FUEL,
        ),
    ] = FuelGrouping.SEPARATE
    fuel_shortage: Annotated[
        Shortage,
        Asks(
            "What if the fuel does not suffice?",
            {
                "cap": "moves beyond the reserve do not take place",
                "debt": "the reserve may fall below zero; while it is below, no mechanized unit moves",
                "infantry_free": "infantry may go on without fuel, by its printed movement",
            },
            "R10.7",
            _FUEL,
        ),
    ] = Shortage.CAP
    captured_counts_now: Annotated[
        bool,
        _yes_no(
            "When does captured fuel count?",
            "from the next German movement on",
            "at once, for the lines that follow on the same sheet",
            "R9.2",
            _FUEL,
        ),
    ] = False
    third_band: Annotated[
        ThirdBand,
        Asks(
            "What is made out at the edge of sight, three hexes away?",
            {"type": "the type of the unit", "contact": "that somebody is there"},
            "R15.2",
            _SIGHT,
        ),
    ] = ThirdBand.TYPE
    last_known: Annotated[
        LastKnown,
        Asks(
            "What becomes of enemies who are out of sight again?",
            {"none": "they leave the map", "kept": "they stay where they were last seen, shown with their age"},
            "R15.2",
            _SIGHT,
        ),
    ] = LastKnown.NONE
    commando_die: Annotated[
        CommandoDie,
        Asks(
            "By which die is a commando found, on 1 to 3?",
            {"6": "a d6: every second time", "10": "a d10: three times in ten"},
            "R11.3",
            _SIGHT,
        ),
    ] = CommandoDie.D6
    withdrawal_minute: Annotated[
        WithdrawalMinute,
        Asks(
            "From which minute of a battle may its defender withdraw?",
            {"10": "the 10th", "15": "the 15th", "20": "the 20th"},
            "R12.6",
            _BATTLE,
        ),
    ] = WithdrawalMinute.TWENTY
    retreat_length: Annotated[
        RetreatLength,
        Asks(
            "How far do the beaten retreat?",
            {"one": "one hex", "clear": "until they are out of every enemy zone of control, at most three hexes"},
            "R12.5",
            _BATTLE,
        ),
    ] = RetreatLength.ONE
    friends_cover_retreat: Annotated[
        bool,
        _yes_no(
            "Do friends cover a retreat?",
            "no: no retreat into an enemy zone of control",
            "yes: a hex with a friendly unit is open in spite of enemy zones, if there is room",
            "R12.5",
            _BATTLE,
        ),
    ] = False
    wiped_out: Annotated[
        WipedOut,
        Asks(
            "When is a unit wiped out?",
            {
                "cumulative": "at 20 percent of its full establishment: 50 and a further 30 lost",
                "remainder": "at 35 percent: 50 lost, and 30 percent of what remained",
            },
            "R12.8",
            _BATTLE,
        ),
    ] = WipedOut.CUMULATIVE
