import django.db.models.deletion
from django.db import migrations, models

STATES = {"received": "Received", "lost": "Lost", "late": "Late", "nothing": "Nothing", "failed": "Failed"}


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0034_return_paths"),
        ("incoming", "0003_answered_polls"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReturnedMail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("stored", models.BinaryField()),
                ("received_at", models.DateTimeField()),
                ("state", models.CharField(choices=list(STATES.items()), default="received", max_length=20)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                (
                    "about",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.outboxmessage"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(models.F("state"), models.F("received_at"), name="returned_mail_due"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(state__in=list(STATES)), name="state_of_returned_mail_known"
                    )
                ],
            },
        ),
    ]
