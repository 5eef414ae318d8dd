"""How a day goes, by an example: the file DAY.md of a ruleset as a page.

It is Markdown. A block of code is named after what it shows: a sheet, the answer to one, or a report. `[R4.7]` in the
text links to that rule on the rules page, and a picture's name is that of a file in static/img/readme.
"""

import re

from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from markdown import markdown

from campaign.game.loading import RULESETS_FOLDER

_RULE = re.compile(r"\[(R\d+(?:\.\d+)*)\](?![^<]*</code>)")
_BLOCK = re.compile(r'<pre><code class="language-(\w+)">(.*?)</code></pre>', re.DOTALL)
_PICTURE = re.compile(r'src="([\w-]+\.png)"')


def example_day(ruleset: str, rules_page: str) -> SafeString:
    """A day by the rules of this ruleset, with links to a rules page; empty if it has no example."""
    path = RULESETS_FOLDER / ruleset / "DAY.md"
    if not path.is_file():
        return SafeString()
    html = markdown(path.read_text(encoding="utf-8"), extensions=["fenced_code"], output_format="html")
    html = _RULE.sub(rf'<a class="rule" href="{rules_page}#\1">\1</a>', html)
    html = _BLOCK.sub(_figure, html)
    return mark_safe(_PICTURE.sub(lambda name: f'src="{static(f"img/readme/{name[1]}")}"', html))  # noqa: S308 - ours


def has_example_day(ruleset: str) -> bool:
    """Whether the ruleset has such a day."""
    return (RULESETS_FOLDER / ruleset / "DAY.md").is_file()


def _figure(block: re.Match[str]) -> str:
    return f'<figure><figcaption>{block[1].capitalize()}</figcaption><pre class="sheet">{block[2]}</pre></figure>'
