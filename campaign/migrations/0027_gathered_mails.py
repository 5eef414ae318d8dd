import zlib
from base64 import encodebytes
from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def keep_choices(apps: Any, _editor: Any) -> None:
    """Who wanted no reports gets none; all others get what is usual from now on."""
    muted = apps.get_model("campaign", "Membership").objects.filter(mutes_reports=True)
    muted.update(mail_choices={"reports": "never"})


def restore_choices(apps: Any, _editor: Any) -> None:
    """Of all choices the older release knows this one."""
    membership = apps.get_model("campaign", "Membership")
    muted = [member.pk for member in membership.objects.all() if member.mail_choices.get("reports") == "never"]
    membership.objects.filter(pk__in=muted).update(mutes_reports=True)


def nothing(_apps: Any, _editor: Any) -> None:
    """Mails that wait are stored whole, and go out as they are."""


def store_whole(apps: Any, _editor: Any) -> None:
    """Put each mail together with its picture again, as the older release stores it."""
    outbox = apps.get_model("campaign", "OutboxMessage").objects
    for row in outbox.filter(packed=True).select_related("picture").iterator(chunk_size=20):
        written = zlib.decompress(row.stored) if row.stored else b""
        if written and row.picture is not None:
            at = len(written) - row.picture_at
            drawn = encodebytes(bytes(row.picture.content)).rstrip().replace(b"\n", b"\r\n")
            written = written[:at] + drawn + written[at:]
        outbox.filter(pk=row.pk).update(stored=written, packed=False)


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0026_time_to_think"),
    ]

    operations = [
        migrations.AddField(
            model_name="membership",
            name="mail_choices",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="membership",
            name="mails_quiet_from",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="membership",
            name="mails_quiet_to",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(keep_choices, restore_choices),
        migrations.RemoveField(model_name="membership", name="mutes_reports"),
        migrations.RenameField(model_name="outboxmessage", old_name="message", new_name="stored"),
        migrations.AddField(
            model_name="outboxmessage",
            name="packed",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="outboxmessage",
            name="picture",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="+",
                to="campaign.artefact",
            ),
        ),
        migrations.AddField(
            model_name="outboxmessage",
            name="picture_at",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(nothing, store_whole),
        migrations.CreateModel(
            name="MailNews",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200, unique=True)),
                ("audience", models.CharField(max_length=50)),
                ("kind", models.CharField(max_length=20)),
                ("battle", models.CharField(blank=True, max_length=50)),
                ("text", models.TextField(blank=True)),
                ("page", models.CharField(blank=True, max_length=500)),
                ("into", models.CharField(choices=[("battles", "Battles"), ("digest", "Digest")], max_length=10)),
                ("created_at", models.DateTimeField()),
                ("leaves_at", models.DateTimeField()),
                ("gathered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "mail",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="campaign.outboxmessage",
                    ),
                ),
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
            ],
            options={
                "verbose_name_plural": "news",
                "indexes": [models.Index(models.F("gathered_at"), models.F("leaves_at"), name="news_due")],
            },
        ),
    ]
