"""Which address leads to which page. There are no pages yet: the game is played from the command line."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
