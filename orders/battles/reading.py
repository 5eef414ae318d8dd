"""Battles that are played outside: briefs, reports as far as each reader may see them, who may do what.

A report is checked by what its writer's side knows, and shown as the release table allows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet
from django.http import Http404

from campaign.engine.briefs import Brief
from campaign.engine.orders.lexicon import Names
from campaign.engine.orders.notation import format_order
from campaign.engine.orders.order import Checked, Order, Placed, Problem, Severity, Sheet, Understood, merged
from campaign.engine.ruleset import Outside
from campaign.engine.sheets import read_battle, report_lines
from campaign.engine.values.ids import GM, PhaseKey
from campaign.fighting import fights, player_of
from campaign.models import (
    Battle,
    BattleAct,
    BattleReport,
    BattleResult,
    BattleState,
    Membership,
    PhaseState,
    Statement,
)
from campaign.secrecy import truth
from campaign.selectors import Knowledge, answers, knowledge
from campaign.services import fights_outside, scenario_of
from campaign.viewers import COMMANDING, PLAYING, Viewer

_NO_ANSWERS: Mapping[str, str] = {}


@dataclass(frozen=True)
class Read:
    """A report as read: its content, in lines that mean the same to everybody, and the answer to it."""

    lines: str
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]

    @property
    def faulty(self) -> int:
        return sum(problem.severity is Severity.ERROR for problem in self.problems)


def require_outside(viewer: Viewer) -> None:
    """Http404 in a campaign whose ruleset has no battles that are fought outside."""
    if not fights_outside(viewer.campaign):
        raise Http404


def battles_of(viewer: Viewer) -> QuerySet[Battle]:
    """The battles of the present phase; Http404 for those who neither play nor lead."""
    if not (viewer.plays or viewer.is_gm):
        raise Http404
    live = Battle.objects.filter(phase__campaign=viewer.campaign).exclude(
        phase__state__in=[PhaseState.PUBLISHED, PhaseState.WITHDRAWN]
    )
    live = live.select_related("phase", "attacking_player__user", "defending_player__user")
    return live.order_by("key")


def battle_of(viewer: Viewer, key: str) -> Battle:
    """A battle of the present phase; Http404 if there is none of this key."""
    found = battles_of(viewer).filter(key=key).first()
    if found is None:
        raise Http404
    return found


def fought_earlier(viewer: Viewer, no: int, rev: int, key: str) -> bool:
    """Whether an earlier phase had a battle that the viewer played or decided."""
    earlier = Battle.objects.filter(phase__campaign=viewer.campaign, phase__no=no, phase__rev=rev, key=key)
    found = earlier.select_related("attacking_player", "defending_player").first()
    return found is not None and (viewer.is_gm or fights(viewer, found))


def brief_of(viewer: Viewer, known: Knowledge, key: str, told: Mapping[str, str] = _NO_ANSWERS) -> Brief:
    """What the viewer's audience may know of a battle, with what the GM has `told` it, by the keys of questions."""
    return outside(known).brief(known.loaded.scenario.game_data, known.state, viewer.audience, key, told)


def whole_brief_of(viewer: Viewer, known: Knowledge, key: str) -> Brief:
    """The same with all that the GM has answered to the viewer's audience, for those who read its sections."""
    return brief_of(viewer, known, key, answers(viewer, known.after))


def outside(known: Knowledge) -> Outside[Any, Any]:
    """The ruleset's handling of battles; Http404 if it has none."""
    rules: Outside[Any, Any] | None = known.loaded.rules.outside
    if rules is None:
        raise Http404
    return rules


# --- who may do what -------------------------------------------------------------------------------------------------


def sides_of(battle: Battle) -> tuple[str, str]:
    """Who attacks, and who defends."""
    return battle.attacker, battle.defender


def players_told(viewer: Viewer, battle: Battle) -> tuple[tuple[str, str], ...]:
    """The players' names by side, empty for none.

    Two players must meet outside, so each side reads the other's name once both are named.
    """
    named = {side: player_of(battle, side) for side in sides_of(battle)}
    seen = viewer.is_gm or all(named.values())
    return tuple(
        (side, member.user.username if member else "") for side, member in named.items() if seen or side == viewer.side
    )


def may_report(viewer: Viewer, battle: Battle) -> bool:
    """Whether the battle waits for a report by the viewer's side, or has theirs and waits for an answer."""
    return battle.state == BattleState.OPEN or (battle.state == BattleState.REPORTED and _is_own(viewer, battle))


def may_confirm(viewer: Viewer, battle: Battle) -> bool:
    """Whether the battle has a report of the other side that is not final."""
    return battle.state in (BattleState.REPORTED, BattleState.DISPUTED) and not _is_own(viewer, battle)


def may_dispute(viewer: Viewer, battle: Battle) -> bool:
    """Whether the viewer's side may dispute the other's report, or make its statement in a dispute."""
    return battle.state == BattleState.DISPUTED or may_confirm(viewer, battle)


def by_rules(viewer: Viewer, battle: Battle, known: Knowledge) -> Order | None:
    """The line by which the viewer may leave a battle without a result to the rules; None: they may not."""
    settled = (BattleState.CONFIRMED, BattleState.ACCEPTED, BattleState.RULED)
    if not viewer.is_gm or battle.state in settled or battle.phase.state != PhaseState.OPEN:
        return None
    return outside(known).by_rules(known.loaded.scenario.game_data, known.state, battle.key)


def reads_report(viewer: Viewer, battle: Battle) -> bool:
    """Whether the viewer may read the report: the players, the commanders of both sides and the GM may."""
    return viewer.is_gm or viewer.role in COMMANDING or fights(viewer, battle)


