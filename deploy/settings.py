"""Settings, all from environment variables, with defaults that run a fresh checkout on this computer.

FIELDPOST_DATA           folder for everything the app writes; default: var/ in the checkout
FIELDPOST_SECRET_KEY     default: made once and kept in the data folder
FIELDPOST_DEBUG          default: off
FIELDPOST_ALLOWED_HOSTS  names this site answers to, comma separated; default: this computer only
FIELDPOST_HTTPS          default: on as soon as a host name is not this computer's
DATABASE_URL             default: a SQLite file in the data folder
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

    Several processes may start at once: the key is written aside and linked into place, so that the first
    one wins and nobody reads half a key.
    """
    path = folder / "secret_key"
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=folder) as draft:  # created with mode 0600
            draft.write(secrets.token_urlsafe(64))
            draft.flush()
            with suppress(FileExistsError):
                path.hardlink_to(draft.name)
    return path.read_text()


env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("FIELDPOST_DATA", default="") or BASE_DIR / "var").absolute()
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

# Not through env, which takes a leading $ for the name of another variable.
SECRET_KEY = os.environ.get("FIELDPOST_SECRET_KEY") or kept_secret_key(DATA_DIR)
DEBUG = env.bool("FIELDPOST_DEBUG", default=False)
ALLOWED_HOSTS = env.list("FIELDPOST_ALLOWED_HOSTS", default=list(LOCAL_HOSTS))
if DEBUG and not only_local(ALLOWED_HOSTS):
    raise ImproperlyConfigured(
        "FIELDPOST_DEBUG shows secrets on its error pages, and FIELDPOST_ALLOWED_HOSTS names a host that"
        f" others can reach: {', '.join(ALLOWED_HOSTS)}. Turn the one off or shorten the other."
    )

INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "campaign", "orders", "gm"]
AUTH_USER_MODEL = "campaign.User"
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"

# SQLite's own defaults lose writes as soon as two processes write at the same time: a transaction must take
# the write lock when it begins, readers must not block the writer, and a commit must survive a power cut.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}
SQLITE = "django.db.backends.sqlite3"
OWN_FILE = {"ENGINE": SQLITE, "NAME": DATA_DIR / "fieldpost.sqlite3"}
DATABASE: dict[str, Any] = env.db() if env.str("DATABASE_URL", default="") else OWN_FILE
if DATABASE["ENGINE"] == SQLITE:
    DATABASE["OPTIONS"] = SQLITE_OPTIONS | DATABASE.get("OPTIONS", {})
DATABASES = {"default": DATABASE}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TIME_ZONE = "UTC"
USE_TZ = True

HTTPS = env.bool("FIELDPOST_HTTPS", default=not only_local(ALLOWED_HOSTS))
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
CSRF_COOKIE_SECURE = HTTPS
# Sub-domains and browsers' preload lists are for the owner of the domain to decide, not for one site on it.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
