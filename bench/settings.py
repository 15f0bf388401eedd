"""The application's own settings, with one more URL: an empty view to measure against."""

import os

os.environ.setdefault("LODESTAR_DEBUG", "0")
os.environ.setdefault("LODESTAR_SECRET_KEY", "only-for-benchmarks-" + "x" * 50)
os.environ.setdefault("LODESTAR_SITE_URL", "http://testserver")

from config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.urls"
ALLOWED_HOSTS = ["*"]
STORAGES["staticfiles"] = {  # noqa: F405
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
WHITENOISE_AUTOREFRESH = False