def players_to_choose(viewer: Viewer, side: str) -> list[Membership]:
    """The members whom the viewer may name for a side; empty if the viewer may name nobody."""
    if not (viewer.is_gm or (viewer.commands and viewer.side == side)):
        return []
    present = Membership.objects.filter(campaign=viewer.campaign, side=side, left_at=None, role__in=PLAYING)
    return list(present.select_related("user").order_by("user__username"))


def _is_own(viewer: Viewer, battle: Battle) -> bool:
    return battle.reported_by == viewer.side


# --- reports ---------------------------------------------------------------------------------------------------------


def read_report(viewer: Viewer, battle: Battle, text: str) -> Read:
    """A report with its writer's knowledge: the meaning of each line, and what is wrong with it."""
    known = knowledge(viewer)
    rules, game_data = outside(known), known.loaded.scenario.game_data
    sheet = _read(known, battle, text, line_kinds(viewer, battle))
    checked = rules.check(game_data, known.state, viewer.audience, battle.key, sheet.orders)
    return _answer(battle, known, sheet.orders, checked, problems=sheet.problems)


def read_reply(viewer: Viewer, battle: Battle, text: str) -> Read:
    """The present report with its confirmer's additions; only these can be faulty."""
    known = knowledge(viewer)
    rules, game_data = outside(known), known.loaded.scenario.game_data
    sheet = _read(known, battle, text, rules.replies)
    lines = (*_lines(viewer, battle, known), *sheet.orders)
    orders, checked = rules.completed(game_data, known.state, viewer.audience, battle.key, lines)
    return _answer(battle, known, orders, checked, problems=sheet.problems)


def shown_report(viewer: Viewer, battle: Battle, known: Knowledge) -> Read | None:
    """What the viewer may read of the present result; None if there is none."""
    if battle.state == BattleState.OPEN:
        return None
    rules, orders = outside(known), shown_orders(viewer, battle, known)
    checked = rules.check(known.loaded.scenario.game_data, known.state, viewer.audience, battle.key, orders)
    return _answer(battle, known, orders, checked)


def shown_orders(viewer: Viewer, battle: Battle, known: Knowledge) -> tuple[Placed, ...]:
    """The present report without line numbers, as far as the viewer may read it."""
    lines, decided = _lines(viewer, battle, known), battle.reported_by == GM
    return outside(known).shown(known.state, viewer.audience, battle.key, lines, decided)


def statements_of(battle: Battle) -> list[Statement]:
    """Both sides' statements on a disputed battle, for those who may read its report."""
    return list(battle.all_statements.select_related("author").order_by("side"))


def own_texts(viewer: Viewer, battle: Battle) -> QuerySet[BattleReport]:
    """All texts about a battle, word for word, for the GM; for a player, those of their own side."""
    texts = BattleReport.objects.for_viewer(viewer).filter(battle=battle)
    return texts.select_related("author").order_by("at", "pk")


def line_kinds(viewer: Viewer, battle: Battle) -> tuple[type[Order], ...]:
    """The lines that a report is written in."""
    return report_lines(scenario_of(viewer.campaign).rules, PhaseKey(battle.phase.key))


def lines_to_write(viewer: Viewer, battle: Battle, known: Knowledge) -> list[str]:
    """The lines that a report may have, as its template proposes them."""
    template = brief_of(viewer, known, battle.key).template
    asked = "\n".join(line.removeprefix("# ") for line in template.splitlines())
    names = names_in(known, battle)
    read = _read(known, battle, asked, line_kinds(viewer, battle))
    return [format_order(placed.order, names) for placed in read.orders]


def names_in(known: Knowledge, battle: Battle) -> Names:
    """The names of places and units that lines about a battle are written with."""
    return outside(known).names(known.loaded.scenario.game_data, known.state, battle.key)


def mark_of(battle: Battle) -> str:
    """The number of reports so far, which tells versions apart and reveals nothing of their content."""
    return str(battle.all_reports.filter(act=BattleAct.REPORT).count())


def marks_of(viewer: Viewer, battles: Iterable[Battle]) -> dict[int, str]:
    """The marks of several battles by their ids, looked up at once."""
    reports = BattleReport.objects.for_viewer(viewer).filter(act=BattleAct.REPORT, battle__in=battles)
    counted = dict(reports.values_list("battle").annotate(Count("pk")))
    return {battle.pk: str(counted.get(battle.pk, 0)) for battle in battles}


def result_of(battle: Battle) -> str:
    """The present result, in the players' notation, for the GM; empty if there is none."""
    return BattleResult.objects.filter(battle=battle).values_list("report", flat=True).first() or ""


def _lines(viewer: Viewer, battle: Battle, known: Knowledge) -> list[Placed]:
    """The present report as orders without line numbers."""
    with truth.opened("BattleResult"):
        report = result_of(battle)
    return [Placed(each.order, 0) for each in _read(known, battle, report, line_kinds(viewer, battle)).orders]


def _read(known: Knowledge, battle: Battle, text: str, kinds: Iterable[type[Order]]) -> Sheet:
    loaded = known.loaded
    return read_battle(loaded.rules, loaded.scenario.game_data, known.state, battle=battle.key, text=text, kinds=kinds)


def _answer(
    battle: Battle,
    known: Knowledge,
    orders: Sequence[Placed],
    checked: Checked,
    *,
    problems: Sequence[Problem] = (),
) -> Read:
    names = names_in(known, battle)
    answer = merged(Checked(problems=tuple(problems)), checked)
    return Read("\n".join(format_order(each.order, names) for each in orders), answer.understood, answer.problems)
