"""Resources of the cluster that failed, by rows: which count, how bad they are, and what is told of them."""

from __future__ import annotations

from agtrace.diagnostics.health.resources import resources
from agtrace.diagnostics.health.rows import Resources
from tests.diagnostics.health.cases import at, iso, told
from tests.folded import folded


def shown(**more):
    return Resources("log-A", "Thing", "Failed", None, None, "A", at(60), None, 3)._replace(**more)


@folded(
    ("kind", "means", "severity"),
    [
        ("Distributed Transaction Coordinator", "dtc", "warning"), ("SQL Server", "instance", "warning"),
        ("Physical Disk", "disk", "warning"), ("cluster shared volume", "disk", "warning"),
        ("File Share Witness", "witness", "warning"), ("Cloud Witness", "witness", "warning"),
        ("Generic Service", "", "notice"), (None, "", "notice"),
    ],
)  # fmt: skip
def test_a_resource_is_as_bad_as_what_its_type_means(kind, means, severity):
    (found,) = resources(told(), [shown(type=kind)])
    assert (found.severity, found.facts) == (
        severity, {"item": "Thing", "type": kind, "role": None, "time": at(60), "kind": means}
    )  # fmt: skip


@folded(
    ("kind", "state", "n"),
    [
        ("Physical Disk", "FAILED", 1), ("Physical Disk", "failed", 1), ("Physical Disk", "Online", 0),
        ("SQL Server Availability Group", "Failed", 0), ("Network Name", "Failed", 0),
        ("IP Address", "Failed", 0), ("IPv6 Address", "Failed", 0), (None, "Failed", 1), (None, "Offline", 0),
    ],
)  # fmt: skip
def test_a_resource_that_failed_is_told_unless_it_is_told_elsewhere(kind, state, n):
    assert len(resources(told(), [shown(type=kind, state=state)])) == n


def test_a_resource_is_told_with_its_state_its_type_and_its_role():
    (found,) = resources(told(), [shown(type="Physical Disk", role="Role")])
    assert (found.subject, found.confidence) == ({"host": "A", "resource": "Thing"}, 0.9)
    assert found.window == {"start": iso(60), "end": iso(60)}
    assert [(e.label, e.value, e.source) for e in found.evidence] == [
        ("state of Thing", "Failed", "A/ERRORLOG line 3"),
        ("type of Thing", "Physical Disk", "A/ERRORLOG line 3"),
        ("role of Thing", "Role", "A/ERRORLOG line 3"),
    ]  # fmt: skip
    (found,) = resources(told(), [shown(host_id=None, time=None)])
    assert (found.subject["host"], found.window) == ("", {})
    assert [e.label for e in found.evidence] == ["state of Thing"]
