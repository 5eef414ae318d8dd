"""Settings, all from environment variables, with defaults that run a fresh checkout on this computer.

FIELDPOST_DATA           folder for everything the app writes; default: var/ in the checkout
FIELDPOST_SECRET_KEY     default: made once and kept in the data folder
FIELDPOST_OLD_SECRET_KEYS  earlier keys, comma separated, as long as campaigns are kept that were created or played with
                         them: `manage.py verify` needs each for what was recorded of people while it was in use
FIELDPOST_DEBUG          default: off
FIELDPOST_ALLOWED_HOSTS  names this site answers to, comma separated; default: this computer only
FIELDPOST_HTTPS          default: on as soon as a host name is not this computer's
FIELDPOST_TRUSTED_PROXIES  the number of your web servers in front of this one; default: 0. At 0, all visitors through
                         one share an address, and with it the limits on tries to sign in
FIELDPOST_URL            the public address, for links in mails; default: where `serve` last listened
FIELDPOST_MAIL_FROM      the address mails come from; default: fieldpost@localhost
FIELDPOST_MAIL_PER_MINUTE  the most mails in a minute, where a provider counts them; default: 0, no limit
FIELDPOST_MAIL_KEPT_DAYS how many days the texts of sent mails are kept, at least 1; default: 30
FIELDPOST_MAIL_IN        how mail comes in that players send in reply: smtp, to our listener; imap, from a mailbox;
                         webhook, by a provider; default: none is taken
FIELDPOST_MAIL_IN_DOMAIN the domain of reply addresses; needed where mail is taken
FIELDPOST_MAIL_IN_FORM   plus: reply addresses are orders+TOKEN@DOMAIN; catch-all: TOKEN@DOMAIN; default: plus
FIELDPOST_MAIL_IN_NAME   the part before the plus; default: orders
FIELDPOST_MAIL_IN_LISTEN where the listener listens; default: 127.0.0.1:8025
FIELDPOST_MAIL_IN_URL    imap: the mailbox, like imaps://orders%40example.org:PASSWORD@imap.example.org/INBOX; imap+tls://
                         begins unencrypted and then encrypts. Signs like @ : / ? # % are written as %40 and so on
FIELDPOST_MAIL_IN_MOVE_TO  imap: the folder to which mails that were taken are moved; default: they stay, marked as seen
FIELDPOST_MAIL_IN_EVERY  imap: seconds from one look into the mailbox to the next, at least 5; default: 30
FIELDPOST_MAIL_IN_PROVIDER  webhook: mailgun or postmark; untried: mailersend, mailjet, sparkpost
FIELDPOST_MAIL_IN_SECRET webhook: what its calls are checked with. mailgun: the HTTP webhook signing key; mailersend:
                         the inbound secret; all others: NAME:PASSWORD, as in the address that you give the provider
FIELDPOST_MAIL_IN_JUDGE  the id of your mail server in its Authentication-Results; default: none, nothing is read there
FIELDPOST_MAIL_RETURN_PATHS  on: where mail is taken, each mail leaves with a secret address of its own in its envelope,
                         to which other servers report that they could not deliver it; default: off. Read in the
                         README what your domain needs for it
FIELDPOST_MAIL_IN_KEPT_DAYS  how many days mails that came in are kept, at least 1; default: 30
FIELDPOST_POSTING_HOSTS  hosts that posts may go to although they are in a private network or without TLS, comma
                         separated, each with its port unless that is 443: forum.internal:8080; default: none. Game
                         masters type where posts go; other hosts must be public, with https
FIELDPOST_SHEETS_PER_MINUTE  how often one player may submit a sheet, and as often have it checked while they type;
                         default: 120; 0: no limit
FIELDPOST_LEASE_SECONDS  how long a worker may take for a phase before another may claim it; default: 120
FIELDPOST_BROKER_URL     redis://... of a fleet's broker; default: none, `runloop` does the work
DATABASE_URL             default: a SQLite file in the data folder
EMAIL_URL                smtp+tls://user:password@host:587; default: mails become files in the data folder's mail/
"""

