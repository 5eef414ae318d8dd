"""How long phases are open, and whether their drafts wait, is a row for each weight; all phases so far are full."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def settings_of_full_phases(apps: Any, _schema_editor: Any) -> None:
    rows = apps.get_model("campaign", "PhaseSettings").objects
    campaigns = apps.get_model("campaign", "Campaign").objects
    for campaign, hours, reviewed in campaigns.values_list("pk", "stop_hours", "reviewed"):
        rows.create(
            campaign_id=campaign, weight="full", hours=hours, reviewed=reviewed, mailing="reports", pictures=True
        )


def settings_of_campaigns(apps: Any, _schema_editor: Any) -> None:
    campaigns = apps.get_model("campaign", "Campaign").objects
    for row in apps.get_model("campaign", "PhaseSettings").objects.filter(weight="full"):
        campaigns.filter(pk=row.campaign_id).update(stop_hours=row.hours, reviewed=row.reviewed)


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0010_secrets"),
    ]

    operations = [
        migrations.CreateModel(
            name="PhaseSettings",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "weight",
                    models.CharField(
                        choices=[("full", "full"), ("impulse", "impulse"), ("reply", "reply")], max_length=10
                    ),
                ),
                ("hours", models.PositiveIntegerField()),
                ("reviewed", models.BooleanField()),
                (
                    "mailing",
                    models.CharField(
                        choices=[("reports", "Reports"), ("questions", "Questions"), ("digest", "Digest")],
                        max_length=10,
                    ),
                ),
                ("pictures", models.BooleanField()),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="phase_settings",
                        to="campaign.campaign",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "weight"), name="one_row_a_weight"),
                    models.CheckConstraint(
                        condition=models.Q(("weight__in", ["full", "impulse", "reply"])), name="phase_weight_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("mailing__in", ["reports", "questions", "digest"])), name="mailing_known"
                    ),
                ],
            },
        ),
        migrations.RunPython(settings_of_full_phases, settings_of_campaigns),
    ]
