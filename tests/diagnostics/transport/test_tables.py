"""The rows of each table of the transport question, of streams made by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from agtrace.diagnostics.transport import tables
from agtrace.diagnostics.transport.sent_received import SentReceived, sent_received
from agtrace.diagnostics.transport.verdict import FLOW_CONTROL, HEALTHY, REDO_LIMITED
from agtrace.history.roles.role import Role
from agtrace.history.streams.links import Link
from agtrace.history.streams.loss import ESTIMATE, INTEGRAL, Loss, RedoTime
from agtrace.history.streams.paths import Settings
from tests.diagnostics.transport.made_shown import (
    START,
    N,
    both,
    known,
    parts,
    spread,
    studied,
    study,
    verdict,
)
from tests.diagnostics.transport.test_snapshots import look, state

START_END = {"start": "2024-03-05T12:00:00Z", "end": "2024-03-05T12:05:00Z"}
WHO = {"ag": "AG", "primary": "P", "replica": "S"}


def rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows without what is empty in them."""
    return [
        {name: value for name, value in row.items() if value is not None and value == value}
        for row in frame.astype(object).to_dict("records")
    ]


def statistics(name: str, value: float) -> dict[str, float]:
    return {f"{name}_{each}": value for each in ("mean", "p50", "p95", "max")}


# The chain


def test_the_chain_has_a_row_per_replica_and_database():
    of = both(
        databases=("Sales", "Stock"), s_flushed={"Sales": 3e5},
        s_send_queue={"Sales": [100.0 + 10 * n for n in range(N)]}, s_redone={"Sales": 2e5},
        s_received={"Sales": 4e5, "Stock": 1e5}, s_recovery_queue={"Stock": 50.0},
    )  # fmt: skip
    told = studied(
        of,
        verdict(of, FLOW_CONTROL, parts=parts(of)[:1]),
        verdict(of, REDO_LIMITED),
        verdict(of, HEALTHY, parts=[]),
    )
    assert rows(tables.chain([told])) == [
        WHO | START_END | {"database": "Sales", "samples": N, "verdict": "flow_control, redo_limited"}
        | statistics("flushed", 1e6) | statistics("received", 4e5) | statistics("hardened", 3e5)
        | statistics("redone", 2e5) | {"send_queue_end": 400 * 1024, "send_queue_slope": 1024},
        WHO | START_END | {"database": "Stock", "samples": 0, "verdict": "redo_limited"}
        | statistics("received", 1e5)
        | {"recovery_queue_end": 50 * 1024, "recovery_queue_slope": 0},
    ]  # fmt: skip


# Roles and costs


def test_roles_have_a_row_per_stretch_with_open_ends_empty():
    of = both(s_is_local=True)
    ends = (-math.inf, START, START + 300, math.inf)
    cast = {
        "P": [Role("PRIMARY", ends[0], ends[1], "counters"), Role("SECONDARY", ends[1], ends[2], "events")],
        "S": [Role("SECONDARY", ends[2], ends[3], "counters")],
    }
    found = study(studied(of), roles={("AG",): cast})
    assert tables.roles(found).values.tolist() == [
        ["AG", "P", "PRIMARY", "", "2024-03-05T12:00:00Z", "counters"],
        ["AG", "P", "SECONDARY", "2024-03-05T12:00:00Z", "2024-03-05T12:05:00Z", "events"],
        ["AG", "S", "SECONDARY", "2024-03-05T12:05:00", "", "counters"],
    ]


def test_costs_have_a_row_per_loss_beside_the_redo_time_of_its_database():
    of = both()
    losses = [
        Loss("Sales", of.times, of.times, spread(2.0), 7.0, INTEGRAL, 0, 10.0),
        Loss("Stock", of.times, of.times, spread(3.0, 25), 8.0, ESTIMATE, 0, 10.0, at_least=True),
    ]
    redo = [RedoTime("Stock", of.times, spread(0.5), 0.7, 4e5, 30)]
    assert rows(tables.rpo_rto([studied(of, losses=losses, redo_times=redo), studied(of)])) == [
        {"replica": "S", "database": "Sales", "rpo_end": 7.0, "rpo_p50": 2.0, "rpo_p95": 4.0, "rpo_max": 6.0,
         "rpo_method": "integral", "samples": 30},
        {"replica": "S", "database": "Stock", "rpo_end": 8.0, "rpo_p50": 3.0, "rpo_p95": 6.0, "rpo_max": 9.0,
         "rpo_method": "at least, estimate", "redo_end": 0.7, "redo_p95": 1.0, "redo_max": 1.5,
         "samples": 25},
    ]  # fmt: skip


