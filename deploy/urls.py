"""Which address leads to which page."""

from django.urls import include, path

urlpatterns = [
    path("account/", include("allauth.urls")),
    path("", include("campaign.urls")),
    path("", include("orders.urls")),
    path("", include("gm.urls")),
]
