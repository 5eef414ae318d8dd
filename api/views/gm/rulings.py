"""Rulings on the draft results: what can be ruled, tries, rulings, extra rolls, rolls entered or void."""

from api.answers.gm.clock import GmCampaign
from api.answers.gm.rulings import (
    AppliedRuling,
    AskedRoll,
    DraftRoll,
    EnteredRoll,
    NewRulings,
    RollToVoid,
    RulingsOfDraft,
    RulingStage,
    RulingToUndo,
    TriedRulings,
)
from api.models import Scope
from api.operations import Call, operation, reads
from api.problems import OtherDraftResults, Unfit
from api.views.gm.clock import campaign_now
from api.views.gm.drafts import changes, draft_seen, mark_with_words, present_draft
from campaign.people.throttles import REPORTS
from gm import selectors
from gm.desk.corrections import enter_roll, try_out, write_rulings
from gm.phases.lifecycle import undo
from gm.phases.rolls import announce, tried, void
from gm.selectors import ReviewDraft, RolledHere
from orders.intake import storable


@reads(scope=Scope.GM, refuses=(503,))
def rulings(call: Call) -> RulingsOfDraft:
    """What can be ruled on the draft results and how it is written, what has been ruled, and the rolls."""
    return _shown(call, present_draft(call))


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422, 503))
def try_rulings(call: Call, body: NewRulings, idempotency_key: str) -> TriedRulings:
    """Try rulings without applying them. The dice fall as they would. Every report says how often you tried.

    The same try sent again with the same Idempotency-Key counts once.
    """
    found = _ruled_on(call, body)
    would = try_out(
        found.phase,
        fence=found.phase.fence,
        stage=body.stage,
        text=storable(body.text),
        reason=storable(body.reason),
        author=call.user,
        once=idempotency_key,
    )
    if would is None:
        raise OtherDraftResults
    return TriedRulings(changes(would.differences), would.dice, tried([found.phase]))


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422, 503))
def apply_rulings(call: Call, body: NewRulings) -> GmCampaign:
    """Apply rulings. The phase is resolved again with them, and all other rolls stay the same."""
    found = _ruled_on(call, body)
    done = write_rulings(
        found.phase,
        fence=found.phase.fence,
        stage=body.stage,
        text=storable(body.text),
        reason=storable(body.reason),
        author=call.user,
    )
    return _again(call, done=done)


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422, 503))
def undo_ruling(call: Call, body: RulingToUndo) -> GmCampaign:
    """Undo a ruling. The phase is resolved again without it."""
    found = draft_seen(call, body.seen)
    if body.number not in {each.seq for each in found.rulings}:
        raise Unfit(f"These draft results have no ruling number {body.number}. Use one from their list of rulings.")
    return _again(call, done=undo(found.phase.pk, fence=found.phase.fence, seq=body.number))


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422, 503))
def enter_dice(call: Call, body: EnteredRoll) -> GmCampaign:
    """Enter other dice for a roll of the rules, as a ruling. The phase is resolved again with them."""
    found = draft_seen(call, body.seen)
    written = " ".join(map(str, body.dice))
    reason = storable(body.reason)
    done = enter_roll(
        found.phase, fence=found.phase.fence, label=body.label, written=written, reason=reason, author=call.user
    )
    return _again(call, done=done)


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422, 503))
def ask_for_roll(call: Call, body: AskedRoll) -> RulingsOfDraft:
    """Ask for an extra roll. What it is for is recorded before the dice fall, and the roll stays in the dice log."""
    found = draft_seen(call, body.seen)
    done = announce(
        found.phase.pk,
        fence=found.phase.fence,
        words=found.words,
        audience=body.audience,
        count=body.count,
        sides=body.sides,
        purpose=storable(body.purpose),
        author=call.user,
    )
    if not done:
        raise OtherDraftResults
    return _shown(call, present_draft(call))


@operation(scope=Scope.GM, limit=REPORTS, refuses=(409, 422, 503))
def void_roll(call: Call, body: RollToVoid) -> RulingsOfDraft:
    """Make a roll void. It stays in the dice log, with your reason."""
    found = draft_seen(call, body.seen)
    done = void(
        found.phase.pk,
        fence=found.phase.fence,
        audience=body.audience,
        label=body.label,
        reason=storable(body.reason),
        author=call.user,
    )
    if not done:
        raise OtherDraftResults
    return _shown(call, present_draft(call))


def _ruled_on(call: Call, body: NewRulings) -> ReviewDraft:
    """The draft of these rulings; Unfit if it has no such stage."""
    found = draft_seen(call, body.seen)
    if body.stage not in dict(found.stages):
        raise Unfit(
            f"These draft results have no stage “{body.stage}”. Choose one of: {', '.join(dict(found.stages))}."
        )
    return found


def _again(call: Call, *, done: bool) -> GmCampaign:
    if not done:
        raise OtherDraftResults
    return campaign_now(call.game_master)


# --- as answers ------------------------------------------------------------------------------------------------------


def _shown(call: Call, found: ReviewDraft) -> RulingsOfDraft:
    return RulingsOfDraft(
        seen=mark_with_words(found),
        stages=tuple(RulingStage(stage, title) for stage, title in found.stages),
        usages=tuple(selectors.usages(call.game_master)),
        applied=tuple(
            AppliedRuling(each.seq, each.stage, each.written, each.reason, each.author.username)  # type: ignore[attr-defined] # see gm.selectors
            for each in found.rulings
        ),
        rolls=tuple(map(_roll, found.rolls)),
        tries=tried([found.phase]),
    )


def _roll(each: RolledHere) -> DraftRoll:
    return DraftRoll(
        each.label, each.purpose, each.audience, each.sides, each.dice, each.by_hand, extra=each.own, void=each.void
    )
