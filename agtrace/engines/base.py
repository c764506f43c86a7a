"""The interface of engines, and the types of their tasks and results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")

Seen = Callable[[int], None]
"""Callback for progress, called with the bytes that are done."""

Work = Callable[[Argument, Seen], Result]
"""A module-level function, so that other processes can import it. It may be called twice for one task,
the second time while the first call still runs on an abandoned worker: its output must have a different
name each time, or be identical."""


@dataclass(frozen=True)
class Task(Generic[Argument]):
    """One job.

    Parameters
    ----------
    key
        The work as text: equal keys mean equal results. It contains no path, because the same work may be at
        any path.
    argument
        Argument of the work; picklable.
    bytes
        Size of the work, for progress.
    """

    key: str
    argument: Argument
    bytes: int = 0


@dataclass(frozen=True)
class Lost:
    """Replaces a result: the worker ended during the task, on every attempt.

    Parameters
    ----------
    reason
        The known reason.
    overdue
        Whether it was ended because it exceeded the time limit.
    """

    reason: str
    overdue: bool = False


class Share(NamedTuple):
    """Resources that one of several parallel processes may use."""

    threads: int
    bytes: int


class Engine(Protocol):
    """Runs tasks."""

    here: bool
    """Whether tasks run on this machine and have access to its local files."""

    @property
    def at_once(self) -> int:
        """Number of tasks that run at the same time, as far as known."""
        ...

    def map(
        self, work: Work[Argument, Result], tasks: Iterable[Task[Argument]], seen: Seen
    ) -> Iterator[tuple[Task[Argument], Result | Lost]]:
        """Run tasks, and yield each with its result as it ends.

        Parameters
        ----------
        work
            Function called with the argument of each task.
        tasks
            Taken one by one, each when a worker is free.
        seen
            Called with the bytes that are done.

        Raises
        ------
        EngineError
            No worker is available.
        AgtraceError
            Raised by the work itself.
        """
        ...
