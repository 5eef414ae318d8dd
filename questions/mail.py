"""Mails about questions: to the game masters that one waits, and to the readers of an answer that there is one."""

from collections.abc import Iterable

from campaign.mail import news
from campaign.mail.choices import ANSWER, PRECEDENT, QUESTION
from campaign.mail.messages import Extras, link, message_to, present_members
from campaign.mail.outbox import enqueue
from campaign.models import Campaign, Membership, Phase, PhaseState, Role
from questions.models import Question, Reach, RuleAnswer


def asked(question: Question) -> None:
    """Mail the game masters that a question waits for them."""
    campaign, page = question.campaign, link("question", question.campaign.slug, question.side, question.no)
    gms = present_members(campaign).filter(role=Role.GM)
    context = {"question": question, "page": page}
    gist = f"A question{_about(question.rule)} waits for your answer."
    _send(campaign, gms, kind=QUESTION, key=_key(question), context=context, extras=Extras(gist=gist, page=page))


def answered(answer: RuleAnswer, question: Question) -> None:
    """Mail its readers an answer, or its correction. That the question waits is no news any more."""
    news.take_back(f"{QUESTION}/{_key(question)}/")
    _tell(answer, question, "corrected an answer" if answer.version > 1 else "answered a question")


def withdrawn(answer: RuleAnswer, question: Question) -> None:
    """Mail its readers that an answer is withdrawn."""
    _tell(answer, question, "withdrawn an answer")


def _tell(answer: RuleAnswer, question: Question, done: str) -> None:
    """Mail those who read an answer, and forget what waits to be gathered about it: this is newer."""
    campaign = question.campaign
    page = f"{link('questions', campaign.slug)}#{answer.anchor}"
    key = f"{campaign.slug}/{answer.audience}/{answer.reach}-{answer.no}"
    for kind, readers in _readers(answer, question):
        news.take_back(f"{kind}/{key}/")
        whose = "your question" if kind == ANSWER and done == "answered a question" else done.partition(" ")[2]
        what = f"The game master has {done.partition(' ')[0]} {whose}{_about(answer.rule)}."
        context = {"answer": answer, "what": what, "over": answer.over_at is not None, "page": page}
        event = f"{key}/{answer.version}{'x' if answer.over_at else ''}"
        extras = Extras(template="answer", gist=what, page=page)
        _send(campaign, readers, kind=kind, key=event, context=context, extras=extras)


def _readers(answer: RuleAnswer, question: Question) -> Iterable[tuple[str, Iterable[Membership]]]:
    """Who is mailed, by kind of mail: the asker, and the other players among its readers."""
    players = present_members(question.campaign).exclude(role=Role.GM)
    yield ANSWER, players.filter(user=question.author_id, side=question.side)
    others = players.exclude(user=question.author_id)
    if answer.reach == Reach.SIDE:
        yield PRECEDENT, others.filter(side=question.side)
    elif answer.reach == Reach.ALL:
        yield PRECEDENT, others


def _send(
    campaign: Campaign,
    members: Iterable[Membership],
    *,
    kind: str,
    key: str,
    context: dict[str, object],
    extras: Extras,
) -> None:
    """Write mails, or keep them as news, within the caller's transaction. Before the first phase there are none."""
    phase = newest_phase(campaign)
    if phase is None:
        return
    for member in members:
        enqueue(message_to(member, kind=kind, key=f"{kind}/{key}", context=context, phase=phase, extras=extras))


def newest_phase(campaign: Campaign) -> Phase | None:
    """The newest phase, which names the day in a mail's subject."""
    phases = Phase.objects.filter(campaign=campaign).exclude(state=PhaseState.WITHDRAWN).select_related("campaign")
    return phases.order_by("-no", "-rev").first()


def _key(question: Question) -> str:
    return f"{question.campaign.slug}/{question.side}/{question.no}"


def _about(rule: str) -> str:
    return f" about {rule}" if rule else ""
