"""What is studied of each link, which commits are measured, and which looks show a blocked redo."""

from __future__ import annotations

import importlib
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics import transport
from agtrace.diagnostics.transport.rows import BlockedRedo
from agtrace.diagnostics.transport.study import Study
from agtrace.diagnostics.transport.verdict import HEALTHY
from agtrace.history.streams.collect import Streams
from agtrace.history.streams.links import Link
from agtrace.history.streams.loss import RedoTime
from agtrace.history.streams.meeting import Apart
from agtrace.measure.grid import Node
from tests.diagnostics.asking import ask, record
from tests.diagnostics.transport.made_shown import (
    ALL,
    both,
    known,
    link,
    parts,
    primary,
    secondary,
    spread,
    studied,
    verdict,
)

module = importlib.import_module("agtrace.diagnostics.transport.study")
TWO = {
    "databases": ("Sales", "Stock"),
    "s_received": {"Sales": 4e5, "Stock": 4e5},
    "s_recovery_queue": {"Sales": 50.0},
}


def redo_time(database: str) -> RedoTime:
    return RedoTime(database, np.empty(0), spread(1.0), 1.0, 4e5, 30)


@pytest.mark.parametrize(("told", "without"), [([], ["Sales"]), (["Sales"], []), (["Stock"], ["Sales"])])
def test_a_recovery_queue_that_tells_no_redo_time_is_named(told, without):
    found = studied(both(**TWO), redo_times=[redo_time(each) for each in told])
    assert found.without_redo_time == without


BLOCKED = record(BlockedRedo, at=1.0)


def study(monkeypatch, *links: Link) -> Study:
    """Study some links; what is judged of them is that they keep up."""
    groups = list({id(each.group): each.group for each in links}.values())
    streams = Streams([], groups, {}, [(each, parts(each)) for each in links], known())
    monkeypatch.setattr(module, "read_streams", lambda *asked: streams)
    monkeypatch.setattr(module, "judge", lambda of, *rest: [verdict(of, HEALTHY)])
    asked: Any = SimpleNamespace(records=lambda _kind, _query: [BLOCKED], has_rows=lambda _name: False)
    return module.study(asked)


def test_each_link_is_judged_and_measured(monkeypatch):
    whole, bare = both(), link(primary())
    found = study(monkeypatch, whole, bare)
    assert [each.link for each in found.links] == [whole, bare]
    assert [[one.kind for one in each.verdicts] for each in found.links] == [[HEALTHY], [HEALTHY]]
    assert [[one.database for one in each.losses] for each in found.links] == [["Sales"], []]
    assert [[one.database for one in each.redo_times] for each in found.links] == [["Sales"], []]
    assert found.blocked_redo == [BLOCKED]
    assert (found.limits, found.facts) == (found.known.limits, found.known.facts)


def waited(ms: float = 40.0, **more: Any) -> Node:
    return primary(transaction_delay=ms, mirrored_writes=20.0, **more)


def test_a_primary_that_was_captured_apart_tells_its_own_commit_wait(monkeypatch):
    met = link(None, secondary(), apart=Apart(waited(), ALL, 0, None))
    (delay,) = study(monkeypatch, met).delays
    assert (delay.primary.name, delay.rows, delay.mean) == ("P", ALL, 2.0)


AT = datetime(2024, 3, 5, 12, tzinfo=UTC)


def row(session: int, **more: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "host_id": "S", "time": AT, "time_local": AT.replace(tzinfo=None),
        "database": "Sales", "session_id": session, "wait_ms": 45_000,
        "client": "R1", "program": "Reports", "statement": "select 1", "capture_id": "c", "line": 7,
    }  # fmt: skip
    return given | more


def test_looks_at_a_blocked_redo_are_those_of_a_known_server_and_time_in_their_order():
    looks = [
        row(1, host_id="T"), row(2, time=AT + timedelta(seconds=1.5)), row(3, host_id=None),
        row(4, time=None), row(6, capture_id="x"), row(5),
    ]  # fmt: skip
    found = ask(
        transport, "blocked_redo", blocked_redo=looks, captures=[{"capture_id": "c", "path": "o.txt"}]
    )
    told = [(each["host_id"], each["at"] - AT.timestamp(), each["session_id"]) for each in found]
    assert told == [("S", 0.0, 5), ("S", 0.0, 6), ("S", 1.5, 2), ("T", 0.0, 1)]
    assert found[0] == {
        "host_id": "S", "at": AT.timestamp(), "database": "Sales", "session_id": 5, "waited_s": 45.0,
        "client": "R1", "program": "Reports", "statement": "select 1", "place": "o.txt line 7",
    }  # fmt: skip
    assert found[1]["place"] == "a look line 7"
