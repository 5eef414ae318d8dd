"""Addresses of the API, version 1, and of the pages about it."""

from django.urls import path

from api.resources import resource
from api.views import acts, battles, campaigns, desks, phases, sheets, tokens
from api.views.gm import battles as gm_battles
from api.views.gm import clock, drafts, links, rulings
from api.views.gm import desks as gm_desks
from api.views.schema import docs, schema

_CAMPAIGN = "api/v1/campaigns/<slug:slug>"
_PHASE = f"{_CAMPAIGN}/phases/<int:no>"
_DESK = f"{_CAMPAIGN}/desks/<str:desk>"
_VERSIONS = f"{_DESK}/sheets/<int:no>.<int:rev>"
_BATTLE = f"{_CAMPAIGN}/battles/<str:key>"
_GM = f"{_CAMPAIGN}/gm"
_DRAFT = f"{_GM}/draft"
_ENTERED = f"{_GM}/desks/<str:side>/<str:desk>"
_RECEIVED = f"{_GM}/received/<int:no>/<str:audience>"

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
    path(f"{_CAMPAIGN}/log/", resource(get=acts.gm_log), name="api_log"),
    path(f"{_GM}/waiting/", resource(get=clock.waiting), name="api_gm_waiting"),
    path(f"{_GM}/phase/", resource(get=clock.gm_phase), name="api_gm_phase"),
    path(f"{_GM}/deadline/", resource(post=clock.move_deadline), name="api_gm_deadline"),
    path(f"{_GM}/closing/", resource(post=clock.close_phase), name="api_gm_closing"),
    path(f"{_GM}/pause/", resource(post=clock.pause), name="api_gm_pause"),
    path(f"{_GM}/resumption/", resource(post=clock.resume), name="api_gm_resumption"),
    path(f"{_GM}/reopening/", resource(post=clock.reopen_phase), name="api_gm_reopening"),
    path(f"{_GM}/retry/", resource(post=clock.retry_phase), name="api_gm_retry"),
    path(f"{_DRAFT}/", resource(get=drafts.draft), name="api_gm_draft"),
    path(f"{_DRAFT}/judgements/", resource(post=drafts.judge), name="api_gm_judgements"),
    path(f"{_DRAFT}/messages/", resource(put=drafts.save_messages), name="api_gm_messages"),
    path(f"{_DRAFT}/publication/", resource(post=drafts.publish), name="api_gm_publication"),
    path(f"{_DRAFT}/publication/cancelled/", resource(post=drafts.cancel_publication), name="api_gm_cancelled"),
    path(f"{_DRAFT}/tries/", resource(post=rulings.try_rulings), name="api_gm_tries"),
    path(f"{_DRAFT}/rulings/", resource(get=rulings.rulings, post=rulings.apply_rulings), name="api_gm_rulings"),
    path(f"{_DRAFT}/rulings/undone/", resource(post=rulings.undo_ruling), name="api_gm_undone"),
    path(f"{_DRAFT}/rolls/", resource(post=rulings.ask_for_roll), name="api_gm_rolls"),
    path(f"{_DRAFT}/rolls/entered/", resource(post=rulings.enter_dice), name="api_gm_entered"),
    path(f"{_DRAFT}/rolls/void/", resource(post=rulings.void_roll), name="api_gm_void"),
    path(f"{_ENTERED}/check/", resource(post=gm_desks.check_entered_sheet), name="api_gm_check"),
    path(f"{_ENTERED}/sheets/", resource(post=gm_desks.enter_sheet), name="api_gm_sheets"),
    path(f"{_GM}/battles/", resource(get=gm_battles.battles_to_decide), name="api_gm_battles"),
    path(f"{_GM}/battles/by-rules/", resource(post=gm_battles.let_rules_decide_battles), name="api_gm_by_rules"),
    path(f"{_GM}/battles/<str:key>/decision/", resource(post=gm_battles.decide_battle), name="api_gm_decision"),
    path(f"{_GM}/links/", resource(get=links.links, post=links.make_link), name="api_gm_links"),
    path(f"{_GM}/links/revoked/", resource(post=links.revoke_link), name="api_gm_revoked_links"),
    path(f"{_GM}/posts/<int:no>/", resource(get=links.forum_posts), name="api_gm_posts"),
    path(f"{_RECEIVED}/", resource(get=links.received_view), name="api_gm_received"),
    path(f"{_RECEIVED}/files/<str:name>", resource(get=links.received_file), name="api_gm_received_file"),
]
