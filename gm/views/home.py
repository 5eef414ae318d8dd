"""The first page: what waits for a person in all their campaigns, and their list."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaign.mail.bounces import own_mail_comes_back
from campaign.models import User
from gm.inbox import inbox


def home(request: HttpRequest) -> HttpResponse:
    """The inbox and the campaigns of the signed-in person; a welcome for everybody else."""
    if not isinstance(request.user, User):
        return render(request, "campaign/welcome.html")
    parts = inbox(request.user)
    context = {"mine": parts, "something_waits": any(part.waiting for part in parts)}
    return render(request, "campaign/home.html", {**context, "comes_back": own_mail_comes_back(request.user)})
