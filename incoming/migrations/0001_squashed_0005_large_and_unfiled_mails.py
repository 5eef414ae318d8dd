"""All tables of incoming mail at once, as the migrations up to 0005 leave them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("incoming", "0001_initial"),
        ("incoming", "0002_mailbox"),
        ("incoming", "0003_answered_polls"),
        ("incoming", "0004_returned_mails"),
        ("incoming", "0005_large_and_unfiled_mails"),
    ]

    initial = True

    dependencies = [
        ("campaign", "0001_squashed_0034_return_paths"),
        ("orders", "0001_squashed_0005_time_to_think"),
    ]

    operations = [
        migrations.CreateModel(
            name="Mailbox",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=64, unique=True)),
                ("validity", models.BigIntegerField(blank=True, null=True)),
                ("uid", models.BigIntegerField(default=0)),
                ("retries", models.JSONField(blank=True, default=dict)),
                ("unfiled", models.JSONField(blank=True, default=list)),
                ("unfiled_why", models.CharField(blank=True, max_length=300)),
                ("unfiled_since", models.DateTimeField(blank=True, null=True)),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                ("tried_at", models.DateTimeField(blank=True, null=True)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("why", models.CharField(blank=True, max_length=300)),
            ],
            options={
                "verbose_name_plural": "mailboxes",
            },
        ),
        migrations.CreateModel(
            name="LastPoll",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.phase"
                    ),
                ),
                ("deadline_rev", models.IntegerField()),
                ("asked_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("missed_at", models.DateTimeField(blank=True, null=True)),
                ("told_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ReplyAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.membership"
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.phase"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("role", models.CharField(max_length=20)),
                ("side", models.CharField(blank=True, max_length=50)),
                ("since", models.DateTimeField()),
                ("template", models.TextField(blank=True)),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "reply addresses",
            },
        ),
        migrations.CreateModel(
            name="ReturnedMail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("stored", models.BinaryField()),
                ("received_at", models.DateTimeField()),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                (
                    "about",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.outboxmessage"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("received", "Received"),
                            ("lost", "Lost"),
                            ("late", "Late"),
                            ("nothing", "Nothing"),
                            ("failed", "Failed"),
                        ],
                        default="received",
                        max_length=20,
                    ),
                ),
                ("tries", models.PositiveIntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(models.F("state"), models.F("received_at"), name="returned_mail_due")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["received", "lost", "late", "nothing", "failed"])),
                        name="state_of_returned_mail_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ReceivedMail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("stored", models.BinaryField()),
                ("received_at", models.DateTimeField()),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                (
                    "address",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="mails", to="incoming.replyaddress"
                    ),
                ),
                ("from_nobody", models.BooleanField(default=False)),
                ("too_large", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("received", "Received"),
                            ("submitted", "Submitted"),
                            ("battle", "Battle"),
                            ("asked", "Asked"),
                            ("away", "Away"),
                            ("waits", "Waits"),
                            ("late", "Late"),
                            ("found", "Found"),
                            ("overtaken", "Overtaken"),
                            ("refused", "Refused"),
                            ("unreadable", "Unreadable"),
                            ("automatic", "Automatic"),
                            ("bounce", "Bounce"),
                            ("failed", "Failed"),
                        ],
                        default="received",
                        max_length=20,
                    ),
                ),
                ("why", models.CharField(blank=True, max_length=300)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("handled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answering",
                    models.CharField(
                        choices=[
                            ("none", "None"),
                            ("answered", "Answered"),
                            ("gathered", "Gathered"),
                            ("summarised", "Summarised"),
                        ],
                        default="none",
                        max_length=20,
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="orders.sheet",
                    ),
                ),
                ("told_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(models.F("state"), models.F("received_at"), name="received_mail_due")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                [
                                    "received",
                                    "submitted",
                                    "battle",
                                    "asked",
                                    "away",
                                    "waits",
                                    "late",
                                    "found",
                                    "overtaken",
                                    "refused",
                                    "unreadable",
                                    "automatic",
                                    "bounce",
                                    "failed",
                                ],
                            )
                        ),
                        name="state_of_received_mail_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("answering__in", ["none", "answered", "gathered", "summarised"])),
                        name="answering_of_received_mail_known",
                    ),
                ],
            },
        ),
    ]
