"""The people of a campaign: its members, its invitations, and the desks of a side."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.core import clock
from campaign.forms.people import AwayForm, BotForm, DeskForm, InvitationForm, PartForm
from campaign.mail.bounces import mail_comes_back
from campaign.mail.mutes import mute_path
from campaign.models import Invitation, Membership, OutboxMessage, Role
from campaign.next_steps import next_steps
from campaign.people import absences, bots, desks, invitations, memberships
from campaign.people.invitation_mails import states_of
from campaign.people.throttles import INVITATIONS, may, too_fast
from campaign.record.dice_log import anchors_line
from campaign.selectors import open_phase
from campaign.services import fights_outside, scenario_of
from campaign.viewers import Viewer, gm_viewer, viewer_of


@login_required
@require_safe
def roster(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody in the campaign; for the GM and commanders, with their actions."""
    return _page(request, viewer_of(request.user, slug))


@login_required
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link for each address, or one to pass on, and show them, this once."""
    viewer = gm_viewer(request.user, slug)
    form = InvitationForm(request.POST, sides=_sides(viewer), prefix="invite")
    if not form.is_valid():
        return _page(request, viewer, invitation_form=form)
    data = form.cleaned_data
    addresses = data.pop("addresses") or ("",)
    if not may(request, INVITATIONS, times=len(addresses)):
        return too_fast(request, INVITATIONS, words=("invite-addresses",))
    try:
        with transaction.atomic():
            tokens = [invitations.invite(viewer, **data, address=each, now=clock.now()) for each in addresses]
    except memberships.Refused as refused:
        form.add_error(None, str(refused))
        return _page(request, viewer, invitation_form=form)
    links = [
        _link(viewer, token, data["meant_for"], each, mailed=bool(each))
        for token, each in zip(tokens, addresses, strict=True)
    ]
    return _page(request, viewer, links=links, anchors=anchors_line(viewer.campaign))


@login_required
@require_POST
def renew(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a new link in place of an invitation's, mail it as that one was, and show it, this once."""
    viewer = gm_viewer(request.user, slug)
    if not may(request, INVITATIONS):
        return too_fast(request, INVITATIONS)
    old, token = invitations.renew_invitation(viewer, request.POST.get("invitation", ""), now=clock.now())
    links = [_link(viewer, token, old.meant_for, old.shown_address, mailed=bool(old.address))]
    return _page(request, viewer, links=links, anchors=anchors_line(viewer.campaign))


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str) -> HttpResponse:
    """Revoke an invitation."""
    viewer = gm_viewer(request.user, slug)
    invitations.revoke_invitation(viewer, request.POST.get("invitation", ""), now=clock.now())
    return _done(request, viewer, "Invitation withdrawn.")


