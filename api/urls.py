"""Addresses of the API, version 1, and of the pages about it."""

from django.urls import path

from api.resources import resource
from api.views import battles, campaigns, desks, phases, sheets, tokens
from api.views.schema import docs, schema

_CAMPAIGN = "api/v1/campaigns/<slug:slug>"
_PHASE = f"{_CAMPAIGN}/phases/<int:no>"
_DESK = f"{_CAMPAIGN}/desks/<str:desk>"
_VERSIONS = f"{_DESK}/sheets/<int:no>.<int:rev>"
_BATTLE = f"{_CAMPAIGN}/battles/<str:key>"

urlpatterns = [
    path("profile/tokens/", tokens.tokens, name="tokens"),
    path("api/", docs, name="api_docs"),
    path("api/v1/schema.json", schema, name="api_schema"),
    path("api/v1/campaigns/", resource(get=campaigns.campaigns), name="api_campaigns"),
    path(f"{_CAMPAIGN}/", resource(get=campaigns.campaign), name="api_campaign"),
    path(f"{_CAMPAIGN}/map/", resource(get=campaigns.base_map), name="api_base_map"),
    path(f"{_CAMPAIGN}/map.png", resource(get=campaigns.base_picture), name="api_base_picture"),
    path(f"{_CAMPAIGN}/charts/", resource(get=campaigns.charts), name="api_charts"),
    path(f"{_CAMPAIGN}/rules/", resource(get=campaigns.rules), name="api_rules"),
    path(f"{_CAMPAIGN}/state/", resource(get=phases.state), name="api_state"),
    path(f"{_CAMPAIGN}/dice/", resource(get=phases.dice), name="api_dice"),
    path(f"{_CAMPAIGN}/phases/", resource(get=phases.phases), name="api_phases"),
    path(f"{_CAMPAIGN}/phases/open/", resource(get=phases.phase_now), name="api_open_phase"),
    path(f"{_PHASE}/", resource(get=phases.phase), name="api_phase"),
    path(f"{_PHASE}/view/", resource(get=phases.phase_view), name="api_view"),
    path(f"{_PHASE}/events/", resource(get=phases.phase_events), name="api_events"),
    path(f"{_PHASE}/dice/", resource(get=phases.phase_dice), name="api_phase_dice"),
    path(f"{_PHASE}/files/<str:name>", resource(get=phases.phase_file), name="api_phase_file"),
    path(f"{_CAMPAIGN}/desks/", resource(get=desks.desks), name="api_desks"),
    path(f"{_DESK}/", resource(get=desks.desk), name="api_desk"),
    path(f"{_DESK}/check/", resource(post=sheets.check_sheet), name="api_check"),
    path(f"{_DESK}/choices/", resource(post=sheets.choices), name="api_choices"),
    path(f"{_DESK}/draft/", resource(put=desks.save_draft), name="api_draft"),
    path(f"{_DESK}/sheets/", resource(post=sheets.submit_sheet), name="api_sheets"),
    path(f"{_DESK}/withdrawals/", resource(post=sheets.withdraw_sheet), name="api_withdrawals"),
    path(f"{_VERSIONS}/", resource(get=desks.sheet_versions), name="api_versions"),
    path(f"{_VERSIONS}/<int:nth>/", resource(get=desks.sheet_version), name="api_version"),
    path(f"{_CAMPAIGN}/battles/", resource(get=battles.battles), name="api_battles"),
    path(f"{_BATTLE}/", resource(get=battles.battle), name="api_battle"),
    path(f"{_BATTLE}/check/", resource(post=battles.check_report), name="api_check_report"),
    path(f"{_BATTLE}/reports/", resource(post=battles.report_battle), name="api_reports"),
    path(f"{_BATTLE}/confirmations/", resource(post=battles.confirm_battle), name="api_confirmations"),
    path(f"{_BATTLE}/disputes/", resource(post=battles.dispute_battle), name="api_disputes"),
    path(f"{_BATTLE}/players/", resource(post=battles.name_player), name="api_players"),
]
