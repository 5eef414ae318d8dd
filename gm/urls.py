"""Addresses of the inbox and of the game master's desk."""

from django.urls import path

from gm.views import (
    battles,
    clock,
    closing,
    desk,
    entering,
    exposure,
    health,
    home,
    log,
    outbox,
    persons,
    posts,
    sight,
    substitutes,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("c/<slug:slug>/battles/<str:key>/decide/", battles.decide, name="decide_battle"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("c/<slug:slug>/log/", log.log, name="gm_log"),
    path("c/<slug:slug>/desk/", desk.desk, name="desk"),
    path("c/<slug:slug>/desk/draft/", desk.draft, name="draft"),
    path("c/<slug:slug>/desk/clock/", clock.clock, name="clock"),
    path("c/<slug:slug>/desk/settings/", clock.settings, name="settings"),
    path("c/<slug:slug>/desk/resolver/", battles.resolver, name="resolver"),
    path("c/<slug:slug>/desk/retry/", desk.retry_phase, name="retry"),
    path("c/<slug:slug>/desk/enter/<str:side>/", entering.enter, name="enter"),
    path("c/<slug:slug>/desk/enter/<str:side>/<str:desk>/", entering.enter, name="enter_desk"),
    path("c/<slug:slug>/desk/stops/<int:no>/<str:audience>/", desk.seen, name="seen"),
    path("c/<slug:slug>/desk/stops/<int:no>/<str:audience>/<str:name>", desk.seen_file, name="seen_file"),
    path("c/<slug:slug>/desk/posts/<int:no>/", posts.posts, name="posts"),
    path("c/<slug:slug>/desk/person/", persons.person, name="seen_person"),
    path("c/<slug:slug>/desk/sight/", sight.sight, name="sight"),
    path("c/<slug:slug>/desk/closing/", closing.closing, name="closing"),
    path("c/<slug:slug>/desk/exposure/", exposure.exposure, name="exposure"),
    path("c/<slug:slug>/desk/substitutes/", substitutes.substitutes, name="substitutes"),
    path("c/<slug:slug>/desk/outbox/", outbox.outbox, name="outbox"),
    path("c/<slug:slug>/desk/outbox/<str:mail>/", outbox.outbox_mail, name="outbox_mail"),
    path("c/<slug:slug>/desk/outbox/<str:mail>/retry/", outbox.retry_mail, name="retry_mail"),
]
