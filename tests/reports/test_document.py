from collections.abc import Sequence

import msgspec
import pytest

from campaign.engine.display.views import LogLine, Panel, View
from campaign.engine.values.value import decode, encode, replace
from campaign.reports import (
    Document,
    Heading,
    Headlines,
    Item,
    Items,
    Paragraph,
    Rule,
    Spoiler,
    Table,
    chart,
    report,
    tables,
    tables_left_out,
    to_html,
)
from tests.reports.examples import ENDED, GERMAN


def panel(*rows: tuple[str, ...], head: tuple[str, ...] = ("Side", "Points")) -> Panel:
    return Panel(key="victory", title="Victory points", head=head, rows=rows)


def shown(view: View, *panels: Panel, before: Sequence[View] = ()) -> tuple[object, ...]:
    """The blocks that these panels make, without what is open now."""
    return report(replace(view, panels=panels), before).blocks[1:]


def test_the_title_names_campaign_date_and_phase_and_the_audience_is_separate() -> None:
    document = report(GERMAN)

    assert document.title == "Herbstnebel: 16 December 1944, German battles"
    assert document.audience == "German side"


@pytest.mark.parametrize(
    ("date", "phase", "title"),
    [
        ("16 December 1944", "", "Herbstnebel: 16 December 1944"),
        ("", "Set-up", "Herbstnebel: Set-up"),
        ("", "", "Herbstnebel"),
    ],
)
def test_the_title_leaves_out_what_the_view_leaves_open(date: str, phase: str, title: str) -> None:
    assert report(replace(ENDED, date=date, stop=phase)).title == title


def test_blocks_come_as_a_reader_needs_them() -> None:
    assert [(type(block), getattr(block, "title", getattr(block, "text", ""))) for block in report(GERMAN).blocks] == [
        (Headlines, ""),
        (Paragraph, ""),
        (Heading, "German movement"),
        (Items, ""),
        (Heading, "German battles"),
        (Items, ""),
        (Heading, "Supply"),
        (Items, ""),
        (Heading, "Notes"),
        (Items, ""),
        (Table, "Weather and air"),
        (Table, "Fuel"),
        (Table, "Victory points"),
        (Spoiler, "Order of battle"),
    ]


def test_a_report_begins_with_its_headlines_and_what_is_open_now() -> None:
    assert report(GERMAN).blocks[:2] == (Headlines(GERMAN.headlines), Paragraph(("Open now: Allied sheet",)))


def test_a_view_without_headlines_gives_none() -> None:
    """Older releases stored such Views."""
    assert report(replace(GERMAN, headlines=())).blocks[0] == Paragraph(("Open now: Allied sheet",))


def test_a_view_with_nothing_in_it_gives_the_end_of_the_campaign_and_no_empty_heading() -> None:
    assert report(ENDED).blocks == (Paragraph(("The campaign has ended.",)),)


def test_a_line_of_the_log_keeps_its_rule_and_its_reasons() -> None:
    line = LogLine(section="Supply", text="FBB is cut off.", rule="R7.2", reasons=("zone of control at N16",))

    assert report(replace(ENDED, log=(line,))).blocks[1:] == (
        Heading("Supply"),
        Items((Item(spans=("FBB is cut off.", Rule("R7.2")), reasons=("zone of control at N16",)),)),
    )


def test_a_line_without_a_rule_shows_no_brackets() -> None:
    line = LogLine(section="Notes", text="Happy Christmas.", rule="")

    assert report(replace(ENDED, log=(line,))).blocks[2] == Items((Item(spans=("Happy Christmas.",)),))


def test_lines_of_one_section_are_under_one_heading_in_their_order() -> None:
    log = tuple(LogLine(section=section, text=text, rule="") for section, text in ("A1", "B2", "A3"))

    assert report(replace(ENDED, log=log)).blocks[1:] == (
        Heading("A"),
        Items((Item(spans=("1",)), Item(spans=("3",)))),
        Heading("B"),
        Items((Item(spans=("2",)),)),
    )


def test_lines_of_no_section_have_no_heading() -> None:
    line = LogLine(section="", text="Snow.", rule="")

    assert report(replace(ENDED, log=(line,))).blocks[1:] == (Items((Item(spans=("Snow.",)),)),)


def test_a_panel_without_rows_is_left_out() -> None:
    assert shown(ENDED, panel(), panel((), ())) == ()


def test_short_rows_are_filled_up_to_the_longest() -> None:
    table = Table(title="Victory points", head=("Side", "Points", ""), rows=(("A", "", ""), ("A", "7", "+3")))

    assert shown(ENDED, panel(("A",), ("A", "7", "+3"))) == (table,)


def test_a_panel_without_a_head_stays_without() -> None:
    assert shown(ENDED, panel(("Weather", "Snow"), head=())) == (
        Table(title="Victory points", head=(), rows=(("Weather", "Snow"),)),
    )


