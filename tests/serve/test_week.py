"""The script of `python -m tests.serve` opens pages that there are."""

import os

import pytest
from django.urls import resolve

from gm.demo import CAMPAIGN
from tests.serve import week


@pytest.mark.parametrize("page", [*week.EVERYBODY, *week.OF_SIDES, *week.OF_GM])
def test_the_script_opens_pages_that_there_are(page: str) -> None:
    path = page.partition("?")[0].format(no=1, motion="webp")
    assert resolve(f"/c/{CAMPAIGN}/{path}").url_name


def test_the_memory_of_a_process_and_its_children_is_measured() -> None:
    found = week.proportional(os.getpid())
    assert all(megabytes > 1 for megabytes in found.values())
