"""Streams of log made by hand: a primary P, a replica S, and what was found out about them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from agtrace.diagnostics.transport.signs import Signs
from agtrace.diagnostics.transport.study import LinkStudy, Study
from agtrace.diagnostics.transport.verdict import Verdict, VerdictKind
from agtrace.history.streams.chain import read_chain, read_stream
from agtrace.history.streams.commit_modes import Modes
from agtrace.history.streams.known import StreamFacts
from agtrace.history.streams.links import Link
from agtrace.history.streams.network_facts import Facts
from agtrace.history.streams.parts import Part
from agtrace.measure import transport_counters as c
from agtrace.measure.gapped import Spread
from agtrace.measure.grid import Node, Values
from agtrace.measure.machines import Machine
from agtrace.resolve.replicas import HostNames
from tests.diagnostics.transport import made, made_signs
from tests.diagnostics.transport.made import LIMITS

START = 1_709_640_000.0
"""2024-03-05 12:00:00 UTC."""
N, STEP = 31, 10.0
ALL = slice(0, N)


def clock(seconds: float = 0.0) -> str:
    """So many seconds after the start, within its minute."""
    return f"2024-03-05T12:{int(seconds) // 60:02}:{int(seconds) % 60:02}Z"


def series(value: Any, n: int = N) -> Values:
    return np.array(value, float) if isinstance(value, list | np.ndarray) else np.full(n, float(value))


def node(host: str, n: int = N, step: float = STEP, start: float = 0.0, **more: Any) -> Node:
    """A node that sampled counters, by their short names: a number, a list, or several by instance."""
    own = {name: more.pop(name) for name in ("is_local", "averaged") if name in more}
    found = Node(host, step=step, times=START + start + step * np.arange(n), **own)
    for name, value in more.items():
        counter = getattr(c, name.upper())
        whose = {c.AVAILABILITY_REPLICA: "AG:S" if host == "P" else "AG:P", "TCPv4": ""}
        given = value if isinstance(value, dict) else {whose.get(counter.object, "Sales"): value}
        for instance, each in given.items():
            row = {"object": counter.object, "counter": counter.name, "instance": instance}
            found.add(row, series(each, n))
    return found


def primary(**more: Any) -> Node:
    return node("P", **{"flushed": 1e6, "sent": 4e5} | more)


def secondary(**more: Any) -> Node:
    at_rest = {"received": 4e5, "wire_received": 3e5, "send_queue": 100.0, "recovery_queue": 50.0}
    return node("S", **at_rest | {"redone": 4e5} | more)


def link(
    one: Node | None = None,
    other: Node | None = None,
    *,
    databases: tuple[str, ...] = ("Sales",),
    ag: str = "AG",
    **more: Any,
) -> Link:
    """The stream from P to S over five minutes; a side that is not handed over was not captured."""
    found = made.link(one, other, databases)
    found.group.ags = (ag,) if ag else ()
    return replace(found, **more)


def both(**more: Any) -> Link:
    """A link with both sides; counters of P by ``p_`` and their names, of S by ``s_``."""
    mine = {name[2:]: more.pop(name) for name in list(more) if name.startswith("p_")}
    theirs = {name[2:]: more.pop(name) for name in list(more) if name.startswith("s_")}
    return link(primary(**mine), secondary(**theirs), **more)


def parts(of: Link) -> list[Part]:
    return [Part(read_chain(of, [name])) for name in of.group.databases.values()]


def signs(**more: Any) -> Signs:
    """Return the signs of a path without any captures."""
    return made_signs.signs(**{"ceiling": None} | more)


def spread(mean: float, n: int = 30) -> Spread:
    """A distribution with p5 half, p50 of, p95 twice and max three times its mean."""
    return Spread(n, mean, mean / 2, mean, 2 * mean, 3 * mean)


def verdict(of: Link, kind: VerdictKind, **more: Any) -> Verdict:
    names = list(of.group.databases.values())
    given: dict[str, Any] = {
        "link": of, "chain": read_chain(of, names), "parts": parts(of), "stream": read_stream(of, COUNTED),
        "signs": signs(), "sending": SimpleNamespace(counted=COUNTED),
    }  # fmt: skip
    found = Verdict(**given | more)
    found.kind = kind
    return found


def studied(of: Link, *verdicts: Verdict, **more: Any) -> LinkStudy:
    return made.studied(of, *verdicts, **{"parts": parts(of)} | more)


class Machines:
    """Machines of which is known what is handed over, by host."""

    def __init__(self, traffic: dict[tuple[str, str], Any] | None = None, **machines: Machine) -> None:
        self._machines, self._traffic = machines, traffic or {}

    def prepare(self, wanted: Any) -> None:
        list(wanted)

    prepare_traffic = prepare

    def of(self, one: Node | None, rows: slice) -> Machine:
        return self._machines.get(one.host_id, Machine()) if one is not None else Machine()

    def traffic(self, one: Node, rows: slice, resource: str) -> Any:
        return self._traffic.get((one.host_id, resource))


NAMES = HostNames([])
COUNTED: Any = SimpleNamespace(unit="wire B/s", why="2014 counts what goes on the wire", brief="")


def known(version: str = "", **more: Any) -> StreamFacts:
    rows = [{"topic": "startup", "host_id": "P", "product_version": version}] if version else []
    given: dict[str, Any] = {
        "facts": Facts(rows + more.pop("facts", []), NAMES, []), "machines": Machines(), "modes": Modes([]),
        "flags": {}, "events": [], "looks": [], "gate_waits": [], "limits": LIMITS,
    }  # fmt: skip
    return StreamFacts(**given | more)


def study(*links: LinkStudy, **more: Any) -> Study:
    return made.study(*links, beside=more.pop("known", None) or known(), **more)
