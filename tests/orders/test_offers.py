"""A form offers only what the answer accepts, on any desk's sheet: over random games, and small random positions."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.orders.grammar import units_named
from campaign.engine.orders.notation import format_order
from campaign.engine.orders.order import HQ, Checked, Order, Severity
from campaign.engine.sheets import DeskSheet, SideSheet, check_side, read_side, units_of
from campaign.engine.state import state_known_to
from campaign.engine.values.ids import Audience, SideId, audience_of
from campaign.game.loading import WithStart
from campaign.rulesets.forum_campaign import RULESET
from campaign.selectors import Knowledge
from orders.forms.filling import Fillable, ShownBlank, ShownForm, fill_in, of_sheet
from tests import toy
from tests.laws.games import load, played, scenarios
from tests.orders.test_shared_budgets import RULES
from tests.rulesets.plain_sight import position_of, sheet_of
from tests.toy.model.orders import Stand

STEPS, MOST = 2, 6
"""Lines that are filled in one after the other; offers that are tried before each."""

Sheets = tuple[DeskSheet, ...]


class Writing:
    """A side's desks, the first of which fills in its forms."""

    def __init__(self, known: Knowledge, side: SideId, sheets: Sequence[DeskSheet]) -> None:
        self.known, self.side, self.sheets = known, side, tuple(sheets)
        self.rules, self.game_data = known.loaded.rules, known.loaded.scenario.game_data
        self.phase = self.rules.now(known.state)
        self.fillable: Fillable = of_sheet(known, self.phase, self.sheets, side=side)

    def answer(self) -> tuple[SideSheet, Checked]:
        who: Audience = audience_of(self.side)
        read = read_side(self.rules, self.game_data, self.known.state, who, self.sheets, phase=self.phase)
        return read, check_side(self.rules, self.game_data, self.known.state, read)

    def accepted(self) -> Counter[Order]:
        """The first desk's orders that count, and how often."""
        read, checked = self.answer()
        refused = {(each.desk, each.line) for each in checked.problems if each.severity is Severity.ERROR}
        here = self.sheets[0].desk
        return Counter(each.order for each in read.orders if each.desk == here and (here, each.line) not in refused)

    def refused(self) -> list[str]:
        """The first desk's lines that do not count, as they are written."""
        first, problems = self.sheets[0], self.answer()[1].problems
        wrong = {each.line for each in problems if each.desk == first.desk and each.severity is Severity.ERROR}
        return [text for line, text in enumerate((first.text or "").splitlines(), 1) if line in wrong]

    def filled(self, key: str, sent: Mapping[str, str]) -> "Writing":
        done = fill_in(self.fillable, [key], sent)
        assert not done.troubles, (done.troubles, sent)
        first = replace(self.sheets[0], text=done.text)
        return Writing(self.known, self.side, (first, *self.sheets[1:]))


def offers(fillable: Fillable) -> Iterator[tuple[str, dict[str, str]]]:
    """Every form as it would be sent after one of its fields was changed to something that it offers."""
    for form in fillable.shown():
        fields = dict(_fields(form))
        for row in form.rows:
            if not row.blanks and not row.there:
                yield form.form.key, {**fields, row.name: "on"}
            for blank in row.blanks:
                for value in _values(form, blank):
                    yield form.form.key, {**fields, blank.name: value}


def _fields(form: ShownForm) -> Iterator[tuple[str, str]]:
    yield f"was:{form.form.key}", form.was
    for row in form.rows:
        if not row.blanks:
            yield row.name, "on" if row.there else ""
        yield from ((blank.name, blank.value) for blank in row.blanks)


def _values(form: ShownForm, blank: ShownBlank) -> Iterator[str]:
    if blank.blank.choices:
        yield from (each.value for each in blank.options if each.value and not each.chosen)
        return
    now = int(blank.value or 0)
    most = [blank.blank.most] if blank.blank.most is not None else []
    most += [now + form.left] if form.form.budget else []
    top = min(most, default=1)
    yield from (str(each) for each in {max(blank.blank.least, 1), top} if 1 <= each <= top and each != now)


