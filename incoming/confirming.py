"""Mailed sheets that wait for their author: they read them on the site, signed in, and confirm them there."""

from dataclasses import dataclass

from django.http import Http404

from campaign.core.failpoints import fp
from campaign.secrecy import truth
from campaign.viewers import Viewer
from incoming.meaning import Meant, meant_by
from incoming.models import MailState, ReceivedMail
from incoming.reading import read
from orders.answers import Answer
from orders.intake import Receipt, TooLate
from orders.mailed import Mailed, submit_mailed
from orders.models import Sheet
from orders.selectors import newest_version
from orders.services import answered
from orders.writing.annotated import Annotated, annotated


@dataclass(frozen=True)
class Unconfirmed:
    """A mailed sheet as its author reads it before they confirm it."""

    mail: ReceivedMail
    meant: Meant
    said: Annotated
    newest: int
    """The newest version of the desk's sheet, 0 for none."""


def unconfirmed(viewer: Viewer, name: str) -> Unconfirmed:
    """The viewer's own mail of this name that waits for them; Http404 if there is none, or it waits no longer."""
    with truth.opened("ReceivedMail", "ReplyAddress"):
        related = ("address__member__user", "address__phase__campaign")
        mine = ReceivedMail.objects.filter(address__member=viewer.member, digest__startswith=name)
        mail = mine.filter(state=MailState.WAITS).select_related(*related).first()
    if mail is None or len(name) != len(mail.name):
        raise Http404
    meant = meant_by(mail, read(mail.message, sent=mail.address.template.splitlines()))
    if meant is None:
        raise Http404
    answer = answered(viewer, meant.phase, meant.place, meant.text)
    return Unconfirmed(mail, meant, annotated(meant.text, answer), newest_version(viewer, meant.phase, meant.place))


def confirm(found: Unconfirmed, *, expected_version: int) -> Receipt:
    """Submit a mailed sheet now. Raises what `orders.mailed.submit_mailed` raises; nothing is changed then."""
    meant = found.meant
    mailed = Mailed(
        place=meant.place,
        text=meant.text,
        idem_key=found.mail.idem_key,
        received_at=None,
        expected_version=expected_version,
    )

    def noted(sheet: Sheet, _: Answer) -> None:
        with truth.opened("ReceivedMail"):
            waiting = ReceivedMail.objects.filter(pk=found.mail.pk, state=MailState.WAITS)
            if not waiting.update(state=MailState.SUBMITTED, sheet=sheet):
                raise TooLate
        fp("incoming.before_confirmation")

    return submit_mailed(meant.viewer, meant.phase, mailed, noted=noted)
