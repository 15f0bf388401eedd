"""Settings, all from the environment. The table of them is in docs/hosting.md."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from django.contrib.messages.constants import ERROR, INFO, SUCCESS, WARNING
from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _

from config import env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("LODESTAR_DATA_DIR", str(BASE_DIR / "var")))

DEBUG = env.flag("LODESTAR_DEBUG", default=False)
SECRET_KEY = env.secret_key("LODESTAR_SECRET_KEY", DATA_DIR / "secret_key", generate=DEBUG)
SECRET_KEY_FALLBACKS = env.words("LODESTAR_OLD_SECRET_KEYS")
SITE_URL = env.site("LODESTAR_SITE_URL", "http://127.0.0.1:8000" if DEBUG else "")
OWN_HOST = "*" if DEBUG else urlsplit(SITE_URL).hostname or ""
ALLOWED_HOSTS = env.words("LODESTAR_ALLOWED_HOSTS", OWN_HOST)
CSRF_TRUSTED_ORIGINS = env.sites(
    "LODESTAR_TRUSTED_ORIGINS", SITE_URL if SITE_URL.startswith("https://") else ""
)

INSTALLED_APPS = [
    "tournament",
    # `TemplatesSetting` finds the built-in widgets only if this is an app.
    "django.forms",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    # Before staticfiles: its `runserver` takes the place of that one's.
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
]

MIDDLEWARE = [
    "tournament.web.middleware.tell_time",
    "django.middleware.security.SecurityMiddleware",
    # Before all that a static file does not need: sessions, languages, logins.
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    # After authentication, which says who it is.
    "tournament.web.middleware.SignInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournament.web.middleware.vary_by_htmx",
    "tournament.web.middleware.leave_no_traces",
    "tournament.web.middleware.keep_out_of_search",
    "tournament.web.middleware.lead_back_to_the_form",
    "tournament.web.middleware.TooOftenMiddleware",
    "tournament.web.middleware.NoRoomMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "tournament.web.context_processors.theme",
            ],
        },
    },
]
FORM_RENDERER = "tournament.forms.renderer.LodestarRenderer"

DATABASES = {"default": env.database("DATABASE_URL", DATA_DIR / "lodestar.sqlite3")}
COPY_DIR = env.copy_folder("LODESTAR_COPY_DIR", DATABASES["default"])
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = env.caches("LODESTAR_CACHE_URL")

# People
AUTH_USER_MODEL = "tournament.User"
# The only one: each would try, and hash, a wrong password.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "desk"
ACCOUNT_ADAPTER = "tournament.web.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "tournament.forms.account.SignupForm"
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_ADAPTER = "tournament.web.adapter.AccountAdapter"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_USER_DISPLAY = "tournament.models.people.display_name"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if SITE_URL.startswith("https://") else "http"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Browsers give passkeys to https, and to this computer for whoever develops.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEBUG
MFA_TOTP_ISSUER = "Lodestar"
MFA_FORMS = {
    "add_webauthn": "tournament.forms.passkeys.AddPasskeyForm",
    "authenticate_webauthn": "tournament.forms.passkeys.AuthenticatePasskeyForm",
    "login_webauthn": "tournament.forms.passkeys.LoginPasskeyForm",
    "reauthenticate_webauthn": "tournament.forms.passkeys.ReauthenticatePasskeyForm",
}

# Messages: each level is a kind of notice (static/css/lodestar.css)
MESSAGE_TAGS = {INFO: "info", SUCCESS: "ok", WARNING: "warn", ERROR: "refusal"}

# What strangers, and people with an account, may do (tournament/limits.py, policies.py)
HOST = env.text("LODESTAR_HOST")  # who runs the site: told on each event's page about data
SIGN_UP = env.choice("LODESTAR_SIGN_UP", "open", "invitation", "closed")
EVENTS_BY = env.choice("LODESTAR_EVENTS_BY", "everybody", "invited", "host")
MAILS_A_DAY = env.number("LODESTAR_MAILS_A_DAY", 5000, least=0)
NETWORK_FACTOR = env.number("LODESTAR_NETWORK_FACTOR", 1, least=1)
# By network and, for passwords, by account within it: strangers lock nobody out.
ACCOUNT_RATE_LIMITS = {
    "login": f"{100 * NETWORK_FACTOR}/m/ip",
    "login_failed": f"{30 * NETWORK_FACTOR}/5m/ip,5/5m/key",
    "signup": f"{30 * NETWORK_FACTOR}/10m/ip",
    "reset_password": f"{30 * NETWORK_FACTOR}/10m/ip,3/10m/key",
    "reset_password_from_key": f"{30 * NETWORK_FACTOR}/10m/ip",
}

# Mail
MAILERS = {"default": env.mailer("LODESTAR_MAIL_URL")}
DEFAULT_FROM_EMAIL = env.text("LODESTAR_MAIL_FROM", "Lodestar <lodestar@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# Work that no page waits for: mails, and long work
TASKS_ENGINE, TASKS = env.tasks("LODESTAR_TASKS", DATABASES["default"])
if TASKS_ENGINE == "database":
    INSTALLED_APPS.append("django_tasks_db")
JOBS_INLINE = TASKS_ENGINE == "immediate"
# Unless a store keeps them (STORAGES)
PRINTS_DIR = DATA_DIR / "prints"
PHOTOS_DIR = DATA_DIR / "photos"  # of signed sheets: never served but by a view
DRAW_EFFORT = 5.0  # seconds that a draw thinks at most, on an ordinary machine
MOST_JOBS = env.number("LODESTAR_MOST_JOBS", 100, least=1)  # open at once, at work or waiting
JOB_SECONDS = env.number("LODESTAR_JOB_SECONDS", 120, least=1)

# Words and time
LIVE_SECONDS = 1.0  # how old a public page may be
PAGE_SECONDS = 10.0  # how old the hour on it, where nothing has changed
LIVE_REST = (
    4.0  # how much longer than it took to compute, a watched part rests before the next time
)
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "locale" / "third_party"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
USE_TZ = True
TIME_ZONE = env.zone("LODESTAR_TIME_ZONE", "UTC")

# Files
STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("LODESTAR_STATIC_DIR", str(DATA_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    **env.files("LODESTAR_FILES_URL"),
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000

# Safety
SECURE_CSP = {
    "default-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
SECURE_REFERRER_POLICY = "same-origin"
HTTPS = env.flag("LODESTAR_HTTPS", default=SITE_URL.startswith("https://"))
SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = env.number("LODESTAR_HSTS_SECONDS", 31_536_000, least=0) if HTTPS else 0
# For other sites under the same name, and for good: the host says so, or it is not so.
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and env.flag("LODESTAR_HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = HTTPS and env.flag("LODESTAR_HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # which ask for these two
SILENCED_SYSTEM_CHECKS += ["security.W020"]  # lodestar.E001 says which variable it is
if not HTTPS:  # a hall without a certificate; lodestar.W002 tells a public address from it
    SILENCED_SYSTEM_CHECKS += ["security.W004", "security.W008", "security.W012", "security.W016"]
# The container asks itself, without https.
SECURE_REDIRECT_EXEMPT = [r"^health/$"]
# Without a server in front anybody could send these headers, and be whoever they like.
BEHIND_PROXY = env.flag("LODESTAR_BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = env.number("LODESTAR_PROXY_COUNT", 1, least=1)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"links": {"()": "config.logs.HideLinks"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["links"],
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "weasyprint": {"level": "ERROR"},
        "fontTools": {"level": "ERROR"},
        "django.tasks": {"level": "WARNING"},  # else two lines for each mail
    },
}
