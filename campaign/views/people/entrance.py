"""How people sign in and join: by a one-time link, or by an invitation into a campaign."""

from collections.abc import Callable

from allauth.account import views as allauth_views
from allauth.account.internal.stagekit import LOGIN_SESSION_KEY
from allauth.account.utils import perform_login
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from sesame.utils import get_user

from campaign.core import clock
from campaign.models import User
from campaign.people import entrances, invitations, memberships
from campaign.people.accounts import INVITATION
from campaign.people.sessions import remember_browser
from campaign.people.throttles import ENTRANCES, throttled
from campaign.record.dice_log import anchors_line
from campaign.record.persons import changing
from campaign.services import scenario_of


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("sesame")
@throttled(ENTRANCES)
def entrance(request: HttpRequest) -> HttpResponse:
    """A one-time link. GET leaves it usable, since programs that guard mailboxes open links; the button uses it up."""
    token = (request.POST if request.method == "POST" else request.GET).get("sesame", "")
    user = get_user(token, update_last_login=False)
    if not isinstance(user, User):
        return render(request, "campaign/people/entrance_closed.html", status=410)
    if request.method != "POST":
        return render(request, "campaign/people/entrance.html", {"token": token})
    if not entrances.consume_entrance(user, at=clock.now()):
        return render(request, "campaign/people/entrance_closed.html", status=410)
    # Nobody has to confirm their address here: the link was sent or shown to them alone.
    response: HttpResponse = perform_login(request, user, email_verification="none", redirect_url=reverse("home"))
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@throttled(ENTRANCES)
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation. Strangers may sign up while their session carries it."""
    try:
        found = invitations.invitation_of(token, now=clock.now())
        if request.method == "POST" and isinstance(request.user, User):
            return _join(request, request.user, token)
    except memberships.Refused as refused:
        status = 404 if isinstance(refused, invitations.UnknownInvitation) else 409
        return render(request, "campaign/people/invitation_refused.html", {"why": str(refused)}, status=status)
    if not isinstance(request.user, User):
        request.session[INVITATION] = token
    context = {"invitation": found, "part": memberships.part(found), "anchors": anchors_line(found.campaign)}
    return render(request, "campaign/people/invitation.html", context)


def confirm_login_code(request: HttpRequest) -> HttpResponse:
    """allauth's page, which looks an account up; it takes as long for an address without one."""
    begun = request.session.get(LOGIN_SESSION_KEY)
    if begun is not None and not begun.get("user_pk"):
        User.objects.filter(pk=0).first()
    response: HttpResponse = allauth_views.confirm_login_code(request)
    return response


def addresses(request: HttpRequest) -> HttpResponse:
    """allauth's page on which a person changes their address, with the change on record."""
    return _on_record(request, allauth_views.email)


def confirm_address(request: HttpRequest) -> HttpResponse:
    """allauth's page for the code that was mailed to a new address, with the change on record."""
    return _on_record(request, allauth_views.email_verification_sent)


def _on_record(request: HttpRequest, page: Callable[[HttpRequest], HttpResponse]) -> HttpResponse:
    if request.method != "POST" or not isinstance(request.user, User):
        return page(request)
    person = User.objects.get(pk=request.user.pk)
    before = person.email
    with changing(person):
        response = page(request)
    person.refresh_from_db(fields=["email"])
    if person.email != before:
        remember_browser(response, person)
    return response


def no_passwords(_: HttpRequest) -> HttpResponse:
    """Replaces allauth's pages about passwords, which nobody has."""
    raise Http404


def _join(request: HttpRequest, user: User, token: str) -> HttpResponse:
    words = request.POST.get("words", "")
    member = invitations.accept_invitation(token, user, now=clock.now(), words=words)
    request.session.pop(INVITATION, None)
    messages.success(request, f"Welcome. You are now {memberships.part(member)} in {member.campaign.title}.")
    briefed = member.side in scenario_of(member.campaign).briefed
    return redirect("briefing" if briefed else "campaign", member.campaign.slug)