def test_looks_have_a_row_per_database():
    full = state("Stock", "SYNCHRONIZING", send_queue=1, send_rate=2, redo_queue=3, redo_rate=4, lag_s=5)
    found = [look(state(), full), look(state(is_suspended=True, suspend_reason="USER"), at=None)]
    found.append(look(state(is_suspended=True), state(suspend_reason="USER")))
    told = rows(tables.looks(found))
    assert told[1] == {
        "ag": "AG", "replica": "S", "database": "Stock", "time": "2024-03-05 12:00:00 UTC",
        "state": "SYNCHRONIZING", "suspended": "", "send_queue_kb": 1, "send_rate_kb_s": 2,
        "redo_queue_kb": 3, "redo_rate_kb_s": 4, "lag_s": 5, "seen_on": "P", "source": "o.txt, line 5",
    }  # fmt: skip
    assert [each["suspended"] for each in told] == ["", "", "USER", "yes", ""]
    assert told[2]["time"] == "an unknown time"


# Paths and settings


def test_settings_have_a_column_each_with_the_odd_ones_marked():
    found = [
        Settings("P", "p.txt", {"autotuning_level": "disabled", "chimney": "on"}, ["autotuning_level"]),
        Settings("S", "s.txt", {"autotuning_level": "normal"}, []),
        Settings("T", "t.txt", {"chimney": "off"}, ["chimney"]),
    ]
    assert rows(tables.tcp_settings(found)) == [
        {"host": "P", "odd": "autotuning_level", "autotuning_level": "disabled (!)", "chimney": "on",
         "source": "p.txt"},
        {"host": "S", "odd": "", "autotuning_level": "normal", "source": "s.txt"},
        {"host": "T", "odd": "chimney", "chimney": "off (!)", "source": "t.txt"},
    ]  # fmt: skip
    assert list(tables.tcp_settings(found)) == ["host", "odd", "autotuning_level", "chimney", "source"]


# Sent and received


def of(given: Link, version: str = "12.0") -> SentReceived:
    (found,) = sent_received(known(version), [studied(given)])
    return found


def by_hop(found: SentReceived) -> dict[str, dict[str, Any]]:
    return {row.pop("hop"): row for row in rows(tables.sent_received([found]))}


def missing(counter: str, host: str, unit: str = "log B/s") -> dict[str, Any]:
    return WHO | {"unit": unit, "samples": 0, "counter": counter, "host": host}


def test_log_received_is_compared_with_the_bytes_sent_first():
    told = by_hop(of(both(p_start=100.0, p_sent=[np.nan] * 10 + [4e5] * (N - 10)), "15.0"))
    row = told["log received"]
    assert (row["of_sent"], row["of_flushed"]) == (1.0, 0.4)
    assert row["compared"] == pytest.approx(110 / 410)
    assert told["log redone"]["compared"] == pytest.approx(210 / 410)
    assert "of_sent" not in told["sent to the replica"]


def test_times_of_each_side_are_those_of_its_clock():
    told = by_hop(of(both(s_is_local=True, aligned=False)))
    assert told["log flushed"]["start"] == "2024-03-05T11:59:50Z"
    for name in ("log received", "log per byte on the wire"):
        assert told[name]["start"] == "2024-03-05T11:59:50"


def test_compression_of_blocks_that_are_hardly_covered_has_no_spread():
    seldom = [3e5 if n % 4 == 1 else np.nan for n in range(N)]
    row = by_hop(of(both(s_wire_received=seldom)))["log per byte on the wire"]
    assert row == WHO | {
        "unit": "ratio", "mean": pytest.approx(4 / 3), "compared": pytest.approx(80 / 310), "samples": 0,
        "counter": "log received / received from the primary", "host": "S",
        "start": "2024-03-05T12:00:00Z", "end": "2024-03-05T12:04:50Z",
    }  # fmt: skip


def test_a_hop_without_a_spread_was_not_captured():
    found = of(both())
    hop = found.hops["log flushed"]
    found.hops["log flushed"] = replace(hop, spread=None, missing="for once")
    assert by_hop(found)["log flushed"] == missing("for once", "P")


# Over time


def test_times_of_blocks_are_local_where_the_replica_is():
    (first, *_) = rows(tables.sent_received_over_time([of(both(s_is_local=True, aligned=False))]))
    assert (first["start"], first["end"]) == ("2024-03-05T11:59:50", "2024-03-05T12:01:50")
