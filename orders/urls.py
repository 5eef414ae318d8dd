"""Addresses of players' sheets and battles."""

from django.urls import path

from orders.views import battles, filling, guide, opened, reports, sheet, versions

urlpatterns = [
    path("c/<slug:slug>/battles/", battles.battles, name="battles"),
    path("c/<slug:slug>/battles/<str:key>/", battles.battle, name="battle"),
    path("c/<slug:slug>/battles/<str:key>/check/", battles.check, name="check_battle"),
    path("c/<slug:slug>/battles/<str:key>/forms/", reports.forms, name="report_forms"),
    path("c/<slug:slug>/orders/", sheet.orders, name="orders"),
    path("c/<slug:slug>/orders/<str:desk>/", sheet.sheet, name="sheet"),
    path("c/<slug:slug>/orders/<str:desk>/check/", sheet.check, name="check_sheet"),
    path("c/<slug:slug>/orders/<str:desk>/forms/", filling.forms, name="sheet_forms"),
    path("c/<slug:slug>/orders/<str:desk>/draft/", sheet.draft, name="keep_draft"),
    path("c/<slug:slug>/orders/<str:desk>/<int:no>.<int:rev>/<int:nth>/", versions.version, name="version"),
    path(
        "c/<slug:slug>/orders/<str:desk>/<int:no>.<int:rev>/<int:nth>/receipt.txt",
        versions.receipt_file,
        name="receipt",
    ),
    path("c/<slug:slug>/guide/", guide.steps, name="guide"),
    path("c/<slug:slug>/stops/<int:no>/sheets/<str:side>/", opened.sheets, name="opened_sheets"),
    path("c/<slug:slug>/public/stops/<int:no>/sheets/<str:side>/", opened.public_sheets, name="public_opened_sheets"),
    path("c/<slug:slug>/locked/<int:no>.<int:rev>/", versions.locked, name="locked"),
]
