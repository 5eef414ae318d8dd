"""Forms of the forum campaign: what they offer is accepted, they show the sheet's lines, and write only their own."""

from collections.abc import Iterator

import pytest

from campaign.engine.choices import Draft
from campaign.engine.orders.forms import (
    THERE,
    Change,
    FilledRow,
    Form,
    MayWrite,
    filled,
    order_of,
    used,
    with_changes,
)
from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Placed, Severity, Submission
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import GM, Audience, audience_of
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.model import orders as o
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData
from campaign.rulesets.forum_campaign.model.state import State
from tests.rulesets.test_choices import AIR, after, position, results

GERMANS, ALLIES = audience_of(GERMAN), audience_of(ALLIED)


class Writing:
    """A sheet of the open phase that its side fills in."""

    def __init__(self, game: tuple[GameData, State], who: Audience, text: str = "") -> None:
        self.game_data, self.state = game
        self.who, self.text = who, text
        self.known = state_known_to(self.state, who)
        self.phase = RULESET.phase(RULESET.now(self.state))
        self.names = RULESET.names(self.game_data, self.known)

    @property
    def lines(self) -> tuple[Placed, ...]:
        return parse(self.text, self.phase.orders, self.names).orders

    @property
    def forms(self) -> dict[str, Form]:
        sheet = Submission(self.game_data, self.known, self.who, self.lines)
        return {form.key: form for form in RULESET.forms(Draft(self.phase, sheet))}

    def rows(self, key: str) -> tuple[FilledRow, ...]:
        return filled(self.forms[key], self.lines)

    def labels(self, key: str) -> list[str]:
        return [each.row.label for each in self.rows(key)]

    def fill(self, key: str, number: int = 0, **entered: object) -> "Writing":
        """Enter something into the row of this number."""
        row = self.rows(key)[number]
        order = order_of(row, {name: str(value) for name, value in entered.items()})
        self.text = with_changes(self.text, [Change(row, order)], self.names)
        return self

    def refused(self) -> list[str]:
        problems = RULESET.check(self.game_data, self.known, self.who, self.lines).problems
        return [each.message for each in problems if each.severity is Severity.ERROR]


def air(**more: object) -> tuple[GameData, State]:
    return position(air=AIR, phase="air", weather="Sunny", **more)


def rested() -> tuple[GameData, State]:
    """The second morning, with Allied units far from the enemy."""
    allies = {"28 Inf": {"at": "A1", "strength": 60}, "7 Arm": {"at": "B1", "class": "armor", "tanks": 1}}
    return air(date="1944-12-17", units={"german": {}, "allied": allies})


def offers(form: Form) -> Iterator[tuple[int, dict[str, object]]]:
    """Every choice of each row, and the least and the most of its numbers."""
    for number, row in enumerate(form.rows):
        if not row.blanks:
            yield number, {THERE: "on"}
        for blank in row.blanks:
            for value in [choice.key for choice in blank.choices] or [str(max(blank.least, 1)), str(blank.most)]:
                yield number, {blank.name: value}


RESTED = "AIR interdiction 1 drop 2"


@pytest.mark.parametrize(
    ("game", "who", "text"),
    [
        (air(), GERMANS, ""),
        (air(), ALLIES, ""),
        (air(), ALLIES, RESTED),
        (rested(), ALLIES, RESTED),
        (position(air=AIR), GERMANS, "ATTACK 12 VG B3"),
        (position(air=AIR, phase="allied_sheet"), ALLIES, "ATTACK 28 Inf B4"),
    ],
)
def test_what_a_form_offers_is_accepted(game: tuple[GameData, State], who: Audience, text: str) -> None:
    forms = Writing(game, who, text).forms
    assert forms
    for key, form in forms.items():
        for number, entered in offers(form):
            writing = Writing(game, who, text).fill(key, number, **entered)
            assert len(writing.lines) >= len(Writing(game, who, text).lines), (key, entered)
            assert writing.refused() == [], (writing.text, entered)


def test_air_units_have_the_fields_of_their_side_and_weather_and_a_budget() -> None:
    german, allied = Writing(air(), GERMANS), Writing(air(), ALLIES)
    assert [blank.name for blank in german.forms["air"].rows[0].blanks] == ["superiority", "cas"]
    assert [blank.name for blank in allied.forms["air"].rows[0].blanks] == [
        "superiority",
        "cas",
        "interdiction",
        "drop",
    ]
    assert "interdict" not in german.forms
    german.fill("air", superiority=2)
    assert german.text == "AIR superiority 2\n"
    assert used(german.rows("air")) == 2
    budget = german.forms["air"].budget
    assert budget is not None
    assert budget.of == 3


def test_a_form_shows_a_typed_line_and_changes_it_alone() -> None:
    text = "NOTE We fly.\nair superiority 1 cas 2   # as agreed\nREMOVE cas\nREADY"
    writing = Writing(air(), GERMANS, text)
    (row,) = writing.rows("air")
    assert [row.value(blank) for blank in row.row.blanks] == ["1", "2"]
    writing.fill("air", superiority=2, cas=1)
    assert writing.text == text.replace("air superiority 1 cas 2", "AIR superiority 2 cas 1")
    writing.fill("air", superiority="", cas=0)
    assert writing.text == "NOTE We fly.\n# as agreed\nREMOVE cas\nREADY"


