"""Posts: each part fits its forum, closes what it opens, and all of them together leave nothing out."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from campaign.engine.values.value import replace
from campaign.reports import (
    FORUMS,
    Block,
    Document,
    Forum,
    Heading,
    Headlines,
    Item,
    Items,
    Paragraph,
    Picture,
    Spoiler,
    Table,
    parts,
    report,
    with_pictures,
)
from campaign.reports.forums import length
from campaign.reports.writing import WORD_JOINER
from tests.reports.examples import GERMAN
from tests.reports.test_hostile_text import DOCUMENTS, harmless, letters

BBCODE = [FORUMS[name] for name in ("phpbb", "xenforo", "smf")]
MARKDOWN = [FORUMS[name] for name in ("discourse", "discord", "markdown")]
FORUM = pytest.mark.parametrize("forum", FORUMS.values(), ids=list(FORUMS))
FEW = settings(max_examples=40, deadline=None)


def small(forum: Forum, limit: int = 2000) -> Forum:
    """The same kind of forum with short posts."""
    return replace(forum, limit=limit)


def document(*blocks: Block) -> Document:
    return Document(title="T", audience="A", blocks=blocks)


# --- a strict reader of BBCode -------------------------------------------------------------------------------------

TAG = re.compile(r"\[(/?)(\*|[A-Za-z]+)(=[^\]]*)?\]", re.ASCII)
WITHIN = {"li": "list", "*": "list", "tr": "table", "td": "tr", "th": "tr"}
KNOWN = {
    "phpbb": {"b", "size", "list", "*", "code", "img"},
    "xenforo": {"b", "heading", "list", "*", "table", "tr", "th", "td", "spoiler", "img"},
    "smf": {"b", "size", "list", "li", "table", "tr", "td", "img"},
}


def tags(text: str, forum: Forum) -> list[str]:
    """The tags of a post in order; fails for a foreign tag, and where one is closed that is not open."""
    found: list[str] = []
    open_: list[str] = []
    for close, name, _ in TAG.findall(text):
        if open_ and open_[-1] == "code" and (close, name) != ("/", "code"):
            raise AssertionError(f"[{name}] in a box")
        assert name in KNOWN[forum.key], name
        found.append(close + name)
        if close:
            assert open_.pop() == name
        else:
            assert WITHIN.get(name) in (None, *open_[-1:]), (name, open_)
            open_ += [] if name == "*" else [name]
    assert open_ == []
    return found


@pytest.mark.parametrize("forum", BBCODE, ids=lambda forum: forum.key)
@FEW
@given(written=DOCUMENTS)
def test_each_part_closes_the_tags_that_it_opens_and_no_others(forum: Forum, written: Document) -> None:
    for part in parts(written, small(forum, 3000)):
        found = tags(part, forum)
        opened = sorted(tag for tag in found if tag != "*" and not tag.startswith("/"))
        assert opened == sorted(tag.removeprefix("/") for tag in found if tag.startswith("/"))


@pytest.mark.parametrize("forum", BBCODE, ids=lambda forum: forum.key)
@FEW
@given(written=DOCUMENTS)
def test_hostile_words_make_no_tags(forum: Forum, written: Document) -> None:
    assert tags(forum.write(written), forum) == tags(forum.write(harmless(written)), forum)


@pytest.mark.parametrize("broken", ["[b]", "[/b]", "[b][list][/b][/list]", "[url]x[/url]", "[list][b][*][/b][/list]"])
def test_the_reader_of_bbcode_is_strict(broken: str) -> None:
    with pytest.raises((AssertionError, IndexError)):
        tags(broken, FORUMS["phpbb"])


# --- a reader of Markdown that others wrote --------------------------------------------------------------------------

READER = MarkdownIt("commonmark", {"html": True}).enable("table")
FOLD = re.compile(r'^\[details="([^"\[\]]*)"\]$', re.MULTILINE)
PLAIN = {"text", "softbreak"}
OURS = {
    *("heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline", "fence", "html_block"),
    *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"),
    *("table_open", "table_close", "thead_open", "thead_close", "tbody_open", "tbody_close"),
    *("tr_open", "tr_close", "th_open", "th_close", "td_open", "td_close"),
    *("text", "strong_open", "strong_close", "softbreak"),
}


def tokens(text: str) -> Iterator[Token]:
    for token in READER.parse(text):
        yield token
        yield from token.children or ()


def shape(text: str) -> list[str]:
    """What a post consists of, without its words; neighbouring words are one."""
    kinds = [token.type for token in tokens(text) if token.type not in PLAIN]
    return [kind for kind in kinds if kind != "inline"]


@pytest.mark.parametrize("forum", MARKDOWN, ids=lambda forum: forum.key)
@FEW
@given(written=DOCUMENTS)
def test_hostile_words_mean_nothing_in_markdown(forum: Forum, written: Document) -> None:
    text, twin = forum.write(written), forum.write(harmless(written))
    assert set(shape(FOLD.sub("", text))) <= OURS
    assert shape(FOLD.sub("", text)) == shape(FOLD.sub("", twin))
    assert len(FOLD.findall(text)) == text.count("\n[/details]\n") == len(FOLD.findall(twin))
    assert not re.search(r"@\w", text)


@pytest.mark.parametrize("name", ["discourse", "discord"])
@pytest.mark.parametrize("word", ["#general", ":smile:", ":)", "@here", "???", "(7 of 8)"])
def test_forums_make_nothing_of_words_that_they_would_replace(name: str, word: str) -> None:
    written = FORUMS[name].write(document(Paragraph((word,))))
    assert word not in written
    assert word in written.replace(WORD_JOINER, "").replace("\\", "")


def test_addresses_stay_whole() -> None:
    for forum in FORUMS.values():
        assert "https://example.org/c/x/dice/" in forum.write(document(Paragraph(("https://example.org/c/x/dice/",))))


# --- parts -----------------------------------------------------------------------------------------------------------


@FORUM
@FEW
@given(written=DOCUMENTS, limit=st.integers(2500, 6000))
def test_each_part_fits(forum: Forum, written: Document, limit: int) -> None:
    forum = small(forum, limit)
    found = parts(written, forum)
    assert all(length(part) <= limit for part in found)


@FORUM
def test_a_report_that_fits_is_one_post(forum: Forum) -> None:
    whole = report(GERMAN)
    assert parts(whole, small(forum, 60_000)) == (forum.write(whole),)


@FORUM
def test_a_long_report_is_numbered_and_complete(forum: Forum) -> None:
    found = parts(report(GERMAN), small(forum, 1500))
    assert len(found) > 1
    for no, part in enumerate(found, start=1):
        assert f"(part {no} of {len(found)})" in part
        assert "For: German side" in part
    text = "".join(found)
    for line in GERMAN.log:
        assert letters(line.text)[:20] in letters(re.sub(r"[\\]", "", text))
    for panel in GERMAN.panels:
        assert all(letters(row[0].split()[0])[:6] in letters(re.sub(r"[\\]", "", text)) for row in panel.rows)


@FORUM
def test_tables_and_folds_go_on_under_their_titles(forum: Forum) -> None:
    rows = tuple((f"unit {no}", f"hex {no}") for no in range(80))
    fold = Spoiler("Order of battle", (Table(title="", head=("Unit", "Hex"), rows=rows),))
    found = parts(document(Paragraph(("First.",)), fold), small(forum, 900))
    assert len(found) > 1
    assert "Order of battle" in found[0]
    assert all("Order of battle (continued)" in part for part in found[1:])
    assert all(part.count("Unit") == 1 for part in found)
    assert [f"unit {no}" for no in range(80)] == [name for part in found for name in re.findall(r"unit \d+", part)]


@FORUM
def test_a_heading_is_not_left_behind(forum: Forum) -> None:
    blocks = [block for no in range(30) for block in (Heading(f"Section {no}"), Paragraph(("words " * 12,)))]
    for part in parts(document(*blocks), small(forum, 700)):
        assert not re.search(r"Section \d+\W*$", re.sub(r"\[/\w+\]", "", part).strip())


@FORUM
@pytest.mark.parametrize(
    "block",
    [
        Headlines(("headline " * 500,)),
        Heading("heading " * 500),
        Paragraph(("x" * 9000,)),
        Paragraph(("硫黄島 [b] *a* 🂡 " * 500,)),
        Items((Item(("item " * 500,), ("reason " * 500,)),)),
        Table(title="", head=("Unit", "Note"), rows=(("12 VG", "note " * 900),)),
        Spoiler("Fold", (Paragraph(("words " * 1500,)),)),
    ],
    ids=lambda block: type(block).__name__,
)
def test_only_words_that_would_fill_a_post_are_cut(forum: Forum, block: Block) -> None:
    found = parts(document(block), small(forum, 2000))
    assert len(found) > 1
    assert all(length(part) <= 2000 for part in found)


LONG = st.builds(
    lambda words, times: words * times,
    st.sampled_from(
        ["x", "word ", "🂡", "硫黄島", "[b]", "@all ", "*_`|", ":) ", "# ", "1. ", "&lt;", '"', "???", "\u2028"]
    ),
    st.sampled_from([0, 1, 40, 300, 1100]),
)
"""Words of any length, many of which forums escape."""
FEWER = settings(max_examples=10, deadline=None)


@FORUM
@FEWER
@given(title=LONG, audience=LONG, fold=LONG, headline=LONG, words=LONG)
def test_no_title_and_no_headline_makes_a_post_too_long(
    forum: Forum, title: str, audience: str, fold: str, headline: str, words: str
) -> None:
    folded = Spoiler(fold, (Paragraph((words,)), Table(title=fold, head=("Unit",), rows=((words,),))))
    whole = Document(title=title, audience=audience, blocks=(Headlines((headline,)), Heading(headline), folded))
    assert all(length(part) <= 2000 for part in parts(whole, small(forum)))


@FORUM
def test_a_title_that_fills_a_post_ends_in_an_ellipsis_and_its_words_stay_complete(forum: Forum) -> None:
    whole = Document(title="Title " * 500, audience="German side", blocks=(Paragraph(("Auw is taken.",)),))
    (post,) = parts(whole, small(forum))
    assert re.search(r"Title Ti?t?l?e?…", post)
    assert "German side" in post
    assert "Auw is taken." in post


@FORUM
def test_a_title_that_leaves_room_is_whole_in_every_part(forum: Forum) -> None:
    whole = Document(title="Title " * 50, audience="A", blocks=(Paragraph(("words " * 900,)),))
    for part in parts(whole, small(forum)):
        assert ("Title " * 50).strip() in part


def test_characters_are_counted_as_the_strictest_forum_counts() -> None:
    assert length("ab\n") == 4
    assert length("🂡") == 2


# --- pictures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("phpbb", "[img]https://example.org/m/1.png[/img]"),
        ("xenforo", "[img]https://example.org/m/1.png[/img]"),
        ("smf", "[img]https://example.org/m/1.png[/img]"),
        ("discourse", r"![Map \[x\]](https://example.org/m/1.png)"),
        ("discord", "https://example.org/m/1.png"),
        ("markdown", r"![Map \[x\]](https://example.org/m/1.png)"),
    ],
)
def test_pictures_come_after_the_headlines(name: str, written: str) -> None:
    picture = Picture("https://example.org/m/1.png", "Map [x]")
    whole = with_pictures(document(Headlines(("Auw is taken",)), Paragraph(("Open now",))), [picture])
    text = FORUMS[name].write(whole)
    assert f"\n{written}\n" in text
    assert text.index("Auw is taken") < text.index(written) < text.index("Open now")


def test_pictures_come_first_where_there_is_no_news() -> None:
    picture = Picture("https://example.org/m/1.png", "Map")
    assert with_pictures(document(Paragraph(("Open now",))), [picture]).blocks[0] == picture


# --- what is special to a forum --------------------------------------------------------------------------------------

FOLDED = Spoiler('The "old" [units]', (Paragraph(("none",)),))
TABLE = Table(title="Fuel", head=("Day", "Left"), rows=(("16 [b]", "7"),))


@pytest.mark.parametrize(
    ("name", "block", "written"),
    [
        ("discourse", FOLDED, "[details=\"The 'old' (units)\"]\n\nnone\n\n[/details]"),
        ("discord", FOLDED, '## The "old" \\[units\\]\n\nnone'),
        ("smf", FOLDED, f'[size=14pt][b]The "old" [{WORD_JOINER}units][/b][/size]\n\nnone'),
        ("discord", TABLE, "```\nFuel\n  Day     Left\n  ------  ----\n  16 [b]     7\n```"),
        (
            "smf",
            TABLE,
            (
                "[b]Fuel[/b]\n[table]\n[tr][td][b]Day[/b][/td][td][b]Left[/b][/td][/tr]\n"
                f"[tr][td]16 [{WORD_JOINER}b][/td][td]7[/td][/tr]\n[/table]"
            ),
        ),
        (
            "smf",
            Items((Item(("Snow.",), ("cold",)),)),
            "[list]\n[li]Snow.\n[list]\n[li]cold[/li]\n[/list][/li]\n[/list]",
        ),
    ],
)
def test_each_forum_gets_what_it_can_show(name: str, block: Block, written: str) -> None:
    assert written in FORUMS[name].write(document(block))


def test_a_box_on_discord_cannot_be_closed_from_inside() -> None:
    boxed = FORUMS["discord"].write(document(Table(title="", head=(), rows=(("```", "x"),))))
    assert boxed.count("```") == 2
