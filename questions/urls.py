"""Addresses of questions."""

from django.urls import path

from questions import views

urlpatterns = [
    path("c/<slug:slug>/questions/", views.questions, name="questions"),
    path("c/<slug:slug>/questions/<str:side>/", views.questions_of, name="questions_of"),
    path("c/<slug:slug>/public/questions/<str:side>/", views.public_questions, name="public_questions"),
    path("c/<slug:slug>/questions/<str:side>/<int:no>/", views.question, name="question"),
]
