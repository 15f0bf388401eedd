from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0002_job'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='seating',
            field=models.CharField(choices=[('fewest', 'fewest meetings again'), ('lot', 'by lot'), ('standings', 'by standings')], default='fewest', max_length=10, verbose_name='seating method'),
        ),
        migrations.AddField(
            model_name='event',
            name='standings_from',
            field=models.PositiveSmallIntegerField(default=2, verbose_name='by standings from round'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('seating__in', ['fewest', 'lot', 'standings'])), name='event_seating_known'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('standings_from__gte', 2)), name='event_standings_after_a_round'),
        ),
        migrations.AddField(
            model_name='round',
            name='asked',
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
