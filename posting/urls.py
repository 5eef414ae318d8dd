"""Addresses of posting."""

from django.urls import path

from posting import views

urlpatterns = [
    path("c/<slug:slug>/desk/destinations/", views.destinations, name="destinations"),
    path("c/<slug:slug>/desk/destinations/<int:no>/", views.destination, name="destination"),
    path("c/<slug:slug>/desk/forum-posts/<str:mark>/", views.forum_post, name="forum_post"),
    path("profile/discord/", views.turn_webhook, name="turn_webhook"),
]
