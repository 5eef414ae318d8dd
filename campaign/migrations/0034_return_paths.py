from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0033_confirms_mail"),
    ]

    operations = [
        migrations.AddField(
            model_name="outboxmessage", name="bounce_status", field=models.CharField(blank=True, max_length=12)
        ),
        migrations.AddField(
            model_name="outboxmessage", name="bounced_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="outboxmessage", name="delayed_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="outboxmessage",
            name="return_digest",
            field=models.CharField(blank=True, max_length=64, null=True, unique=True),
        ),
        migrations.AddField(
            model_name="outboxmessage", name="return_token", field=models.CharField(blank=True, max_length=32)
        ),
    ]
