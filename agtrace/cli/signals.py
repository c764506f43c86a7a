"""Signals that end the command: within two seconds, with status 130, without leaving files behind."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from types import FrameType
from typing import NoReturn

from agtrace import interrupts
from agtrace.cli.outcome import INTERRUPTED
from agtrace.errors import is_exhausted

GRACE_S = 1.2
"""Time for the main thread to clean up before the process is ended."""

FLUSH_S = 0.5

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""Ctrl-C, kill, a closed terminal, and Ctrl-Break on Windows."""


class CommandEnding:
    """Ends this process, which runs a single command, on a signal.

    A signal becomes a KeyboardInterrupt in the main thread, once. Native code may delay it, and libraries may
    suppress it: a second thread, which receives the signal at once, stops running work and ends the process
    if the main thread does not.
    """

    def __init__(self) -> None:
        self._done = threading.Event()
        self._status = INTERRUPTED
        self._raised = False
        self._ear, mouth = socket.socketpair()
        # Both ends live as long as the process.
        self._mouth = mouth
        mouth.setblocking(False)

    def listen(self) -> None:
        """Install the handlers; signals ignored by the parent process stay ignored (nohup, &)."""
        # Python tests that folder by writing a file, once: an interrupt at that point would leave it.
        with contextlib.suppress(OSError):
            tempfile.gettempdir()
        wanted = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
        caught = [number for number in wanted if signal.getsignal(number) != signal.SIG_IGN]
        signal.set_wakeup_fd(self._mouth.fileno(), warn_on_full_buffer=False)
        for number in caught:
            signal.signal(number, self._raise)
        # Handlers registered first run last.
        atexit.register(self._end)
        # Python resets signal handlers while it shuts down; a signal that arrives then would change the
        # status of a completed command.
        atexit.register(_ignore, caught)
        sys.unraisablehook = _say_unless_noted
        threading.excepthook = _say_unless_told
        threading.Thread(target=self._watch, args=(frozenset(caught),), daemon=True).start()

    def finish(self, status: int) -> int:
        """End the process with the status of the command, or return the status if work is still running.

        After an interrupt, threads waiting for a stopped kernel or query are not waited for.
        """
        self._status = status
        self._done.set()
        if interrupts.arrived():
            for stream in (sys.stdout, sys.stderr):
                # The stream is None if it was closed, and its reader may be gone.
                with contextlib.suppress(Exception):
                    stream.flush()
            self._leave()
        return status

    def _end(self) -> None:
        """End the process as usual, but without freeing each object, which takes a tenth of a short command.

        Not if other threads run, if the output's reader is gone, or under a profiler or tracer.
        """
        is_watched = sys.getprofile() is not None or sys.gettrace() is not None
        main = threading.main_thread()
        if is_watched or any(each is not main and not each.daemon for each in threading.enumerate()):
            return
        with contextlib.suppress(Exception):  # Python itself reports streams without a reader
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            if self._done.is_set():
                os._exit(self._status)

    def _raise(self, _number: int, _frame: FrameType | None) -> None:
        if self._done.is_set():
            self._leave()
        interrupts.note()
        # Repeated Ctrl-C must not interrupt the clean-up. The second thread may have recorded this signal
        # before the main thread receives it: recorded does not mean raised.
        if not self._raised:
            self._raised = True
            if not interrupts.are_held_back():
                raise KeyboardInterrupt

    def _watch(self, caught: frozenset[int]) -> None:
        while not caught & set(self._ear.recv(64)):
            pass
        if self._done.is_set():
            self._leave()
        interrupts.stop_all()
        if self._done.wait(max(GRACE_S, interrupts.tidy_s())):
            # Output may still be in flight, unless its reader has stopped reading.
            time.sleep(FLUSH_S)
        else:
            with contextlib.suppress(OSError):
                os.write(2, b"agtrace: interrupted\n")
        self._leave()

    def _leave(self) -> NoReturn:
        interrupts.stop_all()
        os._exit(self._status)


def _say_unless_noted(unraisable: sys.UnraisableHookArgs) -> None:
    """Suppress the message about an interrupt that Python could not raise; it is recorded.

    This happens when a generator is closed because it is no longer referenced.
    """
    # An event loop that could not open files is reported by its caller, and closed incomplete.
    is_half_made = getattr(unraisable.object, "__qualname__", "") == "BaseEventLoop.__del__"
    is_noted = interrupts.arrived() and isinstance(unraisable.exc_value, KeyboardInterrupt)
    if not (is_noted or is_half_made):
        sys.__unraisablehook__(unraisable)


def _say_unless_told(args: threading.ExceptHookArgs) -> None:
    """Suppress the message about a thread interrupted or out of file handles; its caller reports it."""
    error = args.exc_value
    if not (interrupts.arrived() or (isinstance(error, Exception) and is_exhausted(error))):
        threading.__excepthook__(args)


def _ignore(numbers: list[signal.Signals]) -> None:
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)
