"""What is said of timeouts, votes and modes that will hurt at the next failover."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import settings
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import findings, told

LIMITS = Thresholds()


def setting(scope, item, name, value):
    return {"scope": scope, "item": item, "setting": name, "value": value, "content_id": "log-A", "line": 3,
            "host_id": "A"}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "votes", "n"),
    [("NODE_MAJORITY", 2, 1), ("NODE_MAJORITY", 3, 0), ("NODE_AND_FILE_SHARE_MAJORITY", 2, 0)],
)
def test_even_votes_without_a_witness_are_told(kind, votes, n):
    rows = [setting("member", f"N{k}", "quorum_votes", "1") for k in range(votes)]
    rows.append(setting("cluster", "CLU", "quorum_type", kind))
    assert len(findings(settings.settings, told(), rows, [], [], LIMITS)) == n


@pytest.mark.parametrize(
    ("modes", "n"), [("AUTOMATIC AUTOMATIC", 0), ("AUTOMATIC MANUAL", 1), ("MANUAL MANUAL", 1), ("MANUAL", 0)]
)
def test_a_group_without_two_automatic_replicas_does_not_fail_over_by_itself(modes, n):
    rows = [
        {"ag": "AG", "replica": name, "failover_mode": mode, "session_timeout_s": 10, "content_id": "log-A",
         "line": 4, "host_id": "A"}
        for name, mode in zip("AB", modes.split(), strict=False)
    ]  # fmt: skip
    assert len(findings(settings.settings, told(), [], [], rows, LIMITS)) == n


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        ({"LeaseTimeout": "20000", "HealthCheckTimeout": "30000"}, []),
        ({"LeaseTimeout": "10000", "HealthCheckTimeout": "30000"}, ["LeaseTimeout"]),
        ({"LeaseTimeout": "20000", "HealthCheckTimeout": "15000"}, ["HealthCheckTimeout"]),
        ({"LeaseTimeout": "5000", "HealthCheckTimeout": "15000"}, ["LeaseTimeout", "HealthCheckTimeout"]),
    ],
)  # fmt: skip
def test_timeouts_of_a_group_below_the_usual_ones_are_told_together(rows, labels):
    found = findings(
        settings.settings, told(), [setting("group", "AG", *pair) for pair in rows.items()], [], [], LIMITS
    )
    assert [e.label for f in found for e in f.evidence] == labels
    assert all((f.severity, f.subject) == ("notice", {"ag": "AG"}) for f in found)


@pytest.mark.parametrize(("shown", "n"), [(30_000, 0), (60_000, 1), (None, 0)])
def test_the_health_check_timeout_of_the_cluster_is_the_one_that_sql_server_shows(shown, n):
    look = {"ag": "AG", "health_check_timeout_ms": shown, "content_id": "log-A", "line": 5}
    rows = [setting("group", "AG", "HealthCheckTimeout", "30000")]
    found = findings(settings.settings, told(), rows, [look], [], LIMITS)
    assert len(found) == n
    assert [e.value for f in found for e in f.evidence] == [30_000, 60_000] * n
