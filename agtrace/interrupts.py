"""Interrupts such as Ctrl-C: running work is stopped, and no partial result is taken for a full one.

Python raises KeyboardInterrupt in the main thread, which is not enough: a library may turn it into another
error (DuckDB does), native code may not notice it for a minute, and child processes do not receive it. So
long-running work registers here how to stop it. Code that catches every error, or is about to store a
result, checks here whether an interrupt has arrived.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import threading
from collections.abc import Callable, Iterator

_arrived = threading.Event()
_stops: dict[int, Callable[[], None]] = {}
_numbers = itertools.count()
_held_back = 0
_tidy_s = 0.0


@contextlib.contextmanager
def stopped_by(stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` from another thread if the process is interrupted inside this block.

    Parameters
    ----------
    stop
        Ends the running work at once, whatever its state; it may be called more than once.
    """
    number = next(_numbers)
    _stops[number] = stop
    try:
        yield
    finally:
        del _stops[number]


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Delay interrupts in the main thread until the end of this block.

    For example, a child process that is being started would otherwise report incomplete input.
    """
    global _held_back
    _held_back += 1
    try:
        yield
    finally:
        _held_back -= 1
        check()


@contextlib.contextmanager
def tidied_up_within(seconds: float) -> Iterator[None]:
    """Allow the main thread ``seconds`` to clean up in this block before an interrupt ends the process."""
    global _tidy_s
    before, _tidy_s = _tidy_s, seconds
    try:
        yield
    finally:
        _tidy_s = before


def tidy_s() -> float:
    """Return the seconds that the main thread has for cleanup."""
    return _tidy_s


def are_held_back() -> bool:
    """Return whether an interrupt has to wait for work that must not be left half-done."""
    return _held_back > 0


def stop_all() -> None:
    """Note that an interrupt has arrived, and stop what is at work, the youngest first."""
    _arrived.set()
    for stop in reversed(list(_stops.values())):
        # The process is about to end: one that cannot be stopped must not spare the others.
        with contextlib.suppress(Exception):
            stop()


def note() -> None:
    """Note that an interrupt has arrived."""
    _arrived.set()


def arrived() -> bool:
    """Return whether an interrupt has arrived."""
    return _arrived.is_set()


def check() -> None:
    """Raise if an interrupt has arrived, even if its exception was caught or lost.

    Raises
    ------
    KeyboardInterrupt
        An interrupt has arrived.
    """
    if _arrived.is_set():
        raise KeyboardInterrupt


def raise_again(error: BaseException) -> None:
    """Raise the interrupt again if an error was caused by one; otherwise do nothing.

    For all code that catches every error and continues.

    Raises
    ------
    KeyboardInterrupt
        ``error`` stems from an interrupt.
    """
    if _arrived.is_set() or any(_is_interrupt(each) for each in _causes(error)):
        raise KeyboardInterrupt from error


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield each
        each = each.__cause__ or each.__context__


def _is_interrupt(error: BaseException) -> bool:
    # DuckDB swallows the KeyboardInterrupt of a query and raises one of these instead. It is not
    # imported here: nothing of it is needed where no query was run.
    return (
        isinstance(error, KeyboardInterrupt)
        or type(error).__name__ == "InterruptException"
        or (type(error) is RuntimeError and str(error) == "Query interrupted")
    )


def end_with_parent(folder: str | None = None) -> None:
    """End this process, and remove its folder, as soon as its standard input ends.

    That is a pipe from the process that started it: however that ended, its end of the pipe closes.
    """

    def watch() -> None:
        # Nothing is ever written to it.
        while os.read(0, 1):
            pass
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=watch, name="end-with-parent", daemon=True).start()
