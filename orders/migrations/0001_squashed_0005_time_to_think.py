"""All tables of orders at once, as the migrations up to 0005 leave them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("orders", "0001_initial"),
        ("orders", "0002_locked_words"),
        ("orders", "0003_viewers"),
        ("orders", "0004_bots"),
        ("orders", "0005_time_to_think"),
    ]

    initial = True

    dependencies = [
        ("campaign", "0001_squashed_0034_return_paths"),
        ("campaign", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="Sheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="all_sheets", to="campaign.phase"
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                ("desk", models.CharField(default="HQ", max_length=50)),
                ("version", models.PositiveIntegerField()),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="all_sheets",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "channel",
                    models.CharField(
                        choices=[
                            ("web", "Web"),
                            ("api", "Api"),
                            ("mail", "Mail"),
                            ("gm", "Gm"),
                            ("battles", "Battles"),
                            ("bot", "Bot"),
                        ],
                        max_length=10,
                    ),
                ),
                ("text", models.TextField()),
                ("nonce", models.CharField(max_length=32)),
                ("digest", models.CharField(max_length=64)),
                ("ready", models.BooleanField(default=False)),
                ("ready_at", models.DateTimeField(blank=True, null=True)),
                ("for_side", models.BooleanField(default=False)),
                ("received_at", models.DateTimeField()),
                ("idem_key", models.CharField(max_length=64)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "side", "desk", "version"), name="one_sheet_a_version"),
                    models.UniqueConstraint(fields=("phase", "idem_key"), name="one_sheet_a_submission"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("for_side", False), models.Q(("desk", "HQ"), ("ready", True)), _connector="OR"
                        ),
                        name="ready_for_a_side_by_its_hq",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="all_drafts", to="campaign.phase"
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                ("desk", models.CharField(default="HQ", max_length=50)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="all_drafts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("base_version", models.PositiveIntegerField(default=0)),
                ("saved_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "side", "desk", "author"), name="one_draft_a_writer")
                ],
            },
        ),
        migrations.CreateModel(
            name="LockedWords",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="all_locked_words",
                        to="campaign.phase",
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                ("name", models.CharField(max_length=150)),
                ("words", models.CharField(max_length=200)),
                ("nonce", models.CharField(max_length=32)),
                ("digest", models.CharField(max_length=64)),
            ],
            options={
                "verbose_name_plural": "locked words",
                "constraints": [models.UniqueConstraint(fields=("phase", "name"), name="one_commander_speaks_once")],
            },
        ),
        migrations.CreateModel(
            name="LockedSheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="all_locked_sheets",
                        to="campaign.phase",
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                ("desk", models.CharField(max_length=50)),
                (
                    "sheet",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="orders.sheet"),
                ),
                ("formations", models.JSONField(null=True)),
                ("digest", models.CharField(max_length=64)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "side", "desk"), name="one_locked_sheet_a_desk")
                ],
            },
        ),
    ]
