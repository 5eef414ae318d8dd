"""The outbox: all mails, their readers and their troubles. The GM can retry a mail that was given up."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaign.mail.delivery import may_revive, revive
from campaign.models import OutboxMessage
from campaign.viewers import Viewer, gm_viewer

PAGE = 50


@login_required
@require_safe
def outbox(request: HttpRequest, slug: str) -> HttpResponse:
    """All mails of the campaign, the newest first."""
    viewer = gm_viewer(request.user, slug)
    page = Paginator(_mails(viewer).defer("stored"), PAGE).get_page(request.GET.get("page"))
    return render(request, "gm/outbox.html", {"viewer": viewer, "page": page})


@login_required
@require_safe
def outbox_mail(request: HttpRequest, slug: str, mail: str) -> HttpResponse:
    """One mail, as its reader's program shows it without pictures."""
    viewer = gm_viewer(request.user, slug)
    row = get_object_or_404(_mails(viewer), message_id__startswith=f"<{mail}@")
    return render(request, "gm/outbox_mail.html", _shown(viewer, row))


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
