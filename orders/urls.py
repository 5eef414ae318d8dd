"""Addresses of what players send in."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
