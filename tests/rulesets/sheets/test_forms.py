"""Forms of the forum campaign: what they offer is accepted, they show the sheet's lines, and write only their own."""

import re
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
    proposed,
    used,
    with_changes,
)
from campaign.engine.orders.notation import parse
from campaign.engine.orders.order import Placed, Severity, Submission
from campaign.engine.state import state_known_to, with_own
from campaign.engine.values.ids import GM, Audience, SideId, audience_of
from campaign.engine.values.value import replace
from campaign.rulesets.forum_campaign import RULESET
from campaign.rulesets.forum_campaign.model import orders as o
from campaign.rulesets.forum_campaign.model.game_data import ALLIED, GERMAN, GameData
from campaign.rulesets.forum_campaign.model.state import Own, State, Winner
from tests.rulesets.sheets.test_choices import AIR, after, position, results

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


def retreating() -> tuple[GameData, State]:
    """The phase in which the Allies say where their beaten unit goes."""
    units = {"german": {"2 Pz": {"at": "B4", "class": "armor"}}, "allied": {"28 Inf": {"at": "B3"}}}
    game_data, state = position(units=units, options={"separate_retreats": "yes"})
    fought = after(game_data, state, GERMANS, "ATTACK 2 Pz B3")
    return game_data, after(game_data, fought, GM, "RESULT B3 attackers")


def jumping() -> tuple[GameData, State]:
    """The morning on which paratroops are due, over a drop zone of which two hexes are on the map."""
    paratroops = {"KG Heydte": {"class": "airborne", "arrives": "1944-12-17"}}
    options = {"whole_drop_zone": "yes"}
    area = {"size": "Q6-Q7"}
    return position(
        map=area, units={"german": paratroops, "allied": {}}, phase="air", date="1944-12-17", options=options
    )


def offers(form: Form) -> Iterator[tuple[int, dict[str, object]]]:
    """Every choice of each row, and the least and the most of its numbers."""
    for number, row in enumerate(form.rows):
        if not row.blanks:
            yield number, {THERE: "on"}
        for blank in row.blanks:
            for value in [choice.key for choice in blank.choices] or [
                str(max(blank.least, 1)),
                str(blank.most or blank.least + 40),
            ]:
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
        (retreating(), ALLIES, ""),
        (jumping(), GERMANS, ""),
    ],
)
def test_what_a_form_offers_is_accepted(game: tuple[GameData, State], who: Audience, text: str) -> None:
    forms = Writing(game, who, text).forms
    assert forms
    assert all(form.title for form in forms.values())
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


def test_purchase_points_are_counted_in_the_answer_from_the_second_morning_on() -> None:
    def counted(writing: Writing) -> dict[str, tuple[int, int]]:
        gauges = RULESET.check(writing.game_data, writing.known, writing.who, writing.lines).gauges
        return {gauge.name: (gauge.used, gauge.of) for gauge in gauges}

    assert "Purchase points" not in counted(Writing(air(), ALLIES))
    writing = Writing(rested(), ALLIES)
    points = writing.forms["buy"].budget
    assert points is not None
    assert counted(writing)["Purchase points"] == (0, points.of)
    row = writing.rows("buy")[0].row
    writing.fill("buy", 0, goods=row.blanks[0].choices[0].key)
    assert counted(writing)["Purchase points"] == (row.blanks[0].choices[0].cost, points.of)


def test_who_gets_the_first_heavy_artillery_is_not_offered_the_second() -> None:
    writing = Writing(position(air=AIR), GERMANS)
    assert writing.labels("artillery") == ["First", "Then"]
    writing.fill("artillery", 0, unit="2 Pz")
    first, second = proposed(writing.forms["artillery"], writing.rows("artillery"))
    assert "2 Pz" in offered_by(first)
    assert "2 Pz" not in offered_by(second)
    assert "12 VG" in offered_by(second)


def test_a_side_with_one_unit_is_asked_once_who_gets_the_heavy_artillery() -> None:
    game = position(units={"german": {"12 VG": {"at": "B4"}}, "allied": {}})
    writing = Writing(game, GERMANS).fill("artillery", 0, unit="12 VG")
    assert [each.row.label for each in proposed(writing.forms["artillery"], writing.rows("artillery"))] == ["First"]


def offered_by(row: FilledRow) -> list[str]:
    return [choice.words for choice in row.row.blanks[0].choices]


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
    assert row.blanks[0].on_map, "they can be picked on the map as well"


def test_the_form_of_a_report_is_open_as_a_whole() -> None:
    assert all(form.main for form in report("allied", "RESULT B3 attackers").values())


def test_in_a_phase_for_retreats_they_are_chosen_in_the_same_way() -> None:
    writing = Writing(retreating(), ALLIES)
    assert writing.labels("retreat") == ["28 Inf"]
    writing.fill("retreat", to="B2")
    assert writing.text == "RETREAT 28 Inf to B2\n"
    assert writing.refused() == []


def field_of() -> tuple[GameData, State]:
    """2 Pz, a task force without tanks and infantry attack armour and a small unit, in a hex next to friends."""
    no_tanks = {"tanks": 0, "heavy_tanks": 0}
    german = {
        "2 Pz": {"at": "B4", "class": "armor", "tanks": 1, "heavy_tanks": 0, "strength": 60},
        "TF 9 Pz": {"at": "B4", "class": "armor", "size": "small", "strength": 30, "raised": 30} | no_tanks,
        "12 VG": {"at": "C4", "strength": 83},
    }
    allied = {
        "7 Arm": {"at": "B3", "class": "armor", "tanks": 0, "heavy_tanks": 1, "strength": 44},
        "14 Cav": {"at": "B3", "size": "small", "class": "mechanized"},
    }
    game_data, state = position(units={"german": german, "allied": allied})
    return game_data, after(game_data, state, GERMANS, "ATTACK 2 Pz B3\nATTACK TF 9 Pz B3\nATTACK 12 VG B3")


