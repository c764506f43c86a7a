"""What is said of restarts and of slow reads and writes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import servers
from agtrace.diagnostics.health.measures import BOUNDED, ONE_END, SEEN
from agtrace.history.coverage import Coverage, Stretch
from tests.behind import assert_facts
from tests.diagnostics.health.cases import at, event, findings, iso, restart, still, told


@pytest.mark.parametrize(
    ("kind", "severity"),
    [("stopped", "notice"), ("shutdown", "notice"), ("died", "warning"), ("open", "notice")],
)
def test_a_restart_tells_how_the_instance_ended(kind, severity):
    asked = 100 if kind in ("stopped", "shutdown") else None
    row = restart(kind, asked, 100, gone=150, ready=160)
    (found,) = findings(servers.restarts, told(restarts=(row,), grouped=frozenset("A")))
    assert (found.id, found.severity) == ("health.restart", severity)
    assert found.subject == {"host": "A", "kind": kind}
    assert found.window == {"start": iso(100), "end": iso(160)}
    assert found.evidence[0].value == 60
    assert found.confidence == {"died": ONE_END, "open": BOUNDED}.get(kind, SEEN)


def test_of_several_instances_on_a_host_the_one_that_restarted_is_named():
    row = restart("stopped", 100, 101, gone=150, ready=160, sql_instance="TWO")
    both = [Stretch("A", name, "ERRORLOG", at(0), at(900)) for name in ("ONE", "TWO")]
    one = replace(told(restarts=(row,)), coverage=Coverage(both))
    (found,) = findings(servers.restarts, one)
    assert_facts(found, server="A\\TWO", asked_for=["stopped", "shutdown"])
    assert found.subject == {"host": "A", "kind": "stopped", "instance": "TWO"}


STOP = event(100, "A", "stop_requested", text="SQL Server is terminating")


def test_a_stop_without_a_later_start_is_reported():
    (found,) = findings(servers.stops, told(events=[STOP], grouped=frozenset("A")))
    assert (found.id, found.severity) == ("health.restart", "notice")
    assert found.subject == {"host": "A", "kind": "stopped"}
    assert found.window == {"start": iso(100), "end": iso(100)}


@pytest.mark.parametrize(("instance", "n"), [("MSSQLSERVER", 0), ("TWO", 1)])
def test_only_a_start_of_the_same_instance_follows_a_stop(instance, n):
    row = restart("stopped", 100, 101, gone=150, ready=160, sql_instance=instance)
    one = told(events=[STOP], restarts=(row,), instances={"log-A": "MSSQLSERVER"})
    assert len(findings(servers.stops, one)) == n


def test_long_io_is_told_from_the_first_to_the_last_entry():
    events = [
        event(100, "A", "long_io", value=16_000.0),
        event(150, "A", "long_io", value=39_000.0, text="longest"),
        event(90, "A", "long_io", "Extended Events", value=4.0),
        event(400, "A", "long_io", value=17_000.0),
    ]
    (found,) = findings(servers.long_io, told(events=events))
    assert (found.id, found.subject) == ("health.long_io", {"host": "A"})
    assert found.window == {"start": iso(100), "end": iso(400)}
    assert [e.value for e in found.evidence] == [3, 39_000.0, "longest"]


def test_a_host_whose_slow_reads_are_all_of_its_standstill_is_not_told():
    events = [event(401, "A", "long_io", value=320_000.0)]
    assert findings(servers.long_io, replace(told(events=events), standstills=(still("A", 80, 400),))) == []
