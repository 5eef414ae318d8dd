"""What only the game master's code reads moves to tables of its own.

The database copies it there and back by itself, so that no campaign is too large for the memory.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import django.db.models.deletion
from django.db import migrations, models


@dataclass(frozen=True)
class _Move:
    """Columns that move from a table to another, with which rows have one there."""

    old: str
    new: str
    key: str
    columns: tuple[str, ...]
    rows: str = "1 = 1"


_MOVES = (
    _Move("campaign_campaign", "campaign_campaignscenario", "campaign_id", ("scenario_files",)),
    _Move("campaign_campaign", "campaign_campaigndice", "campaign_id", ("sealed_dice",)),
    _Move("campaign_membership", "campaign_joiningwords", "membership_id", ("words",), "words <> ''"),
    _Move("campaign_phase", "campaign_phasestart", "phase_id", ("state_before",)),
    _Move(
        "campaign_phase",
        "campaign_phaseproof",
        "phase_id",
        ("sheets_digest", "contributions", "mix", "result_digest"),
        "lock_no IS NOT NULL",
    ),
    _Move("campaign_battle", "campaign_battleresult", "battle_id", ("report",), "report <> ''"),
    _Move("campaign_resolution", "campaign_outcome", "resolution_id", ("state_after", "events", "digest")),
)
_EMPTY: Mapping[str, str] = {
    "words": "''",
    "report": "''",
    "sheets_digest": "''",
    "mix": "''",
    "result_digest": "''",
    "contributions": "'{}'",
}
"""What the columns said of which there is no row in the new table."""


def move(_apps: Any, schema_editor: Any) -> None:
    for each in _MOVES:
        columns = ", ".join(each.columns)
        schema_editor.execute(
            f"INSERT INTO {each.new} ({each.key}, {columns}) SELECT id, {columns} FROM {each.old} WHERE {each.rows}"  # noqa: S608 # our own names
        )


def move_back(_apps: Any, schema_editor: Any) -> None:
    """One statement for each table: PostgreSQL lets no table be altered whose rows were written twice before."""
    for table in dict.fromkeys(each.old for each in _MOVES):
        moves = [each for each in _MOVES if each.old == table]
        values = ", ".join(f"{column} = {_value(each, column)}" for each in moves for column in each.columns)
        schema_editor.execute(f"UPDATE {table} SET {values}")  # noqa: S608 # our own names


def _value(each: _Move, column: str) -> str:
    kept = f"SELECT {column} FROM {each.new} WHERE {each.key} = {each.old}.id"  # noqa: S608 # our own names
    return f"COALESCE(({kept}), {_EMPTY[column]})" if column in _EMPTY else f"({kept})"


def _table(name: str, parent: str, key: str, columns: Mapping[str, Any], **more: Any) -> Any:
    related, options = more["related_name"], {each: more[each] for each in more if each != "related_name"}
    one = models.OneToOneField(
        on_delete=django.db.models.deletion.CASCADE,
        primary_key=True,
        related_name=related,
        serialize=False,
        to=f"campaign.{parent}",
    )
    return migrations.CreateModel(name=name, fields=[(key, one), *columns.items()], options=options)


_GOING = (
    ("campaign", "scenario_files"),
    ("campaign", "sealed_dice"),
    ("membership", "words"),
    ("phase", "state_before"),
    ("phase", "sheets_digest"),
    ("phase", "contributions"),
    ("phase", "mix"),
    ("phase", "result_digest"),
    ("battle", "report"),
    ("resolution", "state_after"),
    ("resolution", "events"),
    ("resolution", "digest"),
)
_EMPTIED: Mapping[tuple[str, str], Any] = {
    ("campaign", "scenario_files"): models.JSONField(null=True),
    ("campaign", "sealed_dice"): models.BinaryField(null=True),
    ("phase", "state_before"): models.BinaryField(null=True),
    ("resolution", "state_after"): models.BinaryField(null=True),
    ("resolution", "events"): models.BinaryField(null=True),
    ("resolution", "digest"): models.CharField(max_length=64, null=True),
}
"""The columns that go and have no default: on the way back they are empty until they are filled."""


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0009_moments"),
    ]

    operations = [
        _table(
            "CampaignScenario", "campaign", "campaign", {"scenario_files": models.JSONField()}, related_name="scenario"
        ),
        _table(
            "CampaignDice",
            "campaign",
            "campaign",
            {"sealed_dice": models.BinaryField()},
            related_name="dice",
            verbose_name_plural="campaign dice",
        ),
        _table(
            "JoiningWords",
            "membership",
            "membership",
            {"words": models.CharField(blank=True, max_length=200)},
            related_name="joining",
            verbose_name_plural="joining words",
        ),
        _table("PhaseStart", "phase", "phase", {"state_before": models.BinaryField()}, related_name="start"),
        _table(
            "PhaseProof",
            "phase",
            "phase",
            {
                "sheets_digest": models.CharField(blank=True, max_length=64),
                "contributions": models.JSONField(default=dict),
                "mix": models.CharField(blank=True, max_length=64),
                "result_digest": models.CharField(blank=True, max_length=64),
            },
            related_name="proof",
        ),
        _table(
            "BattleResult",
            "battle",
            "battle",
            {"report": models.TextField()},
            related_name="result",
            constraints=[
                models.CheckConstraint(condition=models.Q(("report", ""), _negated=True), name="results_say_something")
            ],
        ),
        _table(
            "Outcome",
            "resolution",
            "resolution",
            {
                "state_after": models.BinaryField(),
                "events": models.BinaryField(),
                "digest": models.CharField(max_length=64),
            },
            related_name="outcome",
        ),
        migrations.RemoveConstraint(model_name="battle", name="beyond_open_a_report"),
        *(migrations.AlterField(model_name=model, name=name, field=field) for (model, name), field in _EMPTIED.items()),
        migrations.RunPython(move, move_back),
        *(migrations.RemoveField(model_name=model, name=name) for model, name in _GOING),
    ]
