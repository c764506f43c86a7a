"""What servers noted that led to nothing yet: one finding a kind and host, info where no group is
concerned.
"""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import Health
from tests.diagnostics.tiny import case

GROUP = "\n{} | 0 | replica_state | 19406 | ag=AG; old_state=RESOLVING_NORMAL; new_state=SECONDARY_NORMAL"
LINUX = "{} | startup | 1 | os | Linux (Ubuntu 22.04.3 LTS) <X64>"


def with_lines(*lines, group=True, facts="", events="", messages=""):
    """A case of A whose ERRORLOG holds errors, as (seconds, number, text)."""
    made = case(messages=(GROUP.format("A") if group else "") + "\n" + messages, facts=facts, events=events)
    if not group:
        made.insert(
            "captures",
            [{"capture_id": "errorlog-A", "content_id": "errorlog-A", "path": "ERRORLOG", "host_id": "A"}],
        )
    rows = ", ".join(
        f"('errorlog-A', 'A', {10 + place}, timestamp '2024-03-05 12:00:00' + "
        f"to_milliseconds(({at * 1000})::bigint), "
        f"timestamptz '2024-03-05 12:00:00+00' + to_milliseconds(({at * 1000})::bigint), 'spid9', "
        f"{number or 'null'}, '{text}')"
        for place, (at, number, text) in enumerate(lines)
    )
    made.run(
        f"insert into errorlog (content_id, host_id, line, time_local, time, source, error, message) values "
        f"{rows}"
    )
    return made


def noted(made, prefix="health."):
    told = ("health.restart", "health.failover", "health.no_primary")
    return [f for f in Health(made).findings() if f.id.startswith(prefix) and f.id not in told]


@pytest.mark.complete
def test_the_remedy_is_that_of_the_hosts_system():
    _windows, linux = (
        noted(with_lines((60, 41144, "text"), facts=facts))[0].recommendation
        for facts in ("", LINUX.format("A"))
    )
    assert "Get-ClusterLog" not in linux


STATE = "A | {} | component_health_result | component={}; state_desc={}; failure_condition_level=3; data=<x/>"
