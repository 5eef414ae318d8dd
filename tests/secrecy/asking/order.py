"""The order in which the worlds are asked, and what the service remembers meanwhile: dealt to examples in turn."""

from enum import Enum


class Order(Enum):
    READERS_ONLY = "readers only"
    """In both worlds the readers ask; what modules remember is emptied between worlds."""
    OTHERS_FIRST = "others first"
    """In the second world the others ask for everything first, in another order. Even constants are made for them."""
    NOTHING_EMPTIED = "nothing emptied"
    """The same, also before all steps; and the service still knows everything that it ever remembered of that world."""

    @property
    def others_first(self) -> bool:
        return self is not Order.READERS_ONLY


def order_of(number: int) -> Order:
    """The order of an example. The share of those that cost more is small."""
    return _IN_TURN[number % len(_IN_TURN)]


_IN_TURN = (Order.OTHERS_FIRST, *2 * [Order.READERS_ONLY], Order.NOTHING_EMPTIED, *2 * [Order.READERS_ONLY])
