from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0032_consent_to_questions"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="confirms_mail",
            field=models.BooleanField(default=False),
        ),
    ]
