"""Every address of the site, allauth's pages included, with something in place of what varies."""

import re
from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from tests.web.conftest import Cast

FILLED = {
    "no": "0",
    "rev": "0",
    "nth": "1",
    "mail": "00ff",
    "mark": "0" * 16,
    "pk": "1",
    "desk": "HQ",
    "side": "german",
    "audience": "german",
    "name": "map.png",
    "log": "both",
    "ruleset": "forum_campaign",
    "scenario": "st-vith-1944",
    "motion": "webp",
    "key": "K16",
    "token": "0" * 32,
    "uidb36": "1",
    "code": "x",
}


def every_address(cast: Cast) -> dict[str, str]:
    """Addresses by their patterns. Fails for a pattern with a part that nobody has thought of."""
    filled = FILLED | {"slug": cast.campaign.slug}
    return {pattern: _filled(pattern, filled) for pattern in _patterns(get_resolver(), "/")}


def _patterns(resolver: URLResolver, before: str) -> Iterator[str]:
    for each in resolver.url_patterns:
        here = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _patterns(each, here)
        elif isinstance(each, URLPattern):
            yield here


def _filled(pattern: str, filled: dict[str, str]) -> str:
    path = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)", lambda part: filled[part[1]], pattern)
    path = re.sub(r"<(?:\w+:)?(\w+)>", lambda part: filled[part[1]], path)
    path = path.replace("[.]", ".").replace("^", "").removesuffix("$")
    assert re.fullmatch(r"/[\w./-]*", path), f"{pattern}: fill in its parts"
    return path
