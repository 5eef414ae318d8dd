"""The first page: a person's campaigns."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaign.seats import memberships_of


def home(request: HttpRequest) -> HttpResponse:
    """The campaigns of who is logged in; a word of welcome for everybody else."""
    return render(request, "campaign/home.html", {"memberships": memberships_of(request.user)})
