"""Addresses of stories of battles, and of the pictures of battle maps."""

from django.urls import path

from stories import views

urlpatterns = [
    path("c/<slug:slug>/stories/<int:no>/", views.stories, name="stories"),
    path("c/<slug:slug>/stories/<int:no>.<int:rev>/<str:key>/", views.story, name="story"),
    path("c/<slug:slug>/battles/<str:key>/map/", views.battle_map, name="battle_map"),
    path("c/<slug:slug>/battles/<str:key>/map/<str:name>", views.map_picture, name="map_picture"),
    path("c/<slug:slug>/stories/<int:no>/<str:name>", views.picture, name="story_picture"),
    path("c/<slug:slug>/public/stories/<int:no>/", views.public_stories, name="public_stories"),
    path("c/<slug:slug>/public/stories/<int:no>/<str:name>", views.public_picture, name="public_story_picture"),
]
