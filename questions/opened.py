"""After the end: what a side was answered by the game master, for everybody, once one of its commanders opens it.

Nothing opens that its side has not read: no answer for its asker alone, no question as only the game master read it,
and no line of orders that a question is about.
"""

from dataclasses import replace

from django.http import Http404

from campaign.engine.values.ids import Audience
from campaign.models import Agreed
from campaign.secrecy import truth
from campaign.viewers import Viewer
from questions.models import RuleAnswer
from questions.reading import answers_to


def opened_sides(viewer: Viewer) -> list[str]:
    """The sides of the viewer's campaign that have opened their questions to everybody."""
    campaign = viewer.campaign
    if not hasattr(campaign, "closing"):
        return []
    opened = campaign.consents.filter(what=Agreed.QUESTIONS).order_by("side")
    return list(opened.values_list("side", flat=True))


def opened_questions(viewer: Viewer, side: str) -> list[RuleAnswer]:
    """The answers that stand to what a side has asked, as the side or everyone reads them, the newest first.

    Nothing of it says who asked.

    Http404 alike if the side has not opened it and if there is no such side.
    """
    if side not in opened_sides(viewer):
        raise Http404
    with truth.writing(Audience(side)):
        return answers_to(replace(viewer, viewing_as=Audience(side)), side)
