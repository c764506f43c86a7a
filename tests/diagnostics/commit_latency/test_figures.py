"""What the figures and tables of commits show of ways made by hand."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.commit_latency import figures, tables
from agtrace.diagnostics.commit_latency.rows import OverTime
from tests.diagnostics.commit_latency.made import at, link, spread


def test_a_commit_is_drawn_hop_after_hop_and_the_local_log_beside_them():
    of = link({"capture": spread(1.0, 10.0), "network": spread(2.0, 20.0), "local harden": spread(4.0)})
    fig = figures.waterfall([link(commit=None), of])
    bars = [
        (each.name, each.y[0], float(each.x[0]), float(each.base), each.showlegend, each.offsetgroup)
        for each in fig.data
    ]
    median, slow = "Sales to SQL2, median", "Sales to SQL2, slowest 1 %"
    assert bars == [
        ("capture", median, 1.0, 0.0, True, "path"), ("network", median, 2.0, 1.0, True, "path"),
        ("local harden", median, 4.0, 0.0, True, "local"), ("capture", slow, 10.0, 0.0, False, "path"),
        ("network", slow, 20.0, 10.0, False, "path"), ("local harden", slow, 0.0, 0.0, False, "local"),
    ]  # fmt: skip
    assert fig.layout.height == 340
    assert (fig.layout.barmode, fig.layout.yaxis.autorange) == ("group", "reversed")
    assert figures.waterfall([]).layout.height == 270


def row(seconds: float, **more: Any) -> OverTime:
    return OverTime("Sales", "SQL2", at(seconds), n=9, p50=1.0, p95=2.0, p99=3.0)._replace(**more)


def test_ways_of_other_replicas_are_apart():
    fig = figures.over_time([row(0), row(0, replica="SQL3", p50=9.0)])
    assert [list(each.y) for each in fig.data if each.name == "p50"] == [[1.0], [9.0]]


def waited(minute: int, host: str = "SQL1", **more: Any) -> dict[str, Any]:
    return {
        "host_id": host, "start": at(60 * minute), "end": at(60 * minute + 60), "commit_mean_ms": 9.0,
        "write_mean_ms": 1.0, "queue_bytes": None,
    } | more  # fmt: skip


def drawn(fig: Any) -> list[tuple[str, int, str, list[float]]]:
    return [(each.name, len(each.x), each.yaxis, [float(y) for y in each.y]) for each in fig.data]


def test_waits_are_held_over_their_interval():
    fig = figures.waits([waited(0), waited(1, commit_mean_ms=7.0, write_mean_ms=None), waited(0, "SQL2")])
    assert drawn(fig) == [
        ("SQL1: waits for replicas", 4, "y", [9.0, 9.0, 7.0, 7.0]), ("SQL1: waits for the log", 2, "y",
        [1.0, 1.0]),
        ("SQL2: waits for replicas", 2, "y", [9.0, 9.0]), ("SQL2: waits for the log", 2, "y", [1.0, 1.0]),
    ]  # fmt: skip
    assert [each.line.dash for each in fig.data][:2] == ["solid", "dash"]
    assert len(fig.layout.annotations) == 0


def test_a_queue_has_a_panel_below_where_it_was_ever_full():
    fig = figures.waits([waited(0, queue_bytes=0.0), waited(1, queue_bytes=2e6)])
    assert [(name, yaxis) for name, _, yaxis, _ in drawn(fig)] == [
        ("SQL1: waits for replicas", "y"), ("SQL1: waits for the log", "y"), ("SQL1: log send queue", "y2")
    ]  # fmt: skip
    assert [each.text for each in fig.layout.annotations] == [
        "mean wait", "log send queue of the replica that has most"
    ]  # fmt: skip
    assert (fig.layout.yaxis.title.text, fig.layout.yaxis2.title.text) == ("ms", "MB")
    empty = figures.waits([waited(0, queue_bytes=0.0)])
    assert (len(drawn(empty)), empty.layout.yaxis.title.text) == (2, "ms")


def test_the_table_of_hops():
    of = link({"send": 2.0}, wait=spread(8.0, n=7))
    found = tables.hops([of, link({}, None)]).to_dict("records")
    names = ("database", "replica", "hop", "n", "mean_ms", "p50_ms", "p95_ms", "p99_ms")
    assert [tuple(row[name] for name in names) for row in found] == [
        ("Sales", "SQL2", "commit", 30, 20.0, 20.0, 40.0, 60.0), ("Sales", "SQL2", "send", 30, 2.0, 2.0,
        4.0, 6.0),
        ("Sales", "SQL2", "commit wait", 7, 8.0, 8.0, 16.0, 24.0),
    ]  # fmt: skip
    assert [row["share_percent"] == 10.0 for row in found] == [False, True, False]
