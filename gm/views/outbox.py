"""The outbox: all mails, their readers and their troubles, and who has been on the site since.

The GM can retry a mail that was given up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaign.mail.bounces import ComesBack, mail_comes_back
from campaign.mail.delivery import may_revive, revive
from campaign.models import LastSeen, OutboxMessage
from campaign.people import memberships
from campaign.viewers import Viewer, gm_viewer

PAGE = 50


@dataclass(frozen=True)
class Reached:
    """Whether mails reach a member, and whether they have been on the site since the newest one."""

    name: str
    sent_at: datetime | None
    """When the newest mail to them left; None: the mail server has taken none."""
    came_back: ComesBack | None
    seen_at: datetime | None
    """When they last opened a page of the campaign; None: never."""

    @property
    def seen_since(self) -> bool:
        return _is_since(self.seen_at, self.sent_at)


@login_required
@require_safe
def outbox(request: HttpRequest, slug: str) -> HttpResponse:
    """All mails of the campaign, the newest first."""
    viewer = gm_viewer(request.user, slug)
    page = Paginator(_mails(viewer).defer("stored"), PAGE).get_page(request.GET.get("page"))
    seen = _seen(viewer)
    mails = [(mail, _is_since(seen.get(mail.user_id or 0), mail.sent_at)) for mail in page]
    context: dict[str, object] = {"viewer": viewer, "page": page, "mails": mails}
    if page.number == 1:
        context["reached"] = reached = list(_reached(viewer, seen))
        context["unreached"] = any(each.came_back for each in reached)
    return render(request, "gm/mail/outbox.html", context)


@login_required
@require_safe
def outbox_mail(request: HttpRequest, slug: str, mail: str) -> HttpResponse:
    """One mail, as its reader's program shows it without pictures."""
    viewer = gm_viewer(request.user, slug)
    row = get_object_or_404(_mails(viewer), message_id__startswith=f"<{mail}@")
    return render(request, "gm/mail/outbox_mail.html", _shown(viewer, row))


@login_required
@require_POST
def retry_mail(request: HttpRequest, slug: str, mail: str) -> HttpResponse:
    """Retry a mail that was given up."""
    viewer = gm_viewer(request.user, slug)
    row = get_object_or_404(_mails(viewer), message_id__startswith=f"<{mail}@")
    if revive(viewer.campaign, row.pk):
        messages.success(request, "Fieldpost will send the mail again.")
    else:
        what = "you can resend only a mail that was given up, and not one about a withdrawn phase."
        messages.error(request, f"Nothing was changed: {what}")
    return redirect("outbox_mail", slug, row.name)


def _mails(viewer: Viewer) -> QuerySet[OutboxMessage]:
    return (
        OutboxMessage.objects.filter(campaign=viewer.campaign)
        .select_related("user", "phase")
        .order_by("-created_at", "-pk")
    )


def _seen(viewer: Viewer) -> Mapping[int, datetime]:
    """When the present members last opened a page of the campaign, by their users' ids."""
    here = LastSeen.objects.filter(member__campaign=viewer.campaign, member__left_at=None)
    return dict(here.values_list("member__user", "at"))


def _is_since(seen: datetime | None, sent: datetime | None) -> bool:
    return seen is not None and sent is not None and seen > sent


def _reached(viewer: Viewer, seen: Mapping[int, datetime]) -> Iterator[Reached]:
    """The members who have had a mail or are refused, first those to whom mails come back, then by name."""
    back = mail_comes_back(viewer.campaign)
    mails = OutboxMessage.objects.filter(campaign=viewer.campaign).order_by()
    newest = dict(mails.exclude(sent_at=None).values_list("user").annotate(Max("sent_at")))
    members = [each for each in memberships.members(viewer) if each.user_id in newest or each.user_id in back]
    for member in sorted(members, key=lambda each: each.user_id not in back):
        of = member.user_id
        yield Reached(member.user.username, newest.get(of), back.get(of), seen.get(of))


def _shown(viewer: Viewer, row: OutboxMessage) -> dict[str, object]:
    sealed, forgotten = _is_sealed(row), not row.stored
    text = "" if sealed or forgotten else _text(row)
    return {
        "viewer": viewer,
        "mail": row,
        "text": text,
        "sealed": sealed,
        "forgotten": forgotten,
        "again": may_revive(row),
    }


def _is_sealed(row: OutboxMessage) -> bool:
    """Whether a mail is sealed: a receipt holds the whole sheet, which is sealed until its phase is locked."""
    return row.kind == "receipt" and row.phase is not None and row.phase.locked_at is None


def _text(row: OutboxMessage) -> str:
    mail = message_from_bytes(row.message, _class=EmailMessage, policy=SMTP)
    part = mail.get_body(("plain",))
    return str(part.get_content()) if part else ""
