"""The WSGI application that Granian serves: Django, the lane and the gate in front of it."""

import gc
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

# Each query gives the interpreter up and has to get it back. By default a page that computes lets
# others in after 5 ms only: a deal's thirty queries would wait until a long page is done.
sys.setswitchinterval(0.0005)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
site = get_wsgi_application()

# After Django is set up.
from django.conf import settings  # noqa: E402
from django.urls import get_resolver  # noqa: E402

from config.gate import Gate  # noqa: E402
from config.outlet import Outlet  # noqa: E402
from tournament import upkeep  # noqa: E402
from tournament.backups import second_copy  # noqa: E402
from tournament.web.live.lane import Lane  # noqa: E402

if not settings.ALLOWED_HOSTS:
    raise ImproperlyConfigured("LODESTAR_SITE_URL must be set: each request would be refused.")

# What is loaded by now, all views with it, stays to the end. Looking for garbage in it took a third
# of the time of a page that makes thousands of objects.
get_resolver().url_patterns  # noqa: B018 - it loads them
gc.collect()
gc.freeze()

application = Gate(Outlet(Lane(site, seconds=settings.LIVE_SECONDS)))
upkeep.start()
if settings.COPY_DIR:
    second_copy.start(settings.COPY_DIR)
