"""Acts of one person or of the clock: if one breaks before its commit, nothing of it stays."""

from contextlib import suppress

import pytest

from campaign.core.failpoints import Provoked
from tests.battles import Field, field
from tests.faults.people.acts import ACTS, Ready
from tests.kept import everything
from tests.web.conftest import cast

__all__ = ["cast", "field"]
pytestmark = pytest.mark.django_db

EACH = [(place, ready) for place, acts in ACTS.items() for ready in acts]


@pytest.mark.parametrize(("place", "ready"), EACH, ids=lambda each: each if isinstance(each, str) else each.__name__)
def test_an_act_that_breaks_is_done_wholly_or_not_at_all(
    field: Field, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], place: str, ready: Ready
) -> None:
    """A failed act can be done afterwards. The sweep logs the fault instead of raising it."""
    act = ready(field)
    before = everything()
    monkeypatch.setenv("FAILPOINTS", f"{place}=raise")
    with suppress(Provoked):
        act()
    assert f"failpoint {place} raise" in capsys.readouterr().err
    committed = place.endswith("after_commit")
    assert (everything() == before) is not committed
    monkeypatch.delenv("FAILPOINTS")
    if not committed:
        act()
        assert everything() != before
