"""Addresses of what people read, and of the people themselves."""

from django.urls import path, re_path

from campaign.views import dice, entrance, founding, home, links, mutes, people, profile, reading, replays, rules

urlpatterns = [
    path("", home.home, name="home"),
    path("profile/", profile.profile, name="profile"),
    path("profile/sessions/end/", profile.end_session, name="end_session"),
    path("enter/", entrance.entrance, name="entrance"),
    path("invitation/<str:token>/", entrance.invitation, name="invitation"),
    path("new/", founding.new_campaign, name="new_campaign"),
    path("c/<slug:slug>/people/", people.roster, name="people"),
    path("c/<slug:slug>/people/invite/", people.invite, name="invite"),
    path("c/<slug:slug>/people/revoke/", people.revoke, name="revoke"),
    path("c/<slug:slug>/people/role/", people.change_role, name="change_role"),
    path("c/<slug:slug>/people/remove/", people.remove, name="remove"),
    path("c/<slug:slug>/people/leave/", people.leave, name="leave"),
    path("c/<slug:slug>/people/desks/<str:side>/", people.set_desk, name="set_desk"),
    path("c/<slug:slug>/people/desks/<str:side>/close/", people.drop_desk, name="drop_desk"),
    path("c/<slug:slug>/rules/", rules.rules, name="rules"),
    path("c/<slug:slug>/dice/", dice.dice, name="dice"),
    path("c/<slug:slug>/dice/<str:log>/<str:name>", dice.dice_file, name="dice_file"),
    path("c/<slug:slug>/public/dice/", dice.public_dice, name="public_dice"),
    path("c/<slug:slug>/public/dice/<str:log>/<str:name>", dice.public_dice_file, name="public_dice_file"),
    path("c/<slug:slug>/", reading.situation, name="campaign"),
    path("c/<slug:slug>/stops/", reading.history, name="history"),
    path("c/<slug:slug>/stops/<int:no>/", reading.stop, name="stop"),
    path("c/<slug:slug>/replay.<str:motion>", replays.campaign, name="campaign_replay"),
    path("c/<slug:slug>/stops/<int:no>/replay.<str:motion>", replays.stop, name="stop_replay"),
    path("c/<slug:slug>/stops/<int:no>/<str:name>", reading.stop_file, name="stop_file"),
    path("c/<slug:slug>/public/", reading.public_situation, name="public"),
    path("c/<slug:slug>/public/stops/", reading.public_history, name="public_history"),
    path("c/<slug:slug>/public/stops/<int:no>/", reading.public_stop, name="public_stop"),
    path("c/<slug:slug>/public/replay.<str:motion>", replays.public_campaign, name="public_campaign_replay"),
    path("c/<slug:slug>/public/stops/<int:no>/replay.<str:motion>", replays.public_stop, name="public_stop_replay"),
    path("c/<slug:slug>/public/stops/<int:no>/<str:name>", reading.public_file, name="public_file"),
    path("c/<slug:slug>/mails/<str:token>/", mutes.mute, name="mute"),
    path("c/<slug:slug>/links/", links.links, name="links"),
    path("c/<slug:slug>/links/make/", links.make, name="make_link"),
    path("c/<slug:slug>/links/revoke/", links.revoke, name="revoke_link"),
    re_path("^m/(?P<token>[0-9a-f]{32})[.]png$", links.picture, name="picture"),
]
