"""A phase says when it is in the game in words; a date it has only where the game has one."""

from typing import Any

from django.db import migrations, models

from campaign.engine.values.moments import day_moment


def name_moments(apps: Any, _schema_editor: Any) -> None:
    phases = apps.get_model("campaign", "Phase").objects
    for day in phases.order_by().values_list("day", flat=True).distinct():
        phases.filter(day=day).update(moment=day_moment(day).label)


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0008_event_versions"),
    ]

    operations = [
        migrations.AddField(
            model_name="phase",
            name="moment",
            field=models.CharField(default="", max_length=100),
            preserve_default=False,
        ),
        migrations.RunPython(name_moments, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="phase",
            name="day",
            field=models.DateField(blank=True, null=True),
        ),
    ]
