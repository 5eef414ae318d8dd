from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0030_invited_by_account"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="from_position",
            field=models.BooleanField(default=False),
        ),
    ]
