"""The addresses of all pages."""

from django.urls import include, path, re_path
from django.views.generic import RedirectView

from campaign.views.people.entrance import addresses, confirm_address, confirm_login_code, no_passwords

handler400 = "api.views.errors.unreadable"
handler403 = "api.views.errors.forbidden"
handler404 = "api.views.errors.absent"
handler500 = "api.views.errors.broken"

urlpatterns = [
    re_path("^account/password/", no_passwords),
    path("account/login/code/", RedirectView.as_view(pattern_name="account_login", query_string=True)),
    path("account/sessions/", RedirectView.as_view(pattern_name="profile")),
    path("account/login/code/confirm/", confirm_login_code),
    path("account/email/", addresses, name="account_email"),
    path("account/confirm-email/", confirm_address, name="account_email_verification_sent"),
    path("account/", include("allauth.urls")),
    path("", include("campaign.urls")),
    path("", include("orders.urls")),
    path("", include("stories.urls")),
    path("", include("staff.urls")),
    path("", include("questions.urls")),
    path("", include("incoming.urls")),
    path("", include("posting.urls")),
    path("", include("gm.urls")),
    path("", include("archive.urls")),
    path("", include("api.urls")),
]
