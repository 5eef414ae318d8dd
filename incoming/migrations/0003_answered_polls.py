from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("incoming", "0002_mailbox")]

    operations = [
        migrations.AddField(
            model_name="lastpoll", name="answered_at", field=models.DateTimeField(blank=True, null=True)
        ),
    ]
