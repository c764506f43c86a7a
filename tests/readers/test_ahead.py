"""Reading one step ahead: the same items in the same order, and nothing left running."""

from __future__ import annotations

import threading
from collections.abc import Generator

import pytest

from agtrace import threads
from agtrace.readers.ahead import LEAST_BYTES, one_ahead

LARGE = LEAST_BYTES + 1


class _Items:
    """Counts, and notes on which threads; fails at a number if told to."""

    def __init__(self, count: int, failing: int | None = None) -> None:
        self.count, self.failing = count, failing
        self.on: set[int] = set()
        self.made = 0
        self.is_closed = False

    def __iter__(self) -> Generator[int]:
        try:
            for number in range(self.count):
                self.on.add(threading.get_ident())
                if number == self.failing:
                    raise ValueError(number)
                self.made += 1
                yield number
        finally:
            self.is_closed = True


@pytest.fixture(autouse=True)
def _two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(threads.VARIABLE, "2")


@pytest.mark.parametrize("size", [LEAST_BYTES, LARGE])
def test_items_come_in_order(size: int) -> None:
    items = _Items(20)
    assert list(one_ahead(iter(items), size)) == list(range(20))
    assert items.is_closed
    assert (threading.get_ident() in items.on) == (size == LEAST_BYTES)


def test_one_core_takes_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(threads.VARIABLE, "1")
    items = _Items(3)
    assert list(one_ahead(iter(items), LARGE)) == [0, 1, 2]
    assert items.on == {threading.get_ident()}


def test_a_fault_comes_where_it_happened() -> None:
    ahead = one_ahead(iter(_Items(5, failing=3)), LARGE)
    assert [next(ahead) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="3"):
        next(ahead)


def test_who_stops_reading_ends_it() -> None:
    items = _Items(100)
    ahead = one_ahead(iter(items), LARGE)
    assert next(ahead) == 0
    ahead.close()
    assert items.is_closed
    assert items.made <= 3
    assert not [one for one in threading.enumerate() if one.name.startswith("ahead")]