@login_required
@require_POST
def change_role(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a member another role."""
    viewer = gm_viewer(request.user, slug)
    member = memberships.member_named(viewer, request.POST.get("member", ""))
    form = PartForm(request.POST, sides=_sides(viewer))
    if not form.is_valid():
        return _refuse(request, viewer, "Choose a role and a side from the lists.")
    try:
        memberships.change_role(viewer, member, **form.cleaned_data, now=clock.now())
    except memberships.Refused as refused:
        return _refuse(request, viewer, str(refused))
    return _done(request, viewer, "Role changed.")


@login_required
@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """End another person's part."""
    viewer = gm_viewer(request.user, slug)
    member = memberships.member_named(viewer, request.POST.get("member", ""))
    try:
        memberships.remove(viewer, member, now=clock.now())
    except memberships.Refused as refused:
        return _refuse(request, viewer, str(refused))
    return _done(request, viewer, f"{member.user.username} is no longer in the campaign.")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """End the viewer's own part, after a question."""
    viewer = viewer_of(request.user, slug)
    if request.method != "POST":
        return render(
            request, "campaign/people/leave.html", {"viewer": viewer, "part": memberships.part(viewer.member)}
        )
    try:
        memberships.leave(viewer, now=clock.now())
    except memberships.Refused as refused:
        return _refuse(request, viewer, str(refused))
    messages.success(request, f"You have left {viewer.campaign.title}.")
    return redirect("home")


@login_required
@require_POST
def set_desk(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """Assign formations to a desk."""
    viewer = viewer_of(request.user, slug)
    form = _desk_form(viewer, side, request.POST)
    if not form.is_valid():
        return _page(request, viewer, desk_form=(side, form))
    try:
        desks.set_desk(
            viewer,
            name=form.cleaned_data["name"],
            formations=form.cleaned_data["formations"],
            holder=memberships.member_named(viewer, form.cleaned_data["holder"]),
            now=clock.now(),
        )
    except memberships.Refused as refused:
        form.add_error(None, str(refused))
        return _page(request, viewer, desk_form=(side, form))
    return _done(request, viewer, "Desk assigned.")


@login_required
@require_POST
def drop_desk(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """Close a desk."""
    viewer = viewer_of(request.user, slug)
    desks.drop_desk(viewer, side=side, name=request.POST.get("desk", ""), now=clock.now())
    return _done(request, viewer, "Desk closed. Its formations belong to HQ again.")


@login_required
@require_POST
def away(request: HttpRequest, slug: str) -> HttpResponse:
    """Book until when a member is away: the viewer, or, by the GM, another."""
    viewer = viewer_of(request.user, slug)
    name = request.POST.get("member", "")
    member = memberships.member_named(viewer, name) if name else viewer.member
    if member != viewer.member and not viewer.is_gm:
        raise Http404
    form = AwayForm(request.POST, deputies=absences.may_stand_in(viewer, member))
    if not form.is_valid():
        return _refuse(request, viewer, "Choose a day from the calendar, or none, and who stands in from the list.")
    booking = form.booking()
    try:
        if booking is None:
            absences.end(viewer, member, now=clock.now())
        else:
            absences.book(viewer, member, booking, now=clock.now())
    except memberships.Refused as refused:
        return _refuse(request, viewer, str(refused))
    return _done(request, viewer, "Absence noted." if booking else "Welcome back.")


@login_required
@require_POST
def back(request: HttpRequest, slug: str) -> HttpResponse:
    """End an absence: the viewer's own, or, by the GM, another's."""
    viewer = viewer_of(request.user, slug)
    member = memberships.member_named(viewer, request.POST.get("member", ""))
    starts_at = parse_datetime(request.POST.get("since", ""))
    if starts_at is None or not absences.end(viewer, member, now=clock.now(), starts_at=starts_at):
        raise Http404
    return _done(request, viewer, "The absence has ended.")


@login_required
@require_POST
def seat_bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a bot play a side."""
    viewer = gm_viewer(request.user, slug)
    form = _bot_form(viewer, request.POST)
    if not form.is_valid():
        return _refuse(request, viewer, "Choose a side and a bot from the lists.")
    try:
        bots.seat(viewer, **form.cleaned_data, now=clock.now())
    except memberships.Refused as refused:
        return _refuse(request, viewer, str(refused))
    return _done(request, viewer, "The bot plays this side from now on.")


@login_required
@require_POST
def unseat_bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Let no bot play a side any more."""
    viewer = gm_viewer(request.user, slug)
    bots.unseat(viewer, side=request.POST.get("side", ""), now=clock.now())
    return _done(request, viewer, "No bot plays this side any more. Sheets that it submitted still count.")


# --- the page --------------------------------------------------------------------------------------------------------


def _page(request: HttpRequest, viewer: Viewer, **more: Any) -> HttpResponse:
    """The page; `more` replaces or adds to what it shows."""
    context = {
        "viewer": viewer,
        "members": _members(viewer),
        "bots": bots.bots_of(viewer.campaign),
        "desks": desks.desks_of(viewer),
        "absences": absences.coming(viewer, clock.now()),
        "mails_path": mute_path(viewer.campaign, viewer.person),
        "away_form": _away_form(memberships.members(viewer), viewer.member, "away_%s"),
        "desk_forms": _desk_forms(viewer, *more.pop("desk_form", ("", None))),
        **(_for_gm(request, viewer) if viewer.is_gm else {}),
        **more,
    }
    return render(request, "campaign/people/people.html", context, status=422 if _refused(context) else 200)


def _link(viewer: Viewer, token: str, meant_for: str, address: str, *, mailed: bool) -> Mapping[str, Any]:
    """A new invitation's link, who gets it, and when it begins to work."""
    opens_at = invitations.opens_at(viewer, token)
    link = invitations.invitation_link(token)
    return {"link": link, "meant_for": meant_for, "address": address, "mailed": mailed, "opens_at": opens_at}


def _invitations(viewer: Viewer) -> list[tuple[str, Invitation, OutboxMessage | None, bool]]:
    """The invitations that still work: the role in words, the invitation, its mail, whether the viewer may renew it."""
    found = list(invitations.open_invitations(viewer))
    mails = states_of(found)
    may_renew = invitations.may_renew
    return [(memberships.part(each), each, mails.get(each.token_digest), may_renew(viewer, each)) for each in found]


def _for_gm(request: HttpRequest, viewer: Viewer) -> Mapping[str, Any]:
    return {
        "invitations": _invitations(viewer),
        "invitation_form": InvitationForm(sides=_sides(viewer), prefix="invite", initial=_proposed(request)),
        "next_steps": next_steps(viewer),
        "bot_form": _bot_form(viewer) if bots.names_of(viewer.campaign) else None,
        "has_not_started": _has_not_started(viewer),
    }


def _proposed(request: HttpRequest) -> dict[str, str]:
    """The role and side that the address proposes for an invitation."""
    return {name: request.GET[name] for name in ("role", "side") if name in request.GET}


def _has_not_started(viewer: Viewer) -> bool:
    """Whether the campaign waits for commanders."""
    phase = open_phase(viewer)
    return phase is not None and phase.held and not phase.no


def _bot_form(viewer: Viewer, data: Mapping[str, Any] | None = None) -> BotForm:
    here, outside = viewer.campaign, fights_outside(viewer.campaign)
    return BotForm(data, sides=_sides(viewer), names=bots.names_of(here), outside=outside, auto_id="bot_%s")


def _members(viewer: Viewer) -> list[Mapping[str, Any]]:
    """The members by side and rank; for the GM, each with the form that changes a role."""
    ranks = list(Role.values)
    absent = absences.away_now(viewer, clock.now())
    unreached = mail_comes_back(viewer.campaign) if viewer.is_gm else {}
    found = sorted(memberships.members(viewer), key=lambda m: (m.side, ranks.index(m.role), m.user.username.casefold()))
    return [
        {
            "name": member.user.username,
            "side": member.side,
            "part": memberships.part(member),
            "self": member == viewer.membership,
            "away_until": absent[member.pk].ends_at if member.pk in absent else None,
            "unreached": member.user_id in unreached,
            "form": _part_form(viewer, member, number) if viewer.is_gm else None,
            "away_form": _away_form(found, member, f"away{number}_%s") if viewer.is_gm else None,
        }
        for number, member in enumerate(found, 1)
    ]


def _away_form(present: Iterable[Membership], member: Membership, auto_id: str) -> AwayForm:
    return AwayForm(deputies=absences.deputies_among(present, member), auto_id=auto_id)


def _part_form(viewer: Viewer, member: Membership, number: int) -> PartForm:
    now = {"role": member.role, "side": member.side}
    return PartForm(sides=_sides(viewer), initial=now, auto_id=f"member{number}_%s")


def _desk_forms(viewer: Viewer, side: str, bound: DeskForm | None) -> list[tuple[str, DeskForm]]:
    """A form for each side whose desks the viewer assigns."""
    sides = [own for own in _sides(viewer) if desks.may_assign(viewer, own)]
    return [(own, bound if bound and own == side else _desk_form(viewer, own)) for own in sides]


def _desk_form(viewer: Viewer, side: str, data: Mapping[str, Any] | None = None) -> DeskForm:
    if side not in _sides(viewer):
        raise Http404
    formations = desks.formations_of(viewer, side)
    holders = memberships.members(viewer).filter(side=side, role__in=memberships.MAY_HOLD_A_DESK)
    names = holders.order_by("user__username").values_list("user__username", flat=True)
    return DeskForm(data, holders=names, formations=formations, auto_id=f"desk_{side}_%s")


def _sides(viewer: Viewer) -> tuple[str, ...]:
    return scenario_of(viewer.campaign).rules.sides


def _refused(context: Mapping[str, Any]) -> bool:
    forms = [form for _, form in context["desk_forms"]]
    return any(
        form.errors for form in [*forms, *([context["invitation_form"]] if "invitation_form" in context else [])]
    )


def _done(request: HttpRequest, viewer: Viewer, what: str) -> HttpResponse:
    messages.success(request, what)
    return redirect("people", viewer.campaign.slug)


def _refuse(request: HttpRequest, viewer: Viewer, why: str) -> HttpResponse:
    messages.error(request, why)
    return redirect("people", viewer.campaign.slug)
