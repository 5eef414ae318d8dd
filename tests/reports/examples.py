"""What a German commander is shown after the first day in the Ardennes, and a View with nothing in it."""

from campaign.engine.display.views import LogLine, Panel, View
from campaign.engine.values.ids import Audience, PlaceId

WEATHER = Panel(
    key="weather",
    title="Weather and air",
    head=(),
    rows=(
        ("Weather", "Gloomy; clear hexes cost 1, no drops, no interdiction"),
        ("Allied air units", "2 of 5 left: 2 close air support"),
        ("German air units", "1 of 1 left: 1 close air support"),
    ),
)
FUEL = Panel(
    key="fuel",
    title="Fuel",
    head=("", "Morning", "Captured", "Used", "Reserve"),
    rows=(("16 December", "23", "1", "5", "19"), ("15 December", "20", "—", "0", "20")),
)
VICTORY = Panel(
    key="victory",
    title="Victory points",
    head=("Side", "Points", "Change"),
    rows=(("German side", "7", "+3"), ("Allied side", "69", "−3")),
)
ORDER_OF_BATTLE = Panel(
    key="order_of_battle",
    title="Order of battle",
    head=("Unit", "Hex", "Strength", "MP", "State"),
    rows=(
        ("12. Volksgrenadier-Division", "Q19 Losheimergraben", "82 %", "3", "moved, fought"),
        ("3. Fallschirmjäger-Division", "Q21", "94 %", "3", "fought"),
        ("Kampfgruppe Peiper (1. SS-Panzer-Division)", "P19 Büllingen", "100 %", "4", "moved"),
        (
            "1. SS-Panzer-Division LAH (KG Hansen, Sandig, Knittel)",
            "Q20",
            "97 %",
            "4",
            "moved, unsupplied, may not attack before the trace is open again",
        ),
        ("12. SS-Panzer-Division Hitlerjugend", "S20", "100 %", "4", "moved"),
        ("150 Pz Bde", "R22", "100 %", "4", ""),
        ("Stielau 1 *team*", "N15", "100 %", "4", "behind the lines"),
        ("18. Volksgrenadier-Division", "O20 Auw", "88 %", "3", "moved, fought"),
        ("62. Volksgrenadier-Division", "N19", "100 %", "3", ""),
        ("116. Panzer-Division", "M17 Ouren", "91 %", "4", "fought"),
        ("2. Panzer-Division", "K16 Dasburg", "100 %", "4", "moved"),
        ("Führer-Begleit-Brigade", "N25", "100 %", "4", "arrives 17 December"),
    ),
)
LOG = (
    LogLine(
        section="German movement",
        text="KG Peiper moves Q21–Q20–P19 and takes Büllingen; 1 fuel point is captured.",
        rule="R9.2",
        reasons=("3 MP: main road 1, clear 1, leaving a zone of control +1 (R5.2)",),
        at=(PlaceId("P19"),),
    ),
    LogLine(
        section="German movement",
        text="116. Panzer-Division is stopped before M16: contact with an enemy that nobody had seen.",
        rule="R4.7",
        reasons=("ordered M18–M17–M16–M15", "went as far as M17 Ouren, 2 of 4 MP"),
        at=(PlaceId("M17"),),
    ),
    LogLine(
        section="German movement",
        text="14 units moved and burned 5 fuel points; 19 remain.",
        rule="R10.4",
        reasons=("11 infantry units: 3", "3 mechanized units: 2"),
    ),
    LogLine(
        section="German battles",
        text=(
            "12. Volksgrenadier-Division attacks the 99th Division (394th RCT | 393rd RCT) at "
            "Losheimergraben and wins; the enemy retreats three hexes to Elsenborn <behind the Warche> "
            "and loses 12 %."
        ),
        rule="R15.2",
        reasons=(
            "reported by [von_Sch*werin] & confirmed by both players, total victory at minute 38 of 45",
            "close air support: 3 planes (R3.10)",
            (
                "GM: the artillery of the corps was out of range, so the 2 batteries in the brief never "
                "fired; their ammunition is given back, and the result stands because neither side wanted "
                "to play again"
            ),
        ),
    ),
    LogLine(
        section="German battles",
        text="3. Fallschirmjäger-Division attacks an unknown unit at Lanzerath: draw, both stay.",
        rule="R15.4",
    ),
    LogLine(section="Supply", text="1. SS-Panzer-Division has no free path to the German map edge.", rule="R7.2"),
    LogLine(section="Notes", text="The deadline of the next stop is a day later than usual.", rule=""),
)

GERMAN = View(
    audience=Audience("german"),
    audience_title="German side",
    campaign="Herbstnebel",
    date="16 December 1944",
    stop="German battles",
    next_stop="Allied sheet",
    panels=(WEATHER, ORDER_OF_BATTLE, FUEL, VICTORY),
    log=LOG,
    headlines=(
        "KG Peiper takes Büllingen [1 fuel point]",
        (
            "Germans win at Losheimergraben *after a total victory*; a draw at Lanzerath, where nobody knows "
            "who the enemy is"
        ),
        "Victory points: Germans 7, Allies 69",
    ),
)

ENDED = View(
    audience=Audience("public"),
    audience_title="Public",
    campaign="Herbstnebel",
    date="31 December 1944",
    stop="Allied battles",
    next_stop="",
)
