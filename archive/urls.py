"""Addresses of archives."""

from django.urls import path

from archive import views

urlpatterns = [
    path("c/<slug:slug>/archive/", views.archives, name="archives"),
    path("c/<slug:slug>/archive/<str:audience>.zip", views.archive_file, name="archive_file"),
    path("c/<slug:slug>/desk/export.json", views.export_file, name="export_file"),
]
