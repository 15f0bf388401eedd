import django.db.models.deletion
import tournament.models.base
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0009_paper_of_prints'),
    ]

    operations = [
        migrations.CreateModel(
            name='SheetPhoto',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(default=tournament.models.base.new_token, max_length=32, unique=True)),
                ('width', models.PositiveSmallIntegerField()),
                ('height', models.PositiveSmallIntegerField()),
                ('added_at', models.DateTimeField(auto_now_add=True)),
                ('added_by', models.CharField(max_length=120)),
                ('removed_at', models.DateTimeField(blank=True, null=True)),
                ('removed_by', models.CharField(blank=True, max_length=120)),
                ('removed_reason', models.CharField(blank=True, max_length=200)),
                ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='photos', to='tournament.scoresheet')),
            ],
            options={
                'ordering': ['sheet', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('removed_at__isnull', True), ('removed_reason', '')), models.Q(('removed_at__isnull', False), models.Q(('removed_reason', ''), _negated=True)), _connector='OR'), name='photo_removed_with_a_reason')],
            },
        ),
    ]
