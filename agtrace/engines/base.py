"""What every engine offers, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")

Seen = Callable[[int], None]
"""Told bytes as they are done, for progress."""

Work = Callable[[Argument, Seen], Result]
"""A function of a module, so that it can be found in another process. It may be called twice for one
task, the second time while the first still runs on a worker that was given up: what it writes must
bear another name each time, or be the same."""


@dataclass(frozen=True)
class Task(Generic[Argument]):
    """One job.

    Parameters
    ----------
    key
        What is done, as text: equal keys, equal results. It names no path, for the same work may lie
        anywhere.
    argument
        What the work is given; picklable.
    bytes
        How much that is, for progress.
    """

    key: str
    argument: Argument
    bytes: int = 0


@dataclass(frozen=True)
class Lost:
    """In place of a result: whoever did the task ended with it, each time that it was tried.

    Parameters
    ----------
    reason
        What is known of it.
    overdue
        It was ended because it took longer than a task may.
    """

    reason: str
    overdue: bool = False


class Share(NamedTuple):
    """What a process may take that works beside others."""

    threads: int
    bytes: int


class Engine(Protocol):
    """Runs tasks."""

    here: bool
    """Whether they run on this machine, and see what lies only on it."""

    @property
    def at_once(self) -> int:
        """How many tasks run at the same time, as far as that is known now."""
        ...

    def map(
        self, work: Work[Argument, Result], tasks: Iterable[Task[Argument]], seen: Seen
    ) -> Iterator[tuple[Task[Argument], Result | Lost]]:
        """Run tasks, and give each with its result as it ends.

        Parameters
        ----------
        work
            What is done with the argument of each.
        tasks
            Taken one by one, no sooner than there is somebody to do them.
        seen
            Told bytes as they are done.

        Raises
        ------
        EngineError
            There is nobody (any more) to do them.
        AgtraceError
            The work itself raised it.
        """
        ...
