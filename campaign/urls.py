"""Addresses of what people read, and of the people themselves."""

from django.urls import path

from campaign.views import home

urlpatterns = [
    path("", home.home, name="home"),
]
