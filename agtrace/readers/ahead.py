"""Reading one step ahead of the consumer, on a second core."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from agtrace import threads

LEAST_BYTES = 4 * 1024 * 1024
"""Minimum size of a capture for which a second thread is worthwhile."""

_T = TypeVar("_T")


def one_ahead(items: Generator[_T], size: int) -> Generator[_T]:
    """Compute the next item on a second thread while the consumer works on this one.

    Parameters
    ----------
    items
        Closed when this generator is closed.
    size
        Bytes of the capture; a small one is read on this thread, and so is any if a job may use only one.
    """
    try:
        if size <= LEAST_BYTES or threads.most() < 2:
            yield from items
            return
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="ahead") as pool:
            yield from _ahead(items, pool)
    finally:
        # A second interrupt ends the wait for the thread while it is still inside.
        with suppress(ValueError):
            items.close()


def _ahead(items: Iterator[_T], pool: ThreadPoolExecutor) -> Iterator[_T]:
    end = object()
    coming = pool.submit(next, items, end)
    while (item := coming.result()) is not end:
        coming = pool.submit(next, items, end)
        yield item  # type: ignore[misc]
        del item  # before the next one comes: it is most of what is in memory
