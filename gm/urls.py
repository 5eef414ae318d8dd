"""Addresses of the game master's desk."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
