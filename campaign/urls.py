"""Addresses of what people read, and of the people themselves."""

from django.urls import path

from campaign.views import home, reading, rules

urlpatterns = [
    path("", home.home, name="home"),
    path("c/<slug:slug>/rules/", rules.rules, name="rules"),
    path("c/<slug:slug>/", reading.situation, name="campaign"),
    path("c/<slug:slug>/stops/", reading.history, name="history"),
    path("c/<slug:slug>/stops/<int:no>/", reading.stop, name="stop"),
    path("c/<slug:slug>/stops/<int:no>/<str:name>", reading.stop_file, name="stop_file"),
    path("c/<slug:slug>/public/", reading.public_situation, name="public"),
    path("c/<slug:slug>/public/stops/", reading.public_history, name="public_history"),
    path("c/<slug:slug>/public/stops/<int:no>/", reading.public_stop, name="public_stop"),
    path("c/<slug:slug>/public/stops/<int:no>/<str:name>", reading.public_file, name="public_file"),
]