def test_lines_of_a_kind_stay_together_and_before_ready() -> None:
    writing = Writing(air(), GERMANS, "# Morning\nREADY  # go")
    writing.fill("remove", 0, box="cas").fill("remove", 1, box="superiority").fill("air", cas=1)
    assert writing.text == "REMOVE cas\nREMOVE superiority\nAIR cas 1\n# Morning\nREADY  # go"
    assert writing.refused() == []


def test_interdiction_and_drops_are_offered_once_the_air_line_has_units_for_them() -> None:
    bare, flying = Writing(air(), ALLIES), Writing(air(), ALLIES, RESTED)
    assert not {"interdict", "airdrop"} & bare.forms.keys()
    assert flying.labels("airdrop") == ["7 Arm, 100 %, A1"]
    assert flying.labels("interdict") == ["B4", "B5"]


def test_purchases_offer_what_the_points_are_enough_for_with_prices() -> None:
    writing = Writing(rested(), ALLIES)
    points = writing.forms["buy"].budget
    assert points is not None
    while True:
        number = next((n for n, each in enumerate(writing.rows("buy")) if each.order is None), None)
        if number is None:
            break
        choice = writing.rows("buy")[number].row.blanks[0].choices[-1]
        assert f"{choice.cost} point" in choice.words
        writing.fill("buy", number, goods=choice.key)
        assert writing.refused() == []
    assert used(writing.rows("buy")) == points.of


def test_only_attackers_get_close_support() -> None:
    writing = Writing(position(air=AIR), GERMANS)
    assert "cas" not in writing.forms
    writing.text = "ATTACK 12 VG B3"
    assert writing.labels("cas") == ["12 VG"]


def test_what_is_no_number_and_no_choice_changes_nothing() -> None:
    writing = Writing(air(), GERMANS)
    with pytest.raises(Exception, match="'many' is not a whole number"):
        writing.fill("air", cas="many")
    with pytest.raises(Exception, match="'rockets' is not one of the choices"):
        writing.fill("remove", box="rockets")
    assert writing.text == ""


def only(unit: str) -> MayWrite:
    """A desk that has one unit."""
    return lambda _kind, id_: id_ == unit


def test_a_desk_fills_in_only_what_it_may_order() -> None:
    forms = Writing(position(air=AIR, phase="allied_sheet"), ALLIES, "ATTACK 28 Inf B4").forms
    own = {key: form.for_desk(only("28 Inf"), whole_side=False) for key, form in forms.items()}
    assert [choice.words for choice in own["artillery"].rows[0].blanks[0].choices] == ["28 Inf"]
    german = Writing(air(), GERMANS).forms
    assert german["air"].for_desk(only("2 Pz"), whole_side=False).rows == ()
    assert german["air"].for_desk(only("2 Pz"), whole_side=True).rows


# --- reports of battles ----------------------------------------------------------------------------------------------


def report(side: str, text: str, game: tuple[GameData, State] | None = None) -> dict[str, Form]:
    """The forms of a report of the battle at B3, as a side or the GM fills it in."""
    game_data, state = game or results()
    known = state_known_to(state, GM if side == "gm" else Audience(side))
    assert RULESET.outside is not None
    names = RULESET.outside.names(game_data, known, "B3")
    lines = parse(text, o.BATTLE_ORDERS, names).orders
    return {form.key: form for form in RULESET.outside.forms(game_data, known, Audience(side), "B3", lines)}


def tanks_attack() -> tuple[GameData, State]:
    """2 Pz and 12 VG attack 28 Inf."""
    units = {"2 Pz": {"at": "B4", "class": "armor", "tanks": 3, "heavy_tanks": 1}, "12 VG": {"at": "B4"}}
    allies = {"28 Inf": {"at": "B3", "tanks": 1}}
    game_data, state = position(units={"german": units, "allied": allies})
    return game_data, after(game_data, state, GERMANS, "ATTACK 2 Pz B3\nATTACK 12 VG B3")


def test_losses_show_what_the_own_unit_has_and_nothing_of_the_enemys_strength() -> None:
    game = tanks_attack()
    rows = {row.label: row for row in report("german", "", game)["losses"].rows}
    assert [blank.before for blank in rows["2 Pz, Germans"].blanks] == [100]
    assert [(blank.name, blank.most) for blank in rows["Tanks of 2 Pz"].blanks] == [("medium", 3), ("heavy", 1)]
    assert [blank.before for blank in rows["28 Inf, Allies"].blanks] == [None]
    assert "Tanks of 28 Inf" not in rows
    assert "Tanks of 28 Inf" in {row.label for row in report("allied", "", game)["losses"].rows}


def test_only_mechanized_victors_that_do_not_advance_pursue_and_only_to_open_hexes() -> None:
    game = tanks_attack()
    assert not report("german", "", game)["pursuit"].rows
    assert not report("german", "RESULT B3 defenders", game)["pursuit"].rows
    assert not report("german", "RESULT B3 attackers advance 2 Pz", game)["pursuit"].rows
    (row,) = report("german", "RESULT B3 attackers advance 12 VG", game)["pursuit"].rows
    assert row.label == "2 Pz"
    assert [choice.place for choice in row.blanks[0].choices] == ["A2", "A3", "B2", "C2", "C3"], "B3 is full by then"
    assert not report("allied", "RESULT B3 attackers", game)["pursuit"].rows


def test_the_owner_of_defeated_units_chooses_among_the_hexes_that_look_open() -> None:
    won = "RESULT B3 attackers"
    assert not report("allied", "")["retreats"].rows
    assert not report("german", won)["retreats"].rows
    (row,) = report("allied", won)["retreats"].rows
    assert {choice.place for choice in row.blanks[0].choices} == {"A2", "B2", "C2"}