def test_a_table_too_long_for_a_glance_is_folded_after_the_log() -> None:
    short, long = panel(*[("A", "7")] * 5), panel(*[("A", "7")] * 6)
    snow = LogLine(section="", text="Snow.", rule="")

    news, first, second = shown(replace(ENDED, log=(snow,)), long, short)

    assert isinstance(news, Items)
    assert first == Table(title="Victory points", head=("Side", "Points"), rows=short.rows)
    assert second == Spoiler(title="Victory points", blocks=(Table(title="", head=("Side", "Points"), rows=long.rows),))


def test_a_report_leaves_out_the_tables_of_the_last_report() -> None:
    fuel = Panel("fuel", "Fuel", (), (("Reserve", "3"),))
    before = replace(ENDED, panels=(fuel, panel(("A", "7"))))

    assert shown(ENDED, fuel, panel(("A", "8")), before=[before]) == (
        Table(title="Victory points", head=("Side", "Points"), rows=(("A", "8"),)),
    )
    assert shown(ENDED, fuel, panel(("A", "7")), before=[before]) == ()


def test_a_table_that_changed_in_between_and_changed_back_is_in_the_report() -> None:
    same, other = (replace(ENDED, panels=(panel(("A", points)),)) for points in ("7", "8"))

    assert shown(ENDED, panel(("A", "7")), before=[same, other]) == tables(same)
    assert shown(ENDED, panel(("A", "7")), before=[same, same]) == ()


@pytest.mark.parametrize("before", [None, GERMAN, replace(GERMAN, panels=GERMAN.panels[:2]), ENDED])
def test_each_table_is_either_in_the_report_or_left_out(before: View | None) -> None:
    read = [] if before is None else [before]
    left = tables_left_out(GERMAN, to_html(report(GERMAN, read)))

    kept = [block for block in report(GERMAN, read).blocks if isinstance(block, Table | Spoiler)]
    same = set() if before is None else {panel.title for panel in before.panels}
    titles = {table.title for table in tables(GERMAN)}
    assert {table.title for table in kept} == titles - same
    assert {title for title in titles if f">{title}<" in left} == same


# --- news ------------------------------------------------------------------------------------------------------------


def enemies(*rows: tuple[str, ...]) -> Panel:
    return Panel(key="seen", title="Enemy in sight", head=("Hex", "What is known"), rows=rows, news="gone")


def news(now: Panel, *before: Panel) -> object:
    """The one table of a report, after reports with these."""
    found = shown(GERMAN, now, before=[replace(GERMAN, panels=(each,)) for each in before])[-1]
    return found.rows if isinstance(found, Table) else None


def test_a_table_of_news_says_what_is_new_and_what_is_gone() -> None:
    was, now = enemies(("K16", "armour"), ("M17", "infantry")), enemies(("K16", "armour"), ("P18", "infantry"))
    assert news(now, was) == (("K16", "armour", ""), ("P18", "infantry", "new"), ("M17", "infantry", "gone"))


def test_equal_rows_of_news_are_counted() -> None:
    one, two = enemies(("K16", "armour")), enemies(("K16", "armour"), ("K16", "armour"))
    assert news(two, one) == (("K16", "armour", ""), ("K16", "armour", "new"))
    assert news(one, two) == (("K16", "armour", ""), ("K16", "armour", "gone"))


def test_news_count_from_the_last_report_and_not_from_what_was_read_since() -> None:
    first, since = enemies(("K16", "armour")), enemies()
    assert news(first, first, since) == (("K16", "armour"),)
    assert news(enemies(), first, since) == (("K16", "armour", "gone"),)


def test_a_table_of_news_is_in_every_report_and_says_nothing_of_news_if_there_are_none() -> None:
    same = enemies(("K16", "armour"))
    assert news(same, same) == news(same) == (("K16", "armour"),)


def test_a_report_of_an_older_release_leaves_out_nothing() -> None:
    """It repeated every table."""
    assert tables_left_out(GERMAN, to_html(report(GERMAN))) == ""


def test_a_table_that_was_empty_before_and_is_empty_now_is_nowhere() -> None:
    before = replace(ENDED, panels=(panel(),))

    assert tables_left_out(before, to_html(report(before, [before]))) == ""


def test_a_document_can_be_stored() -> None:
    document = report(GERMAN)

    assert decode(encode(document), Document) == document
    with pytest.raises(msgspec.ValidationError):
        decode(b'{"title": "", "audience": "", "blocks": [{"type": "Chart"}]}', Document)


def test_the_chart_in_words_is_its_tables_and_nothing_of_the_report() -> None:
    document = chart(replace(GERMAN, chart=(panel(("German", "7")), panel())))

    assert document.title == "Herbstnebel: chart of 16 December 1944"
    assert document.audience == "German side"
    assert document.blocks == (
        Paragraph(("After: German battles. Open now: Allied sheet",)),
        Table("Victory points", ("Side", "Points"), (("German", "7"),)),
    )


def test_the_chart_of_a_campaign_that_is_over_says_so() -> None:
    assert chart(ENDED).blocks[0] == Paragraph((f"After: {ENDED.stop}. The campaign has ended.",))
