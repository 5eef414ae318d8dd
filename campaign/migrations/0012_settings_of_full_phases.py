"""What became rows of settings is no column of campaigns any more. Apart, as PostgreSQL changes no table while rows that
point to it wait to be checked."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0011_phase_settings"),
    ]

    operations = [
        migrations.RemoveField(model_name="campaign", name="reviewed"),
        migrations.RemoveField(model_name="campaign", name="stop_hours"),
    ]
