from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0007_who_deals'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='changed_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
