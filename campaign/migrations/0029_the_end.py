import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0028_battle_kit"),
    ]

    operations = [
        migrations.CreateModel(
            name="Consent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("side", models.CharField(max_length=50)),
                ("what", models.CharField(choices=[("notes", "Notes"), ("story", "Story")], max_length=20)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="DrawOffer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("side", models.CharField(max_length=50)),
                ("at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name="campaign",
            name="opens_story",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="closing",
            name="kind",
            field=models.CharField(
                choices=[
                    ("closed", "Closed"),
                    ("victory", "Victory"),
                    ("concession", "Concession"),
                    ("draw", "Draw"),
                    ("abandoned", "Abandoned"),
                ],
                default="closed",
                max_length=20,
            ),
        ),
        migrations.AddField(
            model_name="closing",
            name="reason",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="closing",
            name="winner",
            field=models.CharField(blank=True, max_length=50),
        ),
        migrations.AddConstraint(
            model_name="closing",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["closed", "victory", "concession", "draw", "abandoned"])),
                name="ending_known",
            ),
        ),
        migrations.AddField(
            model_name="consent",
            name="author",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="consent",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="consents", to="campaign.campaign"
            ),
        ),
        migrations.AddField(
            model_name="drawoffer",
            name="after",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="draw_offers", to="campaign.phase"
            ),
        ),
        migrations.AddField(
            model_name="drawoffer",
            name="author",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddConstraint(
            model_name="consent",
            constraint=models.UniqueConstraint(fields=("campaign", "side", "what"), name="one_consent_a_side"),
        ),
        migrations.AddConstraint(
            model_name="consent",
            constraint=models.CheckConstraint(
                condition=models.Q(("what__in", ["notes", "story"])), name="consent_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="drawoffer",
            constraint=models.UniqueConstraint(fields=("after", "side"), name="one_draw_offer_a_phase"),
        ),
    ]
