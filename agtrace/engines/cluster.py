"""Jobs on the workers of a Dask cluster: any machines that have agtrace and see the same storage."""

from __future__ import annotations

import contextlib
import importlib.metadata
import itertools
import logging
import queue
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from agtrace import interrupts, plugins, threads
from agtrace.engines.base import Argument, Lost, Result, Seen, Task, Work
from agtrace.errors import EngineError
from agtrace.extras import need

if TYPE_CHECKING:
    import distributed

ANSWER_S = 10.0
"""Seconds that a scheduler may take to answer."""

EMPTY_S = 60.0
"""Seconds that a cluster may be without workers, because a lost one may come back."""

LOOK_S = 1.0
AHEAD = 2
"""Tasks handed out for each thread of a worker, so that none waits for its next one."""


@contextlib.contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Use a cluster.

    Parameters
    ----------
    address
        Of its scheduler, such as ``tcp://10.0.0.4:8786``.

    Raises
    ------
    MissingExtraError
        The extra ``cluster`` is not installed.
    EngineError
        No scheduler answers there.
    """
    need("cluster", address)
    import distributed

    # Its log messages about lost workers only repeat what the results of the tasks show.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout=ANSWER_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise EngineError(
            f"{address}: no Dask scheduler answers there",
            "start one with 'dask scheduler' and workers with 'dask worker ADDRESS'",
        ) from error
    try:
        with interrupts.stopped_by(lambda: client.close(timeout=0)):
            yield Cluster(client, address)
    finally:
        with contextlib.suppress(Exception):
            client.close(timeout=ANSWER_S)


class Cluster:
    """Runs tasks on the workers of a cluster. The task of a lost worker is repeated on another.

    Parameters
    ----------
    client, address
        The connection, and its address for messages.
    """

    here = False

    def __init__(self, client: distributed.Client, address: str) -> None:
        self._client = client
        self._address = address
        # The scheduler may still hold the results of a run that was killed, and those name files
        # that the next one has removed as left over.
        self._run = uuid.uuid4().hex[:12]

    @property
    def at_once(self) -> int:
        """Threads of all workers now.

        Raises
        ------
        EngineError
            The scheduler was lost.
        """
        return _Patience(self._client, self._address).slots

    def map(
        self, work: Work[Argument, Result], tasks: Iterable[Task[Argument]], seen: Seen
    ) -> Iterator[tuple[Task[Argument], Result | Lost]]:
        """As `agtrace.engines.base.Engine.map`."""
        left = iter(tasks)
        running: dict[str, tuple[Task[Argument], distributed.Future]] = {}
        done: queue.SimpleQueue[distributed.Future] = queue.SimpleQueue()
        patience = _Patience(self._client, self._address)
        try:
            while True:
                room = AHEAD * max(patience.slots, 1) - len(running)
                for task in itertools.islice(left, max(room, 0)):
                    future = self._submit(work, task)
                    running[future.key] = (task, future)
                    future.add_done_callback(done.put)
                if not running:
                    return
                try:
                    future = done.get(timeout=LOOK_S)
                except queue.Empty:
                    interrupts.check()
                    patience.look()
                    continue
                task, _future = running[future.key]
                try:
                    result = self._result(future)
                except TimeoutError:
                    # The worker that had it was lost before it was fetched: it is done once more.
                    future.add_done_callback(done.put)
                    patience.look()
                    continue
                del running[future.key]
                yield task, result
                seen(task.bytes)
        finally:
            futures = [future for _task, future in running.values()]
            with contextlib.suppress(Exception):
                _answered(self._client, self._client.cancel, futures)

    def _submit(self, work: Work[Any, Any], task: Task[Any]) -> distributed.Future:
        key = f"{task.key}-{self._run}"
        with_what = (_version(), plugins.folders(), plugins.fingerprint())
        return self._client.submit(_work, with_what, 1, work, task.argument, key=key)

    def _result(self, future: distributed.Future) -> Any:
        from concurrent.futures import CancelledError

        from distributed import KilledWorker
        from distributed.comm import CommClosedError

        try:
            return future.result(timeout=ANSWER_S)
        except KilledWorker:
            return Lost("the workers that were at it ended, each time (out of memory?)")
        except (CancelledError, CommClosedError) as error:
            interrupts.check()
            raise EngineError(
                f"{self._address}: the scheduler was lost", "run it again; what is stored is kept"
            ) from error
        except ImportError as error:
            raise EngineError(
                f"{self._address}: a worker cannot import what it needs ({error})",
                f"install agtrace {_version()} where the workers run",
            ) from error


def _answered(client: distributed.Client, ask: Callable[..., Any], *of: Any) -> Any:
    """Call the scheduler, with a time limit for its answer."""
    return client.sync(lambda: ask(*of, asynchronous=True), callback_timeout=ANSWER_S)


class _Patience:
    """Watches whether a cluster has workers."""

    def __init__(self, client: distributed.Client, address: str) -> None:
        self._client = client
        self._address = address
        self._since = time.monotonic()
        self.slots = 0
        """Number of threads of all workers when last checked."""
        self.look()

    def look(self) -> None:
        """Count the workers.

        Raises
        ------
        EngineError
            There have been none for a while.
        """
        try:
            # A scheduler that hangs keeps its connection, and answers nothing.
            self.slots = sum(_answered(self._client, self._client.nthreads).values())
        except Exception as error:
            interrupts.raise_again(error)
            raise EngineError(
                f"{self._address}: the scheduler was lost", "run it again; what is stored is kept"
            ) from error
        if self.slots:
            self._since = time.monotonic()
        elif time.monotonic() - self._since > EMPTY_S:
            raise EngineError(
                f"{self._address}: the cluster has had no worker for {EMPTY_S:.0f} s",
                f"start some: dask worker {self._address}",
            )


@cache
def _version() -> str:
    """Return the installed version, without importing the package above this layer."""
    return importlib.metadata.version("agtrace")


def _work(
    with_what: tuple[str, tuple[str, ...], str], share: int, work: Work[Any, Any], argument: Any
) -> Any:
    """Do a task on a worker."""
    version, folders, others = with_what
    if _version() != version:
        raise EngineError(
            f"a worker has agtrace {_version()}, and not {version}", "install the same version everywhere"
        )
    plugins.take_over(folders)
    if plugins.fingerprint() != others:
        raise EngineError(
            f"a worker has the plugins {plugins.fingerprint() or 'none'}, and not {others or 'none'}",
            "install the same plugins everywhere",
        )
    threads.limit(share)
    return work(argument, lambda _bytes: None)
