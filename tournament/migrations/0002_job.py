import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=12)),
                ('key', models.CharField(blank=True, max_length=40)),
                ('asked', models.JSONField(blank=True, default=dict)),
                ('language', models.CharField(blank=True, max_length=12)),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Working'), ('done', 'Done'), ('failed', 'Not done'), ('cancelled', 'Stopped')], default='waiting', max_length=10)),
                ('progress', models.PositiveSmallIntegerField(default=0)),
                ('outcome', models.JSONField(blank=True, default=dict)),
                ('message', models.CharField(blank=True, max_length=500)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('beat_at', models.DateTimeField(blank=True, null=True)),
                ('cancel_asked_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='tournament.event')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ('waiting', 'running'))), fields=('event', 'kind', 'key'), name='job_once_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['waiting', 'running', 'done', 'failed', 'cancelled'])), name='job_status_known'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('progress__range', (0, 100))), name='job_progress_in_percent'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ('waiting', 'running')), ('ended_at__isnull', False), _connector='OR'), name='job_ended_at_a_time'),
        ),
    ]
