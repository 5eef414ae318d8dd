from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0020_guide"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="forum",
            field=models.CharField(default="phpbb", max_length=20),
        ),
    ]
