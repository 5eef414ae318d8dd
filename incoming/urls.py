"""Addresses of incoming mail."""

from django.urls import path

from incoming import views

urlpatterns = [
    path("c/<slug:slug>/mailed/<str:name>/", views.confirm_mailed, name="confirm_mailed"),
]
