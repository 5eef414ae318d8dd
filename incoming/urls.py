"""Addresses of incoming mail."""

from django.urls import path

from incoming import views
from incoming.ways.webhook import take_from_provider

urlpatterns = [
    # Mailgun sends mails as they came only where the address ends so
    path("incoming/mime", take_from_provider, name="take_from_provider"),
    path("c/<slug:slug>/mailed/<str:name>/", views.confirm_mailed, name="confirm_mailed"),
]
