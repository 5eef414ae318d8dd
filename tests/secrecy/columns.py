"""Every column of every table: changed by a mutator, or declared here as one on which nothing hidden depends.

A column that is in neither list may be told to somebody without the comparison of worlds ever noticing.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.apps import apps
from django.db import connection, models

EQUAL: tuple[tuple[str, str], ...] = (
    (
        "campaign.Campaign: slug title ruleset public practice time_zone opens_statistics opens_story created_at",
        "what the campaign is: pages and mails print it for everybody",
    ),
    ("campaign.Campaign: from_position", "whether it was played elsewhere before: the rules page says so to everybody"),
    ("campaign.Campaign: anchors", "the first seeds' digests, printed for everybody from the start"),
    (
        "campaign.Campaign: weekdays quiet_from quiet_to reminder_hours battle_hours think_seconds open_links forum",
        "how the GM runs it for everybody: deadlines, reminders, acceptance and links follow it, and pages name it",
    ),
    ("campaign.Campaign: confirms_mail", "the same: whether sheets wait that come by mail, as their authors are told"),
    ("campaign.PhaseSettings: weight hours reviewed mailing pictures", "the same for phases of a weight"),
    (
        "campaign.Phase: no rev key moment day weight occurrences acts opens_at deadline_at deadline_kind",
        "the timetable, with who acts and until when; `knowledge.alike` compares it",
    ),
    ("campaign.Phase: published_at locked_at lock_no", "the timetable too: when it closed and when it was published"),
    (
        "campaign.Phase: held held_at held_until remaining deadline_rev",
        "pauses and extensions by the GM, which everybody is notified of",
    ),
    (
        "campaign.Phase: state_version",
        "the version of the code that made it, the same for every audience; the next is the same",
    ),
    ("campaign.Resolution: state_version event_version", "the same"),
    (
        "campaign.PhaseProof: contributions mix sheets_digest",
        "made of the sheets, which M6 changes before the lock; `two_worlds/test_digests.py` is about what is printed",
    ),
    (
        "campaign.CampaignDice: sealed_dice",
        "encrypted, and everything that has fallen follows from it: M11 changes the others' dice themselves",
    ),
    (
        "campaign.Closing: campaign_id author_id at kind winner reason",
        "once the GM closes a campaign, dice and statistics are open to all",
    ),
    (
        "archive.Archive: campaign_id author_id audience asked_at token holds done total ready_at",
        "a member's own archive: tests/archive/test_jobs.py is about who else learns of it",
    ),
    (
        "archive.Archive: claimed_until failed_at",
        "the same, of the machinery",
    ),
    ("campaign.Invitation: hides_address", "of a rematch, whose GM alone reads the list of invitations"),
    ("campaign.Battle: phase_id key attacker defender", "which battles there are is told to everybody"),
    ("campaign.Membership: role side", "the roster, which all members read"),
    ("campaign.OutboxMessage: picture_at", "where the picture is in one's own mail, as it was written"),
    ("campaign.Membership: away_until", "of a release that had no rows for absences; nothing reads it"),
    ("campaign.Bot: campaign_id side name role since", "the roster too: everybody reads which bot plays a side"),
    ("campaign.Artefact: audience kind", "every audience receives the same kinds of each phase"),
    ("campaign.Desk: side", "the sides are the ruleset's; M17, M22 and M23 change what a side has"),
    ("orders.Sheet: side", "whose row it is; how many rows there are differs"),
    ("orders.LockedSheet: side", "the same"),
    ("campaign.DiceLine: audience lock_no", "each lock adds to every log; how many lines differs"),
    ("campaign.ManualRoll: campaign_id phase_id author_id", "that the GM has intervened in a phase is printed"),
    ("campaign.VoidedRoll: phase_id author_id", "the same"),
    ("gm.TriedRuling: phase_id seq author_id at", "that the GM has tried rulings on a draft is printed"),
    ("campaign.ScenarioPicture: digest content", "the picture under everybody's map"),
    ("campaign.Heartbeat: at", "the health page tells everybody whether a worker is alive"),
    ("campaign.User_groups: user_id group_id", "nobody is given Django's groups or permissions: no rows"),
    ("campaign.User_user_permissions: user_id permission_id", "the same"),
    ("auth.Group: name", "the same"),
    ("auth.Group_permissions: group_id permission_id", "the same"),
    ("auth.Permission: name codename", "made from the code, the same everywhere"),
    ("contenttypes.ContentType: app_label model", "the same"),
)
"""Columns that are equal in both worlds, each with the reason: open to everybody, or nothing hidden is in them."""


def declared() -> list[str]:
    """The columns of that list."""
    parts = (columns.partition(": ") for columns, _ in EQUAL)
    return [f"{model}.{column}" for model, _, names in parts for column in names.split()]


Rows = Mapping[object, tuple[Any, ...]]
Tables = Mapping[str, Rows]


def columns() -> dict[str, list[str]]:
    """The columns of every table, by model."""
    return {
        model._meta.label: [column.attname for column in model._meta.local_concrete_fields]
        for model in apps.get_models(include_auto_created=True)
    }


_RENUMBERED = "auth.Permission.content_type_id"
"""Changed by M12 as all numbers are, but only where there are rows: worlds made under pytest have none."""


def every_column() -> set[str]:
    """The columns of all tables but the rows' numbers, which M12 and M13 change everywhere."""
    named = {
        f"{model._meta.label}.{column.attname}"
        for model in apps.get_models(include_auto_created=True)
        for column in model._meta.local_concrete_fields
        if not isinstance(column, models.AutoField)
    }
    return named - {_RENUMBERED}


def dumped() -> Tables:
    """All rows of the present world by model and key."""
    return {model._meta.label: dict(_rows(model)) for model in apps.get_models(include_auto_created=True)}


def _rows(model: Any) -> Iterator[tuple[object, tuple[Any, ...]]]:
    names = [column.column for column in model._meta.local_concrete_fields]
    key = names.index(model._meta.pk.column)
    with connection.cursor() as cursor:
        listed = ", ".join(f'"{name}"' for name in names)
        cursor.execute(f'SELECT {listed} FROM "{model._meta.db_table}"')  # noqa: S608 # the tables' own names
        yield from ((row[key], row) for row in cursor.fetchall())


def changed(before: Tables, after: Tables) -> set[str]:
    """The columns in which a row has another value, or rows came or went with a value that no other row has."""
    found = set()
    for model, names in columns().items():
        old, new = before[model], after[model]
        both = old.keys() & new.keys()
        for nth, name in enumerate(names):
            if any(old[key][nth] != new[key][nth] for key in both) or _values(old, nth) != _values(new, nth):
                found.add(f"{model}.{name}")
    return found


def _values(rows: Rows, nth: int) -> set[Any]:
    return {row[nth] for row in rows.values()}
