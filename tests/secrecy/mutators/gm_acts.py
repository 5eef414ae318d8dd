"""What the game master does that concerns others alone. The log of the GM's acts shows it to them alone (M29).

Others ask, and the game master answers them (M33), or the asker alone (M34).
"""

from collections.abc import Iterator, Sequence

from django.http import Http404

from campaign.core import clock
from campaign.models import Membership, Role
from campaign.people import desks
from campaign.people.memberships import Refused
from campaign.services import change_settings
from campaign.viewers import Viewer, viewer_of
from gm.desk.exposure import Notify, exposable, expose
from gm.desk.view_as import note_view_as
from questions.models import Question, Reach, RuleAnswer
from questions.reading import may_ask, own_open
from questions.writing import Refused as NotAsked
from questions.writing import Written, answer, ask, state_of, withdraw
from tests.secrecy.campaigns import SLUG, person
from tests.secrecy.mutators.change import Change


def for_others(change: Change) -> bool:
    """Assign an enemy's desk and close it, report a leak of its map, view a phase as it, store the settings again."""
    viewer, enemy = viewer_of(person("gm"), SLUG), change.enemy
    change_settings(viewer.campaign, public=viewer.campaign.public)
    _desk(viewer, enemy)
    phase = exposable(viewer).first()
    if phase is not None:
        tells = change.chance.choice([Notify.NOBODY, Notify.SIDE])
        expose(viewer, no=phase.no, rev=phase.rev, side=enemy, what=f"A post {change.chance.random()}.", tells=tells)
        note_view_as(viewer, phase.no, enemy, change.chance.choice([None, person(f"{enemy} commander").pk]))
    return True


def _desk(viewer: Viewer, side: str) -> None:
    """A desk that is closed at once, so that no phase waits for it."""
    holder = Membership.objects.filter(campaign=viewer.campaign, side=side, role=Role.STAFF, left_at=None).first()
    if holder is None:
        return
    try:
        formations = [*desks.formations_of(viewer, side)][:1]
        desks.set_desk(viewer, name="Fortnight", formations=formations, holder=holder, now=clock.now())
    except (Refused, Http404):  # its formations have other desks
        return
    desks.drop_desk(viewer, side=side, name="Fortnight", now=clock.now())


_LINES = ("", "MOVE 1 SS A1")


def questions(change: Change) -> bool:
    """Others ask, and are answered for themselves or their side; some answers are corrected or withdrawn.

    Their earlier questions are reworded too: where an answer is for everybody, its question is in the GM's words.
    """
    return _ask_all(change, (Reach.ASKER, Reach.SIDE))


def private_questions(change: Change) -> bool:
    """Others ask, and are answered for themselves alone or not at all: nobody else of their side reads any of it."""
    return _ask_all(change, (Reach.ASKER,))


def _ask_all(change: Change, reaches: Sequence[Reach]) -> bool:
    askers = [f"{side} {role}" for side in change.foreign for role in ("commander", "tactical")]
    for question in Question.objects.filter(campaign__slug=SLUG, side__in=change.foreign).order_by("pk"):
        words = f"What if they do not come? {change.chance.random()}"
        Question.objects.filter(pk=question.pk).update(text=words, line=change.chance.choice(_LINES))
    return sum(_ask(change, who, reaches) for who in askers) > 0


def _ask(change: Change, who: str, reaches: Sequence[Reach]) -> bool:
    questions = list(_asked(change, who))
    for question in questions:
        _answer(change, question, reaches)
    return bool(questions)


def _asked(change: Change, who: str) -> Iterator[Question]:
    """New questions; after the end, when nobody asks any more, those that wait."""
    chance, viewer = change.chance, viewer_of(person(who), SLUG)
    if not may_ask(viewer):
        yield from own_open(viewer)
        return
    for _ in range(chance.randint(1, 3)):
        rule, line = chance.choice(["", "R1"]), chance.choice(_LINES)
        try:
            yield ask(viewer, f"And if they come? {chance.random()}", rule=rule, line=line, now=clock.now())
        except NotAsked:  # as many wait as can
            return


def _answer(change: Change, question: Question, reaches: Sequence[Reach]) -> None:
    chance, gm = change.chance, viewer_of(person("gm"), SLUG)
    for reach in chance.choices(reaches, k=chance.randint(0, 3)):
        written = Written(reach=reach, rule=question.rule, asked="", text=f"Then fight. {chance.random()}")
        answer(gm, question, written, seen=state_of(gm, question), shown="", now=clock.now())
    standing = RuleAnswer.objects.filter(question=question, over_at=None).order_by("reach").first()
    if standing is not None and chance.random() < 0.3:
        withdraw(gm, question, standing.mark, now=clock.now())