def without(game: tuple[GameData, State], side: SideId, unit: str) -> tuple[GameData, State]:
    """The same after the GM has taken a unit away."""

    def fewer(own: Own) -> Own:
        return replace(own, units={id_: each for id_, each in own.units.items() if id_ != unit})

    return game[0], with_own(game[1], side, fewer)


def alone(**options: str) -> tuple[GameData, State]:
    """A single mechanized attacker, who may advance or pursue."""
    units = {"german": {"2 Pz": {"at": "B4", "class": "armor"}}, "allied": {"28 Inf": {"at": "B3"}}}
    game_data, state = position(units=units, options=options)
    return game_data, after(game_data, state, GERMANS, "ATTACK 2 Pz B3")


REPORTS = (
    "RESULT B3 attackers",
    "RESULT B3 attackers advance 2 Pz",
    "RESULT B3 defenders",
    "WITHDRAWAL B3 minute 20",
    "RESULT B3 attackers\nPURSUE 2 Pz to B2",
)
FIELDS = (
    field_of(),
    without(field_of(), GERMAN, "2 Pz"),
    without(field_of(), ALLIED, "7 Arm"),
    alone(),
    alone(withdrawal_minute="10", retreat_length="clear"),
    alone(separate_retreats="yes"),
)


class Reporting:
    """A report of the battle at B3."""

    def __init__(self, side: str, text: str, game: tuple[GameData, State]) -> None:
        self.game_data, state = game
        self.side, self.text = Audience(side), text
        self.known = state_known_to(state, self.side)
        assert RULESET.outside is not None
        self.outside = RULESET.outside
        self.names = self.outside.names(self.game_data, self.known, "B3")

    @property
    def lines(self) -> tuple[Placed, ...]:
        return parse(self.text, o.BATTLE_ORDERS, self.names).orders

    def forms(self) -> list[Form]:
        return list(self.outside.forms(self.game_data, self.known, self.side, "B3", self.lines))

    def problems(self) -> dict[int, str]:
        checked = self.outside.check(self.game_data, self.known, self.side, "B3", self.lines)
        return {each.line: each.message for each in checked.problems if each.severity is not Severity.NOTICE}


@pytest.mark.parametrize("game", FIELDS)
@pytest.mark.parametrize("side", ["german", "allied", "gm"])
def test_what_the_form_of_a_report_offers_is_accepted(side: str, game: tuple[GameData, State]) -> None:
    """Whatever the report says already: the line that a field writes is neither refused nor doubted."""
    for text in REPORTS:
        start = Reporting(side, text, game)
        for form in start.forms():
            for number, entered in offers(form):
                each = Reporting(side, text, game)
                row = filled(form, each.lines)[number]
                order = order_of(row, {name: str(value) for name, value in entered.items()})
                each.text = with_changes(text, [Change(row, order)], each.names)
                written = [placed.line for placed in each.lines if placed.order == order]
                assert not [each.problems()[line] for line in written if line in each.problems()], (each.text, entered)


@pytest.mark.parametrize("game", FIELDS)
@pytest.mark.parametrize("side", ["german", "allied", "gm"])
def test_what_the_template_of_a_report_proposes_is_accepted(side: str, game: tuple[GameData, State]) -> None:
    """Each line after the result that it needs, whichever attacker that names."""
    each = Reporting(side, "", game)
    template = each.outside.brief(each.game_data, each.known, each.side, "B3", {}).template
    each.text = "\n".join(line[2:] for line in template.splitlines() if re.match("# [A-Z]{5}", line))
    proposed = [placed.order for placed in each.lines]
    assert len(proposed) == len(each.text.splitlines())
    for order in proposed:
        accepted = []
        for won in (
            order,
            *(line for line in proposed if isinstance(line, o.Result) and line.winner is Winner.ATTACKERS),
        ):
            both = [Placed(won, 1), *([] if won is order else [Placed(order, 2)])]
            checked = each.outside.check(each.game_data, each.known, each.side, "B3", both)
            accepted.append(not [problem for problem in checked.problems if problem.severity is not Severity.NOTICE])
        assert any(accepted), order


def test_a_lone_mechanized_victor_advances_or_pursues_by_the_lines_of_the_template() -> None:
    each = Reporting("german", "", alone())
    template = each.outside.brief(each.game_data, each.known, each.side, "B3", {}).template
    assert "# RESULT B3 attackers advance 2 Pz\n# RESULT B3 attackers\n# RESULT B3 defenders" in template
    assert "# 2 Pz, if it does not advance, to " in template


def test_nothing_is_asked_of_a_unit_that_is_gone_or_of_tanks_that_it_has_not() -> None:
    gone = Reporting("german", "", without(field_of(), GERMAN, "2 Pz"))
    labels = [row.label for form in gone.forms() for row in form.rows]
    assert not [label for label in labels if "2 Pz" in label]
    template = gone.outside.brief(gone.game_data, gone.known, gone.side, "B3", {}).template
    assert "2 Pz" not in template
    assert "TANKS TF 9 Pz" not in template
    assert "TANKS 7 Arm medium 0 heavy 0" in template, "of the enemy’s tanks nothing is known"


def test_who_held_did_not_withdraw_and_who_withdrew_did_not_hold() -> None:
    game = tanks_attack()
    held = [row.kind for row in report("german", "RESULT B3 defenders", game)["result"].rows]
    assert held == [o.Result]
    withdrawn, _ = report("german", "WITHDRAWAL B3 minute 20", game)["result"].rows
    assert "The Allies hold" not in [choice.words for choice in withdrawn.blanks[0].choices]
