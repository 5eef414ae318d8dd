"""Addresses of the game master's desk."""

from django.urls import path

from gm.views import desk, entering

urlpatterns = [
    path("c/<slug:slug>/desk/", desk.desk, name="desk"),
    path("c/<slug:slug>/desk/draft/", desk.draft, name="draft"),
    path("c/<slug:slug>/desk/retry/", desk.retry_stop, name="retry"),
    path("c/<slug:slug>/desk/enter/<str:side>/", entering.enter, name="enter"),
    path("c/<slug:slug>/desk/stops/<int:no>/<str:audience>/", desk.seen, name="seen"),
    path("c/<slug:slug>/desk/stops/<int:no>/<str:audience>/<str:name>", desk.seen_file, name="seen_file"),
]
