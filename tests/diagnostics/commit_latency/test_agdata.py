"""The real capture: what is said of its commits."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.commit_latency import CommitLatency
from tests.behind import assert_facts
from tests.history.log_blocks import agdata
from tests.shared import needs_captures

pytestmark = [pytest.mark.complete, needs_captures]


def evidence(id_, *sides):
    """Return the evidence of the finding about Node3."""
    found = CommitLatency(agdata.case(*sides)).findings()
    (one,) = [f for f in found if f.id == id_ and f.subject["replica"] == "NODE3"]
    return {e.label: e.value for e in one.evidence}


def test_the_golden_numbers():
    said = evidence("commit.latency")
    assert said["commit wait mean"] == pytest.approx(27.285, abs=0.001)
    assert said["commit wait p50"] == pytest.approx(26.101, abs=0.001)
    assert said["commit wait p95"] == pytest.approx(37.8225, abs=0.001)
    assert said["commit wait p99"] == pytest.approx(40.682, abs=0.005)
    assert said["joined blocks"] == 4378
    assert said["skew"] == pytest.approx(536, abs=1)
    assert said["skew"] - said["skew spread"] == pytest.approx(512, abs=1)
    # One of the clocks is being slewed: the way there shortens as the way back lengthens, and their sum
    # stays.
    assert said["skew drift"] == pytest.approx(-186, abs=10)
    assert said["skew drift error"] < 15
    assert said["network share"] == pytest.approx(87.5, abs=0.5)


def test_the_network_is_what_commits_wait_for():
    assert evidence("commit.hop")["dominant hop"] == "network"


def test_commits_wait_for_the_replica_that_is_last():
    hops = [f for f in CommitLatency(agdata.case()).findings() if f.id == "commit.hop"]
    last, other = sorted(hops, key=lambda f: f.subject["replica"] != "NODE3")
    assert (last.severity, other.severity) == ("notice", "info")
    assert_facts(other, later="NODE3", share=93.6692, of_hop=True)
    assert_facts(last, asynchronous=24.002, hop="network", share=87.5008)


def test_the_replica_alone_names_no_hop():
    assert {f.id for f in CommitLatency(agdata.case("SECONDARY")).findings()} == {"commit.latency"}
