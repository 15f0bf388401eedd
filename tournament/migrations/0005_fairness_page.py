from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0004_final_seats_by_choice'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='fairness_public',
            field=models.BooleanField(default=True, verbose_name='everybody may see how fair the seating is'),
        ),
    ]
