"""Templates: a name that is missing is a fault."""

import pytest
from django.template import engines
from django.template.loader import render_to_string


def test_a_template_of_ours_that_names_something_missing_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"gm/draft/_hidden\.html names .*draft\.mark"):
        render_to_string("gm/draft/_hidden.html", {})
    whole = {"draft": {"mark": "3.1.2", "words": "abc"}}
    assert 'value="3.1.2"' in render_to_string("gm/draft/_hidden.html", whole)


def test_what_is_only_asked_for_may_be_missing() -> None:
    assert "role" not in render_to_string("orders/answer/_problems.html", {"problems": []})


def test_templates_of_others_may_leave_names_open() -> None:
    others = engines["django"].from_string("a{{ name }}b")
    assert others.render() == "ab"