import os
import secrets
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")


def only_local(hosts: Iterable[str]) -> bool:
    """Whether every host name can be reached from this computer alone."""
    return all(host in LOCAL_HOSTS or host.endswith(".localhost") for host in hosts)


def kept_secret_key(folder: Path) -> str:
    """The secret key kept in the folder, made on first use and readable by its owner only.

    Several processes may start at once: each writes its key to a temporary file and links it into place, so the
    first one wins and nobody reads half a key.
    """
    path = folder / "secret_key"
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=folder) as draft:  # created with mode 0600
            draft.write(secrets.token_urlsafe(64))
            draft.flush()
            with suppress(FileExistsError):
                path.hardlink_to(draft.name)
    return path.read_text()


def kept_address(folder: Path) -> str:
    """The address where `manage.py serve` last listened, or would by default."""
    path = folder / "address"
    return path.read_text() if path.exists() else "http://localhost:8000"


env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("FIELDPOST_DATA", default="") or BASE_DIR / "var").absolute()
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

# Not by env, which reads a leading $ as the name of another variable.
SECRET_KEY = os.environ.get("FIELDPOST_SECRET_KEY") or kept_secret_key(DATA_DIR)
SECRET_KEY_FALLBACKS = [
    key.strip() for key in os.environ.get("FIELDPOST_OLD_SECRET_KEYS", "").split(",") if key.strip()
]
DEBUG = env.bool("FIELDPOST_DEBUG", default=False)
ALLOWED_HOSTS = env.list("FIELDPOST_ALLOWED_HOSTS", default=list(LOCAL_HOSTS))
if DEBUG and not only_local(ALLOWED_HOSTS):
    raise ImproperlyConfigured(
        "FIELDPOST_DEBUG shows secrets on its error pages, and FIELDPOST_ALLOWED_HOSTS names a host that"
        f" others can reach: {', '.join(ALLOWED_HOSTS)}. Turn the one off or shorten the other."
    )

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "knox",
    "campaign",
    "orders",
    "stories",
    "staff",
    "questions",
    "incoming",
    "posting",
    "archive",
    "gm",
    "api",
]
AUTH_USER_MODEL = "campaign.User"
MIDDLEWARE = [
    "campaign.middleware.guarded_truth",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "campaign.middleware.private_pages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "campaign.middleware.followed_sessions",
    "django.middleware.common.CommonMiddleware",
    "campaign.middleware.sound_text",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "campaign.middleware.clean_logout",
    "campaign.middleware.remembered_browsers",
    "campaign.middleware.renewed_sessions",
    "campaign.middleware.noted_visits",
    "campaign.middleware.reader_time_zone",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.Jinja2"  # the fields of a long form took most of its time
ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"

# SQLite's own defaults lose writes when two processes write at the same time. A transaction must take the write lock
# when it begins, readers must not block the writer, and a commit must survive a power cut.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}
# A server may turn PostgreSQL's own setting off; and a worker that freezes inside a transaction must not block all
# others that need its rows.
POSTGRESQL_OPTIONS = "-c synchronous_commit=on -c idle_in_transaction_session_timeout=20s -c statement_timeout=120s"
POSTGRESQL = "django.db.backends.postgresql"
SQLITE = "django.db.backends.sqlite3"
OWN_FILE = {"ENGINE": SQLITE, "NAME": DATA_DIR / "fieldpost.sqlite3"}
DATABASE: dict[str, Any] = env.db() if env.str("DATABASE_URL", default="") else OWN_FILE
if DATABASE["ENGINE"] == SQLITE:
    DATABASE["OPTIONS"] = SQLITE_OPTIONS | DATABASE.get("OPTIONS", {})
if DATABASE["ENGINE"] == POSTGRESQL:
    given = DATABASE.setdefault("OPTIONS", {})
    given["options"] = f"{POSTGRESQL_OPTIONS} {given.get('options', '')}".strip()
DATABASES = {"default": DATABASE}
# It counts tries to sign in, which must work whatever else is down.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TIME_ZONE = "UTC"
USE_TZ = True
LANGUAGE_CODE = "en-gb"

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# A fresh checkout serves its files from their folders; a site that has collected them serves those.
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_USE_FINDERS = not any(STATIC_ROOT.iterdir())

# --- people: they sign in with a code by mail, or with a one-time link; nobody has a password ---

AUTHENTICATION_BACKENDS = [
    "allauth.account.auth_backends.AuthenticationBackend",
    "sesame.backends.ModelBackend",
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "campaign.people.accounts.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_REQUIRED = False
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*"]
ACCOUNT_FORMS = {"login": "campaign.forms.accounts.LoginForm", "signup": "campaign.forms.accounts.SignupForm"}
ACCOUNT_USERNAME_VALIDATORS = "campaign.people.accounts.FORUM_NAME"
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Fieldpost: "
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True  # our adapter handles these: it sends nothing and takes as long
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
# A visitor's address is the one that the outermost of our own proxies saw; what they claim themselves is ignored.
TRUSTED_PROXIES = ALLAUTH_TRUSTED_PROXY_COUNT = env.int("FIELDPOST_TRUSTED_PROXIES", default=0)
MFA_TOTP_ISSUER = "Fieldpost"
SESAME_ONE_TIME = True
SESAME_MAX_AGE = 24 * 3600
SESSION_COOKIE_AGE = 60 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True  # pages give htmx the token themselves
CSRF_COOKIE_SAMESITE = "Lax"

# --- how much and how often ---

SHEETS_PER_MINUTE = env.int("FIELDPOST_SHEETS_PER_MINUTE", default=120)
# A sheet has at most 65,536 characters, each of which may take a dozen bytes of a form.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
# Mails are larger, and come with any bytes.
READ_BY_THEIR_PAGES = ("/incoming/mime",)
DATA_UPLOAD_MAX_NUMBER_FILES = 1  # the picture of a story or a battle map: no other page accepts files
FILE_UPLOAD_HANDLERS = ["stories.uploads.PictureUploads"]
FILE_UPLOAD_TEMP_DIR = DATA_DIR / "uploads"
FILE_UPLOAD_TEMP_DIR.mkdir(mode=0o700, exist_ok=True)
# How often codes go to one address is counted by `campaign.people.throttles`.
ACCOUNT_RATE_LIMITS = {"request_login_code": "20/m/ip", "signup": "20/m/ip"}

# --- maps ---

MAP_SHEETS = DATA_DIR / "sheets"
ARCHIVES = DATA_DIR / "archives"

# --- pictures of stories and battle maps ---

PICTURES = DATA_DIR / "pictures"

# --- mail ---

SITE_URL = (env.str("FIELDPOST_URL", default="") or kept_address(DATA_DIR)).rstrip("/")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("FIELDPOST_MAIL_FROM", default="fieldpost@localhost")
EMAIL_FILE_PATH = DATA_DIR / "mail"
EMAIL_TIMEOUT = 20
MAIL_PER_MINUTE = env.int("FIELDPOST_MAIL_PER_MINUTE", default=0)
MAIL_KEPT_DAYS = env.int("FIELDPOST_MAIL_KEPT_DAYS", default=30)
if MAIL_KEPT_DAYS < 1:
    raise ImproperlyConfigured(f"FIELDPOST_MAIL_KEPT_DAYS is {MAIL_KEPT_DAYS}: set it to 1 or more.")
# Where it comes in; `manage.py check` says what is missing.
MAIL_IN = env.str("FIELDPOST_MAIL_IN", default="")
MAIL_IN_DOMAIN = env.str("FIELDPOST_MAIL_IN_DOMAIN", default="").lower()
MAIL_IN_FORM = env.str("FIELDPOST_MAIL_IN_FORM", default="plus")
MAIL_IN_NAME = env.str("FIELDPOST_MAIL_IN_NAME", default="orders")
MAIL_IN_LISTEN = env.str("FIELDPOST_MAIL_IN_LISTEN", default="127.0.0.1:8025")
MAIL_IN_URL = os.environ.get("FIELDPOST_MAIL_IN_URL", "")
MAIL_IN_MOVE_TO = env.str("FIELDPOST_MAIL_IN_MOVE_TO", default="")
MAIL_IN_EVERY = env.int("FIELDPOST_MAIL_IN_EVERY", default=30)
MAIL_IN_PROVIDER = env.str("FIELDPOST_MAIL_IN_PROVIDER", default="")
MAIL_IN_SECRET = os.environ.get("FIELDPOST_MAIL_IN_SECRET", "")  # not by env, as above
MAIL_RETURN_PATHS = env.bool("FIELDPOST_MAIL_RETURN_PATHS", default=False)
MAIL_IN_JUDGE = env.str("FIELDPOST_MAIL_IN_JUDGE", default="")
MAIL_IN_KEPT_DAYS = env.int("FIELDPOST_MAIL_IN_KEPT_DAYS", default=30)
if MAIL_IN_KEPT_DAYS < 1:
    raise ImproperlyConfigured(f"FIELDPOST_MAIL_IN_KEPT_DAYS is {MAIL_IN_KEPT_DAYS}: set it to 1 or more.")
if env.str("EMAIL_URL", default=""):
    globals().update(env.email("EMAIL_URL"))
else:
    EMAIL_BACKEND = "campaign.mail.files.EmailBackend"

# --- posts of forums ---

POSTING_HOSTS = env.list("FIELDPOST_POSTING_HOSTS", default=[])

# --- the log ---

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "discreet": {
            "()": "campaign.core.logs.Discreet",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "discreet"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    # Requests of visitors that fail are not our faults.
    # The listener's library logs addresses of recipients, and whatever visitors type.
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django": {"handlers": [], "propagate": True},
        "mail.log": {"level": "ERROR"},
    },
}

# --- the machinery, and a fleet's workers ---

LEASE_SECONDS = env.int("FIELDPOST_LEASE_SECONDS", default=120)
BROKER_URL = env.str("FIELDPOST_BROKER_URL", default="")
# The database is the truth and the broker only wakes workers: a lost or repeated task does no harm. A killed worker's
# task returns after the visibility timeout only with the two `unacked_` settings.
CELERY_BROKER_URL = BROKER_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 300,
    "socket_timeout": 5,
    "socket_connect_timeout": 1,
    "health_check_interval": 30,
    "retry_on_timeout": True,
    "unacked_restore_interval": 1,
    "unacked_restore_throttle": 1,
}
CELERY_RESULT_BACKEND = None
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_TIME_LIMIT = max(LEASE_SECONDS * 11 // 12, 1)
CELERY_TASK_DEFAULT_QUEUE = "phase"
CELERY_TASK_ROUTES = {"gm.send_mail": {"queue": "mail"}}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "gm.sweep", "schedule": 3.0, "options": {"expires": 30}}}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat")

# --- the API ---

KNOX_TOKEN_MODEL = "api.ApiToken"  # noqa: S105 - the name of a table
MIGRATION_MODULES = {"knox": None}  # they make a table of its own tokens, which nothing uses
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.ByToken",
        "api.authentication.BySession",
    ],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
REST_KNOX = {"TOKEN_MODEL": KNOX_TOKEN_MODEL, "AUTH_HEADER_PREFIX": "Bearer"}
SPECTACULAR_SETTINGS = {
    "TITLE": "Fieldpost",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "DESCRIPTION": "Campaigns for programs: all that players read on the pages, order sheets and battles.",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["api.schema.with_types"],
}

# --- what browsers may do with our pages ---

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
        "object-src": ["'none'"],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

HTTPS = env.bool("FIELDPOST_HTTPS", default=not only_local(ALLOWED_HOSTS))
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$"]  # monitors ask this process directly
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = HTTPS
if HTTPS:
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-session", "__Host-csrf"
# Sub-domains and browsers' preload lists are the domain owner's decision, not one site's.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
