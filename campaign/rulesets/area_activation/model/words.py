"""Words for lists and numbers."""

from collections.abc import Sequence


def list_of(names: Sequence[str], *, last: str = "and") -> str:
    """A, B and C."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def counted(number: int, one: str, many: str = "") -> str:
    """1 hit, 2 hits."""
    return f"{number} {one if number == 1 else many or one + 's'}"
