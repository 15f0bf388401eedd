from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0003_seating_method'),
    ]

    operations = [
        migrations.AlterField(
            model_name='event',
            name='final_seats',
            field=models.CharField(choices=[('lot', 'by lot'), ('rank', 'by rank'), ('choice', 'by choice, in order of rank')], default='lot', max_length=8, verbose_name='seats of the final'),
        ),
    ]
