"""Keeps a fault in one campaign from delaying others: each step runs on its own, and errors are logged."""

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")


def run_isolated(what: str, step: Callable[[], int]) -> int:
    """Run a step. An error is logged and counts as nothing done."""
    try:
        return step()
    except Exception:
        log.exception("trouble with %s", what)
        return 0


def run_each(what: str, items: Iterable[T], step: Callable[[T], int]) -> int:
    """Run a step for every item, each on its own; returns the sum of the results."""
    return sum(run_isolated(f"{what} {getattr(item, 'pk', item)}", partial(step, item)) for item in items)
