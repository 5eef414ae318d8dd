"""2.10 The options of a campaign: points on which forum groups differ."""

from enum import Enum
from typing import Annotated

from campaign.engine.values.options import Asks
from campaign.engine.values.value import Value
from campaign.rulesets.forum_campaign.model.effects import EFFECTS

_STOPS = "The phases of a day"
_SKY = "Weather and air"
_MARCH = "Movement"
_SUPPLY = "Supply and depots"
_FUEL = "Fuel"
_SIGHT = "Sight, commandos and paratroops"
_BATTLE = "Battles"


def _yes_no(question: str, no: str, yes: str, rule: str, topic: str, **more: str) -> Asks:
    return Asks(question, {"no": no, "yes": yes}, rule, topic, **more)


class Parity(Enum):
    """R3.6, R3.7 How air superiority is compared."""

    EVEN_FIRST = "even_first"
    RAW = "raw"


class FuelGrouping(Enum):
    """R10.4 How moved units share fuel points."""

    SEPARATE = "separate"
    POOLED = "pooled"


class Shortage(Enum):
    """R10.7 What happens when there is too little fuel."""

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
    """R15.2 What happens to an enemy that is out of sight again."""

    NONE = "none"
    KEPT = "kept"


class RetreatLength(Enum):
    """R12.5 How far defeated units retreat."""

    ONE = "one"
    CLEAR = "clear"


class WipedOut(Enum):
    """R12.8 How the further loss of 30 percent is counted."""

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


class OutsideBattles(Enum):
    """R12.11 How many of a side's battles in its own portion are fought outside."""

    NONE = "0"
    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    ALL = "all"


class MovementScale(Enum):
    """2.11 Printed movement as a fraction of the scenario's."""

    FULL = "full"
    THREE_QUARTERS = "three_quarters"
    HALF = "half"


def _outside(whose: str, effect: str = "") -> Asks:
    return Asks(
        f"Where the resolver decides the rest: how many {whose} attacks a day are fought outside?",
        {
            "0": "none",
            **{str(number): f"up to {number}" for number in range(1, 7)},
            "all": "all, except those that the GM leaves to the resolver",
        },
        "R12.11",
        _STOPS,
        before="all",
        effect=effect,
    )


