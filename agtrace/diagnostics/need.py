"""What a question needs to be captured, as data: for its words, docs/capture.md and what is handed out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agtrace.history import View

Kind = Literal["counter", "event", "topic", "relation"]

PROCESSORS = ("Processor\\% Processor Time", "Processor Information\\% Processor Time")

NAMED = "(list_contains($names, object || '\\' || counter) or list_contains($names, '*'))"
"""Which counters are meant, in SQL."""
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
        if self.kind == "topic":
            return not view.topics.isdisjoint(self.names)
        if self.kind == "relation":
            return any(view.has_rows(name) for name in self.names)
        return any(view.table(query, given).num_rows for query, given in self._looks(view))

    def hosts(self, view: View) -> frozenset[str]:
        """Give the hosts of which a case has any of it: of counters, events and topics."""
        found: set[str] = set()
        for query, given in self._hosts(view):
            found |= {row["host_id"] for row in view.rows(query, given) if row["host_id"]}
        return frozenset(found)

    def _hosts(self, view: View) -> list[tuple[str, dict[str, object]]]:
        names: dict[str, object] = {"names": list(self.names)}
        if self.kind == "topic":
            told = "select distinct host_id from {} where list_contains($names, topic)"
            return [(told.format(table), names) for table in ("facts", "messages")]
        if self.kind == "event":
            views = sorted({f"events_{name}" for name in self.names} & view.events)
            of = 'select distinct c.host_id from captures c semi join "{}" e on e._content_id = c.content_id'
            return [(of.format(name), {}) for name in views]
        return [(f"select distinct host_id from counters where {NAMED}", names)]

    def _looks(self, view: View) -> list[tuple[str, dict[str, object]]]:
        if self.kind == "event":
            views = {f"events_{name}" for name in self.names} & view.events
            return [(f'select 1 from "{name}" limit 1', {}) for name in sorted(views)]
        names: dict[str, object] = {"names": list(self.names)}
        return [(f"select 1 from counters where {NAMED} limit 1", names)]
