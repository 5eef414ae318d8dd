"""What is remembered of a campaign has a key that names its audience, its campaign and a published phase."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from campaign.engine.values.ids import GM, PUBLIC, Audience
from campaign.maps.drawing import ink
from campaign.models import Campaign, Ruling
from campaign.secrecy import memory, truth
from campaign.secrecy.memory import Key, KeyedMemory
from campaign.secrecy.truth import Breach, Reader
from tests.trust.memory.remembered import forget_all, pieces

GERMANS, ALLIES = Audience("german"), Audience("allied")
HERE, ELSEWHERE = Campaign(pk=1), Campaign(pk=2)


@dataclass(frozen=True)
class Shown:
    """A phase."""

    phase_id: int = 1
    published: bool = True
    published_at: datetime | None = datetime(2026, 3, 1, tzinfo=UTC)


PHASE = Shown()


@pytest.fixture
def boards() -> Iterator[KeyedMemory[str]]:
    yield KeyedMemory(100, len)
    memory._MEMORIES.pop()


class Maker:
    """Makes texts, and counts them."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def of(self, what: str) -> Callable[[], str]:
        def make() -> str:
            self.made.append(what)
            return what

        return make


def test_no_part_of_a_key_can_be_left_out() -> None:
    parts = inspect.signature(Key).parameters
    assert list(parts) == ["audience", "campaign", "phase"]
    assert all(part.default is inspect.Parameter.empty for part in parts.values())


def test_keys_differ_in_each_part() -> None:
    keys = [
        Key(GERMANS, HERE, PHASE),
        Key(ALLIES, HERE, PHASE),
        Key(GM, HERE, PHASE),
        Key(GERMANS, ELSEWHERE, PHASE),
        Key(GERMANS, HERE, Shown(phase_id=2)),
        Key(GERMANS, HERE, replace(PHASE, published_at=datetime(2026, 3, 1, tzinfo=UTC) + timedelta(seconds=1))),
    ]
    assert len(set(keys)) == len(keys)
    assert Key(GERMANS, HERE, PHASE) == keys[0]


def test_a_phase_that_is_not_published_has_no_key() -> None:
    with pytest.raises(ValueError, match="not published"):
        Key(GM, HERE, Shown(published=False))


def test_a_value_is_made_once_for_its_key_and_the_rest_it_depends_on(boards: KeyedMemory[str]) -> None:
    maker = Maker()
    for audience in (GERMANS, ALLIES, GERMANS, ALLIES):
        for colours in ("dark", "print"):
            what = f"{audience} {colours}"
            assert boards.get(Key(audience, HERE, PHASE), colours, maker.of(what)) == what
    assert sorted(maker.made) == ["allied dark", "allied print", "german dark", "german print"]


def test_no_reader_gets_what_was_made_for_another_audience(boards: KeyedMemory[str]) -> None:
    key = Key(GERMANS, HERE, PHASE)
    boards.get(key, "", lambda: "where the Germans are")
    for reader in (ALLIES, PUBLIC):
        with truth.reading(partial(Reader, reader)), pytest.raises(Breach):
            boards.get(key, "", lambda: "made anew")
    for reader in (GERMANS, GM):
        with truth.reading(partial(Reader, reader)):
            assert boards.get(key, "", lambda: "made anew") == "where the Germans are"


@pytest.mark.django_db
@pytest.mark.parametrize("audience", [GERMANS, PUBLIC])
def test_what_a_gm_asks_for_first_is_made_as_for_its_audience(boards: KeyedMemory[str], audience: Audience) -> None:
    """A GM who views a campaign as a side may read everything, and the side gets what was made for them."""
    with truth.reading(lambda: Reader(GM, user=1)), pytest.raises(Breach):
        boards.get(Key(audience, HERE, PHASE), "", lambda: str(Ruling.objects.count()))


@pytest.mark.django_db
def test_what_is_remembered_for_the_gm_is_made_from_everything(boards: KeyedMemory[str]) -> None:
    with truth.reading(lambda: Reader(GM, user=1)):
        assert boards.get(Key(GM, HERE, PHASE), "", lambda: str(Ruling.objects.count())) == "0"


def test_nothing_is_remembered_for_the_public(boards: KeyedMemory[str]) -> None:
    maker = Maker()
    for _ in range(2):
        boards.get(Key(PUBLIC, HERE, PHASE), "", maker.of("board"))
    assert maker.made == ["board", "board"]


def test_the_oldest_goes_when_there_is_too_much(boards: KeyedMemory[str]) -> None:
    maker = Maker()
    for name in ("a", "b", "a"):
        boards.get(Key(GERMANS, HERE, PHASE), name, maker.of(name * 60))
    assert len(maker.made) == 3


def test_all_is_forgotten(boards: KeyedMemory[str]) -> None:
    maker = Maker()
    for _ in range(2):
        boards.get(Key(GERMANS, HERE, PHASE), "", maker.of("board"))
        memory.forget_all()
    assert maker.made == ["board", "board"]


def test_pieces_of_pictures_are_forgotten_too() -> None:
    ink.one_line("a unit that nobody knows")
    forget_all()
    assert ink.one_line.cache_info().currsize == 0
    assert len(list(pieces())) == 11
