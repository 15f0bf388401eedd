"""Settings for tests: fast hasher, no waiting, mail kept in memory."""

import os

os.environ.setdefault("LODESTAR_DEBUG", "0")
os.environ.setdefault("LODESTAR_SECRET_KEY", "only-for-tests-" + "x" * 50)
os.environ.setdefault("LODESTAR_SITE_URL", "http://testserver")
os.environ["LODESTAR_TASKS"] = "immediate"
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")

from config.settings import *  # noqa: F403

ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {  # noqa: F405
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
LIVE_SECONDS = 0
LIVE_REST = 0
DRAW_EFFORT = 0.02  # what is drawn here is small, and a browser waits for it
PRINTS_DIR = DATA_DIR / "test-prints"  # noqa: F405
PHOTOS_DIR = DATA_DIR / "test-photos"  # noqa: F405
ACCOUNT_RATE_LIMITS = False
WHITENOISE_AUTOREFRESH = True
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # A file, not memory: threads of a test meet each other's locks as they would in earnest.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}  # noqa: F405
    # Nothing of a test has to outlive the machine.
    lasting = DATABASES["default"]["OPTIONS"]["init_command"]  # noqa: F405
    DATABASES["default"]["OPTIONS"]["init_command"] = lasting.replace("=FULL", "=OFF")  # noqa: F405
