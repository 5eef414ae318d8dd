"""What all tests of maps share."""

import pytest

from campaign.maps.drawing.disk_cache import DISK_CACHE


@pytest.fixture(autouse=True)
def nothing_was_drawn_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DISK_CACHE, "folder", None)