def assert_offers_are_accepted(writing: Writing, chance: Random) -> None:
    """The answer accepts what is offered.

    A line that was refused may have a mistake that its form does not show. Then no more is refused than before.
    """
    for _ in range(STEPS):
        found = list(offers(writing.fillable))
        tried = chance.sample(found, k=min(MOST, len(found)))
        if not tried:
            return
        before, refused = writing.accepted(), writing.refused()
        wrong = {each.form.key for each in writing.fillable.shown() if set(each.was.splitlines()) & set(refused)}
        filled = [writing.filled(key, sent) for key, sent in tried]
        for (key, _), after in zip(tried, filled, strict=True):
            words = (writing.sheets, after.sheets[0].text, [each.message for each in after.answer()[1].problems])
            mended = key in wrong and len(after.refused()) <= len(refused)
            assert after.accepted() - before or mended, (key, *words)
        writing = filled[-1]


def random_sheets(known: Knowledge, orders: Sequence[Order], chance: Random) -> Sheets:
    """These orders on the sheets of HQ and two desks, most of them where they belong; one of the sheets comes first."""
    rules, game_data, state = known.loaded.rules, known.loaded.scenario.game_data, known.state
    formations = rules.formations(game_data, state)
    names = chance.sample(sorted(formations), k=min(2, len(formations)))
    desks: dict[str, Any] = {HQ: None, **{f"Desk {number}": (name,) for number, name in enumerate(names)}}
    texts: dict[str, list[str]] = {desk: [] for desk in desks}
    words = rules.names(game_data, state)
    for order in orders:
        own = [desk for desk, given in desks.items() if given and set(units_named(order)) & units_of(formations, given)]
        desk = chance.choice(own or [HQ]) if chance.random() < 0.6 else HQ
        texts[desk].append(format_order(order, words))
    sheets = [DeskSheet("\n".join(texts[desk]), desk, given) for desk, given in desks.items()]
    first = chance.choice(sheets)
    return (first, *(sheet for sheet in sheets if sheet is not first))


@pytest.mark.parametrize("folder", scenarios(), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
@settings(max_examples=2)
@given(game=st.sampled_from(range(2, 30)))
def test_what_a_form_offers_in_a_random_game_is_accepted(folder: Path, game: int) -> None:
    loaded, chance = load(folder), Random(f"offers of {game}")
    for phase in played(folder, game, 5):
        for side in phase.rules.sides:
            known = Knowledge(loaded, state_known_to(phase.before, audience_of(side)))
            written = [each.order for each in phase.orders.get(audience_of(side), ())]
            some = chance.sample(written, k=min(len(written), 8))
            sheets = random_sheets(known, some, chance)
            assert_offers_are_accepted(Writing(known, side, sheets), chance)


@pytest.mark.parametrize("tenth", range(10))
def test_what_a_form_offers_in_a_small_position_is_accepted(tenth: int) -> None:
    """With demolitions, air drops and task forces, which random games seldom have."""
    for seed in range(tenth * 6, tenth * 6 + 6):
        side, scenario = position_of(seed)
        known = Knowledge(WithStart(RULES, scenario), state_known_to(scenario.start, audience_of(side)))
        read = [DeskSheet(sheet_of(seed, scenario, side))]
        phase = RULESET.now(known.state)
        orders = read_side(RULESET, scenario.game_data, known.state, audience_of(side), read, phase=phase).orders
        chance = Random(f"offers of {seed}")
        sheets = random_sheets(known, [each.order for each in orders], chance)
        assert_offers_are_accepted(Writing(known, side, sheets), chance)


def test_what_another_desk_does_already_is_not_offered() -> None:
    """R1.3 of the toy: a side does one thing in its turn, whichever of its sheets says so."""
    loaded = load(toy.SCENARIO)
    state, side = next(
        (phase.before, side)
        for phase in itertools.chain.from_iterable(played(toy.SCENARIO, game, 9) for game in itertools.count(2))
        for side in toy.RULESET.sides
        if Stand in toy.RULESET.orders_for(phase.before, audience_of(side))
    )
    known = Knowledge(loaded, state_known_to(state, audience_of(side)))

    def offered(*sheets: DeskSheet) -> bool:
        return any(key == "stand" for key, _ in offers(Writing(known, side, sheets).fillable))

    of_hq, of_desk = DeskSheet("STAND", HQ), DeskSheet("", "Desk", ())
    assert offered(replace(of_hq, text=""), of_desk)
    assert offered(of_hq, of_desk)
    assert not offered(of_desk, of_hq)
