"""What is said of a link: every kind of verdict is a row, with its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agtrace.diagnostics.transport.signs import LogWrite, Signs
from agtrace.history.streams.chain import Chain, Stream
from agtrace.history.streams.known import Sending
from agtrace.history.streams.links import Link
from agtrace.history.streams.parts import Part
from agtrace.measure.grid import Values
from agtrace.say import words


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of verdict.

    Parameters
    ----------
    id
        Of its finding.
    title
        With ``{replica}``, ``{primary}`` and ``{tuning}``, the auto-tuning level of the replica.
    why
        Says what points to it; empty sentences are left out.
    remedy
        Says what to do next. It never asks for what the evidence already shows: what was measured is left
        out of what is to be looked at, and what remains is named.
    slow
        The step of the chain that is slow; "" for none.
    is_stale
        The send queue stands still, so that its value is old.
    """

    id: str
    title: str
    why: Callable[[Verdict], Sequence[str]]
    remedy: Callable[[Verdict], str]
    slow: str = ""
    is_stale: bool = False


@dataclass(eq=False)
class Verdict:
    """One statement about a link and some of its databases.

    Parameters
    ----------
    kind
        Set by the judge, which first needs to know what the others hold.
    rows
        Rows of the link's window on the secondary (or where only that was captured, the primary)
        that the statement is about.
    primary_rows
        The rows of the primary at the same time, none where it has none; all of its window where a
        clock is unknown.
    on_its_way
        Share of the generated log that neither arrived nor waits in the queue, where that is more than
        the samples leave open.
    """

    link: Link
    chain: Chain
    parts: list[Part]
    stream: Stream
    signs: Signs
    sending: Sending
    kind: Kind = field(init=False)
    severity: str = "info"
    confidence: float = 1.0
    primary_write: LogWrite | None = None
    secondary_write: LogWrite | None = None
    message: dict[str, Any] | None = None
    rows: slice = field(default_factory=lambda: slice(None))
    primary_rows: slice = field(default_factory=lambda: slice(None))
    on_its_way: float | None = None

    @property
    def id(self) -> str:
        return self.kind.id

    @property
    def replica(self) -> str:
        return words.plain(self.link.replica)

    @property
    def primary(self) -> str:
        return words.plain(self.link.primary_name or "the primary")

    @property
    def databases(self) -> list[str]:
        return [part.database for part in self.parts]

    @property
    def times(self) -> Values:
        return self.chain.times[self.rows]
