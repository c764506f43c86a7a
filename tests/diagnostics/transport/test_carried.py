"""What a path has to carry for its queue to shrink, and when the queue is gone then: the rates behind it."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.transport import verdict as v
from agtrace.history.streams.known import StreamFacts
from agtrace.history.streams.parts import BEHIND
from agtrace.measure.gapped import Slope
from tests.diagnostics.transport.made import copied, known, lag, link, node, part, primary, secondary, verdict


def mended(beside: StreamFacts | None = None, *, growth: float = 1e6, **more: Any) -> v.Mended | None:
    usual: dict[str, Any] = {"flushed": 2e6, "received": 1e6, "wire": None, "queue": [0.0] * 59 + [1000.0]}
    given = usual | more
    of = link(
        primary(flushed=given["flushed"]), secondary(**{k: given[k] for k in ("received", "wire", "queue")})
    )
    of.group.nodes.append(node("T"))
    queue = lag(0, 60, slope=Slope(growth, growth, growth, 60), open_end=given.get("open_end", True))
    return v.mended(verdict(of, beside, part(of, BEHIND, send_lag=queue)))


def test_what_is_generated_is_what_the_primary_flushed_else_received_and_what_the_queue_grows_by():
    assert mended() == v.Mended(2e6, 1.0, False, None, 1_024_000)
    assert mended(flushed=None) == v.Mended(2e6, 1.0, False, None, 1_024_000)
    assert mended(flushed=None, growth=3e6) == v.Mended(4e6, 1.0, False, None, 1_024_000)
    assert mended(flushed=None, growth=-3e6) == v.Mended(1e6, 1.0, False, None, 1_024_000)


def test_only_of_all_databases_are_the_rates_of_the_same_log():
    of = link(primary(), secondary(received={"a": 1, "b": 1}, queue={"a": 9, "b": 9}), ("a", "b"))
    assert v.mended(verdict(of, None, part(of, BEHIND, database="a", send_lag=lag()))) is None


@pytest.mark.parametrize(
    ("copies", "copy", "copied_to"),
    [
        ([copied(1e7)], 1e7, ""), ([copied(2.5e6)], None, ""), ([], None, ""),
        ([copied(2.5e6, "P", "T")], 2.5e6, "T"), ([copied(2e6, "P", "T")], None, ""),
        ([copied(1e7), copied(2e7, "P", "T")], 1e7, ""), ([copied(1e6), copied(2e7, "P", "T")], 2e7, "T"),
    ],
)  # fmt: skip
def test_a_copy_shows_what_a_path_carries_where_it_is_faster_than_what_is_generated(copies, copy, copied_to):
    found = mended(known(*copies))
    assert found is not None
    assert (found.copy, found.copied_to) == (copy, copied_to)
    assert (found.seconds is None) == (copy is None)
