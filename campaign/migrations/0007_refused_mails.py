from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0006_scenario_picture"),
    ]

    operations = [
        migrations.AddField(
            model_name="outboxmessage",
            name="refused",
            field=models.BooleanField(default=False),
        ),
    ]
