"""The columns that the record vouched for when each table first came out, by table."""

from collections.abc import Mapping

FIRST: Mapping[str, str] = {
    "campaign.absence": "audience booked_at deputy_id ends_at member_id starts_at why",
    "campaign.artefact": "audience kind phase_id sha256",
    "campaign.battle": """
        accepts_at attacker attacking_player_id defender defending_player_id key phase_id report reported_at
        reported_by settled_at state
    """,
    "campaign.battlefile": "at author_id battle_id link note side",
    "campaign.battlemap": "at author_id campaign_id link name notes place side withdrawn_at",
    "campaign.battlereport": "act at author_id battle_id idem_key side text",
    "campaign.bot": "campaign_id name side since",
    "campaign.campaign": """
        absent_hours anchors battle_hours created_at open_links public quiet_from quiet_to reminder_hours
        reviewed ruleset scenario_digest scenario_files sealed_dice slug stop_hours time_zone title weekdays
    """,
    "campaign.closing": "at author_id campaign_id",
    "campaign.consent": "at author_id campaign_id side what",
    "campaign.desk": "campaign_id formations holder_id name side",
    "campaign.diceline": "audience campaign_id digest label line lock_no no phase_id",
    "campaign.drawoffer": "after_id at author_id side withdrawn_at",
    "campaign.invitation": """
        campaign_id created_at created_by_id expires_at meant_for revoked_at role side token_digest used_at
        used_by_id
    """,
    "campaign.link": "artefact_id made_at made_by_id revoked_at token",
    "campaign.manualroll": "announced_at audience author_id campaign_id count number phase_id purpose sides",
    "campaign.membership": "campaign_id joined_at knows left_at role side user_id words",
    "campaign.outboxmessage": "audience campaign_id created_at digest key kind message_id phase_id subject user_id",
    "campaign.phase": """
        acts campaign_id contributions day deadline_at deadline_kind deadline_rev drafted_at fence held
        held_at held_until key lock_no locked_at mix no opens_at published_at remaining result_digest rev
        sheets_digest state state_before state_version
    """,
    "campaign.phasesettings": "campaign_id hours mailing pictures reviewed weight",
    "campaign.playingtime": """
        accepted_at accepted_by_id author_id battle_id begins_at ended_at ended_by proposed_at side
    """,
    "campaign.preface": "audience phase_id text",
    "campaign.resolution": "digest events fence phase_id state_after state_version",
    "campaign.ruling": "at author_id fact phase_id reason seq taken_back_at written",
    "campaign.statement": "at author_id battle_id link side text",
    "campaign.voidedroll": "at audience author_id label phase_id reason",
    "campaign.user": "date_joined email first_name is_active is_staff is_superuser last_name password username",
    "gm.answer": "at audiences author_id key phase_id question text",
    "gm.approval": "author_id cancelled_at fence given_at phase_id publishes_at",
    "gm.triedruling": "at author_id dice digest phase_id seq stage written",
    "orders.lockedsheet": "desk digest formations phase_id sheet_id side",
    "orders.lockedwords": "digest name nonce phase_id side words",
    "orders.sheet": "author_id channel desk digest idem_key nonce phase_id ready received_at side text version",
    "posting.destination": "acts_as address audience campaign_id created_at created_by_id kind no thread withdrawn_at",
    "posting.threadpost": """
        created_at destination_id digest mark part parts phase_id picture_id text withdrawn_at
    """,
    "stories.mappicture": "at author_id campaign_id place side stored_picture token",
    "stories.story": "author_id battle_id readers side stored_pictures text token told_at version written_at",
    "stories.telling": "audience story_id",
    "questions.question": "asked_at author_id campaign_id line no rule side text",
    "questions.ruleanswer": "asked at audience author_id campaign_id no over_at question_id reach rule text version",
}
