from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0005_closing"),
    ]

    operations = [
        migrations.CreateModel(
            name="ScenarioPicture",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("content", models.BinaryField()),
            ],
            options={
                "abstract": False,
            },
        ),
    ]
