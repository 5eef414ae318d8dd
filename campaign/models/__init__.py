"""Rows of a campaign: people, phases, publications, outgoing mail. Rows store; services act.

All work on SQLite and on PostgreSQL.
"""

from campaign.models.battles import (
    Battle,
    BattleAct,
    BattleFile,
    BattleMap,
    BattleReport,
    BattleResult,
    BattleState,
    PlayingTime,
    Statement,
)
from campaign.models.campaigns import (
    Agreed,
    Campaign,
    CampaignDice,
    CampaignScenario,
    Closing,
    Consent,
    Ending,
    Mailing,
    PhaseSettings,
    ScenarioPicture,
)
from campaign.models.machinery import AuditEntry, Heartbeat, Tries
from campaign.models.mails import Gathering, MailNews, OutboxMessage, OutboxState
from campaign.models.members import (
    Absence,
    Bot,
    CalendarFeed,
    Desk,
    Invitation,
    JoiningWords,
    Membership,
    Role,
    SubstituteOffer,
)
from campaign.models.phases import (
    DeadlineKind,
    DrawOffer,
    Outcome,
    Phase,
    PhaseProof,
    PhaseStart,
    PhaseState,
    Resolution,
)
from campaign.models.publications import Artefact, Fetch, Link, Preface
from campaign.models.rulings import DiceLine, ManualRoll, Ruling, VoidedRoll
from campaign.models.users import User

__all__ = [
    "Absence",
    "Agreed",
    "Artefact",
    "AuditEntry",
    "Battle",
    "BattleAct",
    "BattleFile",
    "BattleMap",
    "BattleReport",
    "BattleResult",
    "BattleState",
    "Bot",
    "CalendarFeed",
    "Campaign",
    "CampaignDice",
    "CampaignScenario",
    "Closing",
    "Consent",
    "DeadlineKind",
    "Desk",
    "DiceLine",
    "DrawOffer",
    "Ending",
    "Fetch",
    "Gathering",
    "Heartbeat",
    "Invitation",
    "JoiningWords",
    "Link",
    "MailNews",
    "Mailing",
    "ManualRoll",
    "Membership",
    "OutboxMessage",
    "OutboxState",
    "Outcome",
    "Phase",
    "PhaseProof",
    "PhaseSettings",
    "PhaseStart",
    "PhaseState",
    "PlayingTime",
    "Preface",
    "Resolution",
    "Role",
    "Ruling",
    "ScenarioPicture",
    "Statement",
    "SubstituteOffer",
    "Tries",
    "User",
    "VoidedRoll",
]
