"""Addresses of staff rooms."""

from django.urls import path

from staff import views

urlpatterns = [
    path("c/<slug:slug>/staff/", views.staff, name="staff"),
    path("c/<slug:slug>/staff/<str:side>/", views.staff_of, name="staff_of"),
    path("c/<slug:slug>/public/staff/<str:side>/", views.public_staff, name="public_staff"),
]
