"""Phases have weights and numbers; all so far are full, and each came up once in its turn."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0012_settings_of_full_phases"),
    ]

    operations = [
        migrations.AddField(
            model_name="phase",
            name="occurrences",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="phase",
            name="weight",
            field=models.CharField(default="full", max_length=10),
        ),
    ]