class Options(Value, frozen=True, omit_defaults=True):
    """2.10 What a campaign has chosen. Everything else is a default that the GM can overrule.

    States store only what differs from the defaults, so a new option changes no state. Another default needs a new
    version of states, whose upgrade writes the old one down.
    """

    battles: Annotated[
        BattleMode,
        Asks(
            "Where are battles decided?",
            {
                "outside": "in a separate tactical game, whose results players report",
                "automatic": "by the resolver, which is part of the rules",
                "by_choice": "in a separate tactical game up to a number for each side, the rest by the resolver",
            },
            "R12.1",
            _STOPS,
            source="outside",
        ),
    ] = BattleMode.OUTSIDE
    outside_german: Annotated[OutsideBattles, _outside("German", EFFECTS["outside"])] = OutsideBattles.THREE
    outside_allied: Annotated[OutsideBattles, _outside("Allied")] = OutsideBattles.ONE
    separate_attacks: Annotated[
        bool,
        _yes_no(
            "When are attacks and their close air support ordered?",
            "on the movement sheet",
            "in a separate phase, after all units have moved",
            "R4.4",
            _STOPS,
            source="yes",
            effect=EFFECTS["separate_attacks"],
        ),
    ] = False
    separate_removals: Annotated[
        bool,
        _yes_no(
            "When does the winner of air superiority choose the air units to remove?",
            "in advance, as priorities on the air sheet",
            "in a separate phase, after both allocations are revealed",
            "R3.7",
            _STOPS,
        ),
    ] = False
    separate_retreats: Annotated[
        bool,
        _yes_no(
            "When do defeated units choose their retreat?",
            "in the report of the battle",
            "in a separate phase, after the battles are decided",
            "R12.5",
            _STOPS,
        ),
    ] = False
    forecast: Annotated[
        bool,
        _yes_no(
            "Is there a weather forecast?",
            "no: each day's weather is rolled that morning",
            "yes: it is rolled one day ahead, and everyone knows it",
            "R2.2",
            _SKY,
        ),
    ] = False
    parity: Annotated[
        Parity,
        Asks(
            "How is air superiority compared?",
            {
                "even_first": "in pairs: an odd unit on either side does not count",
                "raw": "all units count; only the difference is taken in pairs",
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
                "full": "as far as the scenario's counters say",
                "three_quarters": "three quarters of that, rounded up",
                "half": "half of that, rounded up",
            },
            "R4",
            _MARCH,
            source="full",
            effect=EFFECTS["movement_scale"],
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
                "stop": "nothing extra, but a unit that enters one must stop",
            },
            "R5.2",
            _MARCH,
        ),
    ] = ZoneCost.BOTH
    friends_keep_supply: Annotated[
        bool,
        _yes_no(
            "Do friends keep supply open?",
            "no: no supply passes an enemy zone of control",
            "yes: in an enemy zone of control, supply passes hexes with friendly ground units",
            "R7.2",
            _SUPPLY,
            effect=EFFECTS["friends_keep_supply"],
        ),
    ] = False
    raiders_fade: Annotated[
        bool,
        _yes_no(
            "Do raiders fade?",
            "no: every enemy zone of control blocks supply",
            "yes: the zones of enemies that are without supply themselves do not block it",
            "R7.2",
            _SUPPLY,
            source="no",
            effect=EFFECTS["raiders_fade"],
        ),
    ] = False
    costly_demolition: Annotated[
        bool,
        _yes_no(
            "What does it cost the Allies to try to destroy a depot?",
            "nothing",
            "a purchase point, unless a German is next to the depot or an Allied unit is on it",
            "R9.5",
            _SUPPLY,
            source="no",
            effect=EFFECTS["costly_demolition"],
        ),
    ] = False
    fuel_grouping: Annotated[
        FuelGrouping,
        Asks(
            "How is fuel counted for units that moved?",
            {
                "separate": "infantry and mechanized units separately, each rounded up",
                "pooled": "all units together, rounded up once",
            },
            "R10.4",
            _FUEL,
        ),
    ] = FuelGrouping.SEPARATE
    fuel_shortage: Annotated[
        Shortage,
        Asks(
            "What happens if there is too little fuel?",
            {
                "cap": "moves beyond the reserve do not take place",
                "debt": "the reserve may fall below zero; as long as it is, no mechanized unit moves",
                "infantry_free": "infantry may move without fuel, by its printed movement",
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
            "at once, for the lines below on the same sheet",
            "R9.2",
            _FUEL,
        ),
    ] = False
    advances_burn_fuel: Annotated[
        bool,
        _yes_no(
            "Do advances burn fuel?",
            "no: only units that move by order use fuel, unless the scenario's fuel table says otherwise",
            "yes: a mechanized unit that advances or pursues after a battle has moved",
            "R10.6",
            _FUEL,
            source="no",
            effect=EFFECTS["advances_burn_fuel"],
        ),
    ] = False
    third_band: Annotated[
        ThirdBand,
        Asks(
            "What is seen of an enemy at the edge of sight, three hexes away?",
            {"type": "the type of the unit", "contact": "only that a unit is there"},
            "R15.2",
            _SIGHT,
        ),
    ] = ThirdBand.TYPE
    last_known: Annotated[
        LastKnown,
        Asks(
            "What happens to enemies that are out of sight again?",
            {"none": "they leave the map", "kept": "they stay where they were last seen, marked with their age"},
            "R15.2",
            _SIGHT,
        ),
    ] = LastKnown.NONE
    whole_drop_zone: Annotated[
        bool,
        _yes_no(
            "Where may paratroops jump?",
            "in the scenario's drop zone, which the rules page lists hex by hex",
            "in all rows of the drop zone, even where the scenario leaves out their west",
            "R11.8",
            _SIGHT,
            source="yes",
            effect=EFFECTS["whole_drop_zone"],
        ),
    ] = False
    commando_die: Annotated[
        CommandoDie,
        Asks(
            "Which die finds a commando, on 1 to 3?",
            {"6": "a d6: one time in two", "10": "a d10: three times in ten"},
            "R11.3",
            _SIGHT,
        ),
    ] = CommandoDie.D6
    withdrawal_minute: Annotated[
        WithdrawalMinute,
        Asks(
            "From which minute of a battle may the defender withdraw?",
            {"10": "the 10th", "15": "the 15th", "20": "the 20th"},
            "R12.6",
            _BATTLE,
        ),
    ] = WithdrawalMinute.TWENTY
    retreat_length: Annotated[
        RetreatLength,
        Asks(
            "How far do defeated units retreat?",
            {
                "one": "one hex",
                "clear": "one hex; if no hex next to them will do, two or three, but not further forward",
            },
            "R12.5",
            _BATTLE,
            effect=EFFECTS["retreat_length"],
        ),
    ] = RetreatLength.ONE
    friends_cover_retreat: Annotated[
        bool,
        _yes_no(
            "Do friends cover a retreat?",
            "no: no retreat into an enemy zone of control",
            "yes: a hex with a friendly unit is open despite enemy zones, if there is room",
            "R12.5",
            _BATTLE,
            source="no",
        ),
    ] = False
    wiped_out: Annotated[
        WipedOut,
        Asks(
            "When is a unit wiped out?",
            {
                "cumulative": "at 20 percent of its establishment: after losing 50 and a further 30",
                "remainder": "at 35 percent of its establishment: after losing 50, and 30 percent of the rest",
            },
            "R12.8",
            _BATTLE,
        ),
    ] = WipedOut.CUMULATIVE
