"""Orders: their verbs, and the answers of several checks to one sheet."""

from campaign.engine.orders.order import AllOthersHold, Checked, Problem, Ready, Severity, Understood, merged, verb_of


def problem(line: int, column: int, code: str) -> Problem:
    return Problem(code, Severity.ERROR, line, column, "no")


def test_a_verb_is_the_name_of_its_class_in_words() -> None:
    assert (verb_of(Ready), verb_of(AllOthersHold)) == ("READY", "ALL OTHERS HOLD")


def test_answers_are_sorted_by_line_and_column_and_those_to_the_whole_sheet_come_last() -> None:
    one = Checked((Understood(3, "marches"),), (problem(0, 0, "sheet"), problem(2, 9, "late")))
    two = Checked(
        (Understood(1, "waits"), Understood(3, "then digs in")), (problem(2, 1, "early"), problem(1, 5, "first"))
    )
    assert merged(one, two) == Checked(
        (Understood(1, "waits"), Understood(3, "marches"), Understood(3, "then digs in")),
        (problem(1, 5, "first"), problem(2, 1, "early"), problem(2, 9, "late"), problem(0, 0, "sheet")),
    )
    assert merged() == Checked((), ())
