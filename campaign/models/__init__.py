"""Rows of a campaign: people, phases, publications, outgoing mail. Rows store; services act.

All work on SQLite and on PostgreSQL.
"""

from campaign.models.battles import Battle, BattleAct, BattleReport, BattleResult, BattleState, Statement
from campaign.models.campaigns import (
    Campaign,
    CampaignDice,
    CampaignScenario,
    Closing,
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
from campaign.models.phases import DeadlineKind, Outcome, Phase, PhaseProof, PhaseStart, PhaseState, Resolution
from campaign.models.publications import Artefact, Fetch, Link, Preface
from campaign.models.rulings import DiceLine, ManualRoll, Ruling, VoidedRoll
from campaign.models.users import User

__all__ = [
    "Absence",
    "Artefact",
    "AuditEntry",
    "Battle",
    "BattleAct",
    "BattleReport",
    "BattleResult",
    "BattleState",
    "Bot",
    "CalendarFeed",
    "Campaign",
    "CampaignDice",
    "CampaignScenario",
    "Closing",
    "DeadlineKind",
    "Desk",
    "DiceLine",
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
