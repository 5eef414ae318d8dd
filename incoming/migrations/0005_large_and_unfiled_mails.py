from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("incoming", "0004_returned_mails")]

    operations = [
        migrations.RenameField(model_name="mailbox", old_name="again", new_name="retries"),
        migrations.AddField(model_name="mailbox", name="unfiled", field=models.JSONField(blank=True, default=list)),
        migrations.AddField(
            model_name="mailbox", name="unfiled_why", field=models.CharField(blank=True, max_length=300)
        ),
        migrations.AddField(
            model_name="mailbox", name="unfiled_since", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(model_name="receivedmail", name="too_large", field=models.BooleanField(default=False)),
    ]
