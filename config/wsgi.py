"""The WSGI application that Granian serves: Django, and the lane in front of it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
site = get_wsgi_application()

# After Django is set up.
from django.conf import settings  # noqa: E402

from tournament.backups import second_copy  # noqa: E402
from tournament.web.live.lane import Lane  # noqa: E402

application = Lane(site, seconds=settings.LIVE_SECONDS)
if settings.COPY_DIR:
    second_copy.start(settings.COPY_DIR)
