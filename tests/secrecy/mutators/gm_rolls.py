"""What the GM rolls, declares void, rules and writes for others (M21).

Open to everybody is how often they intervened: every report prints it. So nothing is added or taken away.
"""

from collections.abc import Iterator
from datetime import timedelta

from campaign.engine.values.ids import GM
from campaign.models import DiceLine, ManualRoll, Phase, Preface, Ruling, VoidedRoll
from gm.models import Answer, TriedRuling
from tests.secrecy.campaigns import SLUG, person
from tests.secrecy.mutators.change import Change
from tests.secrecy.mutators.others import written


def other_rolls(change: Change) -> bool:
    """Change the GM's own rolls for others: for whom, how many, what for; reasons; texts; and others' dice logs."""
    changed = [*_rolls(change), *_texts(change), *_lines(change)]
    if changed:
        _answer(change)
    return bool(changed)


def _rolls(change: Change) -> Iterator[ManualRoll]:
    """A roll declared void stays one."""
    chance, away = change.chance, [*change.foreign, GM]
    rolls = ManualRoll.objects.filter(campaign__slug=SLUG, audience__in=away)
    taken = max((roll.number for roll in rolls), default=0)
    for roll in rolls:
        voids = VoidedRoll.objects.filter(phase=roll.phase, audience=roll.audience, label=roll.label)
        number, audience = roll.number, roll.audience
        if roll.phase.published_at is None:  # later the logs have them
            number = taken = taken + chance.randint(100, 999)  # no audience has two rolls of a number
            audience = chance.choice([who for who in away if who != audience])
        written(
            roll,
            audience=audience,
            number=number,
            purpose=f"whether they find the bridge {chance.random()}",
            count=chance.randint(1, 6),
            sides=chance.choice([4, 8, 12, 100]),
            announced_at=roll.announced_at - timedelta(seconds=chance.randint(1, 99)),
        )
        for void in voids:
            reason = f"It was for another bridge {chance.random()}."
            earlier = void.at - timedelta(seconds=1)
            written(void, audience=audience, label=f"manual/{number}", reason=reason, at=earlier)
        yield roll


def _texts(change: Change) -> Iterator[Preface | Ruling | Answer | TriedRuling]:
    """Texts and answers to others, rulings that were undone again, and those that were only tried."""
    away = [*change.foreign, GM]
    for preface in Preface.objects.filter(phase__campaign__slug=SLUG, audience__in=away):
        written(preface, text=f"For {preface.audience} alone, as it was then: {change.chance.random()}")
        yield preface
    for ruling in Ruling.objects.filter(phase__campaign__slug=SLUG).exclude(taken_back_at=None):
        written(ruling, reason=f"A reason that nobody hears {change.chance.random()}.", written="FUEL 99")
        yield ruling
    for answer in Answer.objects.filter(phase__campaign__slug=SLUG):
        if answer.audiences and change.observer not in answer.audiences:
            text = f"An answer that others read {change.chance.random()}."
            written(answer, text=text, question="Another question?", key=f"other/{change.chance.random()}")
            yield answer
    for tried in TriedRuling.objects.filter(phase__campaign__slug=SLUG):
        seen = {"dice": tried.dice + change.chance.randint(1, 9), "digest": f"{change.chance.getrandbits(256):064x}"}
        written(tried, written=f"FUEL {change.chance.randint(1, 99)}", stage="another", **seen)
        yield tried


def _answer(change: Change) -> None:
    """An answer to a question of others in the newest phase."""
    phase = Phase.objects.filter(campaign__slug=SLUG).order_by("-no", "-rev")[0]
    Answer.objects.create(
        phase=phase,
        key=f"other/{change.chance.random()}",
        question="Is the bridge theirs?",
        audiences=[change.enemy],
        text=f"For them alone: {change.chance.random()}",
        author=person("gm"),
        at=phase.opens_at,
    )


def _lines(change: Change) -> Iterator[DiceLine]:
    """Others' logs have a line more, and other labels; their heads, which are printed and salted, stay."""
    for audience in (*change.foreign, GM):
        lines = DiceLine.objects.filter(campaign__slug=SLUG, audience=audience).order_by("no")
        if last := lines.last():
            more = {"campaign": last.campaign, "phase": last.phase, "lock_no": last.lock_no, "line": last.line}
            DiceLine.objects.create(
                audience=audience, no=last.no + 1, label=f"more {last.no}", digest=last.digest, **more
            )
            written(last, digest=f"{change.chance.getrandbits(256):064x}")
            yield last
