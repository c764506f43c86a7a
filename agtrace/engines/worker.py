"""A process that runs tasks one after the other: ``python -P -m agtrace.engines.worker``.

It reads tasks from its standard input and writes results to its standard output. It ends as soon as its
parent process has ended for any reason, because only the parent keeps results.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import tempfile
import threading
import traceback
from typing import Any, BinaryIO

from agtrace import memory, plugins, threads
from agtrace.engines.base import Share
from agtrace.engines.messages import receive, send


def main() -> None:
    """Do tasks until there are no more."""
    tasks, results = _taken_over()
    memory.go_first()
    # The parent process reports unusable plugins, once.
    plugins.tell(lambda _line: None)
    # Python would try that folder with a file of its own, and a worker may be killed at any moment.
    tempfile.tempdir = receive(tasks)
    waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks, waiting), daemon=True).start()
    while (task := waiting.get()) is not None:
        send(results, _result(*task))


def _taken_over() -> tuple[BinaryIO, BinaryIO]:
    """Take the lines from where anything may read and print, and any process inherits them."""
    try:
        os.fstat(2)
    except OSError:
        # The parent has no such stream either: keep the descriptor, so that no other file takes it.
        os.open(os.devnull, os.O_WRONLY)
    tasks, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return tasks, results


def _listen(tasks: BinaryIO, waiting: queue.SimpleQueue[Any]) -> None:
    task = ()
    try:
        while task is not None:
            task = receive(tasks)
            waiting.put(task)
    except BaseException as error:
        if not isinstance(error, EOFError):
            traceback.print_exc()
        os._exit(1)


def _result(share: Share, work: Any, argument: Any) -> tuple[bool, Any]:
    """Return whether it succeeded, and its result or exception."""
    try:
        threads.limit(share.threads)
        memory.limit(share.bytes)
        return True, work(argument, lambda _bytes: None)
    except Exception as error:
        error.add_note(f"in a worker:\n{traceback.format_exc()}")
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return False, RuntimeError(f"{type(error).__name__}: {error}")
        return False, error


if __name__ == "__main__":
    try:
        main()
    except (EOFError, OSError):
        # The parent process has ended.
        sys.exit(1)
