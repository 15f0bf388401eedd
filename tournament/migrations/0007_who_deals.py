from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0006_pair_apart'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='deals',
            field=models.BooleanField(default=True, verbose_name='does not mind dealing'),
        ),
    ]
