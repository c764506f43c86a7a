"""The captures a question needs, as data: for its texts, docs/capture.md and capture kits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agtrace.history import View
from agtrace.history.unused import Kind, given, hosts_with, is_captured

PROCESSORS = ("Processor\\% Processor Time", "Processor Information\\% Processor Time")

OF_ALL = frozenset(
    {"every host", "every node", "both ends", "both hosts", "primary and secondary", "source and target",
     "every replica of the group", "every replica of both groups"}
)  # fmt: skip
"""The values of ``where`` that refer to each of several hosts."""


def counters(of: str, names: str) -> tuple[str, ...]:
    """Return counters of one object, from names separated by commas."""
    return tuple(f"{of}\\{name}" for name in names.split(", "))


@dataclass(frozen=True)
class Need:
    r"""A capture that a question reads.

    Parameters
    ----------
    kind
        counter (``Object\Counter``, canonical names; ``*`` alone is any), event (of Extended Events), topic
        (of ``messages`` or ``facts``) or relation (of what happened, docs/store.md).
    names
        The names; any one of them is enough.
    gives
        Its benefit for the answer.
    capture
        How to capture it.
    where
        On which hosts.
    lacking
        The text if it is missing and the question cannot be answered without it; empty if the question can be
        answered all the same.

    Raises
    ------
    ValueError
        A counter is named without its object, or ``names`` is a single string.
    """

    kind: Kind
    names: tuple[str, ...]
    gives: str
    capture: str
    where: str = "every host"
    lacking: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.names, str) or not self.names:
            raise ValueError(f"a need names what it reads in a tuple, not {self.names!r}")
        alone = [name for name in self.names if name != "*" and "\\" not in name]
        if self.kind == "counter" and alone:
            raise ValueError(f"the counter {alone[0]!r} has no object: write Object\\Counter")

    @property
    def is_of_all(self) -> bool:
        """Whether it is wanted of each host, and not of any one."""
        return self.where in OF_ALL

    @property
    def plea(self) -> str:
        """Return the text for a user who lacks it."""
        return f"{self.lacking} {self.capture}"

    def is_met(self, view: View) -> bool:
        """Return whether a case has any of it."""
        return is_captured(view, self.kind, self.names)

    def hosts(self, view: View) -> frozenset[str]:
        """Return the hosts of which a case has any of it: of counters, events and topics."""
        return hosts_with(view, self.kind, self.names)

    def is_met_by(self, gave: set[tuple[str, str]]) -> bool:
        """Return whether a capture satisfies it, given the capture's contents by kind and name."""
        if self.kind == "counter" and "*" in self.names:
            return any(kind == "counter" for kind, _name in gave)
        return any((self.kind, name) in gave for name in self.names)


def used_by(view: View, needs: Mapping[str, Sequence[Need]]) -> dict[str, list[str]]:
    """Return the questions that used each content, by content_id, in report order.

    Parameters
    ----------
    needs
        The needs of each question, by its title. A question without its required captures used none.
    """
    asked = {title: own for title, own in needs.items() if all(n.is_met(view) for n in own if n.lacking)}
    every = [need for own in asked.values() for need in own]
    relations, events = (
        {name for need in every if need.kind == kind for name in need.names} for kind in ("relation", "event")
    )
    return {
        content: [title for title, own in asked.items() if any(need.is_met_by(gave) for need in own)]
        for content, gave in given(view, relations, events).items()
    }
