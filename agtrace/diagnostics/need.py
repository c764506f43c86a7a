"""What a question needs to be captured, as data: for its words, docs/capture.md and what is handed out."""

from __future__ import annotations

from dataclasses import dataclass

from agtrace.history import View
from agtrace.history.unused import Kind, hosts_with, is_captured

PROCESSORS = ("Processor\\% Processor Time", "Processor Information\\% Processor Time")

OF_ALL = frozenset(
    {"every host", "every node", "both ends", "both hosts", "primary and secondary", "source and target",
     "every replica of the group", "every replica of both groups"}
)  # fmt: skip
"""What ``where`` says of what is wanted of each of them."""


def counters(of: str, names: str) -> tuple[str, ...]:
    """Name counters of one object; ``names`` stand with commas between them."""
    return tuple(f"{of}\\{name}" for name in names.split(", "))


@dataclass(frozen=True)
class Need:
    r"""One thing that a question reads.

    Parameters
    ----------
    kind
        counter (``Object\Counter``, canonical names; ``*`` alone is any), event (of Extended Events), topic
        (of ``messages`` or ``facts``) or relation (of what happened, docs/store.md).
    names
        Which ones; any of them serves.
    gives
        What the answer gains by it.
    capture
        How to capture it.
    where
        On which hosts.
    lacking
        What to say where there is none of it and nothing can be answered without; empty where the
        question has an answer all the same.

    Raises
    ------
    ValueError
        A counter is named without its object, or the names are not several.
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
        """What is said to somebody who lacks it."""
        return f"{self.lacking} {self.capture}"

    def is_met(self, view: View) -> bool:
        """Tell whether a case has any of it."""
        return is_captured(view, self.kind, self.names)

    def hosts(self, view: View) -> frozenset[str]:
        """Return the hosts of which a case has any of it: of counters, events and topics."""
        return hosts_with(view, self.kind, self.names)
