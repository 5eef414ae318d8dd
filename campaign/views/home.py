"""The first page: a person's campaigns."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaign.models import User
from campaign.people.memberships import campaigns_of


def home(request: HttpRequest) -> HttpResponse:
    """The campaigns of the signed-in person; a welcome for everybody else."""
    if not isinstance(request.user, User):
        return render(request, "campaign/welcome.html")
    return render(request, "campaign/home.html", {"campaigns": campaigns_of(request.user)})
