"""What is said of timeouts, votes and modes that will hurt at the next failover."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import settings
from agtrace.diagnostics.health.rows import Groups, Replicas
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import record
from tests.diagnostics.health.cases import findings, setting, told

LIMITS = Thresholds()


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
        record(Replicas, ag="AG", replica=name, failover_mode=mode, session_timeout_s=10)
        for name, mode in zip("AB", modes.split(), strict=False)
    ]
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
    look = Groups("AG", shown, "log-A", 5)
    rows = [setting("group", "AG", "HealthCheckTimeout", "30000")]
    found = findings(settings.settings, told(), rows, [look], [], LIMITS)
    assert len(found) == n
    assert [e.value for f in found for e in f.evidence] == [30_000, 60_000] * n
